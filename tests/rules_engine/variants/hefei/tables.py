"""Hands and tables that the tests of Hefei play begin from."""

from typing import Any

from tests.rules_engine.log import Log

DEALER = "55m2345678p24578s"
READY = "2346788m345p345s"
"""Waits for 5m and 8m, with nine tiles of m then."""
WORKED = ("2345678m5555p333s", "2235m2336p24688s", "3567m46778p5677s", "5m2446788p24567s")


def bao_ting(**options: Any) -> Log:
    """A bao-ting room."""
    return Log(room="bao_ting", **options)


def ready_dealer(**options: Any) -> Log:
    """Seat 0 can declare with the discard of 2s: it then waits for 5m and 8m."""
    log = bao_ting(**options)
    return log.deal({0: "2346788m345p2345s"}, last="2s", keep="58m66677p")


def flags_of(log: Log) -> tuple[str, ...]:
    """The flags of the only win."""
    return log.table.wins[0].flags


def zone(*, keep: str = "5m258p", spare: str = "5m258p", **options: Any) -> Log:
    """Seat 3 is ready and four tiles are left; seat 0 draws the first of them."""
    log = Log(**options).deal({0: DEALER, 3: READY}, last="8s", keep=keep).play("0-2s")
    return log.draw_out(4, spare=spare)
