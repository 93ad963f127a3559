"""Games for the tests of the log: played by rule, with the choices taken from a seed."""

import random
from collections.abc import Iterator
from uuid import UUID

from records.append import Receipt, append_events, create_game
from records.ids import uuid7
from rules_engine import registry
from rules_engine.events import Draw, Event, GameStarted, HandResult, HandStarted
from rules_engine.fold import Game, apply, closing
from rules_engine.moves import moves
from rules_engine.ruleset import dump_options, make_options
from rules_engine.tiles import NAMES, Tiles, count, kinds_in

CLUB = UUID("01939f5e-0000-7000-8000-00000000c1b0")
PLAYERS = tuple(f"01939f5e-0000-7000-8000-00000000000{seat}" for seat in range(4))


def started() -> GameStarted:
    """The first event of a Hefei game with default options."""
    ruleset = registry.get("hefei")
    options = make_options(ruleset.options, {})
    return GameStarted(
        ruleset=ruleset.slug,
        ruleset_version=ruleset.version,
        options=dump_options(options),  # type: ignore[arg-type]
        players=PLAYERS,
    )


def drawn_hands(number: int, first: int = 1) -> list[HandResult]:
    """Hands that nobody won, recorded as results: the dealer stays, so they follow each other."""
    hands, game = [], apply(None, started(), 1)
    for hand in range(1, first + number):
        result = HandResult(
            hand=hand, dealer=game.dealer or 0, streak=game.streak, result="huang_zhuang"
        )
        game = apply(game, result, game.seq + 1)
        hands.append(result)
    return hands[first - 1 :]


def names_of(tiles: Tiles) -> list[str]:
    """Every tile of a bag by name."""
    return [NAMES[kind] for kind in kinds_in(tiles) for _ in range(count(tiles, kind))]


def deal(game: Game, rng: random.Random) -> HandStarted:
    """A shuffled deal of the next hand."""
    wall = names_of(game.play.tiles)
    rng.shuffle(wall)
    dealer = game.dealer or 0
    sizes = [game.play.hand_size + (seat == dealer) for seat in range(4)]
    dealt = [[wall.pop() for _ in range(size)] for size in sizes]
    return HandStarted(
        hand=game.hand + 1,
        dealer=dealer,
        streak=game.streak,
        dealt=tuple("".join(tiles) for tiles in dealt),
        last=dealt[dealer][-1],
    )


def next_event(game: Game, rng: random.Random) -> Event:
    """One legal event of a live hand."""
    table = game.table
    assert table is not None
    possible = moves(game)
    due = possible.due
    if due is not None and due.type == "draw" and (not possible.actions or rng.random() < 0.5):
        assert due.seat is not None
        tile = rng.choice(names_of(table.unseen))
        return Draw(seat=due.seat, tile=tile, source=due.source)  # type: ignore[arg-type]
    return rng.choice(possible.actions)


def live_events(seed: int, hands: int = 1) -> Iterator[Event]:
    """A whole game tile by tile, as a recorder sends it: without the ends the service adds."""
    rng = random.Random(seed)
    event: Event = started()
    game = apply(None, event, 1)
    yield event
    while game.hand < hands or game.table is not None:
        event = deal(game, rng) if game.table is None else next_event(game, rng)
        game = apply(game, event, game.seq + 1)
        yield event
        end = closing(game)
        if end is not None:
            game = apply(game, end, game.seq + 1)


def new_game() -> UUID:
    """An open game without events."""
    return create_game(club_id=CLUB)


def record(game_id: UUID, *events: Event, at: int = 0, command_id: str | None = None) -> Receipt:
    """Append behind seq ``at`` under a command id of its own."""
    return append_events(
        game_id=game_id,
        expected_seq=at,
        events=events,
        command_id=command_id or str(uuid7()),
    )


def record_one_by_one(game_id: UUID, events: list[Event]) -> Receipt:
    """Append each event by itself."""
    seq = 0
    for event in events:
        receipt = record(game_id, event, at=seq)
        seq = receipt.last_seq
    return receipt
