"""What the seats that did not win compare with one another (section 11, RA-90 to RA-94)."""

from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from rules_engine.facts import HandFacts
from rules_engine.groups import STANDING_KINDS
from rules_engine.shapes import ORPHANS
from rules_engine.table import NOTHING
from rules_engine.tiles import Tiles, of_kinds, parse
from rules_engine.variants.ruian.flags import cause_of
from rules_engine.variants.ruian.items import round_up
from rules_engine.variants.ruian.legality import Seated, flower_of
from rules_engine.variants.ruian.melds import FA, ZHONG, melded, own_wind
from rules_engine.variants.ruian.options import RuianOptions

_FIVE_OF_EACH: Final[Tiles] = 5 * of_kinds(STANDING_KINDS)
_SIX_OF_EACH: Final[Tiles] = 6 * of_kinds(STANDING_KINDS)
_HIGH_BITS: Final[Tiles] = 8 * of_kinds(STANDING_KINDS)
_VALUED: Final[Tiles] = 8 * of_kinds((ZHONG, FA))


class Own(Struct, frozen=True):
    """What a seat has of its own (RA-90): ``hu``, ``tai`` and the value L, rounded."""

    seat: int
    hu: int
    tai: int
    value: int


def compares(facts: HandFacts, options: RuianOptions) -> bool:
    """Whether anything is compared after this hand (RA-86, RA-92, RA-93)."""
    if options.value_mode == "flat" or options.side_settlement == "off":
        return False
    return bool(facts.wins) or (options.draw_side_settlement and not cause_of(facts))


def owns(facts: HandFacts, winner: int | None, options: RuianOptions) -> tuple[Own, ...]:
    """The values of all seats but the winner; a seat nothing is told of has none."""
    everybody: tuple[Seated, ...] = (*facts.wins, *facts.table)
    told = {each.seat: each for each in everybody}
    flower = flower_of(facts, options)
    return tuple(
        [
            own_of(told[seat], facts.dealer, flower, options)
            if seat in told
            else Own(seat, 0, 0, 0)
            for seat in range(4)
            if seat != winner
        ]
    )


def own_of(each: Seated, dealer: int, flower: int, options: RuianOptions) -> Own:
    """The value of one seat: flowers, melds, concealed triplets and pairs of worth (RA-90)."""
    melds = melded(each.melds)
    own = own_wind(each.seat, dealer)
    flowers = max(0, len(each.flowers) - 1)
    hu = 4 * flowers + melds.hu
    tai = flowers + melds.sets.count(ZHONG) + melds.sets.count(FA) + melds.sets.count(own)
    if options.side_settlement == "full":
        held = parse(each.concealed)
        if flower != NOTHING:
            held &= ~(15 << 4 * flower)
        # A count of three or more, or of two or more, reaches the highest of its four bits.
        triplets = held + _FIVE_OF_EACH & _HIGH_BITS
        pairs = held + _SIX_OF_EACH & _HIGH_BITS & ~triplets
        valued = _VALUED | 8 << 4 * own
        hu += 4 * (triplets.bit_count() + (triplets & ORPHANS).bit_count())
        hu += 2 * (pairs & valued).bit_count()
        tai += (triplets & valued).bit_count()
    value = round_up(min(hu << tai, options.lazhi_value), options.round_to)
    return Own(each.seat, hu, tai, value)


def differences(
    owned: tuple[Own, ...], facts: HandFacts, options: RuianOptions
) -> Iterator[tuple[Own, Own, int]]:
    """Each two seats of different value, the poorer first, and the hu it pays (RA-91)."""
    for place, one in enumerate(owned):
        for other in owned[place + 1 :]:
            if one.value != other.value:
                poor, rich = (one, other) if one.value < other.value else (other, one)
                hu = rich.value - poor.value
                yield poor, rich, between(hu, poor.seat, rich.seat, facts.dealer, options)


def between(hu: int, one: int, other: int, dealer: int, options: RuianOptions) -> int:
    """What two seats settle of an amount: half where neither deals (RA-80, RA-91)."""
    if dealer in (one, other) or not options.half_between_xian:
        return hu
    return round_up(-(-hu // 2), options.round_to)
