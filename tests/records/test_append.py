"""Appending: one game, one writer."""

from uuid import UUID

import pytest
from django.db import connections, transaction

from records import reader
from records.append import EVENTS_MAX, append_events
from records.chain import GENESIS, verify_chain
from records.errors import BadAppend, CommandReused, NotCanonical, StaleSequence, UnknownGame
from records.heads import head_cache
from records.ids import uuid7
from records.verification import verify_game
from rules_engine.errors import IllegalEvent
from rules_engine.events import (
    Discard,
    Draw,
    Event,
    GameEnded,
    HandEnded,
    PlayerLeft,
    Rewind,
)
from tests.records.games import PLAYERS, drawn_hands, live_events, new_game, record, started
from tests.support.databases import Database

pytestmark = pytest.mark.usefixtures("log")


def test_a_game_recorded_event_by_event_is_read_back_as_it_was() -> None:
    game_id, seq, head = new_game(), 0, GENESIS
    sent = list(live_events(seed=3, hands=2))
    for event in sent:
        receipt = record(game_id, event, at=seq)
        assert receipt.first_seq == seq + 1
        seq, head = receipt.last_seq, receipt.hash
    assert reader.head(game_id) == (seq, head)
    raw = [event for _, event in reader.numbered_events(game_id)]
    assert [event for event in raw if not isinstance(event, HandEnded)] == sent
    assert verify_chain(reader.events_of(game_id)) is None
    assert verify_game(game_id).finding is None


def test_a_game_recorded_in_one_batch_is_the_same_game() -> None:
    single, batch = new_game(), new_game()
    sent, seq = list(live_events(seed=4)), 0
    for event in sent:
        seq = record(single, event, at=seq).last_seq
    receipt = record(batch, *sent)
    assert (receipt.first_seq, receipt.last_seq) == (1, seq)
    assert list(reader.numbered_events(batch)) == list(reader.numbered_events(single))
    assert reader.game_at(batch) == reader.game_at(single)


def test_the_end_of_a_hand_is_added_where_the_rules_say_it_is_over() -> None:
    game_id, sent = new_game(), list(live_events(seed=5))
    receipt = record(game_id, *sent)
    assert receipt.last_seq == len(sent) + 1
    last = list(reader.numbered_events(game_id))[-1][1]
    assert isinstance(last, HandEnded)


def test_an_end_of_a_hand_that_was_sent_is_not_added_again() -> None:
    game_id, sent = new_game(), list(live_events(seed=5))
    record(game_id, *sent)
    end = list(reader.numbered_events(game_id))[-1][1]
    other = new_game()
    assert record(other, *sent, end).last_seq == len(sent) + 1


def test_a_second_append_with_the_same_seq_is_refused() -> None:
    game_id = new_game()
    record(game_id, started())
    first, second = drawn_hands(2)
    record(game_id, first, at=1)
    with pytest.raises(StaleSequence) as refusal:
        record(game_id, first, at=1)
    assert refusal.value.facts == {"expected": 1, "actual": 2}
    with pytest.raises(StaleSequence):
        record(game_id, second, at=7)
    assert reader.head(game_id)[0] == 2


def test_the_same_command_again_gives_the_same_receipt_and_writes_nothing() -> None:
    game_id = new_game()
    first = record(game_id, started(), command_id="start")
    record(game_id, *drawn_hands(1), at=1, command_id="hand")
    again = record(game_id, started(), command_id="start")
    assert again.replayed
    assert not first.replayed
    assert (again.first_seq, again.last_seq, again.hash) == (1, 1, first.hash)
    assert reader.head(game_id)[0] == 2


def test_a_command_id_used_again_for_something_else_is_refused() -> None:
    game_id = new_game()
    record(game_id, started(), command_id="one")
    first, second = drawn_hands(2)
    record(game_id, first, at=1, command_id="two")
    for seq, event in ((2, second), (1, second), (2, first)):
        with pytest.raises(CommandReused) as refusal:
            record(game_id, event, at=seq, command_id="two")
        assert refusal.value.facts == {"command_id": "two", "first_seq": 2, "last_seq": 2}
    assert reader.head(game_id)[0] == 2


def test_two_games_may_use_the_same_command_id() -> None:
    for game_id in (new_game(), new_game()):
        assert not record(game_id, started(), command_id="start").replayed


def test_an_illegal_event_names_its_place_and_nothing_of_the_batch_is_written() -> None:
    game_id, sent = new_game(), list(live_events(seed=6))
    bad: list[Event] = [*sent[:5], Discard(seat=0, tile="1f", drawn=True)]
    with pytest.raises(IllegalEvent) as refusal:
        record(game_id, *bad)
    violation = refusal.value.violation
    assert (violation.facts["index"], violation.seq) == (5, 6)
    assert reader.head(game_id)[0] == 0


def test_what_follows_the_end_of_the_game_is_refused() -> None:
    game_id = new_game()
    record(game_id, started(), GameEnded())
    with pytest.raises(IllegalEvent) as refusal:
        record(game_id, *drawn_hands(1), at=2)
    assert refusal.value.violation.code == "game_ended"


def test_a_game_that_was_never_opened_takes_no_events() -> None:
    with pytest.raises(UnknownGame):
        record(uuid7(), started())
    with pytest.raises(UnknownGame):
        record(uuid7(), *drawn_hands(1), at=1)


@pytest.mark.parametrize("count", [0, EVENTS_MAX + 1])
def test_an_append_of_no_events_or_too_many_is_refused(count: int) -> None:
    with pytest.raises(BadAppend):
        record(new_game(), *[GameEnded()] * count)


@pytest.mark.parametrize("command_id", ["", "x" * 256, "a\0b", "\ud83c", "a\nb"])
def test_a_command_id_that_cannot_be_stored_is_refused(command_id: str) -> None:
    with pytest.raises(BadAppend):
        append_events(game_id=new_game(), expected_seq=0, events=[started()], command_id=command_id)


@pytest.mark.parametrize("reason", ["\0", "\ud83c", "x\udc00"])
def test_a_text_that_cannot_be_hashed_is_refused_and_nothing_is_written(reason: str) -> None:
    game_id = new_game()
    left = PlayerLeft(seat=1, player=PLAYERS[1])
    with pytest.raises(NotCanonical):
        record(game_id, started(), left, Rewind(to=1, reason=reason))
    assert reader.head(game_id)[0] == 0


@pytest.mark.parametrize("moment_ms", [2**53, -(2**53), 2**70])
def test_a_time_beyond_the_integers_of_json_is_refused(moment_ms: int) -> None:
    with pytest.raises(NotCanonical):
        append_events(
            game_id=new_game(),
            expected_seq=0,
            events=[started()],
            command_id="x",
            occurred_at_ms=[moment_ms],
        )


def test_times_given_by_the_recorder_are_kept_and_others_are_the_clock() -> None:
    game_id = new_game()
    append_events(
        game_id=game_id,
        expected_seq=0,
        events=[started(), *drawn_hands(1)],
        command_id="past",
        occurred_at_ms=[1_600_000_000_000, 1_600_000_060_000],
    )
    record(game_id, *drawn_hands(1, first=2), at=2)
    times = [event.occurred_at_ms for event in reader.events_of(game_id)]
    assert times[:2] == [1_600_000_000_000, 1_600_000_060_000]
    assert abs(times[2] - next(reader.events_of(game_id, from_seq=3)).recorded_at_ms) < 60_000


def test_one_time_too_few_is_refused() -> None:
    with pytest.raises(BadAppend):
        append_events(
            game_id=new_game(),
            expected_seq=0,
            events=[started(), GameEnded()],
            command_id="x",
            occurred_at_ms=[1],
        )


def test_the_actor_is_kept_with_the_receipt_and_not_in_the_log() -> None:
    game_id = new_game()
    append_events(
        game_id=game_id, expected_seq=0, events=[started()], command_id="x", actor="account-1"
    )
    receipt = reader.receipt_of(game_id, "x")
    assert receipt is not None
    assert receipt.actor == "account-1"
    assert "account-1" not in str(next(reader.events_of(game_id)))


def test_secret_items_lie_apart_from_the_public_body(log: Database) -> None:
    game_id, sent = new_game(), list(live_events(seed=7))
    record(game_id, *sent[:2])
    deal = next(reader.events_of(game_id, from_seq=2))
    assert set(deal.secret) == {"dealt.0", "dealt.1", "dealt.2", "dealt.3", "last"}
    assert not {"dealt", "last"} & set(deal.public)
    draw = next(event for event in sent if isinstance(event, Draw))
    with log.connect() as superuser:
        text = superuser.execute("SELECT public::text FROM event WHERE seq = 2").fetchone()
    assert text is not None
    assert draw.tile not in text[0]


# What the process remembers is a guess ------------------------------------------------------------


@pytest.fixture
def rolled_back() -> tuple[UUID, list[Event]]:
    """A game whose cached head is a hand ahead of the log: a transaction was rolled back."""
    game_id = new_game()
    record(game_id, started())
    hands = drawn_hands(2)
    with transaction.atomic():
        record(game_id, hands[0], at=1)
        transaction.set_rollback(True)
    return game_id, list(hands)


def test_a_cached_head_never_decides(rolled_back: tuple[UUID, list[Event]]) -> None:
    game_id, hands = rolled_back
    with pytest.raises(StaleSequence) as refusal:
        record(game_id, hands[1], at=2)
    assert refusal.value.facts == {"expected": 2, "actual": 1}
    assert record(game_id, *hands, at=1).last_seq == 3


def test_a_refusal_is_never_given_on_a_cached_head(
    rolled_back: tuple[UUID, list[Event]],
) -> None:
    game_id, hands = rolled_back
    with pytest.raises(StaleSequence):
        record(game_id, hands[0], at=2)


def test_an_append_by_another_process_is_caught_up_with(log: Database) -> None:
    """The other process is played here by putting back what this one knew before."""
    game_id = new_game()
    record(game_id, started())
    old = head_cache().get(game_id)
    assert old is not None
    hands = drawn_hands(3)
    record(game_id, *hands[:2], at=1)
    head_cache().put(game_id, old)
    assert record(game_id, hands[2], at=3).last_seq == 4
    connections["reader"].close()
    assert verify_game(game_id).finding is None
