"""What may be declared a win in Rui'an mahjong: the tests of RA-49 in their order.

``read_hand`` turns the facts of a result into the one winner's hand and its best reading, or says
what is wrong. ``before_shape`` and ``no_shape`` are asked while a hand is played, too.
"""

from typing import Any

from rules_engine.consistency import contradiction
from rules_engine.errors import Violation
from rules_engine.facts import HandFacts, Holding, WinFacts
from rules_engine.table import NOTHING
from rules_engine.tiles import FLOWERS_MASK, KIND, NAMES, Tiles, count, kind_of, parse, size, write
from rules_engine.variants.ruian.flags import bad_causes, bad_flags
from rules_engine.variants.ruian.hands import (
    ALL_WILDS,
    WHOLE,
    Hand,
    Read,
    best,
    hand_of,
    has_eight_pairs,
)
from rules_engine.variants.ruian.melds import bad_meld, flower_kind
from rules_engine.variants.ruian.options import RuianOptions
from rules_engine.variants.ruian.state import RULES

Seated = WinFacts | Holding


def told_of(facts: HandFacts) -> tuple[Seated, ...]:
    """Every seat the facts tell of, the winners first."""
    return (*facts.wins, *facts.table)


def wild_of(facts: HandFacts) -> int:
    """The wild kind; ``NOTHING`` where a hand nobody won does not tell it."""
    return NOTHING if facts.wild is None else KIND[facts.wild]


def flower_of(facts: HandFacts, options: RuianOptions) -> int:
    """The flower of the hand (RA-9); the white where the wild is not told."""
    return flower_kind(wild_of(facts), options.flower_when_white_wild)


def read_hand(facts: HandFacts, options: RuianOptions) -> Read | Violation | None:
    """The winner's hand (RA-34), None for a hand nobody won, or the first test that fails.

    Facts that contradict themselves are refused before the tests of RA-49.
    """
    found = (
        contradiction(facts, RULES)
        or _wild(facts)
        or _strange_tiles(facts, options)
        or _melds(facts)
        or bad_causes(facts, options)
    )
    if found is not None or not facts.wins:
        return found
    giver = facts.wins[0].from_ or 0
    legal, first = [], None
    for win in sorted(facts.wins, key=lambda win: (win.seat - giver) % 4):
        answer = _read(win, facts, options)
        if isinstance(answer, Read):
            legal.append(answer)
        else:
            first = first or answer
    if not legal:
        assert first is not None, "a hand that was won has a claimant"
        return first
    if options.triple_hu_draw and len(legal) == 3:
        message = "Three seats win on the same tile, which ends the hand without a winner."
        return no("san_jia_hu_he", "RA-52", legal[0].win.seat, message, "huang_zhuang", "hu")
    return legal[0]


def _read(win: WinFacts, facts: HandFacts, options: RuianOptions) -> Read | Violation:
    """One claimant's hand in its best reading, or the first test of RA-49 it fails."""
    wild, flower = wild_of(facts), flower_of(facts, options)
    concealed = parse(win.concealed)
    found = (
        _own_melds(win, wild, flower)
        or before_shape(win.seat, concealed, kind_of(win.tile), wild, flower, by=win.by)
        or bad_flags(win, facts.dealer, options)
        or _robbed(win, facts)
    )
    if found is not None:
        return found
    hand = hand_of(win, wild, facts.dealer, options)
    return best(hand, win, options) or no_shape(hand, win.seat, options, by=win.by)


def before_shape(
    seat: int, concealed: Tiles, tile: int, wild: int, flower: int, *, by: str
) -> Violation | None:
    """``flower_in_hand`` and ``wild_not_claimable`` of RA-49."""
    if flower != NOTHING and (tile == flower or count(concealed, flower)):
        message = "A flower in the hand is no part of a win."
        return no("flower_in_hand", "RA-41", seat, message, "", NAMES[flower])
    if tile == wild and by != "zimo":
        message = "Nobody wins on another seat's wild."
        return no("wild_not_claimable", "RA-42", seat, message, "a natural tile", NAMES[wild])
    return None


def no_shape(hand: Hand, seat: int, options: RuianOptions, *, by: str) -> Violation:
    """Why a hand without a reading does not win: the last tests of RA-49."""
    if hand.wilds == ALL_WILDS and hand.whole:
        if by != "zimo":
            message = "Three wilds are laid down bare after an own draw only."
            return no("san_cai_shen_own_draw", "RA-46", seat, message, "zimo", by)
        message = "This club asks for a complete hand with three wilds."
        return no("bare_san_cai_shen_off", "RA-46", seat, message, "a complete hand", "none")
    if options.ying_ba_dui and hand.whole and has_eight_pairs(hand, soft=True):
        message = "Eight pairs win only where all are natural."
        return no("soft_ba_dui", "RA-44", seat, message, "eight natural pairs", "a wild in a pair")
    held = size(hand.natural) + hand.wilds
    needed = 3 * hand.sets + 2
    message = f"{write(hand.as_they_are)} is not {hand.sets} sets and a pair"
    if held != needed:
        message += f": it has {held} tiles and should have {needed}"
    elif hand.sets == 5 and options.ying_ba_dui:
        message += ", nor eight pairs"
    return no("no_shape", "RA-40", seat, f"{message}.", needed, held)


def _wild(facts: HandFacts) -> Violation | None:
    """RA-8: a hand that was won names its wild, of which one lies face up."""
    if facts.wild is None:
        if not facts.wins:
            return None
        message = "Name the wild kind of the hand."
        return Violation("wild_missing", message, "RA-8", expected="a tile", actual=None)
    wild = KIND[facts.wild]
    if wild >= KIND["1f"]:
        message = "A flower of another game is no wild."
        return Violation("bad_tiles", message, "RA-8", expected="a tile", actual=facts.wild)
    held = sum([count(tiles_of(each), wild) for each in told_of(facts)])
    held += sum([win.by == "zimo" and win.tile == facts.wild for win in facts.wins])
    if held <= ALL_WILDS:
        return None
    message = f"One {facts.wild} lies face up, so that only three are in play."
    return Violation("too_many_tiles", message, "RA-8", expected=3, actual=held)


def tiles_of(each: Seated) -> Tiles:
    """All tiles told of a seat but the winning one."""
    tiles = parse(each.concealed)
    if each.flowers:
        tiles += parse(each.flowers)
    for meld in each.melds:
        tiles += parse(meld.tiles)
    return tiles


def _strange_tiles(facts: HandFacts, options: RuianOptions) -> Violation | None:
    """RA-4, RA-5, RA-9: tiles that are not in the game, and what is set aside as a flower."""
    flower = flower_of(facts, options)
    for each in told_of(facts):
        flowers = parse(each.flowers) if each.flowers else 0
        strange = (parse(each.concealed) & FLOWERS_MASK) or (
            isinstance(each, WinFacts) and each.tile[1] == "f"
        )
        others = flowers & ~(15 << 4 * flower) if flower != NOTHING else flowers
        if strange or others:
            message = "These tiles do not belong there."
            expected = "" if flower == NOTHING else NAMES[flower]
            return no("bad_tiles", "RA-5", each.seat, message, expected, each.flowers)
    return None


def _melds(facts: HandFacts) -> Violation | None:
    """RA-40, RA-30, RA-42: the melds of every seat, and the tiles a loser can hold beside them."""
    for each in told_of(facts):
        found = bad_meld(each.seat, each.melds)
        if found is not None:
            return found
    wild = wild_of(facts)
    for holding in facts.table:
        found = _own_melds(holding, wild, NOTHING)
        if found is not None:
            return found
        most = WHOLE - 3 * len(holding.melds)
        held = size(parse(holding.concealed))
        if held > most:
            message = f"{held} concealed tiles are more than it can hold."
            return no("too_many_tiles", "RA-1", holding.seat, message, most, held)
    return None


def _own_melds(each: Seated, wild: int, flower: int) -> Violation | None:
    """``wild_in_meld``, ``chi_not_from_upper`` and ``flower_in_hand`` of a seat's melds."""
    if not each.melds:
        return None
    tiles = [(meld, parse(meld.tiles)) for meld in each.melds]
    for meld, bag in tiles:
        if wild != NOTHING and count(bag, wild):
            message = "A wild is never in a meld."
            return no("wild_in_meld", "RA-42", each.seat, message, "natural tiles", meld.tiles)
    upper = (each.seat - 1) % 4
    for meld, _ in tiles:
        if meld.kind == "chi" and meld.from_ not in (upper, None):
            message = "A chi is of the upper seat's discard."
            return no("chi_not_from_upper", "RA-30", each.seat, message, upper, meld.from_)
    for meld, bag in tiles:
        if flower != NOTHING and count(bag, flower):
            message = "A flower is never in a meld."
            return no("flower_in_hand", "RA-41", each.seat, message, "", meld.tiles)
    return None


def _robbed(win: WinFacts, facts: HandFacts) -> Violation | None:
    """RA-32: only an added gang is robbed, and stays the peng it was."""
    if win.by != "qiang_gang":
        return None
    tile = kind_of(win.tile)
    for holding in facts.table:
        kinds = [
            meld.kind
            for meld in holding.melds
            if holding.seat == win.from_ and meld.kind != "chi" and count(parse(meld.tiles), tile)
        ]
        if kinds and kinds != ["peng"]:
            message = "Only a gang added to a peng is robbed, and it stays that peng."
            return no("rob_only_bu_gang", "RA-32", win.from_ or 0, message, "peng", kinds[0])
    return None


def no(code: str, rule: str, seat: int, message: str, expected: Any, actual: Any) -> Violation:
    """A refusal that concerns one seat."""
    return Violation(
        code=code,
        message=f"Seat {seat}: {message}",
        rule=rule,
        expected=expected,
        actual=actual,
        facts={"seat": seat},
    )


__all__ = ["Read", "before_shape", "flower_of", "no_shape", "read_hand", "told_of"]
