"""A ledger of hands from before rulings is carried over, under its guards, and still adds up."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import psycopg
import pytest
from django.core.management import call_command

from api.embedded.postgres import PostgresServer
from api.embedded.roles import create_roles
from records.ids import uuid7
from records.ledger import Settled, mismatches, settled_after
from tests.support.databases import Database, django_uses

BEFORE = "0004"
GUARD = Path(__file__).parents[2] / "records" / "sql" / "guard.sql"
PLAYERS = [UUID(int=number) for number in range(1, 5)]
CLUB = UUID(int=9)
STARTED_MS, ENDED_MS = 1_760_000_000_000, 1_760_000_600_000

_SETTLE = """
    INSERT INTO settlement (game_id, hand, revision, position, seal_position, seq, club_id, ruleset,
      ruleset_version, engine, result, players, points, stake, ladder_start, dealer, streak,
      next_dealer, next_streak, facts, score, ended_at_ms)
    VALUES (%s, %s, %s, %s, %s, %s, %s, 'fake', 1, 'old', 'hu', %s, %s, 1, 0, 0, 1, 1, 1,
      '{"dealer": 0, "result": "hu", "wins": []}', '{"wins": [], "details": {}}', %s)
"""
_PAY = """
    INSERT INTO transfer (game_id, hand, revision, line, payer, payee, payer_seat, payee_seat,
      points, kind, item, rule, seq, reverses)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, 'hu', 'base', 'T-1', 2, %s)
"""


@pytest.fixture
def old(postgres_server: PostgresServer, django_db_blocker: Any) -> Iterator[Database]:
    """A database migrated to before rulings, where guard.sql was run."""
    name = "test_before_rulings"
    url = postgres_server.url(name)
    postgres_server.create_database(name)
    create_roles(url)
    with django_db_blocker.unblock(), django_uses(url):
        call_command("migrate", "records", BEFORE, verbosity=0)
        with psycopg.connect(url, autocommit=True) as superuser:
            superuser.execute(GUARD.read_text(encoding="utf-8"))
        yield Database(name=name, url=url)
    with psycopg.connect(postgres_server.url("postgres"), autocommit=True) as admin:
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


def settle_as_before(database: Database, game_id: UUID) -> None:
    """Two hands and a second revision of the first, in one transaction, as it was written then."""
    digest = b"\0" * 32
    with database.connect() as superuser:
        superuser.execute("INSERT INTO game (id, club_id) VALUES (%s, %s)", [game_id, CLUB])
        superuser.execute(
            "INSERT INTO event (game_id, seq, type, version, occurred_at_ms, public, prev, hash)"
            " VALUES (%s, 1, 'game_started', 1, %s, '{}', %s, %s)",
            [game_id, STARTED_MS, digest, digest],
        )
        revisions = [(1, 1, 5), (2, 1, 7), (1, 2, 6)]
        for position, (hand, revision, points) in enumerate(revisions, 1):
            key = [game_id, hand, revision]
            stated = [-points, points, 0, 0]
            places = [position, position, position + 1, CLUB, PLAYERS, stated, ENDED_MS]
            superuser.execute(_SETTLE, [*key, *places])
            a, b = PLAYERS[:2]
            if revision == 2:
                superuser.execute(_PAY, [*key, 1, b, a, 1, 0, 5, 1])
            superuser.execute(_PAY, [*key, revision, a, b, 0, 1, points, None])


def test_a_ledger_from_before_rulings_is_carried_over(old: Database) -> None:
    game_id = uuid7()
    settle_as_before(old, game_id)
    call_command("migrate", verbosity=0)
    settled = settled_after(0, 10)
    assert [(s.hand, s.entry, s.revision, s.points[1]) for s in settled] == [
        (1, 0, 1, 5),
        (2, 0, 1, 7),
        (1, 0, 2, 6),
    ]
    assert {(s.started_at_ms, s.ended_at_ms) for s in settled} == {(STARTED_MS, ENDED_MS)}
    assert [p.reverses for p in settled[2].payments] == [1, None]
    insist_on_growing_times(settled)
    assert mismatches() == []
    with old.connect() as superuser:
        copied = superuser.execute(
            "SELECT position, club_id, ended_at_ms FROM transfer ORDER BY position, line"
        ).fetchall()
    assert copied == [(position, CLUB, ENDED_MS) for position in (1, 2, 3, 3)]


def insist_on_growing_times(settled: list[Settled]) -> None:
    moments = [each.settled_at for each in settled]
    assert moments == sorted(set(moments))


@pytest.mark.parametrize("table", ["settlement", "transfer"])
def test_the_carried_over_ledger_is_as_append_only_as_before(old: Database, table: str) -> None:
    settle_as_before(old, uuid7())
    call_command("migrate", verbosity=0)
    with old.connect(autocommit=True) as superuser:
        for statement in (f"UPDATE {table} SET hand = 9", f"DELETE FROM {table}"):
            with pytest.raises(psycopg.errors.RestrictViolation, match="append-only"):
                superuser.execute(statement)
        superuser.execute("SET session_replication_role = replica")
        with pytest.raises(psycopg.errors.RestrictViolation, match="append-only"):
            superuser.execute(f"UPDATE {table} SET hand = 9")
        superuser.execute("SET session_replication_role = origin")
        with pytest.raises(psycopg.errors.RestrictViolation, match="belongs to the log"):
            superuser.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
        found = superuser.execute(
            "SELECT tgname, tgenabled FROM pg_trigger WHERE tgrelid = %s::regclass"
            " AND NOT tgisinternal ORDER BY tgname",
            [table],
        ).fetchall()
    assert found == [
        (name, "A") for name in ("refuse_change", "refuse_mismatch", "refuse_truncate")
    ]
