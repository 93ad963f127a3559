"""The parts of a sheet that a variant writes: its own melds, and its flags with their conditions.

They are data, so that a page can ask for what can be without knowing any rule.
"""

from typing import Any, Literal

from msgspec import Struct

from rules_engine.facts import By


class MeldForm(Struct, frozen=True):
    """A kind of meld: three in a row, three or four of a kind, or one of certain ``sets``.

    ``source``: from whom a tile of it was claimed: nobody, the seat before, or any other. ``adds``:
    tiles that may have been added to a set; ``wild``: a wild tile may stand for one of it.
    """

    kind: str
    zh: str
    en: str
    shape: Literal["run", "triplet", "quad", "set"]
    source: Literal["no", "before", "any"] = "no"
    sets: tuple[str, ...] = ()
    adds: str = ""
    wild: bool = False


class FlagForm(Struct, frozen=True, kw_only=True):
    """A fact of the moment that the tiles do not show, and with what it can be.

    ``who``: given to a winner, to any seat, or, where nobody won, to the table as a whole (then it
    stands at every seat). ``family``: of one family a seat has at most one flag. ``seat``: the flag
    names this seat.

    A win can carry it if it was won ``by`` one of these ways; by the dealer or by another
    (``dealer``); with the dealer's tile (``from_dealer``); with the wild kind (``on_wild``); with a
    meld of one of the kinds ``needs_meld``; with none but those of ``only_melds``, where that is
    given, and none of ``no_melds``; with all ``flowers`` set aside, with any (``any_flower``), with
    none (``no_flower``); beside all flags of ``needs`` (and of ``melds_need``, where there is a
    meld) and none of ``without``, which holds flags and families.
    """

    id: str
    zh: str
    en: str
    who: Literal["winner", "seat", "table"] = "winner"
    family: str = ""
    seat: int | None = None
    by: tuple[By, ...] = ("zimo", "dianpao", "qiang_gang")
    dealer: bool | None = None
    from_dealer: bool = False
    on_wild: bool = False
    needs_meld: tuple[str, ...] = ()
    only_melds: tuple[str, ...] | None = None
    no_melds: tuple[str, ...] = ()
    flowers: str = ""
    any_flower: bool = False
    no_flower: bool = False
    needs: tuple[str, ...] = ()
    melds_need: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


class OwnSheet(Struct, frozen=True, kw_only=True):
    """What of a variant's sheet does not follow from its rules of play. Fields as in ``Sheet``.

    ``no_wins`` are ways of winning that the options switch off, ``one_winner`` those in which only
    one seat can win although the turn lets several declare.
    """

    flags: tuple[FlagForm, ...] = ()
    melds: tuple[MeldForm, ...] = ()
    wild: Literal["no", "may", "must"] = "no"
    flowers: str = ""
    others: bool = False
    no_wins: tuple[By, ...] = ()
    one_winner: tuple[By, ...] = ()
    chi_from: Literal["before", "any"] = "before"


def plain_sheet(options: Any) -> OwnSheet:
    """A variant that adds nothing."""
    del options
    return OwnSheet()
