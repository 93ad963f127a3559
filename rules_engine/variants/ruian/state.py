"""What Rui'an mahjong adds to the log and to the table: its events, and its state of a hand."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeAlias

import msgspec

from rules_engine import events
from rules_engine.events import Event
from rules_engine.facts import Seat, TileName
from rules_engine.table import NOTHING, Sign
from rules_engine.tiles import NAMES

Die: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=6)]
FourDice: TypeAlias = tuple[Die, Die, Die, Die]


class SeatsDrawn(Event, frozen=True):
    """校位, 定庄: how the seats and the first dealer were drawn (RA-11, RA-12).

    ``assumed_east`` throws the four ``dice``: two for who takes the first tile, two for the true
    East. ``lots`` are the tiles drawn by the players of seats 0 to 3, then the substitute's.
    """

    assumed_east: Seat
    dice: FourDice
    lots: Annotated[tuple[TileName, ...], msgspec.Meta(min_length=4, max_length=5)]
    true_east: Seat


class Flower(Event, frozen=True):
    """补花: a flower is set aside face up; its replacement is drawn next (RA-19, RA-21)."""

    seat: Seat
    tile: TileName


class HandEnded(events.HandEnded, frozen=True):
    """The end of a hand. ``cause`` may be left out, since the table gives it; checked if given."""

    cause: Literal["exhausted", "four_same_winds", "four_gangs", "triple_hu"] | None = None


class RuianTable(msgspec.Struct, frozen=True, gc=False):
    """State of a hand that only this variant has.

    ``flower`` is the kind set aside, or ``NOTHING``. ``opening``: flowers of the deal are still
    being replaced. ``flower_due``: the seat that has to set one aside now. ``replacing``: the
    replacement due is a flower's. ``replaced`` counts replacements, ``gangs`` gangs. ``kai``,
    ``he_di``: the tile in hand is a gang's replacement, or the he-di tile. ``left``: hai-di tiles
    still to be dealt, ``NOTHING`` before that. ``barred``: the kinds each seat may not peng.
    """

    flower: int = NOTHING
    opening: bool = True
    flower_due: int = NOTHING
    replacing: bool = False
    replaced: int = 0
    gangs: int = 0
    kai: bool = False
    he_di: bool = False
    left: int = NOTHING
    barred: tuple[str, str, str, str] = ("", "", "", "")

    @property
    def dealing_last(self) -> bool:
        """Whether the hai-di tiles are being dealt (RA-26)."""
        return self.left != NOTHING


class RuianMemory(msgspec.Struct, frozen=True):
    """What outlasts a hand.

    ``begun``: a hand has been recorded. ``drawn``: the seats have been drawn. ``leaving``: the
    seat whose player makes room for the substitute, or ``NOTHING`` (RA-16).
    """

    begun: bool = False
    drawn: bool = False
    leaving: int = NOTHING


RULES: Final[Mapping[str, str]] = {
    "bad_dice": "RA-7",
    "bad_indicator": "RA-8",
    "bad_lots": "RA-11",
    "bad_meld": "RA-40",
    "bad_tiles": "RA-4",
    "claim_forbidden": "RA-20",
    "commitment_broken": "RA-10",
    "drawn_mismatch": "RA-20",
    "event_out_of_place": "RA-20",
    "flower_due": "RA-19",
    "flower_in_hand": "RA-41",
    "gang_after_claim": "RA-20",
    "gang_needs_four": "RA-37",
    "gang_needs_peng": "RA-38",
    "guo_peng": "RA-35",
    "hand_not_over": "RA-50",
    "hand_over": "RA-34",
    "must_hu": "RA-36",
    "no_discard_in_hai_di": "RA-26",
    "no_draw_due": "RA-20",
    "no_flower": "RA-5",
    "no_gang_in_hai_di": "RA-27",
    "no_replacement_tile": "RA-22",
    "no_such_win": "RA-47",
    "no_ting": "RA-3",
    "not_your_turn": "RA-20",
    "nothing_to_pass": "RA-33",
    "only_wilds_left": "RA-36",
    "player_twice": "RA-2",
    "replacement_due": "RA-20",
    "rob_only_bu_gang": "RA-32",
    "seats_drawn_late": "RA-11",
    "substitute_due": "RA-16",
    "tile_not_held": "RA-20",
    "too_many_tiles": "RA-4",
    "wall_differs": "RA-10",
    "wild_discarded": "RA-42",
    "wild_in_meld": "RA-42",
    "wrong_cause": "RA-52",
    "wrong_deal": "RA-18",
    "wrong_dealer": "RA-14",
    "wrong_roster": "RA-2",
    "wrong_source": "RA-22",
    "wrong_streak": "RA-15",
    "wrong_substitute": "RA-16",
    "wrong_tile": "RA-33",
    "wrong_true_east": "RA-12",
}
"""Refusal code to the id of the rule it rests on."""


SENTENCES: Final[Mapping[str, tuple[str, str]]] = {
    "seats_drawn": ("校位定庄，{true_east:seat} 为东", "Seats are drawn: {true_east:seat} is East"),
    "flower": ("{seat} 补花 {tile}", "{seat} sets aside {tile}"),
}
"""The own events in words (``rules_engine.sentences``)."""


def signs(extra: RuianTable) -> tuple[Sign, ...]:
    """What of the state is to be seen on the table."""
    found = [] if extra.flower == NOTHING else [Sign("花", "flower", tile=NAMES[extra.flower])]
    if extra.dealing_last:
        found.append(Sign("海底", "hai di"))
    return tuple(found)
