"""`python -m tests.benchmarks [NAME ...]`: measure, print a table of ratios, write JSON.

NAME: fold, score, boards, statement, pages, bulk, webhooks, append, http, jump; all of them when
none is given.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import django
import msgspec
from rich.console import Console

from tests.benchmarks.report import as_json, as_markdown, as_table

NAMES = (
    "fold",
    "score",
    "boards",
    "statement",
    "pages",
    "bulk",
    "webhooks",
    "live",
    "append",
    "http",
    "jump",
)


def main() -> None:
    """Run what was asked for."""
    given = _arguments()
    for name in [name for name in os.environ if name.startswith("PAIPU_")]:
        # A running service, or an address of production, has no place in here.
        del os.environ[name]
    os.environ["DJANGO_SETTINGS_MODULE"] = "api.settings"
    django.setup()
    from tests.benchmarks.run import measure

    console = Console(stderr=True)
    with console.status("starting") as status:
        lines = measure(
            given.names or NAMES,
            repeats=given.repeats,
            seconds=given.seconds,
            told=status.update,
            noted=console.print,
        )
    if given.markdown:
        sys.stdout.write(f"{as_markdown(lines)}\n")
    else:
        Console(width=None if sys.stdout.isatty() else 150).print(as_table(lines))
    if given.json:
        given.json.write_bytes(msgspec.json.format(msgspec.json.encode(as_json(lines))))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(NAMES)}")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures here")
    parser.add_argument("--markdown", action="store_true", help="print the table of README.md")
    parser.add_argument("--repeats", type=int, default=3, help="of each comparison")
    parser.add_argument("--seconds", type=int, default=2, help="of each run of writers")
    given = parser.parse_args()
    unknown = set(given.names) - set(NAMES)
    if unknown:
        parser.error(f"there is no {', '.join(sorted(unknown))}; choose of {', '.join(NAMES)}")
    return given


if __name__ == "__main__":
    main()
