"""The gangs of a hand, one by one: what the others paid for each, or why nobody paid anything.

Shared by all variants and free of prices. A variant's ``gangs`` says which melds are gangs, who
pays for one and, where nobody does, by which of its rules; ``tell_gangs`` puts it together.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from rules_engine.facts import HandFacts, Holding, Meld, WinFacts
from rules_engine.score import Transfer

COMMON_KINDS: Final = frozenset({"an_gang", "bu_gang", "ming_gang"})
"""The melds that are gangs in every game that has them: four equal tiles."""
ROBBED_KIND: Final = "bu_gang"
"""What a recorded result's robbed gang is taken to have been: a tile added to a triplet."""


class Unpaid(NamedTuple):
    """Why nothing is paid for a gang: the id of the rule, and the reason in both languages."""

    rule: str
    zh: str
    en: str


class GangTold(msgspec.Struct, frozen=True, kw_only=True):
    """A gang that a seat declared.

    ``seq`` is the event that declared it, 0 in a hand recorded as its result. ``transfers`` is what
    was paid for it; where that is empty, ``unpaid`` says why. A ``robbed`` gang never stood:
    ``tiles`` is the tile it was robbed of.
    """

    seat: int
    kind: str
    tiles: str
    seq: int
    transfers: tuple[Transfer, ...]
    unpaid: Unpaid | None
    robbed: bool = False


Pay = Callable[[int, Meld], Sequence[Transfer]]
"""What the others pay a seat for a gang."""
Why = Callable[[int, Meld], Unpaid]
"""Why they pay nothing; asked only where they do not."""


def melds_told(facts: HandFacts) -> Iterator[tuple[int, Meld]]:
    """Every declared set of a hand with its seat, by seat."""
    everybody: list[WinFacts | Holding] = [*facts.wins, *facts.table]
    for told in sorted(everybody, key=lambda each: each.seat):
        for meld in told.melds:
            yield told.seat, meld


def tell_gangs(
    facts: HandFacts, *, kinds: Collection[str], pay: Pay, why: Why, robbed: Unpaid | None = None
) -> tuple[GangTold, ...]:
    """The gangs of a hand by seat, the robbed one last.

    ``kinds`` are the kinds of melds that are gangs, ``robbed`` says why a robbed one is not paid.
    """
    told = []
    for seat, meld in melds_told(facts):
        if meld.kind not in kinds:
            continue
        transfers = tuple(pay(seat, meld))
        told.append(
            GangTold(
                seat=seat,
                kind=meld.kind,
                tiles=meld.tiles,
                seq=meld.seq,
                transfers=transfers,
                unpaid=None if transfers else why(seat, meld),
            )
        )
    return (*told, *_robbed(facts, robbed))


def _robbed(facts: HandFacts, unpaid: Unpaid | None) -> Iterator[GangTold]:
    """The gang that was robbed, once however many won on it."""
    first = facts.wins[0] if facts.wins else None
    if first is None or first.by != "qiang_gang" or first.from_ is None:
        return
    yield GangTold(
        seat=first.from_,
        kind=ROBBED_KIND,
        tiles=first.tile,
        seq=0,
        transfers=(),
        unpaid=unpaid,
        robbed=True,
    )


def no_gangs(facts: HandFacts, options: Any) -> tuple[GangTold, ...]:
    """The answer of a ruleset that tells nothing of its gangs."""
    del facts, options
    return ()
