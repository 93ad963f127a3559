"""Facts that contradict themselves, whatever is played: asked before any rule of a game.

A recorded hand is written by people. Two winners on the same chair, a self-drawn win with a payer
or a fifth copy of a tile say nothing a rule could be held against, so every variant refuses them
alike.
"""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from rules_engine.errors import Violation
from rules_engine.facts import HandFacts, Meld, WinFacts
from rules_engine.tiles import (
    EMPTY,
    FLOWERS_MASK,
    KINDS,
    NAMES,
    ONE,
    BadTiles,
    Tiles,
    kind_of,
    parse,
)

_ROOM: Final[Tiles] = sum(ONE) * 3 + FLOWERS_MASK // 15 * 3
_HIGH_BITS: Final[Tiles] = sum(ONE) * 8


def contradiction(facts: HandFacts, rules: Mapping[str, str]) -> Violation | None:
    """The first thing in these facts that cannot be, or None. ``rules``: code to a rule's id."""
    found = _result(facts) or _seats(facts) or _payers(facts.wins) or _copies(facts)
    return found and replace(found, rule=rules.get(found.code, ""))


def _result(facts: HandFacts) -> Violation | None:
    """A won hand has winners and a draw has none; a streak counts from one."""
    if facts.streak < 1:
        return Violation(
            code="bad_streak",
            message=f"The dealer's streak cannot be {facts.streak}.",
            expected="1 or more",
            actual=facts.streak,
        )
    if facts.result == "hu" and not facts.wins:
        return Violation(
            code="winner_missing",
            message="The hand was won, but no winner is given.",
            expected="at least one win",
            actual=0,
        )
    if facts.result != "hu" and facts.wins:
        return Violation(
            code="winner_in_a_draw",
            message="Nobody won the hand, but a winner is given.",
            expected=0,
            actual=len(facts.wins),
        )
    return None


def _seats(facts: HandFacts) -> Violation | None:
    """Every seat is told of at most once, as a winner or among the others."""
    seen: set[int] = set()
    seats = [win.seat for win in facts.wins] + [holding.seat for holding in facts.table]
    for seat in seats:
        if seat in seen:
            return Violation(
                code="seat_twice",
                message=f"Seat {seat} is given twice; winners do not stand in the table.",
                expected="each seat once",
                actual=seat,
                facts={"seat": seat},
            )
        seen.add(seat)
    return None


def _payers(wins: tuple[WinFacts, ...]) -> Violation | None:
    """A self-drawn win has one winner and no ``from``; others are on one tile of one other seat."""
    for win in wins:
        if win.by == "zimo" and win.from_ is not None:
            return _wrong_payer("payer_given", win, "A self-drawn win has no payer of its own.")
        if win.by != "zimo" and win.from_ is None:
            return _wrong_payer("payer_missing", win, "Name the seat the winning tile came from.")
        if any(win.from_ == other.seat for other in wins):
            return _wrong_payer(
                "payer_wins", win, "The winning tile came from a winner's own seat."
            )
        first = wins[0]
        if win is not first and (
            win.by == "zimo" or (win.by, win.tile, win.from_) != (first.by, first.tile, first.from_)
        ):
            return Violation(
                code="winners_disagree",
                message="Several seats can only win on one and the same tile of another seat.",
                expected={"by": first.by, "tile": first.tile, "from": first.from_},
                actual={"by": win.by, "tile": win.tile, "from": win.from_},
                facts={"seat": win.seat},
            )
    return None


def _wrong_payer(code: str, win: WinFacts, message: str) -> Violation:
    """A refusal about ``from``."""
    return Violation(
        code=code,
        message=f"Seat {win.seat}: {message}",
        expected=None if win.by == "zimo" else "the seat of a player who did not win",
        actual=win.from_,
        facts={"seat": win.seat},
    )


def _copies(facts: HandFacts) -> Violation | None:
    """No kind lies on the table more than four times (a flower once), and every text is tiles.

    A discard several seats win on is one tile. The tile of a robbed gang may be told in the gang.
    """
    total: Tiles = EMPTY
    try:
        for win in facts.wins:
            if win.by == "zimo" or (win.by == "dianpao" and win is facts.wins[0]):
                total = _more(total, ONE[kind_of(win.tile)])
            total = _hand(total, win.concealed, win.flowers, win.melds)
        for holding in facts.table:
            total = _hand(total, holding.concealed, holding.flowers, holding.melds)
    except BadTiles as error:
        return Violation(code="too_many_tiles", message=str(error))
    return None


def _hand(total: Tiles, concealed: str, flowers: str, melds: tuple[Meld, ...]) -> Tiles:
    """The tiles of one more seat. Raises BadTiles."""
    total = _more(total, parse(concealed))
    if flowers:
        total = _more(total, parse(flowers))
    for meld in melds:
        total = _more(total, parse(meld.tiles))
    return total


def _more(total: Tiles, tiles: Tiles) -> Tiles:
    """The two bags together. Raises BadTiles for a fifth copy, or a second of a flower.

    Both bags hold at most four of a kind, so adding three (six for a flower, of which there is one)
    sets the highest of a kind's four bits exactly when there are too many.
    """
    total += tiles
    over = (total + _ROOM) & _HIGH_BITS
    if over:
        kind = next(kind for kind in range(KINDS) if over >> 4 * kind & 15)
        raise BadTiles(f"There are more of {NAMES[kind]} in this hand than the game has.")
    return total
