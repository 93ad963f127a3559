"""How a command in a second shell finds the services that `manage.py up` is running.

`up` writes the addresses to `run/environment.json` in the data folder while it runs; the settings
fall back to it for every variable that the real environment does not set.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path

FILE = Path("run") / "environment.json"


def data_dir(project: Path, environment: Mapping[str, str]) -> Path:
    """The data folder: PAIPU_DATA_DIR, else `var` in the project's folder. Absolute."""
    return Path(environment.get("PAIPU_DATA_DIR") or project / "var").expanduser().resolve()


def read_running(data: Path) -> dict[str, str]:
    """The variables the running `up` hands out, or nothing when none can be read.

    A file left behind by a killed `up` is harmless: its addresses no longer answer.
    """
    try:
        found = json.loads((data / FILE).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(key): str(value) for key, value in found.items()} if isinstance(found, dict) else {}


def write_running(data: Path, variables: Mapping[str, str]) -> None:
    """Write the file, readable by its owner alone since it carries the secret key."""
    path = data / FILE
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as stream:
        json.dump(dict(variables), stream, indent=2, sort_keys=True)
    fresh.replace(path)


def remove_running(data: Path) -> None:
    """Forget the addresses, as the last act of a clean stop."""
    (data / FILE).unlink(missing_ok=True)
