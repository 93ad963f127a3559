"""The events of a game as they are recorded, redacted for each kind of viewer.

A message has the event as the log answers with it, and its seq as id. An event that was sent while
its tiles were hidden is shown in full when its hand ends: the message of the event that ends the
hand has such events in ``opened``. So whoever gets every message has, in the end, seen everything.
"""

from __future__ import annotations

from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Annotated, Final
from uuid import UUID

import msgspec
import structlog

from api.live.messages import HEARTBEAT, bye, end, message
from api.live.streams import Delivery, Stream
from api.v1.shapes import EventShown, event_shown
from records import reader
from records.append import WRITER
from records.chain import StoredEvent
from records.errors import RecordsError
from records.heads import Head, catalogue_of, follow, restore
from replays.visibility import EVERYTHING, Viewer, open_items, sight
from rules_engine.events import Ruling, split
from rules_engine.fold import Game
from rules_engine.registry import UnknownRuleset

log = structlog.get_logger(__name__)

PAGE: Final = 500
"""Events that a stream is sent in one turn."""
HEADS_MAX: Final = 4096


class EventStreamed(EventShown, frozen=True):
    """An event, with those of its hand that were hidden before and are open with it."""

    opened: Annotated[
        list[EventShown],
        msgspec.Meta(description="Events sent before with hidden items, now in full."),
    ] = []


class GameStreamEnd(msgspec.Struct, frozen=True):
    """The game has ended, and this was its last event."""

    seq: int


class GameSource:
    """Messages of games.

    The cursor is the seq of the last event sent, 0 for none; ``access`` is a ``Sight``.
    """

    def __init__(self) -> None:
        self._heads: OrderedDict[tuple[UUID, int], Head] = OrderedDict()

    def read(self, streams: Sequence[Stream]) -> Iterator[Delivery]:
        """The events behind the streams' cursors: one question for all games, one read a game."""
        groups: defaultdict[tuple[UUID, int], list[Stream]] = defaultdict(list)
        for stream in streams:
            groups[stream.access.game_id, stream.access.delay_s].append(stream)
        wanted = [
            (game_id, min(stream.cursor for stream in group), delay_s)
            for (game_id, delay_s), group in groups.items()
        ]
        lasts = reader.last_seqs(wanted, using=WRITER)
        for (key, group), last in zip(groups.items(), lasts, strict=True):
            behind = [stream for stream in group if stream.cursor < last]
            if behind:
                yield from self._told(key, behind, last)

    def beat(self, stream: Stream) -> bytes:
        """A comment; the last message said how far the stream is."""
        del stream
        return HEARTBEAT

    def _told(self, key: tuple[UUID, int], streams: list[Stream], last: int) -> list[Delivery]:
        """What one game gives; a game that cannot be read is the end of its own streams alone."""
        try:
            return list(self._tell(key, streams, last))
        except (RecordsError, UnknownRuleset):
            log.exception("game_not_streamed", game=str(key[0]))
            return [Delivery(each, bye("unreadable"), each.cursor, ends=True) for each in streams]

    def _tell(
        self, key: tuple[UUID, int], streams: Iterable[Stream], last: int
    ) -> Iterator[Delivery]:
        """Bring these streams of one game, as it was after ``last``, up to there."""
        before = self._heads.get(key)
        by_cursor: defaultdict[int, list[Stream]] = defaultdict(list)
        for stream in streams:
            by_cursor[stream.cursor].append(stream)
        for cursor, group in by_cursor.items():
            stored = read_events(key[0], after=cursor, upto=min(last, cursor + PAGE))
            head = self._head(key, stored, last)
            assert head.game is not None
            floor = before.game.floor if before and before.game and before.seq == cursor else None
            page = Page(key[0], head.game, stored, cursor, floor)
            ends = head.game.ended and stored[-1].seq == last
            for stream in group:
                data = page.data(stream.access.viewer(head.game))
                if ends:
                    data += end(GameStreamEnd(last))
                yield Delivery(stream, data, stored[-1].seq, ends=ends)

    def _head(self, key: tuple[UUID, int], stored: Sequence[StoredEvent], last: int) -> Head:
        """The game after ``last``; by the events just read where they are the next ones."""
        head = self._heads.get(key)
        if head is None or head.seq != last:
            if head is not None and stored[0].seq == head.seq + 1 and stored[-1].seq == last:
                for event in stored:
                    head = follow(head, event)
            else:
                head = reader.head_at(key[0], last, using=WRITER)
            self._heads[key] = head
        self._heads.move_to_end(key)
        if len(self._heads) > HEADS_MAX:
            self._heads.popitem(last=False)
        return head


class Page:
    """Some events of a game in order, each made into bytes once for each kind of viewer.

    ``game`` is the game as it is known, ``floor`` its floor after the event ``after``, where that
    is at hand.
    """

    def __init__(
        self,
        game_id: UUID,
        game: Game,
        stored: Sequence[StoredEvent],
        after: int,
        floor: int | None,
    ) -> None:
        self._game_id = game_id
        self._game = game
        self._stored = stored
        self._after = after
        self._floor = floor
        self._made: dict[Viewer, bytes] = {}

    def data(self, viewer: Viewer) -> bytes:
        """The messages for this viewer."""
        if viewer not in self._made:
            self._made[viewer] = b"".join(self._messages(viewer))
        return self._made[viewer]

    def _messages(self, viewer: Viewer) -> Iterator[bytes]:
        types = catalogue_of(self._game)
        closing = self._closing_seq()
        for stored in self._stored:
            seen = sight(viewer, seq=stored.seq, floor=self._game.floor)
            shown = event_shown(stored, types, seen)
            opened = self._opened(viewer) if stored.seq == closing else []
            streamed = EventStreamed(**msgspec.structs.asdict(shown), opened=opened)
            yield message("event", streamed, cursor=str(stored.seq))

    def _closing_seq(self) -> int | None:
        """The first of the events that ended a hand, so that what was sent before is open."""
        types = catalogue_of(self._game)
        for stored in self._stored:
            kind = types.types[stored.type]
            if stored.seq <= self._game.floor and kind.seals and not issubclass(kind, Ruling):
                return stored.seq
        return None

    def _opened(self, viewer: Viewer) -> list[EventShown]:
        """Events of the hand, sent before, that held something hidden from the viewer."""
        if self._floor is None and self._after > 0:
            self._floor = reader.game_at(self._game_id, self._after, using=WRITER).floor
        types = catalogue_of(self._game)
        found = []
        for stored in read_events(self._game_id, after=self._floor or 0, upto=self._after):
            event = restore(stored, types)
            _, secrets = split(event)
            if secrets.keys() - open_items(event, viewer):
                found.append(event_shown(stored, types, EVERYTHING))
        return found


def read_events(game_id: UUID, *, after: int, upto: int) -> list[StoredEvent]:
    """The events behind ``after`` up to ``upto``, that one included."""
    return list(reader.events_of(game_id, from_seq=after + 1, to_seq=upto, using=WRITER))


@lru_cache(maxsize=1)
def game_source() -> GameSource:
    """The one of this process."""
    return GameSource()
