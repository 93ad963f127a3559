"""The deal of Qingdao mahjong, its hun, and where in the wall draws come from (QD-6 to QD-20)."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from msgspec.structs import replace

from rules_engine import events
from rules_engine.event_forms import (
    DIE_FACES,
    Choice,
    EventField,
    dice_field,
    indicator_field,
)
from rules_engine.table import NOTHING, Table, Taken
from rules_engine.tiles import (
    FLOWERS_MASK,
    KIND,
    NAMES,
    ONE,
    size,
)
from rules_engine.variants.qingdao.acts import FIRST_FLOWER, Acts
from rules_engine.variants.qingdao.moments import LAST_TILES
from rules_engine.variants.qingdao.state import (
    Cause,
    HandStarted,
    QingdaoMemory,
    QingdaoTable,
)
from rules_engine.words import counted

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


class Deal(Acts):
    """The deal with the indicator, and the two ends of the wall beside the head."""

    def opening(self, table: Table, memory: QingdaoMemory) -> Table:
        """The variant's own state at the deal."""
        return replace(table, extra=QingdaoTable(huang_run=memory.huang_run))

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

    def deal_fields(self) -> tuple[EventField, ...]:
        """QD-16, QD-8: two dice; with hun the die, the flowers on its way, and the indicator."""
        dice = dice_field(2)
        if not self.options.hun:
            return (dice,)
        way = EventField(
            name="hun_die",
            kind="choice",
            choices=tuple(self._ways()),
            zh="翻混的骰子",
            en="Die for the hun",
        )
        return dice, way, indicator_field(self.tiles)

    def _ways(self) -> Iterator[Choice]:
        """Each die, without a flower on its way and with as many as can lie there."""
        for passed in range(size(self.tiles & FLOWERS_MASK) + 1):
            for die in range(1, DIE_FACES + 1):
                place = next(islice(hun_places(die, size(self.tiles)), passed, None))
                yield Choice(
                    values={"hun_die": die, "hun_index": place},
                    zh=f"{die} 点，跳过 {passed} 花" if passed else f"{die} 点",
                    en=f"{die}, past {counted(passed, 'flower')}" if passed else f"{die}",
                )

    def _skipped(self, die: int, place: int) -> int:
        """How many tiles of the tail lie before this place on the way of the die."""
        way = list(hun_places(die, size(self.tiles)))
        return way.index(place) if place in way else len(way)

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
