"""Rulings on a game: making one, trying one out, and what was ruled, by whom and why.

A ruling is an event like any other (``rules_engine.rulings`` says what may be ruled), so a game
that has ended takes it too. Who may rule is said by ``records.clubs.RIGHTS``.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final
from uuid import UUID

import msgspec
from django.db import connection

from records import reader
from records.append import WRITER, Receipt, append_events
from records.models import Event as EventRow
from records.models import Settlement
from rules_engine.errors import IllegalEvent, Violation
from rules_engine.events import COMMON, Due, Entry, PenaltyCancelled, Ruling
from rules_engine.facts import HandFacts
from rules_engine.fold import apply
from rules_engine.game import Game
from rules_engine.history import Flag, History, history
from rules_engine.rulings import sealed_hand
from rules_engine.score import HandScore, points_by_seat

RULINGS: Final = frozenset(
    str(cls.__struct_config__.tag) for cls in COMMON if issubclass(cls, Ruling)
)
"""The types of events that are rulings."""


class Ruled(msgspec.Struct, frozen=True, kw_only=True):
    """A ruling that was made: by event ``seq``, on ``hand`` (0: the game), or as ``entry``.

    ``revision`` is the one it made of the hand's or the entry's settlement, None while it waits to
    be settled. ``actor`` is the opaque id of the account that made it.
    """

    seq: int
    hand: int
    entry: int
    ruling: Ruling
    actor: str | None
    occurred_at_ms: int
    recorded_at_ms: int
    revision: int | None


class FlaggedHand(msgspec.Struct, frozen=True):
    """A later hand that would have been dealt otherwise; it stands as played."""

    hand: int
    flag: Flag


class Consequence(msgspec.Struct, frozen=True, kw_only=True):
    """What a ruling would come to. Points are by seat, in units of the stake.

    ``before`` and ``after`` are the score of the hand it is about, None without one. ``pays`` are
    the payments that an entry would add, ``takes_back`` those that would be cancelled.
    ``next_dealer`` and ``next_streak`` are those of the game's next hand after the ruling.
    """

    seq: int
    hand: int
    before: HandScore | None
    after: HandScore | None
    points_before: tuple[int, ...]
    points_after: tuple[int, ...]
    pays: tuple[Due, ...]
    takes_back: tuple[Due, ...]
    flags: tuple[FlaggedHand, ...]
    next_dealer: int | None
    next_streak: int


def kinds_of_rulings(events: Collection[tuple[UUID, int]]) -> dict[tuple[UUID, int], str]:
    """Those of these events (game and seq) that are rulings, with their types."""
    if not events:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT game_id, seq, type FROM event"
            " JOIN unnest(%s::uuid[], %s::int[]) AS k(game_id, seq) USING (game_id, seq)"
            " WHERE type = ANY(%s)",
            [*(list(column) for column in zip(*events, strict=True)), sorted(RULINGS)],
        )
        return {(game_id, seq): kind for game_id, seq, kind in cursor.fetchall()}


def rule(
    ruling: Ruling,
    *,
    game_id: UUID,
    expected_seq: int,
    command_id: str,
    actor: str | None,
    occurred_at_ms: int | None = None,
) -> Receipt:
    """Record a ruling behind ``expected_seq``: a correction, a void, an entry or a cancelling.

    Raises what ``append_events`` raises.
    """
    return append_events(
        game_id=game_id,
        expected_seq=expected_seq,
        events=[ruling],
        command_id=command_id,
        actor=actor,
        occurred_at_ms=None if occurred_at_ms is None else [occurred_at_ms],
    )


def rulings_of(game_id: UUID, *, hand: int | None = None, upto: int | None = None) -> list[Ruled]:
    """What was ruled in a game, in its order, up to the event ``upto`` (None: the last).

    With ``hand`` only what concerns that hand.
    """
    rows = EventRow.objects.filter(game_id=game_id, type__in=RULINGS)
    if upto is not None:
        rows = rows.filter(seq__lte=upto)
    seqs = list(rows.order_by("seq").values_list("seq", flat=True))
    if not seqs:
        return []
    types = reader.catalogue(game_id, using=WRITER)
    revisions = dict(
        Settlement.objects.filter(game_id=game_id, seq__in=seqs).values_list("seq", "revision")
    )
    actors = _actors_of(game_id, seqs)
    hands: dict[int, int] = {}
    found = []
    for stored in reader.events_at(game_id, seqs, using=WRITER):
        seq = stored.seq
        ruling = types.join(stored.type, stored.version, stored.public, stored.secret)
        assert isinstance(ruling, Ruling)
        entry = ruling.penalty if isinstance(ruling, PenaltyCancelled) else seq
        entry = entry if isinstance(ruling, Entry | PenaltyCancelled) else 0
        # A penalty's cancelling concerns the hand that the penalty does.
        hands[seq] = hands[entry] if isinstance(ruling, PenaltyCancelled) else _hand_of(ruling)
        found.append(
            Ruled(
                seq=seq,
                hand=hands[seq],
                entry=entry,
                ruling=ruling,
                actor=actors[seq],
                occurred_at_ms=stored.occurred_at_ms,
                recorded_at_ms=stored.recorded_at_ms,
                revision=revisions.get(seq),
            )
        )
    return [each for each in found if hand is None or each.hand == hand]


def _hand_of(ruling: Ruling) -> int:
    return getattr(ruling, "hand", None) or 0


def _actors_of(game_id: UUID, seqs: Sequence[int]) -> dict[int, str | None]:
    """Who sent the commands that wrote these events, by seq."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT seq, (SELECT actor FROM receipt WHERE game_id = %s AND first_seq <= seq"
            "             ORDER BY first_seq DESC LIMIT 1) FROM unnest(%s::int[]) AS seq",
            [game_id, list(seqs)],
        )
        return dict(cursor.fetchall())


def preview(ruling: Ruling, *, game_id: UUID) -> Consequence:
    """What a ruling would come to as the game's next event; nothing is written.

    Raises IllegalEvent.
    """
    raw = list(reader.numbered_events(game_id, using=WRITER))
    before = history(raw)
    seq = raw[-1][0] + 1
    game = apply(msgspec.structs.replace(before.game, seq=seq - 1), ruling, seq)
    after = history([*raw, (seq, ruling)])
    hand = sealed_hand(game, ruling)
    beside = isinstance(ruling, Entry | PenaltyCancelled)
    scores = [None if beside else _score(game, each, hand) for each in (before, after)]
    return Consequence(
        seq=seq - 1,
        hand=hand,
        before=scores[0],
        after=scores[1],
        points_before=_points(scores[0]),
        points_after=_points(scores[1]),
        pays=ruling.transfers if isinstance(ruling, Entry) else (),
        takes_back=_taken_back(ruling, before),
        flags=tuple(FlaggedHand(each.hand, each.flag) for each in after.hands if each.flag),
        next_dealer=game.dealer,
        next_streak=game.streak,
    )


def _score(game: Game, past: History, hand: int) -> HandScore:
    """What a hand is worth by the facts in force; nothing where it has none."""
    facts: HandFacts | None = past.hands[hand - 1].facts
    scored = HandScore((), ()) if facts is None else game.ruleset.score(facts, game.options)
    if isinstance(scored, Violation):
        raise IllegalEvent(scored)
    return scored


def _points(score: HandScore | None) -> tuple[int, ...]:
    return points_by_seat(() if score is None else score.transfers)


def _taken_back(ruling: Ruling, before: History) -> tuple[Due, ...]:
    """The payments of the penalty that would be cancelled."""
    if not isinstance(ruling, PenaltyCancelled):
        return ()
    return next(entry.transfers for entry in before.entries if entry.seq == ruling.penalty)
