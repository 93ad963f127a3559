"""Checking the log from outside: verify, checkpoint, proof of a hand."""

import base64
from typing import Any
from uuid import UUID

import pytest

from records import journal
from records.canonical import canonical_bytes
from records.merkle import leaf_hash, verify_inclusion
from records.notes import new_key, open_note
from tests.support.databases import Database
from tests.support.people import HAND_RESULT, ClubHouse, Person
from tests.support.problems import refused


@pytest.fixture
def _signed(settings: Any) -> None:
    """The service signs checkpoints with a key of its own."""
    settings.CHECKPOINT_KEY = new_key()


def test_an_altered_event_is_named(house: ClubHouse, api_database: Database) -> None:
    game = house.start_game()
    house.append(game, 1, HAND_RESULT)
    intact = house.owner.get(f"games/{game}/verify").json()
    assert intact == {"game": game, "events": 2, "intact": True, "finding": None}
    with api_database.connect() as superuser:
        superuser.execute("ALTER TABLE event DISABLE TRIGGER refuse_change")
        superuser.execute(
            "UPDATE event SET public = jsonb_set(public, '{dealer}', '1')"
            " WHERE game_id = %s AND seq = 2",
            [UUID(game)],
        )
        superuser.execute("ALTER TABLE event ENABLE ALWAYS TRIGGER refuse_change")
    altered = house.owner.get(f"games/{game}/verify").json()
    assert altered["intact"] is False
    assert (altered["finding"]["seq"], altered["finding"]["kind"]) == (2, "content")


@pytest.mark.usefixtures("_signed")
def test_a_hand_is_proved_to_be_in_the_signed_log(house: ClubHouse, stranger: Person) -> None:
    games = [house.start_game() for _ in range(5)]
    for game in games:
        house.append(game, 1, HAND_RESULT)
    refused(house.owner.get(f"games/{games[0]}/hands/1/proof"), 409, "not_checkpointed")
    journal.seal_pending()
    journal.publish_checkpoint()
    signed = stranger.get("log/checkpoint").json()
    tree = open_note(signed["checkpoint"]["note"], verifier_key=signed["verifier_key"])
    assert tree is not None
    assert tree.root.hex() == signed["checkpoint"]["root"]
    for game in games:
        proof = house.owner.get(f"games/{game}/hands/1/proof").json()
        assert proof["checkpoint"] == signed["checkpoint"]
        sealed = {key: proof[key] for key in ("game_id", "hand", "seq", "hash")}
        leaf = leaf_hash(canonical_bytes(sealed))
        assert leaf.hex() == proof["leaf"]
        assert verify_inclusion(
            leaf=leaf,
            index=proof["position"] - 1,
            size=tree.size,
            proof=[bytes.fromhex(node) for node in proof["path"]],
            root=tree.root,
        )
        assert base64.b64encode(tree.root).decode() in proof["checkpoint"]["note"]


def test_before_the_first_checkpoint_there_is_none(stranger: Person, settings: Any) -> None:
    settings.CHECKPOINT_KEY = ""
    answer = stranger.get("log/checkpoint").json()
    assert answer["verifier_key"] is None
