"""Giving games out as lines, and verifying such lines without the service that wrote them."""

from collections import deque
from collections.abc import Iterable, Iterator
from uuid import UUID

import msgspec

from api.exchange.lines import BadLine, Plain, Sealed, header_line, read_line, sealed_line
from records import reader
from records.chain import Fault, StoredEvent, export, verify_chain
from records.models import Game, Player


class GameVerdict(msgspec.Struct, frozen=True):
    """What was found of one game of an export: its events, and its first fault or None."""

    game: str
    events: int
    fault: Fault | None


def export_game(game_id: UUID) -> Iterator[bytes]:
    """The lines of one game, all items opened. Raises UnknownGame."""
    seqs = reader.head(game_id)[0]
    row = Game.objects.using(reader.READER).get(pk=game_id)
    people = sorted({person for event in started_by(game_id, seqs) for person in event})
    names = Player.objects.using(reader.READER).filter(id__in=people).values_list("id", "name")
    yield header_line(
        game=str(game_id), title=row.title, players={str(player): name for player, name in names}
    )
    for stored in reader.events_of(game_id, to_seq=seqs):
        yield sealed_line(export(stored, visible=stored.secret))


def started_by(game_id: UUID, seqs: int) -> Iterator[tuple[str, ...]]:
    """The players that each event of a game names."""
    for stored in reader.events_of(game_id, to_seq=seqs):
        yield people_in(stored)


def people_in(stored: StoredEvent) -> tuple[str, ...]:
    """The players an event names: who sits down at first, and who comes later."""
    if stored.type == "game_started":
        return (*stored.public["players"], *stored.public.get("substitutes", ()))
    return (stored.public["player"],) if stored.type == "player_seated" else ()


def verify_lines(lines: Iterable[bytes]) -> Iterator[GameVerdict]:
    """Each game of an export with its first fault. Lines of several games must not be mixed.

    Raises BadLine for a line that is not of an export.
    """
    events = sealed_events(lines)
    first = next(events, None)
    while first is not None:
        game = Together(first, events)
        fault = verify_chain(event.event for event in game)
        # Behind a fault the rest of the game is read over.
        deque(game, maxlen=0)
        yield GameVerdict(first.game, game.count, fault)
        first = game.next


class Together:
    """The lines of one game, off the front of all lines; ``next`` is then the first of another."""

    def __init__(self, first: Sealed, rest: Iterator[Sealed]) -> None:
        self.game = first.game
        self.rest = rest
        self.next: Sealed | None = first
        self.count = 0

    def __iter__(self) -> "Together":
        return self

    def __next__(self) -> Sealed:
        line = self.next
        if line is None or line.game != self.game:
            raise StopIteration
        self.next = next(self.rest, None)
        self.count += 1
        return line


def sealed_events(lines: Iterable[bytes]) -> Iterator[Sealed]:
    """The sealed lines of a file. Raises BadLine for plain ones, whose chain nobody can verify."""
    for number, raw in enumerate(lines, start=1):
        if not raw.strip():
            continue
        line = read_line(number, raw)
        if isinstance(line, Plain):
            raise BadLine(number, "a plain line has no hash to verify; export the game instead")
        if isinstance(line, Sealed):
            yield line
