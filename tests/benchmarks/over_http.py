"""Section "HTTP": writing and reading events, each beside a bare view in the same server."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from tests.benchmarks.http_kinds import (
    BATCH,
    EVENTS_READ,
    BareInsert,
    BareRead,
    HttpAppend,
    HttpBatches,
    HttpRead,
    HttpStream,
)
from tests.benchmarks.measuring import Measure, Paired, compare
from tests.benchmarks.report import ITSELF, Line
from tests.benchmarks.stage import Stage
from tests.benchmarks.web import serving
from tests.benchmarks.writers import Crew, Writer

CLIENTS = 8
LOAD = f"{CLIENTS} connections"
APPEND_AIM = 0.6
_APPEND = "paipu append over HTTP"
_BATCHES = f"paipu append over HTTP, {BATCH} events a request"
_PAGE = f"paipu, a game of {EVENTS_READ} events as a page"
_STREAM = f"paipu, a game of {EVENTS_READ} events as lines"


def http(
    stage: Stage, crew: Crew, *, repeats: int, seconds: int, told: Callable[[str], None]
) -> list[Line]:
    """Events a second, written and read, by eight connections to one server."""
    with serving(stage) as address:

        def rate(kind: type[Writer], events: int = 1) -> Measure:
            crew.run(kind, address, count=CLIENTS, seconds=0.5)  # Connections, pools, caches.
            return lambda: events * crew.run(kind, address, count=CLIENTS, seconds=seconds)

        written = compare(
            rate(BareInsert),
            {_APPEND: rate(HttpAppend), _BATCHES: rate(HttpBatches, BATCH)},
            repeats=repeats,
            told=partial(_tell, told),
        )
        read = compare(
            rate(BareRead, EVENTS_READ),
            {_PAGE: rate(HttpRead, EVENTS_READ), _STREAM: rate(HttpStream, EVENTS_READ)},
            repeats=repeats,
            told=partial(_tell, told),
        )
    return [
        *_lines("bare DRF view, a row a request", written),
        *_lines(f"bare DRF view, {EVENTS_READ} rows", read),
    ]


def _tell(told: Callable[[str], None], name: str) -> None:
    told(f"HTTP: {name}")


def _lines(reference: str, found: dict[str, Paired]) -> list[Line]:
    """Events a second of the reference, and of the others beside it."""
    bare = found.pop("")
    return [
        Line("HTTP", reference, LOAD, ITSELF, (1.0,), tuple(bare.rates), "events/s"),
        *(
            Line(
                section="HTTP",
                name=name,
                load=LOAD,
                against=reference,
                ratios=tuple(pair.ratios),
                rates=tuple(pair.rates),
                unit="events/s",
                at_least=APPEND_AIM if name == _APPEND else None,
            )
            for name, pair in found.items()
        ),
    ]
