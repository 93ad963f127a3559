"""Whatever clients do, in whatever order, the log is what a simple model of it says."""

from dataclasses import dataclass, field
from uuid import UUID

import pytest
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from records import reader
from records.errors import CommandReused, StaleSequence
from records.heads import Head, head_cache
from records.verification import verify_game
from rules_engine.events import Event
from tests.records.games import drawn_hands, new_game, record, started

pytestmark = pytest.mark.usefixtures("log")

HANDS = drawn_hands(40)
KINDS = ("append", "retry", "stale", "ahead", "reuse", "roll_back", "forget")
steps = st.lists(
    st.tuples(st.sampled_from(KINDS), st.integers(1, 3), st.integers(0, 5)), max_size=12
)


@dataclass
class Model:
    """What the log should hold: the commands carried out, each with its seqs and events."""

    game_id: UUID
    done: list[tuple[str, int, tuple[Event, ...]]] = field(default_factory=list)

    @property
    def seq(self) -> int:
        return sum(len(events) for _, _, events in self.done)

    def following(self, number: int) -> tuple[Event, ...]:
        """The next hands of this game (the first event is the game's start)."""
        return tuple(HANDS[self.seq - 1 : self.seq - 1 + number])


def take(model: Model, kind: str, number: int, pick: int) -> None:
    """One step of a client, and what must come of it."""
    events, seq, game_id = model.following(number), model.seq, model.game_id
    name, old_at, old = model.done[pick % len(model.done)]
    if kind == "append":
        name = f"command-{len(model.done)}"
        receipt = record(game_id, *events, at=seq, command_id=name)
        assert (receipt.first_seq, receipt.last_seq) == (seq + 1, seq + number)
        assert not receipt.replayed
        model.done.append((name, seq, events))
    elif kind == "retry":
        receipt = record(game_id, *old, at=old_at, command_id=name)
        assert receipt.replayed
        assert (receipt.first_seq, receipt.last_seq) == (old_at + 1, old_at + len(old))
    elif kind in {"stale", "ahead"}:
        wrong = old_at if kind == "stale" else seq + number
        with pytest.raises(StaleSequence) as refusal:
            record(game_id, *events, at=wrong)
        assert refusal.value.facts == {"expected": wrong, "actual": seq}
    elif kind == "reuse":
        with pytest.raises(CommandReused):
            record(game_id, *events, at=seq, command_id=name)
    elif kind == "roll_back":
        with transaction.atomic():
            record(game_id, *events, at=seq, command_id="rolled-back")
            transaction.set_rollback(True)
    else:
        head_cache().put(game_id, Head())


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps)
def test_any_sequence_of_commands_leaves_the_log_the_model_has(
    script: list[tuple[str, int, int]],
) -> None:
    model = Model(new_game())
    record(model.game_id, started(), command_id="start")
    model.done.append(("start", 0, (started(),)))
    for kind, number, pick in script:
        take(model, kind, number, pick)
    expected = [event for _, _, events in model.done for event in events]
    assert [event for _, event in reader.numbered_events(model.game_id)] == expected
    receipts = [
        (receipt.command_id, receipt.first_seq, receipt.last_seq)
        for receipt in reader.receipts_of(model.game_id)
    ]
    assert receipts == [(name, at + 1, at + len(events)) for name, at, events in model.done]
    assert verify_game(model.game_id).finding is None
