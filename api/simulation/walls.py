"""A shuffled wall with its commitment, and the two ends tiles are taken from."""

import hashlib
from collections.abc import Iterable
from random import Random

import msgspec

from rules_engine.play import Play
from rules_engine.table import NOTHING, Table, Taken
from rules_engine.tiles import NAMES, count, kinds_in


class Wall(msgspec.Struct, frozen=True):
    """The tiles of a hand in dealing order, the salt of their commitment, the draws so far."""

    tiles: tuple[int, ...]
    salt: str
    draws: tuple[Taken, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """The tiles by name, as ``wall_revealed`` lists them."""
        return tuple(NAMES[kind] for kind in self.tiles)

    @property
    def commitment(self) -> str:
        """SHA-256 (hex) over the salt and the names, as ``hand_started`` states it."""
        return hashlib.sha256(bytes.fromhex(self.salt) + "".join(self.names).encode()).hexdigest()

    def taken(self, play: Play, table: Table, source: str) -> tuple[str, "Wall"]:
        """The name of the tile a draw at this moment takes, and the wall after it."""
        draws = (*self.draws, play.taken(table, NOTHING, tail=source == "tail"))
        *_, place = play.places(draws, length=len(self.tiles), turned=table.indicator_place)
        return NAMES[self.tiles[place]], msgspec.structs.replace(self, draws=draws)


def shuffled(play: Play, rng: Random) -> Wall:
    """A wall of all tiles of the game in random order, as it stands once the hands are dealt."""
    tiles = [kind for kind in kinds_in(play.tiles) for _ in range(count(play.tiles, kind))]
    rng.shuffle(tiles)
    return stacked(play, tiles, rng)


def badly_shuffled(play: Play, rng: Random) -> Wall:
    """A wall in which like tiles lie near each other, so that rare hands are dealt.

    What lies together is by lot: the copies of a kind, a suit, or terminals and honours.
    """
    tiles = [kind for kind in kinds_in(play.tiles) for _ in range(count(play.tiles, kind))]
    together = rng.choice((_as_it_is, _suit_of, _is_end))
    spread = rng.choice((0.03, 0.1, 0.25))
    places = {like: rng.random() for like in sorted({together(kind) for kind in tiles})}
    rng.shuffle(tiles)
    tiles.sort(key=lambda kind: places[together(kind)] + rng.gauss(0, spread))
    return stacked(play, tiles, rng)


def _as_it_is(kind: int) -> int:
    return kind


def _suit_of(kind: int) -> int:
    return kind // 9


def _is_end(kind: int) -> int:
    return int(kind >= 27 or kind % 9 in (0, 8))


def stacked(play: Play, tiles: Iterable[int], rng: Random) -> Wall:
    """A wall in this order, as it stands once the hands are dealt."""
    return Wall(tiles=tuple(tiles), salt=rng.randbytes(16).hex())
