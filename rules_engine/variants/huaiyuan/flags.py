"""The facts of the moment a recorded hand carries, and which contradict it (section 15)."""

from collections.abc import Iterator
from typing import Final

from rules_engine.errors import Violation, no
from rules_engine.facts import HandFacts, WinFacts
from rules_engine.tiles import kind_of, kinds_in, parse
from rules_engine.variants.huaiyuan.melds import SPECIAL, added
from rules_engine.variants.huaiyuan.options import HuaiyuanOptions

ABORTED: Final = "aborted"
"""The flag of a seat whose gangs are told of in a hand that was broken off (HY-107)."""
KNOWN: Final = ("ting", "dui_bao", "last_in_gang", "gang_kai", "hai_di", "tian_hu")


def bad_flags(facts: HandFacts, options: HuaiyuanOptions) -> Violation | None:
    """The first flag that does not exist or contradicts the rest, or None."""
    for win in facts.wins:
        for flag, why in _wrong(win, facts, options):
            return _no(win.seat, flag, why)
    for holding in facts.table:
        for flag in holding.flags:
            if flag != ABORTED or facts.wins:
                return _no(holding.seat, flag, "it is no flag of a seat that did not win")
    return None


def _wrong(win: WinFacts, facts: HandFacts, options: HuaiyuanOptions) -> Iterator[tuple[str, str]]:
    """Every flag of a winner that is wrong, and why."""
    for flag in win.flags:
        if flag not in KNOWN or win.flags.count(flag) > 1:
            yield flag, "there is no such flag, or it is given twice"
        if flag not in ("ting", "hai_di") and win.by != "zimo":
            yield flag, "the win was not self-drawn"
    if "dui_bao" in win.flags and (win.tile != facts.wild or "gang_kai" in win.flags):
        yield "dui_bao", "the winning tile is the bao itself, which was not drawn"
    if "tian_hu" in win.flags and (win.seat != facts.dealer or "ting" in win.flags):
        yield "tian_hu", "only the dealer wins before any discard"
    if "gang_kai" in win.flags and not any("gang" in m.kind or "dan" in m.kind for m in win.melds):
        yield "gang_kai", "the winner has no gang"
    if "last_in_gang" in win.flags:
        yield from _wrong_last(win)
        if win.seat != facts.dealer and not options.special_gang_first_draw:
            yield "last_in_gang", "only the dealer's last tile is dealt"


def _wrong_last(win: WinFacts) -> Iterator[tuple[str, str]]:
    """HY-29: only gangs of three tiles lie open, and the tile is the first of the hand."""
    threes = all(
        meld.kind in SPECIAL and meld.kind != "xuanfeng_gang" and not added(meld)
        for meld in win.melds
    )
    if not win.melds or not threes or set(win.flags) - {"last_in_gang", "tian_hu"}:
        yield "last_in_gang", "it needs openings of three tiles and nothing else"
    first = min([kind_of(win.tile), *kinds_in(parse(win.concealed))])
    if kind_of(win.tile) != first:
        yield "last_in_gang", "the tile is then the first one in hand"


def _no(seat: int, flag: str, why: str) -> Violation:
    """The refusal of a flag."""
    rule = "HY-29" if flag == "last_in_gang" else "HY-26"
    return no("bad_flags", rule, seat, f"the flag {flag} cannot be: {why}.", list(KNOWN), flag)
