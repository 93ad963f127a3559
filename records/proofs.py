"""Showing that a hand is in the signed log: the latest checkpoint, and a path from a seal to it."""

from __future__ import annotations

from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
from django.db import connection

from records.merkle import TILE, inclusion_proof, root_of
from records.models import Checkpoint, Seal

# Sealed before roots were kept: none, and its leaves are read.
_TILES: Final = """
    SELECT journal.tile FROM generate_series(1, %s) AS number
    LEFT JOIN journal ON journal.position = number * %s ORDER BY number
"""


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
    return Inclusion(
        game_id=game_id,
        hand=hand,
        seq=seal.seq,
        hash=bytes(seal.hash).hex(),
        position=seal.position,
        leaf=bytes(seal.leaf).hex(),
        path=tuple(node.hex() for node in path_of(seal.position - 1, size=checkpoint.size)),
        checkpoint=checkpoint,
    )


def path_of(index: int, *, size: int) -> tuple[bytes, ...]:
    """The hashes from the leaf at ``index`` (from 0) to the root of the first ``size`` leaves.

    Read are two tiles of leaves and the roots of the others, 4,000 of a million seals.
    """
    tile = index // TILE
    within = inclusion_proof(_leaves(tile, size), index % TILE)
    return (*within, *inclusion_proof(_roots(size), tile))


def _leaves(tile: int, size: int) -> list[bytes]:
    """The leaves of a tile, as many as there are among the first ``size``."""
    rows = Seal.objects.filter(position__gt=tile * TILE, position__lte=min((tile + 1) * TILE, size))
    return [bytes(leaf) for leaf in rows.order_by("position").values_list("leaf", flat=True)]


def _roots(size: int) -> list[bytes]:
    """The roots of all tiles; the last may be one that is not full yet."""
    with connection.cursor() as cursor:
        cursor.execute(_TILES, [size // TILE, TILE])
        roots = [
            root_of(_leaves(tile, size)) if root is None else bytes(root)
            for tile, (root,) in enumerate(cursor.fetchall())
        ]
    if size % TILE:
        roots.append(root_of(_leaves(size // TILE, size)))
    return roots
