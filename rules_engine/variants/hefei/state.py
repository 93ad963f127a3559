"""What Hefei mahjong adds to the log and to the table: its own events, and its state of a hand."""

from collections.abc import Mapping
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from rules_engine.events import Event
from rules_engine.facts import Seat, TileName
from rules_engine.table import SEATS, Sign

Cause = Literal["trustee", "offline", "timeout", "left"]


RULES: Final[Mapping[str, str]] = {
    "bad_dice": "HF-8",
    "bad_tiles": "HF-4",
    "claim_forbidden": "HF-22",
    "commitment_broken": "HF-6",
    "dianpao_disabled": "HF-40",
    "drawn_mismatch": "HF-17",
    "gang_breaks_ting": "HF-32",
    "gang_needs_four": "HF-26",
    "gang_wall_too_short": "HF-26",
    "hand_not_over": "HF-43",
    "hand_over": "HF-23",
    "must_hu": "HF-24",
    "no_discard_in_zone": "HF-20",
    "no_draw_due": "HF-17",
    "no_such_win": "HF-40",
    "not_winning_shape": "HF-37",
    "not_your_turn": "HF-17",
    "nothing_to_pass": "HF-24",
    "pass_locked": "HF-24",
    "player_twice": "HF-9",
    "qiang_gang_forbidden": "HF-25",
    "replacement_due": "HF-18",
    "suit_below_min": "HF-39",
    "tile_not_held": "HF-17",
    "ting_already_declared": "HF-31",
    "ting_locked_discard": "HF-31",
    "ting_not_in_plain_room": "HF-30",
    "ting_not_ready": "HF-29",
    "ting_required": "HF-34",
    "too_many_tiles": "HF-4",
    "wall_differs": "HF-6",
    "wild_forbidden": "HF-5",
    "wrong_deal": "HF-16",
    "wrong_dealer": "HF-11",
    "wrong_roster": "HF-9",
    "wrong_source": "HF-18",
    "wrong_streak": "HF-12",
}
"""Why an event of a hand is refused: the code, and the rule it rests on."""


SENTENCES: Final[Mapping[str, tuple[str, str]]] = {
    "ting": ("{seat} 报听", "{seat} declares ting"),
    "ready": ("{seat} 准备", "{seat} is ready"),
    "dismissed": ("房主解散牌桌", "The table is dissolved"),
    "seat_auto": ("{seat} 取消托管", "{seat} plays again"),
    "seat_auto.on": ("{seat} 托管", "{seat} is played automatically"),
}
"""The own events in words (``rules_engine.sentences``)."""


class Ting(Event, frozen=True):
    """报听: the seat declares itself ready with the next discard, or at the deal (HF-30)."""

    seat: Seat
    discard: TileName | None = None


class SeatAuto(Event, frozen=True):
    """托管: a seat is played automatically from now on, or no longer (HF-36)."""

    seat: Seat
    on: bool
    cause: Cause = "trustee"


class Ready(Event, frozen=True):
    """准备: a player is ready for the next hand; ``auto`` if made so by the countdown (HF-9)."""

    seat: Seat
    auto: bool = False


class Dismissed(Event, frozen=True):
    """解散: the administrator dissolves the table; what follows is a new game (HF-13, HF-14)."""


class HefeiTable(msgspec.Struct, frozen=True):
    """State of a hand that only this variant has; seats as bits ``1 << seat``.

    ``zone``: the hai-lao phase is open. ``locked``: may not win on a discard before the own next
    draw. ``auto``: why a seat is played automatically, "" where it is not. ``declared``: has
    declared ting. ``left``: the player has left during the hand. ``causes``: what made each win,
    "ting", "forced", the cause of an automatic seat, or "player".
    """

    zone: bool = False
    locked: int = 0
    auto: tuple[str, str, str, str] = ("", "", "", "")
    automatic: int = 0
    declared: int = 0
    left: int = 0
    causes: tuple[tuple[int, str], ...] = ()


class HefeiMemory(msgspec.Struct, frozen=True):
    """What outlasts a hand: automatic seats, and the hands settled since the game last began anew.

    ``left`` tells, while a hand ends, that a player has left during it.
    """

    auto: tuple[str, str, str, str] = ("", "", "", "")
    settled: int = 0
    left: bool = False


def with_auto(extra: HefeiTable, auto: tuple[str, str, str, str]) -> HefeiTable:
    """The state with these automatic seats."""
    bits = sum(1 << seat for seat in SEATS if auto[seat])
    return replace(extra, auto=auto, automatic=bits)


def signs(extra: HefeiTable) -> tuple[Sign, ...]:
    """What of the state is to be seen on the table."""
    found = [Sign("托管", "automatic", seat=seat) for seat in SEATS if extra.automatic >> seat & 1]
    if extra.zone:
        found.append(Sign("海捞", "hai lao"))
    return tuple(found)
