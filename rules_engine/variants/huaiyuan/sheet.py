"""Special gangs and flags of a recorded hand as data: with what each can be (section 15)."""

from typing import Final

from rules_engine.sheet_forms import FlagForm, MeldForm, OwnSheet
from rules_engine.tiles import write
from rules_engine.variants.huaiyuan.flags import ABORTED
from rules_engine.variants.huaiyuan.melds import GANGS, SPECIAL, is_enabled
from rules_engine.variants.huaiyuan.options import HuaiyuanOptions

SPECIAL_NAMES: Final = {
    "xuanfeng_gang": ("旋风杠", "whirlwind gang"),
    "xi_gang": ("喜杠", "joy gang"),
    "yao_dan": ("幺蛋", "one-egg"),
    "jiu_dan": ("九蛋", "nine-egg"),
}
"""What payments and melds of special gangs are called."""


def sheet(options: HuaiyuanOptions) -> OwnSheet:
    """The special gangs and flags under these options."""
    special = [kind for kind in SPECIAL if is_enabled(kind, options)]
    return OwnSheet(
        flags=flags(options),
        melds=tuple(
            MeldForm(kind, *SPECIAL_NAMES[kind], shape="set", sets=(base,), adds=base)
            for kind in special
            for base in (write(SPECIAL[kind]),)
        ),
        wild="may" if options.bao_enabled else "no",
        chi_from="any" if options.chi_from == "any" else "before",
    )


def flags(options: HuaiyuanOptions) -> tuple[FlagForm, ...]:
    """The flags under these options."""
    threes = tuple(kind for kind in SPECIAL if kind != "xuanfeng_gang")
    found = [
        FlagForm(id="ting", zh="听牌", en="declared ting", without=("tian_hu", "last_in_gang")),
        FlagForm(
            id="gang_kai",
            zh="杠开",
            en="after a gang",
            by=("zimo",),
            needs_meld=(*sorted(GANGS), *SPECIAL),
            without=("last_in_gang",),
        ),
        FlagForm(id="hai_di", zh="海底", en="last tile", without=("last_in_gang",)),
        FlagForm(id="tian_hu", zh="天胡", en="heavenly win", by=("zimo",), dealer=True),
        FlagForm(
            id="last_in_gang",
            zh="末张入杠",
            en="last tile in a gang",
            by=("zimo",),
            dealer=None if options.special_gang_first_draw else True,
            needs_meld=threes,
            only_melds=threes,
        ),
        FlagForm(id=ABORTED, zh="中途散局", en="broken off", who="table"),
    ]
    if options.bao_enabled:
        bao = FlagForm(
            id="dui_bao",
            zh="对宝",
            en="won on the bao",
            by=("zimo",),
            on_wild=True,
            needs=("ting",),
            without=("gang_kai",),
        )
        found.insert(1, bao)
    return tuple(found)
