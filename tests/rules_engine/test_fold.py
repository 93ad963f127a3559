"""The game around the hands: its start, its players, dealers, results, rewinds and walls."""

import hashlib
from random import Random

import msgspec
import pytest

from api.simulation.games import LIVELY, simulate
from api.simulation.walls import Wall, shuffled
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
from rules_engine.tiles import KIND, NAMES
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
    game = apply(None, started(stake=5, substitutes=("eve",)), 1)
    assert (game.seq, game.floor, game.hand, game.dealer, game.streak) == (1, 1, 0, None, 1)
    assert (game.players, game.substitutes, game.stake) == (PLAYERS, ("eve",), 5)
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
    assert moves(log.game).due.type == "player_seated"  # type: ignore[union-attr]
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
    return log.actions()[0].tile  # type: ignore[attr-defined, no-any-return]


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
    log = list(simulate(ruleset, options=options, hands=4, rng=Random(9), habits=LIVELY))  # type: ignore[arg-type]
    assert replay(log) == replay(log)


# --- a committed wall -----------------------------------------------------------------------------


def committed_hand(seed: int, *, draws: int = 8) -> tuple[Log, Wall]:
    """A hand from a committed wall, abandoned after some draws."""
    log = Log()
    wall = shuffled(log.game.play, Random(seed))
    log.add(
        log.game.play.deal_from(
            wall.tiles, hand=1, dealer=2, streak=1, dice=(1, 2), commitment=wall.commitment
        )
    )
    head = 53
    for step in range(draws):
        seat = (2 + step) % 4
        log.add(log.actions(seat)[-1])
        log.play(f"{(seat + 1) % 4}+{NAMES[wall.tiles[head + step]]}")
    return log.end("abandoned"), wall


def reveal(wall: Wall, *, tiles: list[int] | None = None, salt: str = "", hand: int = 1) -> Event:
    """The wall, or another one, shown."""
    names = wall.names if tiles is None else tuple(NAMES[kind] for kind in tiles)
    return WallRevealed(hand=hand, wall=names, salt=salt or wall.salt)


def test_a_wall_that_was_committed_to_may_be_revealed_once() -> None:
    log, wall = committed_hand(1)
    log.add(reveal(wall))
    assert log.code(reveal(wall)) == "no_commitment"


def test_the_tail_of_the_wall_is_where_replacements_come_from() -> None:
    log = Log()
    tiles = [KIND[name] for name in stacked_wall()]
    wall = Wall(tiles=tuple(tiles), salt="ab" * 16)
    log.add(log.game.play.deal_from(tiles, hand=1, dealer=0, streak=1, commitment=wall.commitment))
    log.gang(0, "2m").play(f"0^{NAMES[tiles[-1]]}").gang(0, "3m").play(f"0^{NAMES[tiles[-2]]}")
    log.end("abandoned").add(reveal(wall))


def stacked_wall() -> list[str]:
    """A wall that deals the dealer eight tiles of two kinds."""
    names = [name for name in NAMES if name[1] in "mps" and name[0] in "2345678"]
    rest = [name for name in names if name not in ("2m", "3m") for _ in range(4)]
    return ["2m"] * 4 + rest[:12] + ["3m"] * 4 + rest[12:]


def test_a_wall_or_salt_that_was_not_committed_to_is_refused() -> None:
    log, wall = committed_hand(1)
    swapped = list(wall.tiles)
    place = next(i for i in range(60, 84) if swapped[i] != swapped[83])
    swapped[place], swapped[83] = swapped[83], swapped[place]
    for event in (reveal(wall, tiles=swapped), reveal(wall, salt="00" * 16)):
        violation = log.refusal(event)
        assert (violation.code, violation.rule) == ("commitment_broken", "HF-6")
        assert violation.expected == wall.commitment
    assert log.code(reveal(wall, hand=2)) == "no_commitment"


def committed_to(tiles: list[int], seed: int) -> tuple[Log, Wall]:
    """A hand dealt from one wall while the commitment is to another."""
    log = Log()
    true = shuffled(log.game.play, Random(seed))
    other = Wall(tiles=tuple(tiles), salt="cd" * 16)
    log.add(
        log.game.play.deal_from(true.tiles, hand=1, dealer=0, streak=1, commitment=other.commitment)
    )
    log.add(log.actions()[-1]).play(f"1+{NAMES[true.tiles[53]]}").end("abandoned")
    return log, other


def test_a_committed_wall_that_is_not_the_one_dealt_from_is_refused() -> None:
    play = Log().game.play
    true = list(shuffled(play, Random(3)).tiles)
    dealt_otherwise = [true[-1], *true[1:-1], true[0]]
    assert true[0] != true[-1]
    log, wall = committed_to(dealt_otherwise, 3)
    violation = log.refusal(reveal(wall))
    assert (violation.code, violation.rule) == ("wall_differs", "HF-6")
    assert "seat 0 would have been dealt" in violation.message
    last = next(i for i in range(83, 53, -1) if true[i] != true[53])
    drawn_otherwise = list(true)
    drawn_otherwise[53], drawn_otherwise[last] = true[last], true[53]
    log, wall = committed_to(drawn_otherwise, 3)
    violation = log.refusal(reveal(wall))
    assert "draw 1 of the hand would have been" in violation.message
    assert (violation.expected, violation.actual) == (NAMES[true[last]], NAMES[true[53]])


def test_a_committed_wall_must_hold_the_tiles_of_the_game() -> None:
    true = list(shuffled(Log().game.play, Random(3)).tiles)
    two = [KIND["2m"]] * 16
    three = [kind for kind in true if kind != KIND["3m"]] + [KIND["3m"]] * 3
    for tiles in (true[:-1], [*true[:-1], KIND["9m"]], three + two):
        log, wall = committed_to(tiles, 3)
        assert "exactly the tiles" in log.refusal(reveal(wall)).message


def test_a_hand_without_a_commitment_has_no_wall_to_reveal() -> None:
    log = Log().deal({}, last="2m").end("abandoned")
    assert log.code(WallRevealed(hand=1, wall=(), salt="00" * 16)) == "no_commitment"


def test_the_commitment_is_sha_256_of_the_salt_and_the_names() -> None:
    wall = shuffled(Log().game.play, Random(5))
    text = bytes.fromhex(wall.salt) + "".join(wall.names).encode()
    assert wall.commitment == hashlib.sha256(text).hexdigest()


@pytest.mark.usefixtures("toy")
def test_a_tile_that_was_turned_up_must_lie_in_the_wall() -> None:
    log = Log("toy", turned=True)
    play = log.game.play
    true = shuffled(play, Random(3))
    dealt = play.deal_from(true.tiles, hand=1, dealer=0, streak=1, commitment=true.commitment)
    log.add(dealt).end("abandoned").add(reveal(true))
    other = next(name for name in NAMES[:27] if name != dealt.indicator)
    log = Log("toy", turned=True)
    log.add(msgspec.structs.replace(dealt, indicator=other)).end("abandoned")
    violation = log.refusal(reveal(true))
    assert (violation.code, violation.actual) == ("wall_differs", other)
    assert violation.expected == dealt.indicator


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
