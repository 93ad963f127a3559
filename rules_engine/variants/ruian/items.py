"""What a Rui'an hand is worth: the table of items (section 10), read like the rule page.

Each line of ``ITEMS`` is an item with its kind and its value as a function of one ``Win`` (one
winner's hand in one reading). ``hu`` adds to H, ``tai`` to T and doubles, ``limit`` fixes the
value, ``times`` multiplies the payment and ``unit`` is the whole value of flat counting.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Final, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from rules_engine.score import NOT_COUNTED, Item, Worth, amount, factor_of
from rules_engine.variants.ruian.melds import SETS, Melded
from rules_engine.variants.ruian.options import RuianOptions

Shape: TypeAlias = Literal["standard", "eight_pairs", "bare"]
Wait: TypeAlias = Literal["end", "edge", "middle", "pair", "triplet", ""]
"""Where the winning tile lies (RA-43), as ``shapes.placing`` says it; "" in eight pairs."""
Earned: TypeAlias = Literal["", "zhong", "fa", "own"]
"""What a pair earns hu as."""
Kind: TypeAlias = Literal["hu", "tai", "limit", "times", "unit"]
UNITS: Final[Mapping[Kind, tuple[str, str]]] = {
    "hu": ("胡", "hu"),
    "tai": ("台", "tai"),
    "limit": ("胡", "hu"),
    "unit": ("底", "unit"),
}
"""What the points of an item are called."""
_TAI_OF_LIMIT: Final = 3
"""The tai a limit item stands for, and those above which a further tai pays (RA-73)."""


class Win(Struct, frozen=True, kw_only=True):
    """One winner's hand in one reading: everything an item may look at.

    ``flowers`` counts those set aside, ``wilds`` those in hand, ``substitutes`` the wilds that
    stand for another kind. ``runs`` counts all runs; ``crowded``: one holds two substitutes.
    ``pengs`` and ``an_ke`` count the triplets that earn hu, simple ones first. ``own``, ``zhong``,
    ``fa`` count the triplets and gangs that earn tai, ``winds`` says which winds have one. ``pair``
    is what the pair earns, ``pair_counts``: it is of a kind that could. ``suits`` are the suits of
    the standing tiles as bits, honours the bit 8. ``worthless``: nothing of value lies beside three
    wilds (RA-46).
    """

    options: RuianOptions
    by: str
    flags: tuple[str, ...]
    flowers: int
    wilds: int
    melded: Melded
    shape: Shape
    substitutes: int = 0
    runs: int = 0
    crowded: bool = False
    wait: Wait = ""
    pengs: tuple[int, int] = (0, 0)
    an_ke: tuple[int, int] = (0, 0)
    own: int = 0
    zhong: int = 0
    fa: int = 0
    winds: int = 0
    pair: Earned = ""
    pair_counts: bool = False
    wild_in_pair: bool = False
    suits: int = 0
    worthless: bool = False

    @property
    def drawn(self) -> bool:
        """RA-53: a self-draw, or what counts as one."""
        return self.by != "dianpao"

    @property
    def hard(self) -> bool:
        """硬牌 RA-74: no wild stands for another kind, or the club takes a self-draw for it."""
        return not self.substitutes or (self.options.zimo_is_hard and self.drawn)

    @property
    def flat(self) -> bool:
        """平胡 RA-60, before RA-61 takes its place."""
        return (
            self.runs == SETS and self.wait == "end" and not self.pair_counts and not self.crowded
        )


class RuianItem(Item[Win], frozen=True, kw_only=True):
    """An item with its kind. It counts ``each`` as many ``times`` as the hand has it."""

    kind: Kind
    each: int
    times: Callable[[Win], int]


Price: TypeAlias = int | Callable[[RuianOptions], int]
"""The hu, tai or factor of an item: a number, or what the options say."""


def _zi_mo(win: Win) -> int:
    """自摸: an own draw, or a robbed tile. RA-53 public P1."""
    return int(win.drawn)


def _bai_ban_hu(win: Win) -> int:
    """白板: each flower set aside. RA-54 public P1."""
    return win.flowers


def _bian_dang(win: Win) -> int:
    """边档: the 3 of 123 or the 7 of 789. RA-55 public P1."""
    return int(win.wait == "edge")


def _qian_dang(win: Win) -> int:
    """嵌档: the middle of a run. RA-55 public P1."""
    return int(win.wait == "middle")


def _dan_diao(win: Win) -> int:
    """单吊: the pair. RA-55 public P1."""
    return int(win.wait == "pair")


def _gang_shang_kai_hua(win: Win) -> int:
    """杠上开花: on the replacement of an own gang. RA-59 seed."""
    return int("gang_kai" in win.flags)


def _hai_di_lao_yue(win: Win) -> int:
    """海底捞月: on a dealt last tile or on the last discard. RA-59 seed."""
    return int("hai_di" in win.flags or "last_discard" in win.flags)


def _he_di_lao_yue(win: Win) -> int:
    """河底捞月: on the tile before the last ones. RA-59; value house."""
    return win.options.he_di_tai if "he_di" in win.flags else 0


def is_mixed_double(win: Win) -> bool:
    """双财神杂胡: a flat hand with two wilds outside the pair. RA-61 seed."""
    return win.wilds == 2 and not win.wild_in_pair and win.flat


def _peng_peng_hu(win: Win) -> int:
    """碰碰胡: no run. RA-65 seed."""
    return int(is_all_triplets(win))


def is_all_triplets(win: Win) -> bool:
    """Whether the hand is triplets, gangs and a pair (RA-65)."""
    return win.shape == "standard" and not win.runs


def _gang_gang_hu(win: Win) -> int:
    """杠杠胡: five gangs. RA-65 seed."""
    return int(win.melded.gangs == SETS)


def _hun_yi_se(win: Win) -> int:
    """混一色: honours and at most one suit. RA-66 seed; honours alone public P1."""
    return int(win.suits in {8, 9, 10, 12})


def _dan_zhang_diao(win: Win) -> int:
    """单张吊: five melds. RA-79 option, public P1."""
    return win.options.dan_zhang_diao_tai if win.melded.size == SETS else 0


def _limit(win: Win, *, applies: bool) -> int:
    """The value of a limit item (RA-71)."""
    return win.options.lazhi_value if applies else 0


def _si_feng_qi(win: Win) -> int:
    """四风齐: a triplet or gang of each wind. RA-68 seed."""
    return _limit(win, applies=win.winds == 15)


def _san_cai_shen(win: Win) -> int:
    """三财神: all three wilds; laid down without a shape it may count less. RA-46 seed."""
    if win.shape == "bare" and win.worthless and "tian_hu" not in win.flags:
        return win.options.san_cai_shen_bare_low
    return _limit(win, applies=win.wilds == 3)


def is_special(win: Win) -> str:
    """The item of the special hand this is, "" for none (RA-75)."""
    if win.options.special_times == 1:
        return ""
    if win.shape == "eight_pairs" and not win.substitutes:
        return "fan_bei_ying_ba_dui"
    if win.wilds == 3:
        return "fan_bei_san_cai_shen"
    return "fan_bei_peng_peng_hu" if is_all_triplets(win) else ""


def times_of(win: Win) -> tuple[str, int]:
    """The factor M with the item it comes from; 1 comes from none (RA-74, RA-75)."""
    options = win.options
    if win.shape == "bare":
        return "", 1
    special = is_special(win)
    if special:
        return special, options.ying_pai_times * options.special_times
    return ("ying_pai", options.ying_pai_times) if win.hard else ("", 1)


def _times(win: Win, item_id: str) -> int:
    """The factor where it comes from this item, 0 where it does not."""
    name, times = times_of(win)
    return times if name == item_id else 0


def _worth(kind: Kind, price: Price, options: RuianOptions) -> Worth:
    """What a line of the table is worth, in hu or tai; in flat mode only factors count."""
    if (options.value_mode == "flat") is not (kind == "unit") and kind != "times":
        return NOT_COUNTED
    return _written(kind, price if isinstance(price, int) else price(options))


def _written(kind: Kind, number: int) -> Worth:
    """The points of an item of this kind, with their unit."""
    return factor_of(number) if kind == "times" else amount(number, *UNITS[kind])


def _item(
    item_id: str,
    zh: str,
    en: str,
    kind: Kind,
    rule: str,
    points: Callable[[Win], int],
    price: Price,
) -> RuianItem:
    """A line whose points look at the options too; ``price`` is what one is worth."""
    return RuianItem(
        id=item_id,
        zh=zh,
        en=en,
        kind=kind,
        rule=rule,
        points=points,
        worth=partial(_worth, kind, price),
        written=partial(_written, kind),
        each=1,
        times=points,
    )


def _each(
    item_id: str, zh: str, en: str, kind: Kind, rule: str, price: int, times: Callable[[Win], int]
) -> RuianItem:
    """A line that counts ``price`` as many times as the hand has it."""
    item = _item(item_id, zh, en, kind, rule, lambda win: price * times(win), price)
    return replace(item, each=price, times=times)


HU: Final = (
    _item(
        "base_hu",
        "底胡",
        "Base",
        "hu",
        "RA-53",
        lambda win: win.options.base_hu,
        lambda options: options.base_hu,
    ),
    _each("zi_mo", "自摸", "Self-draw", "hu", "RA-53", 2, _zi_mo),
    _each("bai_ban_hu", "白板", "Whites, hu", "hu", "RA-54", 4, _bai_ban_hu),
    _each("bian_dang", "边档", "Edge wait", "hu", "RA-55", 2, _bian_dang),
    _each("qian_dang", "嵌档", "Closed wait", "hu", "RA-55", 2, _qian_dang),
    _each("dan_diao", "单吊", "Single wait", "hu", "RA-55", 2, _dan_diao),
    _each("peng", "碰", "Open triplet, 2 to 8", "hu", "RA-56", 2, lambda win: win.pengs[0]),
    _each(
        "peng_yao",
        "幺九碰",
        "Open triplet, terminal or honour",
        "hu",
        "RA-56",
        4,
        lambda win: win.pengs[1],
    ),
    _each("an_ke", "暗刻", "Concealed triplet, 2 to 8", "hu", "RA-56", 4, lambda win: win.an_ke[0]),
    _each(
        "an_ke_yao",
        "幺九暗刻",
        "Concealed triplet, terminal or honour",
        "hu",
        "RA-56",
        8,
        lambda win: win.an_ke[1],
    ),
    _each(
        "ming_gang",
        "明杠",
        "Open gang, 2 to 8",
        "hu",
        "RA-58",
        8,
        lambda win: win.melded.open_gangs[0],
    ),
    _each(
        "ming_gang_yao",
        "幺九明杠",
        "Open gang, terminal or honour",
        "hu",
        "RA-58",
        16,
        lambda win: win.melded.open_gangs[1],
    ),
    _each(
        "an_gang",
        "暗杠",
        "Concealed gang, 2 to 8",
        "hu",
        "RA-58",
        16,
        lambda win: win.melded.an_gangs[0],
    ),
    _each(
        "an_gang_yao",
        "幺九暗杠",
        "Concealed gang, terminal or honour",
        "hu",
        "RA-58",
        32,
        lambda win: win.melded.an_gangs[1],
    ),
    _each("dui_zhong", "中对", "Pair of zhong", "hu", "RA-58", 2, lambda win: win.pair == "zhong"),
    _each("dui_fa", "发对", "Pair of fa", "hu", "RA-58", 2, lambda win: win.pair == "fa"),
    _each(
        "dui_zi_feng",
        "自风对",
        "Pair of the own wind",
        "hu",
        "RA-58",
        2,
        lambda win: win.pair == "own",
    ),
)
"""The items that add hu."""
TAI: Final = (
    _each("bai_ban", "白板", "Whites, tai", "tai", "RA-54", 1, _bai_ban_hu),
    _each(
        "gang_shang_kai_hua", "杠上开花", "Win after a gang", "tai", "RA-59", 1, _gang_shang_kai_hua
    ),
    _each("hai_di_lao_yue", "海底捞月", "Bottom of the sea", "tai", "RA-59", 1, _hai_di_lao_yue),
    _item(
        "he_di_lao_yue",
        "河底捞月",
        "Bottom of the river",
        "tai",
        "RA-59",
        _he_di_lao_yue,
        lambda options: options.he_di_tai,
    ),
    _each(
        "qiang_gang",
        "抢杠胡",
        "Robbing a gang",
        "tai",
        "RA-59",
        1,
        lambda win: win.by == "qiang_gang",
    ),
    _each(
        "ping_hu",
        "平胡",
        "Flat hand",
        "tai",
        "RA-60",
        1,
        lambda win: win.flat and not is_mixed_double(win),
    ),
    _each(
        "shuang_cai_shen_za_hu",
        "双财神杂胡",
        "Double wild, mixed",
        "tai",
        "RA-61",
        2,
        is_mixed_double,
    ),
    _each(
        "shuang_cai_shen",
        "双财神",
        "Double wild",
        "tai",
        "RA-62",
        1,
        lambda win: win.wilds == 2 and not is_mixed_double(win),
    ),
    _each("zi_feng_ke", "自家风", "Own wind triplet", "tai", "RA-63", 1, lambda win: win.own),
    _each("hong_zhong_ke", "中", "Zhong triplet", "tai", "RA-63", 1, lambda win: win.zhong),
    _each("fa_cai_ke", "发", "Fa triplet", "tai", "RA-63", 1, lambda win: win.fa),
    _each("peng_peng_hu", "碰碰胡", "All triplets", "tai", "RA-65", 2, _peng_peng_hu),
    _each("gang_gang_hu", "杠杠胡", "All gangs", "tai", "RA-65", 1, _gang_gang_hu),
    _each("hun_yi_se", "混一色", "Half flush", "tai", "RA-66", 2, _hun_yi_se),
    _item(
        "dan_zhang_diao",
        "单张吊",
        "Five melds",
        "tai",
        "RA-79",
        _dan_zhang_diao,
        lambda options: options.dan_zhang_diao_tai,
    ),
)
"""The items that double."""


def _limit_of(options: RuianOptions) -> int:
    """The limit, in hu."""
    return options.lazhi_value


def _three_wilds_worth(options: RuianOptions) -> Worth:
    """The limit, or less where they are laid bare beside nothing of value."""
    limit, low = _worth("limit", _limit_of, options), options.san_cai_shen_bare_low
    if limit == NOT_COUNTED or low == options.lazhi_value:
        return limit
    return Worth(f"{limit.zh}，亮而无值 {low:,}", f"{limit.en}, laid bare {low:,}")


LIMITS: Final = (
    _item(
        "qing_yi_se",
        "清一色",
        "Full flush",
        "limit",
        "RA-67",
        lambda win: _limit(win, applies=win.suits in {1, 2, 4}),
        _limit_of,
    ),
    _item("si_feng_qi", "四风齐", "Four winds", "limit", "RA-68", _si_feng_qi, _limit_of),
    _item(
        "tian_hu",
        "天胡",
        "Heavenly win",
        "limit",
        "RA-69",
        lambda win: _limit(win, applies="tian_hu" in win.flags),
        _limit_of,
    ),
    _item(
        "di_hu",
        "地胡",
        "Earthly win",
        "limit",
        "RA-69",
        lambda win: _limit(win, applies="di_hu" in win.flags),
        _limit_of,
    ),
    replace(
        _item("san_cai_shen", "三财神", "Three wilds", "limit", "RA-46", _san_cai_shen, _limit_of),
        worth=_three_wilds_worth,
    ),
)
"""The hands that count the limit by themselves."""


def _la_zhi(win: Win) -> int:
    """拉直: enough tai without a limit item. RA-71 public P1, P6."""
    return weigh(win).line("la_zhi")


def _la_zhi_extra(win: Win) -> int:
    """Tai above the limit, where the club pays them. RA-73 option, public P1."""
    return weigh(win).line("la_zhi_extra")


LA_ZHI: Final = _item(
    "la_zhi",
    "拉直",
    "Limit by tai",
    "limit",
    "RA-71",
    _la_zhi,
    lambda options: options.lazhi_value if options.lazhi_tai else 0,
)
LA_ZHI_EXTRA: Final = _item(
    "la_zhi_extra",
    "拉直加台",
    "Tai above the limit",
    "limit",
    "RA-73",
    _la_zhi_extra,
    lambda options: options.lazhi_step,
)


def _special_times(options: RuianOptions) -> int:
    """The factor of a special hand, which takes the hard hand's with it (RA-75)."""
    special = options.special_times
    return 1 if special == 1 else special * options.ying_pai_times


def _eight_pairs_times(options: RuianOptions) -> int:
    """The same, where hard eight pairs win at all."""
    return _special_times(options) if options.ying_ba_dui else 1


TIMES: Final = (
    _item(
        "ying_pai",
        "硬牌",
        "Hard hand",
        "times",
        "RA-74",
        lambda win: _times(win, "ying_pai"),
        lambda options: options.ying_pai_times,
    ),
    _item(
        "fan_bei_ying_ba_dui",
        "硬八对番倍",
        "Special: hard eight pairs",
        "times",
        "RA-75",
        lambda win: _times(win, "fan_bei_ying_ba_dui"),
        _eight_pairs_times,
    ),
    _item(
        "fan_bei_san_cai_shen",
        "三财神番倍",
        "Special: three wilds with a hand",
        "times",
        "RA-75",
        lambda win: _times(win, "fan_bei_san_cai_shen"),
        _special_times,
    ),
    _item(
        "fan_bei_peng_peng_hu",
        "碰碰胡番倍",
        "Special: all triplets",
        "times",
        "RA-75",
        lambda win: _times(win, "fan_bei_peng_peng_hu"),
        _special_times,
    ),
)
"""The factors, of which one counts."""
UNIT: Final = _each("di", "底", "Unit", "unit", "RA-86", 1, lambda win: 1)
_ROWS: Final = {
    kind: tuple((item.id, item.each, item.times) for item in items)
    for kind, items in (("hu", HU), ("tai", TAI), ("limit", LIMITS))
}
"""What ``weigh`` goes through for every reading."""
ITEMS: Final = (*HU, *TAI, *LIMITS, LA_ZHI, LA_ZHI_EXTRA, UNIT, *TIMES)
"""Every item, in the order in which an answer lists them."""
BY_ID: Final = {item.id: item for item in ITEMS}


class Weighed(Struct, frozen=True):
    """A win in one reading with what it is worth (RA-70 to RA-77).

    ``lines`` are the items listed (RA-78) by id with their numbers; ``hu`` is H, ``tai`` T,
    ``limits`` counts the limit items, ``value`` is V, ``rounded`` P and ``times`` M.
    """

    win: Win
    lines: tuple[tuple[str, int], ...]
    hu: int
    tai: int
    limits: int
    value: int
    rounded: int
    times: int

    @property
    def total(self) -> int:
        """What an ordinary payer of the dealer's owes, in hu (RA-77)."""
        return self.rounded * self.times

    @property
    def rank(self) -> tuple[int, int, int, int, tuple[str, ...]]:
        """The least is scored: dearest, then as RA-78 says."""
        return -self.total, -self.limits, -self.tai, -self.hu, tuple([n for n, _ in self.lines])

    def line(self, item_id: str) -> int:
        """The number of one item, 0 where it is not listed."""
        return dict(self.lines).get(item_id, 0)


def round_up(amount: int, to: int) -> int:
    """The amount rounded up to a multiple."""
    return -(-amount // to) * to


def weigh(win: Win) -> Weighed:
    """What a hand in one reading is worth, with the items that say so."""
    options = win.options
    times_id, times = times_of(win)
    if options.value_mode == "flat":
        return Weighed(win, (("di", 1), *_times_line(times_id, times)), 0, 0, 0, 1, 1, times)
    limits = _lines("limit", win)
    if win.shape == "bare":
        value = max([points for _, points in limits], default=0)
        rounded = round_up(value, options.round_to)
        return Weighed(win, limits, 0, 0, len(limits), value, rounded, 1)
    tai = _lines("tai", win)
    doubled = sum([points for _, points in tai])
    hu = _lines("hu", win)
    added = sum([points for _, points in hu])
    if limits or 0 < options.lazhi_tai <= doubled:
        lines = _at_limit(win, tai, limits)
        value = options.lazhi_value + sum([p for name, p in lines if name == "la_zhi_extra"])
        if not options.times_on_lazhi:
            times_id, times = "", 1
    else:
        lines = (*hu, *tai)
        value = added << doubled
        if options.hu_cap:
            value = min(value, options.hu_cap)
    lines = (*lines, *_times_line(times_id, times))
    rounded = round_up(value, options.round_to)
    return Weighed(win, lines, added, doubled, len(limits), value, rounded, times)


Lines: TypeAlias = tuple[tuple[str, int], ...]


def _lines(kind: Kind, win: Win) -> Lines:
    """The items of a kind that the hand has, with their numbers."""
    return tuple([(name, each * n) for name, each, times in _ROWS[kind] if (n := times(win))])


def _times_line(item_id: str, times: int) -> Lines:
    """The line of the factor; a factor of 1 has none."""
    return ((item_id, times),) if times > 1 else ()


def _at_limit(win: Win, tai: Lines, limits: Lines) -> Lines:
    """The lines of a limit hand (RA-73, RA-78)."""
    options = win.options
    step = options.lazhi_step
    names = [name for name, _ in limits]
    lines = limits or ((LA_ZHI.id, options.lazhi_value),)
    if step or not limits:
        lines = (*tai, *lines)
    stands_for = _TAI_OF_LIMIT * len(limits) - ("si_feng_qi" in names and win.own > 0)
    above = sum([points for _, points in tai]) + stands_for - _TAI_OF_LIMIT
    if step and above > 0:
        lines = (*lines, (LA_ZHI_EXTRA.id, step * above))
    return lines
