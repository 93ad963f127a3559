"""Taking in games from lines: what is legal is recorded hand by hand, what is not is named."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final
from uuid import UUID

import msgspec
from msgspec.structs import replace

from api.exchange.lines import BadLine, Header, Plain, Sealed, read_line
from records import reader
from records.append import append_events
from records.errors import RecordsError
from records.imports import open_import, seat_people
from records.models import Club
from rules_engine import registry
from rules_engine.errors import IllegalEvent, Violation, illegal
from rules_engine.events import (
    Catalogue,
    Due,
    Entry,
    Event,
    GameStarted,
    PlayerLeft,
    PlayerSeated,
    Ruling,
    catalogue,
)
from rules_engine.expectations import SCORE_DIFFERS, Expectation, insist_on, read_expectation
from rules_engine.fold import Numbered

BATCH_EVENTS_MAX: Final = 500


class Refused(Exception):
    """The line at which an import stopped. What came before it is recorded and stays.

    ``incoming`` is the game it belongs to, as far as it was recorded.
    """

    def __init__(
        self,
        line: int,
        game: str,
        seq: int,
        violation: Violation,
        incoming: "Incoming | None" = None,
    ) -> None:
        rule = f"{violation.rule}: " if violation.rule else ""
        where = f"game {game} seq {seq}: " if seq else ""
        super().__init__(f"line {line}: {where}{rule}{violation.message} ({violation.code})")
        self.line = line
        self.seq = seq
        self.violation = violation
        self.incoming = incoming


class Waiting(msgspec.Struct, frozen=True):
    """An event that was read and is not recorded yet."""

    line: int
    event: Event
    occurred_at_ms: int | None
    expect: Expectation | None


class Incoming:
    """One game of the stream, from its first line on."""

    def __init__(
        self, club: Club, name: str, header: Header | None, *, may_rule: bool = True
    ) -> None:
        self.club = club
        self.name = name
        self.header = header
        self.may_rule = may_rule
        self.people: dict[str, str] = {}
        self.types: Catalogue = catalogue()
        self.game_id: UUID | None = None
        self.seq = 0
        self.recorded_seq = 0
        self.recorded: Iterator[Numbered] = iter(())
        self.waiting: list[Waiting] = []

    def take(self, line: Plain | Sealed) -> None:
        """One more event. Raises Refused."""
        try:
            if line.seq != self.seq + 1:
                raise illegal(
                    "wrong_seq",
                    "Events are numbered without gaps.",
                    expected=self.seq + 1,
                    actual=line.seq,
                )
            occurred_at_ms = line.occurred_at_ms if isinstance(line, Plain) else None
            if isinstance(line, Sealed):
                occurred_at_ms = line.event.occurred_at_ms
            expect = None if line.expect is None else read_expectation(line.expect)
            self.add(Waiting(line.line, self.event_of(line), occurred_at_ms, expect))
        except (IllegalEvent, RecordsError) as error:
            if line.expect is not None:
                # The hand would end by itself, without the score that was expected of it.
                self.waiting.clear()
            self.flush()
            raise Refused(line.line, self.name, line.seq, violation_of(error), self) from error
        self.seq = line.seq

    def event_of(self, line: Plain | Sealed) -> Event:
        """The event of a line with this club's players. Raises IllegalEvent, UnknownRuleset."""
        if self.seq == 0:
            body = line.body if isinstance(line, Plain) else line.event.public
            self.types = types_of(body)
        if isinstance(line, Plain):
            event = self.types.decode(line.body)
        else:
            event = opened(line, self.types)
        return self.with_players(event)

    def add(self, given: Waiting) -> None:
        """Compare an event with what is recorded already, or have it wait for its hand."""
        event = given.event
        if self.game_id is None:
            if not isinstance(event, GameStarted):
                raise illegal(
                    "game_not_started",
                    "The first event of a game is game_started.",
                    actual=event.type,
                )
            self.open(event, given.occurred_at_ms)
            self.insist_on(given.expect)
        elif self.seq < self.recorded_seq:
            _, recorded = next(self.recorded)
            if recorded != event:
                raise illegal(
                    "already_recorded",
                    f"Game {self.game_id} has another event at this seq.",
                    expected=msgspec.to_builtins(recorded),
                    actual=msgspec.to_builtins(event),
                )
            self.insist_on(given.expect)
        else:
            self.waiting.append(given)
            if event.seals or len(self.waiting) == BATCH_EVENTS_MAX:
                self.seq += 1
                self.flush()

    def insist_on(self, expect: Expectation | None) -> None:
        """Refuse a recorded hand that comes to something else. Raises IllegalEvent."""
        if expect is not None:
            assert self.game_id is not None
            insist_on(expect, reader.game_at(self.game_id, self.seq + 1, using="default"))

    def open(self, started: GameStarted, occurred_at_ms: int | None) -> None:
        """Find the game of an earlier import, or begin it."""
        self.game_id = open_import(
            club_id=self.club.pk,
            started=started,
            command_id=self.command_id(1),
            title="" if self.header is None else self.header.title,
            occurred_at_ms=occurred_at_ms,
        )
        self.follow(reader.head(self.game_id, using="default")[0], after=1)

    def follow(self, recorded_seq: int, *, after: int) -> None:
        """The game is recorded up to this seq; what comes after ``after`` is compared with it."""
        self.recorded_seq = recorded_seq
        if recorded_seq > after:
            assert self.game_id is not None
            self.recorded = reader.numbered_events(
                self.game_id, from_seq=after + 1, to_seq=recorded_seq, using="default"
            )

    def flush(self) -> None:
        """Record what waits. Raises Refused for the first event that may not happen.

        What is legal before it is recorded, but nothing of a hand whose score is not as stated:
        its last event is one that the service would add by itself.
        """
        waiting, self.waiting = self.waiting, []
        if not waiting:
            return
        first = self.recorded_seq + 1
        try:
            self.append(waiting, first)
        except IllegalEvent as error:
            index = error.violation.facts["index"]
            if index and error.violation.code != SCORE_DIFFERS:
                self.append(waiting[:index], first)
            line = waiting[index].line
            raise Refused(line, self.name, first + index, error.violation, self) from error
        except RecordsError as error:
            raise Refused(waiting[0].line, self.name, first, violation_of(error), self) from error

    def append(self, waiting: list[Waiting], first: int) -> None:
        """Record these events as one command."""
        assert self.game_id is not None
        times = [each.occurred_at_ms for each in waiting if each.occurred_at_ms is not None]
        receipt = append_events(
            game_id=self.game_id,
            expected_seq=first - 1,
            events=[each.event for each in waiting],
            command_id=self.command_id(first),
            occurred_at_ms=times if len(times) == len(waiting) else None,
            expects={
                index: each.expect for index, each in enumerate(waiting) if each.expect is not None
            },
        )
        self.follow(receipt.last_seq, after=first + len(waiting) - 1)

    def command_id(self, seq: int) -> str:
        """The id of the command that records from this seq on: the same whenever the file comes."""
        return f"import:{self.name}:{seq}"

    def with_players(self, event: Event) -> Event:
        """The event with this club's player ids in place of the file's. Raises IllegalEvent."""
        if isinstance(event, Ruling) and not self.may_rule:
            raise illegal(
                "ruling_not_allowed",
                "Only who may rule in this club may import rulings.",
                actual=event.type,
            )
        if isinstance(event, GameStarted):
            self.learn(*event.players, *event.substitutes)
            return replace(
                event,
                players=tuple(self.people[person] for person in event.players),
                substitutes=tuple(self.people[person] for person in event.substitutes),
            )
        if isinstance(event, PlayerSeated | PlayerLeft):
            self.learn(event.player)
            return replace(event, player=self.people[event.player])
        if isinstance(event, Entry):
            return replace(event, transfers=tuple(map(self.with_accounts, event.transfers)))
        return event

    def with_accounts(self, due: Due) -> Due:
        """A payment beside the hands between this club's players; whom it has not, stays."""
        payer, payee = (self.people.get(name, name) for name in (due.payer, due.payee))
        return replace(due, payer=payer, payee=payee)

    def learn(self, *persons: str) -> None:
        """Find the club's players for persons the game has not named before."""
        names = {} if self.header is None else self.header.players
        new = {
            person: names.get(person, f"Player {person[:8]}")
            for person in persons
            if person not in self.people
        }
        if new:
            self.people |= seat_people(club=self.club, names=new)


def types_of(body: dict[str, Any]) -> Catalogue:
    """The event types of the ruleset that a first event names. Raises IllegalEvent."""
    slug, version = body.get("ruleset"), body.get("ruleset_version")
    if not isinstance(slug, str) or not isinstance(version, int):
        return catalogue()
    try:
        return registry.get(slug, version).catalogue
    except registry.UnknownRuleset as error:
        raise illegal("unknown_ruleset", str(error), actual=slug) from error


def opened(line: Sealed, types: Catalogue) -> Event:
    """The event of a sealed line. Raises IllegalEvent where something of it is withheld."""
    event = line.event
    withheld = sorted(set(event.commitments) - set(event.openings))
    if event.type not in types.types or withheld:
        code = "items_withheld" if withheld else "unknown_event_type"
        message = "This export does not show all of the event, so it cannot be recorded again."
        raise illegal(code, message, actual=withheld or event.type)
    secrets = {name: opening.value for name, opening in event.openings.items()}
    try:
        return types.join(event.type, event.version, event.public, secrets)
    except (msgspec.ValidationError, KeyError) as error:
        raise illegal("invalid_event", f"This is not a valid {event.type}: {error}") from error


def violation_of(error: IllegalEvent | RecordsError) -> Violation:
    """What an error says, as one kind of value."""
    if isinstance(error, IllegalEvent):
        return error.violation
    return Violation(code=error.code, message=error.message, facts=error.facts)


def import_lines(
    lines: Iterable[bytes], *, club: Club, progress: Callable[[int, int, int], None] | None = None
) -> Iterator[UUID]:
    """Record the games of these lines; gives each game's id once its last line is recorded.

    A repeated import records nothing twice and adds what is new. ``progress`` is called with the
    lines, bytes and events read so far. Raises Refused; everything legal before that line is kept.
    """
    games: dict[str, Incoming] = {}
    headers: dict[str, Header] = {}
    size = events = number = 0
    try:
        for number, raw in enumerate(lines, start=1):
            size += len(raw)
            if not raw.strip():
                continue
            line = read_line(number, raw)
            if isinstance(line, Header):
                headers[line.game] = line
                continue
            game = games.get(line.game)
            if game is None:
                game = games[line.game] = Incoming(club, line.game, headers.get(line.game))
            game.take(line)
            events += 1
            if progress is not None:
                progress(number, size, events)
    except BadLine as error:
        flush_all(games.values())
        violation = Violation(code="bad_line", message=error.message)
        raise Refused(error.line, "", 0, violation) from error
    except Refused:
        flush_all(games.values())
        raise
    flush_all(games.values())
    yield from (game.game_id for game in games.values() if game.game_id is not None)


def import_game(
    lines: Iterable[tuple[int, bytes]], *, club: Club, name: str, may_rule: bool
) -> Incoming:
    """Record one game from its numbered lines, rulings only where the sender may rule.

    Raises Refused; what is legal before it is kept.
    """
    header = None
    game = None
    try:
        for number, raw in lines:
            line = read_line(number, raw)
            if isinstance(line, Header):
                header = line
                continue
            game = game or Incoming(club, name, header, may_rule=may_rule)
            game.take(line)
        game = game or Incoming(club, name, header, may_rule=may_rule)
        game.flush()
    except BadLine as error:
        if game is not None:
            game.flush()
        violation = Violation(code="bad_line", message=error.message)
        raise Refused(error.line, name, 0, violation, game) from error
    return game


def flush_all(games: Iterable[Incoming]) -> None:
    """Record what waits in every game."""
    for game in games:
        game.flush()
