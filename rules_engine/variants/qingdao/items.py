"""What a Qingdao hand is worth: the table of items (QD-73), read like the rule page.

Each line of ``ITEMS`` is an item with its condition, a function of one ``Win`` (one winner's hand
in one reading), what it is excluded by, and the modes that count it. Its price is the field of the
same name in ``QingdaoValues``; an item priced 0 does not exist (QD-108).
"""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from graphlib import TopologicalSorter
from math import prod
from typing import Final, Literal, TypeAlias

from msgspec import Struct

from rules_engine.groups import Group
from rules_engine.score import Item, Worth
from rules_engine.tiles import KIND
from rules_engine.variants.qingdao.options import QingdaoOptions
from rules_engine.variants.qingdao.worth import (
    cap_worth,
    counts,
    huang_worth,
    priced,
    product_worth,
)

Shape: TypeAlias = Literal["standard", "seven_pairs", "shi_san_yao"]
Class: TypeAlias = Literal["type", "bonus", "adjusting"]
"""``type``: a hand type, added or multiplied. ``bonus``: added. ``adjusting``: a computed line."""
Where: TypeAlias = Literal["all", "hun", "full"]
"""Counted in all modes, only with hun, or only in quan_dai_jiang."""
WINDS: Final = tuple(KIND[name] for name in ("1z", "2z", "3z", "4z"))
DRAGONS: Final = tuple(KIND[name] for name in ("5z", "6z", "7z"))
RANKS_OF_DRAGON: Final = (0, 3, 6)
"""The first ranks, from 0, of the runs 123, 456 and 789."""
FIXED_HUA_LONG: Final = (KIND["4m"], KIND["7p"], KIND["1s"])
"""The runs of the mixed dragon as the source document names them, by their lowest kind."""


class Case(Struct, frozen=True):
    """One way to read a hand: its shape and its groups, the pair last.

    Of seven pairs, ``doubled`` counts the kinds that are used by two of them and ``hun_pairs`` the
    pairs of two hun, which are not in ``groups``.
    """

    shape: Shape
    groups: tuple[Group, ...] = ()
    doubled: int = 0
    hun_pairs: int = 0


class Win(Struct, frozen=True, kw_only=True):
    """One winner's hand as read: everything an item may look at.

    ``runs`` and ``chis`` hold the lowest kinds of the concealed and the claimed runs, ``triplets``
    the kinds of all triplets and gangs, ``hun_sets`` counts the sets of three hun and ``hun_pair``
    says that the pair is two hun. ``suits`` counts all tiles owned of m, p, s and honours,
    ``dragons`` those of the honours that are arrows. ``ming_hua`` and ``an_hua`` count the complete
    flower pairs.
    """

    options: QingdaoOptions
    by: str
    flags: tuple[str, ...]
    huang_factor: int
    case: Case
    melds: int
    niu: int
    chis: tuple[int, ...]
    runs: tuple[int, ...]
    triplets: tuple[int, ...]
    hun_sets: int
    hun_pair: bool
    won_with_hun: bool
    suits: tuple[int, ...]
    dragons: int
    ming_hua: int
    an_hua: int

    @property
    def all_runs(self) -> tuple[int, ...]:
        """The lowest kinds of all runs."""
        return self.chis + self.runs


class QingdaoItem(Item[Win], frozen=True, kw_only=True):
    """An item with its class, its modes, how often a hand has it, and what excludes it."""

    category: Class
    where: Where = "all"
    times: Callable[[Win], int]
    excluded_by: tuple[str, ...] = ()


class Weighed(Struct, frozen=True):
    """A win in one reading with what it is worth (QD-114 to QD-116).

    ``points`` of the items that count, by id; ``hand`` from the types, ``unit`` with the bonuses,
    ``total`` after doubling and cap.
    """

    win: Win
    points: Mapping[str, int]
    hand: int
    unit: int
    total: int

    @property
    def rank(self) -> tuple[int, int, tuple[int, ...]]:
        """The least is chosen: greatest unit, fewest lines, the earlier lines (QD-62)."""
        places = tuple(sorted([PLACE[item_id] for item_id in self.points]))
        return -self.unit, len(places), places


def _base(win: Win) -> int:
    """底胡 base: a hand of no special type. QD-74 public P1, P2."""
    return 1


def _qi_dui(win: Win) -> int:
    """七对: seven pairs. QD-75 seed; value P1, P2."""
    return int(win.case.shape == "seven_pairs")


def _hao_hua_qi_dui(win: Win) -> int:
    """豪华七对: seven pairs with a kind used by two pairs. QD-76 seed; value P1."""
    return int(win.case.doubled >= 1)


def _chao_hao_hua_qi_dui(win: Win) -> int:
    """超豪华七对: seven pairs with two or three such kinds. QD-77 seed; value P1."""
    return int(win.case.doubled >= 2)


def all_triplets(win: Win) -> bool:
    """Whether all four sets are triplets, peng or gangs: no run, no chi, no niu."""
    return win.case.shape == "standard" and not (win.runs or win.chis or win.niu)


def _dui_dao(win: Win) -> int:
    """对倒: all triplets. QD-78 seed; value P1."""
    return int(all_triplets(win))


def _dui_dao_di_ba_yi(win: Win) -> int:
    """对倒底把一: four peng or gangs, the last tile drawn. QD-79 seed; value from P1."""
    drawn = win.by == "zimo" or not win.options.di_ba_yi_zimo_only
    return int(win.melds == 4 and drawn and all_triplets(win))


def _hui_shou_tao(win: Win) -> int:
    """回手掏: the same, won with a hun. QD-80 seed; value house."""
    return int(win.won_with_hun and _dui_dao_di_ba_yi(win))


def is_shou_ba_yi(win: Win) -> bool:
    """Whether one tile is left beside four melds, one of them a chi where the club asks for it."""
    return win.melds == 4 and bool(win.chis or not win.options.shou_ba_yi_needs_chi)


def _shou_ba_yi(win: Win) -> int:
    """手把一: four melds with a chi, one tile in hand. QD-81 seed; value P1."""
    return int(is_shou_ba_yi(win))


def _ba_yi_gang_kai(win: Win) -> int:
    """把一的杠开: the same, won on a gang's replacement. QD-82 seed; value from P1."""
    return int(is_shou_ba_yi(win) and "gang_kai" in win.flags)


def _tian_hu(win: Win) -> int:
    """天胡: the dealer wins with the dealt tiles. QD-83 seed; value house."""
    return int("tian_hu" in win.flags)


def _di_hu(win: Win) -> int:
    """地胡: another seat wins with its first tile. QD-84 seed; value house."""
    return int("di_hu" in win.flags)


def _hun_jiang(win: Win) -> int:
    """混将: a pair of two hun. QD-85 seed; value house."""
    return int(win.hun_pair)


def _hun_fu(win: Win) -> int:
    """混付: a set of three hun. QD-86 seed; value house."""
    return int(win.hun_sets > 0)


def holds_long(runs: tuple[int, ...]) -> bool:
    """Whether 123, 456 and 789 of one suit are among these runs."""
    return any(all(suit + rank in runs for rank in RANKS_OF_DRAGON) for suit in (0, 9, 18))


def _long(win: Win) -> str:
    """The dragon that counts: a hand that shows both has the dearer one (QD-109)."""
    if len(win.runs) + len(win.chis) < 3 or not holds_long(win.all_runs):
        return ""
    values = win.options.values
    concealed = holds_long(win.runs)
    claimed = any(
        suit <= chi < suit + 9 and chi - suit in RANKS_OF_DRAGON
        for suit in (0, 9, 18)
        if holds_long(tuple([run for run in win.all_runs if suit <= run < suit + 9]))
        for chi in win.chis
    )
    if concealed and claimed:
        return "an_long" if values.an_long > values.ming_long else "ming_long"
    return "an_long" if concealed else "ming_long"


def _ming_long(win: Win) -> int:
    """明龙: 123, 456, 789 of one suit with a chi among them. QD-87 seed; value house."""
    return int(_long(win) == "ming_long")


def _an_long(win: Win) -> int:
    """暗龙: the same three runs in the concealed hand. QD-88 seed; value house."""
    return int(_long(win) == "an_long")


def _hua_long(win: Win) -> int:
    """花龙: 123, 456, 789 in three suits. QD-89 seed; value house."""
    runs = win.all_runs
    if len(runs) < 3:
        return 0
    if win.options.hua_long == "fixed":
        return int(all(run in runs for run in FIXED_HUA_LONG))
    return int(
        any(
            low in runs and middle + 3 in runs and high + 6 in runs
            for low, middle, high in SUIT_ORDERS
        )
    )


SUIT_ORDERS: Final = (
    (0, 9, 18),
    (0, 18, 9),
    (9, 0, 18),
    (9, 18, 0),
    (18, 0, 9),
    (18, 9, 0),
)
"""The first kinds of the three suits in every order."""


def _feng_pai(win: Win) -> int:
    """凤牌: the same run in all three suits. QD-90 seed; value house."""
    runs = win.all_runs
    return int(len(runs) >= 3 and any(run + 9 in runs and run + 18 in runs for run in runs))


def _shi_san_yao(win: Win) -> int:
    """十三幺: fourteen concealed terminals and honours. QD-91 seed; value house."""
    return int(win.case.shape == "shi_san_yao")


def _da_san_yuan(win: Win) -> int:
    """大三元: triplets or gangs of all three dragons. QD-92 seed; value house."""
    return int(len(win.triplets) > 2 and all(kind in win.triplets for kind in DRAGONS))


def _da_si_xi(win: Win) -> int:
    """大四喜: triplets or gangs of all four winds. QD-93 seed; value house."""
    return int(len(win.triplets) > 3 and all(kind in win.triplets for kind in WINDS))


def _qing_yi_se(win: Win) -> int:
    """清一色: one suit only, or honours only. QD-94 seed; value P1, P2."""
    return int(win.case.shape != "shi_san_yao" and win.suits.count(0) == 3)


def _hun_yi_se(win: Win) -> int:
    """混一色: one suit and winds, no meld. QD-95 seed; value house."""
    if win.melds or win.case.shape == "shi_san_yao" or win.suits.count(0) != 2 or not win.suits[3]:
        return 0
    return int(not win.dragons or win.options.hun_yi_se_honours == "all")


def _hai_di_lao_yue(win: Win) -> int:
    """海底捞月: a self-drawn win with one of the last four tiles. QD-96 seed; value P1."""
    return int("hai_di" in win.flags)


def _gang_kai(win: Win) -> int:
    """杠上开花: a win on a gang's replacement. QD-98 seed; value P1."""
    return int("gang_kai" in win.flags)


def _niu_gang_kai(win: Win) -> int:
    """扭牌杠开: a win on the replacement of a niu tile or a flower. QD-99 seed; value P1."""
    return int("niu_kai" in win.flags or ("hua_kai" in win.flags and win.options.hua_kai))


def _qiang_gang(win: Win) -> int:
    """抢杠胡: robbing a gang. QD-100 seed."""
    return int(win.by == "qiang_gang")


def _kou_ting(win: Win) -> int:
    """扣听: declared ready, hand face down. QD-101 seed; value house."""
    return int("kou_ting" in win.flags and win.options.lou in ("an", "both"))


def _ming_lou(win: Win) -> int:
    """明楼: declared ready, hand shown. QD-102 seed; value P2."""
    return int("ming_lou" in win.flags and win.options.lou in ("ming", "both"))


def _zimo(win: Win) -> int:
    """自摸: self-draw. QD-103 house, off."""
    return int(win.by == "zimo")


def _ming_hua(win: Win) -> int:
    """明花: a flower pair set aside piece by piece. QD-104 seed."""
    return win.ming_hua


def _an_hua(win: Win) -> int:
    """暗花: a flower pair set aside together or in the opening. QD-105 seed."""
    return win.an_hua


def _computed(win: Win) -> int:
    """An adjusting line follows from the others; ``weigh`` computes it."""
    return 0


def _points_of(item_id: str, win: Win) -> int:
    """The points an item adds to a hand, 0 when it does not count."""
    return weigh(win).points.get(item_id, 0)


def _item(
    category: Class,
    number: int,
    item_id: str,
    zh: str,
    en: str,
    times: Callable[[Win], int],
    *,
    where: Where = "all",
    excluded_by: tuple[str, ...] = (),
    worth: Callable[[QingdaoOptions], Worth] | None = None,
) -> QingdaoItem:
    """A line of the table of items."""
    return QingdaoItem(
        id=item_id,
        zh=zh,
        en=en,
        rule=f"QD-{number}",
        points=partial(_points_of, item_id),
        worth=worth or partial(priced, item_id, where),
        category=category,
        where=where,
        times=times,
        excluded_by=excluded_by,
    )


_DI_BA_YI = ("dui_dao_di_ba_yi", "hui_shou_tao")
_SPECIAL: Final[tuple[QingdaoItem, ...]] = (
    _item(
        "type",
        75,
        "qi_dui",
        "七对",
        "seven pairs",
        _qi_dui,
        excluded_by=("hao_hua_qi_dui", "chao_hao_hua_qi_dui"),
    ),
    _item(
        "type",
        76,
        "hao_hua_qi_dui",
        "豪华七对",
        "luxury seven pairs",
        _hao_hua_qi_dui,
        excluded_by=("chao_hao_hua_qi_dui",),
    ),
    _item(
        "type",
        77,
        "chao_hao_hua_qi_dui",
        "超豪华七对",
        "super luxury seven pairs",
        _chao_hao_hua_qi_dui,
    ),
    _item(
        "type",
        78,
        "dui_dao",
        "对倒",
        "all triplets",
        _dui_dao,
        excluded_by=(*_DI_BA_YI, "da_si_xi"),
    ),
    _item(
        "type",
        79,
        "dui_dao_di_ba_yi",
        "对倒底把一",
        "all triplets to the last tile",
        _dui_dao_di_ba_yi,
        excluded_by=("hui_shou_tao",),
    ),
    _item("type", 80, "hui_shou_tao", "回手掏", "last tile by hun", _hui_shou_tao, where="hun"),
    _item(
        "type",
        81,
        "shou_ba_yi",
        "手把一",
        "one tile in hand",
        _shou_ba_yi,
        excluded_by=(*_DI_BA_YI, "dui_dao", "ba_yi_gang_kai"),
    ),
    _item(
        "type",
        82,
        "ba_yi_gang_kai",
        "把一的杠开",
        "gang kai with one tile in hand",
        _ba_yi_gang_kai,
        excluded_by=(*_DI_BA_YI, "dui_dao"),
    ),
    _item("type", 83, "tian_hu", "天胡", "heavenly hand", _tian_hu),
    _item("type", 84, "di_hu", "地胡", "earthly hand", _di_hu),
    _item("type", 85, "hun_jiang", "混将", "hun pair", _hun_jiang, where="hun"),
    _item("type", 86, "hun_fu", "混付", "hun set", _hun_fu, where="hun"),
    _item("type", 87, "ming_long", "明龙", "open dragon", _ming_long, where="full"),
    _item("type", 88, "an_long", "暗龙", "concealed dragon", _an_long, where="full"),
    _item("type", 89, "hua_long", "花龙", "mixed dragon", _hua_long, where="full"),
    _item(
        "type",
        90,
        "feng_pai",
        "凤牌",
        "phoenix",
        _feng_pai,
        where="full",
        excluded_by=("ming_long", "an_long"),
    ),
    _item("type", 91, "shi_san_yao", "十三幺", "thirteen terminals", _shi_san_yao, where="full"),
    _item("type", 92, "da_san_yuan", "大三元", "big three dragons", _da_san_yuan, where="full"),
    _item("type", 93, "da_si_xi", "大四喜", "big four winds", _da_si_xi, where="full"),
    _item("type", 94, "qing_yi_se", "清一色", "one suit", _qing_yi_se, where="full"),
    _item("type", 95, "hun_yi_se", "混一色", "one suit with winds", _hun_yi_se, where="full"),
    _item(
        "type", 96, "hai_di_lao_yue", "海底捞月", "last-tile draw", _hai_di_lao_yue, where="full"
    ),
)
"""The special types, every one of which replaces the base."""

ITEMS: Final[tuple[QingdaoItem, ...]] = (
    _item(
        "type",
        74,
        "base",
        "底胡",
        "plain hand",
        _base,
        excluded_by=tuple(item.id for item in _SPECIAL),
    ),
    *_SPECIAL,
    _item("adjusting", 97, "cheng", "番相乘", "product adjustment", _computed, worth=product_worth),
    _item(
        "bonus",
        98,
        "gang_kai",
        "杠上开花",
        "win on the gang replacement",
        _gang_kai,
        excluded_by=("ba_yi_gang_kai",),
    ),
    _item(
        "bonus",
        99,
        "niu_gang_kai",
        "扭牌杠开",
        "win on a niu or flower replacement",
        _niu_gang_kai,
    ),
    _item("bonus", 100, "qiang_gang", "抢杠胡", "robbing a gang", _qiang_gang),
    _item("bonus", 101, "kou_ting", "扣听", "hidden declaration", _kou_ting),
    _item("bonus", 102, "ming_lou", "明楼", "open declaration", _ming_lou),
    _item("bonus", 103, "zimo", "自摸", "self-draw", _zimo),
    _item("bonus", 104, "ming_hua", "明花", "open flower pair", _ming_hua),
    _item("bonus", 105, "an_hua", "暗花", "hidden flower pair", _an_hua),
    _item(
        "adjusting",
        106,
        "huang_fan_bei",
        "荒庄翻倍",
        "doubled after huang",
        _computed,
        worth=huang_worth,
    ),
    _item("adjusting", 107, "feng_ding", "封顶", "cap", _computed, worth=cap_worth),
)
"""All items in the order of the rule page (QD-73)."""

PLACE: Final[Mapping[str, int]] = {item.id: place for place, item in enumerate(ITEMS)}
BY_ID: Final[Mapping[str, QingdaoItem]] = {item.id: item for item in ITEMS}
_EXCLUDERS_FIRST: Final = tuple(
    TopologicalSorter({item.id: item.excluded_by for item in ITEMS}).static_order()
)


@lru_cache(maxsize=256)
def in_play(options: QingdaoOptions) -> tuple[tuple[QingdaoItem, int], ...]:
    """The items that can count under these options with their prices, excluders first."""
    return tuple(
        (item, price)
        for item in (BY_ID[item_id] for item_id in _EXCLUDERS_FIRST)
        if item.category != "adjusting"
        and (price := getattr(options.values, item.id))
        and counts(item.where, options)
    )


def weigh(win: Win) -> Weighed:
    """The items that count in this reading, and what they come to (QD-114 to QD-118)."""
    options = win.options
    points: dict[str, int] = {}
    types: list[int] = []
    bonus = 0
    for item, price in in_play(options):
        times = item.times(win)
        if not times or not points.keys().isdisjoint(item.excluded_by):
            continue
        points[item.id] = worth = times * price
        if item.category == "type":
            types.append(worth)
        else:
            bonus += worth
    hand = sum(types)
    if options.combine == "multiply" and types:
        product = prod(types)
        if product != hand:
            points["cheng"] = product - hand
        hand = product
    unit = hand + bonus
    total = unit * win.huang_factor
    if total != unit:
        points["huang_fan_bei"] = total - unit
    if options.cap and total > options.cap:
        points["feng_ding"] = options.cap - total
        total = options.cap
    return Weighed(win, points, hand, unit, total)
