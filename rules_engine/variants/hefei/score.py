"""From the facts of a Hefei hand to points: the best reading, payments, cap (HF-44 to HF-70)."""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Final

from msgspec import Struct

from rules_engine.errors import Violation
from rules_engine.facts import HandFacts, WinFacts
from rules_engine.groups import Group
from rules_engine.readings import places
from rules_engine.score import HandScore, ItemLine, Scored, Step, Transfer, WinScore
from rules_engine.shapes import rank_sizes
from rules_engine.tiles import ONE, Tiles, write
from rules_engine.variants.hefei.items import (
    AFTER_SUM,
    ITEMS,
    SUMMED,
    FirstTurn,
    Win,
    weigh,
    zhuang_bonus,
)
from rules_engine.variants.hefei.legality import Hand, read_hands, waits, winning_shape
from rules_engine.variants.hefei.options import HefeiOptions

__all__ = ["score", "waits", "winning_shape"]

Dues = Mapping[tuple[int, int], int]
"""What each payer owes each winner: (payer, winner) to points > 0."""
ZHUANG_PAY: Final = "zhuang_pay"
"""The id of the line a losing dealer pays on top (HF-69)."""


class Weighed(Struct, frozen=True):
    """A win in one reading, the points of each of ``ITEMS`` for it, and their sum."""

    win: Win
    groups: tuple[Group, ...]
    points: tuple[int, ...]
    total: int


def score(facts: HandFacts, options: HefeiOptions) -> Scored:
    """The score and the payments of a hand, or why it may not be recorded (HF-41)."""
    hands = read_hands(facts, options)
    if isinstance(hands, Violation):
        return hands
    scores = tuple([score_win(best(weigh_all(hand, facts, options)), hand) for hand in hands])
    extra = {hand.win.seat: zhuang_pay(facts, hand.win, options) for hand in hands}
    return HandScore(
        wins=scores,
        transfers=tuple(transfers(facts, scores, extra, options)),
        facts={ZHUANG_PAY: extra},
    )


def first_turn_win(
    flags: tuple[str, ...], options: HefeiOptions, *, gang: bool = False
) -> FirstTurn:
    """Which first-turn win these flags make under the options (HF-62, HF-63)."""
    if "tian_hu" in flags:
        return "tian_hu"
    rule = options.di_hu_rule
    if "di_hu" in flags and rule != "dealer_first_discard":
        return "" if gang and not options.di_hu_after_own_gang else "di_hu"
    if "dealer_first_discard" in flags and rule != "first_turn_zimo":
        return "di_hu"
    return ""


def weigh_all(hand: Hand, facts: HandFacts, options: HefeiOptions) -> Iterator[Weighed]:
    """The hand in every reading and with every place of the winning tile, weighed (HF-42).

    A first-turn win looks at no reading, so any one will do; the ordinary score may replace it.
    """
    first_turn = first_turn_win(hand.win.flags, options, gang=bool(hand.gangs))
    for made in _wins(hand, facts, options, first_turn):
        yield made
        if first_turn:
            break
    if first_turn and options.tian_di_hu_best:
        yield from _wins(hand, facts, options, "")


def _wins(
    hand: Hand, facts: HandFacts, options: HefeiOptions, first_turn: FirstTurn
) -> Iterator[Weighed]:
    """One ``Weighed`` for each reading and place."""
    single_wait = (
        options.ka_rule == "any_reading" or len(waits(hand.before, hand.gangs, options)) == 1
    )
    ranks = rank_sizes(hand.owned)
    pairs = () if hand.pairs is None else hand.pairs.pairs
    quads = 0 if hand.pairs is None else len(hand.pairs.doubled_kinds)
    cases: list[tuple[tuple[Group, ...], Group | None]] = [
        (reading.groups, place) for reading in hand.readings for place in places(reading, hand.tile)
    ]
    if pairs:
        cases.append((pairs, None))
    for groups, place in cases:
        win = Win(
            options=options,
            first_turn=first_turn,
            zimo=hand.win.by == "zimo",
            deals=hand.win.seat == facts.dealer,
            streak=facts.streak,
            flags=hand.win.flags,
            suits=hand.suits,
            ranks=ranks,
            gangs=len(hand.gangs),
            tile=hand.tile,
            single_wait=single_wait,
            seven_pairs=place is None,
            quads=quads if place is None else 0,
            runs=tuple([each.kind for each in groups if each.shape == "run"]),
            triplets=tuple([each.kind for each in groups if each.shape == "triplet"]),
            place=place,
        )
        points = weigh(win)
        yield Weighed(win, groups, points, sum(points))


def best(weighed: Iterable[Weighed]) -> Weighed:
    """The highest total; among equals the larger points in the order of the items (HF-45).

    The ordinary score replaces a first-turn win only where it is higher (HF-62).
    """
    return max(weighed, key=lambda each: (each.total, each.win.first_turn, each.points))


@lru_cache(maxsize=256)
def _text(tiles: Tiles) -> str:
    """The compact text of a group."""
    return write(tiles)


def reading_text(groups: Iterable[Group], gangs: Iterable[int]) -> tuple[str, ...]:
    """The groups as a person writes them, the gangs first."""
    return (
        *[_text(4 * ONE[kind]) for kind in gangs],
        *[_text(each.tiles) for each in groups],
    )


def score_win(chosen: Weighed, hand: Hand) -> WinScore:
    """One winner's lines, total, reading and formula."""
    return WinScore(
        seat=hand.win.seat,
        items=tuple(
            [
                ItemLine(item.id, points, item.rule)
                for item, points in zip(ITEMS, chosen.points, strict=True)
                if points
            ]
        ),
        total=chosen.total,
        reading=reading_text(chosen.groups, hand.gangs),
        formula=formula(chosen.points),
    )


def formula(points: tuple[int, ...]) -> tuple[Step, ...]:
    """The steps of HF-44: the sum S, then each amount on top with the figure it arrives at."""
    figure = sum(points[: len(SUMMED)])
    steps = [Step("各项之和 S", "sum of the items, S", figure)]
    for item, more in zip(AFTER_SUM, points[len(SUMMED) :], strict=True):
        if more:
            figure += more
            steps.append(Step(f"加{item.zh} {more}", f"plus {item.en} {more}", figure))
    return tuple(steps)


def zhuang_pay(facts: HandFacts, win: WinFacts, options: HefeiOptions) -> int:
    """What a losing dealer who pays owes this winner on top of the total (HF-69), or 0."""
    if options.zhuang_fen_mode == "dealer_wins" or win.seat == facts.dealer:
        return 0
    if win.by != "zimo" and win.from_ != facts.dealer:
        return 0
    return zhuang_bonus(options, facts.streak, zimo=win.by == "zimo")


def transfers(
    facts: HandFacts, scores: Iterable[WinScore], extra: Mapping[int, int], options: HefeiOptions
) -> Iterator[Transfer]:
    """The payments by winner and payer, the dealer's ``zhuang_pay`` on a line of its own.

    Where the cap has reduced a due, what is left of it goes to the total first.
    """
    totals = {win.seat: win.total for win in scores}
    seqs = {win.seat: win.seq for win in facts.wins}
    paid = cap_dues(owed(facts, totals, extra), options)
    for winner, total in totals.items():
        for payer in _after(winner):
            amount = paid.get((payer, winner), 0)
            part = min(amount, total)
            if part:
                yield Transfer(payer, winner, part, "hu", "hu", "HF-66", seqs[winner])
            if amount > part:
                rest = amount - part
                yield Transfer(payer, winner, rest, "hu", ZHUANG_PAY, "HF-69", seqs[winner])


def owed(facts: HandFacts, totals: Mapping[int, int], extra: Mapping[int, int]) -> Dues:
    """Who owes whom how much before the cap (HF-66, HF-67, HF-69)."""
    dues = {}
    for win in facts.wins:
        payers = _after(win.seat) if win.from_ is None else (win.from_,)
        for payer in payers:
            due = totals[win.seat] + (extra[win.seat] if payer == facts.dealer else 0)
            if due:
                dues[payer, win.seat] = due
    return dues


def cap_dues(dues: Dues, options: HefeiOptions) -> Dues:
    """The dues after the cap (HF-68): first no payer pays more, then no winner receives more."""
    cap = options.cap
    if not cap or sum(dues.values()) <= cap:
        return dues
    capped = dict(dues)
    in_full = options.cap_split == "turn_order"
    for seat in range(4):
        owed_to = [(seat, winner) for winner in _after(seat) if capped.get((seat, winner))]
        _reduce(capped, owed_to, cap, in_full=in_full)
    for seat in range(4):
        owed_by = [(payer, seat) for payer in _after(seat) if capped.get((payer, seat))]
        _reduce(capped, owed_by, cap, in_full=False)
    return capped


def _reduce(
    dues: dict[tuple[int, int], int], keys: list[tuple[int, int]], cap: int, *, in_full: bool
) -> None:
    """Bring the dues under ``keys``, which stand in turn order, down to ``cap`` in sum.

    ``in_full`` serves them one after the other until the cap is used up; otherwise they share it
    pro rata and the odd points go one each in turn order.
    """
    owed_sum = sum(dues[key] for key in keys)
    if owed_sum <= cap:
        return
    if in_full:
        left = cap
        for key in keys:
            dues[key] = min(dues[key], left)
            left -= dues[key]
        return
    shares = [cap * dues[key] // owed_sum for key in keys]
    missing = cap - sum(shares)
    for place, key in enumerate(keys):
        dues[key] = shares[place] + (place < missing)


@lru_cache(maxsize=4)
def _after(seat: int) -> tuple[int, ...]:
    """The other seats in turn order."""
    return tuple((seat + step) % 4 for step in (1, 2, 3))
