"""The journal and its signed checkpoints."""

import base64
import itertools

import pytest
from django.db import connections
from pytest_django import Settings

from records import journal, reader
from records.errors import BadCheckpointKey, InconsistentJournal
from records.merkle import consistency_proof, inclusion_proof, root_of, verify_consistency
from records.notes import Signer, new_key, open_note
from records.proofs import path_of
from records.verification import verify_journal
from tests.records.games import drawn_hands, live_events, new_game, record, started
from tests.support.databases import Database

pytestmark = pytest.mark.usefixtures("database", "signing")


@pytest.fixture
def signing(settings: Settings) -> str:
    """A key to sign checkpoints with; gives the key to verify them with."""
    settings.CHECKPOINT_ORIGIN = "club.example/log"
    settings.CHECKPOINT_KEY = new_key()
    return journal.signer().verifier_key


def seal_hands(number: int) -> None:
    """One more game with this many sealed hands."""
    record(new_game(), started(), *drawn_hands(number))
    journal.seal_pending()


def test_every_hand_that_ended_gets_the_next_position_and_the_queue_is_empty(
    database: Database,
) -> None:
    game_id = new_game()
    receipt = record(game_id, *live_events(seed=1, hands=2))
    assert journal.seal_pending() == 2
    assert journal.seal_pending() == 0
    first, second = reader.journal_after(0)
    assert [(seal.position, seal.game_id, seal.hand) for seal in (first, second)] == [
        (1, game_id, 1),
        (2, game_id, 2),
    ]
    assert (second.seq, second.hash) == (receipt.last_seq, receipt.hash)
    assert reader.journal_after(1) == [second]
    assert reader.journal_after(0, limit=1) == [first]
    assert reader.journal_after(2) == []
    with database.connect() as superuser:
        assert superuser.execute("SELECT count(*) FROM seal_queue").fetchone() == (0,)


def test_a_hand_of_a_transaction_that_was_rolled_back_is_not_sealed() -> None:
    from django.db import transaction

    game_id = new_game()
    record(game_id, started())
    with transaction.atomic():
        record(game_id, *drawn_hands(1), at=1)
        transaction.set_rollback(True)
    assert journal.seal_pending() == 0


def test_the_leaf_is_over_what_is_published() -> None:
    """Written out by hand, so that the format cannot change unnoticed."""
    import hashlib

    seal_hands(1)
    seal = reader.journal_after(0)[0]
    text = f'{{"game_id":"{seal.game_id}","hand":1,"hash":"{seal.hash.hex()}","seq":2}}'
    assert seal.leaf == hashlib.sha256(b"\0" + text.encode()).digest()


def test_before_the_first_seal_there_is_no_checkpoint() -> None:
    assert journal.publish_checkpoint() is None


def test_a_checkpoint_says_size_and_root_and_is_signed(signing: str) -> None:
    seal_hands(5)
    note = journal.publish_checkpoint()
    assert note is not None
    tree = open_note(note, verifier_key=signing)
    assert tree is not None
    assert (tree.origin, tree.size) == ("club.example/log", 5)
    assert tree.root == root_of([seal.leaf for seal in reader.journal_after(0)])
    assert note.startswith(f"club.example/log\n5\n{base64.b64encode(tree.root).decode()}\n\n— ")
    assert verify_journal(verifier_key=signing) is None


def test_nothing_new_is_signed_while_nothing_new_is_sealed() -> None:
    seal_hands(1)
    assert journal.publish_checkpoint() == journal.publish_checkpoint()
    with connections["reader"].cursor() as cursor:
        cursor.execute("SELECT count(*) FROM checkpoint")
        assert cursor.fetchone() == (1,)


def test_each_checkpoint_continues_the_one_before_it(signing: str) -> None:
    sizes = []
    for hands in (1, 2, 5, 1, 7):
        seal_hands(hands)
        note = journal.publish_checkpoint()
        assert note is not None
        tree = open_note(note, verifier_key=signing)
        assert tree is not None
        sizes.append((tree.size, tree.root))
    leaves = [seal.leaf for seal in reader.journal_after(0)]
    for (old_size, old_root), (size, root) in itertools.pairwise(sizes):
        proof = consistency_proof(leaves[:size], old_size)
        assert verify_consistency(
            old_size=old_size, old_root=old_root, size=size, root=root, proof=proof
        )


def test_a_checkpoint_of_many_seals_reads_them_page_by_page(
    monkeypatch: pytest.MonkeyPatch, signing: str
) -> None:
    monkeypatch.setattr(journal, "LEAF_BATCH", 3)
    seal_hands(10)
    assert journal.publish_checkpoint() is not None
    assert verify_journal(verifier_key=signing) is None


WITHOUT_GUARDS = "SET session_replication_role = replica; ALTER TABLE {0} DISABLE TRIGGER ALL"


@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM journal WHERE position = 4",
        "DELETE FROM journal WHERE position > 2",
        "UPDATE journal SET position = 40 WHERE position = 4",
    ],
)
def test_nothing_is_signed_once_the_journal_was_cut(database: Database, damage: str) -> None:
    seal_hands(3)
    journal.publish_checkpoint()
    seal_hands(2)
    with database.connect() as superuser:
        superuser.execute(WITHOUT_GUARDS.format("journal"))
        superuser.execute(damage)
    with pytest.raises(InconsistentJournal):
        journal.publish_checkpoint()
    assert verify_journal(verifier_key=None) is not None


def test_a_leaf_altered_after_it_was_signed_is_found(database: Database) -> None:
    seal_hands(3)
    journal.publish_checkpoint()
    with database.connect() as superuser:
        superuser.execute(WITHOUT_GUARDS.format("journal"))
        superuser.execute("UPDATE journal SET leaf = sha256(leaf) WHERE position = 2")
    finding = verify_journal(verifier_key=None)
    assert finding is not None
    assert finding.kind == "checkpoint"
    # What was signed stays what is signed: the tree is extended, never built anew.
    seal_hands(1)
    assert journal.publish_checkpoint() is not None


def test_a_checkpoint_altered_in_the_database_is_found(database: Database, signing: str) -> None:
    seal_hands(3)
    journal.publish_checkpoint()
    with database.connect() as superuser:
        superuser.execute(WITHOUT_GUARDS.format("checkpoint"))
        superuser.execute("UPDATE checkpoint SET root = sha256(root)")
    with pytest.raises(InconsistentJournal):
        journal.publish_checkpoint()
    assert verify_journal(verifier_key=signing) is not None


def test_a_checkpoint_whose_note_is_of_another_tree_is_found(
    database: Database, signing: str
) -> None:
    seal_hands(2)
    journal.publish_checkpoint()
    other = journal.signer().sign(size=2, root=bytes(32))
    with database.connect() as superuser:
        superuser.execute(WITHOUT_GUARDS.format("checkpoint"))
        superuser.execute("UPDATE checkpoint SET note = %s", [other])
    finding = verify_journal(verifier_key=signing)
    assert finding is not None
    assert finding.kind == "checkpoint"


def test_a_checkpoint_signed_with_another_key_is_found() -> None:
    seal_hands(1)
    journal.publish_checkpoint()
    other = Signer(origin="club.example/log", key=new_key()).verifier_key
    finding = verify_journal(verifier_key=other)
    assert finding is not None
    assert finding.kind == "checkpoint"


@pytest.mark.parametrize(
    ("origin", "key"),
    [
        ("log", ""),
        ("log", "not base64!"),
        ("log", base64.b64encode(bytes(31)).decode()),
        # A fixed key: the name of a case may not differ from one worker to the next.
        ("", base64.b64encode(bytes(32)).decode()),
        ("my log", base64.b64encode(bytes(32)).decode()),
        ("a+b", base64.b64encode(bytes(32)).decode()),
    ],
)
def test_a_key_or_name_that_cannot_sign_is_refused(
    settings: Settings, origin: str, key: str
) -> None:
    settings.CHECKPOINT_ORIGIN, settings.CHECKPOINT_KEY = origin, key
    seal_hands(1)
    with pytest.raises(BadCheckpointKey):
        journal.publish_checkpoint()


def test_a_path_is_made_from_two_tiles_and_the_roots_of_the_others(database: Database) -> None:
    record(new_game(), started(), *drawn_hands(520))
    journal.seal_pending(batch=100)
    seals = reader.journal_after(0)
    leaves = [seal.leaf for seal in seals]
    kept = {seal.position: seal.tile for seal in seals if seal.tile is not None}
    assert kept == {256: root_of(leaves[:256]), 512: root_of(leaves[256:512])}
    with database.connect(autocommit=True) as superuser:
        # As if the first tile had been sealed before roots were kept.
        superuser.execute("ALTER TABLE journal DISABLE TRIGGER ALL")
        superuser.execute("UPDATE journal SET tile = NULL WHERE position = 256")
        for size in (1, 255, 256, 257, 512, 513, 520):
            for index in {0, 255, 256, 300, 511, 512, size - 1}:
                if index < size:
                    path = path_of(index, size=size)
                    assert path == inclusion_proof(leaves[:size], index)
        assert verify_journal(verifier_key=None) is None
        superuser.execute("UPDATE journal SET tile = sha256(tile) WHERE position = 512")
    finding = verify_journal(verifier_key=None)
    assert finding is not None
    assert "512" in finding.message
