"""Why a Huaiyuan hand pays what it pays: items given and not, formula, waits, notes on payments."""

from collections.abc import Iterator

from rules_engine.errors import Violation
from rules_engine.facts import HandFacts
from rules_engine.score import HandExplanation, NotGiven, Step, WinExplanation
from rules_engine.tiles import NAMES
from rules_engine.variants.huaiyuan.gangs import gangs
from rules_engine.variants.huaiyuan.hands import waited_for
from rules_engine.variants.huaiyuan.items import ITEMS, HuaiyuanItem
from rules_engine.variants.huaiyuan.legality import Read, read_hands, weigh_all
from rules_engine.variants.huaiyuan.options import HuaiyuanOptions
from rules_engine.variants.huaiyuan.reasons import REASONS, Words
from rules_engine.variants.huaiyuan.score import (
    is_aborted,
    reading_text,
    score_win,
    transfers,
)


def explain(facts: HandFacts, options: HuaiyuanOptions) -> HandExplanation | Violation:
    """The reasoning behind a hand, or why it may not be recorded (HY-56)."""
    read = read_hands(facts, options)
    if isinstance(read, Violation):
        return read
    return HandExplanation(
        wins=tuple(explain_win(each, facts.dealer, options) for each in read),
        transfers=tuple(transfers(facts, read, options)),
        notes=tuple(notes(facts, options)),
    )


def explain_win(read: Read, dealer: int, options: HuaiyuanOptions) -> WinExplanation:
    """The items of one winner with the reason of each, given or not."""
    scored = score_win(read, options)
    given, not_given = [], []
    for item in ITEMS:
        fan = read.chosen.points.get(item.id, 0)
        if fan:
            given.append(item.given(fan, REASONS[item.id].given(read)))
        else:
            zh, en = why_not(item, read, dealer, options)
            not_given.append(NotGiven(item.id, item.rule, zh, en))
    waits = waited_for(read.hand.concealed, read.hand.melds, options)
    return WinExplanation(
        seat=read.win.seat,
        given=tuple(given),
        not_given=tuple(not_given),
        reading=scored.reading,
        formula=scored.formula,
        waits=tuple(NAMES[kind] for kind in waits),
        total=scored.total,
    )


def why_not(item: HuaiyuanItem, read: Read, dealer: int, options: HuaiyuanOptions) -> Words:
    """Why an item did not count: the first of three reasons that holds.

    This club prices it at 0; another reading has it but is worth less; or its own condition fails
    in the reading that counts.
    """
    reason = REASONS[item.id]
    if not getattr(options, reason.price):
        return (
            f"本房此项为零番（{reason.price}）。",
            f"This club gives 0 fan for it (option {reason.price}).",
        )
    others = weigh_all(read.hand, read.win, dealer, options)
    assert not isinstance(others, str), "the hand has been found good"
    rivals = [each for each in others if item.id in each.points]
    if not rivals:
        return reason.missing(read)
    rival = max(rivals, key=lambda each: each.fan)
    reading = " ".join(reading_text(read.win, rival))
    less = read.chosen.fan - rival.fan
    if not less:
        return (
            f"拆作 {reading} 时有此项，但同为 {rival.fan} 番；先取飘胡。",
            f"The reading {reading} has it, {rival.fan} fan too; all triplets go first (HY-88).",
        )
    return (
        f"拆作 {reading} 时有此项，但共 {rival.fan} 番，少 {less} 番。",
        f"The reading {reading} has it but totals {rival.fan} fan, which is {less} less.",
    )


def notes(facts: HandFacts, options: HuaiyuanOptions) -> Iterator[Step]:
    """What concerns the payments as such: who pays, and which gangs pay nothing and why."""
    if is_aborted(facts):
        yield Step("本局中途散局，无人胡牌。", "The hand was broken off (HY-20, HY-107).", 0)
    elif not facts.wins:
        yield Step("荒庄：无人胡牌。", "Nobody won: no hand points (HY-70).", 0)
    for gang in gangs(facts, options):
        if gang.unpaid is not None and not gang.robbed:
            yield Step(
                f"{gang.seat} 座的杠 {gang.tiles} 不付：{gang.unpaid.zh}",
                f"The gang {gang.tiles} of seat {gang.seat} pays nothing: "
                f"{gang.unpaid.en} ({gang.unpaid.rule}).",
                0,
            )
    yield from _win_notes(facts, options)


def _win_notes(facts: HandFacts, options: HuaiyuanOptions) -> Iterator[Step]:
    """Who pays a win on another seat's tile, and what a robbed gang is worth."""
    first = facts.wins[0] if facts.wins else None
    if first is None or first.from_ is None:
        return
    if first.by == "qiang_gang":
        yield Step(
            f"{first.from_} 座的补杠被抢，不算杠钱。",
            f"What seat {first.from_} added was robbed: it is void and pays nothing (HY-105).",
            0,
        )
    covers = options.dianpao_payers == "cover" or (
        first.by == "qiang_gang" and options.qiang_gang_payers == "cover"
    )
    if covers:
        yield Step(
            f"{first.from_} 座包三家。", f"Seat {first.from_} pays the shares of all three.", 0
        )
