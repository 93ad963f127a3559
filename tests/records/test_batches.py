"""Rows in batches: all of them, in order, and nothing left behind by who stops early."""

from django.db import connection, transaction

from records.batches import in_batches
from records.models import Account
from tests.support.databases import Database


def accounts(count: int) -> list[str]:
    names = [f"{number:02}" for number in range(count)]
    Account.objects.bulk_create(Account(username=name) for name in reversed(names))
    return names


def test_all_rows_come_once_in_the_order_of_the_key(database: Database) -> None:
    names = accounts(7)
    for size in (1, 3, 7, 8):
        found = in_batches(Account.objects.all(), key="username", size=size)
        assert [account.username for account in found] == names


def test_no_rows_are_no_batch(database: Database) -> None:
    assert list(in_batches(Account.objects.none())) == []


def test_rows_in_batches_leave_no_cursor_open(database: Database) -> None:
    accounts(7)
    with transaction.atomic():
        reading = in_batches(Account.objects.all(), size=3)
        next(reading)
        with connection.cursor() as cursor:
            # Of a statement that a server runs for a cursor there is one row, of this one none.
            cursor.execute("SELECT name FROM pg_cursors WHERE name <> ''")
            assert cursor.fetchall() == []
        assert len(list(reading)) == 6
