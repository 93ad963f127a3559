"""Reading rows without end, holding neither all of them nor a cursor of the database."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeVar

from django.db.models import Model, QuerySet

Row = TypeVar("Row", bound=Model)
BATCH_ROWS: Final = 500


def in_batches(
    rows: QuerySet[Row, Any], *, key: str = "pk", size: int = BATCH_ROWS
) -> Iterator[Row]:
    """All the rows in the order of a key that none share, each ``size`` by a query of their own.

    A cursor of the database would stay open where whoever reads stops early: the garbage collector
    then closes it, perhaps in the middle of another statement of the connection, and that waits for
    ever (test_rows_in_batches_leave_no_cursor_open).
    """
    rows = rows.order_by(key)
    batch = list(rows[:size])
    while batch:
        yield from batch
        if len(batch) < size:
            return
        batch = list(rows.filter(**{f"{key}__gt": getattr(batch[-1], key)})[:size])
