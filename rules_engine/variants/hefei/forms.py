"""Hefei's own events that people write down and no seat chooses (HF-9, HF-13, HF-14, HF-36)."""

from collections.abc import Iterator

from rules_engine.event_forms import Choice, EventField, EventForm, seat_choices
from rules_engine.table import SEATS, Table
from rules_engine.variants.hefei.state import HefeiMemory


def own_forms(table: Table | None, memory: HefeiMemory) -> Iterator[EventForm]:
    """Who is ready, who is played automatically, and the end of the table."""
    auto = memory.auto if table is None else table.extra.auto
    if table is None:
        who = EventField(
            name="seat", kind="choice", choices=seat_choices("seat"), zh="谁", en="Who"
        )
        yield EventForm(type="ready", zh="准备", en="Ready", fields=(who,))
    away = [seat for seat in SEATS if not auto[seat]]
    back = [seat for seat in SEATS if auto[seat]]
    changes = (
        *seat_choices("seat", away, on=True),
        *(
            Choice(seat=seat, values={"seat": seat, "on": False}, zh="取消", en="plays again")
            for seat in back
        ),
    )
    yield EventForm(
        type="seat_auto",
        zh="托管",
        en="Automatic play",
        fields=(EventField(name="seat", kind="choice", choices=changes, zh="谁", en="Who"),),
    )
    if table is None or not table.wins:
        yield EventForm(type="dismissed", zh="解散牌桌", en="Dissolve the table")
