"""Section "append": writing, against raw inserts and peers."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tests.benchmarks import message_db
from tests.benchmarks.kinds import (
    Eventsourcing,
    EventsourcingFunctions,
    MessageDb,
    PaipuAppend,
    PlainInsert,
    recorder,
)
from tests.benchmarks.measuring import Measure, compare
from tests.benchmarks.pgbench import MESSAGE_DB, RAW, run_pgbench
from tests.benchmarks.report import ITSELF, Line
from tests.benchmarks.stage import Stage
from tests.benchmarks.writers import Crew, Writer

CLIENTS = (1, 4, 8)
OURS = "paipu append_events"
AIMS = {1: 0.4, 8: 0.35}
_KINDS: dict[str, type[Writer]] = {
    OURS: PaipuAppend,
    "psycopg prepared insert": PlainInsert,
    "eventsourcing recorder": Eventsourcing,
    "eventsourcing, db functions": EventsourcingFunctions,
}
_MESSAGE_DB = "message-db write_message, pgbench"
_MESSAGE_DB_CALLED = "message-db write_message, psycopg"


def appends(
    stage: Stage,
    crew: Crew,
    *,
    repeats: int,
    seconds: int,
    told: Callable[[str], None],
    noted: Callable[[str], None],
) -> list[Line]:
    """One event an append, by 1, 4 and 8 writers on different games, each against raw inserts."""
    missing = message_db.install(stage)
    if missing is not None:
        noted(f"without message-db: {missing}")
    for functions in (False, True):
        made = recorder(stage.url, functions=functions)
        made.create_table()
        made.datastore.close()
    told("append: warming up")
    for kind in _KINDS.values():
        crew.run(kind, stage.url, count=max(CLIENTS), seconds=0.5)
    lines = []
    for clients in CLIENTS:
        subjects: dict[str, Measure] = {
            name: partial(crew.run, kind, stage.url, count=clients, seconds=seconds)
            for name, kind in _KINDS.items()
        }
        if missing is None:
            subjects[_MESSAGE_DB_CALLED] = partial(
                crew.run, MessageDb, stage.url, count=clients, seconds=seconds
            )
            subjects[_MESSAGE_DB] = partial(
                run_pgbench, stage, MESSAGE_DB, clients=clients, seconds=seconds
            )
        load = f"{clients} writer{'s' if clients > 1 else ''}"
        found = compare(
            partial(run_pgbench, stage, RAW, clients=clients, seconds=seconds),
            subjects,
            repeats=repeats,
            told=lambda name, load=load: told(f"append, {load}: {name}"),  # type: ignore[misc]
        )
        raw = found.pop("")
        lines.append(
            Line("append", "raw insert, pgbench", load, ITSELF, (1.0,), tuple(raw.rates), "/s")
        )
        lines += [
            Line(
                section="append",
                name=name,
                load=load,
                against="raw insert",
                ratios=tuple(pair.ratios),
                rates=tuple(pair.rates),
                unit="/s",
                at_least=AIMS.get(clients) if name == OURS else None,
            )
            for name, pair in found.items()
        ]
    return lines
