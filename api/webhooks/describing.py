"""The catalogue of events in words, made from the structs.

``manage.py describe_webhooks`` writes it into the README of this package, between its two marks.
"""

from __future__ import annotations

import inspect
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from msgspec import inspect as types

from api.operation import Shown
from api.webhooks.catalogue import CATALOGUE, PING, WebhookPing

README: Final = Path(__file__).with_name("README.md")
BEGIN: Final = "<!-- The catalogue, made by `manage.py describe_webhooks` -->\n"
END: Final = "<!-- End of the catalogue -->\n"

TEXTS_ZH: Final = Path(__file__).with_name("texts_zh.toml")

_KINDS: Final = {
    types.StrType: ("文字", "text"),
    types.IntType: ("整数", "integer"),
    types.UUIDType: ("编号", "id"),
    types.DateTimeType: ("时间", "time"),
    types.BoolType: ("是或否", "true or false"),
    types.NoneType: ("null", "null"),
}
_OBJECT: Final = ("对象", "object")


class _Language(NamedTuple):
    """How a table is written in one language; ``place`` of its words in pairs."""

    place: int
    field: str
    also: str
    list_of: str
    either: str


_LANGUAGES: Final = {
    "zh": _Language(0, "`data` 的字段", "除 `{}` 的字段外，还有：", "列表，每项为{}", "或"),
    "en": _Language(1, "field of `data`", "The fields of `{}`, and:", "list of {}s", " or "),
}


def catalogue_in_markdown(language: str = "en") -> str:
    """A section for each type of event: when it comes, what it means, and a table of its data."""
    texts = _texts(language)
    return "\n".join(
        line
        for name, data in _kinds()
        for line in _section(name, data, texts, _LANGUAGES[language])
    )


def _kinds() -> list[tuple[str, type[Shown]]]:
    """Every type of event with its data."""
    return [*CATALOGUE.items(), (PING, WebhookPing)]


def _texts(language: str) -> dict[str, str]:
    """What each type of event means, by its name."""
    if language == "zh":
        return tomllib.loads(TEXTS_ZH.read_text(encoding="utf-8"))
    return {name: inspect.getdoc(data) or "" for name, data in _kinds()}


def _section(
    name: str, data: type[Shown], texts: Mapping[str, str], language: _Language
) -> Iterator[str]:
    yield from (f"### `{name}`", "", texts[name].strip(), "")
    shared = 0
    for other, base in CATALOGUE.items():
        if base in data.__mro__[1:]:
            yield from (language.also.format(other), "")
            shared = len(list(_fields("", base, language)))
    yield from (f"| {language.field} | |", "|---|---|")
    rows = list(_fields("", data, language))[shared:]
    yield from (f"| `{field}` | {words} |" for field, words in rows)
    yield ""


def _fields(prefix: str, struct: type, language: _Language) -> Iterator[tuple[str, str]]:
    """Each field with its form in words; those of a struct inside follow it."""
    form = types.type_info(struct)
    assert isinstance(form, types.StructType), form
    for field in form.fields:
        name = f"{prefix}{field.encode_name}"
        inner, many, words = _read(field.type, language)
        yield name, words
        if inner is not None:
            yield from _fields(f"{name}{'[]' if many else ''}.", inner, language)


def _read(form: types.Type, language: _Language) -> tuple[type | None, bool, str]:
    """The struct inside, whether there are many of it, and the form in words."""
    if isinstance(form, types.StructType):
        return form.cls, False, _OBJECT[language.place]
    if isinstance(form, types.VarTupleType):
        inner, _, words = _read(form.item_type, language)
        return inner, True, language.list_of.format(words)
    if isinstance(form, types.UnionType):
        read = [_read(each, language) for each in form.types]
        inner = next((struct for struct, _, _ in read if struct is not None), None)
        kinds = sorted((words for _, _, words in read), key="null".__eq__)
        return inner, False, language.either.join(kinds)
    if isinstance(form, types.LiteralType):
        return None, False, language.either.join(f"`{value}`" for value in form.values)
    return None, False, _KINDS[type(form)][language.place]


def with_catalogue(text: str) -> str:
    """The README with the catalogue of now."""
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n{catalogue_in_markdown()}\n{END}{after}"
