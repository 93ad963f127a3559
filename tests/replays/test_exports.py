"""Tables become files: typed spreadsheets, CSV without formulas, streams in little memory."""

from __future__ import annotations

import csv
import io
import json
import tracemalloc
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import pytest
from openpyxl import load_workbook

from replays import exports
from replays.exports import FORMATS, Cell, Column, Table, file_name

AT = datetime(2026, 11, 30, 16, 30, tzinfo=UTC)
COLUMNS = (
    Column("name"),
    Column("points", "integer"),
    Column("rate", "number"),
    Column("at", "time"),
    Column("reverses", "yes"),
)
ROWS: tuple[tuple[Cell, ...], ...] = (
    ("林", -12, 0.25, AT, False),
    ('=HYPERLINK("http://x")', 7, None, AT, True),
)


def table(rows: Iterator[Sequence[Cell]] | None = None) -> Table:
    """A table of one column of each kind."""
    return Table(
        title="standings",
        columns=COLUMNS,
        rows=iter(ROWS) if rows is None else rows,
        time_zone="Asia/Shanghai",
    )


def written(name: str, of: Table | None = None) -> bytes:
    """A table as a file."""
    return b"".join(FORMATS[name].write(of or table()))


def test_a_spreadsheet_opens_with_types_a_frozen_header_and_a_filter() -> None:
    sheet = load_workbook(io.BytesIO(written("xlsx"))).active
    assert sheet is not None
    assert sheet.title == "standings"
    assert sheet.freeze_panes == "A2"
    assert sheet.auto_filter.ref == "A1:E3"
    assert [cell.value for cell in sheet[1]] == [column.name for column in COLUMNS]
    assert sheet["A1"].font.bold
    # Times are shown as in the club's time zone, where it is the day after.
    assert [cell.value for cell in sheet[2]] == [
        "林",
        -12,
        0.25,
        datetime(2026, 12, 1, 0, 30),  # noqa: DTZ001 - a spreadsheet has no time zones
        False,
    ]
    assert [cell.data_type for cell in sheet[2]] == ["s", "n", "n", "d", "b"]
    assert sheet["D2"].number_format == exports.TIME_FORMAT
    assert sheet.column_dimensions["D"].width >= 19
    assert sheet["C3"].value is None


def test_no_text_is_taken_for_a_formula() -> None:
    sheet = load_workbook(io.BytesIO(written("xlsx"))).active
    assert sheet is not None
    assert (sheet["A3"].data_type, sheet["A3"].value) == ("s", ROWS[1][0])
    for name in ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"):
        cells = iter([(name, -5, -0.5, AT, True)])
        rows = list(csv.reader(io.StringIO(written("csv", table(cells)).decode("utf-8-sig"))))
        assert rows[1][0] == f"'{name}"
        assert rows[1][1:3] == ["-5", "-0.5"]


def test_csv_is_utf8_with_a_mark_that_spreadsheet_programs_know() -> None:
    content = written("csv")
    assert content.startswith(b"\xef\xbb\xbf")
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    assert rows[0] == [column.name for column in COLUMNS]
    assert rows[1] == ["林", "-12", "0.25", "2026-11-30T16:30:00Z", "false"]
    assert rows[2][2] == ""


def test_json_and_ndjson_hold_the_same_objects() -> None:
    lines = [json.loads(line) for line in written("ndjson").splitlines()]
    assert lines == json.loads(written("json"))
    assert lines[0] == {
        "name": "林",
        "points": -12,
        "rate": 0.25,
        "at": "2026-11-30T16:30:00Z",
        "reverses": False,
    }
    assert json.loads(written("json", table(iter(())))) == []
    assert written("ndjson", table(iter(()))) == b""


@pytest.mark.parametrize("name", FORMATS)
def test_a_table_without_rows_is_a_file_all_the_same(name: str) -> None:
    pieces = list(FORMATS[name].write(table(iter(()))))
    assert pieces


def test_a_sheet_that_is_full_goes_on_in_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exports, "SHEET_ROWS", 4)
    rows = (("n", number, None, None, None) for number in range(7))
    book = load_workbook(io.BytesIO(written("xlsx", table(rows))))
    assert book.sheetnames == ["standings", "standings 2", "standings 3"]
    values = [row[1].value for sheet in book for row in sheet.iter_rows(min_row=2)]
    assert values == list(range(7))
    assert all(sheet.freeze_panes == "A2" for sheet in book)


def peak_of(name: str, rows: int) -> int:
    """The most bytes that writing so many rows held at once."""
    made = (("a name of a player", number, 0.5, AT, False) for number in range(rows))
    tracemalloc.start()
    for _ in FORMATS[name].write(table(made)):
        pass
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak


@pytest.mark.parametrize("name", FORMATS)
def test_a_long_table_takes_no_more_memory_than_a_short_one(name: str) -> None:
    peak_of(name, 10)
    assert peak_of(name, 50_000) < 2 * peak_of(name, 5_000)


def test_a_file_is_named_by_its_parts() -> None:
    assert file_name("club", "statement", "林 / ../x", "2026-11", suffix="csv") == (
        "club-statement-林-..-x-2026-11.csv"
    )
    assert file_name("club", "", "all", suffix="xlsx") == "club-all.xlsx"
