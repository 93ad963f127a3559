"""From the facts of a Huaiyuan hand to points and payments (HY-90 to HY-108)."""

from collections.abc import Iterator

from rules_engine.errors import Violation
from rules_engine.facts import HandFacts, Meld, WinFacts
from rules_engine.score import HandScore, ItemLine, Scored, Step, Transfer, WinScore
from rules_engine.table import SEATS
from rules_engine.tiles import KIND, write
from rules_engine.variants.huaiyuan.flags import ABORTED
from rules_engine.variants.huaiyuan.items import ITEMS
from rules_engine.variants.huaiyuan.legality import Read, Weighed, read_hands, told_of
from rules_engine.variants.huaiyuan.melds import BIG_EGGS, GANGS, SPECIAL, added
from rules_engine.variants.huaiyuan.options import HuaiyuanOptions


def score(facts: HandFacts, options: HuaiyuanOptions) -> Scored:
    """The score and the payments of a hand, or why it may not be recorded (HY-56)."""
    read = read_hands(facts, options)
    if isinstance(read, Violation):
        return read
    wins = tuple([score_win(each, options) for each in read])
    return HandScore(wins=wins, transfers=tuple(transfers(facts, read, options)))


def score_win(read: Read, options: HuaiyuanOptions) -> WinScore:
    """One winner's lines, total (what an ordinary payer owes), reading and formula."""
    points = read.chosen.points
    return WinScore(
        seat=read.win.seat,
        items=tuple(
            [ItemLine(item.id, points[item.id], item.rule) for item in ITEMS if item.id in points]
        ),
        total=converted(read.chosen.fan, options),
        reading=reading_text(read.win, read.chosen),
        formula=formula(read.chosen.fan, options),
    )


def reading_text(win: WinFacts, chosen: Weighed) -> tuple[str, ...]:
    """The reading as a person writes it: melds, then groups, the bao as what it stands for."""
    melds = [meld.tiles for meld in win.melds]
    return (*melds, *[write(each.tiles) for each in chosen.case.reading.groups])


def converted(fan: int, options: HuaiyuanOptions) -> int:
    """HY-93: fan as points."""
    if options.fan_cap:
        fan = min(fan, options.fan_cap)
    points: int = fan if options.fan_mode == "additive" else 2 ** (fan - 1)
    return points


def formula(fan: int, options: HuaiyuanOptions) -> tuple[Step, ...]:
    """The steps of HY-88 and HY-93: the sum of fan, the cap, the conversion."""
    steps = [Step("各项番数相加", "sum of the fan", fan)]
    if options.fan_cap and fan > options.fan_cap:
        fan = options.fan_cap
        steps.append(Step("封顶", "cap", fan))
    if options.fan_mode == "doubling":
        power = fan - 1
        steps.append(Step(f"2 的 {power} 次方", f"2 to the power {power}", 2**power))
    return tuple(steps)


def transfers(
    facts: HandFacts, read: tuple[Read, ...], options: HuaiyuanOptions
) -> Iterator[Transfer]:
    """The payments: for each winner the hand, then everybody's gangs."""
    for each in read:
        rule, shares = payments(each, facts.dealer, options)
        for payer, points in shares:
            yield Transfer(payer, each.win.seat, points, "hu", "hu", rule, each.win.seq)
    if gangs_count(facts, options):
        for holder in sorted(told_of(facts), key=lambda each: each.seat):
            for meld in holder.melds:
                yield from gang_transfers(holder.seat, meld, options)


def payments(
    read: Read, dealer: int, options: HuaiyuanOptions
) -> tuple[str, list[tuple[int, int]]]:
    """The rule by which a win is paid, and who pays how many points (HY-90 to HY-94)."""
    win, fan = read.win, read.chosen.fan
    others = [(win.seat + step) % 4 for step in SEATS[1:]]
    if win.from_ is None:
        return "HY-91", [(seat, share(fan, seat, dealer, options)) for seat in others]
    lesser = fan - read.chosen.points.get("dianpao", 0)
    shares = [
        (seat, share(fan if seat == win.from_ else lesser, seat, dealer, options))
        for seat in others
    ]
    robbed = win.by == "qiang_gang"
    rule = "HY-94" if robbed else "HY-90"
    if options.dianpao_payers == "cover" or (robbed and options.qiang_gang_payers == "cover"):
        return rule, [(win.from_, sum(points for _, points in shares))]
    if options.dianpao_payers == "all":
        return rule, shares
    return rule, [each for each in shares if each[0] == win.from_]


def share(fan: int, payer: int, dealer: int, options: HuaiyuanOptions) -> int:
    """What one payer owes for so many fan (HY-92, HY-93)."""
    extra = options.fan_zhuang_hu if payer == dealer and options.dealer_pays_extra else 0
    return converted(fan + extra, options)


# --- gangs ----------------------------------------------------------------------------------------


def gangs_count(facts: HandFacts, options: HuaiyuanOptions) -> bool:
    """Whether the gangs of this hand are paid (HY-106, HY-107)."""
    if is_aborted(facts):
        return options.abort_settles_gang
    return bool(facts.wins) or options.gang_on_huang_zhuang


def is_aborted(facts: HandFacts) -> bool:
    """Whether these facts tell of a hand that was broken off (HY-20)."""
    return any(ABORTED in holding.flags for holding in facts.table)


def is_gang(meld: Meld) -> bool:
    """Whether a meld is a gang, special ones included."""
    return meld.kind in GANGS or meld.kind in SPECIAL


def gang_price(meld: Meld, options: HuaiyuanOptions) -> tuple[str, str, int]:
    """The payment's id, its rule, and what each payer owes for a gang (HY-101 to HY-104)."""
    if meld.kind in SPECIAL:
        return meld.kind, "HY-103", options.gang_special * (added(meld) + 1)
    kind = KIND[meld.tiles[0] + meld.tiles[-1]]
    concealed = meld.kind == "an_gang"
    if options.da_dan_enabled and kind in BIG_EGGS:
        price = options.gang_da_dan_an if concealed else options.gang_da_dan_ming
        return "da_dan", "HY-104", price
    if concealed:
        return meld.kind, "HY-102", options.gang_an
    return meld.kind, "HY-101", options.gang_ming


def gang_transfers(owner: int, meld: Meld, options: HuaiyuanOptions) -> Iterator[Transfer]:
    """What the others pay a seat for one meld (HY-100)."""
    if not is_gang(meld):
        return
    item, rule, points = gang_price(meld, options)
    fed = meld.kind == "ming_gang" and options.ming_gang_payer == "discarder"
    for step in SEATS[1:] if points else ():
        payer = (owner + step) % 4
        if not fed or payer == meld.from_:
            yield Transfer(payer, owner, points, "gang", item, rule, meld.seq)
