"""Reading the log."""

import itertools

import pytest
from django.db import connections

from records import reader
from records.errors import SeqOutOfRange, UnknownGame
from records.heads import Head, HeadCache
from records.ids import uuid7
from rules_engine.events import catalogue
from tests.records.games import drawn_hands, live_events, new_game, record, started
from tests.support.databases import Database

pytestmark = pytest.mark.usefixtures("log")


def test_a_long_game_is_read_page_by_page(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "PAGE_ROWS", 4)
    game_id = new_game()
    record(game_id, started(), *drawn_hands(10))
    assert [event.seq for event in reader.events_of(game_id)] == list(range(1, 12))
    assert [event.seq for event in reader.events_of(game_id, from_seq=3, to_seq=9)] == [
        *range(3, 10)
    ]
    assert list(reader.events_of(game_id, from_seq=12)) == []
    assert list(reader.events_of(game_id, from_seq=5, to_seq=4)) == []


def test_the_raw_events_are_given_as_they_were_sent() -> None:
    game_id, sent = new_game(), list(itertools.islice(live_events(seed=31), 15))
    record(game_id, *sent)
    assert list(reader.numbered_events(game_id)) == list(enumerate(sent, start=1))
    assert list(reader.numbered_events(game_id, from_seq=4, to_seq=6)) == [
        *enumerate(sent[3:6], start=4)
    ]


def test_a_game_without_events_has_a_head_and_no_state() -> None:
    game_id = new_game()
    assert reader.head(game_id) == (0, bytes(32))
    assert reader.catalogue(game_id) is catalogue()
    assert list(reader.numbered_events(game_id)) == []
    with pytest.raises(SeqOutOfRange):
        reader.game_at(game_id)


def test_the_beginnings_of_games_are_read_together() -> None:
    games = [new_game(), new_game()]
    record(games[0], started())
    unknown = uuid7()
    found = reader.beginnings([*games, unknown])
    assert found == {games[0]: reader.game_at(games[0], 1)}


def test_a_seq_the_game_has_not_reached_is_out_of_range() -> None:
    game_id = new_game()
    record(game_id, started(), *drawn_hands(2))
    for seq in (0, -1, 4, 999):
        with pytest.raises(SeqOutOfRange) as refusal:
            reader.game_at(game_id, seq)
        assert refusal.value.facts["expected"] == {"from": 1, "to": 3}


def test_a_game_that_was_never_opened_is_unknown() -> None:
    for read in (reader.head, reader.game_at, reader.catalogue):
        with pytest.raises(UnknownGame):
            read(uuid7())


@pytest.mark.parametrize("state", [b"", b"{}", b"\xff", b'{"format": 1}'])
def test_a_snapshot_that_cannot_be_read_is_as_good_as_none(log: Database, state: bytes) -> None:
    game_id = new_game()
    record(game_id, started(), *drawn_hands(3))
    before = reader.game_at(game_id)
    with log.connect() as superuser:
        superuser.execute(
            "UPDATE hand_snapshot SET state = %s WHERE game_id = %s", [state, game_id]
        )
    connections.close_all()
    assert reader.nearest_snapshot(game_id) is None
    assert reader.game_at(game_id) == before


def test_a_snapshot_of_a_log_that_was_another_is_not_used(log: Database) -> None:
    game_id = new_game()
    record(game_id, started(), *drawn_hands(3))
    with log.connect() as superuser:
        superuser.execute(
            "UPDATE hand_snapshot SET hash = sha256(hash) WHERE game_id = %s AND seq > 2", [game_id]
        )
    found = reader.nearest_snapshot(game_id)
    assert found is not None
    assert found.seq == 2


def test_the_cache_of_heads_forgets_the_one_used_longest_ago() -> None:
    cache, games = HeadCache(2), [uuid7() for _ in range(3)]
    heads = [Head(seq=number) for number in range(3)]
    cache.put(games[0], heads[0])
    cache.put(games[1], heads[1])
    assert cache.get(games[0]) is heads[0]
    cache.put(games[2], heads[2])
    assert [cache.get(game_id) for game_id in games] == [heads[0], None, heads[2]]
