"""Tables as files: CSV, JSON, NDJSON and spreadsheets, written row by row and never held whole.

A `Table` is what is exported, its rows an iterator that reads the database page by page; each of
`FORMATS` turns one into bytes. Text formats have the values as they are in the API; spreadsheets
have numbers as numbers and times as times in the club's time zone.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from tempfile import TemporaryFile
from types import MappingProxyType
from typing import IO, Any, Final, Literal
from zoneinfo import ZoneInfo

import msgspec
import xlsxwriter

Kind = Literal["text", "integer", "number", "time", "yes"]
Cell = str | int | float | bool | datetime | None

CHUNK_BYTES: Final = 64 * 1024
SHEET_ROWS: Final = 1_048_576
"""What one sheet of a spreadsheet can hold, its header included."""
BOM: Final = "\ufeff"
"""Without it a spreadsheet program takes a CSV file in UTF-8 for one of an older encoding."""
FORMULA_BEGINS: Final = ("=", "+", "-", "@", "\t", "\r")
"""A cell of text that begins so would be computed by a spreadsheet program that opens a CSV."""
WIDTHS: Final[Mapping[str, int]] = {"text": 18, "integer": 10, "number": 10, "time": 19, "yes": 8}
TIME_FORMAT: Final = "yyyy-mm-dd hh:mm:ss"


class Column(msgspec.Struct, frozen=True):
    """A column: its name as a key, and what it holds. ``width`` in characters, 0 for the usual."""

    name: str
    kind: Kind = "text"
    width: int = 0


class Table(msgspec.Struct, frozen=True, kw_only=True):
    """What is exported. ``title`` names the sheet; a row has a cell for each column.

    ``time_zone`` is the one spreadsheets show times in, which have none of their own.
    """

    title: str
    columns: Sequence[Column]
    rows: Iterable[Sequence[Cell]]
    time_zone: str = "UTC"


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """A file format: what its name ends with, its media type, and how a table becomes bytes."""

    suffix: str
    media_type: str
    write: Callable[[Table], Iterator[bytes]]


def to_csv(table: Table) -> Iterator[bytes]:
    """RFC 4180 in UTF-8 with a byte order mark. No text of it is ever taken for a formula."""
    text = io.StringIO(newline="")
    text.write(BOM)
    writer = csv.writer(text)
    writer.writerow([column.name for column in table.columns])
    for row in table.rows:
        writer.writerow([_csv_cell(cell) for cell in row])
        if text.tell() >= CHUNK_BYTES:
            yield _taken(text)
    yield _taken(text)


def _taken(text: io.StringIO) -> bytes:
    """What was written so far; the buffer is empty then."""
    written = text.getvalue().encode()
    text.seek(0)
    text.truncate()
    return written


def _csv_cell(cell: Cell) -> str | int | float | None:
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, datetime):
        return _iso(cell)
    if isinstance(cell, str) and cell.startswith(FORMULA_BEGINS):
        return f"'{cell}"
    return cell


def to_ndjson(table: Table) -> Iterator[bytes]:
    """One JSON object a line."""
    return _chunked(msgspec.json.encode(row) + b"\n" for row in _objects(table))


def to_json(table: Table) -> Iterator[bytes]:
    """One JSON array of objects."""

    def parts() -> Iterator[bytes]:
        before = b"[\n"
        for row in _objects(table):
            yield before + msgspec.json.encode(row)
            before = b",\n"
        yield b"\n]\n" if before == b",\n" else b"[]\n"

    return _chunked(parts())


def _objects(table: Table) -> Iterator[dict[str, Cell]]:
    names = [column.name for column in table.columns]
    for row in table.rows:
        yield {
            name: _iso(cell) if isinstance(cell, datetime) else cell
            for name, cell in zip(names, row, strict=True)
        }


def _iso(moment: datetime) -> str:
    """A time in UTC with ``Z``, as everywhere in the API."""
    return msgspec.json.decode(msgspec.json.encode(moment.astimezone(ZoneInfo("UTC"))), type=str)


def _chunked(parts: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in pieces of a size worth sending."""
    waiting, size = [], 0
    for part in parts:
        waiting.append(part)
        size += len(part)
        if size >= CHUNK_BYTES:
            yield b"".join(waiting)
            waiting, size = [], 0
    yield b"".join(waiting)


def to_xlsx(table: Table) -> Iterator[bytes]:
    """A workbook with a frozen header that filters, typed cells, and a sheet a million rows.

    It is written to a temporary file first, row by row: a workbook is a ZIP of parts whose sizes
    come last.
    """
    with TemporaryFile() as file:
        _write_workbook(table, file)
        file.seek(0)
        while piece := file.read(CHUNK_BYTES):
            yield piece


def _write_workbook(table: Table, file: IO[bytes]) -> None:
    # Texts stay texts: no name of a player becomes a formula or a link.
    options = {
        "constant_memory": True,
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    with xlsxwriter.Workbook(file, options) as workbook:
        header = workbook.add_format({"bold": True, "bottom": 1})
        formats = {
            "text": None,
            "yes": None,
            "integer": workbook.add_format({"num_format": "0"}),
            "number": workbook.add_format({"num_format": "0.00"}),
            "time": workbook.add_format({"num_format": TIME_FORMAT}),
        }
        zone = ZoneInfo(table.time_zone)
        rows = iter(table.rows)
        number, full = 1, True
        while full:
            title = _sheet_title(table.title, number)
            sheet = workbook.add_worksheet(title)
            _head(sheet, table.columns, header, formats)
            full = _fill(sheet, table.columns, rows, formats, zone)
            number += 1


def _sheet_title(title: str, number: int) -> str:
    """A sheet's name: 31 characters, none of those that a formula would misread."""
    ending = "" if number == 1 else f" {number}"
    clean = re.sub(r"[\[\]:*?/\\']", " ", title).strip() or "paipu"
    return clean[: 31 - len(ending)] + ending


def _head(sheet: Any, columns: Sequence[Column], header: Any, formats: Mapping[str, Any]) -> None:
    for place, column in enumerate(columns):
        width = column.width or max(WIDTHS[column.kind], len(column.name) + 2)
        sheet.set_column(place, place, width, formats[column.kind])
    sheet.write_row(0, 0, [column.name for column in columns], header)
    sheet.freeze_panes(1, 0)


def _fill(
    sheet: Any,
    columns: Sequence[Column],
    rows: Iterator[Sequence[Cell]],
    formats: Mapping[str, Any],
    zone: ZoneInfo,
) -> bool:
    """Write rows until they or the sheet end; answer whether the sheet is full."""
    number = 0
    for number, row in enumerate(rows, 1):
        for place, (column, cell) in enumerate(zip(columns, row, strict=True)):
            if isinstance(cell, datetime):
                local = cell.astimezone(zone).replace(tzinfo=None)
                sheet.write_datetime(number, place, local, formats["time"])
            elif isinstance(cell, bool):
                sheet.write_boolean(number, place, cell)
            elif isinstance(cell, str):
                sheet.write_string(number, place, cell)
            elif cell is not None:
                sheet.write_number(number, place, cell, formats[column.kind])
        if number == SHEET_ROWS - 1:
            break
    sheet.autofilter(0, 0, number, len(columns) - 1)
    return number == SHEET_ROWS - 1


FORMATS: Final[Mapping[str, Format]] = MappingProxyType(
    {
        "csv": Format(suffix="csv", media_type="text/csv; charset=utf-8", write=to_csv),
        "json": Format(suffix="json", media_type="application/json", write=to_json),
        "ndjson": Format(suffix="ndjson", media_type="application/x-ndjson", write=to_ndjson),
        "xlsx": Format(
            suffix="xlsx",
            media_type="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            write=to_xlsx,
        ),
    }
)
"""The formats a table can be had in, by the name that is asked for."""


def file_name(*parts: str, suffix: str) -> str:
    """A file name of these parts that every system takes: letters, digits, dots and dashes."""
    clean = [re.sub(r"[^\w.]+", "-", part).strip("-._") for part in parts]
    return "-".join(part for part in clean if part) + f".{suffix}"
