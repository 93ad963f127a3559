"""What may be declared a win in Qingdao mahjong: the tests of QD-69 in their order.

``read_hands`` turns the facts of a result into hands and their best readings, or says what is
wrong. ``before_shape`` and ``after_shape`` are asked while a hand is played, too.
"""

from typing import Final, TypeAlias

from msgspec import Struct

from rules_engine.consistency import contradiction
from rules_engine.errors import Violation, no
from rules_engine.facts import HandFacts, Holding, WinFacts
from rules_engine.tiles import FLOWERS_MASK, KIND, Tiles, count, kind_of, parse, size, write
from rules_engine.variants.qingdao.flags import bad_flags
from rules_engine.variants.qingdao.hands import Hand, best, hand_of, winning_shape
from rules_engine.variants.qingdao.items import Weighed
from rules_engine.variants.qingdao.melds import NO_HUN, all_tiles, bad_melds
from rules_engine.variants.qingdao.options import QingdaoOptions
from rules_engine.variants.qingdao.state import RULES

NOT_IN_MINIMUM: Final = ("ming_hua", "an_hua", "huang_fan_bei", "feng_ding")
"""The items that do not help to reach ``min_points`` (QD-68)."""


class Read(Struct, frozen=True):
    """A legal winner: its hand and the reading that counts."""

    hand: Hand
    chosen: Weighed


ReadHands: TypeAlias = tuple[Read, ...]


def read_hands(facts: HandFacts, options: QingdaoOptions) -> ReadHands | Violation:
    """The winners' hands in the order of the facts, or the first test that fails.

    Facts that contradict themselves are refused before the tests of QD-69, as are flags that
    contradict them.
    """
    hun = NO_HUN if facts.wild is None else KIND[facts.wild]
    found = (
        contradiction(facts, RULES)
        or _wild(facts, options)
        or _strange_tiles(facts, options)
        or _melds(facts, hun, options)
        or bad_flags(facts, options)
        or _robbed(facts)
        or _zimo_only(facts, options)
    )
    if found is not None:
        return found
    read = []
    for win in facts.wins:
        answer = _read(win, hun, options)
        if isinstance(answer, Violation):
            return answer
        read.append(answer)
    if len(facts.wins) > 1 and not options.multi_win:
        first = min(facts.wins, key=lambda win: (win.seat - (win.from_ or 0)) % 4)
        other = next(win.seat for win in facts.wins if win is not first)
        message = "Only the claimant nearest after the giver of the tile wins."
        return no("not_nearest", "QD-28", other, message, first.seat, other)
    return tuple(read)


def _read(win: WinFacts, hun: int, options: QingdaoOptions) -> Read | Violation:
    """One winner's hand and its best reading, or the first test of QD-69 it fails."""
    concealed = parse(win.concealed)
    found = before_shape(win.seat, concealed, win.flags, kind_of(win.tile), hun, by=win.by)
    if found is not None:
        return found
    hand = hand_of(win, hun)
    whole = size(hand.natural) + hand.wilds == 3 * (4 - hand.melds.size) + 2
    chosen = best(hand, win, options) if whole else None
    if chosen is None:
        return _no_shape(hand, win, options)
    return after_shape(hand, chosen, win, options) or Read(hand, chosen)


def before_shape(
    seat: int, concealed: Tiles, flags: tuple[str, ...], tile: int, hun: int, *, by: str
) -> Violation | None:
    """``flower_in_hand``, ``hun_discard``, ``opening_niu_tile`` of QD-69."""
    flowers = concealed & FLOWERS_MASK
    if flowers or tile >= KIND["1f"]:
        message = "A flower in the hand must be set aside before a win."
        return no("flower_in_hand", "QD-55", seat, message, "", write(flowers))
    if by != "zimo" and tile == hun:
        message = "Nobody wins on a discarded or added hun."
        return no("hun_discard", "QD-65", seat, message, "a natural tile", "hun")
    if "opening_niu_tile" in flags:
        message = "A tile laid in a niu group cannot be won on."
        return no("opening_niu_tile", "QD-41", seat, message, "a discard or a draw", "niu")
    return None


def after_shape(
    hand: Hand, chosen: Weighed, win: WinFacts, options: QingdaoOptions
) -> Violation | None:
    """``bare_hun``, ``guo_hu`` and ``min_points`` of QD-69."""
    lone = hand.melds.size == 4 and hand.wilds == 1
    if win.by != "zimo" and lone and not options.bare_hun_ron:
        message = "A hun that is the only tile in hand wins by self-draw only."
        return no("bare_hun", "QD-66", win.seat, message, "zimo", win.by)
    if win.by != "zimo" and options.guo_hu and "guo_hu" in win.flags:
        message = "The seat let a win on this tile go and has not drawn since."
        return no("guo_hu", "QD-33", win.seat, message, "an own draw", "none")
    counted = worth(chosen)
    if counted < options.min_points:
        message = f"The hand is worth {counted}; a win needs {options.min_points}."
        return no("min_points", "QD-68", win.seat, message, options.min_points, counted)
    return None


def worth(chosen: Weighed) -> int:
    """What a hand has towards ``min_points``."""
    return sum([p for item_id, p in chosen.points.items() if item_id not in NOT_IN_MINIMUM])


def _no_shape(hand: Hand, win: WinFacts, options: QingdaoOptions) -> Violation:
    """``shape`` of QD-69."""
    sets = 4 - hand.melds.size
    held = size(hand.natural) + hand.wilds
    needed = 3 * sets + 2
    written = write(parse(win.concealed)) + " + " + win.tile
    message = f"{written} is not {sets} sets and a pair"
    if held != needed:
        message += f": it has {held} tiles and should have {needed}"
    elif not hand.melds.size:
        message += ", nor another winning shape"
    return no("shape", "QD-60", win.seat, f"{message}.", needed, held)


def _wild(facts: HandFacts, options: QingdaoOptions) -> Violation | None:
    """QD-8: a won hand names the hun exactly where the club plays with it."""
    if options.hun and facts.wild is None and facts.wins:
        message = "This club plays with hun; name its kind."
        return Violation("wild_missing", message, "QD-8", expected="a tile", actual=None)
    if facts.wild is None or (options.hun and KIND[facts.wild] < KIND["1f"]):
        return None
    message = "There is no such hun in this game."
    expected = "a tile that is no flower" if options.hun else None
    return Violation("wild_forbidden", message, "QD-8", expected=expected, actual=facts.wild)


def told_of(facts: HandFacts) -> tuple[WinFacts | Holding, ...]:
    """Every seat the facts tell of, the winners first."""
    return (*facts.wins, *facts.table)


def _strange_tiles(facts: HandFacts, options: QingdaoOptions) -> Violation | None:
    """QD-4 and QD-5: only tiles of the game, flowers only where flowers belong."""
    absent = FLOWERS_MASK & ~all_tiles(options)
    for each in told_of(facts):
        texts = [each.concealed, each.flowers, *[meld.tiles for meld in each.melds]]
        if isinstance(each, WinFacts):
            texts.append(each.tile)
        for text in texts:
            if parse(text) & absent:
                message = f"{text} holds tiles that are not used in this game."
                return no("bad_tiles", "QD-5", each.seat, message, "tiles of the game", text)
        if parse(each.flowers) & ~FLOWERS_MASK:
            message = f"{each.flowers} are set aside, but only flowers can be."
            return no("bad_tiles", "QD-51", each.seat, message, "flowers", each.flowers)
    return None


def _melds(facts: HandFacts, hun: int, options: QingdaoOptions) -> Violation | None:
    """Every meld told of is one of the game."""
    for each in told_of(facts):
        if each.melds:
            found = bad_melds(each.seat, each.melds, hun, options)
            if found is not None:
                return found
    return None


def _robbed(facts: HandFacts) -> Violation | None:
    """QD-37: a robbed gang does not exist; its meld is the peng it falls back to."""
    win = facts.wins[0] if facts.wins else None
    if win is None or win.by != "qiang_gang" or kind_of(win.tile) >= KIND["1f"]:
        return None
    robbed = next((holding for holding in facts.table if holding.seat == win.from_), None)
    if robbed is None:
        return None
    tile = kind_of(win.tile)
    kinds = [meld.kind for meld in robbed.melds if count(parse(meld.tiles), tile) > 2]
    if kinds == ["peng"]:
        return None
    message = "A gang is robbed of the tile added to a peng, and stays that peng."
    return no("not_robbable", "QD-37", robbed.seat, message, "peng", kinds)


def _zimo_only(facts: HandFacts, options: QingdaoOptions) -> Violation | None:
    """``zimo_only`` of QD-69."""
    for win in facts.wins:
        if options.zimo_only and win.by != "zimo":
            message = "This club allows self-drawn wins only."
            return no("zimo_only", "QD-29", win.seat, message, "zimo", win.by)
    return None


__all__ = ["Read", "ReadHands", "read_hands", "winning_shape"]
