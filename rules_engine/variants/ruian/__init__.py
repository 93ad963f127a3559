"""瑞安麻将 Rui'an mahjong: sixteen tiles, three wilds, the white as flower, tai that double hu."""
