"""How a hand is played: the standard turn of Chinese mahjong.

A turn is a draw, gangs (each with a replacement tile), then a win or one discard; a discard is open
to the others for a win, a gang, a peng and, for the next seat, a chi; then the next seat draws.
``Play`` implements that once. A variant subclasses it, sets the data at the head of ``Questions``
and overrides the questions whose answer is its own. One ``Play`` serves every hand under the same
options and holds no state of a hand; a table comes in, a table comes out.

What a seat may do and what an event is refused for are the same rule seen from two sides; a
property test holds them together: an action is offered exactly when its event is accepted.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from rules_engine.claims import Claims
from rules_engine.errors import IllegalEvent
from rules_engine.events import Chi, Discard, Draw, Event, Gang, HandStarted, Hu, Pass, Peng
from rules_engine.facts import By, HandFacts
from rules_engine.questions import Handler
from rules_engine.table import (
    NOTHING,
    SEATS,
    Discarded,
    Offer,
    Outcome,
    Seat,
    Table,
    with_seat,
)
from rules_engine.tiles import (
    KIND,
    NAMES,
    ONE,
    BadTiles,
    Tiles,
    count,
    has,
    kinds_in,
    parse,
    size,
    write,
)
from rules_engine.walls import Walls


class Play(Claims, Walls):
    """The rules of play of one ruleset under one set of options."""

    def __init__(self, options: Any) -> None:
        super().__init__(options)
        self.handlers: Mapping[type[Event], Handler] = {
            Draw: self.on_draw,
            Discard: self.on_discard,
            Chi: self.on_chi,
            Peng: self.on_peng,
            Gang: self.on_gang,
            Pass: self.on_pass,
            Hu: self.on_hu,
            **self.own_handlers(),
        }

    # --- the deal ---------------------------------------------------------------------------------

    def deal(self, event: HandStarted, memory: Any) -> Table:
        """The table after the deal. Raises IllegalEvent for tiles that cannot have been dealt."""
        try:
            dealt = tuple(parse(text) for text in event.dealt)
        except BadTiles as error:
            raise self.stop("bad_tiles", str(error)) from error
        unseen = self.tiles
        for seat, tiles in enumerate(dealt):
            due = self.hand_size + (seat == event.dealer)
            if size(tiles) != due:
                raise self.stop(
                    "wrong_deal",
                    f"Seat {seat} is dealt {due} tiles.",
                    expected=due,
                    actual=size(tiles),
                    seat=seat,
                )
            unseen = self.take(unseen, tiles)
        if not count(dealt[event.dealer], KIND[event.last]):
            raise self.stop(
                "wrong_deal",
                f"{event.last} is named as the dealer's last tile, but was not dealt to it.",
                expected=event.dealt[event.dealer],
                actual=event.last,
            )
        return self.opening(
            Table(
                hand=event.hand,
                dealer=event.dealer,
                streak=event.streak,
                seats=tuple(Seat(concealed=tiles) for tiles in dealt),  # type: ignore[arg-type]
                unseen=unseen,
                remaining=size(unseen),
                phase="act",
                turn=event.dealer,
                drawn=KIND[event.last],
                source="deal",
                dice=event.dice,
                indicator=NOTHING if event.indicator is None else KIND[event.indicator],
                commitment=event.wall_commitment,
                dealt=dealt if event.wall_commitment else (),
            ),
            memory,
        )

    def take(self, unseen: Tiles, tiles: Tiles) -> Tiles:
        """The unseen tiles without these. Raises IllegalEvent for tiles that are not there."""
        if has(unseen, tiles):
            return unseen - tiles
        for kind in kinds_in(tiles):
            if not count(self.tiles, kind):
                raise self.stop(
                    "bad_tiles", f"{NAMES[kind]} is not used in this game.", actual=NAMES[kind]
                )
            if count(unseen, kind) < count(tiles, kind):
                raise self.stop(
                    "too_many_tiles",
                    f"There are only {count(self.tiles, kind)} tiles {NAMES[kind]}, "
                    "and this would be one more.",
                    expected=count(self.tiles, kind),
                    actual=NAMES[kind],
                )
        raise AssertionError(tiles)  # pragma: no cover -- ``has`` said that something is missing

    # --- events -----------------------------------------------------------------------------------

    def step(self, table: Table, event: Event, seq: int) -> Table:
        """The table after an event of the hand. Raises IllegalEvent."""
        handler = self.handlers.get(type(event))
        if handler is None:
            raise self.stop(
                "event_out_of_place",
                f"A {event.type} cannot happen while a hand is being played.",
                actual=event.type,
            )
        if table.phase == "over":
            raise self.stop("hand_over", "The hand is over.", actual=event.type)
        return handler(table, event, seq)

    def due_draw(self, table: Table) -> tuple[int, str] | None:
        """The seat that draws next and the end of the wall, if nobody takes another action."""
        if table.wins:
            return None
        if table.phase == "replace":
            return table.turn, "tail"
        offer = table.offer
        if table.phase != "offer" or offer is None:
            return None
        if offer.gang:
            return offer.seat, "tail"
        return ((offer.seat + 1) % 4, "head") if self.drawable(table) > 0 else None

    def on_draw(self, table: Table, event: Draw, seq: int) -> Table:
        """A tile from the wall: it closes an offer as passed and begins or continues a turn."""
        due = self.due_draw(table)
        if due is None or (event.seat, event.source) != due:
            raise self.refused_draw(table, event, due)
        self.insist_on_wins(table)
        kind = KIND[event.tile]
        unseen = table.unseen
        if not unseen >> 4 * kind & 15:
            self.take(unseen, ONE[kind])
        if table.offer is not None:
            table = self.close_offer(table)
        seat = event.seat
        tail = event.source == "tail"
        holder = table.seats[seat]
        return replace(
            table,
            seats=with_seat(table, seat, replace(holder, concealed=holder.concealed + ONE[kind])),
            unseen=unseen - ONE[kind],
            remaining=table.remaining - 1,
            phase="act",
            turn=seat,
            drawn=kind,
            source=event.source,
            offer=None,
            answered=0,
            draws=(*table.draws, self.taken(table, kind, tail=tail)) if table.commitment else (),
        )

    def refused_draw(self, table: Table, event: Draw, due: tuple[int, str] | None) -> IllegalEvent:
        """Why this draw is not the one that is due."""
        if due is None:
            if table.phase == "act" and not self.exhausted(table):
                return self.stop(
                    "not_your_turn",
                    f"Seat {table.turn} has its tile and must act before anybody draws.",
                    expected={"seat": table.turn},
                    actual={"seat": event.seat},
                )
            return self.stop(
                "no_draw_due", "No draw is due: the hand is won or the wall is used up."
            )
        if event.seat != due[0]:
            return self.stop(
                "not_your_turn", f"Seat {due[0]} draws next.", expected=due[0], actual=event.seat
            )
        return self.stop(
            "wrong_source",
            f"This draw is from the {due[1]} of the wall.",
            expected=due[1],
            actual=event.source,
        )

    def on_discard(self, table: Table, event: Discard, seq: int) -> Table:
        """A discard by the seat in turn: it opens an offer."""
        seat = event.seat
        self.expect_turn(table, seat)
        kind = KIND[event.tile]
        holder = table.seats[seat]
        held = holder.concealed >> 4 * kind & 15
        if held < 1:
            raise self.stop(
                "tile_not_held",
                f"Seat {seat} does not hold {event.tile}.",
                expected=write(holder.concealed),
                actual=event.tile,
            )
        if event.drawn is not (kind == table.drawn) and (event.drawn or held < 2):
            raise self.stop(
                "drawn_mismatch",
                f"{event.tile} was {'not ' if event.drawn else ''}the tile just drawn.",
                expected=kind == table.drawn,
                actual=event.drawn,
            )
        if table.bound_discard not in (NOTHING, kind):
            raise self.stop(
                "ting_locked_discard",
                f"The declaration promised the discard of {NAMES[table.bound_discard]}.",
                expected=NAMES[table.bound_discard],
                actual=event.tile,
            )
        violation = self.refuse_discard(table, seat, kind, drawn=event.drawn)
        if violation is not None:
            raise IllegalEvent(violation)
        self.insist_on_wins(table)
        return replace(
            table,
            seats=with_seat(
                table,
                seat,
                replace(
                    holder,
                    concealed=holder.concealed - ONE[kind],
                    pond=(*holder.pond, Discarded(kind, seq, event.drawn)),
                ),
            ),
            phase="offer",
            drawn=NOTHING,
            offer=Offer(seat, kind, seq),
            answered=0,
            bound_discard=NOTHING,
        )

    # --- what may happen next ---------------------------------------------------------------------

    def actions(self, table: Table) -> Iterator[Event]:
        """Every action a seat may take now, as the event that records it."""
        if table.phase == "act":
            yield from self.turn_actions(table, table.turn)
        elif table.phase == "offer":
            forced = any(self.may_win(table, seat) for seat in self.bound_to_win(table))
            for seat in SEATS:
                yield from self.answers(table, seat, forced=forced)

    def turn_actions(self, table: Table, seat: int) -> Iterator[Event]:
        """Actions of the seat that holds its tile."""
        if self.may_win(table, seat):
            yield Hu(seat=seat, by="zimo", tile=NAMES[self.own_tile(table)])
            if self.must_win(table, seat):
                return
            yield Pass(seat=seat, on="draw")
        yield from self.gangs_of(table, seat)
        yield from self.own_actions(table, seat)
        for kind in kinds_in(table.seats[seat].concealed):
            bound = table.bound_discard not in (NOTHING, kind)
            drawn = kind == table.drawn
            if not bound and self.refuse_discard(table, seat, kind, drawn=drawn) is None:
                yield Discard(seat=seat, tile=NAMES[kind], drawn=drawn)

    def answers(self, table: Table, seat: int, *, forced: bool) -> Iterator[Event]:
        """What a seat may answer to the tile on offer; ``forced``: somebody has to win on it."""
        offer = table.offer
        assert offer is not None
        wins = self.may_win(table, seat)
        if wins:
            by: By = "qiang_gang" if offer.gang else "dianpao"
            yield Hu(seat=seat, by=by, tile=NAMES[offer.kind], from_=offer.seat)
            if self.must_win(table, seat):
                return
        claims = list(self.claims_of(table, seat))
        if not forced:
            yield from claims
        if wins or claims:
            yield Pass(seat=seat, on="gang" if offer.gang else "discard")

    def exhausted(self, table: Table) -> bool:
        """Whether nobody has won and no further tile may be drawn."""
        return table.phase == "offer" and not table.wins and self.due_draw(table) is None

    def outcome(self, table: Table) -> Outcome:
        """How the hand is over, or "" while somebody still has something to decide."""
        if table.phase == "over":
            return table.outcome
        if table.wins:
            return "" if any(self.may_win(table, seat) for seat in SEATS) else "hu"
        if self.exhausted(table) and next(self.actions(table), None) is None:
            return "huang_zhuang"
        return ""

    def end(self, table: Table, reason: str) -> None:
        """Refuse an end of the hand that the table does not bear out."""
        if table.phase == "over":
            possible = reason == table.outcome
        elif reason == "abandoned":
            possible = not table.wins
        elif reason == "hu":
            possible = bool(table.wins)
        else:
            possible = self.exhausted(table)
        if not possible:
            raise self.stop(
                "hand_not_over",
                f"The hand cannot end with {reason} here.",
                expected=self.outcome(table) or None,
                actual=reason,
            )
        if reason != "abandoned" and table.phase != "over":
            self.insist_on_wins(table)

    def facts(self, table: Table, seq: int) -> HandFacts:
        """The facts of a hand that ended with a win or with nobody winning."""
        wins = table.wins
        if table.offer is not None:
            giver = table.offer.seat
            wins = tuple(sorted(wins, key=lambda win: (win.seat - giver) % 4))
        winners = {win.seat for win in wins}
        holdings = (self.holding(table, seat) for seat in SEATS if seat not in winners)
        return HandFacts(
            dealer=table.dealer,
            streak=table.streak,
            wild=None if table.wild == NOTHING else NAMES[table.wild],
            result="hu" if wins else "huang_zhuang",
            wins=wins,
            table=tuple(holding for holding in holdings if holding is not None),
            seq=seq,
        )
