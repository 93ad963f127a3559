"""A winner's tiles, whether they win, and what they wait for (RA-40 to RA-46)."""

from typing import Final

from msgspec import Struct

from rules_engine.readings import is_complete
from rules_engine.readings import waits as standard_waits
from rules_engine.shapes import pairs_readings
from rules_engine.table import NOTHING
from rules_engine.tiles import ONE, Tiles, count, size
from rules_engine.variants.ruian.melds import SETS, Melded, flower_kind
from rules_engine.variants.ruian.options import RuianOptions

PAIRS: Final = 8
WHOLE: Final = 17
"""Tiles of a complete hand whose gangs count three."""
ALL_WILDS: Final = 3


class Hand(Struct, frozen=True):
    """A winner's tiles with the winning one: naturals, the number of wilds, melds.

    ``tile`` is the kind won with, ``wild`` and ``flower`` the kinds of this hand (``flower`` may be
    ``NOTHING``), ``own`` the kind of the seat's wind.
    """

    natural: Tiles
    wilds: int
    tile: int
    wild: int
    flower: int
    own: int
    melded: Melded

    @property
    def sets(self) -> int:
        """How many sets the concealed tiles have to make."""
        return SETS - self.melded.size

    @property
    def as_they_are(self) -> Tiles:
        """The concealed tiles with every wild itself."""
        return self.natural + self.wilds * ONE[self.wild]

    @property
    def whole(self) -> bool:
        """Whether it has the number of tiles of a complete hand."""
        return size(self.natural) + self.wilds == 3 * self.sets + 2


def make_hand(
    concealed: Tiles, tile: int, wild: int, own: int, counted: Melded, options: RuianOptions
) -> Hand:
    """The hand of these concealed tiles, the winning one among them."""
    wilds = count(concealed, wild)
    flower = flower_kind(wild, options.flower_when_white_wild)
    return Hand(concealed - wilds * ONE[wild], wilds, tile, wild, flower, own, counted)


def is_win(hand: Hand, options: RuianOptions) -> bool:
    """Whether the hand has a reading (RA-40, RA-44); three wilds laid down bare have none."""
    return is_complete(hand.natural, hand.sets, hand.wilds) or bool(
        options.ying_ba_dui and has_eight_pairs(hand, soft=options.ruan_ba_dui)
    )


def has_eight_pairs(hand: Hand, *, soft: bool) -> bool:
    """Whether the hand is eight pairs and a tile; ``soft``: wilds may complete them (RA-44)."""
    if hand.melded.size:
        return False
    if pairs_readings(hand.as_they_are, PAIRS):
        return True
    return soft and hand.wilds > 0 and bool(pairs_readings(hand.natural, PAIRS, hand.wilds))


def waits(hand: Hand, options: RuianOptions) -> tuple[int, ...]:
    """The kinds, lowest first, that give a hand one tile short (``tile`` unused) a reading."""
    held = hand.as_they_are + hand.melded.tiles
    found = set(standard_waits(hand.natural, hand.sets, hand.wilds))
    for kind in range(34):
        if kind not in found or kind == hand.wild:
            more = make_hand(
                hand.as_they_are + ONE[kind], kind, hand.wild, hand.own, hand.melded, options
            )
            found.discard(kind)
            if is_win(more, options):
                found.add(kind)
    flower = {hand.flower} if hand.flower != NOTHING else set()
    return tuple([kind for kind in sorted(found - flower) if count(held, kind) < 4])
