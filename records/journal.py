"""The one global order: seals get gapless positions, the leaves of a tree whose heads are signed.

Writers never wait for a global order. A seal is queued in the transaction that ends the hand; the
sequencer, one at a time under a lock, gives the queued seals their positions. So no seal can appear
behind a reader's cursor, which an identity column cannot promise: its numbers are taken before the
commit and become visible after it, in any order.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import connections, transaction

from records.canonical import canonical_bytes
from records.errors import InconsistentJournal
from records.merkle import TILE, CompactRange, leaf_hash, root_of
from records.notes import Signer

SEQUENCER: Final = "sequencer"
SEAL_BATCH: Final = 500
LEAF_BATCH: Final = 10_000

_LOCK: Final = "SELECT pg_advisory_xact_lock(hashtext('paipu'), hashtext('journal'))"
_QUEUE: Final = "SELECT id, game_id, hand, seq, hash FROM seal_queue ORDER BY id LIMIT %s"
_LAST: Final = "SELECT coalesce(max(position), 0) FROM journal"
_PLACE: Final = """
    INSERT INTO journal (position, game_id, hand, seq, hash, leaf, tile)
    SELECT * FROM unnest(%s::bigint[], %s::uuid[], %s::int[], %s::int[], %s::bytea[], %s::bytea[],
                         %s::bytea[])
    ORDER BY 1
"""
_UNQUEUE: Final = "DELETE FROM seal_queue WHERE id = ANY(%s)"
_LAST_CHECKPOINT: Final = "SELECT size, root, tree, note FROM checkpoint ORDER BY size DESC LIMIT 1"
_LEAVES: Final = """
    SELECT position, leaf FROM journal WHERE position > %s ORDER BY position LIMIT %s
"""
_SIGN: Final = "INSERT INTO checkpoint (size, root, tree, note) VALUES (%s, %s, %s::bytea[], %s)"


def leaf_of(*, game_id: UUID, hand: int, seq: int, digest: bytes) -> bytes:
    """The leaf hash of a seal, over the canonical bytes of what it seals.

    ``digest`` is the hash of the event ``seq``, and so stands for everything before it as well.
    """
    return leaf_hash(
        canonical_bytes(
            {"game_id": str(game_id), "hand": hand, "seq": seq, "hash": digest.hex()},
        )
    )


def seal_pending(batch: int = SEAL_BATCH) -> int:
    """Give every queued seal its position, ``batch`` of them a transaction; how many there were.

    Any number of processes may call it at once, and one may be killed anywhere: a batch is either
    in the journal and out of the queue, or neither.
    """
    total = 0
    while True:
        with transaction.atomic(using=SEQUENCER):
            placed = _place_batch(batch)
        total += placed
        if placed < batch:
            return total


def _place_batch(batch: int) -> int:
    with connections[SEQUENCER].cursor() as cursor:
        # A statement of its own: one that locks and reads at once reads what was there before it
        # got the lock (test_two_sequencers_at_once_leave_no_gap_and_no_double).
        cursor.execute(_LOCK)
        cursor.execute(_QUEUE, [batch])
        queued = cursor.fetchall()
        if not queued:
            return 0
        cursor.execute(_LAST)
        last = cursor.fetchall()[0][0]
        ids, games, hands, seqs, digests = zip(*queued, strict=True)
        leaves = [
            leaf_of(game_id=game_id, hand=hand, seq=seq, digest=bytes(digest))
            for _, game_id, hand, seq, digest in queued
        ]
        positions = list(range(last + 1, last + 1 + len(queued)))
        hashes = [bytes(digest) for digest in digests]
        tiles = _tiles(last, leaves)
        cursor.execute(
            _PLACE, [positions, list(games), list(hands), list(seqs), hashes, leaves, tiles]
        )
        cursor.execute(_UNQUEUE, [list(ids)])
        return len(queued)


def _tiles(last: int, leaves: Sequence[bytes]) -> list[bytes | None]:
    """The roots of the tiles that end with some of these leaves, which come behind ``last``."""
    begun = last % TILE
    if begun + len(leaves) < TILE:
        return [None] * len(leaves)
    with connections[SEQUENCER].cursor() as cursor:
        cursor.execute(_LEAVES, [last - begun, begun])
        known = [bytes(leaf) for _, leaf in cursor.fetchall()] + list(leaves)
    return [
        root_of(known[end - TILE : end]) if end % TILE == 0 else None
        for end in range(begun + 1, len(known) + 1)
    ]


def publish_checkpoint() -> str | None:
    """Sign the head of the journal's tree where it has grown; the latest note, None for no seals.

    The tree is the last checkpoint's, extended. It is never built from the journal anew, so what
    was signed cannot be contradicted, whatever became of the journal's rows since.
    Raises InconsistentJournal, BadCheckpointKey.
    """
    with transaction.atomic(using=SEQUENCER), connections[SEQUENCER].cursor() as cursor:
        cursor.execute(_LOCK)
        cursor.execute(_LAST_CHECKPOINT)
        row = cursor.fetchone()
        tree, note = CompactRange(), None
        if row is not None:
            tree, note = CompactRange(row[0], tuple(bytes(root) for root in row[2])), row[3]
            if tree.root() != bytes(row[1]):
                raise InconsistentJournal(size=tree.size, reason="its stored tree has another root")
        cursor.execute(_LAST)
        last = cursor.fetchall()[0][0]
        if last < tree.size:
            raise InconsistentJournal(size=tree.size, reason=f"only {last} seals are left")
        if last == tree.size:
            return note
        while tree.size < last:
            tree = _extended(tree)
        note = signer().sign(size=tree.size, root=tree.root())
        cursor.execute(_SIGN, [tree.size, tree.root(), list(tree.roots), note])
        return note


def _extended(tree: CompactRange) -> CompactRange:
    with connections[SEQUENCER].cursor() as cursor:
        cursor.execute(_LEAVES, [tree.size, LEAF_BATCH])
        rows = cursor.fetchall()
    expected = list(range(tree.size + 1, tree.size + 1 + len(rows)))
    if not rows or [position for position, _ in rows] != expected:
        raise InconsistentJournal(size=tree.size, reason="positions are missing")
    return tree.extend(bytes(leaf) for _, leaf in rows)


def signer() -> Signer:
    """The signer that the settings describe. Raises BadCheckpointKey."""
    return _signer(settings.CHECKPOINT_ORIGIN, settings.CHECKPOINT_KEY)


@functools.lru_cache(maxsize=4)
def _signer(origin: str, key: str) -> Signer:
    return Signer(origin=origin, key=key)
