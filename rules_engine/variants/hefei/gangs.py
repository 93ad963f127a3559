"""The gangs of a Hefei hand: nothing is paid for them apart from the win (HF-43, HF-54, HF-70)."""

from collections.abc import Sequence

from rules_engine.facts import HandFacts, Meld
from rules_engine.gangs import GangTold, Unpaid, tell_gangs
from rules_engine.score import Transfer
from rules_engine.variants.hefei.options import HefeiOptions


def gangs(facts: HandFacts, options: HefeiOptions) -> tuple[GangTold, ...]:
    """The gangs of a hand with the reason why none is paid apart."""
    del options
    winners = {win.seat for win in facts.wins}

    def why(seat: int, meld: Meld) -> Unpaid:
        del meld
        if not facts.wins:
            return Unpaid("HF-43", "荒庄，杠全部作废。", "nobody won: all gangs are void")
        if seat in winners:
            return Unpaid(
                "HF-54",
                "杠分计在胡牌者的总分里，不另付。",
                "it counts inside the winner's total; nothing is paid apart",
            )
        return Unpaid("HF-70", "未胡者的杠作废。", "the gangs of who does not win are void")

    return tell_gangs(facts, kinds=("an_gang",), pay=_nothing, why=why)


def _nothing(seat: int, meld: Meld) -> Sequence[Transfer]:
    """No gang is paid apart (HF-70)."""
    del seat, meld
    return ()
