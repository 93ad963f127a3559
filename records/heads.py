"""How far a game has come: the state after its last event, and what a rewind would need.

Pure values, and one bounded cache of them for the process that appends. A cached head is a guess:
it may be behind (another process appended) or ahead (our own transaction rolled back). So nothing
is decided by it alone: the append names seq and hash of the head it built on and the database
compares them under the game's lock, and every refusal is checked against the database before it is
given (test_a_cached_head_never_decides and its neighbours).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from functools import lru_cache
from typing import Final
from uuid import UUID

import msgspec

from records.chain import GENESIS, StoredEvent
from records.errors import ReplayRefused
from rules_engine.errors import IllegalEvent
from rules_engine.events import Catalogue, Event, Rewind, catalogue
from rules_engine.fold import Game, Numbered, apply, check_rewind, rewound

CACHED_GAMES_MAX: Final = 1024
"""A head with the tail of a live hand takes some 50 kB, so the cache stays below 50 MB."""


class Head(msgspec.Struct, frozen=True):
    """A game after the event ``seq``, whose hash is ``hash``; seq 0 is a game without events.

    ``base`` is the state no rewind may go behind: after the last ended hand, or the first event.
    ``tail`` holds every event since ``base``, taken back or not: one hand of them at most, and the
    rulings made meanwhile.
    """

    seq: int = 0
    hash: bytes = GENESIS
    game: Game | None = None
    base: Game | None = None
    tail: tuple[Numbered, ...] = ()


def advance(head: Head, event: Event, digest: bytes) -> Head:
    """The head after one more event whose hash is ``digest``. Raises IllegalEvent."""
    seq = head.seq + 1
    tail = (*head.tail, (seq, event))
    if isinstance(event, Rewind) and head.game is not None:
        check_rewind(head.game, event, seq)
        game = rewound(tail, head.base)
    else:
        game = apply(head.game, event, seq)
    if game.floor == seq:
        return Head(seq=seq, hash=digest, game=game, base=game)
    return Head(seq=seq, hash=digest, game=game, base=head.base, tail=tail)


def follow(head: Head, stored: StoredEvent) -> Head:
    """The head after one more event read from the log. Raises ReplayRefused."""
    try:
        return advance(head, restore(stored, catalogue_of(head.game)), stored.hash)
    except IllegalEvent as error:
        raise ReplayRefused(
            game_id=stored.game_id, seq=stored.seq, violation=error.violation
        ) from error


def catalogue_of(game: Game | None) -> Catalogue:
    """The event types that may come next; before the first event, the common ones."""
    return catalogue() if game is None else game.ruleset.catalogue


def restore(stored: StoredEvent, types: Catalogue) -> Event:
    """The event a row holds, lifted to the present version of its type."""
    return types.join(stored.type, stored.version, stored.public, stored.secret)


class HeadCache:
    """The heads used last, at most ``capacity`` of them; safe to share between threads."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._heads: OrderedDict[UUID, Head] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, game_id: UUID) -> Head | None:
        """The head last put for this game, if it is still kept."""
        with self._lock:
            head = self._heads.get(game_id)
            if head is not None:
                self._heads.move_to_end(game_id)
            return head

    def put(self, game_id: UUID, head: Head) -> None:
        """Keep this head; the one used longest ago makes room."""
        with self._lock:
            self._heads[game_id] = head
            self._heads.move_to_end(game_id)
            if len(self._heads) > self._capacity:
                self._heads.popitem(last=False)


@lru_cache(maxsize=1)
def head_cache() -> HeadCache:
    """The cache of this process."""
    return HeadCache(CACHED_GAMES_MAX)
