"""怀远麻将 Huaiyuan mahjong."""
