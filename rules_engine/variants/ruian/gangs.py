"""The gangs of a Rui'an hand: none is paid on a line of its own (RA-86, RA-90 to RA-94).

A gang is worth hu: the winner's inside the total, the others' inside what they compare.
"""

from collections.abc import Sequence
from typing import Final

from rules_engine.facts import HandFacts, Meld
from rules_engine.gangs import GangTold, Unpaid, tell_gangs
from rules_engine.score import Transfer
from rules_engine.variants.ruian.flags import cause_of
from rules_engine.variants.ruian.legality import read_hand
from rules_engine.variants.ruian.melds import GANGS
from rules_engine.variants.ruian.options import RuianOptions
from rules_engine.variants.ruian.side import compares
from rules_engine.variants.ruian.weighing import Read

ROBBED: Final = Unpaid(
    "RA-94", "补杠被抢，仍是碰。", "the gang was robbed: it stays a peng and is worth no gang"
)


def gangs(facts: HandFacts, options: RuianOptions) -> tuple[GangTold, ...]:
    """The gangs of a hand with what becomes of their worth."""
    winner = _winner(facts, options)

    def why(seat: int, meld: Meld) -> Unpaid:
        del meld
        return _why(facts, options, winner=seat == winner)

    return tell_gangs(facts, kinds=GANGS, pay=_nothing, why=why, robbed=ROBBED)


def _nothing(seat: int, meld: Meld) -> Sequence[Transfer]:
    """The others pay differences of whole hands, not gangs (RA-91)."""
    del seat, meld
    return ()


def _winner(facts: HandFacts, options: RuianOptions) -> int | None:
    """The seat that won, of several that declared the first in turn order that may (RA-34)."""
    if len(facts.wins) < 2:
        return facts.wins[0].seat if facts.wins else None
    read = read_hand(facts, options)
    return read.win.seat if isinstance(read, Read) else None


def _why(facts: HandFacts, options: RuianOptions, *, winner: bool) -> Unpaid:
    """What becomes of a gang's worth."""
    if options.value_mode == "flat":
        return Unpaid("RA-86", "本房不计胡、台。", "this club counts neither hu nor tai")
    if winner:
        return Unpaid(
            "RA-91",
            "杠的胡数计在胡牌者的总数里，胡牌者不参加比胡。",
            "its hu count inside the winner's total; the winner takes no part in comparing",
        )
    if compares(facts, options):
        rule = "RA-90" if facts.wins else "RA-93"
        return Unpaid(
            rule,
            "杠的胡数计在本家自有的胡数里，与另几家比差付。",
            "its hu count in what the seat has of its own, of which differences are paid",
        )
    if options.side_settlement == "off":
        return Unpaid("RA-92", "本房未胡者不比胡。", "those who did not win compare nothing here")
    rule = "RA-52" if cause_of(facts) else "RA-50"
    return Unpaid(rule, "流局，不比胡。", "nobody won: nothing is compared")
