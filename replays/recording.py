"""A table as its scorekeeper needs it: who sits where, the scores, and what is recorded next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final
from uuid import UUID

import msgspec

from records import reader
from records.models import Player
from replays.viewer.telling import Teller
from rules_engine.event_forms import EventForm
from rules_engine.events import Ruling
from rules_engine.facts import HandFacts
from rules_engine.fold import Game, Numbered, effective
from rules_engine.forms import forms
from rules_engine.history import history
from rules_engine.moves import moves
from rules_engine.ruleset import COMMON_PAYMENTS, Names
from rules_engine.score import HandScore
from rules_engine.sheets import Sheet, sheet_of

HANDS_SHOWN: Final = 6


class Seated(msgspec.Struct, frozen=True):
    """Who sits at a seat, with all that was gained so far; an empty seat has an empty id."""

    id: str
    name: str
    points: int


class Next(msgspec.Struct, frozen=True):
    """What the record of the next hand begins with, as ``GET games/{id}`` has it."""

    hand: int
    dealer: int | None
    streak: int
    flags: tuple[str, ...]


class HandTold(msgspec.Struct, frozen=True):
    """A hand that has ended, with the points by seat; ``facts`` as a ``hand_result`` states them.

    ``facts`` is None for a hand that counts for nothing.
    """

    hand: int
    seq: int
    names: tuple[str, ...]
    points: tuple[int, ...]
    facts: dict[str, Any] | None


class Named(msgspec.Struct, frozen=True):
    """A line that a score can have, or something that is paid for."""

    id: str
    zh: str
    en: str


class Desk(msgspec.Struct, frozen=True, kw_only=True):
    """The whole of it. ``next`` is None while a hand is live and when the game is over.

    ``undo_to`` is where a rewind of the last event would go, 0 where none may. ``forms``: the
    events that no seat chooses and that may be recorded now. ``waiting``: the substitutes.
    """

    game: UUID
    title: str
    ruleset: str
    version: int
    names: Names
    stake: int
    seq: int
    live: bool
    ended: bool
    undo_to: int
    may_rule: bool
    seats: tuple[Seated, ...]
    next: Next | None
    hands: tuple[HandTold, ...]
    forms: tuple[EventForm, ...]
    waiting: tuple[Seated, ...]
    sheet: Sheet
    items: tuple[Named, ...]
    payments: tuple[Named, ...]


def desk_of(game_id: UUID, *, may_rule: bool) -> Desk:
    """The table as it stands now. Raises UnknownGame."""
    game = reader.game_at(game_id)
    names = _names(game)
    raw = list(reader.numbered_events(game_id))
    totals, hands = _scores(raw, game, names)
    return Desk(
        game=game_id,
        title=reader.about(game_id).title,
        ruleset=game.ruleset.slug,
        version=game.ruleset.version,
        names=game.ruleset.names,
        stake=game.stake,
        seq=game.seq,
        live=game.table is not None,
        ended=game.ended,
        undo_to=_undo_to(raw, game),
        may_rule=may_rule,
        seats=_seated(game.players, names, totals),
        waiting=_seated(game.substitutes, names, totals),
        next=_next(game),
        hands=hands[-HANDS_SHOWN:],
        forms=forms(game),
        sheet=sheet_of(game.ruleset, game.options),
        items=tuple(Named(item.id, item.zh, item.en) for item in game.ruleset.items),
        payments=tuple(
            Named(payment, zh, en)
            for payment, (zh, en) in {**COMMON_PAYMENTS, **game.ruleset.payments}.items()
        ),
    )


class Step(msgspec.Struct, frozen=True):
    """Something that may happen next: the event that records it, whose it is, and its words."""

    event: dict[str, Any]
    seat: int | None
    html: str


class Moment(msgspec.Struct, frozen=True):
    """What may happen next at a table recorded tile by tile: choices of seats, and forms."""

    seq: int
    steps: tuple[Step, ...]
    forms: tuple[EventForm, ...]


def moment_of(game_id: UUID, language: str) -> Moment:
    """The legal actions, as ``GET games/{id}/actions`` lists them to a recorder, in words."""
    game = reader.game_at(game_id)
    teller = Teller(game.ruleset, language, _names(game))
    steps = []
    for action in moves(game).actions:
        body = msgspec.to_builtins(action)
        # A plain text: Django's, which is marked as safe, is none that msgspec would write.
        html = str.__str__(teller.tell(action, body, game.players))
        steps.append(Step(body, getattr(action, "seat", None), html))
    return Moment(game.seq, tuple(steps), forms(game))


def _undo_to(raw: Sequence[Numbered], game: Game) -> int:
    """Where a rewind goes that takes back the last event which counts; 0 behind an ended hand."""
    last = max(seq for seq, event in effective(raw) if not isinstance(event, Ruling))
    return last - 1 if last > game.floor else 0


def _seated(
    players: Iterable[str | None], names: Mapping[str, str], totals: Mapping[str, int]
) -> tuple[Seated, ...]:
    return tuple(
        Seated(player or "", names.get(player or "", ""), totals.get(player or "", 0))
        for player in players
    )


def _names(game: Game) -> dict[str, str]:
    """The names of all who have sat in the game, by player id."""
    people = [UUID(player) for player in game.people]
    rows = Player.objects.filter(id__in=people).values_list("id", "name")
    return {str(player): name for player, name in rows}


def _next(game: Game) -> Next | None:
    if game.table is not None or game.ended:
        return None
    flags = game.play.flags_before(game.memory)
    return Next(game.hand + 1, game.dealer, game.streak, flags)


def _scores(
    raw: Sequence[Numbered], game: Game, names: dict[str, str]
) -> tuple[dict[str, int], tuple[HandTold, ...]]:
    """Points by player, and the hands that have ended.

    It is what the ledger will say (``test_the_ledger_agrees_with_the_history``), scored here so
    that a table need not wait for the workers.
    """
    told = history(raw)
    totals = dict.fromkeys(game.people, 0)
    hands = []
    for each in told.hands:
        points = _points(game, each.facts)
        players = each.record.players
        for player, gained in zip(players, points, strict=True):
            totals[player or ""] = totals.get(player or "", 0) + gained
        hands.append(
            HandTold(
                hand=each.hand,
                seq=each.record.seq,
                names=tuple(names.get(player or "", "") for player in players),
                points=points,
                facts=None if each.facts is None else msgspec.to_builtins(each.facts),
            )
        )
    for entry in told.entries:
        if entry.cancelled is None:
            for due in entry.transfers:
                totals[due.payer] = totals.get(due.payer, 0) - due.points
                totals[due.payee] = totals.get(due.payee, 0) + due.points
    return totals, tuple(hands)


def _points(game: Game, facts: HandFacts | None) -> tuple[int, ...]:
    """What the facts come to, by seat; nothing for a hand that counts for nothing."""
    if facts is None:
        return (0, 0, 0, 0)
    score = game.ruleset.score(facts, game.options)
    assert isinstance(score, HandScore), score  # It was recorded, so it is legal.
    return score.total_points
