"""Why a Rui'an hand pays what it pays: items given and not, formula, waits, notes on payments."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from rules_engine.errors import Violation
from rules_engine.facts import HandFacts
from rules_engine.groups import Group
from rules_engine.score import HandExplanation, NotGiven, Step, WinExplanation
from rules_engine.tiles import NAMES, ONE
from rules_engine.variants.ruian.flags import cause_of
from rules_engine.variants.ruian.hands import Hand, waits
from rules_engine.variants.ruian.items import BY_ID, ITEMS, RuianItem, Weighed
from rules_engine.variants.ruian.legality import read_hand
from rules_engine.variants.ruian.melds import GANGS
from rules_engine.variants.ruian.options import RuianOptions
from rules_engine.variants.ruian.reasons import REASONS, Words, computed
from rules_engine.variants.ruian.score import formula, reading_text, score
from rules_engine.variants.ruian.side import compares, owns
from rules_engine.variants.ruian.weighing import Read, Weighing
from rules_engine.words import times_over

Ways = Sequence[tuple[tuple[Group, ...], Weighed]]
_SWITCHES: Final = {
    "he_di_lao_yue": "he_di_tai",
    "dan_zhang_diao": "dan_zhang_diao_tai",
    "base_hu": "base_hu",
}
"""The option whose 0 switches an item off."""
_CAUSES: Final = {
    "four_same_winds": ("四同风", "four same winds"),
    "four_gangs": ("四杠", "four gangs"),
    "triple_hu": ("三家胡", "three seats declaring hu"),
}


def explain(facts: HandFacts, options: RuianOptions) -> HandExplanation | Violation:
    """The reasoning behind a hand, or why it may not be recorded (RA-49)."""
    read = read_hand(facts, options)
    answer = score(facts, options)
    if isinstance(read, Violation):
        return read
    assert not isinstance(answer, Violation), "the same tests let both pass"
    return HandExplanation(
        wins=() if read is None else (explain_win(read, options),),
        transfers=answer.transfers,
        notes=tuple(notes(facts, read, options)),
    )


def explain_win(read: Read, options: RuianOptions) -> WinExplanation:
    """The items of the winner with the reason of each, given or not."""
    chosen, hand = read.chosen, read.hand
    ways = () if chosen.win.shape == "bare" else tuple(Weighing(hand, read.win, options))
    listed = dict(chosen.lines)
    given, not_given = [], []
    for item in ITEMS:
        points = listed.get(item.id)
        if points is not None:
            given.append(item.given(points, told(item, read, counts=True)))
        else:
            zh, en = why_not(item, read, ways)
            not_given.append(NotGiven(item.id, item.rule, zh, en))
    return WinExplanation(
        seat=read.win.seat,
        given=tuple(given),
        not_given=tuple(not_given),
        reading=reading_text(read),
        formula=tuple(worded(step, chosen) for step in formula(chosen)),
        waits=tuple(NAMES[kind] for kind in waited_for(hand, options)),
        total=chosen.total,
    )


def told(item: RuianItem, read: Read, *, counts: bool) -> Words:
    """The sentence of an item."""
    reason = REASONS.get(item.id)
    if reason is None:
        return computed(item.id, read.chosen)
    telling = reason.given if counts else reason.missing
    return telling(read.chosen.win, read.hand, read.groups)


def worded(step: Step, chosen: Weighed) -> Step:
    """The doubling by tai in plain words; settlements keep the label they were published with."""
    if step.en.startswith("doubled "):
        return replace(step, en=f"doubled {times_over(chosen.tai)} ({chosen.tai} tai)")
    return step


def waited_for(hand: Hand, options: RuianOptions) -> tuple[int, ...]:
    """The kinds the hand waited for before the winning tile."""
    if hand.tile == hand.wild:
        return waits(replace(hand, wilds=hand.wilds - 1), options)
    return waits(replace(hand, natural=hand.natural - ONE[hand.tile]), options)


def why_not(item: RuianItem, read: Read, ways: Ways) -> Words:
    """Why an item did not count: the first of five reasons that holds.

    Flat counting; an option of 0; the limit stands for it (RA-78); another reading has it but is
    worth less; or its own condition fails in the reading that counts.
    """
    chosen = read.chosen
    options = chosen.win.options
    if options.value_mode == "flat" and item.kind != "times":
        return computed("la_zhi", chosen)
    switch = _SWITCHES.get(item.id)
    if switch is not None and not getattr(options, switch):
        return f"本房此项为零（{switch}）。", f"In this club it is 0 (option {switch})."
    factor = _no_factor(item, chosen)
    if factor is not None:
        return factor
    if item.kind in ("hu", "tai") and item.points(chosen.win):
        return "拉直，不再另计胡、台。", "The limit stands in place of hu and tai (RA-78)."
    rivals = [way for way in ways if way[1].line(item.id)]
    if rivals and not chosen.line(item.id):
        return _rival(min(rivals, key=lambda way: way[1].rank), read)
    return told(item, read, counts=False)


def _no_factor(item: RuianItem, chosen: Weighed) -> Words | None:
    """Why no factor counts at all in this club or at this limit."""
    options = chosen.win.options
    if item.kind != "times":
        return None
    limited = bool(chosen.limits or chosen.line("la_zhi"))
    if limited and not options.times_on_lazhi:
        return "本房拉直不乘倍数。", "In this club a limit value has no factor (RA-76)."
    if item.id == "ying_pai" and options.ying_pai_times == 1:
        return (
            "本房硬牌不加倍（ying_pai_times）。",
            "In this club a hard hand has no factor (option ying_pai_times).",
        )
    if item.id != "ying_pai" and options.special_times == 1:
        return (
            "本房不设特殊牌型（special_times）。",
            "This club has no special hands (option special_times).",
        )
    other = next((BY_ID[name] for name, _ in chosen.lines if BY_ID[name].kind == "times"), None)
    if other is not None and other.id not in (item.id, "ying_pai"):
        return f"只计一项倍数：{other.zh}。", f"Only one factor counts: {other.en}."
    return None


def _rival(rival: tuple[tuple[Group, ...], Weighed], read: Read) -> Words:
    """A reading that has the item, and what it lacks beside the one that counts."""
    groups, weighed = rival
    reading = " ".join(reading_text(replace(read, groups=groups, chosen=weighed)))
    zh, en = f"拆作 {reading}", f"The reading {reading}"
    less = read.chosen.total - weighed.total
    if less:
        total = weighed.total
        return (
            f"{zh} 时有此项，但共 {total} 胡，少 {less} 胡。",
            f"{en} has it but totals {total}, which is {less} less.",
        )
    return (
        f"{zh} 时有此项，但总数同为 {weighed.total}，按台、胡多者取。",
        f"{en} has it and totals {weighed.total} too; more tai, then more hu, decide (RA-78).",
    )


def notes(facts: HandFacts, read: Read | None, options: RuianOptions) -> Iterator[Step]:
    """What concerns the payments as such: who was passed over, why a gang pays nothing, and L."""
    winner = None if read is None else read.win.seat
    for win in facts.wins:
        if win.seat != winner:
            yield Step(
                f"{win.seat} 座也胡，但一盘只有一家胡牌，次序在前者得。",
                f"Seat {win.seat} declared too; only the first in turn order wins (RA-34).",
                0,
            )
    if read is not None and read.win.by == "qiang_gang":
        yield Step(
            f"{read.win.from_} 座的补杠被抢，仍是碰。",
            f"The gang of seat {read.win.from_} was robbed: it stays a peng (RA-32, RA-94).",
            0,
        )
    if read is None:
        yield from _drawn(facts)
    if compares(facts, options):
        for own in owns(facts, winner, options):
            yield Step(
                f"{own.seat} 座自有 {own.hu} 胡 {own.tai} 台。",
                f"Seat {own.seat} has {own.hu} hu and {own.tai} tai of its own.",
                own.value,
            )
        return
    for each in facts.table:
        for meld in each.melds:
            if meld.kind in GANGS:
                yield Step(
                    f"{each.seat} 座的杠 {meld.tiles} 不计分：本局未胡者不比胡。",
                    f"The gang {meld.tiles} of seat {each.seat} pays nothing: the seats "
                    "that did not win compare nothing in this hand.",
                    0,
                )


def _drawn(facts: HandFacts) -> Iterator[Step]:
    """How a hand ended that nobody won."""
    cause = cause_of(facts)
    if cause:
        zh, en = _CAUSES[cause]
        yield Step(f"{zh}流局。", f"A draw by {en} (RA-52).", 0)
    else:
        yield Step("流局，各家计零分。", "Nobody won; every seat scores 0 (RA-50).", 0)
