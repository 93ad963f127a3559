"""The flags of a recorded hand as data: with what each can be (section 15, RA-52)."""

from typing import Final

from rules_engine.sheet_forms import FlagForm, OwnSheet
from rules_engine.variants.ruian.flags import CAUSES, FOUR_GANGS, FOUR_SAME_WINDS, TRIPLE_HU
from rules_engine.variants.ruian.melds import GANGS
from rules_engine.variants.ruian.options import RuianOptions

MOMENT: Final = "moment"
"""The family of flags of which a win carries at most one."""
CAUSE_NAMES: Final = {
    FOUR_SAME_WINDS: ("四风连打", "four same winds"),
    FOUR_GANGS: ("四杠散局", "four gangs"),
    TRIPLE_HU: ("三家同胡", "three winners at once"),
}


def sheet(options: RuianOptions) -> OwnSheet:
    """The flags under these options."""
    flags = (
        FlagForm(
            id="tian_hu",
            zh="天胡",
            en="heavenly win",
            family=MOMENT,
            by=("zimo",),
            dealer=True,
            only_melds=("an_gang",) if options.tian_hu_after_gang else (),
        ),
        FlagForm(
            id="di_hu",
            zh="地胡",
            en="earthly win",
            family=MOMENT,
            by=("dianpao",),
            from_dealer=True,
            only_melds=(),
        ),
        FlagForm(
            id="gang_kai",
            zh="杠上开花",
            en="after a gang",
            by=("zimo",),
            needs_meld=tuple(sorted(GANGS)),
            without=("hai_di", "he_di"),
        ),
        FlagForm(id="hai_di", zh="海底牌", en="a last tile", family=MOMENT, by=("zimo",)),
        FlagForm(id="he_di", zh="河底牌", en="the river tile", family=MOMENT, by=("zimo",)),
        FlagForm(
            id="last_discard", zh="最后打出", en="last discard", family=MOMENT, by=("dianpao",)
        ),
        *[
            FlagForm(id=cause, zh=zh, en=en, who="table", family="cause")
            for cause, (zh, en) in CAUSE_NAMES.items()
            if getattr(options, CAUSES[cause])
        ],
    )
    compares = options.side_settlement != "off"
    white_or_red = "57z" if options.flower_when_white_wild == "7z" else "5z"
    return OwnSheet(flags=flags, wild="must", flowers=white_or_red, others=compares)
