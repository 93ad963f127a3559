"""What webhooks tell of: every type of event, and the form of its data.

Data name players, games and clubs by their ids alone. Names belong to people, who may change them
or have them removed, and what has been sent out cannot be taken back. Nothing is told of a hand
before it is settled, so no tile of a live hand is ever in it, and no free text of a referee.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final, Literal
from uuid import UUID

import msgspec

from api.operation import Shown

FORM: Final = 1
"""The version of the messages: it is raised when a field goes or changes its meaning.

Fields may be added at any time.
"""


class GameBegun(Shown, frozen=True):
    """A game has begun. `people` are its players by seat, then its substitutes."""

    club: UUID
    game: UUID
    ruleset: str
    ruleset_version: int
    stake: int
    people: tuple[UUID, ...]
    started_at: datetime
    link: str


class PaymentTold(Shown, frozen=True):
    """Who pays whom how many points, for which item of which rule."""

    payer: UUID
    payee: UUID
    points: int
    kind: str
    item: str
    rule: str


class WinTold(Shown, frozen=True):
    """What a winning hand is worth to an ordinary payer, and the ids of the items that count."""

    seat: int
    total: int
    items: tuple[str, ...]


class HandSettled(Shown, frozen=True):
    """A hand has ended and is settled for the first time.

    Players and points are by seat. `seq` is the event that settled it; `revision` is 1.
    """

    club: UUID
    game: UUID
    hand: int
    revision: int
    seq: int
    ruleset: str
    ruleset_version: int
    stake: int
    result: Literal["hu", "huang_zhuang", "abandoned", "voided"]
    dealer: int
    streak: int
    players: tuple[UUID, ...]
    points: tuple[int, ...]
    wins: tuple[WinTold, ...]
    payments: tuple[PaymentTold, ...]
    ended_at: datetime
    settled_at: datetime
    link: str


class HandResettled(HandSettled, frozen=True):
    """A ruling has changed a settled hand: what was paid is paid back, and this is paid instead.

    `revision` has grown by one; `points_before` is what the one before came to.
    """

    points_before: tuple[int, ...]


class RulingMade(Shown, frozen=True):
    """A ruling is settled: on a hand, or as payments beside the hands.

    `entry` is 0 for a ruling on `hand`, else the seq of the adjustment or penalty concerned, and
    `hand` may be 0 then. `players` and `points` are the accounts it concerns and what each has by
    it now; an account may be the club's own, its pot. The reason is behind the link.
    """

    club: UUID
    game: UUID
    seq: int
    ruling: str
    hand: int
    entry: int
    revision: int
    players: tuple[UUID, ...]
    points: tuple[int, ...]
    settled_at: datetime
    link: str


class TotalTold(Shown, frozen=True):
    """What an account has won or lost in a game; the club's pot is an account too."""

    player: UUID
    points: int


class GameOver(Shown, frozen=True):
    """A game has ended, and its hands are settled.

    `unsettled_hands` counts hands that could not be settled: a person has to look at them. A game
    whose end was taken back and that ended again is told of again, with another `seq`.
    """

    club: UUID
    game: UUID
    seq: int
    reason: Literal["finished", "dissolved"]
    ruleset: str
    ruleset_version: int
    stake: int
    hands: int
    unsettled_hands: int
    totals: tuple[TotalTold, ...]
    ended_at: datetime
    link: str


class CauseTold(Shown, frozen=True):
    """The last hand (`entry` 0) or entry that counted when the tier changed."""

    game: UUID
    hand: int
    entry: int


class TierChanged(Shown, frozen=True):
    """A player stands on another tier than before; steps taken at one time are one change.

    `from_tier` is null for who had none, before the first result; `to_tier` for who has none any
    more, because no result is left that counts. `season` is null on a ladder for ever. `cause` is
    null where a merge, a season or the ladder itself was changed.
    """

    club: UUID
    player: UUID
    season: UUID | None
    from_tier: int | None
    to_tier: int | None
    to_tier_zh: str | None
    to_tier_en: str | None
    score: int | None
    cause: CauseTold | None
    link: str


class WebhookPing(Shown, frozen=True):
    """A test that somebody asked for. It goes to one webhook, whatever types it takes."""

    club: UUID
    webhook: UUID


TypeName = Literal[
    "game.started",
    "hand.settled",
    "hand.resettled",
    "ruling.made",
    "game.ended",
    "tier.changed",
]
PING: Final = "webhook.ping"
CATALOGUE: Final[Mapping[TypeName, type[Shown]]] = MappingProxyType(
    {
        "game.started": GameBegun,
        "hand.settled": HandSettled,
        "hand.resettled": HandResettled,
        "ruling.made": RulingMade,
        "game.ended": GameOver,
        "tier.changed": TierChanged,
    }
)
"""What a webhook may ask for. `PING` is sent besides, to a webhook that is tested."""


class Message(msgspec.Struct, frozen=True):
    """The body of every request. ``timestamp`` is when it happened, in UTC."""

    type: str
    version: int
    timestamp: datetime
    data: Any


def payload_of(kind: str, timestamp: datetime, data: Shown) -> str:
    """The body as it is sent: its bytes are signed, so they are made once."""
    return msgspec.json.encode(Message(kind, FORM, timestamp, data)).decode()


def meaning_of(data: type[Shown]) -> str:
    """When such an event comes: the first line of what is written about its data."""
    return (inspect.getdoc(data) or "").partition("\n")[0]


def schema_of(data: type[Shown]) -> dict[str, Any]:
    """The JSON Schema of an event's data, in one piece."""
    schema = msgspec.json.schema(data)
    definitions: dict[str, Any] = schema.pop("$defs")
    own: dict[str, Any] = definitions.pop(schema["$ref"].rpartition("/")[2])
    return own | ({"$defs": definitions} if definitions else {})
