"""The gangs of a game one by one, and a player's gangs by kind.

What is paid for a gang, or by which rule nothing is, the ruleset says (`rules_engine.gangs`); here
it meets the settlement in force and, where the hand was recorded tile by tile, the log.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db import connection
from msgspec.structs import replace

from records import ledger, reader
from records.ledger import Settled
from replays.selections import COUNTS, Selection
from rules_engine.events import Gang
from rules_engine.facts import HandFacts, Holding
from rules_engine.fold import Game, effective
from rules_engine.gangs import GangTold, Unpaid

WRITER: Final = "default"
ABANDONED: Final = Unpaid("", "本局散局，不计。", "the hand was abandoned and counts for nothing")
VOIDED: Final = Unpaid("", "本局经裁决作废。", "the hand was voided by a ruling")


class GangOfHand(msgspec.Struct, frozen=True, kw_only=True):
    """A gang, the hand it belongs to, and who sat where then."""

    hand: int
    revision: int
    players: tuple[UUID, ...]
    told: GangTold


def gangs_of_game(game_id: UUID, *, upto: int | None = None) -> list[GangOfHand]:
    """Every gang of the hands settled so far, in the order of play. Raises UnknownGame.

    With ``upto`` they are those that followed from the events up to this seq.
    """
    game = reader.game_at(game_id, 1, using=WRITER)
    found = []
    for settled in ledger.settlement_of_game(game_id, upto=upto):
        if settled.entry:
            continue
        told = sorted(_told(game, settled), key=lambda gang: gang.seq)
        found += [
            GangOfHand(
                hand=settled.hand, revision=settled.revision, players=settled.players, told=gang
            )
            for gang in told
        ]
    return found


def _told(game: Game, settled: Settled) -> tuple[GangTold, ...]:
    """The gangs of a hand as it stands."""
    if settled.facts is not None:
        told = game.ruleset.gangs(settled.facts, game.options)
        return tuple(_traced(gang, settled) for gang in told)
    if settled.result == "voided":
        before = [
            revision
            for revision in ledger.revisions_of_hand(settled.game_id, settled.hand)
            if revision.facts is not None
        ]
        return _unpaid(_told(game, before[-1]), VOIDED) if before else ()
    return _unpaid(_left_lying(game, settled), ABANDONED)


def _unpaid(gangs: tuple[GangTold, ...], why: Unpaid) -> tuple[GangTold, ...]:
    return tuple(replace(gang, transfers=(), unpaid=why) for gang in gangs)


def _left_lying(game: Game, settled: Settled) -> tuple[GangTold, ...]:
    """The gangs on the table when a hand was abandoned; such a hand was recorded tile by tile."""
    table = reader.game_at(settled.game_id, settled.seq - 1, using=WRITER).table
    if table is None:
        return ()
    facts = HandFacts(
        dealer=table.dealer,
        result="huang_zhuang",
        table=tuple(Holding(seat=n, melds=seat.melds) for n, seat in enumerate(table.seats)),
    )
    return game.ruleset.gangs(facts, game.options)


def _traced(gang: GangTold, settled: Settled) -> GangTold:
    """A robbed gang with the event that declared it, where the log has one.

    Facts name no event of a gang that never stood. It is the seat's last before the win; of facts
    that a ruling wrote down nothing is known of the log.
    """
    assert settled.facts is not None
    won = settled.facts.wins[0].seq if settled.facts.wins else 0
    if not gang.robbed or settled.revision > 1 or not won or won == settled.facts.seq:
        return gang
    events = effective(reader.numbered_events(settled.game_id, to_seq=won, using=WRITER))
    for seq, event in reversed(events):
        if isinstance(event, Gang) and event.seat == gang.seat:
            return replace(gang, seq=seq, kind=event.kind)
    return gang


class KindFigures(msgspec.Struct, kw_only=True):
    """A player's gangs of one kind.

    ``declared`` counts all of them, ``paid`` those that at least one seat paid for, ``robbed``
    those that were won on. ``received`` are points got for own gangs, ``given`` points paid for
    those of others.
    """

    kind: str
    declared: int = 0
    paid: int = 0
    robbed: int = 0
    received: int = 0
    given: int = 0


def gang_figures(selection: Selection) -> list[KindFigures]:
    """A person's gangs by kind, over the hands of a selection."""
    figures: defaultdict[str, KindFigures] = defaultdict(lambda: KindFigures(kind=""))
    for seat, told in _hands_with_gangs(selection):
        for gang in told:
            of_kind = figures[gang.kind]
            of_kind.kind = gang.kind
            if gang.seat == seat:
                of_kind.declared += 1
                of_kind.paid += bool(gang.transfers)
                of_kind.robbed += gang.robbed
            for line in gang.transfers:
                of_kind.received += line.points * (line.payee == seat)
                of_kind.given += line.points * (line.payer == seat)
    return [figures[kind] for kind in sorted(figures)]


def _hands_with_gangs(selection: Selection) -> Iterator[tuple[int, tuple[GangTold, ...]]]:
    """The seat of the person and the gangs of each hand that may have some."""
    with connection.cursor() as cursor:
        cursor.execute(_HANDS, selection.parameters)
        rows: list[tuple[Any, ...]] = cursor.fetchall()
    games = reader.beginnings(sorted({row[0] for row in rows}), using=WRITER)
    for game_id, seat, facts in rows:
        game = games[game_id]
        yield seat, game.ruleset.gangs(msgspec.json.decode(facts, type=HandFacts), game.options)


# A gang is whatever else lies on the table than runs and triplets; a robbed one lies nowhere.
_HANDS: Final = f"""
    SELECT r.game_id, r.seat, s.facts::text
    FROM result r JOIN settlement s USING (game_id, hand, entry, revision)
    WHERE r.player_id = ANY (%(records)s::uuid[]) AND r.entry = 0 AND {COUNTS}
      AND (s.facts @? '$.*[*].melds[*] ? (@.kind != "chi" && @.kind != "peng")'
           OR s.facts @? '$.wins[*] ? (@.by == "qiang_gang")')
    ORDER BY r.game_id, r.hand
"""  # noqa: S608 - the condition is a text of ours
