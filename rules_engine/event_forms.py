"""The parts of a form for an event that people write down: what has to be asked, as data.

An action is offered whole; a draw, a deal or a throw of dice is known only at the table. A form
says of such an event what the game knows already and what has to be asked, so that a page can ask
without knowing any rule. ``forms`` has the forms of a moment.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, Literal

from msgspec import Struct

from rules_engine.table import SEATS
from rules_engine.tiles import FLOWERS_MASK, Tiles, write

DIE_FACES: Final = 6


class Choice(Struct, frozen=True, kw_only=True):
    """One answer: the ``values`` of the event that follow from it.

    Where ``seat`` is given the answer is called by who sits there, else by its names.
    """

    values: Mapping[str, Any]
    zh: str = ""
    en: str = ""
    seat: int | None = None


class EventField(Struct, frozen=True, kw_only=True):
    """What is asked for. Its answer is the value of ``name``, or the values of a choice.

    ``tile`` and ``tiles``: of the kinds in ``tiles``, as many of each as stand there; ``count`` of
    them, or so many dice. ``place``: the answer is this place of a list. ``also_in``: the tile is
    one more of this list, at the dealer's place. ``sums``: what follows from the sum of the dice,
    where only these are good. ``player``: one of ``players``, or of the club where none are named.
    """

    name: str
    kind: Literal["tile", "tiles", "dice", "choice", "player"]
    zh: str
    en: str
    tiles: str = ""
    count: int = 1
    place: int | None = None
    also_in: str = ""
    sums: Mapping[int, Mapping[str, Any]] | None = None
    choices: tuple[Choice, ...] = ()
    players: tuple[str, ...] = ()
    seat: int | None = None
    """Whose the answer is: the name of who sits there is said with the field's."""
    optional: bool = False


class EventForm(Struct, frozen=True, kw_only=True):
    """An event to be written down. ``values`` is what of it is known, ``fields`` what is asked.

    ``due``: it comes next unless a seat acts; any other may be recorded now or not. ``seat``: whose
    it is, where it is somebody's.
    """

    type: str
    zh: str
    en: str
    values: Mapping[str, Any] = {}
    fields: tuple[EventField, ...] = ()
    due: bool = False
    seat: int | None = None


def seat_choices(name: str, seats: Iterable[int] = SEATS, **more: Any) -> tuple[Choice, ...]:
    """One of these seats, as the value of ``name``."""
    return tuple(Choice(seat=seat, values={name: seat, **more}) for seat in seats)


def dice_field(count: int, *, optional: bool = True) -> EventField:
    """The dice that were thrown at the deal."""
    return EventField(
        name="dice", kind="dice", count=count, zh="骰子", en="Dice", optional=optional
    )


def indicator_field(tiles: Tiles) -> EventField:
    """The tile turned up at the deal; a flower is none."""
    return EventField(
        name="indicator",
        kind="tile",
        tiles=write(tiles & ~FLOWERS_MASK),
        zh="翻出的牌",
        en="Tile turned up",
    )
