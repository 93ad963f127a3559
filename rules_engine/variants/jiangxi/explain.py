"""Why a hand of the bao game pays what it pays: items given and not, formula, waits, payments."""

from collections.abc import Iterator, Sequence

from rules_engine.errors import Violation
from rules_engine.facts import HandFacts
from rules_engine.score import HandExplanation, NotGiven, Step, WinExplanation
from rules_engine.table import NOTHING
from rules_engine.tiles import NAMES, parse
from rules_engine.variants.jiangxi.flags import read_flags, told_of
from rules_engine.variants.jiangxi.gangs import gangs
from rules_engine.variants.jiangxi.hands import Case, Read, waits, weigh_all
from rules_engine.variants.jiangxi.items import (
    ALONE,
    ITEMS,
    MainItem,
    Multiplier,
    Weighed,
    factors_of,
    weigh_as,
)
from rules_engine.variants.jiangxi.legality import read_hands
from rules_engine.variants.jiangxi.options import JiangxiOptions
from rules_engine.variants.jiangxi.reasons import REASONS, Words, no_shape
from rules_engine.variants.jiangxi.score import formula, groups_text, reading_text, score
from rules_engine.words import counted

Readings = Sequence[tuple[Case, Weighed]]
"""Every reading of a hand with what it is worth."""


def explain(facts: HandFacts, options: JiangxiOptions) -> HandExplanation | Violation:
    """The reasoning behind a hand, or why it may not be recorded (JX-77)."""
    read = read_hands(facts, options)
    answer = score(facts, options)
    if isinstance(read, Violation):
        return read
    assert not isinstance(answer, Violation), "the same tests let both pass"
    return HandExplanation(
        wins=tuple(explain_win(each, options) for each in read),
        transfers=answer.transfers,
        notes=tuple(notes(facts, options)),
    )


def explain_win(read: Read, options: JiangxiOptions) -> WinExplanation:
    """The items of one winner with the reason of each, given or not."""
    hand, chosen = read.hand, read.weighed
    readings = tuple(weigh_all(hand, read.win, options))
    given, not_given = [], []
    for item in ITEMS:
        if item.id in chosen.points:
            words = REASONS[item.id].given(chosen.win, hand)
            given.append(item.given(chosen.points[item.id], words))
            continue
        if isinstance(item, MainItem):
            zh, en = why_not_main(item, read, readings)
        elif isinstance(item, Multiplier):
            zh, en = why_not_times(item, read, readings)
        else:
            zh, en = REASONS[item.id].missing(chosen.win, hand)
        not_given.append(NotGiven(item.id, item.rule, zh, en))
    found = waits(parse(read.win.concealed), hand.melds, hand.wild, options)
    return WinExplanation(
        seat=read.win.seat,
        given=tuple(given),
        not_given=tuple(not_given),
        reading=reading_text(read),
        formula=formula(chosen),
        waits=tuple(NAMES[kind] for kind in found),
        total=chosen.total,
    )


def why_not_main(item: MainItem, read: Read, readings: Readings) -> Words:
    """Why a main item did not count: beaten, or its own condition fails, or no such reading."""
    of_shape = [(case, weighed) for case, weighed in readings if weighed.win.shape == item.shape]
    rivals = [
        (case, weigh_as(weighed.win, item, factors_of(weighed.win)))
        for case, weighed in of_shape
        if item.fits(weighed.win)
    ]
    if rivals:
        return _rival(*min(rivals, key=lambda rival: rival[1].rank), read)
    if not of_shape:
        return no_shape(read.weighed.win, read.hand, item.shape)
    nearest = min(of_shape, key=lambda each: each[1].rank)[1].win
    return REASONS[item.id].missing(nearest, read.hand)


def why_not_times(item: Multiplier, read: Read, readings: Readings) -> Words:
    """Why a multiplier did not count."""
    win, main = read.weighed.win, read.weighed.main
    if win.shape in ALONE:
        return f"{main.zh}不计倍数。", f"Beside “{main.en}” no multiplier counts (JX-86)."
    fits_main = not item.only_with or main.id in item.only_with
    if item.times(win) and fits_main:
        return (
            f"本房此项倍数为一（factor_{item.id}）。",
            f"Its factor is 1 here (option factor_{item.id}).",
        )
    rivals = [(case, weighed) for case, weighed in readings if item.id in weighed.points]
    if rivals:
        return _rival(*min(rivals, key=lambda rival: rival[1].rank), read)
    return REASONS[item.id].missing(win, read.hand)


def _rival(case: Case, rival: Weighed, read: Read) -> Words:
    """A way to score the hand that has the item, and what it lacks beside the one that counts."""
    groups = " ".join(groups_text(case, read.hand))
    zh, en = f"拆作 {groups} 算{rival.main.zh}", f"Read as {groups}, with {rival.main.en}"
    less = read.weighed.total - rival.total
    if less:
        total = rival.total
        return (
            f"{zh} 时有此项，但共 {total} 分，少 {less} 分。",
            f"{en}, it has this but totals {total}, which is {less} less.",
        )
    return (
        f"{zh} 时同为 {rival.total} 分；先取宝代牌少的，再按项目次序（JX-87）。",
        f"{en}, it totals {rival.total} too; fewer bao, then earlier items, decide (JX-87).",
    )


def notes(facts: HandFacts, options: JiangxiOptions) -> Iterator[Step]:
    """What concerns the payments as such: who pays, gangs that pay nothing, caught and four bao."""
    if not facts.wins:
        yield Step("荒庄：无人胡牌。", "Nobody won: no hand payments (JX-79).", 0)
    for win in facts.wins[:1]:
        if win.by == "dianpao":
            shares = options.dian_pao_shares
            yield Step(
                f"点炮者 {win.from_} 座独付 {shares} 份。",
                f"The discarder, seat {win.from_}, alone pays {counted(shares, 'share')} (JX-85).",
                shares,
            )
        if win.by == "qiang_gang":
            shares = options.qiang_gang_shares
            yield Step(
                f"被抢杠的 {win.from_} 座独付 {shares} 份，被抢的杠不成立，不计分。",
                f"Seat {win.from_}, whose gang was robbed, pays {counted(shares, 'share')}; the "
                "gang never stood and pays nothing (JX-85, JX-91).",
                shares,
            )
    for gang in gangs(facts, options):
        if gang.unpaid is not None and not gang.robbed:
            yield Step(
                f"{gang.seat} 座的杠 {gang.tiles} 不计分：{gang.unpaid.zh}",
                f"The gang {gang.tiles} of seat {gang.seat} pays nothing: "
                f"{gang.unpaid.en} ({gang.unpaid.rule}).",
                0,
            )
    for each in told_of(facts):
        yield from _wild_notes(facts, each.seat, each.flags, options)


def _wild_notes(
    facts: HandFacts, seat: int, flags: tuple[str, ...], options: JiangxiOptions
) -> Iterator[Step]:
    """What a seat is paid for a caught bao or for four bao."""
    told = read_flags(flags)
    if told.caught_from != NOTHING:
        yield Step(
            f"{seat} 座接了 {told.caught_from} 座打出的宝。",
            f"Seat {seat} caught the bao that seat {told.caught_from} discarded (JX-93).",
            options.jie_bao,
        )
    if told.si_bao:
        points = options.si_bao if facts.wins else options.si_bao_draw
        zh = f"{seat} 座抓过四个宝（{facts.wild}）。"
        yield Step(zh, f"Seat {seat} drew all four bao, {facts.wild} (JX-94).", points)
