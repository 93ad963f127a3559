"""What happens in clubs: games begin and end, hands end and are settled, rulings, tiers.

The data are those of the webhooks of the same name. The id of a message says where it stands in
four orders that have no gaps, so it says exactly what was told, to every process and after any
time.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from heapq import merge
from operator import attrgetter
from typing import Any, Final, Literal, NamedTuple
from uuid import UUID

import msgspec
import structlog

from api.errors import Problem
from api.live.messages import HEARTBEAT, message, place_only
from api.live.streams import Delivery, Stream
from api.operation import Shown
from api.v1.shapes import moment
from api.webhooks.catalogue import FORM, Message, TierChanged
from api.webhooks.hands import hands_and_rulings_in
from api.webhooks.happenings import Happening, reached_by
from api.webhooks.milestones import people_in, tell_of_milestone
from api.webhooks.tiers import last_tier_change, tier_changes_in
from records import reader
from records.append import WRITER
from records.happenings import (
    EndedHand,
    Place,
    ended_hands_in,
    milestones_in,
    place_after,
)

log = structlog.get_logger(__name__)

PAGE: Final = 200
"""Rows of each order that are read in one turn."""
_CURSOR: Final = re.compile("-".join([r"(\d{1,15})"] * 4))


class HandOver(Shown, frozen=True):
    """A hand has ended; it is settled within seconds."""

    club: UUID
    game: UUID
    hand: int
    seq: int
    ended_at: datetime
    link: str


class Interest(msgspec.Struct, frozen=True):
    """Whose news somebody follows: all of some clubs, and all games that some players are in.

    ``player_clubs`` are the clubs of the players. They are told ``delay_s`` seconds late.
    """

    clubs: frozenset[UUID]
    players: frozenset[UUID] = frozenset()
    player_clubs: frozenset[UUID] = frozenset()
    delay_s: int = 0

    def concerns(self, item: Item) -> bool:
        """Whether it is for them."""
        if item.club_id in self.clubs or not self.players:
            return item.club_id in self.clubs
        about = item.about
        if isinstance(about, TierChanged):
            return about.player in self.players
        return not self.players.isdisjoint(people_of(about.game))


class Item(NamedTuple):
    """A message, and what it is about: a player's tier, or a game (every other type names it)."""

    club_id: UUID
    about: Any
    data: bytes


class Cursor(NamedTuple):
    """How far somebody was told: the last milestone, seal, half of a settlement, change of a tier.

    A settlement gives two messages where a ruling made it: the hand is its first half.
    """

    milestone: int
    seal: int
    half: int
    tier: int

    @classmethod
    def at(cls, place: Place, tier: int) -> Cursor:
        """The cursor of who was told everything up to a place, and up to a change of a tier."""
        return cls(place.milestone, place.seal, 2 * place.settlement, tier)

    @property
    def place(self) -> Place:
        """Everything up to here was told, and perhaps one half more."""
        return Place(self.milestone, self.seal, self.half // 2)

    @property
    def text(self) -> str:
        """As the id of a message."""
        return "-".join(map(str, self))


class Told(NamedTuple):
    """Something to tell, and where it stands in which order. None: it was taken back."""

    at: datetime
    order: Literal["milestone", "seal", "half", "tier"]
    number: int
    happening: Happening | None


class NewsSource:
    """Messages about clubs. ``access`` of a stream is an ``Interest``."""

    def read(self, streams: Sequence[Stream]) -> Iterator[Delivery]:
        """What has happened behind the streams' cursors: read once for all who stand alike."""
        groups: defaultdict[tuple[Cursor, int], list[Stream]] = defaultdict(list)
        for stream in streams:
            groups[stream.cursor, stream.access.delay_s].append(stream)
        for (cursor, delay_s), group in groups.items():
            upto = place_after(cursor.place, delay_s=delay_s)
            tier = max(cursor.tier, last_tier_change(delay_s=delay_s))
            if (upto, tier) == (cursor.place, cursor.tier):
                continue
            clubs: set[UUID] = set()
            for stream in group:
                clubs |= stream.access.clubs | stream.access.player_clubs
            items, reached = read_items(clubs, cursor, upto, tier)
            for stream in group:
                mine = [item.data for item in items if stream.access.concerns(item)]
                yield Delivery(stream, b"".join(mine), reached)

    def beat(self, stream: Stream) -> bytes:
        """A comment, and how far the stream has come, though there was nothing to tell."""
        return HEARTBEAT + place_only(stream.cursor.text)


def read_items(
    clubs: Iterable[UUID], after: Cursor, upto: Place, tier: int
) -> tuple[list[Item], Cursor]:
    """What to tell of these clubs up to these places, in the order of time, and how far it goes."""
    wanted, place = list(clubs), after.place
    milestones = milestones_in(wanted, after=place.milestone, upto=upto.milestone, limit=PAGE)
    hands = ended_hands_in(wanted, after=place.seal, upto=upto.seal, limit=PAGE)
    settled, settlement = hands_and_rulings_in(
        wanted, after=place.settlement, upto=upto.settlement, limit=PAGE
    )
    tiers, tier = tier_changes_in(wanted, after=after.tier, upto=tier, limit=PAGE)
    told = merge(
        (
            Told(each.placed_at, "milestone", each.position, tell_of_milestone(each))
            for each in milestones
        ),
        (Told(moment(each.sealed_at_ms), "seal", each.position, _hand(each)) for each in hands),
        (Told(each.at, "half", _half(each), each) for each in settled),
        (Told(each.at, "tier", each.position, each) for each in tiers),
        key=attrgetter("at"),
    )
    place = Place(
        reached_by(milestones, upto=upto.milestone, limit=PAGE),
        reached_by(hands, upto=upto.seal, limit=PAGE),
        settlement,
    )
    reached = Cursor.at(place, tier)
    return list(_items(told, after)), reached._replace(half=max(reached.half, after.half))


def _half(happening: Happening) -> int:
    """The hand before the ruling that made it what it is."""
    return 2 * happening.position - (happening.type != "ruling.made")


def _items(told: Iterable[Told], cursor: Cursor) -> Iterator[Item]:
    """The messages, each with the cursor of who got it."""
    for each in told:
        if each.number <= getattr(cursor, each.order):
            continue  # The first half of a settlement, told already.
        cursor = cursor._replace(**{each.order: each.number})
        happening = each.happening
        if happening is not None:
            body = Message(happening.type, FORM, happening.at, happening.data)
            yield Item(
                happening.club_id, happening.data, message(happening.type, body, cursor=cursor.text)
            )


def _hand(hand: EndedHand) -> Happening:
    ended_at = moment(hand.ended_at_ms)
    return Happening(
        type="hand.ended",
        club_id=hand.club_id,
        name=f"{hand.game_id}/{hand.seq}",
        at=ended_at,
        data=HandOver(
            club=hand.club_id,
            game=hand.game_id,
            hand=hand.hand,
            seq=hand.seq,
            ended_at=ended_at,
            link=f"/api/v1/games/{hand.game_id}/hands/{hand.hand}",
        ),
    )


@lru_cache(maxsize=4096)
def people_of(game_id: UUID) -> frozenset[UUID]:
    """Everybody who may sit in a game."""
    (stored,) = reader.events_of(game_id, to_seq=1, using=WRITER)
    return frozenset(people_in(stored))


def read_cursor(last_event_id: str) -> Cursor:
    """The cursor in the id of a message. Raises Problem ``invalid_input``."""
    match = _CURSOR.fullmatch(last_event_id)
    if match is None:
        raise Problem(
            "invalid_input",
            "This is not the id of a message of such a stream.",
            facts={"actual": last_event_id[:100]},
        )
    return Cursor(*map(int, match.groups()))


@lru_cache(maxsize=1)
def news_source() -> NewsSource:
    """The one of this process."""
    return NewsSource()
