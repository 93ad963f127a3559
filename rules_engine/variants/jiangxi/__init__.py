"""上饶麻将 Shangrao mahjong: in the making, see the modules."""
