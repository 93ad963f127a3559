"""The game around the hands: its start, its players, dealers, results, rewinds and walls."""

from random import Random

import msgspec
import pytest

from api.simulation.games import LIVELY, simulate
from rules_engine import registry
from rules_engine.errors import IllegalEvent, Violation
from rules_engine.events import (
    Draw,
    Event,
    GameEnded,
    GameStarted,
    HandEnded,
    HandResult,
    HandStarted,
    PlayerLeft,
    PlayerSeated,
    Rewind,
    WallRevealed,
)
from rules_engine.facts import Holding, Meld, WinFacts
from rules_engine.fold import Game, apply, check_rewind, closing, effective, replay
from rules_engine.moves import moves
from rules_engine.ruleset import dump_options, make_options
from tests.rules_engine.log import PLAYERS, Log

WIN = WinFacts(seat=2, by="zimo", tile="5m", concealed="23467888m22p333s")
WON = HandResult(hand=1, dealer=0, result="hu", wins=(WIN,))
DRAWN = HandResult(hand=1, dealer=0, result="huang_zhuang")


def started(**fields: object) -> GameStarted:
    """A first event, with some fields changed."""
    ruleset = registry.get("hefei")
    event = GameStarted(
        ruleset="hefei",
        ruleset_version=1,
        options=dump_options(ruleset.options()),
        players=PLAYERS,
    )
    return msgspec.structs.replace(event, **fields)


def refused(game: Game | None, event: Event, seq: int) -> Violation:
    """Why an event is refused."""
    with pytest.raises(IllegalEvent) as caught:
        apply(game, event, seq)
    assert caught.value.violation.seq == seq
    return caught.value.violation


# --- the first event ------------------------------------------------------------------------------


def test_a_game_begins_with_everything_its_first_event_says() -> None:
    game = apply(None, started(stake=5), 1)
    assert (game.seq, game.floor, game.hand, game.dealer, game.streak) == (1, 1, 0, None, 1)
    assert (game.players, game.substitutes, game.stake) == (PLAYERS, (), 5)
    assert game.ruleset is registry.get("hefei", 1)
    assert not game.ended


@pytest.mark.parametrize(
    ("event", "seq", "code"),
    [
        (GameEnded(), 1, "game_not_started"),
        (started(), 2, "game_not_started"),
        (started(ruleset="go"), 1, "unknown_ruleset"),
        (started(ruleset_version=99), 1, "unknown_ruleset"),
        (started(options={}), 1, "options_not_whole"),
        (started(options={"cap": -1}), 1, "invalid_option"),
        (started(options={"colour": "red"}), 1, "unknown_option"),
        (started(players=("ann", "bob", "cid", "ann")), 1, "player_twice"),
        (started(substitutes=("ann",)), 1, "player_twice"),
        (started(substitutes=("eve",)), 1, "wrong_roster"),
    ],
)
def test_a_first_event_that_cannot_be_is_refused(event: Event, seq: int, code: str) -> None:
    assert refused(None, event, seq).code == code


def test_a_game_starts_once() -> None:
    assert Log().code(started()) == "game_already_started"


def test_events_are_numbered_without_gaps() -> None:
    game = Log().game
    for seq in (0, 1, 3):
        violation = refused(game, GameEnded(), seq)
        assert (violation.code, violation.expected, violation.actual) == ("wrong_seq", 2, seq)


# --- between hands --------------------------------------------------------------------------------


def test_the_first_dealer_is_free_and_the_next_follows_from_the_result() -> None:
    for dealer in range(4):
        result = msgspec.structs.replace(DRAWN, dealer=dealer)
        game = Log().add(result).game
        assert (game.dealer, game.streak) == (dealer, 2)


@pytest.mark.parametrize(
    ("fields", "code", "rule"),
    [
        ({"hand": 3}, "wrong_hand", ""),
        ({"dealer": 0}, "wrong_dealer", "HF-11"),
        ({"streak": 2}, "wrong_streak", "HF-12"),
    ],
)
def test_a_hand_out_of_order_is_refused(fields: dict[str, int], code: str, rule: str) -> None:
    log = Log().add(WON)
    assert (log.game.dealer, log.game.streak) == (1, 1)
    event = HandResult(hand=2, dealer=1, result="huang_zhuang")
    violation = log.refusal(msgspec.structs.replace(event, **fields))
    assert (violation.code, violation.rule) == (code, rule)
    assert violation.actual in fields.values()


def test_a_result_settles_the_hand_like_one_that_was_played() -> None:
    log = Log().add(WON)
    record = log.game.last
    assert record is not None
    assert (record.hand, record.seq, record.players) == (1, 2, PLAYERS)
    assert record.facts is not None
    assert record.facts.wins[0].seq == 2
    assert log.game.floor == 2


def test_a_result_that_breaks_a_rule_is_refused_with_it() -> None:
    win = msgspec.structs.replace(WIN, concealed="23467888m22p337s")
    violation = Log().refusal(msgspec.structs.replace(WON, wins=(win,)))
    assert (violation.code, violation.rule) == ("not_winning_shape", "HF-37")


@pytest.mark.parametrize(
    "fields",
    [
        {"wins": (msgspec.structs.replace(WIN, seq=3),)},
        {"table": (Holding(seat=0, melds=(Meld(kind="an_gang", tiles="7777s", seq=1),)),)},
        {"wins": (msgspec.structs.replace(WIN, flags=("zi_mo",), flag_seqs=(1,)),)},
        {"table": (Holding(seat=0, flags=("shy",), flag_seqs=(1,)),)},
    ],
)
def test_a_result_names_no_seqs(fields: dict[str, object]) -> None:
    assert Log().code(msgspec.structs.replace(WON, **fields)) == "invalid_event"


def test_a_result_is_refused_while_a_hand_is_played() -> None:
    log = Log().deal({}, last="2m")
    violation = log.refusal(msgspec.structs.replace(DRAWN, hand=2))
    assert (violation.code, violation.expected) == ("hand_not_over", "hand_ended")


@pytest.mark.parametrize(
    "event",
    [
        GameEnded(),
        PlayerSeated(seat=0, player="eve"),
        WallRevealed(hand=1, wall=(), salt="00" * 16),
    ],
)
def test_what_belongs_between_hands_is_refused_during_one(event: Event) -> None:
    assert Log().deal({}, last="2m").code(event) == "hand_not_over"


def test_a_hand_belongs_to_who_sat_down_for_it() -> None:
    log = Log().deal({}, last="2m").add(PlayerLeft(seat=2, player="cid"))
    assert log.game.players == ("ann", "bob", None, "dee")
    log.end("abandoned")
    record = log.game.last
    assert record is not None
    assert record.players == PLAYERS


def test_an_event_of_a_hand_needs_one() -> None:
    log = Log()
    assert log.code(Draw(seat=0, tile="2m")) == "no_hand"
    assert log.code(HandEnded(reason="abandoned")) == "no_hand"


# --- players --------------------------------------------------------------------------------------


def test_an_empty_seat_is_taken_before_the_next_hand() -> None:
    log = Log().add(WON, PlayerLeft(seat=1, player="bob"))
    assert moves(log.game).due.type == "player_seated"
    empty = log.refusal(HandResult(hand=2, dealer=0, result="huang_zhuang"))
    assert (empty.code, empty.actual) == ("seat_empty", ["ann", None, "cid", "dee"])
    taken = log.refusal(PlayerSeated(seat=0, player="eve"))
    assert (taken.code, taken.expected) == ("seat_taken", [1])
    assert log.code(PlayerSeated(seat=1, player="ann")) == "player_twice"
    log.add(PlayerSeated(seat=1, player="eve"))
    assert log.game.players == ("ann", "eve", "cid", "dee")


def test_only_who_sits_there_can_leave() -> None:
    violation = Log().refusal(PlayerLeft(seat=1, player="ann"))
    assert (violation.code, violation.expected, violation.actual) == ("wrong_player", "bob", "ann")


def test_nothing_happens_after_the_end() -> None:
    log = Log().add(GameEnded(reason="dissolved"))
    assert moves(log.game) == moves(log.game).__class__(None, ())
    events = [
        GameEnded(),
        WON,
        PlayerLeft(seat=0, player="ann"),
        PlayerSeated(seat=0, player="eve"),
        Draw(seat=0, tile="2m"),
    ]
    for event in events:
        assert log.code(event) == "game_ended"


# --- rewinds --------------------------------------------------------------------------------------


def test_a_rewind_takes_back_what_came_after() -> None:
    log = Log().deal({0: "22m2345678p24578s"}, last="8s").play("0-2m")
    at_discard = log.game
    log.play("1+3m 1-3m").add(Rewind(to=3, reason="wrong tile"))
    assert log.game == msgspec.structs.replace(at_discard, seq=6)
    log.play("1+4m")
    assert log.game.seq == 7


def test_a_rewind_may_be_rewound_past() -> None:
    log = Log().deal({}, last="2m")
    dealt = log.game
    log.play(f"0-{first_tile(log)}").add(Rewind(to=2, reason="a"))
    log.play(f"0-{first_tile(log)}").add(Rewind(to=3, reason="b"))
    assert log.game == msgspec.structs.replace(dealt, seq=6), "seq 3 had been taken back before"


def first_tile(log: Log) -> str:
    """A tile the seat in turn can discard."""
    return log.actions()[0].tile


def test_a_rewind_reaches_back_to_the_last_ended_hand_and_no_further() -> None:
    log = Log().add(DRAWN).deal({}, last="2m")
    for to in (1, 3, 4):
        with pytest.raises(IllegalEvent) as caught:
            check_rewind(log.game, Rewind(to=to, reason="x"), 4)
        violation = caught.value.violation
        assert (violation.code, violation.seq) == ("rewind_out_of_reach", 4)
        assert (violation.expected, violation.actual) == ({"from": 2, "to": 2}, to)
    log.add(Rewind(to=2, reason="dealt wrongly"))
    assert log.game.table is None
    assert log.game.hand == 1


def test_a_rewind_needs_the_log() -> None:
    assert Log().code(Rewind(to=1, reason="x")) == "rewind_needs_log"


def test_the_effective_log_leaves_out_what_was_taken_back() -> None:
    a, b, c = (Draw(seat=0, tile=tile) for tile in ("2m", "3m", "4m"))
    log: list[tuple[int, Event]] = [(1, a), (2, b), (3, Rewind(to=1, reason="x")), (4, c)]
    assert effective(log) == [(1, a), (4, c)]


def test_replaying_the_raw_log_gives_the_game() -> None:
    log = Log().deal({}, last="2m")
    log.play(f"0-{first_tile(log)}").add(Rewind(to=2, reason="x"))
    assert replay(log.events) == log.game
    half = replay(log.events[:2])
    assert replay(log.events[2:], half) == log.game
    assert replay([], half) is half


def test_a_log_without_events_is_no_game() -> None:
    with pytest.raises(IllegalEvent, match="no game"):
        replay([])


def test_the_fold_is_the_same_every_time() -> None:
    ruleset = registry.get("hefei")
    options = make_options(ruleset.options, {})
    log = list(simulate(ruleset, options=options, hands=4, rng=Random(9), habits=LIVELY))
    assert replay(log) == replay(log)


# --- other ----------------------------------------------------------------------------------------


@pytest.mark.usefixtures("toy")
def test_a_variant_may_refuse_a_result_that_contradicts_the_hands_before() -> None:
    log = Log("toy")
    for hand in range(1, 9):
        log.deal({}, last="1m", dealer=0).end("abandoned")
        assert log.game.streak == hand + 1
    result = HandResult(hand=9, dealer=0, streak=9, result="huang_zhuang")
    assert log.code(result) == "unbelievable"


class Announced(HandStarted, frozen=True, tag="hand_started"):
    """A deal with a field more, as a variant may have one."""

    shout: str = ""


def test_a_common_type_with_more_fields_is_still_that_type() -> None:
    log = Log().deal({}, last="2m")
    _, event = log.events[-1]
    shouted = Announced(**msgspec.structs.asdict(event), shout="ho")
    assert apply(Log().game, shouted, 2).table == log.game.table


def test_nothing_closes_between_hands() -> None:
    assert closing(Log().game) is None
