"""Receiving a file of games: read as a stream, sorted by game, kept until the workers come to it.

The lines are those of ``api.exchange.lines``. At no time is more than BUFFER_BYTES of them in
memory. What is no line of a game at all is a fault at once; what is no legal event is found when
the game is recorded.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterator, Sequence
from typing import IO, Final
from uuid import UUID

import msgspec
from django.db import connection, models, transaction
from django.utils import timezone

from api.exchange.lines import BOM, LINE_BYTES_MAX, GameName
from api.models import Import, ImportedGame, ImportFault, ImportPart
from records.errors import RecordsError
from records.models import Account, Club

CHUNK_BYTES: Final = 256 * 1024
BUFFER_BYTES: Final = 8 * 1024 * 1024
FILE_BYTES_MAX: Final = 4 * 1024**3
"""Of the unpacked lines. Whoever has more sends several files."""
RATIO_MAX: Final = 200
"""How many times its size a packed file may unpack to; logs of games come to ten or twenty."""
RATIO_FREE_BYTES: Final = 1024 * 1024
"""Unpacked, up to which the ratio says nothing."""
FAULTS_MAX: Final = 10_000
"""Lines that are none: a file with more of them is no file of games."""


class ImportKeyReused(RecordsError):
    """The same key came with another file."""

    code = "idempotency_key_reused"

    def __init__(self, key: str) -> None:
        super().__init__(
            "You used this Idempotency-Key for another file; give each file a key of its own.",
            key=key,
        )


class NotAFile(RecordsError):
    """What came cannot be a file of games."""

    code = "bad_file"

    def __init__(self, message: str) -> None:
        super().__init__(message)


class _Named(msgspec.Struct):
    """As much of a line as tells which game it belongs to."""

    game: GameName


# An INSERT would be one text with all the lines in it, and the driver keeps some of those
# (test_a_file_is_received_in_a_part_of_its_size_of_memory).
_KEEP: Final = "COPY api_importpart (game_id, numbers, body) FROM STDIN (FORMAT BINARY)"
_DECODER = msgspec.json.Decoder(_Named)


def receive(
    stream: IO[bytes], *, club: Club, account: Account | None, key: str, packed: bool
) -> tuple[Import, bool]:
    """Keep a file; the import, and whether this very file had been received before.

    A file that broke off is sent again from its beginning with the same key. ``packed`` tells that
    the stream is gzip. Raises ImportKeyReused, NotAFile.
    """
    file, _ = Import.objects.get_or_create(club=club, key=key, defaults={"created_by": account})
    if file.received_at is not None:
        digest = hashlib.sha256()
        for chunk in chunks(stream, packed=packed):
            digest.update(chunk)
        if digest.digest() != bytes(file.sha256 or b""):
            raise ImportKeyReused(key)
        return file, True
    sorter = Sorter(file)
    with transaction.atomic():
        # One receiver at a time; what an earlier one left behind when it broke off is thrown away
        # (test_a_file_that_broke_off_is_sent_again).
        Import.objects.select_for_update().get(pk=file.pk)
        file.games.all().delete()
        file.faults.all().delete()
        for chunk in chunks(stream, packed=packed):
            sorter.take(chunk)
        sorter.finish()
        file.received_at = timezone.now()
        if not file.games.exists():
            file.ended_at = file.received_at
        file.save()
    return file, False


def chunks(stream: IO[bytes], *, packed: bool) -> Iterator[bytes]:
    """The bytes of the lines. Raises NotAFile for what is not gzip, breaks off, or is too much."""
    pieces = iter(lambda: stream.read(CHUNK_BYTES), b"")
    size = 0
    for part in unpacked(pieces) if packed else pieces:
        size += len(part)
        if size > FILE_BYTES_MAX:
            raise NotAFile(f"The file has more than {FILE_BYTES_MAX:,} bytes of lines.")
        yield part


def unpacked(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """What a gzip file stands for, never more than a chunk at a time. Raises NotAFile.

    A file may hold several gzip streams one behind the other, as some programs write them.
    """
    unpack = zlib.decompressobj(wbits=31)
    taken = given = 0
    try:
        for piece in pieces:
            taken += len(piece)
            rest = piece
            while rest:
                if unpack.eof:
                    unpack = zlib.decompressobj(wbits=31)
                part = unpack.decompress(rest, CHUNK_BYTES)
                rest = unpack.unconsumed_tail or unpack.unused_data
                given += len(part)
                if given > max(RATIO_FREE_BYTES, RATIO_MAX * taken):
                    raise NotAFile(f"The file unpacks to more than {RATIO_MAX} times its size.")
                yield part
    except zlib.error as error:
        raise NotAFile(f"This is not a gzip file: {error}.") from error
    if not unpack.eof:
        raise NotAFile("The gzip file breaks off before its end.")


class Sorter:
    """Cuts chunks into lines and puts the lines of each game together."""

    def __init__(self, file: Import) -> None:
        self.file = file
        self.digest = hashlib.sha256()
        self.rest = b""
        self.number = 0
        self.size = 0
        self.faults = 0
        self.ids: dict[str, int] = {}
        self.held: dict[str, tuple[list[int], list[bytes]]] = {}
        self.held_bytes = 0

    def take(self, chunk: bytes) -> None:
        """Some more of the file."""
        self.digest.update(chunk)
        self.size += len(chunk)
        lines = (self.rest + chunk).split(b"\n")
        self.rest = lines.pop()
        for line in lines:
            self.line(line)
        if len(self.rest) > LINE_BYTES_MAX:
            raise NotAFile(f"Line {self.number + 1} has more than {LINE_BYTES_MAX:,} bytes.")

    def finish(self) -> None:
        """The end of the file."""
        if self.rest:
            self.line(self.rest)
        self.write()
        self.file.sha256 = self.digest.digest()
        self.file.size_bytes = self.size
        self.file.lines = self.number

    def line(self, line: bytes) -> None:
        """One line."""
        self.number += 1
        if self.number == 1:
            line = line.removeprefix(BOM)
        if not line.strip():
            return
        try:
            name = _DECODER.decode(line).game
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            self.fault(f"This is no line of a game: {error}.")
            return
        if "\x00" in name:
            self.fault("The name of a game holds the character U+0000.")
            return
        numbers, bodies = self.held.setdefault(name, ([], []))
        numbers.append(self.number)
        bodies.append(line)
        self.held_bytes += len(line)
        if self.held_bytes > BUFFER_BYTES:
            self.write()

    def fault(self, message: str) -> None:
        """A line that belongs to no game."""
        self.faults += 1
        if self.faults > FAULTS_MAX:
            raise NotAFile(f"More than {FAULTS_MAX:,} lines are no lines of games. {message}")
        ImportFault.objects.create(
            file=self.file, line=self.number, code="bad_line", message=message
        )

    def write(self) -> None:
        """Put what is held into the database."""
        new = [
            ImportedGame(file=self.file, name=name) for name in self.held if name not in self.ids
        ]
        for game in ImportedGame.objects.bulk_create(new):
            self.ids[game.name] = game.pk
        with connection.cursor() as cursor, cursor.copy(_KEEP) as copy:
            copy.set_types(("int8", "int4[]", "bytea"))
            for name, (numbers, bodies) in self.held.items():
                copy.write_row((self.ids[name], numbers, b"\n".join(bodies)))
        self.held.clear()
        self.held_bytes = 0


def cancel(file: Import) -> None:
    """Record no more games of this file; what is recorded stays."""
    with transaction.atomic():
        Import.objects.select_for_update().get(pk=file.pk)
        waiting = file.games.filter(state=ImportedGame.State.WAITING)
        ids = list(waiting.select_for_update().values_list("id", flat=True))
        ImportPart.objects.filter(game__in=ids).delete()
        waiting.filter(id__in=ids).update(state=ImportedGame.State.CANCELLED)
        if file.ended_at is None:
            file.ended_at = timezone.now()
            file.cancelled = bool(ids) or file.received_at is None
            file.save(update_fields=["ended_at", "cancelled"])


class Progress(msgspec.Struct, frozen=True, kw_only=True):
    """How far an import is: games by what became of them, events the log has, lines refused."""

    games: int
    waiting: int
    recorded: int
    refused: int
    cancelled: int
    events: int
    faults: int


def progress_of(file_id: UUID) -> Progress:
    """How far it is now."""
    return progress_of_each([file_id])[file_id]


def progress_of_each(file_ids: Sequence[UUID]) -> dict[UUID, Progress]:
    """How far each is now, in two queries."""
    counts = {file: dict.fromkeys(ImportedGame.State.values, 0) for file in file_ids}
    events = dict.fromkeys(file_ids, 0)
    rows = ImportedGame.objects.filter(file__in=file_ids).values("file", "state")
    for row in rows.annotate(games=models.Count("id"), events=models.Sum("events")):
        counts[row["file"]][row["state"]] = row["games"]
        events[row["file"]] += row["events"]
    faulty = ImportFault.objects.filter(file__in=file_ids).values("file")
    faults = {row["file"]: row["faults"] for row in faulty.annotate(faults=models.Count("id"))}
    return {
        file: Progress(
            games=sum(counts[file].values()),
            events=events[file],
            faults=faults.get(file, 0),
            **counts[file],
        )
        for file in file_ids
    }
