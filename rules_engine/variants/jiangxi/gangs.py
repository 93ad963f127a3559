"""The gangs of a hand of the bao game: what each was paid, or why nothing was (JX-90 to JX-92)."""

from collections.abc import Sequence
from typing import Final

from rules_engine.facts import HandFacts, Holding, Meld
from rules_engine.gangs import GangTold, Unpaid, tell_gangs
from rules_engine.score import Transfer
from rules_engine.variants.jiangxi import score
from rules_engine.variants.jiangxi.melds import GANGS
from rules_engine.variants.jiangxi.options import JiangxiOptions

ROBBED: Final = Unpaid(
    "JX-91", "被抢的杠不成立，不计分。", "the gang was robbed: it never stood and pays nothing"
)


def gangs(facts: HandFacts, options: JiangxiOptions) -> tuple[GangTold, ...]:
    """The gangs of a hand."""

    def pay(seat: int, meld: Meld) -> Sequence[Transfer]:
        return tuple(score.gangs(facts, Holding(seat=seat, melds=(meld,)), options))

    def why(seat: int, meld: Meld) -> Unpaid:
        del seat
        if not facts.wins and not options.gang_on_draw:
            en = "nobody won (option gang_on_draw)"
            return Unpaid("JX-92", "荒庄不计杠（gang_on_draw）。", en)
        option = GANGS[meld.kind]
        return Unpaid(
            "JX-90",
            f"本房此杠为零分（{option}）。",
            f"this club prices it at 0 (option {option})",
        )

    return tell_gangs(facts, kinds=GANGS, pay=pay, why=why, robbed=ROBBED)
