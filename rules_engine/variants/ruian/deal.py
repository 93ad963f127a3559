"""The wall of Rui'an mahjong: opening, indicator, the two ends, the dead wall (RA-6 to RA-27)."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from rules_engine import events
from rules_engine.errors import Violation
from rules_engine.event_forms import EventField, dice_field, indicator_field
from rules_engine.events import HandStarted
from rules_engine.play import Play
from rules_engine.readings import EVERY_KIND
from rules_engine.table import NOTHING, SEATS, Table, Taken
from rules_engine.tiles import KIND, NAMES, ONE, count
from rules_engine.variants.ruian.flags import FOUR_GANGS, FOUR_SAME_WINDS, TRIPLE_HU
from rules_engine.variants.ruian.melds import WINDS, flower_kind
from rules_engine.variants.ruian.options import RuianOptions
from rules_engine.variants.ruian.state import HandEnded, RuianMemory, RuianTable

STACKS: Final = 17
"""Stacks of two in each seat's wall (RA-6)."""
WALL: Final = 8 * STACKS
HAI_DI: Final = 4
"""The tiles before the dead wall (RA-24)."""
_DEALT: Final = 65
_SERVER_RESERVE: Final = 14
_FIRST_GANG_RESERVE: Final = 4
_ALL_GANGS: Final = 4


def indicator_place(dice: Sequence[int], dealer: int) -> int:
    """The place in a recorded wall of the tile turned up (RA-7, RA-10)."""
    opener = (dealer + dice[0] + dice[1] - 1) % 4
    stack = (STACKS * ((4 - opener) % 4) + sum(dice) - 1) % (4 * STACKS)
    return 2 * stack + 1


class Deal(Play):
    """The deal, and how far the wall reaches."""

    options: RuianOptions
    hand_size = 16
    dice = 4

    def __init__(self, options: RuianOptions) -> None:
        super().__init__(options)
        self.tiles = EVERY_KIND

    def deal(self, event: HandStarted, memory: RuianMemory) -> Table:
        """RA-7, RA-8, RA-18: the deal, then the tile turned up, whose kind is the wild."""
        dice = event.dice
        if dice and not (len(dice) == self.dice and all(1 <= die <= 6 for die in dice)):
            message = "The dealer rolls two dice, then the opener two."
            raise self.stop("bad_dice", message, expected=4, actual=list(dice))
        if event.wall_commitment and not dice:
            message = "In a committed wall the dice say where the deal begins."
            raise self.stop("bad_dice", message, expected=4, actual=[])
        table = super().deal(event, memory)
        if event.indicator is None or event.indicator[1] == "f":
            message = "A deal names the tile turned up."
            raise self.stop("bad_indicator", message, expected="a tile", actual=event.indicator)
        wild = KIND[event.indicator]
        flower = flower_kind(wild, self.options.flower_when_white_wild)
        return self.next_flower(
            replace(
                table,
                unseen=self.take(table.unseen, ONE[wild]),
                remaining=table.remaining - 1,
                wild=wild,
                indicator_place=indicator_place(dice, event.dealer) if dice else NOTHING,
                extra=RuianTable(flower=flower),
            )
        )

    def deal_fields(self) -> tuple[EventField, ...]:
        """RA-7, RA-8: four dice, and the tile turned up, which is of the wild kind."""
        return dice_field(self.dice), indicator_field(self.tiles)

    def deal_from(
        self,
        wall: Sequence[int],
        *,
        hand: int,
        dealer: int,
        streak: int,
        dice: tuple[int, ...] = (),
        commitment: str | None = None,
    ) -> HandStarted:
        """The deal from a wall as it stands, by the dice."""
        place = indicator_place(dice, dealer)
        event = super().deal_from(
            self.line(wall, place),
            hand=hand,
            dealer=dealer,
            streak=streak,
            dice=dice,
            commitment=commitment,
        )
        return replace(event, indicator=NAMES[wall[place]])

    def line(self, wall: Sequence[int], turned: int) -> Sequence[int]:
        """RA-10: the draw line begins behind the tile turned up and ends before it."""
        return [*wall[turned + 1 :], *wall[: max(turned, 0)]]

    def places(self, draws: Sequence[Taken], *, length: int, turned: int) -> Iterator[int]:
        """RA-10, RA-22: where in the recorded wall each of these draws was taken from."""
        head, tail = _DEALT, length - 2
        for taken in draws:
            yield (turned + 1 + (tail if taken.tail else head)) % length
            head, tail = (head, tail - 1) if taken.tail else (head + 1, tail)

    # --- flowers ----------------------------------------------------------------------------------

    def next_flower(self, table: Table) -> Table:
        """RA-19: the seat that sets a flower aside next; when none is left the opening is over."""
        extra: RuianTable = table.extra
        due = NOTHING
        if extra.flower != NOTHING:
            for seat in (*SEATS[table.dealer :], *SEATS[: table.dealer]):
                if count(table.seats[seat].concealed, extra.flower):
                    due = seat
                    break
        return replace(table, extra=replace(extra, opening=due != NOTHING, flower_due=due))

    # --- the end of the wall ----------------------------------------------------------------------

    def dead_wall(self, table: Table) -> int:
        """王牌 RA-23: how many tiles are left for replacements alone."""
        extra: RuianTable = table.extra
        if self.options.reserve == "server":
            gangs = extra.gangs
            return _SERVER_RESERVE + (_FIRST_GANG_RESERVE + 2 * (gangs - 1) if gangs else 0)
        return 2 * self.options.reserve_stacks + 1 - extra.replaced % 2

    def drawable(self, table: Table) -> int:
        """RA-24: the ordinary draws that are left before the hai-di tiles."""
        return max(0, table.remaining - self.dead_wall(table) - HAI_DI)

    def hai_di_tiles(self, table: Table) -> int:
        """RA-25: how many hai-di tiles are dealt."""
        floating = 2 * self.options.reserve_stacks
        dead = self.dead_wall(table) if self.options.reserve == "server" else floating
        return min(HAI_DI, max(0, table.remaining - dead))

    def due_draw(self, table: Table) -> tuple[int, str] | None:
        """RA-19 to RA-26: flowers first; the last tiles one each; nothing after an early end."""
        extra: RuianTable = table.extra
        if self.early_end(table) or (extra.flower_due != NOTHING and table.phase == "act"):
            return None
        if extra.dealing_last:
            more = extra.left > 0 and not table.wins
            return ((table.turn + 1) % 4, "head") if more else None
        offer = table.offer
        if offer is None or offer.gang or table.wins or self.drawable(table):
            return super().due_draw(table)
        return ((offer.seat + 1) % 4, "head") if self.hai_di_tiles(table) else None

    def early_end(self, table: Table) -> str:
        """RA-52: what ends the hand as a draw, once nobody wins on the tile that would."""
        options = self.options
        if table.wins:
            return TRIPLE_HU if options.triple_hu_draw and len(table.wins) == 3 else ""
        offer = table.offer
        if options.four_gangs_draw:
            offered = offer is not None and offer.gang != ""
            if table.extra.gangs + offered >= _ALL_GANGS:
                return FOUR_GANGS
        if options.four_same_winds_draw and offer is not None and not offer.gang:
            ponds = [each.pond for each in table.seats]
            first = {tile.kind for pond in ponds for tile in pond}
            untouched = not any(tile.taken for pond in ponds for tile in pond)
            if len(first) == 1 and offer.kind in WINDS and untouched:
                return FOUR_SAME_WINDS if all(len(pond) == 1 for pond in ponds) else ""
        return ""

    def refuse_end(self, table: Table, event: events.HandEnded) -> Violation | None:
        """RA-52: a cause that is told is the one there is."""
        given = event.cause if isinstance(event, HandEnded) else None
        if given is None:
            return None
        cause = self.early_end(table) or ("" if table.wins else "exhausted")
        if event.reason == "huang_zhuang" and given == cause:
            return None
        return self.no(
            "wrong_cause", "This did not end the hand.", expected=cause or None, actual=given
        )
