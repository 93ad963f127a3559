"""From the facts of a Qingdao hand to points and payments (QD-114 to QD-130)."""

from collections.abc import Iterator
from typing import Final

from rules_engine.errors import Violation
from rules_engine.facts import HandFacts, Meld, WinFacts
from rules_engine.score import HandScore, ItemLine, Scored, Step, Transfer, WinScore
from rules_engine.variants.qingdao.flags import huang_factor, huang_run
from rules_engine.variants.qingdao.hands import reading_text
from rules_engine.variants.qingdao.items import BY_ID, PLACE, Weighed
from rules_engine.variants.qingdao.legality import Read, read_hands, told_of
from rules_engine.variants.qingdao.melds import GANGS
from rules_engine.variants.qingdao.options import QingdaoOptions

SEATS: Final = range(4)


def score(facts: HandFacts, options: QingdaoOptions) -> Scored:
    """The score and the payments of a hand, or why it may not be recorded (QD-69)."""
    read = read_hands(facts, options)
    if isinstance(read, Violation):
        return read
    scores = tuple([score_win(each, win) for each, win in zip(read, facts.wins, strict=True)])
    return HandScore(wins=scores, transfers=tuple(transfers(facts, scores, options)))


def score_win(read: Read, win: WinFacts) -> WinScore:
    """One winner's lines in table order (QD-117), total, reading and formula."""
    points = read.chosen.points
    return WinScore(
        seat=win.seat,
        items=tuple(
            [
                ItemLine(item_id, points[item_id], BY_ID[item_id].rule)
                for item_id in sorted(points, key=PLACE.__getitem__)
            ]
        ),
        total=read.chosen.total,
        reading=reading_text(read.hand, read.chosen.win.case, win),
        formula=formula(read.chosen),
    )


def formula(chosen: Weighed) -> tuple[Step, ...]:
    """The steps of QD-114 to QD-116: hand, unit, doubling, cap."""
    win = chosen.win
    how = ("相乘", "multiplied") if win.options.combine == "multiply" else ("相加", "added")
    steps = [Step(f"牌型分（{how[0]}）", f"hand types, {how[1]}", chosen.hand)]
    if chosen.unit != chosen.hand:
        bonus = chosen.unit - chosen.hand
        steps.append(Step(f"加分 {bonus}", f"plus bonuses {bonus}", chosen.unit))
    doubled = chosen.unit * win.huang_factor
    if doubled != chosen.unit:
        factor = win.huang_factor
        steps.append(Step(f"荒庄后 ×{factor}", f"after huang, times {factor}", doubled))
    if chosen.total != doubled:
        steps.append(Step("封顶", "cap", chosen.total))
    return tuple(steps)


def transfers(
    facts: HandFacts, scores: tuple[WinScore, ...], options: QingdaoOptions
) -> Iterator[Transfer]:
    """The payments: for each winner the hand, then the gangs that pay."""
    for win, scored in zip(facts.wins, scores, strict=True):
        rule, payers = payers_of(win, facts, options)
        for payer, shares in payers:
            if scored.total:
                points = scored.total * shares
                yield Transfer(payer, win.seat, points, "hu", "hu", rule, win.seq)
        if options.gang_scope == "winner":
            yield from winners_gangs(win, facts, options)
    if options.gang_scope == "all":
        yield from all_gangs(facts, options)


def payers_of(
    win: WinFacts, facts: HandFacts, options: QingdaoOptions
) -> tuple[str, list[tuple[int, int]]]:
    """The rule by which a win is paid, and who pays how many times its total (QD-119 to QD-123)."""
    others = _others(win, facts, options)
    if win.from_ is None:
        return "QD-119", [(seat, 1) for seat in others]
    robbed = win.by == "qiang_gang"
    if robbed and options.qiang_gang_payer == "robbed_pays_all":
        return "QD-122", [(win.from_, 3)]
    if options.mode == "dian_pao":
        return "QD-122" if robbed else "QD-121", [(win.from_, 1)]
    shares = [(seat, options.discarder_factor if seat == win.from_ else 1) for seat in others]
    return "QD-122" if robbed else "QD-120", shares


def _others(win: WinFacts, facts: HandFacts, options: QingdaoOptions) -> list[int]:
    """The other seats; other winners only where winners pay each other (QD-123)."""
    spared = [win] if options.winners_pay_each_other else facts.wins
    seats = [each.seat for each in spared]
    return [seat for seat in SEATS if seat not in seats]


def winners_gangs(win: WinFacts, facts: HandFacts, options: QingdaoOptions) -> Iterator[Transfer]:
    """QD-124 to QD-126: a winner's own gangs, doubled like the hand."""
    gangs = [meld for meld in win.melds if meld.kind in GANGS]
    if not gangs:
        return
    payers = _gang_payers(win, facts, options)
    factor = huang_factor(huang_run(win.flags), options)
    for meld in gangs:
        for payer, shares in payers:
            points = gang_value(meld, options) * factor * shares
            if points:
                yield Transfer(payer, win.seat, points, "gang", meld.kind, "QD-126", meld.seq)


def _gang_payers(win: WinFacts, facts: HandFacts, options: QingdaoOptions) -> list[tuple[int, int]]:
    """Who pays a winner's gangs, and how many shares of them."""
    if options.gang_payers == "all":
        return [(seat, 1) for seat in _others(win, facts, options)]
    _, payers = payers_of(win, facts, options)
    if win.by == "qiang_gang" and options.qiang_gang_payer == "robbed_pays_all":
        return payers
    return [(seat, 1) for seat, _ in payers]


def gang_value(meld: Meld, options: QingdaoOptions) -> int:
    """The price of a gang of this kind (QD-124)."""
    value: int = getattr(options.values, meld.kind)
    return value


def all_gangs(facts: HandFacts, options: QingdaoOptions) -> Iterator[Transfer]:
    """QD-127: everybody's gangs, each paid by who fed it or by all three."""
    for holder in sorted(told_of(facts), key=lambda each: each.seat):
        for meld in holder.melds:
            if meld.kind in GANGS:
                yield from gang_of_all(holder.seat, meld, facts, options)


def gang_of_all(
    seat: int, meld: Meld, facts: HandFacts, options: QingdaoOptions
) -> Iterator[Transfer]:
    """QD-127: what is paid for one gang, whoever won."""
    if not facts.wins and options.huang_gang == "void":
        return
    run = huang_run(facts.wins[0].flags) if facts.wins else 0
    points = gang_value(meld, options) * huang_factor(run, options)
    payers = [meld.from_] if meld.from_ is not None else SEATS
    for payer in payers if points else ():
        if payer != seat:
            yield Transfer(payer, seat, points, "gang", meld.kind, "QD-127", meld.seq)
