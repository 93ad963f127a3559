"""Where tiles lie in the wall: slots and stacks, the reserve, the way of the dice (HY-11 to HY-15).

The slots still in the wall are a number with bit ``slot`` set. Stack ``k`` is slots ``2k`` (its
upper tile) and ``2k + 1``.
"""

from collections.abc import Sequence
from typing import Final

from rules_engine.table import NOTHING

SLOTS: Final = 136
_UPPER: Final = sum(1 << slot for slot in range(0, SLOTS, 2))
DEALT: Final = f"{(1 << SLOTS) - (1 << 53):x}"
"""The wall after the deal: the first 53 slots are gone."""


def without(wall: int, slot: int) -> int:
    """The wall without the slot of the bao set aside, which no draw takes."""
    return wall if slot == NOTHING else wall & ~(1 << slot)


def whole_stacks(wall: int) -> int:
    """The upper slots of the whole stacks."""
    return wall & wall >> 1 & _UPPER


def open_slots(wall: int, reserve: int) -> int:
    """The slots before the reserve of so many stacks (HY-14)."""
    last = (whole_stacks(wall).bit_length() - 1) >> 1
    limit = 2 * (last - reserve + 1)
    return wall & (1 << limit) - 1 if limit > 0 else 0


def head_slot(wall: int) -> int:
    """The slot of a normal draw, the bao being left out (HY-12)."""
    return (wall & -wall).bit_length() - 1


def tail_slot(wall: int) -> int:
    """The slot of a replacement draw, the bao being left out: upper before lower (HY-13)."""
    upper = (wall.bit_length() - 1) & ~1
    return upper if wall >> upper & 1 else upper + 1


def slot_of(wall: int, number: int) -> int:
    """The upper slot of the whole stack with this number from the tail, or ``NOTHING`` (HY-15)."""
    stacks = whole_stacks(wall)
    for _ in range(number - 1):
        stacks &= (1 << max(stacks.bit_length() - 1, 0)) - 1
    return stacks.bit_length() - 1


def good_sums(wall: int, dice: int, used: Sequence[int]) -> list[int]:
    """The sums of so many dice that lead to a slot that was not bao before in this hand."""
    sums = range(dice, 6 * dice + 1)
    return [each for each in sums if slot_of(wall, each) not in (NOTHING, *used)]
