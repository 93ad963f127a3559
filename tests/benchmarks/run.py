"""What a run measures, section by section."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from tests.benchmarks import over_http, seek, storage
from tests.benchmarks.boards import boards
from tests.benchmarks.bulk import bulk
from tests.benchmarks.fold import fold
from tests.benchmarks.games import HANDS, SEEDS, recording
from tests.benchmarks.live import live
from tests.benchmarks.pages import pages
from tests.benchmarks.report import Line
from tests.benchmarks.score import scoring
from tests.benchmarks.stage import Stage, standing
from tests.benchmarks.statement_pages import statement_pages
from tests.benchmarks.webhooks import webhooks
from tests.benchmarks.writers import crew


def measure(
    names: Sequence[str],
    *,
    repeats: int,
    seconds: int,
    told: Callable[[str], None],
    noted: Callable[[str], None],
) -> list[Line]:
    """The lines of these sections, in their order.

    ``told`` hears what is being done just now, ``noted`` what is left out and why.
    """
    lines: list[Line] = []
    if "fold" in names:
        lines += fold(repeats=repeats, told=told)
    if "score" in names:
        lines += scoring(repeats=repeats, told=told, noted=noted)
    staged: dict[str, Callable[[Stage], list[Line]]] = {
        "boards": lambda _: boards(repeats=repeats, told=told),
        "statement": lambda stage: statement_pages(stage, repeats=repeats, told=told),
        "pages": lambda stage: pages(stage, repeats=repeats, told=told, noted=noted),
        "bulk": lambda stage: bulk(stage, repeats=repeats, told=told),
        "webhooks": lambda _: webhooks(repeats=repeats, told=told),
        "live": lambda stage: live(stage, told=told),
    }
    for name, section in staged.items():
        if name in names:
            with standing() as stage:
                lines += section(stage)
    if {"append", "http", "jump"} & set(names):
        told("simulating the games that are appended")
        for seed in SEEDS:
            recording(seed=seed, hands=HANDS)
        with standing() as stage, crew(max(storage.CLIENTS)) as writers:
            if "append" in names:
                lines += storage.appends(
                    stage, writers, repeats=repeats, seconds=seconds, told=told, noted=noted
                )
            if "http" in names:
                lines += over_http.http(stage, writers, repeats=repeats, seconds=seconds, told=told)
            if "jump" in names:
                lines += seek.jumps(repeats=repeats, told=told)
    return lines
