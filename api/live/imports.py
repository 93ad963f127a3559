"""How far files of games are."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final
from uuid import UUID

import msgspec

from api.live.messages import HEARTBEAT, end, message
from api.live.streams import Delivery, Stream
from api.models import Import
from api.v1.imports import ImportShown, import_shown

EVERY_S: Final = 0.5
"""Each file is looked at no more often: a progress bar needs no more."""


class ImportStreamEnd(msgspec.Struct, frozen=True):
    """Nothing will be recorded of the file any more."""

    state: str


class ImportSource:
    """Messages about imports.

    ``access`` of a stream is the import's id, the cursor the id of the last message, "" for none.
    """

    def __init__(self) -> None:
        self._looked_at: dict[UUID, float] = {}

    def read(self, streams: Sequence[Stream]) -> Iterator[Delivery]:
        """How far those files are that have changed."""
        groups: defaultdict[UUID, list[Stream]] = defaultdict(list)
        for stream in streams:
            groups[stream.access].append(stream)
        now = time.monotonic()
        before, self._looked_at = self._looked_at, {}
        for import_id, group in groups.items():
            self._looked_at[import_id] = before.get(import_id, 0.0)
            if now - self._looked_at[import_id] < EVERY_S:
                continue
            self._looked_at[import_id] = now
            file = Import.objects.filter(pk=import_id).first()
            if file is not None:
                yield from _tell(import_shown(file), group)

    def beat(self, stream: Stream) -> bytes:
        """A comment; the last message said how far the file is."""
        del stream
        return HEARTBEAT


def _tell(shown: ImportShown, streams: Sequence[Stream]) -> Iterator[Delivery]:
    place, over = place_of(shown), is_over(shown)
    for stream in streams:
        data = b"" if stream.cursor == place else message("progress", shown, cursor=place)
        if over:
            data += end(ImportStreamEnd(shown.state))
        if data:
            yield Delivery(stream, data, place, ends=over)


def is_over(shown: ImportShown) -> bool:
    """Whether nothing will change any more."""
    return shown.state in ("ended", "cancelled")


def place_of(shown: ImportShown) -> str:
    """What tells one state of a file from another, as the id of a message."""
    counts = (shown.lines, *msgspec.structs.astuple(shown.progress))
    return "-".join([shown.state, *map(str, counts)])


@lru_cache(maxsize=1)
def import_source() -> ImportSource:
    """The one of this process."""
    return ImportSource()
