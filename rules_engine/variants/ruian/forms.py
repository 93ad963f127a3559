"""校位: how the seats were drawn, as a form (RA-11, RA-12)."""

from collections.abc import Sequence

from rules_engine.event_forms import Choice, EventField, EventForm, seat_choices
from rules_engine.table import SEATS


def seats_form(lots_by_east: Sequence[Sequence[str]]) -> EventForm:
    """The draw of the seats; ``lots_by_east``: the tiles drawn, by the assumed East's chair."""
    assumed = tuple(
        Choice(seat=seat, values={"assumed_east": seat, "lots": list(lots_by_east[seat])})
        for seat in SEATS
    )
    return EventForm(
        type="seats_drawn",
        zh="校位定庄",
        en="Draw the seats",
        fields=(
            EventField(
                name="assumed_east", kind="choice", choices=assumed, zh="暂定东", en="Assumed East"
            ),
            EventField(name="dice", kind="dice", count=4, zh="骰子", en="Dice"),
            EventField(
                name="true_east",
                kind="choice",
                choices=seat_choices("true_east"),
                zh="真东（首庄）",
                en="True East, who deals first",
            ),
        ),
    )
