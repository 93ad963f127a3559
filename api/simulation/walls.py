"""A shuffled wall with its commitment, and the two ends tiles are taken from."""

import hashlib
from collections.abc import Iterable
from random import Random

import msgspec

from rules_engine.play import Play
from rules_engine.table import SEATS
from rules_engine.tiles import NAMES, count, kinds_in


class Wall(msgspec.Struct, frozen=True):
    """The tiles of one hand as kinds, in dealing order, and the salt of their commitment.

    ``head`` and ``tail`` index the next tile at either end.
    """

    tiles: tuple[int, ...]
    salt: str
    head: int
    tail: int

    @property
    def names(self) -> tuple[str, ...]:
        """The tiles by name, as ``wall_revealed`` lists them."""
        return tuple(NAMES[kind] for kind in self.tiles)

    @property
    def commitment(self) -> str:
        """SHA-256 (hex) over the salt and the names, as ``hand_started`` states it."""
        return hashlib.sha256(bytes.fromhex(self.salt) + "".join(self.names).encode()).hexdigest()

    def taken(self, source: str) -> tuple[str, "Wall"]:
        """The name of the next tile at this end, and the wall without it."""
        if source == "tail":
            return NAMES[self.tiles[self.tail]], msgspec.structs.replace(self, tail=self.tail - 1)
        return NAMES[self.tiles[self.head]], msgspec.structs.replace(self, head=self.head + 1)


def shuffled(play: Play, rng: Random) -> Wall:
    """A wall of all tiles of the game in random order, as it stands once the hands are dealt."""
    tiles = [kind for kind in kinds_in(play.tiles) for _ in range(count(play.tiles, kind))]
    rng.shuffle(tiles)
    return stacked(play, tiles, rng)


def stacked(play: Play, tiles: Iterable[int], rng: Random) -> Wall:
    """A wall in this order, as it stands once the hands are dealt."""
    order = tuple(tiles)
    dealt = play.hand_size * len(SEATS) + 1
    return Wall(tiles=order, salt=rng.randbytes(16).hex(), head=dealt, tail=len(order) - 1)
