"""From the facts of a hand of the bao game to points and payments (JX-80 to JX-95)."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from rules_engine.errors import Violation
from rules_engine.facts import HandFacts, Holding, Meld, WinFacts, seq_of_flag
from rules_engine.score import HandScore, ItemLine, Scored, Step, Transfer, WinScore
from rules_engine.table import NOTHING, SEATS
from rules_engine.tiles import Tiles, write
from rules_engine.variants.jiangxi.flags import read_flags, told_of
from rules_engine.variants.jiangxi.hands import Case, Hand, Read
from rules_engine.variants.jiangxi.items import ITEMS, Weighed
from rules_engine.variants.jiangxi.legality import read_hands
from rules_engine.variants.jiangxi.melds import GANGS
from rules_engine.variants.jiangxi.options import JiangxiOptions

NAMED: Final = {item.id: item for item in ITEMS}
"""The items by id."""


def score(facts: HandFacts, options: JiangxiOptions) -> Scored:
    """The score and the payments of a hand, or why it may not be recorded (JX-77)."""
    read = read_hands(facts, options)
    if isinstance(read, Violation):
        return read
    scores = tuple([score_win(each) for each in read])
    return HandScore(wins=scores, transfers=tuple(transfers(facts, read, options)))


def score_win(read: Read) -> WinScore:
    """One winner's lines in the order of JX-83, total, reading and formula."""
    weighed = read.weighed
    return WinScore(
        seat=read.win.seat,
        items=tuple(
            [
                ItemLine(item_id, points, NAMED[item_id].rule)
                for item_id, points in weighed.points.items()
            ]
        ),
        total=weighed.total,
        reading=reading_text(read),
        formula=formula(weighed),
    )


@lru_cache(maxsize=1024)
def _text(tiles: Tiles) -> str:
    """The compact text of a group."""
    return write(tiles)


def reading_text(read: Read) -> tuple[str, ...]:
    """The reading as a person writes it: melds, then groups."""
    melds = [meld.tiles for meld in read.win.melds]
    return (*melds, *groups_text(read.case, read.hand))


def groups_text(case: Case, hand: Hand) -> tuple[str, ...]:
    """The groups with wilds as what they stand for.

    A hand without groups (十三浪, 九幺) is written as the tiles it holds.
    """
    if not case.groups:
        return (_text(hand.as_they_are),)
    return tuple([_text(each.tiles) for each in case.groups])


def formula(weighed: Weighed) -> tuple[Step, ...]:
    """The steps of JX-82: the main item, each multiplier with the product, the cap."""
    product = 0
    steps = []
    for item_id, points in weighed.points.items():
        item = NAMED[item_id]
        if item is weighed.main:
            product = points
            steps.append(Step(item.zh, item.en, product))
        elif item_id == "cap":
            steps.append(Step(item.zh, item.en, weighed.total))
        else:
            by = (product + points) // product if product else 1
            product += points
            steps.append(Step(f"{item.zh} ×{by}", f"{item.en}, times {by}", product))
    return tuple(steps)


def transfers(
    facts: HandFacts, read: tuple[Read, ...], options: JiangxiOptions
) -> Iterator[Transfer]:
    """The payments: the wins (JX-85), then gangs, caught bao and four bao (JX-90 to JX-94)."""
    for each in read:
        win, total = each.win, each.weighed.total
        if total:
            for payer, shares in payers(win, options):
                yield Transfer(payer, win.seat, total * shares, "hu", "hu", "JX-85", win.seq)
    for holder in sorted(told_of(facts), key=lambda each: each.seat):
        yield from gangs(facts, holder, options)
        yield from wilds(facts, holder, options)


def payers(win: WinFacts, options: JiangxiOptions) -> list[tuple[int, int]]:
    """Who pays a win, and how many shares of its total (JX-85)."""
    if win.from_ is None:
        return [(seat, 1) for seat in others(win.seat)]
    if win.by == "dianpao":
        return [(win.from_, options.dian_pao_shares)]
    return [(win.from_, options.qiang_gang_shares)]


def others(seat: int) -> tuple[int, ...]:
    """The other seats in turn order."""
    return tuple((seat + step) % 4 for step in SEATS[1:])


def gangs(
    facts: HandFacts, holder: WinFacts | Holding, options: JiangxiOptions
) -> Iterator[Transfer]:
    """What the others pay a seat for its gangs (JX-90 to JX-92)."""
    if not facts.wins and not options.gang_on_draw:
        return
    for meld in holder.melds:
        if meld.kind in GANGS:
            for payer, points in gang_payers(meld, holder.seat, options):
                if points:
                    kind, seq = meld.kind, meld.seq
                    yield Transfer(payer, holder.seat, points, "gang", kind, "JX-90", seq)


def gang_payers(meld: Meld, owner: int, options: JiangxiOptions) -> list[tuple[int, int]]:
    """Who pays how much for a gang."""
    price: int = getattr(options, GANGS[meld.kind])
    if meld.kind == "ming_gang" and options.ming_gang_payer == "discarder":
        assert meld.from_ is not None, "a ming_gang without its discarder is refused"
        return [(meld.from_, 3 * price)]
    return [(seat, price) for seat in others(owner)]


def wilds(
    facts: HandFacts, holder: WinFacts | Holding, options: JiangxiOptions
) -> Iterator[Transfer]:
    """What a seat is paid for a caught bao (JX-93) or for four bao (JX-94)."""
    if not holder.flags:
        return
    flags = read_flags(holder.flags)
    seq = seq_of_flag(holder, "jie_bao") or facts.seq
    if flags.caught_from != NOTHING:
        by_all = options.jie_bao_payer == "all"
        for payer in others(holder.seat) if by_all else [flags.caught_from]:
            points = options.jie_bao
            yield Transfer(payer, holder.seat, points, "side", "jie_bao", "JX-93", seq)
    points = options.si_bao if facts.wins else options.si_bao_draw
    seq = seq_of_flag(holder, "si_bao") or facts.seq
    if flags.si_bao and points:
        for payer in others(holder.seat):
            yield Transfer(payer, holder.seat, points, "side", "si_bao", "JX-94", seq)
