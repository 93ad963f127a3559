"""Events written down through forms: what somebody answers, and the event that comes of it."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from rules_engine.event_forms import EventField, EventForm
from rules_engine.events import Event
from rules_engine.tiles import names, parse, write

PROGRAMS_ONLY = {"wall_commitment"}
"""What a program says of a deal and no person can."""


class Answer(msgspec.Struct, frozen=True):
    """What was answered to a field: tiles, dice, a player, or the number of a choice."""

    field: EventField
    value: Any


def answers(form: EventForm, event: Event) -> list[Answer] | None:
    """What has to be answered so that this event comes of the form; None where nothing does."""
    body = body_of(event)
    found = [Answer(field, _answer(field, body, form)) for field in form.fields]
    if any(each.value is None and not each.field.optional for each in found):
        return None
    return found if composed(form, found) == body else None


def body_of(event: Event) -> dict[str, Any]:
    """The event as people can tell of it."""
    body = msgspec.json.decode(msgspec.json.encode(event))
    return {name: value for name, value in body.items() if name not in PROGRAMS_ONLY}


def _answer(field: EventField, body: Mapping[str, Any], form: EventForm) -> Any:
    """What the body answers to the field, or None."""
    if field.kind == "choice":
        return next(
            (
                number
                for number, choice in enumerate(field.choices)
                if all(body.get(name) == value for name, value in choice.values.items())
            ),
            None,
        )
    value = body.get(field.name)
    if value is None or field.place is None:
        return value
    tiles = list(names(value[field.place]))
    if field.place == body["dealer"]:
        tiles.remove(body["last"])
    return tiles


def composed(form: EventForm, given: Sequence[Answer]) -> dict[str, Any]:
    """The body of the event, as the page makes it (``forms.js``)."""
    body: dict[str, Any] = {"type": form.type, **form.values}
    lists: dict[str, list[list[str]]] = {}
    for answer in given:
        field, value = answer.field, answer.value
        if value is None:
            continue
        if field.kind == "choice":
            body.update(field.choices[value].values)
        elif field.place is not None:
            lists.setdefault(field.name, []).append(list(value))
        else:
            body[field.name] = value
        if field.sums is not None:
            body.update(field.sums[sum(value)])
        if field.also_in:
            lists[field.also_in][body["dealer"]].append(value)
    for name, tiles in lists.items():
        body[name] = [write(parse("".join(each))) for each in tiles]
    return _without_defaults(body)


def _without_defaults(body: dict[str, Any]) -> dict[str, Any]:
    """The body as the log writes it, which leaves defaults out."""
    if body.get("streak") == 1:
        del body["streak"]
    if body.get("source") == "head":
        del body["source"]
    return body
