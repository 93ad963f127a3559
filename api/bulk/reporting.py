"""What was wrong with a file, as a table for people who mend files in a spreadsheet program."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import msgspec

from api.models import Import
from records.batches import in_batches
from replays.exports import Cell, Column, Table

COLUMNS: Final = (
    Column("line", "integer"),
    Column("game"),
    Column("seq", "integer"),
    Column("code", width=24),
    Column("rule"),
    Column("message", width=80),
    Column("expected", width=40),
    Column("actual", width=40),
    Column("facts", width=40),
)


def faults_table(file: Import) -> Table:
    """The faults of a file by line, read from the database as the rows are taken."""
    return Table(title="faults", columns=COLUMNS, rows=rows_of(file))


def rows_of(file: Import) -> Iterator[list[Cell]]:
    """One row a fault."""
    for fault in in_batches(file.faults.all(), key="line"):
        facts = dict(fault.facts)
        expected, actual = facts.pop("expected", None), facts.pop("actual", None)
        yield [
            fault.line,
            fault.game or None,
            fault.seq,
            fault.code,
            fault.rule or None,
            fault.message,
            as_json(expected),
            as_json(actual),
            as_json(facts or None),
        ]


def as_json(value: Any) -> str | None:
    """A value as the text of a cell, nothing for none."""
    return None if value is None else msgspec.json.encode(value).decode()
