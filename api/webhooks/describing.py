"""The catalogue of events in words, made from the structs.

``manage.py describe_webhooks`` writes it into the README of this package, between its two marks.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from msgspec import inspect as types

from api.operation import Shown
from api.webhooks.catalogue import CATALOGUE, PING, WebhookPing

README: Final = Path(__file__).with_name("README.md")
BEGIN: Final = "<!-- The catalogue, made by `manage.py describe_webhooks` -->\n"
END: Final = "<!-- End of the catalogue -->\n"

_WORDS: Final = {
    types.StrType: "text",
    types.IntType: "integer",
    types.UUIDType: "id",
    types.DateTimeType: "time",
    types.BoolType: "true or false",
    types.NoneType: "null",
}


def catalogue_in_markdown() -> str:
    """A section for each type of event: when it comes, what it means, and a table of its data."""
    kinds: list[tuple[str, type[Shown]]] = [*CATALOGUE.items(), (PING, WebhookPing)]
    return "\n".join(line for name, data in kinds for line in _section(name, data))


def _section(name: str, data: type[Shown]) -> Iterator[str]:
    yield from (f"### `{name}`", "", inspect.getdoc(data) or "", "")
    shared = 0
    for other, base in CATALOGUE.items():
        if base in data.__mro__[1:]:
            yield from (f"The fields of `{other}`, and:", "")
            shared = len(list(_fields("", base)))
    yield from ("| field of `data` | |", "|---|---|")
    yield from (f"| `{field}` | {words} |" for field, words in list(_fields("", data))[shared:])
    yield ""


def _fields(prefix: str, struct: type) -> Iterator[tuple[str, str]]:
    """Each field with its form in words; those of a struct inside follow it."""
    form = types.type_info(struct)
    assert isinstance(form, types.StructType), form
    for field in form.fields:
        name = f"{prefix}{field.encode_name}"
        inner, many, words = _read(field.type)
        yield name, words
        if inner is not None:
            yield from _fields(f"{name}{'[]' if many else ''}.", inner)


def _read(form: types.Type) -> tuple[type | None, bool, str]:
    """The struct inside, whether there are many of it, and the form in words."""
    if isinstance(form, types.StructType):
        return form.cls, False, "object"
    if isinstance(form, types.VarTupleType):
        inner, _, words = _read(form.item_type)
        return inner, True, f"list of {words}s"
    if isinstance(form, types.UnionType):
        read = [_read(each) for each in form.types]
        inner = next((struct for struct, _, _ in read if struct is not None), None)
        return inner, False, " or ".join(sorted((words for _, _, words in read), key="null".__eq__))
    if isinstance(form, types.LiteralType):
        return None, False, " or ".join(f"`{value}`" for value in form.values)
    return None, False, _WORDS[type(form)]


def with_catalogue(text: str) -> str:
    """The README with the catalogue of now."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{catalogue_in_markdown()}\n{END}{after}"
