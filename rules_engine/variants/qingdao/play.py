"""How Qingdao mahjong is played: the deal with its hun, draws and causes, wins, the last tiles.

Only what differs from the standard turn stands here; niu, flowers and declarations are in ``acts``.
Rules: QD-8 to QD-38 and QD-69 to QD-72 (seed 003).
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Final

from msgspec.structs import replace

from rules_engine import events
from rules_engine.errors import Violation
from rules_engine.events import Chi, Discard, Event, Hu, Peng
from rules_engine.facts import HandFacts, Meld, WinFacts
from rules_engine.questions import Handler
from rules_engine.table import NOTHING, SEATS, Table, Taken
from rules_engine.tiles import (
    FLOWERS_MASK,
    KIND,
    NAMES,
    ONE,
    Tiles,
    count,
    has,
    kinds_in,
    parse,
    size,
    write,
)
from rules_engine.variants.qingdao.acts import FIRST_FLOWER, LAST_TILES, Acts
from rules_engine.variants.qingdao.flags import huang_flags, huang_run
from rules_engine.variants.qingdao.hands import best, winning_shape
from rules_engine.variants.qingdao.legality import after_shape, before_shape
from rules_engine.variants.qingdao.options import QingdaoOptions
from rules_engine.variants.qingdao.state import (
    RULES,
    Cause,
    Draw,
    Flower,
    Gang,
    HandStarted,
    Niu,
    NiuExchange,
    QingdaoMemory,
    QingdaoTable,
    Ting,
    changed,
)

TAIL_TILES: Final = 14
"""The dragon tail 龙尾巴 (QD-7)."""
_CYCLES: Final = ("123456789m", "123456789p", "123456789s", "1234z", "765z")


def follower(kind: int) -> int:
    """The kind that follows in its cycle: the hun after the indicator (QD-9)."""
    for cycle in _CYCLES:
        ranks, suit = cycle[:-1], cycle[-1]
        name = NAMES[kind]
        if name[1] == suit and name[0] in ranks:
            return KIND[ranks[(ranks.index(name[0]) + 1) % len(ranks)] + suit]
    raise AssertionError(kind)  # pragma: no cover -- a flower is no indicator


def hun_places(die: int, length: int) -> Iterator[int]:
    """The places of the dragon tail in the order in which an indicator is looked for (QD-8)."""
    first = length - 2 * die
    yield from range(first, length - TAIL_TILES - 1, -1)
    yield from range(length - 1, first, -1)


class QingdaoPlay(Acts):
    """The rules of play under one set of options."""

    memory_type = QingdaoMemory
    rules: ClassVar[Mapping[str, str]] = RULES
    options: QingdaoOptions

    def __init__(self, options: QingdaoOptions) -> None:
        super().__init__(options)
        self.dice = 3 if options.hun else 2

    def own_handlers(self) -> Mapping[type[Event], Handler]:
        """The variant's events, and the common ones that it gives more fields."""
        return {
            Draw: self.on_draw,
            Gang: self.on_gang,
            Niu: self.on_niu,
            NiuExchange: self.on_niu_exchange,
            Flower: self.on_flower,
            Ting: self.on_ting,
        }

    # --- the deal and the game around the hands ---------------------------------------------------

    def memory(self) -> QingdaoMemory:
        """No hand has gone unwon at first."""
        return QingdaoMemory()

    def first_dealer(self) -> int | None:
        """QD-11."""
        return 0 if self.options.first_dealer == "seat0" else None

    def rotate(
        self, memory: QingdaoMemory, facts: HandFacts | None, dealer: int, streak: int
    ) -> tuple[int | None, int, QingdaoMemory]:
        """QD-12 to QD-14: the dealer stays by winning or when nobody wins, or to deal again."""
        if facts is None:
            return dealer, streak, memory
        if not facts.wins:
            return dealer, streak + 1, QingdaoMemory(memory.huang_run + 1)
        if any(win.seat == dealer for win in facts.wins):
            return dealer, streak + 1, QingdaoMemory()
        return (dealer + 1) % 4, 1, QingdaoMemory()

    def refuse_result(self, memory: QingdaoMemory, facts: HandFacts) -> Violation | None:
        """QD-132: the winners' flags tell of the hands nobody won before."""
        if not facts.wins or huang_run(facts.wins[0].flags) == memory.huang_run:
            return None
        return self.no(
            "wrong_huang_run",
            f"{memory.huang_run} hands in a row were won by nobody before this one.",
            expected=list(huang_flags(memory.huang_run)),
            actual=list(facts.wins[0].flags),
        )

    def deal(self, event: events.HandStarted, memory: QingdaoMemory) -> Table:
        """QD-16, QD-8: the deal, then the indicator that names the hun."""
        if event.dice and not (len(event.dice) == 2 and all(1 <= die <= 6 for die in event.dice)):
            raise self.stop("bad_dice", "Two dice are rolled.", actual=list(event.dice))
        table = super().deal(event, memory)
        die = event.hun_die if isinstance(event, HandStarted) else None
        place = event.hun_index if isinstance(event, HandStarted) else None
        if not self.options.hun:
            if (die, place, event.indicator) != (None, None, None):
                raise self.stop("wild_forbidden", "This club plays without hun.")
            return table
        if die is None or place is None or event.indicator is None:
            raise self.stop("bad_hun", "A deal with hun names hun_die, hun_index and indicator.")
        indicator = KIND[event.indicator]
        skipped = self._skipped(die, place)
        if indicator >= FIRST_FLOWER or skipped > size(table.unseen & FLOWERS_MASK):
            raise self.stop(
                "bad_hun",
                f"With die {die} the indicator is the first tile that is no flower on the way "
                f"from place {size(self.tiles) - 2 * die} of the wall.",
                expected=size(self.tiles) - 2 * die,
                actual=place,
            )
        return replace(
            table,
            unseen=self.take(table.unseen, ONE[indicator]),
            remaining=table.remaining - TAIL_TILES,
            wild=follower(indicator),
            indicator_place=place,
            extra=replace(table.extra, tail=TAIL_TILES - 1),
        )

    def _skipped(self, die: int, place: int) -> int:
        """How many tiles of the tail lie before this place on the way of the die."""
        way = list(hun_places(die, size(self.tiles)))
        return way.index(place) if place in way else len(way)

    def opening(self, table: Table, memory: QingdaoMemory) -> Table:
        """The variant's own state at the deal."""
        return replace(table, extra=QingdaoTable(huang_run=memory.huang_run))

    def deal_from(
        self,
        wall: Sequence[int],
        *,
        hand: int,
        dealer: int,
        streak: int,
        dice: tuple[int, ...] = (),
        commitment: str | None = None,
    ) -> events.HandStarted:
        """The deal from a wall; with hun the third die finds the indicator."""
        event = super().deal_from(
            wall, hand=hand, dealer=dealer, streak=streak, dice=dice[:2], commitment=commitment
        )
        if not self.options.hun:
            return event
        die = dice[2]
        place = next(p for p in hun_places(die, len(wall)) if wall[p] < FIRST_FLOWER)
        body = {name: getattr(event, name) for name in event.__struct_fields__}
        body["indicator"] = NAMES[wall[place]]
        return HandStarted(**body, hun_die=die, hun_index=place)

    # --- draws ------------------------------------------------------------------------------------

    def due_draw(self, table: Table) -> tuple[int, str] | None:
        """QD-20, QD-23, QD-47: replacements first; an exchange nobody claims; the zone."""
        extra: QingdaoTable = table.extra
        if table.wins:
            return None
        if extra.due_count:
            return extra.due_seat, "tail"
        if extra.exchange and table.offer is not None:
            return table.offer.seat, "tail"
        if extra.zone:
            return ((table.turn + 1) % 4, "head") if table.remaining else None
        return super().due_draw(table)

    def cause(self, table: Table) -> Cause:
        """Why the tile that is due is drawn."""
        extra: QingdaoTable = table.extra
        if extra.due_count:
            return extra.due_cause
        if extra.exchange and table.offer is not None:
            return "niu"
        if table.phase == "replace" or (table.offer is not None and table.offer.gang):
            return "gang"
        return "hai_di" if self.only_draws(table) else "turn"

    def only_draws(self, table: Table) -> bool:
        """QD-23: whether the tiles left are those from which seats only draw."""
        return table.remaining <= LAST_TILES and self.zone_possible

    def taken(self, table: Table, kind: int, *, tail: bool) -> Taken:
        """Niu and flowers draw from the dragon tail, gangs from the tile before it."""
        return Taken(tail, kind, apart=self.apart(self.cause(table)))

    def places(self, draws: Sequence[Taken], *, length: int, turned: int) -> Iterator[int]:
        """The dragon tail has its own end, where the indicator is skipped."""
        head = 4 * self.hand_size + 1
        live = length - 1 - (TAIL_TILES if turned != NOTHING else 0)
        tail = length - 1
        for taken in draws:
            if taken.apart:
                tail -= tail == turned
                yield tail
                tail -= 1
            elif taken.tail:
                yield live
                live -= 1
            else:
                yield head
                head += 1

    def on_draw(self, table: Table, event: events.Draw, seq: int) -> Table:
        """A draw with its cause; one in the opening may be another seat's than the dealer's."""
        cause = self.cause(table)
        given = event.cause if isinstance(event, Draw) else None
        if given is not None and given != cause and self.due_draw(table) is not None:
            raise self.stop(
                "wrong_cause", f"This draw is made for {cause}.", expected=cause, actual=given
            )
        after = super().on_draw(table, event, seq)
        extra: QingdaoTable = after.extra
        seat = event.seat
        bit = 1 << seat
        due = extra.due_count
        apart = self.apart(cause)
        late = table.remaining <= LAST_TILES
        if due and seat != table.turn:
            # In the opening another seat replaces tiles; the turn stays the dealer's.
            after = replace(after, turn=table.turn, drawn=table.drawn, source=table.source)
        if apart:
            after = replace(after, remaining=table.remaining)
        if due > 1:
            after = replace(after, phase="replace")
        turned = extra.turned | bit if cause == "turn" else extra.turned
        own = after.turn == seat
        fresh = cause in {"turn", "hai_di"}
        made = replace(
            extra,
            cause=cause if own else extra.cause,
            claimed=extra.claimed and not fresh,
            niu_turn=extra.niu_turn and not fresh,
            exchange=False,
            due_count=max(0, due - 1),
            late=late and not apart,
            zone=extra.zone or cause == "hai_di",
            tail=extra.tail - apart,
            turned=turned,
            no_peng=changed(extra.no_peng, seat, "") if extra.no_peng[seat] else extra.no_peng,
            no_hu=changed(extra.no_hu, seat, "") if extra.no_hu[seat] else extra.no_hu,
        )
        return after if made == extra else replace(after, extra=made)

    def exhausted(self, table: Table) -> bool:
        """QD-22, QD-23: no tile is left to draw in turn, or the last of the zone is drawn."""
        if table.extra.zone:
            return not table.remaining and not table.wins
        return super().exhausted(table)

    # --- discards and claims ----------------------------------------------------------------------

    def on_discard(self, table: Table, event: Discard, seq: int) -> Table:
        """A discard closes the seat's niu and, the dealer's, the opening."""
        return self.moved(super().on_discard(table, event, seq), event.seat)

    def refuse_discard(
        self, table: Table, seat: int, kind: int, *, drawn: bool
    ) -> Violation | None:
        """QD-23: none in the zone. QD-57: what declares leaves a ready hand. QD-58: the draw."""
        extra: QingdaoTable = table.extra
        if extra.zone:
            return self.no("no_discard_in_zone", "On the last four tiles nothing is discarded.")
        if extra.declaring:
            if not self.ready_without(table, seat, kind):
                return self.no(
                    "ting_not_ready", f"Without {NAMES[kind]} the hand waits for no tile."
                )
            return None
        if extra.lou[seat] and not drawn:
            return self.no(
                "ting_locked",
                f"Seat {seat} has declared and discards the tile just drawn.",
                expected=NAMES[table.drawn],
                actual=NAMES[kind],
            )
        return None

    def refuse_claim(self, table: Table, seat: int, meld: Meld) -> Violation | None:
        """QD-25, QD-27, QD-32, QD-58."""
        tiles = parse(meld.tiles)
        if table.extra.lou[seat]:
            return self.no("ting_locked", f"Seat {seat} has declared and claims nothing.")
        if table.wild != NOTHING and count(tiles, table.wild):
            return self.no("hun_claim", "A hun takes no part in a claim.", actual=meld.tiles)
        if meld.kind == "chi":
            chis = sum(own.kind == "chi" for own in table.seats[seat].melds)
            if chis >= self.options.chi_max:
                return self.no(
                    "chi_max",
                    f"A seat may have {self.options.chi_max} chi melds.",
                    expected=self.options.chi_max,
                    actual=chis + 1,
                )
        elif has(parse(table.extra.no_peng[seat]), ONE[next(kinds_in(tiles))]):
            return self.no("guo_peng", f"Seat {seat} let a peng of it go and has not drawn since.")
        return None

    def on_chi(self, table: Table, event: Chi, seq: int) -> Table:
        """A chi begins a turn without a draw."""
        return self.began_by_claim(super().on_chi(table, event, seq), event.seat)

    def on_peng(self, table: Table, event: Peng, seq: int) -> Table:
        """A peng begins a turn without a draw, and is no peng let go."""
        after = self.began_by_claim(super().on_peng(table, event, seq), event.seat)
        barred = table.extra.no_peng[event.seat]
        if barred == after.extra.no_peng[event.seat]:
            return after
        no_peng = changed(after.extra.no_peng, event.seat, barred)
        return replace(after, extra=replace(after.extra, no_peng=no_peng))

    def began_by_claim(self, table: Table, seat: int) -> Table:
        """QD-19: in such a turn the seat neither wins nor makes a gang."""
        after = self.moved(table, seat)
        extra = replace(after.extra, claimed=True, niu_turn=False, exchange=False, cause="")
        return replace(after, extra=extra)

    def holds_tile(self, table: Table) -> bool:
        """QD-19: after a claim nobody wins or makes a gang; a declaration waits for its discard."""
        return not (table.extra.claimed or table.extra.declaring)

    def own_tile(self, table: Table) -> int:
        """The tile a seat wins on by itself: the drawn one or, when laid, the best of the others."""
        if table.drawn != NOTHING or table.phase != "act":
            return table.drawn
        seat = table.turn
        concealed = table.seats[seat].concealed
        found = []
        for kind in kinds_in(concealed):
            win = self.win_facts(table, seat, kind, by="zimo")
            chosen = best(self.hand(table, seat, concealed, kind), win, self.options)
            if chosen is not None:
                found.append((chosen.total, -kind))
        return -max(found)[1] if found else NOTHING

    # --- gangs ------------------------------------------------------------------------------------

    def refuse_gang(self, table: Table, seat: int, kind: int, gang: str) -> Violation | None:
        """QD-21, QD-27, QD-58."""
        if kind == table.wild:
            return self.no("hun_claim", "A hun takes no part in a gang.", actual=NAMES[kind])
        if table.extra.lou[seat]:
            return self.no("ting_locked", f"Seat {seat} has declared and makes no gang.")
        return self.no_replacement(table, "gang", 1)

    def on_gang(self, table: Table, event: events.Gang, seq: int) -> Table:
        """A gang closes the seat's niu and, the dealer's, the opening."""
        after = self.moved(super().on_gang(table, event, seq), event.seat)
        extra = after.extra
        if not (extra.claimed or extra.niu_turn or extra.exchange):
            return after
        made = replace(extra, claimed=False, niu_turn=False, exchange=False)
        return replace(after, extra=made)

    def gangs_of(self, table: Table, seat: int) -> Iterator[Event]:
        """The seat's gangs, as the events of this variant."""
        for gang in super().gangs_of(table, seat):
            if isinstance(gang, events.Gang):
                yield Gang(seat=seat, kind=gang.kind, tile=gang.tile)

    # --- winning ----------------------------------------------------------------------------------

    def on_hu(self, table: Table, event: Hu, seq: int) -> Table:
        """QD-35, QD-38: only a gang added to a peng is robbed."""
        robs = table.offer is not None and table.offer.gang
        if event.by == "qiang_gang" and not robs:
            raise self.stop("not_robbable", "No gang that can be robbed is on offer.")
        if event.by == "zimo" and table.offer is None and self.own_tile(table) == NOTHING:
            raise self.stop("shape", f"The tiles of seat {event.seat} are no winning shape.")
        return super().on_hu(table, event, seq)

    def winning(self, table: Table, seat: int, kind: int, *, by: str) -> Violation | None:
        """The tests of QD-69 for a hand being played."""
        holder = table.seats[seat]
        concealed = holder.concealed
        if by != "zimo":
            if self.options.zimo_only:
                return self.no("zimo_only", "This club allows self-drawn wins only.")
            concealed += ONE[kind]
            if concealed & FLOWERS_MASK or kind == table.wild:
                return before_shape(seat, concealed, (), kind, table.wild, by=by)
        elif concealed & FLOWERS_MASK:
            return before_shape(seat, concealed, (), kind, table.wild, by=by)
        wild = table.wild
        wilds = 0 if wild == NOTHING else count(concealed, wild)
        natural = concealed - wilds * ONE[wild] if wilds else concealed
        if not winning_shape(natural, wilds, len(holder.melds), self.options):
            return self.no("shape", f"The tiles of seat {seat} are no winning shape.")
        options = self.options
        if wilds or options.guo_hu or options.min_points or (table.wins and not options.multi_win):
            return self.after_shape(table, seat, kind, concealed, by=by)
        return None

    def after_shape(
        self, table: Table, seat: int, kind: int, concealed: Tiles, *, by: str
    ) -> Violation | None:
        """The tests of QD-69 that come after the shape."""
        win = self.win_facts(table, seat, kind, by=by)
        hand = self.hand(table, seat, concealed, kind)
        chosen = best(hand, win, self.options)
        assert chosen is not None, "the shape has been found good"
        violation = after_shape(hand, chosen, win, self.options)
        if violation is None and table.wins and not self.options.multi_win:
            first = table.wins[0].seat
            return self.no(
                "not_nearest",
                f"Only one seat wins on a tile, and seat {first} has.",
                expected=first,
                actual=seat,
            )
        return violation

    def win_facts(self, table: Table, seat: int, kind: int, *, by: str) -> WinFacts:
        """The facts of a win at this moment, as far as its worth goes."""
        holder = table.seats[seat]
        own = by == "zimo"
        return WinFacts(
            seat=seat,
            by=by,  # type: ignore[arg-type]  # the three words of ``chance``
            tile=NAMES[kind],
            concealed=write(holder.concealed - ONE[kind] if own else holder.concealed),
            melds=holder.melds,
            flowers=write(holder.flowers),
            flags=self.flags(table, seat, by=by),
        )

    def flags(self, table: Table, seat: int, *, by: str) -> tuple[str, ...]:
        """The facts of the moment (section 15)."""
        extra: QingdaoTable = table.extra
        found = []
        untouched = not extra.touched >> seat & 1
        if by == "zimo":
            kai = {"gang": "gang_kai", "niu": "niu_kai", "flower": "hua_kai"}.get(extra.cause)
            if kai:
                found.append(kai)
            if extra.late and self.options.mode == "quan_dai_jiang":
                found.append("hai_di")
            if untouched:
                found.append("tian_hu" if seat == table.dealer else "di_hu")
        elif by == "dianpao" and untouched:
            found.append("di_hu")
        if extra.lou[seat]:
            found.append(extra.lou[seat])
        found += self.hidden_flowers(table, seat)
        found += huang_flags(extra.huang_run)
        offer = table.offer
        if offer is not None and has(parse(extra.no_hu[seat]), ONE[offer.kind]):
            found.append("guo_hu")
        return tuple(found)

    def after_chance(self, table: Table) -> Table:
        """QD-32, QD-33: who lets a peng or a win go is barred from it until the own next draw."""
        offer = table.offer
        options = self.options
        if offer is None or not (options.guo_peng or options.guo_hu):
            return table
        for seat in SEATS:
            if options.guo_hu and self.may_win(table, seat):
                table = self.after_pass(table, seat)
            if options.guo_peng and seat != offer.seat and not offer.gang:
                table = self.bar_peng(table, seat, offer.kind)
        return table

    def bar_peng(self, table: Table, seat: int, kind: int) -> Table:
        """QD-32 for a seat that could have claimed this kind."""
        extra: QingdaoTable = table.extra
        able = count(table.seats[seat].concealed, kind) > 1 and kind != table.wild
        barred = parse(extra.no_peng[seat])
        if not able or extra.lou[seat] or count(barred, kind):
            return table
        no_peng = changed(extra.no_peng, seat, write(barred + ONE[kind]))
        return replace(table, extra=replace(extra, no_peng=no_peng))

    def after_pass(self, table: Table, seat: int) -> Table:
        """QD-33: a win on another seat's tile was let go expressly."""
        offer = table.offer
        if offer is None or not self.options.guo_hu:
            return table
        extra: QingdaoTable = table.extra
        barred = parse(extra.no_hu[seat])
        no_hu = changed(extra.no_hu, seat, write(barred | ONE[offer.kind]))
        return replace(table, extra=replace(extra, no_hu=no_hu))

    def actions(self, table: Table) -> Iterator[Event]:
        """The standard actions, and what the others may do in the opening."""
        yield from super().actions(table)
        if table.phase == "act" and table.extra.opening:
            for seat in SEATS:
                if seat != table.turn:
                    yield from self.niu_actions(table, seat)
                    yield from self.flower_actions(table, seat)
