"""The flags of a recorded hand as data: with what each can be (HF-74)."""

from rules_engine.sheet_forms import FlagForm, OwnSheet
from rules_engine.variants.hefei.options import HefeiOptions


def sheet(options: HefeiOptions) -> OwnSheet:
    """The flags under these options."""
    late = () if options.initial_ting else ("ting",)
    flags = [
        FlagForm(
            id="gang_kai",
            zh="杠后自摸",
            en="after a gang",
            by=("zimo",),
            needs_meld=("an_gang",),
            without=("hai_lao", "tian_hu"),
        ),
        FlagForm(
            id="hai_lao", zh="海捞", en="last four", by=("zimo",), without=("tian_hu", "di_hu")
        ),
        FlagForm(
            id="tian_hu",
            zh="天胡",
            en="heavenly win",
            by=("zimo",),
            dealer=True,
            only_melds=(),
            without=("ting",),
        ),
        FlagForm(
            id="di_hu",
            zh="地胡",
            en="first turn",
            by=("zimo",),
            dealer=False,
            melds_need=("gang_kai",),
            without=late,
        ),
        FlagForm(
            id="dealer_first_discard",
            zh="庄家首张",
            en="dealer's first discard",
            by=("dianpao",),
            from_dealer=True,
            only_melds=(),
            without=late,
        ),
    ]
    if options.room == "bao_ting":
        flags.append(FlagForm(id="ting", zh="报听", en="declared ting"))
    return OwnSheet(flags=tuple(flags), no_wins=() if options.allow_dianpao else ("dianpao",))
