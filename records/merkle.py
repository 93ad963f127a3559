"""The RFC 6962 Merkle tree over sealed hands: pure functions over bytes.

    leaf hash = SHA-256(0x00 || data)        node hash = SHA-256(0x01 || left || right)

A tree is kept as its *compact range*: the roots of the full subtrees it is made of, largest first,
one for each bit set in its size (so at most 64 hashes). Extending a tree reads nothing else. Proofs
need the leaves they speak about. All hashes are 32 bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

TILE: Final = 256
"""Leaves of a subtree whose root is kept. They begin at a multiple of it, so they are one subtree
of every tree that is large enough, and the tree over the roots of tiles has the shape of the rest.
"""
EMPTY_ROOT: Final = hashlib.sha256(b"").digest()


class CompactRange(msgspec.Struct, frozen=True):
    """A tree of ``size`` leaves by the roots of its full subtrees, largest first."""

    size: int = 0
    roots: tuple[bytes, ...] = ()

    def root(self) -> bytes:
        """The root hash of the tree."""
        if not self.roots:
            return EMPTY_ROOT
        node = self.roots[-1]
        for left in reversed(self.roots[:-1]):
            node = node_hash(left, node)
        return node

    def extend(self, leaves: Iterable[bytes]) -> CompactRange:
        """The tree with more leaf hashes to the right."""
        size, roots = self.size, list(self.roots)
        for leaf in leaves:
            node, full = leaf, size
            while full & 1:
                node, full = node_hash(roots.pop(), node), full >> 1
            roots.append(node)
            size += 1
        return CompactRange(size, tuple(roots))


def leaf_hash(data: bytes) -> bytes:
    """The hash of one leaf."""
    return hashlib.sha256(b"\x00" + data).digest()


def node_hash(left: bytes, right: bytes) -> bytes:
    """The hash of an inner node."""
    return hashlib.sha256(b"\x01" + left + right).digest()


def root_of(leaves: Sequence[bytes]) -> bytes:
    """The root hash over leaf hashes."""
    return CompactRange().extend(leaves).root()


def inclusion_proof(leaves: Sequence[bytes], index: int) -> tuple[bytes, ...]:
    """The audit path (RFC 6962 §2.1.1) of the leaf at ``index`` (from 0), nearest sibling first."""
    if not 0 <= index < len(leaves):
        raise ValueError(f"leaf {index} is not in a tree of {len(leaves)}")
    if len(leaves) == 1:
        return ()
    split = _split(len(leaves))
    left, right = leaves[:split], leaves[split:]
    if index < split:
        return (*inclusion_proof(left, index), root_of(right))
    return (*inclusion_proof(right, index - split), root_of(left))


def verify_inclusion(
    *, leaf: bytes, index: int, size: int, proof: Sequence[bytes], root: bytes
) -> bool:
    """Whether ``leaf`` is the one at ``index`` of this tree (RFC 9162 §2.1.3.2)."""
    if not 0 <= index < size:
        return False
    node, place, last = leaf, index, size - 1
    for sibling in proof:
        if last == 0:
            return False
        if place & 1 or place == last:
            node = node_hash(sibling, node)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            node = node_hash(node, sibling)
        place, last = place >> 1, last >> 1
    return last == 0 and node == root


def consistency_proof(leaves: Sequence[bytes], old_size: int) -> tuple[bytes, ...]:
    """The proof that the first ``old_size`` leaves begin this tree (RFC 6962 §2.1.2)."""
    if not 0 < old_size <= len(leaves):
        raise ValueError(f"no tree of {old_size} leaves lies within one of {len(leaves)}")
    return _subproof(leaves, old_size, whole=True)


def _subproof(leaves: Sequence[bytes], old_size: int, *, whole: bool) -> tuple[bytes, ...]:
    if old_size == len(leaves):
        return () if whole else (root_of(leaves),)
    split = _split(len(leaves))
    left, right = leaves[:split], leaves[split:]
    if old_size <= split:
        return (*_subproof(left, old_size, whole=whole), root_of(right))
    return (*_subproof(right, old_size - split, whole=False), root_of(left))


def verify_consistency(
    *, old_size: int, old_root: bytes, size: int, root: bytes, proof: Sequence[bytes]
) -> bool:
    """Whether the old tree is a beginning of the other (RFC 9162 §2.1.4.2)."""
    if not 0 < old_size <= size:
        return False
    if old_size == size:
        return not proof and old_root == root
    # A complete old tree is itself the first node, and the proof leaves it out.
    path = [old_root, *proof] if old_size & (old_size - 1) == 0 else list(proof)
    if not path:
        return False
    place, last = old_size - 1, size - 1
    while place & 1:
        place, last = place >> 1, last >> 1
    old = new = path[0]
    for node in path[1:]:
        if last == 0:
            return False
        if place & 1 or place == last:
            old, new = node_hash(node, old), node_hash(node, new)
            while not place & 1 and place:
                place, last = place >> 1, last >> 1
        else:
            new = node_hash(new, node)
        place, last = place >> 1, last >> 1
    return last == 0 and old == old_root and new == root


def _split(size: int) -> int:
    """The largest power of two below ``size``."""
    return 1 << ((size - 1).bit_length() - 1)
