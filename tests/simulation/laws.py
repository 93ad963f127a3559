"""What has to hold in every game, and how it is tried: the simulator plays, these look on."""

from collections.abc import Iterable, Iterator
from itertools import product
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

from api.simulation.games import LIVELY, Habits, simulate
from rules_engine.errors import IllegalEvent, Violation
from rules_engine.events import (
    Chi,
    Discard,
    Draw,
    Event,
    Gang,
    HandEnded,
    HandResult,
    Hu,
    Pass,
    Peng,
    Rewind,
)
from rules_engine.facts import HandFacts, WinFacts
from rules_engine.fold import Game, Numbered, apply, closing, replay
from rules_engine.moves import moves
from rules_engine.ruleset import Options, Ruleset, make_options
from rules_engine.score import HandScore
from rules_engine.table import SEATS, Table
from rules_engine.tiles import NAMES, kinds_in, write
from tests.simulation.auditor import Auditor, tiles_of

HANDS = 8
ROOMS: dict[str, dict[str, Any]] = {
    "plain": {},
    "bao_ting": {"room": "bao_ting", "ting_gang": "same_waits", "hands_per_game": 4},
    "initial": {"room": "bao_ting", "initial_ting": True, "auto_hu_after_ting": False},
    "locked": {"pass_rule": "locked_until_draw", "hai_lao_must_hu": False, "min_suit": 6},
    "must_hu": {"pass_rule": "must_hu", "min_suit": 0, "leave_mid_hand": "void", "cap": 60},
    "strict": {"room": "bao_ting", "ting_gang": "forbidden", "allow_qi_dui": False, "min_suit": 5},
}
TOYS: dict[str, dict[str, Any]] = {
    "plain": {},
    "cut_throat": {"several_winners": False, "rob": "none", "proud": True},
    "must_hu": {"must_hu": True},
}
PASSING = replace(LIVELY, written_pass=0.6)


def options_of(ruleset: Ruleset, given: dict[str, Any]) -> Options:
    """The options of a room."""
    made = make_options(ruleset.options, given)
    assert isinstance(made, Options), made
    return made


def game_of(
    ruleset: Ruleset, given: dict[str, Any], seed: int, habits: Habits = PASSING
) -> list[Numbered]:
    """One simulated game."""
    options = options_of(ruleset, given)
    rng = Random(f"{sorted(given)} {seed}")
    return list(simulate(ruleset, options=options, hands=HANDS, rng=rng, habits=habits))


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


def audit(ruleset: Ruleset, given: dict[str, Any], seed: int) -> int:
    """Play a game past the auditor; gives the number of hands won."""
    log = game_of(ruleset, given, seed)
    first = apply(None, log[0][1], 1)
    auditor = Auditor(tiles_of(write(first.play.tiles)))
    won = 0
    for seq, event, before, game in steps(log):
        body = msgspec.to_builtins(event)
        auditor.record(seq, body)
        if game.table is not None:
            alone = event.type in ("draw", "discard", "ting", "pass")
            compare(auditor, game.table, [body["seat"]] if alone else SEATS)
        elif isinstance(event, HandEnded) and event.reason != "abandoned":
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


def assert_laws(ruleset: Ruleset, given: dict[str, Any], seeds: range) -> None:
    """Audit a series of games; a fair part of the hands is won."""
    won = sum(audit(ruleset, given, seed) for seed in seeds)
    assert won >= len(seeds) * HANDS // 10


# --- stepping and jumping -------------------------------------------------------------------------


# --- offered exactly when accepted ----------------------------------------------------------------


def accepted(game: Game, event: Event) -> Violation | None:
    """None where the event may happen now, else why not."""
    try:
        apply(game, event, game.seq + 1)
    except IllegalEvent as error:
        return error.violation
    return None


def without_drawn(event: Event) -> Event:
    """A discard of which it does not matter which of two like tiles it was."""
    return replace(event, drawn=False) if isinstance(event, Discard) else event


def choices(game: Game) -> Iterator[Event]:
    """Everything that a seat might think of doing, sensible or not."""
    names = [NAMES[kind] for kind in kinds_in(game.play.tiles)]
    ting = game.ruleset.catalogue.types["ting"]
    discards = "discard" in {field.name for field in msgspec.structs.fields(ting)}
    for seat in SEATS:
        yield from (Pass(seat=seat, on=on) for on in ("draw", "discard", "gang"))
        yield ting(seat=seat)
        for name in names:
            yield from (Discard(seat=seat, tile=name, drawn=drawn) for drawn in (True, False))
            yield Hu(seat=seat, by="zimo", tile=name)
            yield from (Gang(seat=seat, kind=kind, tile=name) for kind in ("an_gang", "bu_gang"))
            if discards:
                yield ting(seat=seat, discard=name)
        yield from claims(game, seat)


def claims(game: Game, seat: int) -> Iterator[Event]:
    """What a seat might do with the tile on offer, or with one that is not."""
    table = game.table
    assert table is not None
    kinds = [table.offer.kind] if table.offer is not None else [0, 10]
    for kind, source in product(kinds, SEATS):
        name = NAMES[kind]
        yield Gang(seat=seat, kind="ming_gang", tile=name, from_=source)
        yield Peng(seat=seat, tiles=name[0] * 3 + name[1], tile=name, from_=source)
        for by in ("dianpao", "qiang_gang"):
            yield Hu(seat=seat, by=by, tile=name, from_=source)
        for low in range(max(int(name[0]) - 2, 1), min(int(name[0]), 7) + 1):
            tiles = f"{low}{low + 1}{low + 2}{name[1]}"
            if name[1] != "z":
                yield Chi(seat=seat, tiles=tiles, tile=name, from_=source)


def assert_offers(game: Game) -> int:
    """What is offered is what is accepted; gives how many events were tried."""
    possible = moves(game)
    offered = {without_drawn(action) for action in possible.actions}
    tried = 0
    for event in possible.actions:
        violation = accepted(game, event)
        assert violation is None, (event, violation)
    taken = set()
    for event in choices(game):
        tried += 1
        violation = accepted(game, event)
        if violation is None:
            taken.add(without_drawn(event))
        else:
            assert_told(game, event, violation)
    own = {event for event in offered if not known(game, event)}
    assert taken == offered - own, (taken ^ (offered - own), game.table)
    assert_due(game)
    return tried


def known(game: Game, event: Event) -> bool:
    """Whether ``choices`` thinks of events of this type."""
    return event.type in {"discard", "hu", "gang", "ting", "pass", "chi", "peng"}


def assert_told(game: Game, event: Event, violation: Violation) -> None:
    """A refusal says all that somebody needs to act on it."""
    assert violation.code, event
    assert violation.message, event
    assert violation.seq == game.seq + 1
    if game.ruleset.slug != "toy":
        assert violation.rule in game.ruleset.rules, (violation, event)


def assert_due(game: Game) -> None:
    """A draw, or the end of the hand, is due exactly when it is accepted."""
    table, due = game.table, moves(game).due
    assert table is not None
    free = NAMES[next(kinds_in(table.unseen))] if table.unseen else "2m"
    for seat, source in product(SEATS, ("head", "tail")):
        draw = Draw(seat=seat, tile=free, source=source)
        is_due = due is not None and (due.type, due.seat, due.source) == ("draw", seat, source)
        assert (accepted(game, draw) is None) == is_due, (draw, due)
    for reason in ("hu", "huang_zhuang"):
        end = HandEnded(reason=reason)
        is_due = due is not None and (due.type, due.reason) == ("hand_ended", reason)
        assert (accepted(game, end) is None) == is_due, (end, due)
    over = closing(game)
    if over is not None:
        assert due is not None
        assert due.reason == over.reason
        assert not moves(game).actions


def assert_offers_in(ruleset: Ruleset, given: dict[str, Any], seed: int, states: int) -> None:
    """Try everything at so many moments of a game, those with something on offer first."""
    log = game_of(ruleset, given, seed)
    rng = Random(seed)
    live = [game for _, _, _, game in steps(log) if game.table is not None]
    rich = [game for game in live if {a.type for a in moves(game).actions} - {"discard"}]
    wanted = rng.sample(rich, min(len(rich), states)) + rng.sample(live, states)
    assert sum(assert_offers(game) for game in wanted) > 500 * states
