"""Giving games out as lines, and verifying such lines without the service that wrote them."""

from collections import deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from uuid import UUID

import msgspec

from api.exchange.lines import BadLine, Plain, Sealed, header_line, read_line, sealed_line
from records import reader
from records.chain import Fault, export, verify_chain
from records.heads import restore
from records.models import Player
from replays.visibility import EVERYTHING, Viewer, open_items, sight
from rules_engine.fold import Game


class GameVerdict(msgspec.Struct, frozen=True):
    """What was found of one game of an export: its events, and its first fault or None."""

    game: str
    events: int
    fault: Fault | None


def export_game(game_id: UUID) -> Iterator[bytes]:
    """The lines of one game, all items opened. Raises UnknownGame."""
    game = reader.game_at(game_id)
    people = Player.objects.using(reader.READER).filter(id__in=game.people)
    names = {str(player): name for player, name in people.values_list("id", "name")}
    title = reader.about(game_id).title
    return game_lines(game_id, title=title, names=names, game=game, viewer=EVERYTHING)


def game_lines(
    game_id: UUID,
    *,
    title: str,
    names: Mapping[str, str],
    game: Game,
    viewer: Viewer,
    cursor: str | None = None,
) -> Iterator[bytes]:
    """The lines of a game as far as ``game`` has come, opened as far as the viewer sees.

    ``names`` are those of its people. The last line carries the ``cursor``.
    """
    players = {person: names[person] for person in sorted(game.people) if person in names}
    yield header_line(game=str(game_id), title=title, players=players)
    for stored in reader.events_of(game_id, to_seq=game.seq):
        visible: Collection[str] = stored.secret
        seen = sight(viewer, seq=stored.seq, floor=game.floor)
        if stored.secret and not seen.recorder:
            visible = open_items(restore(stored, game.ruleset.catalogue), seen)
        yield sealed_line(
            export(stored, visible=visible), cursor=cursor if stored.seq == game.seq else None
        )


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
