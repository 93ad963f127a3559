"""What has to hold in every game, and how it is tried: the simulator plays, these look on."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from api.simulation.bots import Style
from api.simulation.games import LIVELY, Habits, simulate
from rules_engine.events import (
    Event,
    HandEnded,
    HandResult,
    Rewind,
)
from rules_engine.facts import HandFacts, WinFacts
from rules_engine.fold import Game, Numbered, apply, replay
from rules_engine.ruleset import Options, Ruleset, make_options
from rules_engine.score import HandScore
from rules_engine.snapshot import dump, load
from rules_engine.table import SEATS, Table
from rules_engine.tiles import NAMES, write
from tests.simulation.auditor import Auditor, tiles_of

HANDS = 8
PASSING = replace(LIVELY, written_pass=0.6)


def options_of(ruleset: Ruleset, given: Mapping[str, Any]) -> Options:
    """The options of a room."""
    made = make_options(ruleset.options, given)
    assert isinstance(made, Options), made
    return made


def game_of(
    ruleset: Ruleset,
    given: Mapping[str, Any],
    seed: int,
    habits: Habits = PASSING,
    *,
    every_second: Style | None = None,
) -> list[Numbered]:
    """One simulated game; of uneven seeds all play in the style of ``every_second``, if given."""
    rng = Random(f"{sorted(given)} {seed}")
    styles = [every_second] * 4 if every_second is not None and seed % 2 else None
    options = options_of(ruleset, given)
    return list(
        simulate(ruleset, options=options, hands=HANDS, rng=rng, habits=habits, styles=styles)
    )


def steps(log: list[Numbered]) -> Iterator[tuple[int, Event, Game, Game]]:
    """Each event with the game before and after it; a rewind is replayed from its hand's start."""
    game = base = apply(None, log[0][1], 1)
    tail: list[Numbered] = []
    for seq, event in log[1:]:
        before = game
        tail.append((seq, event))
        game = replay(tail, base) if isinstance(event, Rewind) else apply(game, event, seq)
        if game.table is None:
            base, tail = game, []
        yield seq, event, before, game


# --- tiles and points -----------------------------------------------------------------------------


def tell(auditor: Auditor, seq: int, event: Event, before: Game) -> None:
    """Tell the auditor of an event, in the words of the log."""
    auditor.record(seq, msgspec.to_builtins(event))


def tell_of_own_tile(auditor: Auditor, seq: int, event: Event, before: Game) -> None:
    """The same where a self-drawn win may be on another tile than the one drawn last."""
    body = msgspec.to_builtins(event)
    if body["type"] == "hu" and body["by"] == "zimo" and auditor.books is not None:
        assert before.table is not None
        auditor.books.drawn = NAMES[before.play.own_tile(before.table)]
    auditor.record(seq, body)


def agree(auditor: Auditor, event: Event, game: Game) -> None:
    """The engine's table and the auditor's books say the same of every seat and of the wall."""
    assert game.table is not None
    compare(auditor, game.table, SEATS)


def audit(
    log: list[Numbered],
    *,
    tell: Callable[[Auditor, int, Event, Game], None] = tell,
    agree: Callable[[Auditor, Event, Game], None] = agree,
) -> int:
    """Play a game past the auditor; gives the number of hands won.

    ``tell`` puts an event into the auditor's books, ``agree`` compares them with the table. A hand
    that was played out settles like its result, and a game between hands survives its snapshot.
    """
    auditor = Auditor(tiles_of(write(apply(None, log[0][1], 1).play.tiles)))
    won = 0
    for seq, event, before, game in steps(log):
        tell(auditor, seq, event, before)
        if game.table is not None:
            agree(auditor, event, game)
            continue
        assert load(dump(game)) == game
        if isinstance(event, HandEnded) and event.reason != "abandoned":
            won += settle(auditor, before, game)
    return won


def compare(auditor: Auditor, table: Table, seats: Iterable[int]) -> None:
    """The engine's table and the auditor's books say the same of these seats and of the wall."""
    books = auditor.books
    assert books is not None
    assert +books.wall == tiles_of(write(table.unseen))
    for seat in seats:
        holder = table.seats[seat]
        owned = tiles_of(write(holder.concealed) + write(holder.flowers))
        for meld in holder.melds:
            owned.update(tiles_of(meld.tiles))
        if table.offer is not None and table.offer.gang:
            continue
        assert +books.owned[seat] == owned
        pond = [NAMES[each.kind] for each in holder.pond if not each.taken]
        assert books.ponds[seat] == pond


def settle(auditor: Auditor, before: Game, game: Game) -> int:
    """Score the hand that ended; 1 if it was won."""
    record = game.last
    assert record is not None
    assert record.facts is not None
    score = game.ruleset.score(record.facts, game.options)
    assert isinstance(score, HandScore), (record.facts, score)
    auditor.pay((each.payer, each.payee, each.points) for each in score.transfers)
    assert all(0 < each.seq <= record.seq for each in score.transfers)
    result = result_of(record.facts, game.hand)
    live = replace(before, table=None, hand=game.hand - 1, dealer=None, playing=())
    live = replace(live, players=record.players, streak=record.streak)
    recorded = apply(live, result, record.seq).last
    assert recorded is not None
    assert recorded.facts is not None
    again = game.ruleset.score(recorded.facts, game.options)
    assert isinstance(again, HandScore)
    assert without_seqs(again) == without_seqs(score)
    return len(record.facts.wins) > 0


def without_seqs(score: HandScore) -> HandScore:
    """A score with nothing that depends on the place in the log."""
    return replace(score, transfers=tuple(replace(each, seq=0) for each in score.transfers))


def result_of(facts: HandFacts, hand: int) -> HandResult:
    """The hand as a scorekeeper would have written it down."""
    return HandResult(
        hand=hand,
        dealer=facts.dealer,
        streak=facts.streak,
        wild=facts.wild,
        result=facts.result,
        wins=tuple(plain(win) for win in facts.wins),
        table=tuple(plain(holding) for holding in facts.table),
    )


def plain(part: Any) -> Any:
    """A winner or a holding without seqs."""
    melds = tuple(replace(meld, seq=0) for meld in part.melds)
    part = replace(part, melds=melds, flag_seqs=())
    return replace(part, seq=0) if isinstance(part, WinFacts) else part


def assert_laws(ruleset: Ruleset, given: Mapping[str, Any], seeds: range) -> None:
    """Audit a series of games; a fair part of the hands is won."""
    won = sum(audit(game_of(ruleset, given, seed)) for seed in seeds)
    assert won >= len(seeds) * HANDS // 10
