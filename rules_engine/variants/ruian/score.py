"""From the facts of a Rui'an hand to points and payments (sections 10 and 11)."""

from collections.abc import Iterator
from typing import Final

from rules_engine.errors import Violation
from rules_engine.facts import HandFacts
from rules_engine.score import HandScore, ItemLine, Scored, Step, Transfer, WinScore
from rules_engine.tiles import ONE, count, kinds_in, write
from rules_engine.variants.ruian.items import BY_ID, Weighed
from rules_engine.variants.ruian.legality import read_hand
from rules_engine.variants.ruian.options import RuianOptions
from rules_engine.variants.ruian.side import between, compares, differences, owns
from rules_engine.variants.ruian.weighing import Read

SEATS: Final = range(4)


def score(facts: HandFacts, options: RuianOptions) -> Scored:
    """The score and the payments of a hand, or why it may not be recorded (RA-49)."""
    read = read_hand(facts, options)
    if isinstance(read, Violation):
        return read
    wins = () if read is None else (score_win(read),)
    return HandScore(wins=wins, transfers=tuple(transfers(facts, read, options)))


def score_win(read: Read) -> WinScore:
    """The winner's lines in the order of the items, total (in hu), reading and formula."""
    chosen = read.chosen
    return WinScore(
        seat=read.win.seat,
        items=tuple([ItemLine(name, points, BY_ID[name].rule) for name, points in chosen.lines]),
        total=chosen.total,
        reading=reading_text(read),
        formula=formula(chosen),
    )


def reading_text(read: Read) -> tuple[str, ...]:
    """The reading as a person writes it: melds, then groups with wilds as what they stand for.

    Eight pairs end with the tile over; three wilds laid down bare are written as they are.
    """
    melds = [meld.tiles for meld in read.win.melds]
    hand = read.hand
    shape = read.chosen.win.shape
    if shape == "bare":
        return (*melds, write(hand.as_they_are))
    groups = [write(each.tiles) for each in read.groups]
    if shape == "eight_pairs":
        used = sum(each.natural for each in read.groups)
        left = hand.as_they_are - used
        groups += [write(count(left, kind) * ONE[kind]) for kind in kinds_in(left)]
    return (*melds, *groups)


def formula(chosen: Weighed) -> tuple[Step, ...]:
    """The steps of RA-70 to RA-77: hu, doubling, limit or cap, rounding, factor."""
    options = chosen.win.options
    steps = []
    if options.value_mode == "flat":
        steps.append(Step("底", "unit", 1))
    elif chosen.limits or chosen.line("la_zhi"):
        steps.append(Step("拉直", "limit", chosen.value))
    else:
        doubled = chosen.hu << chosen.tai
        steps.append(Step("胡数相加", "hu added up", chosen.hu))
        if chosen.tai:
            steps.append(Step(f"{chosen.tai} 台", f"doubled {chosen.tai} times (tai)", doubled))
        if chosen.value != doubled:
            steps.append(Step("封顶", "cap", chosen.value))
    if chosen.rounded != chosen.value:
        to = options.round_to
        steps.append(Step(f"进到 {to}", f"rounded up to {to}", chosen.rounded))
    if chosen.times > 1:
        steps.append(Step(f"×{chosen.times}", f"times {chosen.times}", chosen.total))
    return tuple(steps)


def transfers(facts: HandFacts, read: Read | None, options: RuianOptions) -> Iterator[Transfer]:
    """The payments: for the win, then what the others have of their own."""
    if read is not None:
        yield from win_payments(facts, read, options)
    if compares(facts, options):
        winner = None if read is None else read.win.seat
        rule = "RA-93" if read is None else "RA-91"
        for poor, rich, hu in differences(owns(facts, winner, options), facts, options):
            points = hu // options.hu_per_point
            yield Transfer(poor.seat, rich.seat, points, "side", "own_hu", rule, facts.seq)


def win_payments(facts: HandFacts, read: Read, options: RuianOptions) -> Iterator[Transfer]:
    """What each of the others pays, or one of them for all (RA-80 to RA-83)."""
    win = read.win
    base = base_of(facts.streak, options)
    pays_alone = options.dianpao_pays == "discarder_all" and win.from_ is not None
    rule = "RA-83" if pays_alone else "RA-86" if options.value_mode == "flat" else "RA-80"
    for seat in SEATS:
        if seat == win.seat:
            continue
        points = amount(read.chosen.total, (win.seat, seat), facts.dealer, base, options)
        if points:
            payer = win.from_ if pays_alone and win.from_ is not None else seat
            yield Transfer(payer, win.seat, points, "hu", "hu", rule, win.seq)


def amount(
    total: int, seats: tuple[int, int], dealer: int, base: int, options: RuianOptions
) -> int:
    """The points due between the winner and another seat (RA-80, RA-81, RA-85, RA-86)."""
    flat = options.value_mode == "flat"
    due = total if flat else between(total, *seats, dealer, options)
    if dealer in seats or options.ji_shu_scope == "all":
        due *= base
    return due if flat else due // options.hu_per_point


def base_of(streak: int, options: RuianOptions) -> int:
    """The base 基数 of a streak (RA-81)."""
    return options.ji_shu[min(streak, len(options.ji_shu)) - 1]
