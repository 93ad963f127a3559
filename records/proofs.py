"""Showing that a hand is in the signed log: the latest checkpoint, and a path from a seal to it."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

import msgspec

from records.merkle import inclusion_proof
from records.models import Checkpoint, Seal


class SignedHead(msgspec.Struct, frozen=True):
    """The latest checkpoint: how many seals it covers, their root (hex), the signed note."""

    size: int
    root: str
    note: str
    signed_at: datetime


class Inclusion(msgspec.Struct, frozen=True):
    """That a seal is a leaf of a checkpoint's tree.

    ``leaf`` is hashed over the canonical JSON of game_id, hand, seq and hash; ``position`` is one
    more than its index. ``path`` are the hashes (hex) from the leaf to the root, RFC 6962.
    """

    game_id: UUID
    hand: int
    seq: int
    hash: str
    position: int
    leaf: str
    path: tuple[str, ...]
    checkpoint: SignedHead


def latest_checkpoint() -> SignedHead | None:
    """The latest checkpoint, None before the first."""
    row = Checkpoint.objects.order_by("-size").first()
    if row is None:
        return None
    return SignedHead(
        size=row.size, root=bytes(row.root).hex(), note=row.note, signed_at=row.signed_at
    )


def inclusion_of(*, game_id: UUID, hand: int) -> Inclusion | None:
    """The proof for the latest seal of a hand; None where no checkpoint covers it yet."""
    seal = Seal.objects.filter(game_id=game_id, hand=hand).order_by("-position").first()
    checkpoint = latest_checkpoint()
    if seal is None or checkpoint is None or seal.position > checkpoint.size:
        return None
    rows = Seal.objects.filter(position__lte=checkpoint.size).order_by("position")
    leaves = [bytes(leaf) for leaf in rows.values_list("leaf", flat=True)]
    return Inclusion(
        game_id=game_id,
        hand=hand,
        seq=seal.seq,
        hash=bytes(seal.hash).hex(),
        position=seal.position,
        leaf=bytes(seal.leaf).hex(),
        path=tuple(node.hex() for node in inclusion_proof(leaves, seal.position - 1)),
        checkpoint=checkpoint,
    )
