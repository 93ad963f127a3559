r"""Checkpoints as signed notes (C2SP tlog-checkpoint and signed-note), and their Ed25519 keys.

A checkpoint says that a log of this name had this many seals and this root. Anybody who keeps one
can later demand the proof that the log still begins with it.

    <origin>\n<size>\n<base64 root>\n\n— <origin> <base64(key id || signature)>\n
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from typing import Final

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from records.errors import BadCheckpointKey

_ED25519: Final = b"\x01"
_KEY_BYTES: Final = 32
_KEY_ID_BYTES: Final = 4


class Tree(msgspec.Struct, frozen=True):
    """What a checkpoint says: the log's name, its number of seals and its root (32 bytes)."""

    origin: str
    size: int
    root: bytes


class Signer:
    """Signs the checkpoints of one log. ``key`` is base64 of the 32 bytes of an Ed25519 seed."""

    def __init__(self, *, origin: str, key: str) -> None:
        if not origin or any(character.isspace() or character == "+" for character in origin):
            raise BadCheckpointKey("The origin of the log may hold neither spaces nor +.")
        try:
            seed = base64.b64decode(key, validate=True)
        except (binascii.Error, ValueError) as error:
            raise BadCheckpointKey("The checkpoint key is not base64.") from error
        if len(seed) != _KEY_BYTES:
            raise BadCheckpointKey(
                f"The checkpoint key has {len(seed)} bytes; an Ed25519 key has {_KEY_BYTES}."
            )
        self.origin = origin
        self._private = Ed25519PrivateKey.from_private_bytes(seed)
        self.public = self._private.public_key().public_bytes_raw()

    @property
    def verifier_key(self) -> str:
        """The key to verify with, as ``origin+key id+base64``, the form other tools read."""
        key_id = _key_id(self.origin, self.public).hex()
        return f"{self.origin}+{key_id}+{_base64(_ED25519 + self.public)}"

    def sign(self, *, size: int, root: bytes) -> str:
        """The signed note that says this."""
        text = f"{self.origin}\n{size}\n{_base64(root)}\n"
        signature = self._private.sign(text.encode())
        signed = _base64(_key_id(self.origin, self.public) + signature)
        return f"{text}\n— {self.origin} {signed}\n"


def new_key() -> str:
    """A new checkpoint key, as settings hold it."""
    return _base64(Ed25519PrivateKey.generate().private_bytes_raw())


def open_note(note: str, *, verifier_key: str) -> Tree | None:
    """What a checkpoint says, or None where this key did not sign it or it is no checkpoint."""
    origin, _, rest = verifier_key.partition("+")
    text, separator, signatures = note.partition("\n\n")
    try:
        public = base64.b64decode(rest.partition("+")[2], validate=True)[1:]
        lines = text.split("\n")
        tree = Tree(lines[0], int(lines[1]), base64.b64decode(lines[2], validate=True))
    except (binascii.Error, ValueError, IndexError):
        return None
    if not separator or tree.origin != origin:
        return None
    signed = f"{text}\n".encode()
    for line in signatures.splitlines():
        if line.startswith(f"— {origin} ") and _holds(line, origin, public, signed):
            return tree
    return None


def _holds(line: str, origin: str, public: bytes, signed: bytes) -> bool:
    try:
        signature = base64.b64decode(line.rpartition(" ")[2], validate=True)
        key = Ed25519PublicKey.from_public_bytes(public)
        if signature[:_KEY_ID_BYTES] != _key_id(origin, public):
            return False
        key.verify(signature[_KEY_ID_BYTES:], signed)
    except (binascii.Error, ValueError, InvalidSignature):
        return False
    return True


def _key_id(origin: str, public: bytes) -> bytes:
    """The first four bytes of SHA-256(name || 0x0A || 0x01 || key)."""
    return hashlib.sha256(origin.encode() + b"\n" + _ED25519 + public).digest()[:_KEY_ID_BYTES]


def _base64(value: bytes) -> str:
    return base64.b64encode(value).decode("ascii")
