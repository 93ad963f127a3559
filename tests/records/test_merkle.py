"""The Merkle tree against the definition in RFC 6962, written out slowly here."""

import hashlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.merkle import (
    CompactRange,
    consistency_proof,
    inclusion_proof,
    leaf_hash,
    root_of,
    verify_consistency,
    verify_inclusion,
)

SIZES = st.integers(1, 70)


def leaves_of(size: int) -> list[bytes]:
    return [leaf_hash(str(number).encode()) for number in range(size)]


def naive_root(leaves: list[bytes]) -> bytes:
    """MTH of RFC 6962 §2.1, word for word."""
    if not leaves:
        return hashlib.sha256().digest()
    if len(leaves) == 1:
        return leaves[0]
    k = 1
    while k * 2 < len(leaves):
        k *= 2
    return hashlib.sha256(b"\x01" + naive_root(leaves[:k]) + naive_root(leaves[k:])).digest()


@pytest.mark.parametrize("size", range(40))
def test_the_root_is_that_of_the_definition(size: int) -> None:
    assert root_of(leaves_of(size)) == naive_root(leaves_of(size))


def test_the_roots_are_those_published_with_certificate_transparency() -> None:
    """The test vectors that the Certificate Transparency implementations share."""
    data = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657"]
    leaves = [leaf_hash(bytes.fromhex(text)) for text in data]
    assert root_of(leaves[:1]).hex() == (
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    )
    assert root_of(leaves[:3]).hex() == (
        "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77"
    )
    assert root_of(leaves).hex() == (
        "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c"
    )


@given(SIZES, st.data())
def test_a_tree_extended_in_pieces_has_the_root_of_the_whole(
    size: int, data: st.DataObject
) -> None:
    leaves = leaves_of(size)
    cuts = sorted(data.draw(st.lists(st.integers(0, size), max_size=4)))
    tree = CompactRange()
    for start, end in zip([0, *cuts], [*cuts, size], strict=True):
        tree = tree.extend(leaves[start:end])
    assert (tree.size, tree.root()) == (size, naive_root(leaves))
    assert len(tree.roots) == size.bit_count()


@given(SIZES, st.data())
def test_every_leaf_has_a_proof_that_holds_for_it_alone(size: int, data: st.DataObject) -> None:
    leaves = leaves_of(size)
    index = data.draw(st.integers(0, size - 1))
    proof, root = inclusion_proof(leaves, index), root_of(leaves)
    assert len(proof) <= (size - 1).bit_length()
    for other in range(size):
        assert verify_inclusion(
            leaf=leaves[other], index=index, size=size, proof=proof, root=root
        ) == (other == index)
        holds = verify_inclusion(leaf=leaves[index], index=other, size=size, proof=proof, root=root)
        assert holds == (other == index)


@given(SIZES, st.data())
def test_a_later_tree_proves_that_it_begins_with_an_earlier_one(
    size: int, data: st.DataObject
) -> None:
    leaves = leaves_of(size)
    old_size = data.draw(st.integers(1, size))
    old_root, root = root_of(leaves[:old_size]), root_of(leaves)
    proof = consistency_proof(leaves, old_size)
    assert verify_consistency(
        old_size=old_size, old_root=old_root, size=size, root=root, proof=proof
    )


@given(SIZES, st.data())
def test_no_proof_joins_a_tree_whose_past_was_changed(size: int, data: st.DataObject) -> None:
    leaves = leaves_of(size)
    old_size = data.draw(st.integers(1, size))
    altered = data.draw(st.integers(0, old_size - 1))
    forged = [*leaves[:altered], leaf_hash(b"forged"), *leaves[altered + 1 :]]
    assert not verify_consistency(
        old_size=old_size,
        old_root=root_of(leaves[:old_size]),
        size=size,
        root=root_of(forged),
        proof=consistency_proof(forged, old_size),
    )


@given(SIZES, st.data())
def test_a_proof_with_one_hash_changed_or_missing_does_not_hold(
    size: int, data: st.DataObject
) -> None:
    leaves = leaves_of(size + 1)
    index = data.draw(st.integers(0, size))
    proof, root = list(inclusion_proof(leaves, index)), root_of(leaves)
    place = data.draw(st.integers(0, len(proof) - 1))
    changed = [*proof[:place], bytes(32), *proof[place + 1 :]]
    for wrong in (changed, proof[:-1], [*proof, bytes(32)]):
        assert not verify_inclusion(
            leaf=leaves[index], index=index, size=size + 1, proof=wrong, root=root
        )


@pytest.mark.parametrize(("index", "size"), [(-1, 3), (3, 3), (0, 0)])
def test_a_leaf_outside_the_tree_has_no_proof(index: int, size: int) -> None:
    with pytest.raises(ValueError, match="not in a tree"):
        inclusion_proof(leaves_of(size), index)
    assert not verify_inclusion(
        leaf=bytes(32), index=index, size=size, proof=(), root=root_of(leaves_of(size))
    )


@given(st.integers(2, 70), st.data())
def test_a_consistency_proof_too_short_or_too_long_does_not_hold(
    size: int, data: st.DataObject
) -> None:
    leaves = leaves_of(size)
    old_size = data.draw(st.integers(1, size - 1))
    proof = consistency_proof(leaves, old_size)
    for wrong in ((), proof[:-1], (*proof, bytes(32))):
        assert not verify_consistency(
            old_size=old_size,
            old_root=root_of(leaves[:old_size]),
            size=size,
            root=root_of(leaves),
            proof=wrong,
        )


@pytest.mark.parametrize("old_size", [0, 4])
def test_a_tree_of_no_leaves_or_of_too_many_is_no_beginning(old_size: int) -> None:
    with pytest.raises(ValueError, match="lies within"):
        consistency_proof(leaves_of(3), old_size)
    assert not verify_consistency(
        old_size=old_size, old_root=bytes(32), size=3, root=bytes(32), proof=()
    )
