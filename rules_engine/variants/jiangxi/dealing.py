"""The deal of the bao game, its indicator and its draws (JX-10 to JX-23, JX-30 to JX-33)."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from msgspec.structs import replace

from rules_engine.event_forms import EventField, dice_field, indicator_field
from rules_engine.events import Draw, HandStarted
from rules_engine.facts import HandFacts
from rules_engine.play import Play
from rules_engine.table import NOTHING, SEATS, Table, Taken, changed
from rules_engine.tiles import FLOWER_KINDS, KIND, NAMES, ONE, count
from rules_engine.variants.jiangxi.hands import is_diao
from rules_engine.variants.jiangxi.legality import followers
from rules_engine.variants.jiangxi.melds import ALL_TILES
from rules_engine.variants.jiangxi.options import JiangxiOptions
from rules_engine.variants.jiangxi.state import ALL_WILDS, JiangxiTable

WALL: Final = 136
DEALT: Final = 53
"""The place in the wall of the first tile that is drawn (JX-30)."""
IN_PLAY: Final = WALL - DEALT - 1
"""Tiles to draw after the deal, the indicator left out (JX-14)."""


class Dealing(Play):
    """The deal and the draws; what the seats do with the tiles is in ``play``."""

    tiles = ALL_TILES
    options: JiangxiOptions

    # --- the deal and the game around the hands ---------------------------------------------------

    def first_dealer(self) -> int:
        """JX-21."""
        return 0

    def rotate(
        self, memory: Any, facts: HandFacts | None, dealer: int, streak: int
    ) -> tuple[int, int, Any]:
        """JX-22, JX-23: the winner deals, the first of several in turn; nobody: the same again."""
        if facts is None:
            return dealer, streak, memory
        wins = facts.wins
        if not wins:
            deals_next = dealer
        elif self.options.next_dealer == "winner":
            deals_next = min(wins, key=lambda win: (win.seat - (win.from_ or 0)) % 4).seat
        else:
            deals_next = dealer if any(win.seat == dealer for win in wins) else (dealer + 1) % 4
        return deals_next, streak + 1 if deals_next == dealer else 1, memory

    def deal_fields(self) -> tuple[EventField, ...]:
        """JX-12: the dice and the indicator."""
        return dice_field(self.dice, optional=False), indicator_field(self.tiles)

    def opening(self, table: Table, memory: Any) -> Table:
        """JX-12 to JX-14: the dice and the indicator, which name the wild and leave the wall."""
        dice = table.dice
        if len(dice) != self.dice or not all(1 <= die <= 6 for die in dice):
            raise self.stop(
                "bad_dice",
                f"The dealer rolls {self.dice} dice for the indicator.",
                expected=self.dice,
                actual=list(dice),
            )
        indicator = table.indicator
        if indicator == NOTHING or indicator in FLOWER_KINDS:
            raise self.stop(
                "bad_indicator",
                "A deal names the tile that is turned up: it decides what is bao.",
                actual=None if indicator == NOTHING else NAMES[indicator],
            )
        wild = followers(self.options.honour_cycle)[indicator]
        outside_turn = [seat.concealed for seat in table.seats]
        wilds = [count(tiles, wild) for tiles in outside_turn]
        outside_turn[table.dealer] -= ONE[table.drawn]
        return replace(
            table,
            unseen=self.take(table.unseen, ONE[indicator]),
            remaining=table.remaining - 1,
            wild=wild,
            indicator_place=WALL - 2 * sum(dice),
            extra=JiangxiTable(
                wilds=(wilds[0], wilds[1], wilds[2], wilds[3]),
                diao=sum(1 << seat for seat in SEATS if is_diao(outside_turn[seat], 0, wild)),
            ),
        )

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
        """The deal from a wall, with the indicator the dice lead to."""
        event = super().deal_from(
            wall, hand=hand, dealer=dealer, streak=streak, dice=dice, commitment=commitment
        )
        return replace(event, indicator=NAMES[wall[WALL - 2 * sum(dice)]])

    # --- draws ------------------------------------------------------------------------------------

    def drawable(self, table: Table) -> int:
        """JX-15: tiles for ordinary draws."""
        left: int = table.remaining - self.options.reserve
        if self.options.draw_end == "all_tiles":
            return left
        taken = IN_PLAY - table.remaining - table.extra.tail_draws
        ahead: int = table.indicator_place - DEALT - taken
        return min(left, ahead)

    def replaceable(self, table: Table) -> int:
        """JX-15, JX-33: tiles for replacement draws."""
        left: int = table.remaining - self.options.reserve
        if self.options.draw_end == "all_tiles":
            return left
        behind: int = WALL - 1 - table.indicator_place - table.extra.tail_draws
        return min(left, behind)

    def places(self, draws: Sequence[Taken], *, length: int, turned: int) -> Iterator[int]:
        """JX-14: a draw that would take the indicator takes the next place beyond it."""
        head, tail = DEALT, length - 1
        for taken in draws:
            if taken.tail:
                tail -= tail == turned
                yield tail
                tail -= 1
            else:
                head += head == turned
                yield head
                head += 1

    def on_draw(self, table: Table, event: Draw, seq: int) -> Table:
        """A draw counts wilds and lifts the drawer's locks (JX-52)."""
        kind = KIND[event.tile]
        if kind == table.indicator and not count(table.unseen, kind):
            raise self.stop(
                "indicator_out_of_play",
                f"The fourth {event.tile} lies face up as the indicator and is not drawn.",
                actual=event.tile,
            )
        after = super().on_draw(table, event, seq)
        extra: JiangxiTable = after.extra
        seat = event.seat
        bit = 1 << seat
        tail = event.source == "tail"
        wild = after.drawn == table.wild
        if not (tail or wild or extra.locked & bit or extra.no_peng[seat]):
            return after
        wilds, no_peng, fourth_seq = extra.wilds, extra.no_peng, extra.fourth_seq
        if wild:
            wilds = changed(wilds, seat, wilds[seat] + 1)
            fourth_seq = seq if wilds[seat] == ALL_WILDS else 0
        if no_peng[seat]:
            no_peng = changed(no_peng, seat, "")
        made = replace(
            extra,
            wilds=wilds,
            tail_draws=extra.tail_draws + tail,
            locked=extra.locked & ~bit,
            no_peng=no_peng,
            fourth_seq=fourth_seq,
        )
        return replace(after, extra=made)
