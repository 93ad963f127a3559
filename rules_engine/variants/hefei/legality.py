"""What may be declared a win in Hefei mahjong: shapes, the suit condition and the tests of HF-41.

``read_hands`` turns the facts of a result into hands known to be good, or says what is wrong.
``winning_shape`` and ``waits`` answer the same questions while a hand is played, without readings.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, TypeAlias

from msgspec import Struct

from rules_engine.consistency import contradiction
from rules_engine.errors import Violation, no
from rules_engine.facts import HandFacts, Meld, WinFacts
from rules_engine.readings import Reading, is_complete, standard_readings
from rules_engine.readings import waits as standard_waits
from rules_engine.shapes import PairsReading, pairs_readings, suit_sizes
from rules_engine.tiles import (
    KIND,
    ONE,
    SUITED_KINDS,
    Tiles,
    full_set,
    kind_of,
    parse,
    rank_of,
    size,
    write,
)
from rules_engine.variants.hefei.options import HefeiOptions
from rules_engine.variants.hefei.state import RULES

ALL_KINDS: Final = tuple(kind for kind in range(SUITED_KINDS) if 2 <= rank_of(kind) <= 8)
"""The 21 kinds of the game (HF-4)."""
ALL_TILES: Final[Tiles] = full_set(ALL_KINDS)
"""The 84 tiles of the game."""
_OUTSIDE: Final = ~sum(ONE[kind] * 15 for kind in ALL_KINDS)
_PAIRS: Final = 7


class Hand(Struct, frozen=True):
    """A winner's tiles, known to be a legal winning hand: ``win`` is what was recorded of it.

    ``before`` is the concealed hand without the winning tile of kind ``tile``, ``gangs`` the
    kinds of the concealed gangs, ``suits`` the tiles owned of m, p and s, four a gang.
    ``readings`` are those of the standard shape (HF-37), ``pairs`` the one of seven pairs (HF-38),
    where it has them.
    """

    win: WinFacts
    before: Tiles
    tile: int
    gangs: tuple[int, ...]
    owned: Tiles
    suits: tuple[int, ...]
    readings: tuple[Reading, ...]
    pairs: PairsReading | None


def seven_pairs(
    concealed: Tiles, gangs: int, *, allowed: bool, wilds: int = 0
) -> PairsReading | None:
    """The reading as seven pairs 七对, four of a kind being two of them (HF-38), or None."""
    if gangs or not allowed or size(concealed) + wilds != 2 * _PAIRS:
        return None
    return next(iter(pairs_readings(concealed, _PAIRS, wilds)), None)


def winning_shape(concealed: Tiles, gangs: int, owned: Tiles, options: HefeiOptions) -> bool:
    """Whether a hand may win: its shape (HF-37, HF-38) and the suit condition (HF-39).

    ``concealed`` holds the winning tile, ``gangs`` is the number of melds, ``owned`` all tiles of
    the winner, four a gang.
    """
    return max(suit_sizes(owned)) >= options.min_suit and (
        is_complete(concealed, 4 - gangs)
        or seven_pairs(concealed, gangs, allowed=options.allow_qi_dui) is not None
    )


def waits(concealed: Tiles, gangs: tuple[int, ...], options: HefeiOptions) -> tuple[int, ...]:
    """The kinds a hand waits for (HF-29), lowest first; ready means there is one.

    ``concealed`` is the hand without its last tile, ``gangs`` the kinds of its gangs. A kind of
    which the hand itself has all four copies is no wait.
    """
    return _waits(concealed, gangs, min_suit=options.min_suit, allowed=options.allow_qi_dui)


@lru_cache(maxsize=1 << 14)
def _waits(
    concealed: Tiles, gangs: tuple[int, ...], *, min_suit: int, allowed: bool
) -> tuple[int, ...]:
    """``waits`` under the two options it depends on."""
    owned = concealed + sum(4 * ONE[kind] for kind in gangs)
    found = set(standard_waits(concealed, 4 - len(gangs), kinds=ALL_TILES - owned))
    pairs = seven_pairs(concealed, len(gangs), allowed=allowed, wilds=1)
    if pairs is not None:
        found.update(each.kind for each in pairs.pairs if each.wild_count)
    return tuple(kind for kind in sorted(found) if max(suit_sizes(owned + ONE[kind])) >= min_suit)


def read_hands(facts: HandFacts, options: HefeiOptions) -> tuple[Hand, ...] | Violation:
    """The winners' hands in turn order after the discarder (HF-23), or why they are refused.

    The reason is the first test of HF-41 that fails: test 1 is made for the whole result, the
    others win by win in the order of the facts. A wrong number of tiles is no winning shape. Facts
    that contradict themselves are refused before (``consistency``).
    """
    found = contradiction(facts, RULES) or _wild(facts) or _bad_meld(facts)
    if found is not None:
        return found
    hands = []
    for win in facts.wins:
        for test in _TESTS:
            found = test(win, facts, options)
            if found is not None:
                return found
        hand = _hand(win, options)
        found = _shape(hand, options)
        if found is not None:
            return found
        hands.append(hand)
    return tuple(sorted(hands, key=_turn)) if len(hands) > 1 else tuple(hands)


def _turn(hand: Hand) -> int:
    """How many turns after the discarder the winner sits."""
    assert hand.win.from_ is not None, hand.win
    return (hand.win.seat - hand.win.from_) % 4


def _wild(facts: HandFacts) -> Violation | None:
    """HF-5: the game has no wild tile."""
    if facts.wild is None:
        return None
    return Violation(
        code="wild_forbidden",
        message="This game has no wild tile; leave it out.",
        rule="HF-5",
        expected=None,
        actual=facts.wild,
    )


def _is_gang(meld: Meld) -> bool:
    """Whether a meld is four identical tiles of one's own."""
    ranks = meld.tiles[:-1]
    return len(ranks) == 4 and ranks == ranks[0] * 4 and meld.from_ is None


def _bad_meld(facts: HandFacts) -> Violation | None:
    """Test 1: every gang told of is four identical tiles, and nobody has more than four melds."""
    for holding in facts.table:
        if len(holding.melds) > 4:
            return no(
                "bad_meld",
                "HF-41",
                holding.seat,
                "More than four melds.",
                4,
                len(holding.melds),
            )
        for meld in holding.melds:
            if meld.kind != "an_gang" or not _is_gang(meld) or parse(meld.tiles) & _OUTSIDE:
                return _meld(holding.seat, meld)
    for win in facts.wins:
        for meld in win.melds:
            if meld.kind == "an_gang" and not _is_gang(meld):
                return _meld(win.seat, meld)
    return None


def _meld(seat: int, meld: Meld) -> Violation:
    """The refusal of one meld."""
    return no(
        "bad_meld",
        "HF-26",
        seat,
        f"{meld.kind} {meld.tiles} is no concealed gang: that is four identical tiles of ranks "
        "2 to 8, from nobody.",
        "an_gang of four identical tiles without from",
        {"kind": meld.kind, "tiles": meld.tiles, "from": meld.from_},
    )


def _bad_tiles(win: WinFacts, facts: HandFacts, options: HefeiOptions) -> Violation | None:
    """Test 2: only tiles of the game, no flowers."""
    if win.flowers:
        return no("bad_tiles", "HF-5", win.seat, "This game has no flowers.", "", win.flowers)
    texts = (win.tile, win.concealed, *(meld.tiles for meld in win.melds))
    for text in texts:
        outside = parse(text) & _OUTSIDE
        if outside:
            strangers = write(outside)
            message = f"{strangers} is not in the game; its tiles are ranks 2 to 8 of m, p and s."
            return no("bad_tiles", "HF-4", win.seat, message, "2-8 of m, p, s", strangers)
    return None


def _claimed_meld(win: WinFacts, facts: HandFacts, options: HefeiOptions) -> Violation | None:
    """Test 3: no meld but the concealed gang."""
    for meld in win.melds:
        if meld.kind != "an_gang":
            message = f"A {meld.kind} cannot be: a discard is good for a win only."
            return no("claim_forbidden", "HF-22", win.seat, message, "an_gang", meld.kind)
    return None


def _robbed(win: WinFacts, facts: HandFacts, options: HefeiOptions) -> Violation | None:
    """Test 4: no gang is robbed."""
    if win.by != "qiang_gang":
        return None
    message = "A gang cannot be robbed here: all gangs are concealed."
    return no("qiang_gang_forbidden", "HF-25", win.seat, message, "zimo or dianpao", win.by)


FlagTest: TypeAlias = Callable[[WinFacts, HandFacts, HefeiOptions], bool]


def _not_zimo(win: WinFacts, facts: HandFacts, options: HefeiOptions) -> bool:
    return win.by != "zimo"


def _ting_not_at_the_deal(win: WinFacts, facts: HandFacts, options: HefeiOptions) -> bool:
    return "ting" in win.flags and not options.initial_ting


def _beside(flag: str) -> tuple[str, FlagTest]:
    """Two flags that cannot stand together."""
    return (
        f"it cannot stand beside {flag}",
        lambda win, facts, options: flag in win.flags,
    )


_NEEDS_ZIMO: Final = ("it needs a self-drawn win", _not_zimo)
_NO_EARLY_TING: Final = (
    "nobody has declared ting before the own first discard (option initial_ting)",
    _ting_not_at_the_deal,
)

IMPOSSIBLE_FLAGS: Final[Mapping[str, tuple[tuple[str, FlagTest], ...]]] = {
    "gang_kai": (
        _NEEDS_ZIMO,
        ("it needs an own gang", lambda win, facts, options: not win.melds),
        _beside("hai_lao"),
        _beside("tian_hu"),
    ),
    "hai_lao": (_NEEDS_ZIMO, _beside("tian_hu"), _beside("di_hu"), _beside("gang_kai")),
    "tian_hu": (
        _NEEDS_ZIMO,
        (
            "the winner is not the dealer",
            lambda win, facts, options: win.seat != facts.dealer,
        ),
        ("the winner has a meld", lambda win, facts, options: bool(win.melds)),
        _beside("di_hu"),
        _beside("ting"),
    ),
    "di_hu": (
        _NEEDS_ZIMO,
        (
            "the winner is the dealer",
            lambda win, facts, options: win.seat == facts.dealer,
        ),
        (
            "the winner has a gang but not the flag gang_kai",
            lambda win, facts, options: bool(win.melds) and "gang_kai" not in win.flags,
        ),
        _NO_EARLY_TING,
    ),
    "dealer_first_discard": (
        (
            "it needs a win on a discard",
            lambda win, facts, options: win.by != "dianpao",
        ),
        (
            "the dealer did not discard it",
            lambda win, facts, options: win.from_ != facts.dealer,
        ),
        ("the winner has a meld", lambda win, facts, options: bool(win.melds)),
        _NO_EARLY_TING,
    ),
    "ting": (
        (
            "nothing is declared in a plain room",
            lambda win, facts, options: options.room != "bao_ting",
        ),
    ),
}
"""HF-74: by flag, what makes it impossible, in words and as a test."""


def _flags(win: WinFacts, facts: HandFacts, options: HefeiOptions) -> Violation | None:
    """Test 5: no flag contradicts the facts."""
    for flag in win.flags:
        if flag not in IMPOSSIBLE_FLAGS:
            message = f"There is no flag {flag!r} here."
            return no(
                "unknown_flag",
                "HF-74",
                win.seat,
                message,
                sorted(IMPOSSIBLE_FLAGS),
                flag,
            )
        for reason, impossible in IMPOSSIBLE_FLAGS[flag]:
            if impossible(win, facts, options):
                message = f"The flag {flag} is impossible: {reason}."
                return no("flag_impossible", "HF-74", win.seat, message, f"no {flag}", flag)
    return None


def _no_dianpao(win: WinFacts, facts: HandFacts, options: HefeiOptions) -> Violation | None:
    """Test 6: a club may allow zimo only."""
    if win.by != "dianpao" or options.allow_dianpao:
        return None
    message = "Wins on discards are switched off (option allow_dianpao)."
    return no("dianpao_disabled", "HF-40", win.seat, message, "zimo", win.by)


def _undeclared(win: WinFacts, facts: HandFacts, options: HefeiOptions) -> Violation | None:
    """Test 7: in a bao-ting room a win on a discard needs a declared ting."""
    if options.room != "bao_ting" or win.by != "dianpao" or "ting" in win.flags:
        return None
    message = "In a bao-ting room only a seat that has declared ting wins on a discard."
    return no("ting_required", "HF-34", win.seat, message, "flag ting", list(win.flags))


_TESTS: Final = (_bad_tiles, _claimed_meld, _robbed, _flags, _no_dianpao, _undeclared)


def _hand(win: WinFacts, options: HefeiOptions) -> Hand:
    """The parsed tiles of a winner whose texts and melds have been found good."""
    before = parse(win.concealed)
    tile = kind_of(win.tile)
    gangs = tuple([KIND[meld.tiles[0] + meld.tiles[-1]] for meld in win.melds])
    concealed = before + ONE[tile]
    owned = concealed + sum([4 * ONE[kind] for kind in gangs])
    return Hand(
        win=win,
        before=before,
        tile=tile,
        gangs=gangs,
        owned=owned,
        suits=suit_sizes(owned)[:3],
        readings=standard_readings(concealed, 4 - len(gangs)),
        pairs=seven_pairs(concealed, len(gangs), allowed=options.allow_qi_dui),
    )


def _shape(hand: Hand, options: HefeiOptions) -> Violation | None:
    """Tests 8 and 9: a winning shape, and enough tiles of one suit."""
    gangs = len(hand.gangs)
    if gangs > 4:
        message = f"A hand has four sets and a pair; {gangs} gangs are too many."
        return no("not_winning_shape", "HF-37", hand.win.seat, message, 4, gangs)
    if not hand.readings and hand.pairs is None:
        concealed = hand.before + ONE[hand.tile]
        needed, held = 14 - 3 * gangs, size(concealed)
        message = f"{write(concealed)} is not {4 - gangs} sets and a pair"
        if held != needed:
            message += f": it has {held} tiles and should have {needed}"
        elif not gangs and options.allow_qi_dui:
            message += ", nor seven pairs"
        return no("not_winning_shape", "HF-37", hand.win.seat, f"{message}.", needed, held)
    longest = max(hand.suits)
    if longest < options.min_suit:
        message = (
            f"The longest suit has {longest} tiles; a win needs {options.min_suit} of one suit."
        )
        return no("suit_below_min", "HF-39", hand.win.seat, message, options.min_suit, longest)
    return None
