"""The secrets of an embedded installation: made at its first start, kept in its data folder."""

import base64
import json
import os
import secrets
from pathlib import Path

FILE = "secrets.json"


def load_or_make_secrets(data: Path) -> dict[str, str]:
    """PAIPU_SECRET_KEY and PAIPU_CHECKPOINT_KEY (base64 of 32 bytes) of this installation."""
    path = data / FILE
    if path.exists():
        kept: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
        return kept
    made = {
        "PAIPU_SECRET_KEY": secrets.token_urlsafe(48),
        "PAIPU_CHECKPOINT_KEY": base64.b64encode(secrets.token_bytes(32)).decode("ascii"),
    }
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        json.dump(made, stream, indent=2)
    return made
