"""The gangs of a Qingdao hand: what each was paid, or why nothing was (QD-71, QD-124 to QD-128)."""

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from rules_engine.facts import HandFacts, Meld
from rules_engine.gangs import GangTold, Unpaid, tell_gangs
from rules_engine.score import Transfer
from rules_engine.variants.qingdao.melds import GANGS
from rules_engine.variants.qingdao.options import QingdaoOptions
from rules_engine.variants.qingdao.score import gang_of_all, gang_value, winners_gangs

ROBBED: Final = Unpaid(
    "QD-128",
    "补杠被抢，退回碰，不计杠分。",
    "the gang was robbed: it stays a peng and pays nothing",
)


def gangs(facts: HandFacts, options: QingdaoOptions) -> tuple[GangTold, ...]:
    """The gangs of a hand."""
    wins = {win.seat: win for win in facts.wins}

    def pay(seat: int, meld: Meld) -> Sequence[Transfer]:
        if options.gang_scope == "all":
            return tuple(gang_of_all(seat, meld, facts, options))
        win = wins.get(seat)
        if win is None:
            return ()
        return tuple(winners_gangs(replace(win, melds=(meld,)), facts, options))

    def why(seat: int, meld: Meld) -> Unpaid:
        del seat
        if not gang_value(meld, options):
            return Unpaid(
                "QD-124",
                f"本房此项为零分（values.{meld.kind}）。",
                f"this club gives 0 points for it (option values.{meld.kind})",
            )
        if options.gang_scope == "all":
            return Unpaid("QD-71", "荒庄，杠作废。", "nobody won the hand")
        return Unpaid("QD-124", "只有胡牌者的杠计分。", "only a winner's gangs count")

    return tell_gangs(facts, kinds=GANGS, pay=pay, why=why, robbed=ROBBED)
