"""Niu groups and flags of a recorded hand as data: with what each can be (QD-132)."""

from rules_engine.facts import By
from rules_engine.sheet_forms import FlagForm, MeldForm, OwnSheet
from rules_engine.tiles import write
from rules_engine.variants.qingdao.flags import HIDDEN
from rules_engine.variants.qingdao.melds import FLOWER_PAIRS, GANGS, NIU_GROUPS
from rules_engine.variants.qingdao.options import QingdaoOptions


def sheet(options: QingdaoOptions) -> OwnSheet:
    """The niu groups and flags under these options."""
    no_wins: tuple[By, ...] = ("dianpao", "qiang_gang") if options.zimo_only else ()
    groups = tuple(write(group) for group in NIU_GROUPS.values())
    niu = MeldForm("niu", "扭", "niu", shape="set", sets=groups, wild=options.hun)
    return OwnSheet(
        flags=(*_replaced(options), *_first_and_last(options), *_declared(options)),
        melds=(niu,) if options.niu else (),
        wild="must" if options.hun else "no",
        flowers="1234f"[: options.flowers] + "f" if options.flowers else "",
        one_winner=() if options.multi_win else ("dianpao", "qiang_gang"),
        no_wins=no_wins,
    )


def _replaced(options: QingdaoOptions) -> list[FlagForm]:
    """What the winning draw replaced; at most one."""
    apart = ("hai_di",) if options.hai_di_zone == "draw_only" else ()
    found = [
        FlagForm(
            id="gang_kai",
            zh="杠上开花",
            en="after a gang",
            family="replaced",
            by=("zimo",),
            needs_meld=tuple(sorted(GANGS)),
            without=apart,
        )
    ]
    if options.niu:
        niu = FlagForm(
            id="niu_kai",
            zh="扭牌杠开",
            en="after a niu",
            family="replaced",
            by=("zimo",),
            needs_meld=("niu",),
            without=apart,
        )
        found.append(niu)
    if options.flowers:
        flower = FlagForm(
            id="hua_kai",
            zh="花开",
            en="after a flower",
            family="replaced",
            by=("zimo",),
            any_flower=True,
            without=apart,
        )
        found.append(flower)
    return found


def _first_and_last(options: QingdaoOptions) -> list[FlagForm]:
    """Wins with the first tiles and the last."""
    found = [
        FlagForm(
            id="tian_hu",
            zh="天胡",
            en="heavenly win",
            by=("zimo",),
            dealer=True,
            only_melds=(),
            no_flower=True,
        ),
        FlagForm(
            id="di_hu",
            zh="地胡",
            en="earthly win",
            by=("zimo", "dianpao"),
            dealer=False,
            only_melds=(),
            no_flower=True,
        ),
    ]
    if options.mode == "quan_dai_jiang":
        found.append(FlagForm(id="hai_di", zh="海底", en="last four", by=("zimo",)))
    return found


def _declared(options: QingdaoOptions) -> list[FlagForm]:
    """What was declared, and flowers set aside hidden."""
    barred = ("niu",) if options.niu_kou_ting == "never" else ()
    told = {
        "kou_ting": (("扣听", "hidden ting"), ("an", "both")),
        "ming_lou": (("明楼", "open ting"), ("ming", "both")),
    }
    declared = [
        FlagForm(id=name, zh=zh, en=en, family="declared", no_melds=barred)
        for name, ((zh, en), where) in told.items()
        if options.lou in where
    ]
    hidden = [
        FlagForm(
            id=name,
            zh=f"暗花 {number}",
            en=f"hidden flowers {number}",
            flowers=write(FLOWER_PAIRS[number - 1]),
        )
        for number, name in enumerate(HIDDEN, 1)
        if options.flowers >= 2 * number
    ]
    return [*declared, *hidden]
