"""Who holds what, worked out from the events alone: nothing of the fold is used here.

The auditor believes nobody: it keeps its own books of every hand, tile by tile, and its own sums of
points, and a test compares both with what the engine says after every event.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from copy import copy
from typing import Any

Tiles = Counter[str]


def tiles_of(text: str) -> Tiles:
    """The tiles of a compact text such as ``123m55z``."""
    found: Tiles = Counter()
    ranks = ""
    for letter in text:
        if letter.isdigit():
            ranks += letter
        else:
            found.update(rank + letter for rank in ranks)
            ranks = ""
    return found


class Books:
    """One hand: what each seat owns (in hand and in melds), its pond, and the wall."""

    def __init__(self, body: Mapping[str, Any], game_tiles: Tiles) -> None:
        self.owned = [tiles_of(text) for text in body["dealt"]]
        self.ponds: list[list[str]] = [[], [], [], []]
        self.wall = game_tiles.copy()
        for owned in self.owned:
            self.wall.subtract(owned)
        self.drawn = str(body["last"])
        self.winners: list[int] = []

    def copy(self) -> "Books":
        """The same books, to be written on."""
        other = copy(self)
        other.owned = [owned.copy() for owned in self.owned]
        other.ponds = [pond.copy() for pond in self.ponds]
        other.wall = self.wall.copy()
        other.winners = self.winners.copy()
        return other

    def draw(self, body: Mapping[str, Any]) -> None:
        """A tile goes from the wall to a seat."""
        assert self.wall[body["tile"]] > 0, body
        self.wall[body["tile"]] -= 1
        self.owned[body["seat"]][body["tile"]] += 1
        self.drawn = body["tile"]

    def discard(self, body: Mapping[str, Any]) -> None:
        """A tile goes from a seat to its pond."""
        assert self.owned[body["seat"]][body["tile"]] > 0, body
        self.owned[body["seat"]][body["tile"]] -= 1
        self.ponds[body["seat"]].append(body["tile"])

    def take(self, body: Mapping[str, Any]) -> None:
        """The last tile of a pond goes to a seat."""
        assert self.ponds[body["from"]].pop() == body["tile"]
        self.owned[body["seat"]][body["tile"]] += 1

    def hu(self, body: Mapping[str, Any]) -> None:
        """A seat wins: it must be on the tile drawn last, or on the last of a pond or of a gang."""
        self.winners.append(body["seat"])
        if body["by"] == "zimo":
            assert self.drawn == body["tile"]
            assert self.owned[body["seat"]][body["tile"]] > 0
        elif body["by"] == "dianpao":
            assert self.ponds[body["from"]][-1] == body["tile"]
        else:
            assert self.owned[body["from"]][body["tile"]] > 0

    def check(self, game_tiles: Tiles) -> None:
        """Every tile is in exactly one place."""
        everything: Tiles = Counter()
        for part in (self.wall, *self.owned):
            assert min(part.values(), default=0) >= 0, part
            everything.update(part)
        for pond in self.ponds:
            everything.update(pond)
        assert +everything == game_tiles


class Auditor:
    """A whole game: hands, and points by seat."""

    def __init__(self, game_tiles: Tiles) -> None:
        self.whole = game_tiles
        self.game_tiles = game_tiles
        self.books: Books | None = None
        self.past: dict[int, Books | None] = {}
        self.points = [0, 0, 0, 0]

    def record(self, seq: int, body: Mapping[str, Any]) -> None:
        """One more event, as its JSON body."""
        kind = body["type"]
        books = self.books and self.books.copy()
        if kind == "hand_started":
            # An indicator lies open in the wall and is never drawn.
            self.game_tiles = self.whole - Counter([body.get("indicator") or ""])
            books = Books(body, self.game_tiles)
        elif kind == "rewind":
            past = self.past[body["to"]]
            books = past and past.copy()
        elif books is not None:
            if kind == "draw":
                books.draw(body)
            elif kind == "discard":
                books.discard(body)
            elif kind in ("chi", "peng") or (kind == "gang" and body.get("from") is not None):
                books.take(body)
            elif kind == "hu":
                books.hu(body)
            elif kind == "hand_ended":
                assert bool(books.winners) == (body["reason"] == "hu"), body
                books.check(self.game_tiles)
                books = None
        if kind == "hand_started" and books is not None:
            books.check(self.game_tiles)
        self.books = self.past[seq] = books
        if kind == "hand_ended":
            self.past = {seq: None}

    def pay(self, transfers: Iterable[tuple[int, int, int]]) -> None:
        """Payments as (payer, payee, points)."""
        for payer, payee, points in transfers:
            assert payer != payee
            assert points > 0
            self.points[payer] -= points
            self.points[payee] += points
        assert sum(self.points) == 0
