"""What may be declared a win in the bao game: the tests of JX-77 in their order.

``read_hands`` turns the facts of a result into winners with the reading that counts, or says what
is wrong. Facts that contradict themselves, tiles and melds the game does not have are refused
before.
"""

from functools import lru_cache
from typing import Final

from rules_engine.consistency import contradiction
from rules_engine.errors import Violation, no
from rules_engine.facts import HandFacts, Holding, WinFacts
from rules_engine.tiles import (
    FLOWER_KINDS,
    FLOWERS_MASK,
    KIND,
    NAMES,
    Tiles,
    count,
    kind_of,
    parse,
    write,
)
from rules_engine.variants.jiangxi.flags import (
    impossible_at_the_table,
    impossible_flag,
    read_flags,
    strange_flag,
    told_of,
)
from rules_engine.variants.jiangxi.hands import (
    Hand,
    Read,
    best,
    hand_of,
    is_win,
)
from rules_engine.variants.jiangxi.melds import bad_meld
from rules_engine.variants.jiangxi.options import JiangxiOptions
from rules_engine.variants.jiangxi.state import RULES

CYCLES: Final = {
    "two": ("123456789m", "123456789p", "123456789s", "1234z", "765z"),
    "seven": ("123456789m", "123456789p", "123456789s", "1234765z"),
}
"""The cycles of the indicator by option ``honour_cycle`` (JX-13)."""
INDICATOR_COPIES: Final = 3
"""How many tiles of the indicator's kind are in play (JX-14)."""


@lru_cache(maxsize=2)
def followers(honour_cycle: str) -> dict[int, int]:
    """The kind that is wild, by the kind of the indicator (JX-12, JX-13)."""
    found: dict[int, int] = {}
    for cycle in CYCLES[honour_cycle]:
        kinds = [KIND[rank + cycle[-1]] for rank in cycle[:-1]]
        found |= dict(zip(kinds, [*kinds[1:], kinds[0]], strict=True))
    return found


@lru_cache(maxsize=128)
def indicator_of(wild: int, honour_cycle: str) -> int:
    """The kind of the indicator that makes this kind wild."""
    return next(kind for kind, made in followers(honour_cycle).items() if made == wild)


def read_hands(facts: HandFacts, options: JiangxiOptions) -> tuple[Read, ...] | Violation:
    """The winners in turn order after the giver of the tile, or the first test that fails."""
    found = contradiction(facts, RULES) or _tiles(facts) or _wild(facts)
    if found is not None:
        return found
    assert facts.wild is not None
    wild = KIND[facts.wild]
    found = (
        _melds(facts, wild, options)
        or strange_flag(facts)
        or impossible_at_the_table(facts, options)
        or _copies(facts, wild, options)
        or _robbed(facts)
    )
    if found is not None:
        return found
    read = []
    for win in facts.wins:
        answer = _read(win, facts, wild, options)
        if isinstance(answer, Violation):
            return answer
        read.append(answer)
    if len(read) == 1:
        return (read[0],)
    return _too_many_winners(facts, options) or tuple(sorted(read, key=_turn))


def _turn(read: Read) -> int:
    """How many turns after the giver of the tile the winner sits."""
    assert read.win.from_ is not None, read.win
    return (read.win.seat - read.win.from_) % 4


def _read(win: WinFacts, facts: HandFacts, wild: int, options: JiangxiOptions) -> Read | Violation:
    """One winner and the reading that counts, or the first test of JX-77 that fails."""
    if win.flags:
        refusal = impossible_flag(win, facts, wild, options)
        if refusal is not None:
            return refusal
    hand = hand_of(win, wild)
    if hand.held != hand.needed:
        return _not_a_win(win, hand)
    found = best(hand, win, options)
    if found is None and not is_win(hand, options):
        return _not_a_win(win, hand)
    flags = read_flags(win.flags)
    if win.by == "dianpao" and not flags.di_hu and options.discard_win != "all":
        if options.discard_win == "di_hu_only":
            message = "This club allows no win on a discard but a di_hu."
            return no("discard_win_off", "JX-50", win.seat, message, "zimo", win.by)
        if found is None:
            message = "A hand in which a bao replaces another tile does not win on a discard."
            return no("wild_needs_self_draw", "JX-50", win.seat, message, "zimo", win.by)
    if flags.hu_locked and options.pass_hu_lock:
        message = "The seat let a win go and has not drawn since."
        return no("pass_hu_locked", "JX-52", win.seat, message, "an own draw", "none")
    robbed = flags.robbed or "bu_gang"
    if win.by == "qiang_gang" and options.rob_kinds not in ("all", robbed):
        message = f"This club does not allow robbing a {robbed}."
        return no("rob_not_allowed", "JX-58", win.seat, message, options.rob_kinds, robbed)
    assert found is not None, "only a discard leaves a complete hand without a reading"
    return Read(win, hand, *found)


def _not_a_win(win: WinFacts, hand: Hand) -> Violation:
    """``not_a_win`` of JX-77, with the number of tiles where that is what is wrong."""
    message = f"{win.concealed} and {win.tile} are none of the four winning shapes"
    if hand.held != hand.needed:
        message += f": they are {hand.held} tiles and should be {hand.needed}"
    return no("not_a_win", "JX-77", win.seat, f"{message}.", hand.needed, hand.held)


def _too_many_winners(facts: HandFacts, options: JiangxiOptions) -> Violation | None:
    """The last two tests of JX-77: one discard has one winner, a gang where the club says so."""
    if len(facts.wins) < 2:
        return None
    giver = facts.wins[0].from_
    assert giver is not None
    first, second = sorted((win.seat - giver) % 4 for win in facts.wins)[:2]
    first, second = (giver + first) % 4, (giver + second) % 4
    if facts.wins[0].by == "dianpao":
        message = "One discard has one winner, the first in turn after the discarder."
        return no("one_winner_per_discard", "JX-48", second, message, first, second)
    if options.rob_winners == "first":
        message = "In this club one gang has one winner, the first in turn after its owner."
        return no("one_winner_per_gang", "JX-49", second, message, first, second)
    return None


# --- facts the game does not have -----------------------------------------------------------------


def _tiles(facts: HandFacts) -> Violation | None:
    """JX-10: there are no flowers."""
    for each in told_of(facts):
        flowers = parse(each.concealed) & FLOWERS_MASK
        for meld in each.melds:
            flowers += parse(meld.tiles) & FLOWERS_MASK
        strange = each.flowers or (write(flowers) if flowers else "")
        if isinstance(each, WinFacts) and each.tile[1] == "f":
            strange = each.tile
        if strange:
            message = "This game has no flowers."
            return no("bad_tiles", "JX-10", each.seat, message, "136 tiles", strange)
    return None


def _wild(facts: HandFacts) -> Violation | None:
    """JX-12: every hand has its wild."""
    if facts.wild is not None and KIND[facts.wild] not in FLOWER_KINDS:
        return None
    message = "Name the kind that is bao in this hand."
    return Violation("wild_missing", message, "JX-12", expected="a tile", actual=facts.wild)


def _melds(facts: HandFacts, wild: int, options: JiangxiOptions) -> Violation | None:
    """The first meld that cannot be."""
    for each in told_of(facts):
        if each.melds:
            found = bad_meld(each.seat, each.melds, wild, options)
            if found is not None:
                return found
    return None


def _bag(each: WinFacts | Holding) -> Tiles:
    """The tiles a seat shows, a tile won with left out."""
    tiles = parse(each.concealed)
    for meld in each.melds:
        tiles += parse(meld.tiles)
    return tiles


def _copies(facts: HandFacts, wild: int, options: JiangxiOptions) -> Violation | None:
    """JX-14: the indicator lies face up, so only three tiles of its kind are in play."""
    kind = indicator_of(wild, options.honour_cycle)
    seen = sum([count(_bag(each), kind) for each in told_of(facts)])
    robbed = False
    if facts.wins and kind_of(facts.wins[0].tile) == kind:
        robbed = facts.wins[0].by == "qiang_gang"
        seen += not robbed
    if seen <= INDICATOR_COPIES and not robbed:
        return None
    return Violation(
        "too_many_tiles",
        f"The indicator is a {NAMES[kind]}, so only three more can be in play.",
        "JX-14",
        expected=INDICATOR_COPIES,
        actual=4,
    )


def _robbed(facts: HandFacts) -> Violation | None:
    """JX-58, JX-91: the owner of a robbed gang had all four tiles, and the gang does not stand."""
    if not facts.wins or facts.wins[0].by != "qiang_gang":
        return None
    kind, owner = kind_of(facts.wins[0].tile), facts.wins[0].from_
    for each in told_of(facts):
        if each.seat != owner:
            if count(_bag(each), kind):
                message = f"All four {NAMES[kind]} belong to the gang that is robbed."
                return no("too_many_tiles", "JX-58", each.seat, message, 0, NAMES[kind])
            continue
        for meld in each.melds:
            if count(parse(meld.tiles), kind) == 4:
                message = "A robbed gang does not stand; what is left of it is a peng or nothing."
                return no("bad_meld", "JX-91", each.seat, message, "peng", meld.kind)
    return None
