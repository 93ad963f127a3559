"""The facts of the moment a recorded hand carries (section 15), and which contradict it."""

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from rules_engine.errors import Violation, no
from rules_engine.facts import HandFacts, WinFacts
from rules_engine.variants.ruian.melds import GANGS
from rules_engine.variants.ruian.options import RuianOptions

FlagTest: TypeAlias = Callable[[WinFacts, int, RuianOptions], bool]
"""Whether the flag is impossible for this win under this dealer."""

FOUR_SAME_WINDS: Final = "four_same_winds"
FOUR_GANGS: Final = "four_gangs"
TRIPLE_HU: Final = "triple_hu"
CAUSES: Final[Mapping[str, str]] = {
    FOUR_SAME_WINDS: "four_same_winds_draw",
    FOUR_GANGS: "four_gangs_draw",
    TRIPLE_HU: "triple_hu_draw",
}
"""What can end a hand early as a draw (RA-52), a flag of every seat then, by its option."""
ONE_OF: Final = ("tian_hu", "di_hu", "hai_di", "he_di", "last_discard")
"""Of these a win carries at most one."""


def _not(by: str) -> tuple[str, FlagTest]:
    """A flag of one way to win only."""
    return f"it needs a win by {by}", lambda win, dealer, options: win.by != by


def _has_melds(win: WinFacts, dealer: int, options: RuianOptions) -> bool:
    """RA-69: own melds end a heavenly hand, concealed gangs by option only."""
    kept = "an_gang" if options.tian_hu_after_gang else ""
    return any(meld.kind != kept for meld in win.melds)


IMPOSSIBLE: Final[Mapping[str, tuple[tuple[str, FlagTest], ...]]] = {
    "tian_hu": (
        _not("zimo"),
        ("the winner is not the dealer", lambda win, dealer, options: win.seat != dealer),
        ("the winner has made a meld", _has_melds),
    ),
    "di_hu": (
        _not("dianpao"),
        ("the tile is not the dealer's", lambda win, dealer, options: win.from_ != dealer),
        ("the winner has made a meld", lambda win, dealer, options: bool(win.melds)),
    ),
    "gang_kai": (
        _not("zimo"),
        (
            "the winner has made no gang",
            lambda win, dealer, options: all(meld.kind not in GANGS for meld in win.melds),
        ),
        (
            "the last tiles replace nothing",
            lambda win, dealer, options: "hai_di" in win.flags or "he_di" in win.flags,
        ),
    ),
    "hai_di": (_not("zimo"),),
    "he_di": (_not("zimo"),),
    "last_discard": (_not("dianpao"),),
}
"""By flag, what makes it impossible, in words and as a test."""


def bad_flags(win: WinFacts, dealer: int, options: RuianOptions) -> Violation | None:
    """The first flag of a winner that contradicts its hand, or None."""
    for flag in win.flags:
        if flag not in IMPOSSIBLE:
            message = f"there is no flag {flag!r}"
            return bad_flag(win.seat, message, list(IMPOSSIBLE), flag)
        for reason, impossible in IMPOSSIBLE[flag]:
            if impossible(win, dealer, options):
                message = f"{flag} is impossible: {reason}"
                return bad_flag(win.seat, message, f"no {flag}", flag)
    moments = [flag for flag in win.flags if flag in ONE_OF]
    if len(moments) > 1 or len(set(win.flags)) < len(win.flags):
        message = "a win has at most one of these flags"
        return bad_flag(win.seat, message, list(ONE_OF), list(win.flags))
    return None


def bad_causes(facts: HandFacts, options: RuianOptions) -> Violation | None:
    """The first flag of a seat that did not win that cannot be, or None.

    Such a flag says what ended the hand early (RA-52), so the hand is a draw and the club has it.
    """
    for holding in facts.table:
        for flag in holding.flags:
            option = CAUSES.get(flag)
            if option is None or facts.wins or not getattr(options, option):
                message = f"{flag!r} cannot have ended this hand"
                allowed = (
                    [] if facts.wins else [n for n, o in CAUSES.items() if getattr(options, o)]
                )
                return bad_flag(holding.seat, message, allowed, flag)
    return None


def cause_of(facts: HandFacts) -> str:
    """What ended a hand early as a draw, "" for nothing."""
    return next((flag for holding in facts.table for flag in holding.flags), "")


def bad_flag(seat: int, message: str, expected: object, actual: object) -> Violation:
    """The refusal of a flag."""
    return no("bad_flag", "RA-49", seat, f"{message}.", expected, actual)
