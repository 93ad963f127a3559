"""The flags of a recorded hand as data: with what each can be (JX-150)."""

from typing import Final

from rules_engine.sheet_forms import FlagForm, OwnSheet
from rules_engine.table import SEATS
from rules_engine.variants.jiangxi.flags import WILD_COPIES
from rules_engine.variants.jiangxi.melds import GANGS
from rules_engine.variants.jiangxi.options import JiangxiOptions

FIRST: Final = ("fei_bao", "tou_ji", "gang_kai")
"""What cannot have come before a win in the first turn: flags, or families of them."""
ROBBED: Final = {
    "an_gang": ("抢暗杠", "robbed an an_gang"),
    "ming_gang": ("抢明杠", "robbed a ming_gang"),
}


def sheet(options: JiangxiOptions) -> OwnSheet:
    """The flags under these options."""
    flags = [
        FlagForm(
            id="tian_hu",
            zh="天糊",
            en="heavenly win",
            by=("zimo",),
            dealer=True,
            only_melds=(),
            without=FIRST,
        ),
        FlagForm(
            id="di_hu",
            zh="地糊",
            en="earthly win",
            by=("dianpao",),
            from_dealer=True,
            only_melds=(),
            without=FIRST,
        ),
        FlagForm(
            id="gang_kai", zh="杠开", en="after a gang", by=("zimo",), needs_meld=tuple(GANGS)
        ),
        FlagForm(id="tou_ji", zh="偷机", en="stolen chance"),
        FlagForm(id="hu_locked", zh="过胡未摸", en="let a win go", by=("dianpao", "qiang_gang")),
        *_wilds(options),
    ]
    if options.rob_kinds == "all":
        flags += [
            FlagForm(id=f"rob:{kind}", zh=zh, en=en, family="rob", by=("qiang_gang",))
            for kind, (zh, en) in ROBBED.items()
        ]
    return OwnSheet(
        flags=tuple(flags),
        wild="must",
        one_winner=("dianpao", *(("qiang_gang",) if options.rob_winners == "first" else ())),
    )


def _wilds(options: JiangxiOptions) -> list[FlagForm]:
    """The flags about the four wilds: flown, drawn by one seat, caught."""
    flown = [
        FlagForm(
            id=f"fei_bao:{count}", zh=f"飞宝×{count}", en=f"flew {count} bao", family="fei_bao"
        )
        for count in range(1, WILD_COPIES + 1)
    ]
    drawn = FlagForm(id="si_bao", zh="四个宝", en="drew all four bao", who="seat")
    caught = [
        FlagForm(
            id=f"jie_bao:{seat}",
            zh="接宝",
            en="caught the bao of",
            who="seat",
            family="jie_bao",
            seat=seat,
        )
        for seat in SEATS
    ]
    return [*flown, drawn, *(caught if options.jie_bao else [])]
