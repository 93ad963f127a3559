"""What the seats that did not win compare with one another (section 11, RA-90 to RA-94)."""

from collections.abc import Iterator

from msgspec import Struct

from rules_engine.facts import HandFacts
from rules_engine.tiles import count, kinds_in, parse
from rules_engine.variants.ruian.flags import cause_of
from rules_engine.variants.ruian.items import round_up
from rules_engine.variants.ruian.legality import Seated, flower_of, told_of
from rules_engine.variants.ruian.melds import FA, ZHONG, is_yao, melded, own_wind
from rules_engine.variants.ruian.options import RuianOptions


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
    told = {each.seat: each for each in told_of(facts)}
    return tuple(
        own_of(told[seat], facts, options) if seat in told else Own(seat, 0, 0, 0)
        for seat in range(4)
        if seat != winner
    )


def own_of(each: Seated, facts: HandFacts, options: RuianOptions) -> Own:
    """The value of one seat: flowers, melds, concealed triplets and pairs of worth (RA-90)."""
    melds = melded(each.melds)
    valued = (ZHONG, FA, own_wind(each.seat, facts.dealer))
    flowers = max(0, len(each.flowers) - 1)
    hu = 4 * flowers + sum(
        (1 + yao) * (2 * pengs + 8 * open_gangs + 16 * an_gangs)
        for yao, (pengs, open_gangs, an_gangs) in enumerate(
            zip(melds.pengs, melds.open_gangs, melds.an_gangs, strict=True)
        )
    )
    tai = flowers + sum(kind in valued for kind in melds.sets)
    if options.side_settlement == "full":
        concealed = parse(each.concealed)
        flower = flower_of(facts, options)
        for kind in kinds_in(concealed):
            held = count(concealed, kind)
            if kind == flower:
                continue
            if held > 2:
                hu += 8 if is_yao(kind) else 4
                tai += kind in valued
            elif held == 2 and kind in valued:
                hu += 2
    value = round_up(min(hu << tai, options.lazhi_value), options.round_to)
    return Own(each.seat, hu, tai, value)


def differences(
    owned: tuple[Own, ...], facts: HandFacts, options: RuianOptions
) -> Iterator[tuple[Own, Own, int]]:
    """Each two seats of different value, the poorer first, and the hu it pays (RA-91)."""
    for place, one in enumerate(owned):
        for other in owned[place + 1 :]:
            poor, rich = sorted((one, other), key=lambda own: own.value)
            hu = rich.value - poor.value
            if hu:
                yield poor, rich, between(hu, poor.seat, rich.seat, facts.dealer, options)


def between(hu: int, one: int, other: int, dealer: int, options: RuianOptions) -> int:
    """What two seats settle of an amount: half where neither deals (RA-80, RA-91)."""
    if dealer in (one, other) or not options.half_between_xian:
        return hu
    return round_up(-(-hu // 2), options.round_to)
