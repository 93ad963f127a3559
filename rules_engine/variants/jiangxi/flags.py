"""The flags of a recorded hand: facts of the moment (section 15), and which cannot be (JX-150)."""

import re
from functools import lru_cache
from typing import Final

from msgspec import Struct

from rules_engine.errors import Violation, no
from rules_engine.facts import HandFacts, Holding, WinFacts
from rules_engine.table import NOTHING
from rules_engine.tiles import KIND, count, parse
from rules_engine.variants.jiangxi.melds import GANGS
from rules_engine.variants.jiangxi.options import JiangxiOptions

SIMPLE: Final = ("tian_hu", "di_hu", "gang_kai", "tou_ji", "hu_locked", "si_bao")
_VALUED: Final = re.compile(r"fei_bao:([1-4])|rob:(an_gang|bu_gang|ming_gang)|jie_bao:([0-3])")
KNOWN: Final = (*SIMPLE, "fei_bao:1…4", "rob:an_gang|bu_gang|ming_gang", "jie_bao:0…3")
OF_LOSERS: Final = ("si_bao", "jie_bao")
"""The flags that a seat which did not win can carry."""
WILD_COPIES: Final = 4


class Flags(Struct, frozen=True):
    """A seat's flags taken apart.

    ``flown``: wilds it discarded; ``robbed``: the kind of the gang it robbed; ``caught_from``: the
    seat whose wild it caught, or ``NOTHING``; ``strange``: a flag that is none, or stands twice.
    """

    tian_hu: bool
    di_hu: bool
    gang_kai: bool
    tou_ji: bool
    hu_locked: bool
    si_bao: bool
    flown: int = 0
    robbed: str = ""
    caught_from: int = NOTHING
    strange: str = ""


@lru_cache(maxsize=1 << 10)
def read_flags(flags: tuple[str, ...]) -> Flags:
    """The flags as values."""
    flown, robbed, caught_from, strange = 0, "", NOTHING, ""
    seen: set[str] = set()
    for flag in flags:
        name = flag.partition(":")[0]
        match = _VALUED.fullmatch(flag)
        if name in seen or (flag not in SIMPLE and not match):
            strange = strange or flag
        elif match and match[1]:
            flown = int(match[1])
        elif match and match[2]:
            robbed = match[2]
        elif match:
            caught_from = int(match[3])
        seen.add(name)
    return Flags(
        tian_hu="tian_hu" in flags,
        di_hu="di_hu" in flags,
        gang_kai="gang_kai" in flags,
        tou_ji="tou_ji" in flags,
        hu_locked="hu_locked" in flags,
        si_bao="si_bao" in flags,
        flown=flown,
        robbed=robbed,
        caught_from=caught_from,
        strange=strange,
    )


def told_of(facts: HandFacts) -> tuple[WinFacts | Holding, ...]:
    """Every seat the facts tell of, the winners first."""
    return (*facts.wins, *facts.table)


def strange_flag(facts: HandFacts) -> Violation | None:
    """The first flag that the game does not have, or not for a seat that did not win."""
    for each in told_of(facts):
        if not each.flags:
            continue
        strange = read_flags(each.flags).strange
        if strange:
            return _no("unknown_flag", each.seat, f"There is no flag {strange!r} here.", strange)
        if isinstance(each, Holding):
            for flag in each.flags:
                if flag.partition(":")[0] not in OF_LOSERS:
                    return _no("unknown_flag", each.seat, f"Only a winner has {flag}.", flag)
    return None


def impossible_at_the_table(facts: HandFacts, options: JiangxiOptions) -> Violation | None:
    """Flags about the four wilds that contradict each other or the options (JX-56, JX-57)."""
    holders = []
    for each in told_of(facts):
        if not each.flags:
            continue
        flags = read_flags(each.flags)
        if flags.caught_from == each.seat:
            return _impossible(each.seat, "jie_bao", "a bao is caught from another seat")
        if flags.caught_from != NOTHING and not options.jie_bao:
            return _impossible(each.seat, "jie_bao", "this club has no jie_bao")
        holders += [each.seat] * (flags.si_bao + (flags.caught_from != NOTHING))
    if len(holders) > 1:
        reason = "there are four bao, so one of si_bao and jie_bao can be, once in a hand"
        return _impossible(holders[1], "si_bao or jie_bao", reason)
    return None


def impossible_flag(
    win: WinFacts, facts: HandFacts, wild: int, options: JiangxiOptions
) -> Violation | None:
    """JX-150: the first flag of a winner that the hand refutes, or None."""
    flags = read_flags(win.flags)
    reason = (
        _first_turn(win, facts, flags)
        or _of_winning(win, flags)
        or _of_wilds(win, flags, wild, options)
    )
    return _impossible(win.seat, *reason) if reason else None


def _first_turn(win: WinFacts, facts: HandFacts, flags: Flags) -> tuple[str, str] | None:
    """What contradicts a tian_hu or a di_hu: the flag and the reason."""
    if not (flags.tian_hu or flags.di_hu):
        return None
    name = "tian_hu" if flags.tian_hu else "di_hu"
    if flags.tian_hu and (win.by != "zimo" or win.seat != facts.dealer):
        return name, "the dealer wins with the tiles dealt"
    if flags.di_hu and (win.by != "dianpao" or win.from_ != facts.dealer):
        return name, "it is won on the dealer's first discard"
    if win.melds:
        return name, "the winner has melds"
    if flags.flown or flags.tou_ji or flags.gang_kai:
        return name, "nothing can have come before it"
    return None


def _of_winning(win: WinFacts, flags: Flags) -> tuple[str, str] | None:
    """What contradicts the way of winning."""
    if flags.gang_kai and win.by != "zimo":
        return "gang_kai", "it is an own draw"
    if flags.gang_kai and all(meld.kind not in GANGS for meld in win.melds):
        return "gang_kai", "the winner has no gang"
    if flags.robbed and win.by != "qiang_gang":
        return "rob", "the win is not on a gang"
    if flags.hu_locked and win.by == "zimo":
        return "hu_locked", "an own draw is never locked"
    return None


def _of_wilds(
    win: WinFacts, flags: Flags, wild: int, options: JiangxiOptions
) -> tuple[str, str] | None:
    """What contradicts the number of wilds."""
    owned = flags.flown + count(parse(win.concealed), wild)
    owned += sum([count(parse(meld.tiles), wild) for meld in win.melds])
    owned += win.by == "zimo" and KIND[win.tile] == wild
    if owned > WILD_COPIES:
        return "fei_bao", f"with those in hand it makes {owned} bao, and there are four"
    if flags.si_bao and owned != WILD_COPIES and not options.claim_wild:
        return "si_bao", f"the hand shows {owned} bao"
    return None


def _impossible(seat: int, flag: str, reason: str) -> Violation:
    """The refusal of a flag that contradicts the hand."""
    message = f"the flag {flag} is impossible: {reason}."
    return no("flag_impossible", "JX-150", seat, message, f"no {flag}", flag)


def _no(code: str, seat: int, message: str, actual: str) -> Violation:
    """The refusal of a flag the game does not have."""
    return no(code, "JX-150", seat, message, list(KNOWN), actual)
