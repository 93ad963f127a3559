"""Reading the log: the one module of the write side that the read side uses.

Rows come back as values, in order, and are never held in memory whole: a long read goes page by
page along the key, so it keeps no transaction open and can be taken up again anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db import connections

from records.chain import StoredEvent
from records.errors import SeqOutOfRange, UnknownGame
from records.heads import Head, catalogue_of, follow, restore
from records.models import Game as GameRow
from rules_engine.events import Catalogue, Event
from rules_engine.fold import Game, Numbered
from rules_engine.registry import UnknownRuleset
from rules_engine.snapshot import FORMAT, load

READER: Final = "reader"
PAGE_ROWS: Final = 1000

_EVENTS: Final = """
    SELECT seq, type, version, occurred_at_ms, public::text, secret::text, salt, prev, hash,
           floor(extract(epoch FROM recorded_at) * 1000)::bigint
    FROM event WHERE game_id = %s AND seq >= %s AND seq <= %s ORDER BY seq LIMIT %s
"""
_SOME: Final = """
    SELECT seq, type, version, occurred_at_ms, public::text, secret::text, salt, prev, hash,
           floor(extract(epoch FROM recorded_at) * 1000)::bigint
    FROM event WHERE game_id = %s AND seq = ANY(%s) ORDER BY seq
"""
_FIRSTS: Final = """
    SELECT game_id, seq, type, version, occurred_at_ms, public::text, secret::text, salt, prev,
           hash, floor(extract(epoch FROM recorded_at) * 1000)::bigint
    FROM event WHERE game_id = ANY(%s) AND seq = 1
"""
# The hash must be the one the log has at that seq: a snapshot of anything else is no snapshot.
_SNAPSHOT: Final = """
    SELECT snapshot.seq, snapshot.hash, snapshot.state
    FROM hand_snapshot AS snapshot JOIN event USING (game_id, seq, hash)
    WHERE snapshot.game_id = %s AND event.game_id = %s AND snapshot.seq <= %s
      AND snapshot.format = %s
    ORDER BY snapshot.seq DESC LIMIT 1
"""
_HEAD: Final = "SELECT seq, hash FROM event WHERE game_id = %s ORDER BY seq DESC LIMIT 1"
# The first event says who plays what, and is never held back. A later event is known when it and
# all before it are old enough.
_LASTS: Final = """
    SELECT greatest(asked.seq, coalesce(behind.last, 0))
    FROM unnest(%s::uuid[], %s::int[], %s::int[]) WITH ORDINALITY
      AS asked (game_id, seq, delay_s, number)
    CROSS JOIN LATERAL (
      SELECT coalesce(
          min(event.seq) FILTER (
            WHERE asked.delay_s > 0 AND event.seq > 1
              AND event.recorded_at > now() - make_interval(secs => asked.delay_s)
          ) - 1,
          max(event.seq)
        ) AS last
      FROM event WHERE event.game_id = asked.game_id AND event.seq > asked.seq
    ) AS behind
    ORDER BY asked.number
"""
_RECEIPT: Final = """
    SELECT command_id, fingerprint, first_seq, last_seq, hash, actor FROM receipt
    WHERE game_id = %s
"""
_JOURNAL: Final = """
    SELECT position, game_id, hand, seq, hash, leaf,
           floor(extract(epoch FROM sealed_at) * 1000)::bigint, tile
    FROM journal WHERE position > %s ORDER BY position LIMIT %s
"""
_HANDS: Final = """
    SELECT (public ->> 'hand')::int, min(seq) FROM event
    WHERE game_id = %s AND type IN ('hand_started', 'hand_result') GROUP BY 1 ORDER BY 1
"""
_ABOUT: Final = """
    SELECT game.club_id, game.title,
           coalesce(event.occurred_at_ms, extract(epoch FROM game.created_at)::bigint * 1000)
    FROM game LEFT JOIN event ON event.game_id = game.id AND event.seq = 1 WHERE game.id = %s
"""
_GAMES: Final = """
    SELECT game.id, game.club_id, game.title, game.created_at, event.public ->> 'ruleset',
           (event.public -> 'ruleset_version')::int, event.public -> 'players'
    FROM game JOIN event ON event.game_id = game.id AND event.seq = 1
    WHERE game.club_id = ANY(%s) AND (%s::uuid IS NULL OR game.id < %s)
    ORDER BY game.id DESC LIMIT %s
"""
_SEQ_MAX: Final = 2**31 - 1


class Seal(msgspec.Struct, frozen=True):
    """A sealed hand (or a later ruling on it) with its place in the one global order.

    ``position`` counts from 1 without gaps; ``hash`` is that of the event ``seq``; ``leaf`` is the
    leaf of the Merkle tree at index ``position - 1``; ``tile`` stands on each 256th and is the root
    over the leaves up to it. Hashes are 32 bytes.
    """

    position: int
    game_id: UUID
    hand: int
    seq: int
    hash: bytes
    leaf: bytes
    sealed_at_ms: int
    tile: bytes | None


class Moment(msgspec.Struct, frozen=True):
    """An event of the raw log with the game after it; a rewind gives the game it goes back to."""

    seq: int
    occurred_at_ms: int
    event: Event
    game: Game


class About(msgspec.Struct, frozen=True):
    """What of a game stands beside its log, and when it began at the table."""

    club: UUID
    title: str
    began_at_ms: int


class Listed(msgspec.Struct, frozen=True):
    """A game as a list shows it; ``players`` are those of its first hand, by seat."""

    id: UUID
    club: UUID
    title: str
    created_at: datetime
    ruleset: str
    ruleset_version: int
    players: tuple[str, ...]


class StoredReceipt(msgspec.Struct, frozen=True):
    """What one command wrote, and who sent it (an opaque account id, or None)."""

    command_id: str
    fingerprint: bytes
    first_seq: int
    last_seq: int
    hash: bytes
    actor: str | None


def head(game_id: UUID, *, using: str = READER) -> tuple[int, bytes]:
    """The seq and hash of the last event; seq 0 for a game without events. Raises UnknownGame."""
    with connections[using].cursor() as cursor:
        cursor.execute(_HEAD, [game_id])
        row = cursor.fetchone()
    if row is not None:
        return int(row[0]), bytes(row[1])
    _insist_on_game(game_id, using)
    return 0, Head().hash


def last_seqs(asked: Sequence[tuple[UUID, int, int]], *, using: str = READER) -> list[int]:
    """How far each of these games is known to somebody who learns of it late.

    Asked of each: the game, a seq that is known already (0: none), the delay in seconds. Answered,
    in the same order: the last seq up to which every event was recorded at least so long ago.
    """
    games, seqs, delays_s = ([each[place] for each in asked] for place in range(3))
    with connections[using].cursor() as cursor:
        cursor.execute(_LASTS, [games, seqs, delays_s])
        return [int(last) for (last,) in cursor.fetchall()]


def events_of(
    game_id: UUID, *, from_seq: int = 1, to_seq: int | None = None, using: str = READER
) -> Iterator[StoredEvent]:
    """The events of a game from ``from_seq`` to ``to_seq`` (both included; None: to the end)."""
    name, last = str(game_id), _SEQ_MAX if to_seq is None else to_seq
    while from_seq <= last:
        with connections[using].cursor() as cursor:
            cursor.execute(_EVENTS, [game_id, from_seq, last, PAGE_ROWS])
            rows = cursor.fetchall()
        for row in rows:
            yield _stored(name, row)
        if len(rows) < PAGE_ROWS:
            return
        from_seq = rows[-1][0] + 1


def events_at(game_id: UUID, seqs: Sequence[int], *, using: str = READER) -> list[StoredEvent]:
    """The events with these seqs, in order, as far as the game has them."""
    with connections[using].cursor() as cursor:
        cursor.execute(_SOME, [game_id, list(seqs)])
        return [_stored(str(game_id), row) for row in cursor.fetchall()]


def _stored(game_id: str, row: tuple[Any, ...]) -> StoredEvent:
    seq, kind, version, occurred_at_ms, public, secret, salt, prev, digest, recorded_at_ms = row
    return StoredEvent(
        game_id=game_id,
        seq=seq,
        type=kind,
        version=version,
        occurred_at_ms=occurred_at_ms,
        public=msgspec.json.decode(public),
        secret={} if secret is None else msgspec.json.decode(secret),
        salt=None if salt is None else bytes(salt),
        prev=bytes(prev),
        hash=bytes(digest),
        recorded_at_ms=recorded_at_ms,
    )


def catalogue(game_id: UUID, *, using: str = READER) -> Catalogue:
    """The event types of the ruleset a game is played under. Raises UnknownGame."""
    first = next(events_of(game_id, to_seq=1, using=using), None)
    if first is None:
        _insist_on_game(game_id, using)
        return catalogue_of(None)
    return catalogue_of(follow(Head(), first).game)


def numbered_events(
    game_id: UUID, *, from_seq: int = 1, to_seq: int | None = None, using: str = READER
) -> Iterator[Numbered]:
    """The raw events with their seqs, each at the present version of its type."""
    types = catalogue(game_id, using=using)
    for stored in events_of(game_id, from_seq=from_seq, to_seq=to_seq, using=using):
        yield stored.seq, restore(stored, types)


def event_at(game_id: UUID, seq: int, types: Catalogue, *, using: str = READER) -> Event:
    """The event ``seq`` of a game whose event types are these. Raises SeqOutOfRange."""
    stored = next(events_of(game_id, from_seq=seq, to_seq=seq, using=using), None)
    if stored is None:
        raise SeqOutOfRange(game_id=game_id, seq=seq, last_seq=head(game_id, using=using)[0])
    return restore(stored, types)


def head_at(game_id: UUID, seq: int | None = None, *, using: str = READER) -> Head:
    """The head as it stood after ``seq`` (None: now), replaying at most one hand.

    Raises UnknownGame, SeqOutOfRange.
    """
    result = nearest_snapshot(game_id, seq, using=using) or Head()
    for stored in events_of(game_id, from_seq=result.seq + 1, to_seq=seq, using=using):
        result = follow(result, stored)
    if result.seq == 0:
        _insist_on_game(game_id, using)
    if seq is not None and result.seq != seq:
        raise SeqOutOfRange(game_id=game_id, seq=seq, last_seq=head(game_id, using=using)[0])
    return result


def nearest_snapshot(game_id: UUID, seq: int | None = None, *, using: str = READER) -> Head | None:
    """The head at the last snapshot up to ``seq`` (None: now), or None where there is none."""
    last = _SEQ_MAX if seq is None else seq
    with connections[using].cursor() as cursor:
        cursor.execute(_SNAPSHOT, [game_id, game_id, last, FORMAT])
        row = cursor.fetchone()
    if row is None:
        return None
    try:
        game = load(bytes(row[2]))
    except (msgspec.MsgspecError, UnknownRuleset):
        # Whatever is wrong with a derived row, the log itself has the answer.
        return None
    return Head(seq=row[0], hash=bytes(row[1]), game=game, base=game)


def game_at(game_id: UUID, seq: int | None = None, *, using: str = READER) -> Game:
    """The game as it stood after ``seq`` (None: now). Raises UnknownGame, SeqOutOfRange."""
    game = head_at(game_id, seq, using=using).game
    if game is None:
        last_seq = head(game_id, using=using)[0]
        raise SeqOutOfRange(game_id=game_id, seq=seq or 0, last_seq=last_seq)
    return game


def beginnings(game_ids: Sequence[UUID], *, using: str = READER) -> dict[UUID, Game]:
    """Games as they stood after their first event, by id; those that have none are left out."""
    with connections[using].cursor() as cursor:
        cursor.execute(_FIRSTS, [list(game_ids)])
        rows = cursor.fetchall()
    games = {row[0]: follow(Head(), _stored(str(row[0]), row[1:])).game for row in rows}
    return {game_id: game for game_id, game in games.items() if game is not None}


def moments(
    game_id: UUID, *, from_seq: int, to_seq: int | None = None, using: str = READER
) -> Iterator[Moment]:
    """The events from ``from_seq`` to ``to_seq`` (None: the last), folded in one pass."""
    at = nearest_snapshot(game_id, from_seq - 1, using=using) or Head()
    for stored in events_of(game_id, from_seq=at.seq + 1, to_seq=to_seq, using=using):
        event = restore(stored, catalogue_of(at.game))
        at = follow(at, stored)
        if stored.seq >= from_seq:
            assert at.game is not None
            yield Moment(stored.seq, stored.occurred_at_ms, event, at.game)


def first_seqs(game_id: UUID, *, using: str = READER) -> dict[int, int]:
    """Each hand that was begun, with the seq of the first event of it, taken back or not."""
    with connections[using].cursor() as cursor:
        cursor.execute(_HANDS, [game_id])
        return dict(cursor.fetchall())


def about(game_id: UUID, *, using: str = READER) -> About:
    """Whose game it is and what it is called. Raises UnknownGame."""
    with connections[using].cursor() as cursor:
        cursor.execute(_ABOUT, [game_id])
        row = cursor.fetchone()
    if row is None:
        raise UnknownGame(game_id)
    return About(*row)


def games_in(
    clubs: Sequence[UUID], *, limit: int, before: UUID | None = None, using: str = READER
) -> list[Listed]:
    """The games of these clubs, the newest first, older than ``before`` if it is given."""
    with connections[using].cursor() as cursor:
        cursor.execute(_GAMES, [list(clubs), before, before, limit])
        return [_listed(*row) for row in cursor.fetchall()]


def _listed(*row: Any) -> Listed:
    values = dict(zip(Listed.__struct_fields__, row, strict=True))
    # Django hands jsonb over as text.
    return Listed(**{**values, "players": tuple(msgspec.json.decode(values["players"]))})


def receipt_of(game_id: UUID, command_id: str, *, using: str = READER) -> StoredReceipt | None:
    """What the command wrote, or None where no such command was carried out."""
    with connections[using].cursor() as cursor:
        cursor.execute(f"{_RECEIPT} AND command_id = %s", [game_id, command_id])
        row = cursor.fetchone()
    return None if row is None else _receipt(row)


def receipts_of(game_id: UUID, *, using: str = READER) -> Iterator[StoredReceipt]:
    """Every receipt of a game in the order of its events."""
    with connections[using].cursor() as cursor:
        cursor.execute(f"{_RECEIPT} ORDER BY first_seq", [game_id])
        yield from map(_receipt, cursor)


def _receipt(row: tuple[Any, ...]) -> StoredReceipt:
    command_id, fingerprint, first_seq, last_seq, digest, actor = row
    return StoredReceipt(
        command_id=command_id,
        fingerprint=bytes(fingerprint),
        first_seq=first_seq,
        last_seq=last_seq,
        hash=bytes(digest),
        actor=actor,
    )


def journal_after(position: int, *, limit: int = PAGE_ROWS, using: str = READER) -> list[Seal]:
    """The seals behind ``position``, in order, at most ``limit``.

    A reader keeps its cursor in the transaction of what it derives, so it misses and doubles none.
    """
    with connections[using].cursor() as cursor:
        cursor.execute(_JOURNAL, [position, limit])
        return [
            Seal(
                position=place,
                game_id=game_id,
                hand=hand,
                seq=seq,
                hash=bytes(digest),
                leaf=bytes(leaf),
                sealed_at_ms=sealed_at_ms,
                tile=None if tile is None else bytes(tile),
            )
            for place, game_id, hand, seq, digest, leaf, sealed_at_ms, tile in cursor.fetchall()
        ]


def _insist_on_game(game_id: UUID, using: str) -> None:
    if not GameRow.objects.using(using).filter(pk=game_id).exists():
        raise UnknownGame(game_id)
