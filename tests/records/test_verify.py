"""`manage.py verify` names the first seq that is not as it was recorded."""

import io
from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from records import journal, reader
from records.chain import commitments, export, hash_event, verify_chain
from records.errors import ReplayRefused
from records.notes import new_key
from records.verification import verify_game, verify_journal
from rules_engine.events import Event
from tests.records.games import drawn_hands, live_events, new_game, record, started
from tests.support.databases import Database
from tests.support.recorded import RecordedGame

pytestmark = pytest.mark.usefixtures("log")

Execute = Callable[..., Any]


def verify(*games: UUID) -> tuple[int, list[str]]:
    """Run the command; its exit code and lines."""
    out = io.StringIO()
    try:
        call_command("verify", *[str(game) for game in games], stdout=out)
    except CommandError as error:
        return error.returncode, [*out.getvalue().splitlines(), str(error)]
    return 0, out.getvalue().splitlines()


@pytest.fixture
def game_id() -> UUID:
    """A game of two hands recorded tile by tile, event by event, and sealed."""
    game, seq = new_game(), 0
    events: list[Event] = list(live_events(seed=21, hands=2))
    for event in events:
        seq = record(game, event, at=seq).last_seq
    journal.seal_pending()
    return game


@pytest.fixture
def altered(log: Database) -> Iterator[Execute]:
    """What a superuser can do who has taken the guards away for good."""
    with log.connect(autocommit=True) as superuser:
        for table in ("event", "receipt", "journal"):
            superuser.execute(f"ALTER TABLE {table} DISABLE TRIGGER ALL")
        yield superuser.execute


def test_an_untouched_log_is_intact(game_id: UUID) -> None:
    code, lines = verify(game_id)
    assert code == 0
    assert lines[-1].endswith("events: intact")


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        ("public = jsonb_set(public, '{seat}', '7')", "content"),
        ("occurred_at_ms = occurred_at_ms + 1", "content"),
        ("type = 'pass'", "content"),
        ("hash = set_byte(hash, 31, get_byte(hash, 31) # 1)", "content"),
        ("prev = set_byte(prev, 0, get_byte(prev, 0) # 1)", "chain"),
        ("secret = '{\"tile\": \"1m\"}', salt = decode(repeat('00', 16), 'hex')", "content"),
    ],
)
def test_whatever_byte_of_an_event_is_altered_its_seq_is_named(
    game_id: UUID,
    altered: Execute,
    change: str,
    kind: str,
) -> None:
    altered(f"UPDATE event SET {change} WHERE game_id = %s AND seq = 17", [game_id])
    finding = verify_game(game_id).finding
    assert finding is not None
    assert (finding.seq, finding.kind) == (17, kind)
    code, lines = verify()
    assert code == 1
    assert any(line.startswith(f"{game_id} seq 17: {kind}: ") for line in lines)


def test_a_secret_tile_altered_is_named(game_id: UUID, altered: Execute) -> None:
    altered(
        "UPDATE event SET secret = jsonb_set(secret, '{last}', '\"9s\"')"
        " WHERE game_id = %s AND seq = 2",
        [game_id],
    )
    finding = verify_game(game_id).finding
    assert finding is not None
    assert (finding.seq, finding.kind) == (2, "content")


@pytest.mark.parametrize(
    ("condition", "seq"), [("seq = 9", 9), ("seq > 30", 31), ("seq = 1", 1), ("seq > 0", 1)]
)
def test_events_removed_are_named(
    game_id: UUID, altered: Execute, condition: str, seq: int
) -> None:
    altered(f"DELETE FROM event WHERE game_id = %s AND {condition}", [game_id])
    finding = verify_game(game_id).finding
    assert finding is not None
    assert (finding.seq, finding.kind) == (seq, "missing")


def rewritten(game_id: UUID, seq: int, execute: Execute) -> dict[int, bytes]:
    """Move one event by a millisecond and chain everything behind it anew; the new hashes."""
    hashes: dict[int, bytes] = {}
    for event in list(reader.events_of(game_id, from_seq=seq)):
        moment_ms = event.occurred_at_ms + (event.seq == seq)
        prev = hashes.get(event.seq - 1, event.prev)
        hashes[event.seq] = hash_event(
            game_id=event.game_id,
            seq=event.seq,
            type=event.type,
            version=event.version,
            occurred_at_ms=moment_ms,
            public=event.public,
            commitments=commitments(event.secret, event.salt),
            prev=prev,
        )
        execute(
            "UPDATE event SET occurred_at_ms = %s, prev = %s, hash = %s"
            " WHERE game_id = %s AND seq = %s",
            [moment_ms, prev, hashes[event.seq], game_id, event.seq],
        )
    return hashes


def test_a_forger_has_to_rewrite_every_layer_and_the_signed_one_stays(
    game_id: UUID,
    altered: Execute,
    settings: Settings,
) -> None:
    settings.CHECKPOINT_KEY = new_key()
    journal.publish_checkpoint()
    hashes = rewritten(game_id, 12, altered)
    assert verify_chain(reader.events_of(game_id)) is None
    finding = verify_game(game_id).finding
    assert finding is not None
    assert (finding.seq, finding.kind) == (12, "receipt")

    for seq, digest in hashes.items():
        altered(
            "UPDATE receipt SET hash = %s WHERE game_id = %s AND last_seq = %s",
            [digest, game_id, seq],
        )
    finding = verify_game(game_id).finding
    assert finding is not None
    assert finding.kind == "seal"

    for seal in reader.journal_after(0):
        if seal.game_id == game_id:
            digest = hashes[seal.seq]
            leaf = journal.leaf_of(game_id=game_id, hand=seal.hand, seq=seal.seq, digest=digest)
            altered(
                "UPDATE journal SET hash = %s, leaf = %s WHERE position = %s",
                [digest, leaf, seal.position],
            )
    assert verify_game(game_id).finding is None
    finding = verify_journal(verifier_key=None)
    assert finding is not None
    assert finding.kind == "checkpoint"


def test_a_recorded_event_that_the_rules_refuse_is_named(log: Database, altered: Execute) -> None:
    """Chained properly, with a receipt: only replaying shows that it cannot have happened."""
    del log
    game_id = new_game()
    receipt = record(game_id, started())
    digest = hash_event(
        game_id=str(game_id),
        seq=2,
        type="pass",
        version=1,
        occurred_at_ms=1,
        public={"seat": 0},
        commitments={},
        prev=receipt.hash,
    )
    altered(
        "INSERT INTO event (game_id, seq, type, version, occurred_at_ms, public, prev, hash)"
        " VALUES (%s, 2, 'pass', 1, 1, '{\"seat\": 0}', %s, %s)",
        [game_id, receipt.hash, digest],
    )
    finding = verify_game(game_id).finding
    assert finding is not None
    assert (finding.seq, finding.kind) == (2, "rules")
    with pytest.raises(ReplayRefused) as refusal:
        record(game_id, *drawn_hands(1), at=2)
    assert refusal.value.facts["seq"] == 2


def test_an_event_put_behind_the_last_receipt_is_found(game_id: UUID, altered: Execute) -> None:
    altered(
        "DELETE FROM receipt WHERE game_id = %(game)s AND first_seq ="
        " (SELECT max(first_seq) FROM receipt WHERE game_id = %(game)s)",
        {"game": game_id},
    )
    finding = verify_game(game_id).finding
    assert finding is not None
    assert finding.kind == "receipt"


def test_a_receipt_removed_is_found(game_id: UUID, altered: Execute) -> None:
    altered("DELETE FROM receipt WHERE game_id = %s AND first_seq = 12", [game_id])
    finding = verify_game(game_id).finding
    assert finding is not None
    assert (finding.seq, finding.kind) == (12, "receipt")


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE journal SET hash = sha256(hash) WHERE game_id = %s AND hand = 1",
        "UPDATE journal SET leaf = sha256(leaf) WHERE game_id = %s AND hand = 1",
        "DELETE FROM journal WHERE game_id = %s AND hand = 1",
    ],
)
def test_a_seal_altered_or_removed_is_found(log: Database, altered: Execute, change: str) -> None:
    del log
    game_id = new_game()
    record(game_id, started(), *drawn_hands(2))
    journal.seal_pending()
    altered(change, [game_id])
    finding = verify_game(game_id).finding
    assert finding is not None
    assert (finding.seq, finding.kind) == (2, "seal")


def test_a_snapshot_that_is_not_the_state_of_the_log_is_found(
    game_id: UUID, altered: Execute
) -> None:
    altered(
        "UPDATE hand_snapshot SET state = (SELECT state FROM hand_snapshot WHERE game_id = %s"
        " ORDER BY seq LIMIT 1) WHERE game_id = %s",
        [game_id, game_id],
    )
    finding = verify_game(game_id).finding
    assert finding is not None
    assert finding.kind == "snapshot"


def test_a_game_that_does_not_exist_is_said_so() -> None:
    code, lines = verify(UUID(int=7))
    assert code == 1
    assert "There is no game" in lines[-1]


def test_a_game_without_events_is_intact() -> None:
    assert verify(new_game()) == (0, ["1 games, 0 events: intact"])


@pytest.fixture
def ruled() -> RecordedGame:
    """A game of two hands with every kind of ruling, sealed: seqs 4 to 8."""
    game = RecordedGame()
    game.play(2)
    game.play(1)
    game.correct(1, 3)
    game.void(2)
    penalty = game.penalise((str(game.players[0]), "club", 5), hand=2)
    game.adjust((str(game.players[0]), str(game.players[1]), 5))
    game.cancel(penalty)
    journal.seal_pending()
    return game


def test_a_game_with_rulings_is_intact(ruled: RecordedGame) -> None:
    assert verify_game(ruled.id).finding is None
    chain = verify_chain(
        export(event, visible=event.secret) for event in reader.events_of(ruled.id)
    )
    assert chain is None


@pytest.mark.parametrize("seq", range(4, 9))
def test_an_altered_reason_is_named_whatever_the_ruling(
    ruled: RecordedGame, altered: Execute, seq: int
) -> None:
    altered(
        "UPDATE event SET public = jsonb_set(public, '{reason}', '\"bribed\"')"
        " WHERE game_id = %s AND seq = %s",
        [ruled.id, seq],
    )
    finding = verify_game(ruled.id).finding
    assert finding is not None
    assert (finding.seq, finding.kind) == (seq, "content")


@pytest.mark.parametrize(("seq", "hand"), [(4, 1), (5, 2), (6, 2), (7, 0), (8, 2)])
def test_a_ruling_sealed_for_another_hand_is_named(
    ruled: RecordedGame, altered: Execute, seq: int, hand: int
) -> None:
    digest = next(reader.events_of(ruled.id, from_seq=seq)).hash
    leaf = journal.leaf_of(game_id=ruled.id, hand=9, seq=seq, digest=digest)
    altered(
        "UPDATE journal SET hand = 9, leaf = %s WHERE game_id = %s AND seq = %s",
        [leaf, ruled.id, seq],
    )
    finding = verify_game(ruled.id).finding
    assert finding is not None
    assert (finding.seq, finding.kind) == (seq, "seal")
    assert f"seals hand {hand}, not 9" in finding.message
