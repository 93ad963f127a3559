"""Why a Hefei hand pays what it pays: items given and not, formula, waits, payments."""

from collections.abc import Iterator, Sequence

from rules_engine.errors import Violation
from rules_engine.facts import HandFacts
from rules_engine.score import (
    HandExplanation,
    HandScore,
    Item,
    NotGiven,
    Step,
    WinExplanation,
)
from rules_engine.tiles import NAMES, write
from rules_engine.variants.hefei.items import ITEMS, OF_FIRST_TURN, Win
from rules_engine.variants.hefei.legality import Hand, read_hands, waits
from rules_engine.variants.hefei.options import HefeiOptions
from rules_engine.variants.hefei.reasons import REASONS
from rules_engine.variants.hefei.reasons_of_reading import Words
from rules_engine.variants.hefei.score import (
    ZHUANG_PAY,
    Weighed,
    best,
    owed,
    reading_text,
    score,
    score_win,
    weigh_all,
)


def explain(facts: HandFacts, options: HefeiOptions) -> HandExplanation | Violation:
    """The reasoning behind a hand, or why it may not be recorded (HF-41)."""
    answer = score(facts, options)
    hands = read_hands(facts, options)
    if isinstance(answer, Violation):
        return answer
    assert not isinstance(hands, Violation), hands
    return HandExplanation(
        wins=tuple(explain_win(hand, facts, options) for hand in hands),
        transfers=answer.transfers,
        notes=tuple(notes(facts, answer, options)),
    )


def explain_win(hand: Hand, facts: HandFacts, options: HefeiOptions) -> WinExplanation:
    """The items of one winner with the reason of each, given or not."""
    weighed = tuple(weigh_all(hand, facts, options))
    chosen = best(weighed)
    scored = score_win(chosen, hand)
    given, not_given = [], []
    for place, item in enumerate(ITEMS):
        points = chosen.points[place]
        if points:
            given.append(item.given(points, REASONS[item.id].given(chosen.win)))
        else:
            zh, en = why_not(item, place, chosen, weighed)
            not_given.append(NotGiven(item.id, item.rule, zh, en))
    return WinExplanation(
        seat=hand.win.seat,
        given=tuple(given),
        not_given=tuple(not_given),
        reading=scored.reading,
        formula=scored.formula,
        waits=tuple(NAMES[kind] for kind in waits(hand.before, hand.gangs, options)),
        total=scored.total,
    )


def why_not(item: Item[Win], place: int, chosen: Weighed, weighed: Sequence[Weighed]) -> Words:
    """Why the item at this place of ``ITEMS`` did not count: the first of four reasons that holds.

    It is void in a first-turn win; this club prices it at 0; another reading has it but is worth
    no more; or its own condition fails in the reading that counts.
    """
    win = chosen.win
    if win.first_turn and item.id not in OF_FIRST_TURN:
        heavenly = win.first_turn == "tian_hu"
        zh, en = ("天胡", "a heavenly win") if heavenly else ("地胡", "an earthly win")
        return f"{zh}不计其他项目。", f"With {en} no other item counts."
    reason = REASONS[item.id]
    if reason.price and not getattr(win.options, reason.price):
        return (
            f"本房此项为零分（{reason.price}）。",
            f"This club gives 0 points for it (option {reason.price}).",
        )
    rivals = [
        each for each in weighed if each.points[place] and each.win.first_turn == win.first_turn
    ]
    if rivals:
        return _rival(best(rivals), chosen)
    return reason.missing(win)


def _rival(rival: Weighed, chosen: Weighed) -> Words:
    """A reading that has the item, and what it lacks beside the one that counts."""
    reading = " ".join(reading_text(rival.groups, ()))
    tile = NAMES[rival.win.tile]
    zh, en = f"拆作 {reading}", f"The reading {reading}"
    if rival.win.place is not None:
        lies_in = write(rival.win.place.tiles)
        zh, en = f"{zh}（{tile} 在 {lies_in}）", f"{en} with {tile} in {lies_in}"
    less = chosen.total - rival.total
    if less:
        return (
            f"{zh} 时有此项，但总分 {rival.total}，少 {less}。",
            f"{en} has it but totals {rival.total}, which is {less} less.",
        )
    return (
        f"{zh} 时有此项，但总分同为 {rival.total}，按项目次序取现拆法。",
        f"{en} has it and totals {rival.total} too; the order of the items decides.",
    )


def notes(facts: HandFacts, answer: HandScore, options: HefeiOptions) -> Iterator[Step]:
    """What concerns the payments as such: a draw, the losing dealer's extra, the cap."""
    if not facts.wins:
        yield Step(
            "荒庄：无人胡牌，本局的杠全部作废。",
            "Nobody won: no payments, and all gangs of the hand are void (HF-43, HF-70).",
            0,
        )
    extra = answer.facts[ZHUANG_PAY]
    for winner, more in extra.items():
        if more:
            yield Step(
                f"庄家（{facts.dealer} 座）输，另付 {winner} 座庄分 {more}。",
                f"The losing dealer, seat {facts.dealer}, owes seat {winner} {more} more (HF-69).",
                more,
            )
    totals = {win.seat: win.total for win in answer.wins}
    for (payer, winner), due in owed(facts, totals, extra).items():
        paid = sum(
            line.points for line in answer.transfers if (line.payer, line.payee) == (payer, winner)
        )
        if paid < due:
            yield Step(
                f"封顶 {options.cap}：{payer} 座应付 {winner} 座 {due}，减为 {paid}。",
                f"Cap {options.cap}: what seat {payer} owes seat {winner} goes from {due} down to "
                f"{paid} (HF-68).",
                paid,
            )
