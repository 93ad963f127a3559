"""The facts of the moment a recorded win carries (section 15), and which contradict it (QD-132)."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, TypeAlias

from rules_engine.errors import Violation, no
from rules_engine.facts import HandFacts, WinFacts
from rules_engine.tiles import has, parse
from rules_engine.variants.qingdao.melds import FLOWER_PAIRS, GANGS
from rules_engine.variants.qingdao.options import QingdaoOptions

AFTER_HUANG: Final = "after_huang"
HIDDEN: Final = ("an_hua_1", "an_hua_2")
"""The flags of hidden flower pairs, in the order of ``FLOWER_PAIRS``."""
REPLACED: Final = ("gang_kai", "niu_kai", "hua_kai")
"""What the winning draw replaced; at most one."""
DECLARED: Final = ("kou_ting", "ming_lou")
"""What was declared; at most one."""

FlagTest: TypeAlias = Callable[[WinFacts, HandFacts, QingdaoOptions], bool]


@lru_cache(maxsize=1 << 10)
def huang_run(flags: tuple[str, ...]) -> int:
    """How many hands nobody won just before (QD-14), as the flags say; -1 for a bad number."""
    for flag in flags:
        if flag == AFTER_HUANG:
            return 1
        if flag.startswith(f"{AFTER_HUANG}_"):
            number = flag.removeprefix(f"{AFTER_HUANG}_")
            good = number.isascii() and number.isdigit() and len(number) < 7 and number[0] != "0"
            return int(number) if good and int(number) > 1 else -1
    return 0


def huang_flags(run: int) -> tuple[str, ...]:
    """The flag that says so many hands were won by nobody: the inverse of ``huang_run``."""
    if run > 1:
        return (f"{AFTER_HUANG}_{run}",)
    return (AFTER_HUANG,) if run else ()


def huang_factor(run: int, options: QingdaoOptions) -> int:
    """The factor m of QD-118: what the hand and its gangs are multiplied by."""
    if not run:
        return 1
    if not options.huang_cumulative or options.huang_multiplier == 1:
        return options.huang_multiplier
    # A factor of 2 or more reaches any maximum within seven hands.
    factor: int = options.huang_multiplier ** min(run, 7)
    return min(factor, options.huang_max)


def _not_zimo(win: WinFacts, facts: HandFacts, options: QingdaoOptions) -> bool:
    return win.by != "zimo"


def _other(name: str, family: tuple[str, ...]) -> tuple[str, FlagTest]:
    """Flags of one family cannot stand together."""
    others = tuple(flag for flag in family if flag != name)
    return (
        f"it cannot stand beside {' or '.join(others)}",
        lambda win, facts, options: any(flag in win.flags for flag in others),
    )


def _outside_zone(win: WinFacts, facts: HandFacts, options: QingdaoOptions) -> bool:
    return "hai_di" in win.flags and options.hai_di_zone == "draw_only"


def _niu_declared(win: WinFacts, facts: HandFacts, options: QingdaoOptions) -> bool:
    return options.niu_kou_ting == "never" and any(meld.kind == "niu" for meld in win.melds)


def _busy(win: WinFacts, facts: HandFacts, options: QingdaoOptions) -> bool:
    return bool(win.melds or win.flowers)


def _replaced(name: str) -> tuple[tuple[str, FlagTest], ...]:
    """What every win on a replacement tile obeys."""
    return (
        ("it needs a self-drawn win", _not_zimo),
        _other(name, REPLACED),
        ("no replacement is drawn from the last four tiles", _outside_zone),
    )


def _incomplete(pair: int) -> tuple[tuple[str, FlagTest], ...]:
    """A hidden pair is set aside as a whole."""
    return (
        (
            "both flowers of the pair must have been set aside",
            lambda win, facts, options: not has(parse(win.flowers), FLOWER_PAIRS[pair]),
        ),
    )


def _declared(name: str) -> tuple[tuple[str, FlagTest], ...]:
    """What a declaration obeys."""
    return (
        _other(name, DECLARED),
        ("a seat with a niu group declares nothing", _niu_declared),
    )


_BUSY: Final = ("the winner has a meld or a flower set aside", _busy)

IMPOSSIBLE: Final[Mapping[str, tuple[tuple[str, FlagTest], ...]]] = {
    "gang_kai": (
        *_replaced("gang_kai"),
        (
            "it needs an own gang",
            lambda win, facts, options: all(meld.kind not in GANGS for meld in win.melds),
        ),
    ),
    "niu_kai": (
        *_replaced("niu_kai"),
        (
            "it needs an own niu group",
            lambda win, facts, options: all(meld.kind != "niu" for meld in win.melds),
        ),
    ),
    "hua_kai": (
        *_replaced("hua_kai"),
        ("it needs a flower set aside", lambda win, facts, options: not win.flowers),
    ),
    "hai_di": (
        ("it needs a self-drawn win", _not_zimo),
        (
            "the last four tiles are special in quan_dai_jiang only",
            lambda win, facts, options: options.mode != "quan_dai_jiang",
        ),
    ),
    "tian_hu": (
        ("it needs a self-drawn win", _not_zimo),
        (
            "the winner is not the dealer",
            lambda win, facts, options: win.seat != facts.dealer,
        ),
        _BUSY,
    ),
    "di_hu": (
        ("a robbed gang is no first tile", lambda win, facts, options: win.by == "qiang_gang"),
        ("the winner is the dealer", lambda win, facts, options: win.seat == facts.dealer),
        _BUSY,
    ),
    "kou_ting": _declared("kou_ting"),
    "ming_lou": _declared("ming_lou"),
    "an_hua_1": _incomplete(0),
    "an_hua_2": _incomplete(1),
    "guo_hu": (),
    "opening_niu_tile": (),
}
"""By flag, what makes it impossible, in words and as a test (section 15, QD-132)."""


def bad_flags(facts: HandFacts, options: QingdaoOptions) -> Violation | None:
    """QD-132: the first flag that contradicts the facts, or None."""
    for win in facts.wins:
        for flag in win.flags:
            if flag.startswith(AFTER_HUANG):
                continue
            if flag not in IMPOSSIBLE:
                known = [*IMPOSSIBLE, AFTER_HUANG, f"{AFTER_HUANG}_N"]
                return _bad(win, f"there is no flag {flag!r}", known, flag)
            for reason, impossible in IMPOSSIBLE[flag]:
                if impossible(win, facts, options):
                    return _bad(win, f"{flag} is impossible: {reason}", f"no {flag}", flag)
        run = huang_run(win.flags)
        if run < 0 or run != huang_run(facts.wins[0].flags):
            message = "all winners carry the same number of hands that nobody won before"
            expected = list(huang_flags(max(0, huang_run(facts.wins[0].flags))))
            return _bad(win, message, expected, list(win.flags))
    return None


def _bad(win: WinFacts, message: str, expected: object, actual: object) -> Violation:
    """The refusal of a flag."""
    return no("bad_flags", "QD-132", win.seat, f"{message}.", expected, actual)
