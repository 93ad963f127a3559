"""Games written by hand, a few characters an event, and what the engine says to them."""

from collections.abc import Mapping
from typing import Any

import msgspec

from rules_engine import registry
from rules_engine.errors import IllegalEvent, Violation
from rules_engine.events import (
    Chi,
    Discard,
    Draw,
    Event,
    GameStarted,
    Gang,
    HandEnded,
    HandStarted,
    Hu,
    Pass,
    Peng,
    Rewind,
)
from rules_engine.fold import Game, Numbered, apply, check_rewind, rewound
from rules_engine.moves import moves
from rules_engine.ruleset import Options, dump_options, make_options
from rules_engine.table import Table
from rules_engine.tiles import KIND, NAMES, ONE, Tiles, count, kinds_in, parse, size, write

PLAYERS = ("ann", "bob", "cid", "dee")


class Log:
    """A game, event by event.

    ``play`` reads a text such as ``"1+8s 1-8s 2+3p 2-3p"``: ``1+8s`` seat 1 draws 8s from the head,
    ``1^8s`` from the tail, ``1-8s`` seat 1 discards 8s.
    """

    def __init__(self, slug: str = "hefei", **options: Any) -> None:
        ruleset = registry.get(slug)
        made = make_options(ruleset.options, options)
        assert isinstance(made, Options), made
        started = GameStarted(
            ruleset=slug,
            ruleset_version=ruleset.version,
            options=dump_options(made),
            players=PLAYERS,
        )
        self.game: Game = apply(None, started, 1)
        self.events: list[Numbered] = [(1, started)]

    @property
    def table(self) -> Table:
        """The live hand."""
        assert self.game.table is not None
        return self.game.table

    @property
    def types(self) -> Mapping[str, type[Event]]:
        """The event types of the game."""
        return self.game.ruleset.catalogue.types

    def add(self, *events: Event) -> "Log":
        """Events that the rules accept."""
        for event in events:
            seq = self.game.seq + 1
            if isinstance(event, Rewind):
                check_rewind(self.game, event, seq)
                self.game = rewound([*self.events, (seq, event)], None)
            else:
                self.game = apply(self.game, event, seq)
            self.events.append((seq, event))
        return self

    def own(self, name: str, **fields: Any) -> "Log":
        """An event by its type's name, such as a variant's own."""
        return self.add(self.make(name, **fields))

    def make(self, name: str, **fields: Any) -> Event:
        """An event by its type's name, not applied."""
        return msgspec.convert({"type": name, **fields}, self.types[name])

    def play(self, text: str) -> "Log":
        """Draws and discards."""
        for word in text.split():
            self.add(self.word(word))
        return self

    def word(self, word: str) -> Event:
        """One draw or discard of ``play``."""
        seat, sign, tile = int(word[0]), word[1], word[2:]
        if sign == "-":
            return Discard(seat=seat, tile=tile, drawn=KIND[tile] == self.table.drawn)
        return Draw(seat=seat, tile=tile, source="tail" if sign == "^" else "head")

    def deal(
        self,
        hands: Mapping[int, str],
        *,
        last: str,
        dealer: int = 0,
        keep: str = "",
        **fields: Any,
    ) -> "Log":
        """The next hand: these hands, the others filled up with tiles that belong to nobody.

        ``keep`` are tiles to leave in the wall.
        """
        filled = fill(self.game, hands, dealer, keep)
        return self.add(
            HandStarted(
                hand=self.game.hand + 1,
                dealer=dealer,
                dealt=filled,
                last=last,
                streak=fields.pop("streak", self.game.streak),
                **fields,
            )
        )

    def hu(self, seat: int, tile: str, *, source: int | None = None, by: str = "") -> "Log":
        """A win, on a discard where ``source`` is given."""
        return self.add(win(seat, tile, source=source, by=by))

    def gang(self, seat: int, tile: str, kind: str = "an_gang", source: int | None = None) -> "Log":
        """A gang."""
        return self.add(Gang(seat=seat, kind=kind, tile=tile, from_=source))

    def chi(self, seat: int, tiles: str, tile: str, source: int) -> "Log":
        """A chi."""
        return self.add(Chi(seat=seat, tiles=tiles, tile=tile, from_=source))

    def peng(self, seat: int, tile: str, source: int) -> "Log":
        """A peng."""
        tiles = tile[0] * 3 + tile[1]
        return self.add(Peng(seat=seat, tiles=tiles, tile=tile, from_=source))

    def let_go(self, seat: int, on: str = "discard") -> "Log":
        """A pass."""
        return self.add(Pass(seat=seat, on=on))

    def end(self, reason: str) -> "Log":
        """The end of the hand."""
        return self.add(HandEnded(reason=reason))

    def draw_out(self, until: int, spare: str = "") -> "Log":
        """Each seat in turn draws what is not spared and discards it, until so few are left."""
        kept = parse(spare)
        while self.table.remaining > until:
            due = moves(self.game).due
            assert due is not None, "something else must happen"
            assert due.type == "draw", due
            free = next(k for k in kinds_in(self.table.unseen) if has_spare(self.table, k, kept))
            self.play(f"{due.seat}+{NAMES[free]} {due.seat}-{NAMES[free]}")
        return self

    def refusal(self, event: Event | str) -> Violation:
        """Why the event (or word) is refused now; it must be, and it changes nothing."""
        made = self.word(event) if isinstance(event, str) else event
        try:
            apply(self.game, made, self.game.seq + 1)
        except IllegalEvent as error:
            violation = error.violation
            assert violation.seq == self.game.seq + 1, violation
            assert violation.message, violation
            return violation
        raise AssertionError(f"{made} was accepted")

    def code(self, event: Event | str) -> str:
        """The code of ``refusal``."""
        return self.refusal(event).code

    def actions(self, seat: int | None = None) -> list[Event]:
        """What is offered now, to one seat or to all."""
        offered = moves(self.game).actions
        return [a for a in offered if seat is None or a.seat == seat]


def has_spare(table: Table, kind: int, kept: Tiles) -> bool:
    """Whether a tile of this kind may be drawn without one that is kept."""
    return count(table.unseen, kind) > count(kept, kind)


def win(seat: int, tile: str, *, source: int | None = None, by: str = "") -> Hu:
    """A win as an event."""
    how = by or ("zimo" if source is None else "dianpao")
    return Hu(seat=seat, by=how, tile=tile, from_=source)


def fill(game: Game, hands: Mapping[int, str], dealer: int, keep: str) -> tuple[str, ...]:
    """The four hands, those not given made of single tiles far apart."""
    play = game.play
    free = play.tiles - parse(keep)
    for text in hands.values():
        free -= parse(text)
    result = []
    for seat in range(4):
        if seat in hands:
            result.append(hands[seat])
            continue
        tiles = 0
        due = play.hand_size + (seat == dealer)
        step = 0
        while size(tiles) < due:
            kinds = list(kinds_in(free))
            kind = kinds[(seat + 4 * step) % len(kinds)]
            tiles += ONE[kind]
            free -= ONE[kind]
            step += 1
        result.append(write(tiles))
    return tuple(result)
