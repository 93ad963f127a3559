"""What happened in one hand, in the form a scorekeeper can write down and the golden cases use.

A hand recorded tile by tile is folded into the same facts (``Play.facts``), so there is one way
from facts to points. Tiles are compact mpsz texts. Seats are 0..3.
"""

from typing import Annotated, Final, Literal

import msgspec

TILE_PATTERN: Final = "^([1-9][mps]|[1-7]z|[1-8]f)$"
TILES_PATTERN: Final = "^([1-9]+[mps]|[1-7]+z|[1-8]+f)*$"
PATTERNS: Final = {
    TILE_PATTERN: "a tile: write a rank and a suit, such as 5m, 3z or 1f",
    TILES_PATTERN: "tiles: write ranks and then their suit, such as 123m55z",
}
"""What a text has to be that must match a pattern."""

Seat = Annotated[int, msgspec.Meta(ge=0, le=3, description="A fixed chair, 0 to 3.")]
TileName = Annotated[
    str,
    msgspec.Meta(pattern=TILE_PATTERN, description="One tile, such as 5m, 3z or 1f."),
]
TileText = Annotated[
    str,
    msgspec.Meta(
        pattern=TILES_PATTERN,
        max_length=64,
        description="Tiles written compactly, such as 123m55z.",
    ),
]
By = Literal["zimo", "dianpao", "qiang_gang"]
Result = Literal["hu", "huang_zhuang"]


class Meld(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A declared set. ``from`` is the seat a tile was claimed from.

    ``seq`` is the event that made the meld what it is, written by the engine; a recorded result has
    0.
    """

    kind: str
    tiles: TileText
    from_: Seat | None = msgspec.field(default=None, name="from")
    seq: int = 0


class WinFacts(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """One winner: how, from whom, on which tile, holding what.

    ``concealed`` is the hand without the winning tile. ``flags`` are facts of the moment which the
    tiles alone do not show (each variant's specification lists its own). ``seq`` as in ``Meld``;
    ``flag_seqs`` likewise, one for each flag (0: no event of its own), or none at all.
    """

    seat: Seat
    by: By
    tile: TileName
    concealed: TileText
    from_: Seat | None = msgspec.field(default=None, name="from")
    melds: tuple[Meld, ...] = ()
    flowers: TileText = ""
    flags: tuple[str, ...] = ()
    seq: int = 0
    flag_seqs: tuple[int, ...] = ()


class Holding(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a seat that did not win had, as far as payments need it. Fields as in ``WinFacts``."""

    seat: Seat
    melds: tuple[Meld, ...] = ()
    concealed: TileText = ""
    flowers: TileText = ""
    flags: tuple[str, ...] = ()
    flag_seqs: tuple[int, ...] = ()


class HandFacts(msgspec.Struct, frozen=True, omit_defaults=True):
    """A whole hand. ``streak`` counts the dealer's hands in a row from 1; ``wild`` is a tile name.

    ``seq`` is the event that ended the hand.
    """

    dealer: Seat
    result: Result
    streak: int = 1
    wild: TileName | None = None
    wins: tuple[WinFacts, ...] = ()
    table: tuple[Holding, ...] = ()
    seq: int = 0


def seq_of_flag(told: WinFacts | Holding, name: str) -> int:
    """The event behind the flag of this name, whatever its value; 0 where none is known."""
    for flag, seq in zip(told.flags, told.flag_seqs, strict=False):
        if flag.partition(":")[0] == name:
            return seq
    return 0


def names_events(told: WinFacts | Holding) -> bool:
    """Whether a part of it says which event it rests on, as only the engine may."""
    won = isinstance(told, WinFacts) and told.seq > 0
    return won or bool(told.flag_seqs) or any(meld.seq for meld in told.melds)
