"""The wall as a list of tiles: what a deal from it looks like, and whether a revealed one is true.

A recorded wall lists the tiles in the order in which they are dealt and drawn from the head; the
tail moves down from its end.
"""

import hashlib
from collections.abc import Iterator, Sequence

import msgspec

from rules_engine.errors import Violation
from rules_engine.events import HandStarted, WallRevealed
from rules_engine.facts import TileText
from rules_engine.questions import Questions
from rules_engine.table import NOTHING, SEATS, Taken
from rules_engine.tiles import KIND, NAMES, ONE, Tiles, size, write


class Committed(msgspec.Struct, frozen=True):
    """The commitment of a hand's wall, and every tile that was seen to leave the wall.

    ``turned`` is the place in the wall and the kind of a tile turned up, ``NOTHING`` for unknown.
    """

    commitment: str
    dealer: int
    dealt: tuple[TileText, ...]
    draws: tuple[Taken, ...]
    turned: tuple[int, int] = (NOTHING, NOTHING)
    dice: tuple[int, ...] = ()


class Walls(Questions):
    """Dealing from a wall, and comparing one with what was dealt and drawn."""

    def deal_order(self, dealer: int) -> Iterator[int]:
        """The seat each tile from the head is dealt to: 4+4+4+1 each, then the dealer's last."""
        in_turn = [(dealer + step) % 4 for step in SEATS]
        for _ in range(self.hand_size // 4):
            for seat in in_turn:
                yield from (seat,) * 4
        for _ in range(self.hand_size % 4):
            yield from in_turn
        yield dealer

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
        """The deal of a hand from this wall. A variant that turns up a tile names it here."""
        dealt = sum(1 for _ in self.deal_order(dealer))
        return HandStarted(
            hand=hand,
            dealer=dealer,
            dealt=tuple(write(tiles) for tiles in self.hands_dealt(wall, dealer, dice)),
            last=NAMES[wall[dealt - 1]],
            streak=streak,
            dice=dice,
            wall_commitment=commitment,
        )

    def line(self, wall: Sequence[int], turned: int) -> Sequence[int]:
        """The tiles of a recorded wall in the order in which they are dealt and drawn.

        ``turned`` is the place of a tile turned up, or ``NOTHING``. A variant that records its
        walls as they stand says here where the deal begins.
        """
        return wall

    def hands_dealt(
        self, wall: Sequence[int], dealer: int, dice: tuple[int, ...] = ()
    ) -> tuple[Tiles, ...]:
        """The tiles each seat is dealt from this wall. In some games the dice say who is first."""
        hands = [0, 0, 0, 0]
        for seat, kind in zip(self.deal_order(dealer), wall, strict=False):
            hands[seat] += ONE[kind]
        return tuple(hands)

    def refuse_wall(self, committed: Committed, event: WallRevealed) -> Violation | None:
        """Where a revealed wall contradicts the commitment, the deal or a draw; None if nowhere."""
        salted = bytes.fromhex(event.salt) + "".join(event.wall).encode()
        digest = hashlib.sha256(salted).hexdigest()
        if digest != committed.commitment:
            return self.no(
                "commitment_broken",
                "This wall and salt do not give the commitment of the deal.",
                expected=committed.commitment,
                actual=digest,
            )
        wall = [KIND[name] for name in event.wall]
        # Sixteen of a kind would run over into the next kind of the sum, but not at this length.
        if len(wall) != size(self.tiles) or sum(ONE[kind] for kind in wall) != self.tiles:
            return self.no("wall_differs", "The wall does not hold exactly the tiles of the game.")
        line = self.line(wall, committed.turned[0])
        for seat, tiles in enumerate(self.hands_dealt(line, committed.dealer, committed.dice)):
            if write(tiles) != committed.dealt[seat]:
                return self.no(
                    "wall_differs",
                    f"By this wall seat {seat} would have been dealt other tiles.",
                    expected=write(tiles),
                    actual=committed.dealt[seat],
                )
        place, indicator = committed.turned
        if place != NOTHING and wall[place] != indicator:
            return self.no(
                "wall_differs",
                f"By this wall another tile would have been turned up at place {place}.",
                expected=NAMES[wall[place]],
                actual=NAMES[indicator],
            )
        return self.draws_differ(wall, committed)

    def draws_differ(self, wall: Sequence[int], committed: Committed) -> Violation | None:
        """The first draw of the hand that would have been another tile by this wall."""
        places = self.places(committed.draws, length=len(wall), turned=committed.turned[0])
        for number, (taken, place) in enumerate(zip(committed.draws, places, strict=True), start=1):
            kind = wall[place]
            if kind != taken.kind:
                return self.no(
                    "wall_differs",
                    f"By this wall draw {number} of the hand would have been another tile.",
                    expected=NAMES[kind],
                    actual=NAMES[taken.kind],
                )
        return None

    def places(self, draws: Sequence[Taken], *, length: int, turned: int) -> Iterator[int]:
        """Where in a wall of this length each of these draws was taken from, in their order.

        ``turned`` is the place of a tile turned up, or ``NOTHING``.
        """
        head, tail = sum(1 for _ in self.deal_order(0)), length - 1
        for taken in draws:
            yield tail if taken.tail else head
            head, tail = (head, tail - 1) if taken.tail else (head + 1, tail)
