"""What may be declared a win in Huaiyuan mahjong: the checks of HY-56 in their order.

``read_hands`` turns the facts of a result into hands and their best readings, or says what is
wrong. Facts that contradict themselves are refused as well (section 15).
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from rules_engine.consistency import contradiction
from rules_engine.errors import Violation, no
from rules_engine.facts import HandFacts, Holding, WinFacts
from rules_engine.tiles import KIND, NAMES, ONE, Tiles, count, has, kind_of, kinds_in, parse, size
from rules_engine.variants.huaiyuan.flags import bad_flags
from rules_engine.variants.huaiyuan.hands import (
    SETS,
    Case,
    Hand,
    is_closed,
    is_narrow_wait,
    legal_cases,
)
from rules_engine.variants.huaiyuan.items import ITEMS, Win
from rules_engine.variants.huaiyuan.melds import ALL_TILES, bad_melds, melded
from rules_engine.variants.huaiyuan.options import HuaiyuanOptions
from rules_engine.variants.huaiyuan.state import RULES

REASONS: Final[Mapping[str, tuple[str, str]]] = {
    "no_shape": ("HY-55", "The tiles are not four melds and a pair."),
    "missing_suit": ("HY-60", "A win needs tiles of all three suits."),
    "no_yaojiu": ("HY-61", "A win needs a 1 or a 9, or an honour."),
    "no_kezi": ("HY-62", "A win needs a triplet, a gang or a pair of dragons."),
    "shou_ba_yi": ("HY-64", "With one tile in hand only all triplets wins."),
    "li_hu_forbidden": ("HY-63", "A closed hand may not win in this club."),
}
"""The rule and the sentence of each reason a hand's tiles are refused for."""


class Weighed(Struct, frozen=True):
    """A reading with what it is worth: fan by item, in the order of the items."""

    case: Case
    win: Win
    points: dict[str, int]

    @property
    def fan(self) -> int:
        """The sum F of HY-88."""
        return sum(self.points.values())


class Read(Struct, frozen=True):
    """A legal winner: its facts, its hand and the reading that counts."""

    win: WinFacts
    hand: Hand
    chosen: Weighed


def told_of(facts: HandFacts) -> tuple[WinFacts | Holding, ...]:
    """Every seat the facts tell of, the winners first."""
    return (*facts.wins, *facts.table)


def read_hands(facts: HandFacts, options: HuaiyuanOptions) -> tuple[Read, ...] | Violation:
    """The winners' hands in the order of the facts, or the first check that fails."""
    found = _second_winner(facts, options) or contradiction(facts, RULES) or _tiles(facts)
    if found is None:
        holders = ((each.seat, each.melds) for each in facts.table)
        bad = (bad_melds(seat, melds, options) for seat, melds in holders)
        found = next((each for each in bad if each is not None), None) or bad_flags(facts, options)
    if found is not None:
        return found
    read = []
    for win in facts.wins:
        answer = _read(win, facts, options)
        if isinstance(answer, Violation):
            return answer
        read.append(answer)
    if facts.wild is not None and not options.bao_enabled:
        return Violation("bao_disabled", "This club plays without the bao.", "HY-52")
    return tuple(read)


def _read(win: WinFacts, facts: HandFacts, options: HuaiyuanOptions) -> Read | Violation:
    """One winner's hand and its best reading, or the first check of HY-56 it fails."""
    found = bad_melds(win.seat, win.melds, options) or _before_shape(win, options)
    if found is not None:
        return found
    hand = hand_of(win, facts.wild)
    chosen = best(hand, win, facts.dealer, options)
    if isinstance(chosen, str):
        rule, message = REASONS[chosen]
        expected = 3 * (SETS - hand.melds.size) + 1
        held = size(hand.concealed)
        if held != expected:
            message += f" It has {held} tiles in hand and should have {expected}."
        return no(chosen, rule, win.seat, message, expected, held)
    return Read(win, hand, chosen)


def _before_shape(win: WinFacts, options: HuaiyuanOptions) -> Violation | None:
    """Checks 3 to 6 of HY-56."""
    seat, flags = win.seat, win.flags
    if win.by == "qiang_gang" and not options.qiang_gang_enabled:
        message = "This club does not rob gangs."
        return no("qiang_gang_disabled", "HY-46", seat, message, "zimo or dianpao", win.by)
    if options.ting_required and "ting" not in flags:
        message = "Only a seat that has declared ting may win here."
        return no("ting_required", "HY-51", seat, message, "ting", list(flags))
    if "dui_bao" in flags and not options.bao_enabled:
        return no("bao_disabled", "HY-52", seat, "This club plays without the bao.", None, "bao")
    if "dui_bao" in flags and "ting" not in flags:
        message = "Only a seat in ting looks at the bao."
        return no("dui_bao_not_ting", "HY-53", seat, message, "ting", list(flags))
    return None


def hand_of(win: WinFacts, wild: str | None) -> Hand:
    """The hand a winner's facts describe."""
    drawn = win.by == "zimo" and "ting" in win.flags and "dui_bao" not in win.flags
    return Hand(
        concealed=parse(win.concealed),
        tile=kind_of(win.tile),
        melds=melded(win.melds),
        wild=drawn and win.tile == wild,
        counted="last_in_gang" not in win.flags,
    )


def weigh_all(
    hand: Hand, win: WinFacts, dealer: int, options: HuaiyuanOptions
) -> list[Weighed] | str:
    """Every reading that may win with what it is worth, or why none may."""
    cases = legal_cases(hand, options)
    if isinstance(cases, str):
        return cases
    found = []
    for case in cases:
        made = Win(
            options=options,
            zimo=win.by == "zimo",
            narrow=is_narrow_wait(hand, case, options),
            bao=hand.wild,
            dui_bao="dui_bao" in win.flags,
            piao=case.piao,
            dealer=win.seat == dealer,
            closed=is_closed(hand.melds, options),
        )
        lines = [(item.id, item.points(made)) for item in ITEMS]
        found.append(Weighed(case, made, {item_id: fan for item_id, fan in lines if fan}))
    return found


def rank(each: Weighed) -> tuple[int, bool, bool]:
    """The order of HY-88, the reading that counts first."""
    return -each.fan, not each.case.piao, not each.win.narrow


def best(hand: Hand, win: WinFacts, dealer: int, options: HuaiyuanOptions) -> Weighed | str:
    """The reading that counts, the lowest represented kind first among equals; or why none does."""
    found = weigh_all(hand, win, dealer, options)
    return found if isinstance(found, str) else min(found, key=rank)


def _second_winner(facts: HandFacts, options: HuaiyuanOptions) -> Violation | None:
    """Check 1 of HY-56."""
    if len(facts.wins) < 2:
        return None
    drawn = all(win.by == "zimo" for win in facts.wins)
    if options.multi_win == "all" and not drawn:
        return None
    first = min(facts.wins, key=lambda win: (win.seat - (win.from_ or 0)) % 4)
    other = next(win.seat for win in facts.wins if win is not first)
    message = "Only the claimant nearest after the giver of the tile wins."
    return no("second_winner", "HY-33", other, message, first.seat, other)


def _tiles(facts: HandFacts) -> Violation | None:
    """HY-10, HY-16, HY-105: only tiles of the game, the bao in the wall, a robbed tile used once.

    ``contradiction`` has counted the copies but for the tile of a robbed gang.
    """
    total = 0
    for each in told_of(facts):
        bag = parse(each.concealed) + sum(parse(meld.tiles) for meld in each.melds)
        if isinstance(each, WinFacts) and each is facts.wins[0] and "dui_bao" not in each.flags:
            bag += ONE[kind_of(each.tile)]
        if each.flowers or not has(ALL_TILES, bag):
            message = "These tiles are not used in this game, or one is used twice."
            return no("bad_tiles", "HY-10", each.seat, message, "136 tiles", each.concealed)
        total += bag
    found = _robbed(facts)
    if found is not None:
        return found
    if facts.wild is None:
        return _too_many(total, ALL_TILES)
    if not has(ALL_TILES, ONE[KIND[facts.wild]]):
        return Violation("bad_tiles", "No flower is the bao.", "HY-10", actual=facts.wild)
    return _too_many(total, ALL_TILES - ONE[KIND[facts.wild]])


def _robbed(facts: HandFacts) -> Violation | None:
    """HY-105: a gang whose fourth tile was robbed does not stand."""
    win = facts.wins[0] if facts.wins else None
    if win is None or win.by != "qiang_gang":
        return None
    tile = kind_of(win.tile)
    for holding in facts.table:
        for meld in holding.melds:
            if holding.seat == win.from_ and count(parse(meld.tiles), tile) == 4:
                message = "The tile was robbed, so the gang is void and its meld is without it."
                return no("robbed_gang", "HY-105", holding.seat, message, "peng", meld.kind)
    return None


def _too_many(total: Tiles, game: Tiles) -> Violation | None:
    """The first kind of which more tiles are told of than can be in sight."""
    if has(game, total):
        return None
    kind = next(kind for kind in kinds_in(total) if count(total, kind) > count(game, kind))
    message = f"There are more of {NAMES[kind]} than can be, a bao set aside left out."
    return Violation("too_many_tiles", message, "HY-16", 0, count(game, kind), count(total, kind))
