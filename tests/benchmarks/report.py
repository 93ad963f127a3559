"""The lines of a run: each a ratio with its spread, the aim it is held to, and rates beside it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from rich.table import Table

ITSELF = "itself"
"""What a reference is compared with."""


@dataclass(frozen=True)
class Line:
    """One comparison. ``ratios`` has one entry a repeat; ``rates`` are the subject's, in ``unit``.

    A ratio is subject / reference, whatever is being compared. ``at_least`` or ``at_most`` is the
    aim for the median ratio; a line without either is there to be compared with.
    """

    section: str
    name: str
    load: str
    against: str
    ratios: tuple[float, ...]
    rates: tuple[float, ...]
    unit: str
    at_least: float | None = None
    at_most: float | None = None

    @property
    def ratio(self) -> float:
        """The median ratio."""
        return median(self.ratios)

    @property
    def aim(self) -> str:
        """The aim in a few characters, or nothing."""
        if self.at_least is not None:
            return f">= {self.at_least:g}"
        return "" if self.at_most is None else f"<= {self.at_most:g}"

    @property
    def met(self) -> bool | None:
        """Whether the median reaches the aim; None without one."""
        if self.at_least is not None:
            return self.ratio >= self.at_least
        return None if self.at_most is None else self.ratio <= self.at_most


def as_table(lines: list[Line]) -> Table:
    """What is printed at the end."""
    table = Table(title="Ratios: median and range of the repeats")
    for heading in ("what", "load", "against", "ratio", "aim", "rate"):
        table.add_column(heading, justify="right" if heading in {"ratio", "rate"} else "left")
    section = ""
    for line in lines:
        if line.section != section:
            section = line.section
            table.add_section()
            table.add_row(f"[bold]{section}[/]")
        mark = {None: "", True: "[green]met[/]", False: "[red]not met[/]"}[line.met]
        table.add_row(
            line.name,
            line.load,
            line.against,
            f"{line.ratio:.3g} [{min(line.ratios):.3g}-{max(line.ratios):.3g}]",
            f"{line.aim} {mark}".strip(),
            f"{median(line.rates):,.0f} {line.unit}",
        )
    return table


def as_json(lines: list[Line]) -> list[dict[str, Any]]:
    """The same for a program."""
    return [{**asdict(line), "ratio": line.ratio, "met": line.met} for line in lines]


def as_markdown(lines: list[Line]) -> str:
    """The comparisons as a table of README.md has them."""
    rows = ["| what | load | against | ratio | aim |", "|---|---|---|---|---|"]
    rows += [
        f"| {line.name} | {line.load} | {line.against} | {line.ratio:.2f}"
        f" [{min(line.ratios):.2f}-{max(line.ratios):.2f}] | {line.aim} |"
        for line in lines
        if line.against != ITSELF
    ]
    return "\n".join(rows)
