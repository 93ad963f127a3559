"""The hash chain and its commitments, without a database."""

from collections.abc import Callable

import msgspec
import pytest

from records.chain import (
    GENESIS,
    ExportedEvent,
    Opening,
    StoredEvent,
    check_event,
    commitments,
    export,
    hash_event,
    verify_chain,
)

GAME = "01939f5e-0000-7000-8000-000000000001"


def chain_of(*bodies: tuple[dict[str, object], dict[str, object]]) -> list[StoredEvent]:
    """A chain over (public, secret) pairs."""
    events, prev = [], GENESIS
    for seq, (public, secret) in enumerate(bodies, start=1):
        salt = bytes([seq]) * 16 if secret else None
        digest = hash_event(
            game_id=GAME,
            seq=seq,
            type="draw",
            version=1,
            occurred_at_ms=1_700_000_000_000 + seq,
            public=public,
            commitments=commitments(secret, salt),
            prev=prev,
        )
        events.append(
            StoredEvent(
                game_id=GAME,
                seq=seq,
                type="draw",
                version=1,
                occurred_at_ms=1_700_000_000_000 + seq,
                public=public,
                secret=secret,
                salt=salt,
                prev=prev,
                hash=digest,
            )
        )
        prev = digest
    return events


@pytest.fixture
def events() -> list[StoredEvent]:
    return chain_of(
        ({"hand": 1}, {"dealt.0": "123m", "dealt.1": "456p"}),
        ({"seat": 0}, {"tile": "5m"}),
        ({"seat": 0, "tile": "9s"}, {}),
    )


def test_the_hash_is_over_the_envelope_as_published() -> None:
    """Written out by hand, so that the format cannot change unnoticed."""
    import hashlib

    event = chain_of(({"seat": 0}, {"tile": "5m"}))[0]
    salt = hashlib.sha256(b"\x01" * 16 + b"tile").digest()
    commitment = hashlib.sha256(salt + b'"5m"').hexdigest()
    envelope = (
        f'{{"commitments":{{"tile":"{commitment}"}},"game_id":"{GAME}",'
        f'"occurred_at_ms":1700000000001,"prev":"{"00" * 32}","public":{{"seat":0}},'
        '"seq":1,"type":"draw","version":1}'
    )
    assert event.hash == hashlib.sha256(envelope.encode()).digest()


def test_an_untouched_chain_verifies(events: list[StoredEvent]) -> None:
    assert verify_chain(events) is None


@pytest.mark.parametrize(
    "alter",
    [
        lambda event: {"public": {**event.public, "seat": 3}},
        lambda event: {"type": "discard"},
        lambda event: {"version": 2},
        lambda event: {"occurred_at_ms": event.occurred_at_ms + 1},
        lambda event: {"secret": {"tile": "6m"}},
        lambda event: {"secret": {}},
        lambda event: {"salt": bytes(16)},
        lambda event: {"salt": None},
        lambda event: {"hash": bytes(32)},
        lambda event: {"public": {"seat": 0.5}},
    ],
)
def test_whatever_is_altered_in_an_event_its_seq_is_named(
    events: list[StoredEvent], alter: Callable[[StoredEvent], dict[str, object]]
) -> None:
    events[1] = msgspec.structs.replace(events[1], **alter(events[1]))
    fault = verify_chain(events)
    assert fault is not None
    assert (fault.seq, fault.kind) == (2, "content")


def test_an_event_altered_and_hashed_anew_breaks_the_chain_behind_it(
    events: list[StoredEvent],
) -> None:
    forged = chain_of((events[0].public, events[0].secret), ({"seat": 1}, {"tile": "5m"}))
    fault = verify_chain([*forged, events[2]])
    assert fault is not None
    assert (fault.seq, fault.kind) == (3, "chain")


def test_a_missing_event_is_named(events: list[StoredEvent]) -> None:
    fault = verify_chain([events[0], events[2]])
    assert fault is not None
    assert (fault.seq, fault.kind) == (2, "missing")


def test_an_event_of_another_game_does_not_fit(events: list[StoredEvent]) -> None:
    events[1] = msgspec.structs.replace(events[1], game_id=GAME.replace("1", "2"))
    fault = verify_chain(events)
    assert fault is not None
    assert (fault.seq, fault.kind) == (2, "chain")


def test_an_export_with_every_secret_withheld_still_verifies(events: list[StoredEvent]) -> None:
    assert verify_chain(export(event, visible=()) for event in events) is None


def test_an_export_shows_one_seat_its_own_item_and_nothing_else(
    events: list[StoredEvent],
) -> None:
    shown = export(events[0], visible=("dealt.1",))
    assert set(shown.openings) == {"dealt.1"}
    assert shown.openings["dealt.1"].value == "456p"
    assert "123m" not in str(shown)
    assert verify_chain([shown]) is None


def test_a_lie_about_an_opened_item_is_found(events: list[StoredEvent]) -> None:
    shown = export(events[1], visible=("tile",))
    lie = Opening(salt=shown.openings["tile"].salt, value="6m")
    forged: ExportedEvent = msgspec.structs.replace(shown, openings={"tile": lie})
    fault = check_event(forged)
    assert fault is not None
    assert (fault.seq, fault.kind) == (2, "commitment")


def test_equal_secrets_have_unequal_commitments() -> None:
    first, second = chain_of(({}, {"tile": "5m", "last": "5m"}), ({}, {"tile": "5m"}))
    seen = {
        *commitments(first.secret, first.salt).values(),
        *commitments(second.secret, second.salt).values(),
    }
    assert len(seen) == 3


def test_a_secret_without_a_salt_is_refused() -> None:
    with pytest.raises(ValueError, match="salt of 16 bytes"):
        commitments({"tile": "5m"}, None)
