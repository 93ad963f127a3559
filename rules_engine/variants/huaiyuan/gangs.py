"""The gangs of a Huaiyuan hand: what each was paid, or why nothing was (HY-100 to HY-107)."""

from collections.abc import Sequence
from typing import Final

from rules_engine.facts import HandFacts, Meld
from rules_engine.gangs import GangTold, Unpaid, tell_gangs
from rules_engine.score import Transfer
from rules_engine.variants.huaiyuan.melds import GANGS, SPECIAL
from rules_engine.variants.huaiyuan.options import HuaiyuanOptions
from rules_engine.variants.huaiyuan.score import (
    gang_price,
    gang_transfers,
    gangs_count,
    is_aborted,
)

GANG_KINDS: Final = GANGS | SPECIAL.keys()
ROBBED: Final = Unpaid(
    "HY-105", "被抢，作废，不算杠钱。", "what was added was robbed: it is void and pays nothing"
)


def gangs(facts: HandFacts, options: HuaiyuanOptions) -> tuple[GangTold, ...]:
    """The gangs of a hand, special ones included."""
    counts = gangs_count(facts, options)

    def pay(seat: int, meld: Meld) -> Sequence[Transfer]:
        return tuple(gang_transfers(seat, meld, options)) if counts else ()

    def why(seat: int, meld: Meld) -> Unpaid:
        del seat
        if not counts and is_aborted(facts):
            return Unpaid("HY-107", "中途散局不算杠钱。", "a hand broken off settles no gangs")
        if not counts:
            return Unpaid(
                "HY-106",
                "本房荒庄不算杠钱。",
                "this club settles no gangs when nobody won",
            )
        _, rule, _ = gang_price(meld, options)
        return Unpaid(rule, "本房这种杠为零。", "this club gives 0 for such a gang")

    return tell_gangs(facts, kinds=GANG_KINDS, pay=pay, why=why, robbed=ROBBED)
