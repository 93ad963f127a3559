"""What a Hefei hand is worth: the table of items (HF-46), which reads like the rule page.

Each item is a line of ``ITEMS`` whose points are a function of one ``Win``: one winner's hand in
one reading, with one place for the winning tile (HF-42). Points are in units of the stake, 0 when
the item does not apply.
"""

from typing import Final, Literal, TypeAlias

from msgspec import Struct

from rules_engine.groups import Group
from rules_engine.score import NOT_COUNTED, Item, Worth, amount
from rules_engine.shapes import placing
from rules_engine.variants.hefei.options import HefeiOptions

FirstTurn: TypeAlias = Literal["", "tian_hu", "di_hu"]
"""The first-turn win a hand is scored as; ``""`` for the ordinary score."""
ENOUGH: Final = 8
"""Tiles of a suit that make it long; more of them are zhi (HF-48, HF-49)."""
FOUR: Final = 4
"""Tiles of a rank that are nothing special; more of them are tong (HF-52)."""
LOWEST_RANK: Final = 2
HIGHEST_RANK: Final = 8
"""The ranks of the game end here, so the 4 of 234 and the 6 of 678 are edge waits (HF-58)."""


class Win(Struct, frozen=True, kw_only=True):
    """One winner's hand as read: everything an item may look at.

    ``suits`` and ``ranks`` count all tiles owned, by suit m p s and by rank 1 to 9; ``runs`` and
    ``triplets`` hold the lowest kinds of the concealed sets; ``place`` is the group of the winning
    tile ``tile``. In seven pairs the last three are empty or None and ``quads`` counts the kinds
    held four times. ``single_wait``: the hand waited for one kind; True where no option asks.
    """

    options: HefeiOptions
    first_turn: FirstTurn
    zimo: bool
    deals: bool
    streak: int
    flags: tuple[str, ...]
    suits: tuple[int, ...]
    ranks: tuple[int, ...]
    gangs: int
    tile: int
    single_wait: bool
    seven_pairs: bool
    quads: int
    runs: tuple[int, ...]
    triplets: tuple[int, ...]
    place: Group | None

    @property
    def foreign(self) -> bool:
        """Whether the winning tile makes what it belongs to ming (HF-56)."""
        return not self.zimo or self.options.ming_rule == "winning_tile"

    @property
    def sum_points(self) -> int:
        """S of HF-44: what the multiplying items multiply."""
        return sum(item.points(self) for item in SUMMED)


def _base(win: Win) -> int:
    """胡牌基本分 base: every win; a club may leave it out of tian_hu and di_hu. HF-47 seed."""
    options = win.options
    if win.first_turn and not options.tian_di_hu_base:
        return 0
    return options.base_bao_ting if options.room == "bao_ting" else options.base_plain


def base_worth(options: HefeiOptions) -> Worth:
    """The base of the kind of room."""
    return amount(options.base_bao_ting if options.room == "bao_ting" else options.base_plain)


def _zhi(win: Win) -> int:
    """支 zhi: tiles of a suit above eight. HF-48 seed."""
    return win.options.points_zhi * sum([tiles - ENOUGH for tiles in win.suits if tiles > ENOUGH])


def _shuang_ba_zhi(win: Win) -> int:
    """双八支: two suits of eight tiles or more. HF-49 seed."""
    long_suits = len([tiles for tiles in win.suits if tiles >= ENOUGH])
    return win.options.points_shuang_ba_zhi if long_suits == 2 else 0


def _que_men(win: Win) -> int:
    """缺一门: exactly one suit is missing. HF-50 seed."""
    return win.options.points_que_men if win.suits.count(0) == 1 else 0


def _qing_yi_se(win: Win) -> int:
    """清一色: a single suit. HF-51 seed."""
    return win.options.points_qing_yi_se if win.suits.count(0) == 2 else 0


def _tong(win: Win) -> int:
    """同 tong: tiles of one rank above four, over all suits; the ranks are added up. HF-52 seed."""
    options = win.options
    if options.tong_count == "best":
        return options.points_tong * max(0, max(win.ranks) - FOUR)
    return options.points_tong * sum([tiles - FOUR for tiles in win.ranks if tiles > FOUR])


def live_kinds(win: Win) -> list[int]:
    """The kinds of the huo: a triplet whose fourth tile lies in a run (HF-55)."""
    runs = win.runs
    return [kind for kind in win.triplets if kind in runs or kind - 1 in runs or kind - 2 in runs]


def _kan(win: Win) -> int:
    """坎 kan: a concealed triplet, also one the won discard completes. HF-53 seed."""
    kinds = win.triplets
    if not kinds:
        return 0
    options = win.options
    if options.huo_kan == "huo_only":
        live = live_kinds(win)
        kinds = tuple(kind for kind in kinds if kind not in live)
    if not options.kan_on_dianpao and not win.zimo and _in_triplet(win):
        kinds = tuple(kind for kind in kinds if kind != win.tile)
    return options.points_kan * len(kinds)


def _in_triplet(win: Win) -> bool:
    """Whether the winning tile lies in a triplet."""
    return win.place is not None and win.place.shape == "triplet"


def _gang(win: Win) -> int:
    """暗杠 an gang: every concealed gang that was declared. HF-54 seed."""
    return win.options.points_gang * win.gangs


def _huo_ming(win: Win) -> int:
    """明活: a huo of the winning tile's kind, that tile being foreign. HF-55, HF-56 seed."""
    if not win.triplets or not win.foreign:
        return 0
    return win.options.points_huo_ming * (win.tile in live_kinds(win))


def _huo_an(win: Win) -> int:
    """暗活: every other huo. HF-55, HF-56 seed."""
    if not win.triplets:
        return 0
    live = live_kinds(win)
    own = [kind for kind in live if kind != win.tile] if win.foreign else live
    return win.options.points_huo_an * len(own)


def double_runs(win: Win) -> int:
    """How many double runs there are in all (HF-57)."""
    if len(set(win.runs)) == len(win.runs):
        return 0
    by_size = {1: 0, 2: 1, 3: 2, 4: win.options.shuang_pu_four_runs}
    return sum(by_size[win.runs.count(run)] for run in set(win.runs))


def ming_double_runs(win: Win) -> int:
    """How many of them are ming: one if the foreign winning tile lies in a run of theirs."""
    place = win.place
    if place is None or place.shape != "run" or not win.foreign:
        return 0
    return int(win.runs.count(place.kind) > 1)


def _shuang_pu_ming(win: Win) -> int:
    """明双铺子: a double run completed by a tile that is not one's own. HF-57, HF-56 seed."""
    return win.options.points_shuang_pu_ming * ming_double_runs(win)


def _shuang_pu_an(win: Win) -> int:
    """暗双铺子: every other double run. HF-57, HF-56 seed."""
    doubles = double_runs(win)
    return doubles and win.options.points_shuang_pu_an * (doubles - ming_double_runs(win))


def is_tight(win: Win) -> bool:
    """Whether the winning tile is in the pair, the middle of a run or the edge of one (HF-58)."""
    if win.place is None:
        return win.options.ka_qi_dui
    return placing(win.place, win.tile, LOWEST_RANK, HIGHEST_RANK) in ("pair", "middle", "edge")


def _ka(win: Win) -> int:
    """卡 ka: a pair, middle or edge wait, once. HF-58 seed."""
    return win.options.points_ka if win.single_wait and is_tight(win) else 0


def _qi_dui(win: Win) -> int:
    """七对: seven pairs. HF-59 seed."""
    return win.options.points_qi_dui if win.seven_pairs else 0


def qi_dui_worth(options: HefeiOptions) -> Worth:
    """Nothing where seven pairs do not win."""
    return amount(options.points_qi_dui) if options.allow_qi_dui else NOT_COUNTED


def _hai_lao(win: Win) -> int:
    """海捞: a win with one of the last four tiles. HF-61 seed."""
    return win.options.points_hai_lao if "hai_lao" in win.flags else 0


def _tian_hu(win: Win) -> int:
    """天胡: the dealer wins with the dealt tiles. HF-62 seed."""
    return win.options.points_tian_hu if win.first_turn == "tian_hu" else 0


def _di_hu(win: Win) -> int:
    """地胡: another seat wins in its first turn. HF-63 seed."""
    return win.options.points_di_hu if win.first_turn == "di_hu" else 0


def _hao_hua_qi_dui(win: Win) -> int:
    """豪华七对: seven pairs count once more for each quad. HF-60 seed."""
    if not win.quads:
        return 0
    extent = win.options.luxury_base
    if extent == "base_only":
        return _base(win) * win.quads
    return (win.sum_points + (_zhuang_fen(win) if extent == "all" else 0)) * win.quads


LUXURY: Final = {
    "base_only": Worth("每龙再计一次基本分", "the base again for each quad"),
    "all_but_zhuang": Worth(
        "每龙再计一次（庄分除外）", "all but the dealer's bonus again for each quad"
    ),
    "all": Worth("每龙全部再计一次", "everything again for each quad"),
}
"""What each quad of seven pairs adds (HF-60)."""


def luxury_worth(options: HefeiOptions) -> Worth:
    """Once more for each quad."""
    return LUXURY[options.luxury_base] if options.allow_qi_dui else NOT_COUNTED


def _gang_kai(win: Win) -> int:
    """杠后自摸: a replacement tile multiplies all but the dealer's bonus. HF-64 seed."""
    if "gang_kai" not in win.flags:
        return 0
    return win.sum_points * (win.options.gang_kai_mult - 1)


def zhuang_bonus(options: HefeiOptions, streak: int, *, zimo: bool) -> int:
    """庄分, the dealer's bonus: points per streak, more on zimo. HF-65 seed."""
    return streak * (options.points_zhuang_zimo if zimo else options.points_zhuang_dianpao)


def _zhuang_fen(win: Win) -> int:
    """庄分 zhuang fen of a winning dealer. HF-65 seed."""
    return zhuang_bonus(win.options, win.streak, zimo=win.zimo) if win.deals else 0


def zhuang_worth(options: HefeiOptions) -> Worth:
    """So many points for each hand of the streak."""
    won, drawn = options.points_zhuang_dianpao, options.points_zhuang_zimo
    return Worth(
        f"连庄数 × {won}，自摸 × {drawn}",
        f"streak × {won}, self-drawn × {drawn}",
    )


SUMMED: Final[tuple[Item[Win], ...]] = (
    Item(id="base", zh="胡牌基本分", en="base", rule="HF-47", points=_base, worth=base_worth),
    Item(id="zhi", zh="支", en="extra length", rule="HF-48", points=_zhi),
    Item(
        id="shuang_ba_zhi",
        zh="双八支",
        en="two suits of eight",
        rule="HF-49",
        points=_shuang_ba_zhi,
    ),
    Item(id="que_men", zh="缺一门", en="one suit missing", rule="HF-50", points=_que_men),
    Item(id="qing_yi_se", zh="清一色", en="one suit", rule="HF-51", points=_qing_yi_se),
    Item(id="tong", zh="同", en="same rank", rule="HF-52", points=_tong),
    Item(id="kan", zh="坎", en="triplet", rule="HF-53", points=_kan),
    Item(id="gang", zh="暗杠", en="concealed gang", rule="HF-54", points=_gang),
    Item(id="huo_ming", zh="明活", en="live quad, ming", rule="HF-55", points=_huo_ming),
    Item(id="huo_an", zh="暗活", en="live quad, an", rule="HF-55", points=_huo_an),
    Item(
        id="shuang_pu_ming",
        zh="明双铺子",
        en="double run, ming",
        rule="HF-57",
        points=_shuang_pu_ming,
    ),
    Item(id="shuang_pu_an", zh="暗双铺子", en="double run, an", rule="HF-57", points=_shuang_pu_an),
    Item(id="ka", zh="卡", en="tight wait", rule="HF-58", points=_ka),
    Item(
        id="qi_dui", zh="七对", en="seven pairs", rule="HF-59", points=_qi_dui, worth=qi_dui_worth
    ),
    Item(id="hai_lao", zh="海捞", en="win in the zone", rule="HF-61", points=_hai_lao),
    Item(id="tian_hu", zh="天胡", en="dealt win", rule="HF-62", points=_tian_hu),
    Item(id="di_hu", zh="地胡", en="first-turn win", rule="HF-63", points=_di_hu),
)
"""The items that make up S (HF-44)."""

AFTER_SUM: Final[tuple[Item[Win], ...]] = (
    Item(
        id="hao_hua_qi_dui",
        zh="豪华七对",
        en="luxury seven pairs",
        rule="HF-60",
        points=_hao_hua_qi_dui,
        worth=luxury_worth,
    ),
    Item(id="gang_kai", zh="杠后自摸", en="win after a gang", rule="HF-64", points=_gang_kai),
    Item(
        id="zhuang_fen",
        zh="庄分",
        en="dealer's bonus",
        rule="HF-65",
        points=_zhuang_fen,
        worth=zhuang_worth,
    ),
)
"""What comes on top of S: two multipliers, written as what they add, and the dealer's bonus."""

ITEMS: Final = SUMMED + AFTER_SUM
OF_FIRST_TURN: Final = frozenset({"base", "tian_hu", "di_hu", "zhuang_fen"})
"""What still counts with tian_hu or di_hu (HF-62, HF-63)."""


def weigh(win: Win) -> tuple[int, ...]:
    """The points of every item of ``ITEMS``, in its order."""
    if win.first_turn:
        return tuple(item.points(win) if item.id in OF_FIRST_TURN else 0 for item in ITEMS)
    return tuple([item.points(win) for item in ITEMS])
