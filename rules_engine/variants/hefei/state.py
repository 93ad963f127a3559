"""What Hefei mahjong adds to the log and to the table: its own events, and its state of a hand."""

from typing import Literal

import msgspec
from msgspec.structs import replace

from rules_engine.events import Event
from rules_engine.facts import Seat, TileName
from rules_engine.table import SEATS

Cause = Literal["trustee", "offline", "timeout", "left"]


class Ting(Event, frozen=True):
    """报听: the seat declares readiness with the discard that follows, or at the deal without one (HF-30)."""

    seat: Seat
    discard: TileName | None = None


class SeatAuto(Event, frozen=True):
    """托管: a seat is played automatically from now on, or no longer (HF-36)."""

    seat: Seat
    on: bool
    cause: Cause = "trustee"


class Ready(Event, frozen=True):
    """准备: a player is ready for the next hand; ``auto`` when the countdown made them so (HF-9)."""

    seat: Seat
    auto: bool = False


class Dismissed(Event, frozen=True):
    """解散: the administrator dissolves the table; what follows is a new game (HF-13, HF-14)."""


class HefeiTable(msgspec.Struct, frozen=True):
    """State of a hand that only this variant has; seats as bits ``1 << seat``.

    ``zone``: the hai-lao phase is open. ``locked``: may not win on a discard before the own next draw.
    ``auto``: why a seat is played automatically, "" where it is not. ``declared``: has declared ting.
    ``left``: the player has left during the hand. ``causes``: what made each win, "ting", "forced", the cause of an automatic seat, or "player".
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


def changed(auto: tuple[str, str, str, str], seat: int, cause: str) -> tuple[str, str, str, str]:
    """The causes with one seat's replaced."""
    values = [cause if other == seat else auto[other] for other in SEATS]
    return (values[0], values[1], values[2], values[3])


def with_auto(extra: HefeiTable, auto: tuple[str, str, str, str]) -> HefeiTable:
    """The state with these automatic seats."""
    bits = sum(1 << seat for seat in SEATS if auto[seat])
    return replace(extra, auto=auto, automatic=bits)
