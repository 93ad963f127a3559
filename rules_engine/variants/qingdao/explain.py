"""Why a Qingdao hand pays what it pays: items given and not, formula, waits, notes on payments."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from rules_engine.errors import Violation
from rules_engine.facts import HandFacts, WinFacts
from rules_engine.score import (
    HandExplanation,
    NotGiven,
    Step,
    WinExplanation,
)
from rules_engine.tiles import NAMES, ONE, parse
from rules_engine.variants.qingdao.flags import huang_run
from rules_engine.variants.qingdao.gangs import gangs
from rules_engine.variants.qingdao.hands import Hand, reading_text, waits, weigh_all
from rules_engine.variants.qingdao.items import BY_ID, ITEMS, QingdaoItem, Weighed
from rules_engine.variants.qingdao.legality import Read, read_hands
from rules_engine.variants.qingdao.options import QingdaoOptions
from rules_engine.variants.qingdao.reasons import REASONS, Words
from rules_engine.variants.qingdao.score import formula, score
from rules_engine.variants.qingdao.worth import counts

_MODES: Final = {
    "ping_hu": ("平胡（奔倒胡）", "plain win"),
    "dian_pao": ("点炮", "discarder pays"),
    "quan_dai_jiang": ("全带讲", "all hand types"),
}
"""The native and the English name of each mode (QD-3)."""


def explain(facts: HandFacts, options: QingdaoOptions) -> HandExplanation | Violation:
    """The reasoning behind a hand, or why it may not be recorded (QD-69)."""
    read = read_hands(facts, options)
    answer = score(facts, options)
    if isinstance(read, Violation):
        return read
    assert not isinstance(answer, Violation), "the same tests let both pass"
    return HandExplanation(
        wins=tuple(
            explain_win(each, win, options) for each, win in zip(read, facts.wins, strict=True)
        ),
        transfers=answer.transfers,
        notes=tuple(notes(facts, options)),
    )


def explain_win(read: Read, win: WinFacts, options: QingdaoOptions) -> WinExplanation:
    """The items of one winner with the reason of each, given or not."""
    hand, chosen = read.hand, read.chosen
    others = tuple(weigh_all(hand, win, options))
    given, not_given = [], []
    for item in ITEMS:
        points = chosen.points.get(item.id, 0)
        if points:
            given.append(item.given(points, REASONS[item.id].given(chosen.win, hand)))
        else:
            zh, en = why_not(item, read, win, others)
            not_given.append(NotGiven(item.id, item.rule, zh, en))
    return WinExplanation(
        seat=win.seat,
        given=tuple(given),
        not_given=tuple(not_given),
        reading=reading_text(hand, chosen.win.case, win),
        formula=formula(chosen),
        waits=tuple(NAMES[kind] for kind in waited_for(hand, win, options)),
        total=chosen.total,
    )


def waited_for(hand: Hand, win: WinFacts, options: QingdaoOptions) -> tuple[int, ...]:
    """The kinds the hand waited for before the winning tile."""
    if hand.tile == hand.hun:
        before = replace(hand, wilds=hand.wilds - 1)
    else:
        before = replace(hand, natural=hand.natural - ONE[hand.tile])
    return waits(before, parse(win.concealed) + hand.melds.tiles, options)


def why_not(item: QingdaoItem, read: Read, win: WinFacts, others: Sequence[Weighed]) -> Words:
    """Why an item did not count: the first of five reasons that holds.

    The mode does not have it; this club prices it at 0; another item takes its place; another
    reading has it but is worth less; or its own condition fails in the reading that counts.
    """
    chosen = read.chosen
    options = chosen.win.options
    if not counts(item.where, options):
        if item.where == "hun":
            return "本房不带混。", "This club plays without hun."
        mode_zh, mode_en = _MODES[options.mode]
        return f"{mode_zh}玩法不计此项。", f"The mode “{mode_en}” does not count it."
    if item.category != "adjusting":
        if not getattr(options.values, item.id):
            return (
                f"本房此项为零分（values.{item.id}）。",
                f"This club gives 0 points for it (option values.{item.id}).",
            )
        excluder = next((other for other in item.excluded_by if other in chosen.points), None)
        if excluder is not None and item.id != "base" and item.times(chosen.win):
            by = BY_ID[excluder]
            return f"已计{by.zh}，不再计此项。", f"The item “{by.en}” counts in its place."
    rivals = [each for each in others if item.id in each.points]
    if rivals:
        return _rival(min(rivals, key=lambda each: each.rank), read, win)
    return REASONS[item.id].missing(chosen.win, read.hand)


def _rival(rival: Weighed, read: Read, win: WinFacts) -> Words:
    """A reading that has the item, and what it lacks beside the one that counts."""
    reading = " ".join(reading_text(read.hand, rival.win.case, win))
    zh, en = f"拆作 {reading}", f"The reading {reading}"
    less = read.chosen.unit - rival.unit
    if less:
        unit = rival.unit
        return (
            f"{zh} 时有此项，但共 {unit} 分，少 {less} 分。",
            f"{en} has it but totals {unit}, which is {less} less.",
        )
    return (
        f"{zh} 时有此项，但同为 {rival.unit} 分，按项目次序取现拆法。",
        f"{en} has it and totals {rival.unit} too; the order of the items decides.",
    )


def notes(facts: HandFacts, options: QingdaoOptions) -> Iterator[Step]:
    """What concerns the payments as such: who pays, and which gangs pay nothing and why."""
    for gang in gangs(facts, options):
        if gang.unpaid is not None and not gang.robbed:
            yield Step(
                f"{gang.seat} 座的杠 {gang.tiles} 不计分：{gang.unpaid.zh}",
                f"The gang {gang.tiles} of seat {gang.seat} pays nothing: "
                f"{gang.unpaid.en} ({gang.unpaid.rule}).",
                0,
            )
    if not facts.wins:
        yield Step("荒庄：无人胡牌，庄家连庄。", "Nobody won; the dealer stays (QD-70).", 0)
        return
    first = facts.wins[0]
    if first.by == "qiang_gang":
        yield Step(
            f"{first.from_} 座的补杠被抢，退回碰，不计杠分。",
            f"The gang of seat {first.from_} was robbed: it stays a peng and pays nothing "
            "(QD-37, QD-128).",
            0,
        )
    if len(facts.wins) > 1 and options.mode != "dian_pao" and not options.winners_pay_each_other:
        yield Step("同胡的几家互不支付。", "Winners do not pay each other (QD-123).", 0)
    run = huang_run(first.flags)
    if run and options.huang_multiplier > 1:
        hands = "the hand" if run == 1 else f"the {run} hands"
        yield Step(
            f"之前连续荒庄 {run} 局，胡分与杠分都翻倍。",
            f"Nobody won {hands} before: hand and gangs are multiplied (QD-118).",
            0,
        )
