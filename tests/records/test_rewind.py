"""Rewinds: the raw log keeps all, the effective log is what counts."""

import io
import itertools
from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.core.management import call_command
from django.db import connections

from records import reader, snapshots
from records.heads import Head, head_cache
from records.verification import verify_game
from rules_engine.errors import IllegalEvent
from rules_engine.events import Event, PlayerLeft, PlayerSeated, Rewind
from rules_engine.fold import Game, effective, replay
from tests.records.games import PLAYERS, drawn_hands, live_events, new_game, record, started
from tests.support.databases import Database

pytestmark = pytest.mark.usefixtures("log")


def what_is_on_the_table(game: Game) -> object:
    """The live hand without the seqs it remembers, since a rewind does not turn back those."""
    table = game.table
    assert table is not None
    ponds = [[(tile.kind, tile.drawn, tile.taken) for tile in seat.pond] for seat in table.seats]
    held = [(seat.concealed, [meld.tiles for meld in seat.melds]) for seat in table.seats]
    return table.phase, table.turn, table.drawn, table.unseen, held, ponds


def forget(game_id: UUID) -> None:
    """Make the next append read the log, as a process would that never wrote this game."""
    head_cache().put(game_id, Head())


@pytest.mark.parametrize("before_rewind", [forget, lambda game_id: None])
def test_a_rewind_returns_to_the_state_at_its_seq_and_the_raw_log_keeps_all(
    before_rewind: Callable[[UUID], None],
) -> None:
    game_id, sent = new_game(), list(itertools.islice(live_events(seed=1), 20))
    seq = record(game_id, *sent).last_seq
    before_rewind(game_id)
    receipt = record(game_id, Rewind(to=10, reason="slip"), at=seq)
    assert receipt.last_seq == 21
    assert what_is_on_the_table(reader.game_at(game_id)) == what_is_on_the_table(
        reader.game_at(game_id, 10)
    )
    raw = list(reader.numbered_events(game_id))
    assert len(raw) == 21
    assert [number for number, _ in effective(raw)] == list(range(1, 11))
    # The hand goes on as if what was taken back had never been, and may be taken back again.
    assert record(game_id, *sent[10:14], at=21).last_seq == 25
    record(game_id, Rewind(to=23, reason="again"), at=25)
    assert what_is_on_the_table(reader.game_at(game_id)) == what_is_on_the_table(
        reader.game_at(game_id, 12)
    )
    assert verify_game(game_id).finding is None


def test_a_rewind_behind_a_sealed_hand_is_refused() -> None:
    game_id = new_game()
    record(game_id, started(), *drawn_hands(2))
    for to in (1, 2):
        with pytest.raises(IllegalEvent) as refusal:
            record(game_id, Rewind(to=to, reason="no"), at=3)
        assert refusal.value.violation.code == "rewind_out_of_reach"
        assert refusal.value.violation.seq == 4
    assert reader.head(game_id)[0] == 3


def test_a_rewind_between_hands_takes_back_only_what_followed_the_hand() -> None:
    game_id = new_game()
    record(game_id, started(), *drawn_hands(1))
    left = PlayerLeft(seat=1, player=PLAYERS[1])
    came = PlayerSeated(seat=1, player="01939f5e-0000-7000-8000-000000000009")
    record(game_id, left, came, at=2)
    record(game_id, Rewind(to=2, reason="nobody left"), at=4)
    assert reader.game_at(game_id).players == PLAYERS
    record(game_id, *drawn_hands(1, first=2), at=5)
    last = reader.game_at(game_id).last
    assert last is not None
    assert last.players == PLAYERS


def test_a_batch_may_rewind_its_own_events() -> None:
    game_id, sent = new_game(), list(itertools.islice(live_events(seed=2), 12))
    batch: list[Event] = [*sent, Rewind(to=8, reason="slip"), *sent[8:]]
    record(game_id, *batch)
    assert what_is_on_the_table(reader.game_at(game_id)) == what_is_on_the_table(
        reader.game_at(game_id, 12)
    )


def test_the_state_at_every_seq_is_that_of_replaying_up_to_it() -> None:
    game_id, sent = new_game(), list(itertools.islice(live_events(seed=9, hands=3), 200))
    seq = 0
    for event in sent:
        seq = record(game_id, event, at=seq).last_seq
        table = reader.game_at(game_id).table
        if seq % 37 == 0 and table is not None:
            floor = reader.game_at(game_id).floor
            seq = record(game_id, Rewind(to=max(floor, seq - 3), reason="slip"), at=seq).last_seq
            break
    raw = list(reader.numbered_events(game_id))
    for number in range(1, len(raw) + 1):
        assert reader.game_at(game_id, number) == replay(raw[:number])


def test_dropping_every_snapshot_changes_no_answer(log: Database) -> None:
    game_id, sent = new_game(), list(live_events(seed=11, hands=3))
    seq = record(game_id, *sent).last_seq
    before = [reader.game_at(game_id, number) for number in range(1, seq + 1)]
    with log.connect() as superuser:
        count = superuser.execute(
            "SELECT count(*) FROM hand_snapshot WHERE game_id = %s", [game_id]
        )
        assert count.fetchone() == (3,)
        superuser.execute("DELETE FROM hand_snapshot")
    connections.close_all()
    assert [reader.game_at(game_id, number) for number in range(1, seq + 1)] == before
    forget(game_id)
    following = list(live_events(seed=11, hands=4))[len(sent) :]
    record(game_id, *following, at=seq)
    assert verify_game(game_id).finding is None


def test_snapshots_that_were_dropped_are_made_anew(log: Database) -> None:
    game_id = new_game()
    record(game_id, started(), *drawn_hands(4))
    with log.connect() as superuser:
        kept = superuser.execute("SELECT seq, state FROM hand_snapshot ORDER BY seq").fetchall()
        superuser.execute("DELETE FROM hand_snapshot")
    call_command("rebuild_snapshots", stdout=io.StringIO())
    with log.connect() as superuser:
        made = superuser.execute(
            "SELECT seq, state FROM hand_snapshot WHERE game_id = %s ORDER BY seq", [game_id]
        ).fetchall()
    assert set(made) <= set(kept) | {made[0]}
    assert [seq for seq, _ in made] == [1, 2, 3, 4, 5]
    assert snapshots.rebuild(game_id, using="default") == 0
    assert verify_game(game_id).finding is None


def test_neither_a_seek_nor_an_append_reads_more_than_one_hand() -> None:
    game_id, sent = new_game(), list(live_events(seed=12, hands=4))
    seq = record(game_id, *sent).last_seq
    for number in (seq, seq - 1, seq // 2, seq // 3):
        counter = Counter()
        with connections["reader"].execute_wrapper(counter):
            game = reader.game_at(game_id, number)
        assert counter.statements <= 2
        found = reader.nearest_snapshot(game_id, number)
        assert (1 if found is None else found.seq) == game.floor
    forget(game_id)
    counter, more = Counter(), list(live_events(seed=12, hands=5))[len(sent)]
    with connections["default"].execute_wrapper(counter):
        record(game_id, more, at=seq)
    assert counter.statements <= 3


class Counter:
    """Counts the statements a connection is given."""

    def __init__(self) -> None:
        self.statements = 0

    def __call__(self, execute: Any, sql: Any, params: Any, many: Any, context: Any) -> Any:
        self.statements += 1
        return execute(sql, params, many, context)
