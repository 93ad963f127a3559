"""How a hand is written down as a result: a sheet, as data, for whoever lets people fill one in.

A sheet says which tiles, melds, flags and ways of winning there are under some options, and when a
flag can be. It only helps to write: what may be recorded is decided by ``Ruleset.score``. The
common part follows from the rules of play, a variant adds its ``OwnSheet``.
"""

from collections.abc import Iterator
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from rules_engine.facts import By
from rules_engine.ruleset import Options, Ruleset, bind_play
from rules_engine.sheet_forms import FlagForm, MeldForm
from rules_engine.tiles import write

WAYS: Final[tuple[By, ...]] = ("zimo", "dianpao", "qiang_gang")
_CLAIMS: Final = {"chi": ("吃", "chi"), "peng": ("碰", "peng")}


class Sheet(Struct, frozen=True, kw_only=True):
    """What a hand can be written down with.

    ``tiles`` is every tile of the game, ``hand_size`` what is dealt to a seat: that many less three
    for each meld are the concealed tiles of a winner without the winning tile. ``ways`` of winning
    there are, ``several`` of them for more than one winner. ``wild``: whether the hand names its
    wild kind. ``flowers`` are the kinds that can be set aside. ``others``: what who did not win
    holds concealed matters as well.
    """

    tiles: str
    hand_size: int
    ways: tuple[By, ...]
    several: tuple[By, ...]
    wild: Literal["no", "may", "must"]
    flowers: str
    others: bool
    melds: tuple[MeldForm, ...]
    flags: tuple[FlagForm, ...]


def sheet_of(ruleset: Ruleset, options: Options) -> Sheet:
    """The sheet of a ruleset under these options."""
    play = bind_play(ruleset, options)
    own = ruleset.sheet(options)
    no_several = ("zimo", *own.one_winner)
    ways = [by for by in WAYS if by not in own.no_wins and (by != "qiang_gang" or play.robbable)]
    return Sheet(
        tiles=write(play.tiles),
        hand_size=play.hand_size,
        ways=tuple(ways),
        several=tuple(by for by in ways if play.several_winners and by not in no_several),
        wild=own.wild,
        flowers=own.flowers,
        others=own.others,
        melds=(*_melds(ruleset, options, chi_from=own.chi_from), *own.melds),
        flags=tuple(
            replace(flag, by=tuple(by for by in flag.by if by in ways)) for flag in own.flags
        ),
    )


def _melds(
    ruleset: Ruleset, options: Options, *, chi_from: Literal["before", "any"]
) -> Iterator[MeldForm]:
    """The melds of the common turn that the game has."""
    play = bind_play(ruleset, options)
    if "chi" in play.claims:
        yield MeldForm("chi", *_CLAIMS["chi"], shape="run", source=chi_from)
    if "peng" in play.claims:
        yield MeldForm("peng", *_CLAIMS["peng"], shape="triplet", source="any")
    for kind in ("ming_gang", "bu_gang", "an_gang"):
        if kind in play.gangs and (kind != "ming_gang" or kind in play.claims):
            zh, en = ruleset.name_of(kind) or (kind, kind)
            yield MeldForm(kind, zh, en, shape="quad", source="no" if kind == "an_gang" else "any")
