"""What may be declared a win in Rui'an mahjong: the tests of RA-49 in their order.

``read_hand`` turns the facts of a result into the one winner's hand and its best reading, or says
what is wrong. ``before_shape`` and ``no_shape`` are asked while a hand is played, too.
"""

from collections.abc import Sequence

from msgspec import Struct

from rules_engine.consistency import contradiction
from rules_engine.errors import Violation, no
from rules_engine.facts import HandFacts, Holding, Meld, WinFacts
from rules_engine.table import NOTHING
from rules_engine.tiles import (
    EMPTY,
    FLOWERS_MASK,
    KIND,
    NAMES,
    ONE,
    Tiles,
    count,
    kind_of,
    parse,
    size,
    write,
)
from rules_engine.variants.ruian.flags import bad_causes, bad_flags
from rules_engine.variants.ruian.hands import (
    ALL_WILDS,
    WHOLE,
    Hand,
    has_eight_pairs,
    make_hand,
)
from rules_engine.variants.ruian.melds import Melded, bad_meld, flower_kind, melded, own_wind
from rules_engine.variants.ruian.options import RuianOptions
from rules_engine.variants.ruian.state import RULES
from rules_engine.variants.ruian.weighing import Read, best

Seated = WinFacts | Holding


class Told(Struct, frozen=True):
    """What is told of one seat, its texts read: bags of tiles, and its melds counted.

    The winning tile is not among the ``concealed``.
    """

    facts: Seated
    concealed: Tiles
    flowers: Tiles
    melded: Melded


def told_of(each: Seated) -> Told:
    """A seat whose texts are known to be tiles."""
    flowers = parse(each.flowers) if each.flowers else EMPTY
    return Told(each, parse(each.concealed), flowers, melded(each.melds))


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
    found = contradiction(facts, RULES)
    if found is not None:
        return found
    winners = [told_of(win) for win in facts.wins]
    others = [told_of(holding) for holding in facts.table]
    found = (
        _wild(facts, (*winners, *others))
        or _strange_tiles((*winners, *others), flower_of(facts, options))
        or _melds(winners, others, wild_of(facts))
        or bad_causes(facts, options)
    )
    if found is not None or not winners:
        return found
    if len(winners) == 1:
        return _read(winners[0], facts, options)
    return _read_several(winners, facts, options)


def _read_several(
    winners: Sequence[Told], facts: HandFacts, options: RuianOptions
) -> Read | Violation:
    """The claimant who wins (RA-34), or why none does."""
    giver = facts.wins[0].from_ or 0
    legal, first = [], None
    for told in sorted(winners, key=lambda told: (told.facts.seat - giver) % 4):
        answer = _read(told, facts, options)
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


def _read(told: Told, facts: HandFacts, options: RuianOptions) -> Read | Violation:
    """One claimant's hand in its best reading, or the first test of RA-49 it fails."""
    win = told.facts
    assert isinstance(win, WinFacts), "only winners are read"
    wild, flower, tile = wild_of(facts), flower_of(facts, options), kind_of(win.tile)
    found = (
        _own_melds(told, wild, flower)
        or before_shape(win.seat, told.concealed, tile, wild, flower, by=win.by)
        or bad_flags(win, facts.dealer, options)
        or _robbed(win, facts)
    )
    if found is not None:
        return found
    own = own_wind(win.seat, facts.dealer)
    hand = make_hand(told.concealed + ONE[tile], tile, wild, own, told.melded, options)
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


def _wild(facts: HandFacts, told: Sequence[Told]) -> Violation | None:
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
    tiles = sum([each.concealed + each.flowers + each.melded.tiles for each in told])
    held = count(tiles, wild)
    held += sum([win.by == "zimo" and win.tile == facts.wild for win in facts.wins])
    if held <= ALL_WILDS:
        return None
    message = f"One {facts.wild} lies face up, so that only three are in play."
    return Violation("too_many_tiles", message, "RA-8", expected=3, actual=held)


def _strange_tiles(told: Sequence[Told], flower: int) -> Violation | None:
    """RA-4, RA-5, RA-9: tiles that are not in the game, and what is set aside as a flower."""
    for each in told:
        seated = each.facts
        strange = each.concealed & FLOWERS_MASK or (
            isinstance(seated, WinFacts) and seated.tile[1] == "f"
        )
        if strange or (each.flowers and each.flowers & ~kind_mask(flower)):
            message = "These tiles do not belong there."
            expected = "" if flower == NOTHING else NAMES[flower]
            return no("bad_tiles", "RA-5", seated.seat, message, expected, seated.flowers)
    return None


def _melds(winners: Sequence[Told], others: Sequence[Told], wild: int) -> Violation | None:
    """RA-40, RA-30, RA-42: the melds of every seat, and the tiles a loser can hold beside them."""
    for each in (*winners, *others):
        found = bad_meld(each.facts.seat, each.facts.melds)
        if found is not None:
            return found
    for each in others:
        found = _own_melds(each, wild, NOTHING)
        if found is not None:
            return found
        most = WHOLE - 3 * each.melded.size
        held = size(each.concealed)
        if held > most:
            message = f"{held} concealed tiles are more than it can hold."
            return no("too_many_tiles", "RA-1", each.facts.seat, message, most, held)
    return None


def _own_melds(told: Told, wild: int, flower: int) -> Violation | None:
    """``wild_in_meld``, ``chi_not_from_upper`` and ``flower_in_hand`` of a seat's melds."""
    seat, melds = told.facts.seat, told.facts.melds
    if not melds:
        return None
    if told.melded.tiles & kind_mask(wild):
        text = _with(melds, wild)
        return no(
            "wild_in_meld", "RA-42", seat, "A wild is never in a meld.", "natural tiles", text
        )
    upper = (seat - 1) % 4
    for meld in melds:
        if meld.kind == "chi" and meld.from_ not in (upper, None):
            message = "A chi is of the upper seat's discard."
            return no("chi_not_from_upper", "RA-30", seat, message, upper, meld.from_)
    if told.melded.tiles & kind_mask(flower):
        text = _with(melds, flower)
        return no("flower_in_hand", "RA-41", seat, "A flower is never in a meld.", "", text)
    return None


def kind_mask(kind: int) -> Tiles:
    """All the room for a kind in a bag; none for ``NOTHING``."""
    return EMPTY if kind == NOTHING else 15 << 4 * kind


def _with(melds: tuple[Meld, ...], kind: int) -> str:
    """The tiles of the first meld that holds a kind."""
    return next(meld.tiles for meld in melds if count(parse(meld.tiles), kind))


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


__all__ = ["Read", "before_shape", "flower_of", "no_shape", "read_hand"]
