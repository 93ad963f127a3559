"""A story in which every operation of the API is asked once: the examples of the document.

What differs from one telling to the next - ids, times, hashes, secrets - is replaced by what does
not, so that the story told again is the story on file.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from django.urls import resolve

from api.operation import operation_of
from tests.support.people import ClubHouse, Person

LIST_MAX: Final = 3
"""Items of a list that an example shows, where a list is longer than a table has seats."""


class Tour:
    """Whoever tells the story: asks, and keeps what was asked and answered."""

    def __init__(self) -> None:
        self.house = ClubHouse()
        self.owner = self.house.owner
        self.ids: dict[str, Any] = {"club_id": str(self.house.club.id)}
        self.operations: dict[str, dict[str, Any]] = {}
        self.problems: dict[str, Any] = {}
        self.written = Written()

    def do(
        self, method: str, path: str, body: Any = None, *, who: Person | None = None, **headers: str
    ) -> Any:
        """Ask for something that is done; the answer's JSON, None where it has none."""
        answer = self.ask(method, path, body, who, headers)
        assert answer.status_code < 300, (method, path, answer.content)
        found = answer.json() if answer.content and "json" in answer["Content-Type"] else None
        kept = self.operations.setdefault(self.name_of(method, path), {})
        if body is not None and not isinstance(body, bytes):
            kept.setdefault("request", body)
        if found is not None:
            kept.setdefault("answer", found)
        return found

    def refused(
        self, method: str, path: str, body: Any = None, *, who: Person | None = None, **headers: str
    ) -> None:
        """Ask for something that is refused."""
        answer = self.ask(method, path, body, who, headers)
        assert answer.status_code >= 400, (method, path, answer.content)
        problem = answer.json()
        self.problems.setdefault(problem["type"].rpartition("/")[2], problem)

    def ask(
        self, method: str, path: str, body: Any, who: Person | None, headers: dict[str, str]
    ) -> Any:
        person = who or self.owner
        if method in ("get", "delete"):
            return getattr(person, method)(path, **headers)
        return getattr(person, method)(path, body, **headers)

    @staticmethod
    def name_of(method: str, path: str) -> str:
        """The id of the operation that this asks for."""
        view: Any = resolve(f"/api/v1/{path.partition('?')[0]}").func
        operation = operation_of(view.cls, method)
        assert operation is not None, (method, path)
        return operation.__name__[0].lower() + operation.__name__[1:]

    def kept(self) -> dict[str, Any]:
        """The story with what differs each time replaced."""
        return {
            "operations": {
                name: {part: self.written.plain(value) for part, value in sorted(kept.items())}
                for name, kept in sorted(self.operations.items())
            },
            "problems": {
                code: self.written.plain(problem) for code, problem in sorted(self.problems.items())
            },
        }


class Written:
    """Replaces what is made up by the machine, each thing always by the same."""

    def __init__(self) -> None:
        self.seen: dict[str, dict[str, str]] = {}

    def plain(self, value: Any) -> Any:
        """The value as the document shows it."""
        if isinstance(value, dict):
            return {
                self.plain(name): COUNTED.get(name[-6:], item)
                if type(item) is int
                else self.plain(item)
                for name, item in value.items()
            }
        if isinstance(value, list):
            shown = value[:LIST_MAX] if len(value) > 5 else value
            return [self.plain(item) for item in shown]
        if isinstance(value, float):
            return round(value, 2)
        return self.text(value) if isinstance(value, str) else value

    def text(self, text: str) -> str:
        """A text with everything in it replaced that was made up."""
        for kind, pattern in MADE_UP.items():
            for made_up in dict.fromkeys(pattern.findall(text)):
                text = text.replace(made_up, self.stand_in(kind, made_up))
        return text

    def stand_in(self, kind: str, text: str) -> str:
        """What stands for this text, the same each time it comes."""
        known = self.seen.setdefault(kind, {})
        number = known.setdefault(text, str(len(known) + 1))
        return str(STAND_INS[kind](int(number), text))


COUNTED: Final = {"_at_ms": 1_796_040_000_000, "ion_ms": 12}
"""What stands for a moment and for a duration, by how their names end."""
LONG_AGO: Final = "2026"
"""Days before it are those that the story names itself."""
MADE_UP: Final[Mapping[str, re.Pattern[str]]] = {
    "uuid": re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"),
    "moment": re.compile(r"\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|\+00:00)"),
    "today": re.compile(r"\b20\d\d-\d\d-\d\d\b(?!T)"),
    "hash": re.compile(r"\b[0-9a-f]{64}\b"),
    "salt": re.compile(r"\b[0-9a-f]{32}\b"),
    "token": re.compile(r"\b(?:paipu_[\w-]{6,}|[a-z]+_(?=\S*[A-Z0-9])[A-Za-z0-9+/-]{20,}={0,2})"),
    "hook": re.compile(r"http://127\.0\.0\.1:\d+"),
    "name": re.compile(r"\b(?:person|club|Club)[- ]\d+\b"),
    "key": re.compile(r"\b[A-Za-z0-9+/_-]{40,}={0,2}"),
}
STAND_INS: Final[Mapping[str, Any]] = {
    "uuid": lambda number, text: str(UUID(int=(0x01890A5D_AC96_774B_B9E3 << 48) + number)),
    "moment": lambda number, text: "2026-11-30T12:00:00Z",
    "today": lambda number, text: "2026-11-30" if text >= LONG_AGO else text,
    "hash": lambda number, text: f"{number:02x}" * 32,
    "salt": lambda number, text: f"{number:02x}" * 16,
    "token": lambda number, text: f"{text.partition('_')[0]}_" + "x" * (len(text) - 6),
    "hook": lambda number, text: "https://platform.example",
    "name": lambda number, text: f"{text.rstrip('0123456789')}{number}",
    "key": lambda number, text: "x" * 43 + "=",
}
