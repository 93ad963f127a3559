"""What a Shangrao hand is worth: one main item times the multipliers that apply (JX-80 to JX-88).

``MAINS`` and ``MULTIPLIERS`` read like the table of the rule page: each line names the shape or the
condition it needs, a function of one ``Win`` (one winner's hand in one reading). The price of a
main item is the option ``value_<id>``, that of a multiplier ``factor_<id>``.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from rules_engine.score import NOT_COUNTED, Item, Worth, factor_of
from rules_engine.variants.jiangxi.options import JiangxiOptions

Shape: TypeAlias = Literal["standard", "seven_pairs", "apart", "nine_one", "tian_hu", "di_hu"]
"""What a hand is read as. The first-turn wins 天糊 and 地糊 look at no reading (JX-86)."""
ALONE: Final = ("tian_hu", "di_hu")


class Win(Struct, frozen=True, kw_only=True):
    """One winner's hand as read: everything an item may look at.

    ``replaced`` counts the wilds that stand for another kind; ``runs`` are the lowest kinds of the
    runs, chi included; ``quad``, ``real_quad``: seven pairs have a kind four times as read, or four
    tiles of a kind each of which is itself; ``stars``: all seven honours; ``orphans``: every tile
    as read, melds included, is a 1, a 9 or an honour. ``diao``: the hand stood in bao_diao_tou
    before the winning tile (JX-60); ``drew_wild``: that tile was drawn by the winner and is a wild;
    ``flown``: wilds the winner discarded.
    """

    options: JiangxiOptions
    by: str
    shape: Shape
    replaced: int
    holds_wild: bool
    runs: tuple[int, ...]
    quad: bool
    real_quad: bool
    stars: bool
    orphans: bool
    diao: bool
    tou_ji: bool
    drew_wild: bool
    gang_kai: bool
    flown: int
    melds: int

    @property
    def with_bao(self) -> bool:
        """Whether the reading is one with bao (JX-76)."""
        return self.replaced > 0 or (self.holds_wild and self.options.qing_strict)


class MainItem(Item[Win], frozen=True, kw_only=True):
    """A main item: the shape it belongs to, and what it needs besides."""

    shape: Shape
    fits: Callable[[Win], bool]


class Multiplier(Item[Win], frozen=True, kw_only=True):
    """A multiplier: whether it applies, how many times over, and with which main items."""

    times: Callable[[Win], int]
    only_with: tuple[str, ...] = ()


class Weighed(Struct, frozen=True):
    """A win in one reading with what it is worth (JX-82).

    ``points`` of the items that count by id, in their order; ``product`` before the cap and
    ``total`` after it, both of one share.
    """

    win: Win
    main: MainItem
    points: Mapping[str, int]
    product: int
    total: int

    @property
    def rank(self) -> tuple[int, int, int, int]:
        """The least is scored (JX-87). The product tells apart what a cap makes equal."""
        return -self.total, self.win.replaced, PLACE[self.main.id], -self.product


def _always(win: Win) -> bool:
    """A main item that needs its shape only: 天糊, 地糊, 十三浪, 九幺, 平糊."""
    return True


def _qing_hao_hua_qi_dui(win: Win) -> bool:
    """清奢华七对: a kind four times, without bao. JX-103 seed; value house."""
    return win.quad and not win.with_bao


def _hao_hua_qi_dui(win: Win) -> bool:
    """奢华七对: a kind four times as read, with bao. JX-104 seed; value house."""
    return (win.quad if win.options.hao_hua_wild else win.real_quad) and win.with_bao


def _without_bao(win: Win) -> bool:
    """清七对: seven pairs without bao. JX-105 seed; value public SR."""
    return not win.with_bao


def _qing_peng_peng_hu(win: Win) -> bool:
    """清碰碰糊: triplets and gangs only, without bao. JX-106 seed; value public SR."""
    return not (win.runs or win.with_bao)


def _with_bao(win: Win) -> bool:
    """七对: seven pairs with bao. JX-107 seed; value public FT."""
    return win.with_bao


def _peng_peng_hu(win: Win) -> bool:
    """碰碰糊: triplets and gangs only, with bao, not out of bao_diao_tou. JX-108 seed."""
    return not win.runs and win.with_bao and (not win.diao or win.options.peng_peng_in_diao)


def _stars(win: Win) -> bool:
    """七星: all seven honours. JX-109, JX-113 seed; values public FT."""
    return win.stars


def _bao_diao_tou(win: Win) -> bool:
    """宝吊头: one wild beside complete sets; own draw or robbed gang. JX-110 seed; value WY."""
    return win.diao and win.by != "dianpao"


def _ping_hu_zi_mo(win: Win) -> bool:
    """平糊自摸: with a run, without bao, own draw. JX-111 seed; value public FT, SR."""
    return bool(win.runs) and not win.with_bao and win.by == "zimo"


def _gang_kai(win: Win) -> int:
    """杠开: an own replacement tile. JX-116 seed; value public WY, FT."""
    return int(win.gang_kai)


def _qiang_gang(win: Win) -> int:
    """抢杠: won by robbing a gang. JX-117 seed; value public WY, FT."""
    return int(win.by == "qiang_gang")


def stolen(win: Win) -> str:
    """Which of 偷机, 宝吊宝 and 宝吊无宝 the win is (JX-61 to JX-64), ``""`` for none.

    The two rarer ones replace 偷机 and need an own draw; a club may give them without a win
    declined before.
    """
    if win.shape != "standard" or not win.diao or win.by == "dianpao":
        return ""
    if win.by == "zimo" and (win.tou_ji or not win.options.tou_ji_required):
        if not win.replaced:
            return "bao_diao_wu_bao"
        if win.drew_wild:
            return "bao_diao_bao"
    return "tou_ji" if win.tou_ji else ""


def _tou_ji(win: Win) -> int:
    """偷机: a win was declined before, once however often. JX-118 house."""
    return int(stolen(win) == "tou_ji")


def _bao_diao_bao(win: Win) -> int:
    """宝吊宝: a wild drawn while stealing, and a wild still replaces. JX-119 house."""
    return int(stolen(win) == "bao_diao_bao")


def _bao_diao_wu_bao(win: Win) -> int:
    """宝吊无宝: won while stealing with every wild itself. JX-120 house."""
    return int(stolen(win) == "bao_diao_wu_bao")


def _fei_bao(win: Win) -> int:
    """飞宝: once for each wild the winner discarded. JX-121 public SR, WY."""
    return win.flown


def _dan_diao(win: Win) -> int:
    """单吊: four melds, one tile in hand. JX-122 public SR."""
    return int(win.melds == 4)


def _jiu_yao_jia(win: Win) -> int:
    """九幺加: terminals and honours only, where the club stacks them. JX-123 public SR, FT."""
    return int(win.orphans and win.options.jiu_yao_stack)


def points_of(item_id: str, win: Win) -> int:
    """The points of one item in the best way to score this reading, 0 when it does not count."""
    return weigh(win).points.get(item_id, 0)


def cap_worth(options: JiangxiOptions) -> Worth:
    """The most that one payer owes."""
    cap = options.cap
    return Worth(f"每家至多 {cap:,}", f"at most {cap:,} a payer") if cap else NOT_COUNTED


def each_bao_worth(options: JiangxiOptions) -> Worth:
    """The factor of every flown wild."""
    by = options.factor_fei_bao
    return Worth(f"每张 ×{by}", f"×{by} each") if by > 1 else NOT_COUNTED


def stacked_worth(options: JiangxiOptions) -> Worth:
    """The factor where the club stacks."""
    return factor_of(options.factor_jiu_yao_jia if options.jiu_yao_stack else 1)


def _main(
    number: int, item_id: str, zh: str, en: str, shape: Shape, fits: Callable[[Win], bool] = _always
) -> MainItem:
    """A line of the table of main items."""
    return MainItem(
        id=item_id,
        zh=zh,
        en=en,
        rule=f"JX-{number}",
        points=partial(points_of, item_id),
        shape=shape,
        fits=fits,
    )


def _times(
    number: int,
    item_id: str,
    zh: str,
    en: str,
    times: Callable[[Win], int],
    only_with: tuple[str, ...] = (),
    worth: Callable[[JiangxiOptions], Worth] | None = None,
) -> Multiplier:
    """A line of the table of multipliers."""
    return Multiplier(
        id=item_id,
        zh=zh,
        en=en,
        rule=f"JX-{number}",
        points=partial(points_of, item_id),
        times=times,
        only_with=only_with,
        worth=worth,
    )


MAINS: Final[tuple[MainItem, ...]] = (
    _main(101, "tian_hu", "天糊", "heavenly win", "tian_hu"),
    _main(102, "di_hu", "地糊", "earthly win", "di_hu"),
    _main(
        103,
        "qing_hao_hua_qi_dui",
        "清奢华七对",
        "pure luxury seven pairs",
        "seven_pairs",
        _qing_hao_hua_qi_dui,
    ),
    _main(104, "hao_hua_qi_dui", "奢华七对", "luxury seven pairs", "seven_pairs", _hao_hua_qi_dui),
    _main(105, "qing_qi_dui", "清七对", "pure seven pairs", "seven_pairs", _without_bao),
    _main(106, "qing_peng_peng_hu", "清碰碰糊", "pure triplets", "standard", _qing_peng_peng_hu),
    _main(107, "qi_dui", "七对", "seven pairs", "seven_pairs", _with_bao),
    _main(108, "peng_peng_hu", "碰碰糊", "all triplets", "standard", _peng_peng_hu),
    _main(109, "qi_xing_shi_san_lang", "七星十三浪", "seven-star apart", "apart", _stars),
    _main(110, "bao_diao_tou", "宝吊头", "bao single wait", "standard", _bao_diao_tou),
    _main(111, "ping_hu_zi_mo", "平糊自摸", "plain self-draw", "standard", _ping_hu_zi_mo),
    _main(112, "shi_san_lang", "十三浪", "thirteen apart", "apart"),
    _main(113, "qi_xing_jiu_yao", "七星九幺", "seven-star nine-one", "nine_one", _stars),
    _main(114, "ping_hu", "平糊", "plain win", "standard"),
    _main(115, "jiu_yao", "九幺", "nine-one", "nine_one"),
)
"""The main items in the order that decides a tie (JX-87)."""

MULTIPLIERS: Final[tuple[Multiplier, ...]] = (
    _times(116, "gang_kai", "杠开", "win after a gang", _gang_kai),
    _times(117, "qiang_gang", "抢杠", "robbing a gang", _qiang_gang),
    _times(118, "tou_ji", "偷机", "stolen chance", _tou_ji),
    _times(119, "bao_diao_bao", "宝吊宝", "bao meets bao", _bao_diao_bao),
    _times(120, "bao_diao_wu_bao", "宝吊无宝", "bao becomes itself", _bao_diao_wu_bao),
    _times(121, "fei_bao", "飞宝", "flown bao", _fei_bao, worth=each_bao_worth),
    _times(122, "dan_diao", "单吊", "single wait", _dan_diao),
    _times(
        123,
        "jiu_yao_jia",
        "九幺加",
        "terminals and honours",
        _jiu_yao_jia,
        only_with=tuple(item.id for item in MAINS[2:8]),
        worth=stacked_worth,
    ),
)
"""The multipliers in the order in which they are applied (JX-83)."""

CAP: Final = Item[Win](
    id="cap",
    zh="封顶",
    en="cap",
    rule="JX-124",
    points=partial(points_of, "cap"),
    worth=cap_worth,
)
ITEMS: Final[tuple[Item[Win], ...]] = (*MAINS, *MULTIPLIERS, CAP)
"""All items in the order of the rule page (JX-80)."""
PLACE: Final[Mapping[str, int]] = {item.id: place for place, item in enumerate(MAINS)}
BY_SHAPE: Final[Mapping[str, tuple[MainItem, ...]]] = {
    shape: tuple(item for item in MAINS if item.shape == shape)
    for shape in {item.shape: None for item in MAINS}
}


def price(item: MainItem, options: JiangxiOptions) -> int:
    """The points of a main item."""
    value: int = getattr(options, f"value_{item.id}")
    return value


def factor(item: Multiplier, win: Win) -> int:
    """What the item multiplies by in this win; 1 when it does not apply (JX-83)."""
    times = item.times(win)
    if not times:
        return 1
    single: int = getattr(win.options, f"factor_{item.id}")
    multiplied: int = single**times
    return multiplied


def weigh(win: Win) -> Weighed:
    """The main item that makes most of this reading, with its multipliers (JX-82, JX-87)."""
    factors = factors_of(win)
    best: Weighed | None = None
    for item in BY_SHAPE[win.shape]:
        if item.fits(win):
            weighed = weigh_as(win, item, factors)
            if best is None or weighed.rank < best.rank:
                best = weighed
    assert best is not None, "every shape has a main item that any reading of it fulfils"
    return best


def factors_of(win: Win) -> tuple[tuple[Multiplier, int], ...]:
    """The multipliers that apply with their factors; a first-turn win has none (JX-86)."""
    if win.shape in ALONE:
        return ()
    return tuple([(item, by) for item in MULTIPLIERS if (by := factor(item, win)) > 1])


def weigh_as(win: Win, main: MainItem, factors: tuple[tuple[Multiplier, int], ...]) -> Weighed:
    """The reading scored with this main item."""
    product = price(main, win.options)
    points = {main.id: product}
    for item, by in factors:
        if item.only_with and main.id not in item.only_with:
            continue
        points[item.id] = product * (by - 1)
        product *= by
    cap = win.options.cap
    total = product
    if cap and product > cap:
        points[CAP.id] = cap - product
        total = cap
    return Weighed(win, main, points, product, total)
