"""The event catalogue: what can happen in a game, as facts and never as scores.

Every class is one event type; its tag is the type's name in JSON. A variant adds types of its own,
or gives a common type more fields, through ``Ruleset.events``; ``catalogue`` lays them over the
common ones. Stored events keep the version they were written with and are lifted on reading
(``upcasts``).

While a hand is live some fields are secret (dealt and drawn tiles). ``split`` takes an event apart
into its public body and its secret items, each named and owned by one seat, and ``join`` is its
inverse: the log commits to each item separately, so that each can be shown to one viewer alone.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Final, Literal

import msgspec

from rules_engine.errors import illegal, not_valid
from rules_engine.facts import (
    HandFacts,
    Holding,
    Result,
    Seat,
    TileName,
    TileText,
    WinFacts,
)

Text = Annotated[str, msgspec.Meta(max_length=500)]
Reason = Annotated[str, msgspec.Meta(min_length=1, max_length=500, pattern=r"\S")]
Points = Annotated[int, msgspec.Meta(ge=1, le=1_000_000_000)]
OptionValue = bool | int | str | dict[str, int] | list[int]
"""The value of an option as written; a table of numbers is an object, a ladder of them a list."""
Number = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]


class Secret(msgspec.Struct, frozen=True):
    """A secret item of an event: the seat it belongs to and its value."""

    seat: int
    value: Any


class Event(
    msgspec.Struct,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    tag_field="type",
    tag=lambda name: "".join(f"_{c.lower()}" if c.isupper() else c for c in name).lstrip("_"),
):
    """Base of all events.

    ``seals``: the event ends a hand, or changes settled facts, so the log seals it.
    ``upcasts[i]`` turns a stored body of version ``i + 1`` into one of version ``i + 2``.
    """

    version: ClassVar[int] = 1
    seals: ClassVar[bool] = False
    upcasts: ClassVar[tuple[Callable[[dict[str, Any]], dict[str, Any]], ...]] = ()

    @property
    def type(self) -> str:
        """The type's name in JSON."""
        return str(self.__struct_config__.tag)

    def take_secrets(self, body: dict[str, Any]) -> dict[str, Secret]:
        """Remove the secret fields from ``body`` and return them by item name."""
        return {}

    @classmethod
    def put_secrets(cls, body: dict[str, Any], items: Mapping[str, Any]) -> None:
        """Put secret values back into ``body``: the inverse of ``take_secrets``."""
        body.update(items)


class GameStarted(Event, frozen=True):
    """The first event: what is played, by whom, with every option written out."""

    ruleset: str
    ruleset_version: Number
    options: dict[str, OptionValue]
    players: Annotated[tuple[str, ...], msgspec.Meta(min_length=4, max_length=4)]
    substitutes: tuple[str, ...] = ()
    stake: Annotated[int, msgspec.Meta(ge=0, le=1_000_000)] = 1


class HandStarted(Event, frozen=True):
    """A hand is dealt. ``dealt`` by seat; the dealer has one more, ``last`` names the last of them.

    ``wall_commitment``: SHA-256 (hex) over the salt and the wall that ``wall_revealed`` may show
    later.
    """

    hand: Number
    dealer: Seat
    dealt: Annotated[tuple[TileText, ...], msgspec.Meta(min_length=4, max_length=4)]
    last: TileName
    streak: Number = 1
    dice: tuple[int, ...] = ()
    indicator: TileName | None = None
    wall_commitment: Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")] | None = None

    def take_secrets(self, body: dict[str, Any]) -> dict[str, Secret]:
        """One item a seat, and the dealer's last tile."""
        items = {f"dealt.{seat}": Secret(seat, text) for seat, text in enumerate(body.pop("dealt"))}
        items["last"] = Secret(self.dealer, body.pop("last"))
        return items

    @classmethod
    def put_secrets(cls, body: dict[str, Any], items: Mapping[str, Any]) -> None:
        """Rebuild ``dealt`` from its four items."""
        body["dealt"] = [items[f"dealt.{seat}"] for seat in range(4)]
        body["last"] = items["last"]


class Draw(Event, frozen=True):
    """A seat takes a tile from the head of the wall, or a replacement from its tail."""

    seat: Seat
    tile: TileName
    source: Literal["head", "tail"] = "head"

    def take_secrets(self, body: dict[str, Any]) -> dict[str, Secret]:
        """The tile is the drawer's own."""
        return {"tile": Secret(self.seat, body.pop("tile"))}


class Discard(Event, frozen=True):
    """A seat discards; ``drawn`` says whether it was the tile just drawn."""

    seat: Seat
    tile: TileName
    drawn: bool


class Chi(Event, frozen=True):
    """A run claimed on a discard. ``tiles`` is the whole meld, ``tile`` the claimed one."""

    seat: Seat
    tiles: TileText
    tile: TileName
    from_: Seat = msgspec.field(name="from")


class Peng(Event, frozen=True):
    """A triplet claimed on a discard. ``tiles`` is the whole meld, ``tile`` the claimed one."""

    seat: Seat
    tiles: TileText
    tile: TileName
    from_: Seat = msgspec.field(name="from")


class Gang(Event, frozen=True):
    """Four of a kind declared. ``from`` only when a discard was claimed."""

    seat: Seat
    kind: str
    tile: TileName
    from_: Seat | None = msgspec.field(default=None, name="from")


class Ting(Event, frozen=True):
    """A seat declares that it is ready; the discard that belongs to it follows."""

    seat: Seat


class Pass(Event, frozen=True):
    """A seat lets go what it could have taken: its own draw, a discard, or a gang it could rob."""

    seat: Seat
    on: Literal["draw", "discard", "gang"] = "discard"


class Hu(Event, frozen=True):
    """A seat declares a win."""

    seat: Seat
    by: Literal["zimo", "dianpao", "qiang_gang"]
    tile: TileName
    from_: Seat | None = msgspec.field(default=None, name="from")


class HandEnded(Event, frozen=True):
    """The hand is over: somebody won, nobody did, or it was abandoned and counts for nothing."""

    seals: ClassVar[bool] = True
    reason: Literal["hu", "huang_zhuang", "abandoned"]


class HandResult(Event, frozen=True):
    """A whole hand recorded as its result only."""

    seals: ClassVar[bool] = True
    hand: Number
    dealer: Seat
    result: Result
    streak: Number = 1
    wild: TileName | None = None
    wins: Annotated[tuple[WinFacts, ...], msgspec.Meta(max_length=3)] = ()
    table: Annotated[tuple[Holding, ...], msgspec.Meta(max_length=4)] = ()


class WallRevealed(Event, frozen=True):
    """The wall of the hand just ended, in dealing order, with the salt of its commitment."""

    hand: Number
    wall: Annotated[tuple[TileName, ...], msgspec.Meta(max_length=200)]
    salt: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{2}){16,64}$")]


class PlayerLeft(Event, frozen=True):
    """The player of a seat leaves; the seat is empty until ``player_seated``."""

    seat: Seat
    player: str


class PlayerSeated(Event, frozen=True):
    """A player takes an empty seat."""

    seat: Seat
    player: str


class GameEnded(Event, frozen=True):
    """No more hands will be played."""

    reason: Literal["finished", "dissolved"] = "finished"


class Rewind(Event, frozen=True):
    """What was recorded after ``to`` was a slip: it stays in the log and does not count."""

    to: Number
    reason: Text


class Ruling(Event, frozen=True, kw_only=True):
    """Base of what a referee decides about a hand that has ended, or beside the hands.

    It may come at any time, also while a later hand is live and after the game; no rewind takes it
    back. ``dispute`` names what it answers.
    """

    seals: ClassVar[bool] = True
    reason: Reason
    dispute: Text | None = None


class StatedFacts(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The facts of a hand as a ``hand_result`` states them."""

    dealer: Seat
    result: Result
    streak: Number = 1
    wild: TileName | None = None
    wins: Annotated[tuple[WinFacts, ...], msgspec.Meta(max_length=3)] = ()
    table: Annotated[tuple[Holding, ...], msgspec.Meta(max_length=4)] = ()


def stated(told: HandResult | StatedFacts, seq: int) -> HandFacts:
    """The facts as the event ``seq`` states them."""
    return HandFacts(
        dealer=told.dealer,
        streak=told.streak,
        wild=told.wild,
        result=told.result,
        wins=tuple(msgspec.structs.replace(win, seq=seq) for win in told.wins),
        table=told.table,
        seq=seq,
    )


class HandCorrected(Ruling, frozen=True, kw_only=True):
    """The facts of a hand were others than recorded. A voided hand counts again."""

    hand: Number
    facts: StatedFacts


class HandVoided(Ruling, frozen=True, kw_only=True):
    """A hand counts for nothing."""

    hand: Number


CLUB: Final = "club"
"""How an entry names the club's pot among payers and payees."""


class Due(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one pays another: ids of players of the game, or ``club``; units of the stake."""

    payer: str
    payee: str
    points: Points


class Entry(Ruling, frozen=True, kw_only=True):
    """Base of payments beside the hands. ``hand`` is the one they concern, None for the game."""

    transfers: Annotated[tuple[Due, ...], msgspec.Meta(min_length=1, max_length=12)]
    hand: Number | None = None


class Adjusted(Entry, frozen=True, kw_only=True):
    """Payments that put something right which no facts of a hand would."""


class Penalty(Entry, frozen=True, kw_only=True):
    """Payments that punish; they can be cancelled."""


class PenaltyCancelled(Ruling, frozen=True, kw_only=True):
    """A penalty is taken back: ``penalty`` is the seq of its event."""

    penalty: Number


COMMON: tuple[type[Event], ...] = (
    GameStarted,
    HandStarted,
    Draw,
    Discard,
    Chi,
    Peng,
    Gang,
    Ting,
    Pass,
    Hu,
    HandEnded,
    HandResult,
    WallRevealed,
    PlayerLeft,
    PlayerSeated,
    GameEnded,
    Rewind,
    HandCorrected,
    HandVoided,
    Adjusted,
    Penalty,
    PenaltyCancelled,
)


class Catalogue:
    """The event types of one ruleset by name. Decodes what clients send and the log stores."""

    def __init__(self, own: tuple[type[Event], ...] = ()) -> None:
        self.types: Mapping[str, type[Event]] = {
            str(cls.__struct_config__.tag): cls for cls in (*COMMON, *own)
        }

    def decode(self, body: Mapping[str, Any]) -> Event:
        """An event a client sent, its type under ``type``. Raises IllegalEvent."""
        name = body.get("type")
        cls = self.types.get(name) if isinstance(name, str) else None
        if cls is None:
            raise illegal(
                "unknown_event_type",
                f"There is no event type {name!r} here.",
                expected=sorted(self.types),
                actual=name,
            )
        try:
            return msgspec.convert(body, cls)
        except msgspec.ValidationError as error:
            raise not_valid(str(name), body, error) from error

    def restore(self, name: str, version: int, body: dict[str, Any]) -> Event:
        """An event the log stored, lifted to the present version of its type."""
        cls = self.types[name]
        for upcast in cls.upcasts[version - 1 :]:
            body = upcast(body)
        return msgspec.convert({**body, "type": name}, cls)

    def join(
        self, name: str, version: int, public: Mapping[str, Any], secrets: Mapping[str, Any]
    ) -> Event:
        """Put a split event together again; ``secrets`` maps item names to values."""
        body = dict(public)
        if secrets:
            self.types[name].put_secrets(body, secrets)
        return self.restore(name, version, body)


@lru_cache(maxsize=64)
def catalogue(own: tuple[type[Event], ...] = ()) -> Catalogue:
    """The catalogue with a variant's own types laid over the common ones."""
    return Catalogue(own)


def split(event: Event) -> tuple[dict[str, Any], dict[str, Secret]]:
    """The public body (without ``type``) and the secret items by name."""
    body: dict[str, Any] = msgspec.to_builtins(event)
    del body["type"]
    return body, event.take_secrets(body)
