"""Whole games: the engine says what may happen, the wall and the bots say what does."""

from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Final
from uuid import UUID

import msgspec

from api.simulation.bots import RANDOM, STYLES, Style, choose, seated
from api.simulation.walls import Wall, badly_shuffled, shuffled
from rules_engine.errors import IllegalEvent
from rules_engine.events import (
    Chi,
    Discard,
    Event,
    GameEnded,
    GameStarted,
    Gang,
    HandEnded,
    HandStarted,
    Hu,
    Pass,
    Peng,
    PlayerLeft,
    PlayerSeated,
    Rewind,
    WallRevealed,
)
from rules_engine.fold import Numbered, apply, check_rewind, closing, makes_room, replay
from rules_engine.moves import Due, moves
from rules_engine.ruleset import Options, Ruleset, bind_play, dump_options
from rules_engine.table import SEATS

ORDER: Final[Mapping[type[Event], int]] = {Hu: 0, Gang: 1, Peng: 2, Chi: 3, Discard: 5, Pass: 6}
"""Whose choice happens when several seats choose; a variant's own actions come before discards."""
OWN_ACTION: Final = 4
SLIP_EVENTS_MAX: Final = 4


class Habits(msgspec.Struct, frozen=True):
    """How often people do what they need not do: chances 0 to 1, each at every occasion."""

    committed: float = 1.0
    """A hand whose wall is committed to; ``revealed``: such a wall shown after the hand."""
    revealed: float = 0.5
    written_pass: float = 0.2
    """A chance let go in writing rather than by silence."""
    clumped: float = 0.0
    """A wall that was shuffled badly, so that like tiles lie together."""
    slip: float = 0.0
    """After an event: it was recorded by mistake, and the log is rewound a few events."""
    automatic: float = 0.0
    """Before an event: a seat goes over to automatic play or comes back, if the game has that."""
    left: float = 0.0
    """Before an event: a player leaves; another takes the seat before the next hand."""
    abandoned: float = 0.0
    """Before an event: the hand is given up and counts for nothing."""


CALM: Final = Habits()
LIVELY: Final = Habits(slip=0.01, automatic=0.004, left=0.0005, abandoned=0.0005)


class Table:
    """One simulated game; ``events`` yields each event with its seq once it is accepted."""

    def __init__(
        self, started: GameStarted, *, styles: Sequence[Style], habits: Habits, rng: Random
    ) -> None:
        self.styles = styles
        self.habits = habits
        self.rng = rng
        self.game = apply(None, started, 1)
        self.first: Numbered = (1, started)
        self.base = self.game
        self.hand: list[Numbered] = []
        self.walls: dict[int, Wall] = {}
        self.wall: Wall | None = None

    def events(self, hands: int) -> Iterator[Numbered]:
        """The whole game: its first event, so many hands, its end."""
        yield self.first
        while self.game.hand < hands:
            yield from self.prepare()
            yield from self.play()
        yield from self.prepare(seat_players=False)
        yield self.add(GameEnded())

    @property
    def live(self) -> bool:
        """Whether a hand is being played."""
        return self.game.table is not None

    def add(self, event: Event) -> Numbered:
        """Apply an event as the next one."""
        seq = self.game.seq + 1
        self.game = apply(self.game, event, seq)
        if self.game.table is None:
            self.base, self.hand = self.game, []
        else:
            self.hand.append((seq, event))
            if self.wall is not None:
                self.walls[seq] = self.wall
        return seq, event

    def propose(self, event: Event) -> Iterator[Numbered]:
        """Apply an event that the rules may refuse; then nothing happens."""
        try:
            yield self.add(event)
        except IllegalEvent:
            return

    def happens(self, chance: float) -> bool:
        """Whether something of this chance happens now."""
        return chance > 0 and self.rng.random() < chance

    # --- between hands ----------------------------------------------------------------------------

    def prepare(self, *, seat_players: bool = True) -> Iterator[Numbered]:
        """What happens between two hands: the wall is shown, empty seats are taken."""
        last = self.game.last
        committed = last is not None and last.committed is not None
        if committed and self.wall is not None and self.happens(self.habits.revealed):
            yield self.add(
                WallRevealed(hand=self.game.hand, wall=self.wall.names, salt=self.wall.salt)
            )
        while seat_players and (change := self.change_due()) is not None:
            yield self.add(change)

    def change_due(self) -> PlayerLeft | PlayerSeated | None:
        """Who leaves or sits down next, until the table is complete.

        Of two who left during a hand the one who lost the deal may be the first to sit down again,
        on the same chair, and has to make room once more.
        """
        players = self.game.players
        leaving = makes_room(self.game)
        if leaving is not None:
            player = players[leaving]
            assert player is not None, "an empty chair has no room to make"
            return PlayerLeft(seat=leaving, player=player)
        if None in players:
            waiting = self.game.substitutes or (new_player(self.rng),)
            return PlayerSeated(seat=players.index(None), player=waiting[0])
        return None

    def deal(self, due: Due) -> Numbered:
        """The next hand from a new wall; a free dealer is drawn by lot."""
        shuffle = badly_shuffled if self.happens(self.habits.clumped) else shuffled
        self.wall = shuffle(self.game.play, self.rng)
        self.walls.clear()
        assert due.hand is not None and due.streak is not None  # noqa: PT018 -- one moves() fact
        started = self.game.play.deal_from(
            self.wall.tiles,
            hand=due.hand,
            dealer=self.rng.randrange(4) if due.dealer is None else due.dealer,
            streak=due.streak,
            dice=self.roll(self.game.play.dice),
            commitment=self.wall.commitment if self.happens(self.habits.committed) else None,
        )
        return self.add(self.arranged(started))

    def arranged(self, started: HandStarted) -> HandStarted:
        """The deal as it is recorded: the wall's, unless somebody has stacked it."""
        return started

    # --- one hand ---------------------------------------------------------------------------------

    def play(self) -> Iterator[Numbered]:
        """One hand from the deal to its end."""
        due = moves(self.game).due
        assert due is not None and due.type == "hand_started", due  # noqa: PT018
        yield self.deal(due)
        while self.live:
            over = closing(self.game)
            if over is not None:
                # The service writes it at once, so nothing comes between.
                yield self.add(over)
                return
            yield self.add(self.next_event())
            if closing(self.game) is None and self.live:
                yield from self.interludes()

    def next_event(self) -> Event:
        """What happens now: the first of what the seats choose, else what is due."""
        possible = moves(self.game)
        due = possible.due
        picked = self.pick(possible.actions)
        silent = isinstance(picked, Pass) and not self.happens(self.habits.written_pass)
        if picked is not None and (due is None or not silent):
            return picked
        assert due is not None, "nothing may happen and nothing is due"
        if due.type == "draw":
            seat, source = due.seat, due.source
            assert seat is not None and source is not None  # noqa: PT018 -- one moves() fact
            tile = self.take(seat, source)
            return msgspec.convert(
                {"type": "draw", "seat": seat, "tile": tile, "source": source},
                self.game.ruleset.catalogue.types["draw"],
            )
        if due.type != "hand_ended":
            table = self.game.table
            assert table is not None
            assert self.wall is not None
            return self.game.play.due_from(table, self.wall.tiles, self.roll)
        return msgspec.convert({"type": "hand_ended", "reason": due.reason}, HandEnded)

    def take(self, seat: int, source: str) -> str:
        """The tile this seat draws from this end of the wall."""
        assert self.game.table is not None
        assert self.wall is not None
        tile, self.wall = self.wall.taken(self.game.play, self.game.table, source)
        return tile

    def roll(self, dice: int) -> tuple[int, ...]:
        """A throw of so many dice."""
        return tuple(self.rng.randint(1, 6) for _ in range(dice))

    def pick(self, actions: Sequence[Event]) -> Event | None:
        """The choice that happens of those the seats make, or None when all stay silent."""
        assert self.game.table is not None
        by_seat: dict[int, list[Event]] = {}
        for action in actions:
            by_seat.setdefault(action.seat, []).append(action)  # type: ignore[attr-defined]
        chosen = [
            choose(self.styles[seat], self.game.table, seat, own, self.rng)
            for seat, own in by_seat.items()
        ]
        made = [action for action in chosen if action is not None]
        return min(made, key=lambda made: ORDER.get(type(made), OWN_ACTION), default=None)

    # --- what people do besides -------------------------------------------------------------------

    def interludes(self) -> Iterator[Numbered]:
        """A slip, a seat that goes automatic, a player who leaves, a hand that is given up."""
        if self.happens(self.habits.slip):
            yield from self.slip()
        seat = self.rng.randrange(4)
        automatic = self.game.ruleset.catalogue.types.get("seat_auto")
        if automatic is not None and self.happens(self.habits.automatic):
            on = self.rng.random() < 0.7
            body = {"type": "seat_auto", "seat": seat, "on": on}
            yield from self.propose(msgspec.convert(body, automatic))
        player = self.game.players[seat]
        if player is not None and self.happens(self.habits.left):
            yield from self.propose(PlayerLeft(seat=seat, player=player))
        if self.live and self.happens(self.habits.abandoned):
            yield from self.propose(HandEnded(reason="abandoned"))

    def slip(self) -> Iterator[Numbered]:
        """Take back the last few events of the hand."""
        back = self.rng.randint(1, SLIP_EVENTS_MAX)
        seqs = [seq for seq, _ in self.hand]
        if len(seqs) <= back:
            return
        event = Rewind(to=seqs[-1 - back], reason="recorded by mistake")
        seq = self.game.seq + 1
        check_rewind(self.game, event, seq)
        self.game = replay([*self.hand, (seq, event)], self.base)
        self.hand = self.hand[:-back]
        self.wall = self.walls[event.to]
        yield seq, event


def new_player(rng: Random) -> str:
    """An opaque player id."""
    return str(UUID(int=rng.getrandbits(128), version=4))


def opened(
    ruleset: Ruleset,
    *,
    options: Options,
    rng: Random,
    players: Sequence[str] | None = None,
    stake: int = 1,
) -> GameStarted:
    """The first event of a game; ``players`` are four opaque ids, made up when not given."""
    return GameStarted(
        ruleset=ruleset.slug,
        ruleset_version=ruleset.version,
        options=dump_options(options),
        players=tuple(players or (new_player(rng) for _ in SEATS)),
        substitutes=tuple(new_player(rng) for _ in range(bind_play(ruleset, options).substitutes)),
        stake=stake,
    )


def simulate(
    ruleset: Ruleset,
    *,
    options: Options,
    hands: int,
    rng: Random,
    players: Sequence[str] | None = None,
    styles: Sequence[Style] | None = None,
    habits: Habits = CALM,
    stake: int = 1,
) -> Iterator[Numbered]:
    """The events of one game of so many hands, each with its seq, from its start to its end.

    The same arguments and the same state of ``rng`` give the same game. ``players`` are four opaque
    ids, made up when they are not given; ``styles`` one a seat, drawn by lot when not given.
    """
    people = tuple(players or (new_player(rng) for _ in SEATS))
    if styles is None:
        styles = seated((*STYLES, RANDOM), rng)
    started = opened(ruleset, options=options, rng=rng, players=people, stake=stake)
    return Table(started, styles=styles, habits=habits, rng=rng).events(hands)
