"""Signed notes, against the published form and against forgery."""

import base64
import hashlib

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from records.notes import Signer, new_key, open_note

ROOT = hashlib.sha256(b"root").digest()


@pytest.fixture
def signer() -> Signer:
    return Signer(origin="club.example/log", key=new_key())


def test_a_note_is_text_a_blank_line_and_a_signature_over_the_text(signer: Signer) -> None:
    note = signer.sign(size=7, root=ROOT)
    text, signature = note.split("\n\n")
    dash, name, blob = signature.split(" ")
    assert (dash, name) == ("\u2014", "club.example/log")
    raw = base64.b64decode(blob)
    key_id = hashlib.sha256(b"club.example/log\n\x01" + signer.public).digest()[:4]
    assert raw[:4] == key_id
    Ed25519PublicKey.from_public_bytes(signer.public).verify(raw[4:], f"{text}\n".encode())
    assert text.split("\n") == ["club.example/log", "7", base64.b64encode(ROOT).decode()]


def test_the_verifier_key_is_name_key_id_and_key(signer: Signer) -> None:
    name, key_id, key = signer.verifier_key.split("+", 2)
    assert name == "club.example/log"
    assert len(bytes.fromhex(key_id)) == 4
    assert base64.b64decode(key) == b"\x01" + signer.public


def test_a_note_among_other_signatures_is_opened(signer: Signer) -> None:
    witness = Signer(origin="witness.example", key=new_key())
    note = signer.sign(size=7, root=ROOT)
    foreign = witness.sign(size=7, root=ROOT).split("\n\n")[1]
    both = note.replace("\n\n", f"\n\n{foreign}")
    tree = open_note(both, verifier_key=signer.verifier_key)
    assert tree is not None
    assert (tree.size, tree.root) == (7, ROOT)


@pytest.mark.parametrize(
    "forge",
    [
        lambda note: note.replace("\n7\n", "\n8\n"),
        lambda note: note.replace("club.example", "other.example"),
        lambda note: note.replace("\n\n", "\n"),
        lambda note: note.split("\n\n")[0],
        lambda note: note.split("\n\n")[0] + "\n\n\u2014 club.example/log AAAA\n",
        lambda note: note.split("\n\n")[0] + "\n\n\u2014 club.example/log ???\n",
        lambda note: note.replace("\n7\n", "\nseven\n"),
        lambda note: "",
    ],
)
def test_a_forged_note_is_not_opened(signer: Signer, forge) -> None:  # type: ignore[no-untyped-def]
    assert (
        open_note(forge(signer.sign(size=7, root=ROOT)), verifier_key=signer.verifier_key) is None
    )


def test_a_note_is_not_opened_with_the_key_of_another(signer: Signer) -> None:
    other = Signer(origin=signer.origin, key=new_key())
    assert open_note(signer.sign(size=7, root=ROOT), verifier_key=other.verifier_key) is None
