"""The form of the lines: one game, or many, as newline-delimited JSON.

A game begins with a header line, which may be left out::

    {"format": "paipu/1", "game": "g1", "title": "...", "players": {"<player id>": "<name>"}}

and goes on with one line an event, in the order of their seqs. A line is either plain::

    {"game": "g1", "seq": 7, "type": "draw", "seat": 2, "tile": "5m", "occurred_at_ms": 17645000}

with the fields of the event beside ``game`` and ``seq`` (``occurred_at_ms`` may be left out), or
sealed, as an export writes it::

    {"game": "...", "seq": 7, "type": "draw", "version": 1, "occurred_at_ms": ..., "public": {...},
     "commitments": {"tile": "<sha-256>"}, "openings": {"tile": {"salt": "<hex>", "value": "5m"}},
     "prev": "<hex>", "hash": "<hex>"}

from which anybody can verify the chain of hashes, also where openings are withheld. ``game`` names
the game within the file; lines of several games may be mixed. The line of an event that ends a hand
may say what the hand has to come to (``rules_engine.expectations``), or else it is refused::

    {"game": "g1", "seq": 2, "type": "hand_result", ..., "expect": {"points": [-12, -10, 32, -10]}}

A line of an export may also hold ``cursor``: where to go on when the export breaks off behind it.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec

from records.chain import ExportedEvent, Opening
from rules_engine.events import Event

FORMAT: Final = "paipu/1"
LINE_BYTES_MAX: Final = 1_000_000
BOM: Final = b"\xef\xbb\xbf"
"""What some programs write before the first line of a file in UTF-8."""

GameName = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
Hash = Annotated[str, msgspec.Meta(pattern="^[0-9a-f]{64}$")]
SealedSeq = Annotated[int, msgspec.Meta(ge=1, le=2_000_000_000)]


class BadLine(ValueError):
    """A line that is not of this form; ``line`` counts from 1."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


class Header(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is known of a game besides its events: names of people are not in the log."""

    format: str
    game: GameName
    title: Annotated[str, msgspec.Meta(max_length=200)] = ""
    players: dict[str, Annotated[str, msgspec.Meta(min_length=1, max_length=60)]] = {}


class Plain(msgspec.Struct, frozen=True):
    """An event by its fields."""

    line: int
    game: str
    seq: int
    body: dict[str, Any]
    occurred_at_ms: int | None
    expect: Any = None


class _Opening(msgspec.Struct, frozen=True):
    salt: Hash
    value: Any


class _Sealed(msgspec.Struct, frozen=True):
    game: GameName
    seq: SealedSeq
    type: str
    version: int
    occurred_at_ms: int
    public: dict[str, Any]
    commitments: dict[str, Hash]
    openings: dict[str, _Opening]
    prev: Hash
    hash: Hash
    cursor: str | msgspec.UnsetType = msgspec.UNSET


class Sealed(msgspec.Struct, frozen=True):
    """An event as it was recorded, with what its hash was made from."""

    line: int
    event: ExportedEvent
    expect: Any = None

    @property
    def game(self) -> str:
        """The game it belongs to."""
        return self.event.game_id

    @property
    def seq(self) -> int:
        """Its place in the game."""
        return self.event.seq


Line = Header | Plain | Sealed


def header_line(*, game: str, title: str, players: Mapping[str, str]) -> bytes:
    """The first line of a game."""
    header = Header(format=FORMAT, game=game, title=title, players=dict(players))
    return msgspec.json.encode(header) + b"\n"


def plain_line(*, game: str, seq: int, event: Event, occurred_at_ms: int | None = None) -> bytes:
    """An event by its fields."""
    line = {"game": game, "seq": seq, **msgspec.to_builtins(event)}
    if occurred_at_ms is not None:
        line["occurred_at_ms"] = occurred_at_ms
    return msgspec.json.encode(line) + b"\n"


def sealed_line(event: ExportedEvent, *, cursor: str | None = None) -> bytes:
    """An event with what its hash was made from, and where to go on behind it."""
    sealed = _Sealed(
        game=event.game_id,
        seq=event.seq,
        type=event.type,
        version=event.version,
        occurred_at_ms=event.occurred_at_ms,
        public=event.public,
        commitments=event.commitments,
        openings={
            name: _Opening(opening.salt.hex(), opening.value)
            for name, opening in event.openings.items()
        },
        prev=event.prev.hex(),
        hash=event.hash.hex(),
        cursor=msgspec.UNSET if cursor is None else cursor,
    )
    return msgspec.json.encode(sealed) + b"\n"


def read_line(number: int, raw: bytes) -> Line:
    """One line. Raises BadLine."""
    if len(raw) > LINE_BYTES_MAX:
        raise BadLine(number, f"a line has at most {LINE_BYTES_MAX} bytes, this has {len(raw)}")
    try:
        line = msgspec.json.decode(raw.removeprefix(BOM), type=dict[str, Any])
        if "format" in line:
            return _header(number, line)
        if "public" in line:
            return _sealed(number, line)
        return _plain(number, line)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise BadLine(number, str(error)) from error


def _header(number: int, line: dict[str, Any]) -> Header:
    header = msgspec.convert(line, Header)
    if header.format != FORMAT:
        raise BadLine(number, f"this is format {header.format!r}; known is {FORMAT!r}")
    return header


def _plain(number: int, line: dict[str, Any]) -> Plain:
    game = msgspec.convert(line.pop("game", None), GameName)
    seq = msgspec.convert(line.pop("seq", None), SealedSeq)
    occurred_at_ms = msgspec.convert(line.pop("occurred_at_ms", None), int | None)
    expect = line.pop("expect", None)
    return Plain(number, game, seq, line, occurred_at_ms, expect)


def _sealed(number: int, line: dict[str, Any]) -> Sealed:
    sealed = msgspec.convert(line, _Sealed)
    openings = {
        name: Opening(bytes.fromhex(opening.salt), opening.value)
        for name, opening in sealed.openings.items()
    }
    return Sealed(
        number,
        ExportedEvent(
            game_id=sealed.game,
            seq=sealed.seq,
            type=sealed.type,
            version=sealed.version,
            occurred_at_ms=sealed.occurred_at_ms,
            public=sealed.public,
            commitments=sealed.commitments,
            openings=openings,
            prev=bytes.fromhex(sealed.prev),
            hash=bytes.fromhex(sealed.hash),
        ),
        line.get("expect"),
    )
