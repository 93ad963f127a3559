"""Whether the log is what was recorded: chains, receipts, seals, snapshots, checkpoints.

Reads everything and trusts nothing it can compute. A finding names the first seq of a game that
does not hold, because whatever follows a false event is false with it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from uuid import UUID

import msgspec
from django.db import connections

from records import reader
from records.batches import in_batches
from records.chain import StoredEvent, check_event
from records.errors import ReplayRefused
from records.heads import Head, catalogue_of, follow, restore
from records.journal import leaf_of
from records.merkle import TILE, CompactRange
from records.models import Game
from records.notes import open_note
from rules_engine.rulings import sealed_hand
from rules_engine.snapshot import FORMAT, dump

READER: Final = "reader"

_SEALS: Final = """
    SELECT seq, hand, hash, leaf FROM journal WHERE game_id = %s
    UNION ALL SELECT seq, hand, hash, NULL FROM seal_queue WHERE game_id = %s ORDER BY seq
"""
_SNAPSHOTS: Final = """
    SELECT seq, hash, state FROM hand_snapshot WHERE game_id = %s AND format = %s ORDER BY seq
"""
_CHECKPOINTS: Final = "SELECT size, root, note FROM checkpoint ORDER BY size"


class Finding(msgspec.Struct, frozen=True):
    """Something that is not as it was recorded.

    ``kind``: content, missing, chain (the event itself), receipt, seal, snapshot, rules (the engine
    refuses a recorded event), journal, checkpoint. ``seq`` is None for what concerns no single
    event.
    """

    kind: str
    message: str
    game_id: UUID | None = None
    seq: int | None = None


class GameReport(msgspec.Struct, frozen=True):
    """What became of one game: how many events were read, and what is wrong with it."""

    game_id: UUID
    events: int
    finding: Finding | None


class _Walk:
    """One pass over the events of a game: the chain, and the states it comes through."""

    def __init__(self, game_id: UUID) -> None:
        self.game_id = game_id
        self.head = Head()
        self.hashes: dict[int, bytes] = {0: self.head.hash}
        self.states: dict[int, bytes] = {}
        self.sealing: dict[int, int] = {}

    def run(self) -> Finding | None:
        for stored in reader.events_of(self.game_id):
            seq = self.head.seq + 1
            if stored.seq != seq:
                return self.finding(seq, "missing", f"seq {seq} is missing")
            if stored.prev != self.head.hash:
                return self.finding(seq, "chain", f"seq {seq} does not follow the event before it")
            fault = check_event(stored)
            if fault is not None:
                return self.finding(seq, fault.kind, fault.message)
            try:
                self.head = follow(self.head, stored)
            except ReplayRefused as error:
                return self.finding(seq, "rules", error.message)
            self._note(stored)
        return None

    def _note(self, stored: StoredEvent) -> None:
        head = self.head
        self.hashes[head.seq] = head.hash
        types = catalogue_of(head.game)
        if head.game is not None and types.types[stored.type].seals:
            self.sealing[head.seq] = sealed_hand(head.game, restore(stored, types))
        if head.game is not None and head.base is head.game:
            self.states[head.seq] = dump(head.game)

    def finding(self, seq: int, kind: str, message: str) -> Finding:
        return Finding(kind=kind, message=message, game_id=self.game_id, seq=seq)


def verify_game(game_id: UUID) -> GameReport:
    """Read a whole game and check everything that rests on it. Raises UnknownGame."""
    reader.head(game_id)
    walk = _Walk(game_id)
    finding = walk.run() or _check_receipts(walk) or _check_seals(walk) or _check_snapshots(walk)
    return GameReport(game_id=game_id, events=walk.head.seq, finding=finding)


def _check_receipts(walk: _Walk) -> Finding | None:
    """Each receipt still names the events it was given for, and every event has one."""
    last = 0
    for receipt in reader.receipts_of(walk.game_id):
        if receipt.first_seq != last + 1:
            return walk.finding(last + 1, "receipt", f"seq {last + 1} has no receipt")
        last = receipt.last_seq
        if last > walk.head.seq:
            seq = walk.head.seq + 1
            return walk.finding(seq, "missing", f"seq {seq} has a receipt, but is missing")
        if walk.hashes[last] != receipt.hash:
            return walk.finding(
                receipt.first_seq,
                "receipt",
                f"seqs {receipt.first_seq} to {last} are not those the receipt of command "
                f"{receipt.command_id} was given for",
            )
    if last != walk.head.seq:
        return walk.finding(last + 1, "receipt", f"seq {last + 1} has no receipt")
    return None


def _check_seals(walk: _Walk) -> Finding | None:
    """Each sealing event is in the journal or waits for it, and the journal has its hash."""
    with connections[READER].cursor() as cursor:
        cursor.execute(_SEALS, [walk.game_id, walk.game_id])
        rows = cursor.fetchall()
    for seq, hand, digest, leaf in rows:
        expected = leaf_of(game_id=walk.game_id, hand=hand, seq=seq, digest=bytes(digest))
        if walk.hashes.get(seq) != bytes(digest):
            return walk.finding(seq, "seal", f"the journal sealed another event at seq {seq}")
        if leaf is not None and bytes(leaf) != expected:
            return walk.finding(seq, "seal", f"the journal's leaf for seq {seq} was altered")
        if seq in walk.sealing and hand != walk.sealing[seq]:
            return walk.finding(
                seq, "seal", f"seq {seq} seals hand {walk.sealing[seq]}, not {hand}"
            )
    sealed = [row[0] for row in rows]
    missing = sorted(set(walk.sealing).symmetric_difference(sealed))
    if missing:
        seq = missing[0]
        state = "was never sealed" if seq in walk.sealing else "was sealed, but seals nothing"
        return walk.finding(seq, "seal", f"seq {seq} {state}")
    return None


def _check_snapshots(walk: _Walk) -> Finding | None:
    """Each snapshot that an append or a seek would use holds the state the log gives."""
    with connections[READER].cursor() as cursor:
        cursor.execute(_SNAPSHOTS, [walk.game_id, FORMAT])
        for seq, digest, state in cursor:
            held = walk.hashes.get(seq) == bytes(digest)
            if held and walk.states.get(seq) != bytes(state):
                return walk.finding(
                    seq, "snapshot", f"the snapshot at seq {seq} is not the state of the log"
                )
    return None


def verify_journal(*, verifier_key: str | None) -> Finding | None:
    """The journal has no gap and continues every checkpoint ever signed.

    With ``verifier_key`` the signatures are checked too.
    """
    with connections[READER].cursor() as cursor:
        cursor.execute(_CHECKPOINTS)
        checkpoints = [(size, bytes(root), note) for size, root, note in cursor.fetchall()]
    tree = tile = CompactRange()
    for seal in _seals():
        if seal.position != tree.size + 1:
            return _journal(f"position {tree.size + 1} is missing")
        tree, tile = tree.extend([seal.leaf]), tile.extend([seal.leaf])
        if tile.size == TILE:
            if seal.tile not in (None, tile.root()):
                return _journal(f"position {seal.position} has another root over its tile")
            tile = CompactRange()
        while checkpoints and checkpoints[0][0] == tree.size:
            finding = _check_checkpoint(tree, *checkpoints.pop(0)[1:], verifier_key=verifier_key)
            if finding is not None:
                return finding
    if checkpoints:
        return _journal(
            f"a checkpoint of {checkpoints[0][0]} seals was signed, but only {tree.size} are left"
        )
    return None


def _check_checkpoint(
    tree: CompactRange, root: bytes, note: str, *, verifier_key: str | None
) -> Finding | None:
    name = f"the checkpoint of {tree.size} seals"
    if root != tree.root():
        return Finding(kind="checkpoint", message=f"{name} has another root than the journal")
    if verifier_key is not None:
        said = open_note(note, verifier_key=verifier_key)
        if said is None:
            return Finding(kind="checkpoint", message=f"{name} is not signed by this key")
        if (said.size, said.root) != (tree.size, root):
            return Finding(kind="checkpoint", message=f"{name} says something else in its note")
    return None


def _journal(message: str) -> Finding:
    return Finding(kind="journal", message=message)


def _seals() -> Iterator[reader.Seal]:
    position = 0
    while True:
        page = reader.journal_after(position)
        yield from page
        if not page:
            return
        position = page[-1].position


def all_games() -> Iterator[UUID]:
    """The ids of all games, the oldest first."""
    return (game.pk for game in in_batches(Game.objects.using(READER).only("id")))
