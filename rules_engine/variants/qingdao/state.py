"""What Qingdao mahjong adds to the log and to the table: its events, and its state of a hand."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias

import msgspec

from rules_engine import events
from rules_engine.events import Event, Secret
from rules_engine.facts import Seat, TileName, TileText
from rules_engine.table import NOTHING, Sign
from rules_engine.variants.qingdao.melds import Group

Cause: TypeAlias = Literal["turn", "gang", "niu", "flower", "hai_di"]
"""Why a tile is drawn: in turn, to replace a gang's, a niu's or a flower, or in the hai di zone."""
Lou: TypeAlias = Literal["kou_ting", "ming_lou"]
Die: TypeAlias = Annotated[int, msgspec.Meta(ge=1, le=6)]
Index: TypeAlias = Annotated[int, msgspec.Meta(ge=0, le=200)]


class HandStarted(events.HandStarted, frozen=True):
    """A deal. With hun, the die, the place in the wall it leads to, the indicator there (QD-8)."""

    hun_die: Die | None = None
    hun_index: Index | None = None


class Draw(events.Draw, frozen=True):
    """A draw; ``cause`` may be left out, since the table gives it, and is checked if given."""

    cause: Cause | None = None


class Gang(events.Gang, frozen=True):
    """A gang. Which tiles a concealed one is made of, the other seats do not see (QD-35)."""

    def take_secrets(self, body: dict[str, Any]) -> dict[str, Secret]:
        """The kind of an an_gang is the seat's own until the hand ends."""
        if self.kind == "an_gang":
            return {"tile": Secret(self.seat, body.pop("tile"))}
        return {}


class Ting(Event, frozen=True):
    """扣听 or 明楼: a declaration; the seat's discard is the next event (QD-57)."""

    seat: Seat
    kind: Lou


class Niu(Event, frozen=True):
    """扭牌: a group is laid. ``stands`` are the kinds hun tiles stand for (QD-39 to QD-43)."""

    seat: Seat
    group: Group
    tiles: TileText
    stands: tuple[TileName, ...] = ()


class NiuExchange(Event, frozen=True):
    """扭牌调牌: a tile of a laid group is discarded for a replacement (QD-46)."""

    seat: Seat
    tile: TileName
    drawn: bool


class Flower(Event, frozen=True):
    """花牌扭牌: flowers are set aside in one act; a replacement for each follows (QD-51)."""

    seat: Seat
    tiles: TileText


class QingdaoTable(msgspec.Struct, frozen=True):
    """State of a hand that only this variant has: seats as bits ``1 << seat``, flowers as bits.

    ``opening``: the dealer has not yet discarded, exchanged or made a gang. ``closed``: may lay
    no niu any more. ``touched``: has done more than draw. ``turned``: is past its opening, for
    hidden flowers. ``claimed``: the turn began with a claim. ``niu_turn``: the seat in turn has
    laid or exchanged. ``exchange``: the tile on offer is one exchanged. ``cause``: of the draw
    the seat in turn has just made, "" for none. ``due_seat``, ``due_cause``, ``due_count``:
    replacements still to be drawn. ``late``: the last draw was one of the last four tiles.
    ``zone``: seats only draw. ``tail``: tiles left in the dragon tail. ``declaring``: a
    declaration waits for its discard. ``lou``: what each seat has declared. ``early``,
    ``hidden``: flowers set aside early, pairs set aside hidden. ``no_peng``, ``no_hu``: the kinds
    each seat is barred from.
    """

    huang_run: int = 0
    opening: bool = True
    closed: int = 0
    touched: int = 0
    turned: int = 0
    claimed: bool = False
    niu_turn: bool = False
    exchange: bool = False
    cause: Literal["", "turn", "gang", "niu", "flower", "hai_di"] = ""
    due_seat: int = NOTHING
    due_cause: Cause = "niu"
    due_count: int = 0
    late: bool = False
    zone: bool = False
    tail: int = 0
    declaring: bool = False
    lou: tuple[str, str, str, str] = ("", "", "", "")
    early: tuple[int, int, int, int] = (0, 0, 0, 0)
    hidden: tuple[int, int, int, int] = (0, 0, 0, 0)
    no_peng: tuple[str, str, str, str] = ("", "", "", "")
    no_hu: tuple[str, str, str, str] = ("", "", "", "")


class QingdaoMemory(msgspec.Struct, frozen=True):
    """What outlasts a hand: how many hands in a row nobody has won (QD-14)."""

    huang_run: int = 0


RULES: Mapping[str, str] = {
    "bad_dice": "QD-16",
    "bad_hun": "QD-8",
    "bad_meld": "QD-25",
    "bad_niu": "QD-40",
    "bad_tiles": "QD-4",
    "bare_hun": "QD-66",
    "chi_max": "QD-25",
    "claim_forbidden": "QD-25",
    "drawn_mismatch": "QD-19",
    "flower_in_hand": "QD-55",
    "gang_after_claim": "QD-19",
    "gang_needs_four": "QD-35",
    "gang_needs_peng": "QD-36",
    "guo_hu": "QD-33",
    "guo_peng": "QD-32",
    "hand_not_over": "QD-22",
    "hand_over": "QD-1",
    "hun_claim": "QD-27",
    "hun_discard": "QD-65",
    "hun_exchange": "QD-46",
    "min_points": "QD-68",
    "niu_closed": "QD-43",
    "niu_forbidden": "QD-39",
    "niu_ting": "QD-50",
    "no_discard_in_zone": "QD-23",
    "no_draw_due": "QD-19",
    "no_such_win": "QD-28",
    "no_tile": "QD-21",
    "not_drawn": "QD-46",
    "not_laid": "QD-46",
    "not_nearest": "QD-28",
    "not_robbable": "QD-38",
    "not_your_turn": "QD-19",
    "nothing_to_pass": "QD-30",
    "player_twice": "QD-1",
    "replacement_due": "QD-20",
    "shape": "QD-60",
    "tile_not_held": "QD-19",
    "ting_already_declared": "QD-57",
    "ting_forbidden": "QD-56",
    "ting_locked": "QD-58",
    "ting_not_ready": "QD-57",
    "too_many_tiles": "QD-4",
    "wall_differs": "QD-6",
    "wild_forbidden": "QD-8",
    "wrong_cause": "QD-20",
    "wrong_deal": "QD-17",
    "wrong_dealer": "QD-12",
    "wrong_huang_run": "QD-132",
    "wrong_roster": "QD-15",
    "wrong_source": "QD-20",
    "wrong_streak": "QD-13",
    "wrong_tile": "QD-26",
    "zimo_only": "QD-29",
}
"""Refusal code to the id of the rule it rests on."""


SENTENCES: Final[Mapping[str, tuple[str, str]]] = {
    "ting.kind=kou_ting": ("{seat} 扣听", "{seat} declares ting, hand closed"),
    "ting.kind=ming_lou": ("{seat} 明楼", "{seat} declares ting, hand shown"),
    "niu": ("{seat} 扭牌 {tiles}", "{seat} lays niu {tiles}"),
    "niu_exchange": ("{seat} 扭牌调出 {tile}", "{seat} exchanges {tile} of a niu"),
    "flower": ("{seat} 补花 {tiles}", "{seat} sets aside {tiles}"),
}
"""The own events in words (``rules_engine.sentences``)."""


def signs(extra: QingdaoTable) -> tuple[Sign, ...]:
    """What of the state is to be seen on the table."""
    names = {"kou_ting": ("扣听", "ting, closed"), "ming_lou": ("明楼", "ting, shown")}
    found = [Sign(*names[lou], seat=seat) for seat, lou in enumerate(extra.lou) if lou]
    if extra.zone:
        found.append(Sign("海底", "hai di"))
    return tuple(found)
