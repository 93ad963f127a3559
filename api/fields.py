"""Only some fields of a big answer: ``?fields=seq,hand``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import msgspec

from api.errors import Problem
from api.operation import Struct

Fields = Annotated[
    str,
    msgspec.Meta(
        max_length=500,
        pattern="^[a-z_]+(,[a-z_]+)*$",
        description="Only these fields of the answer, of a list those of each item; by commas.",
    ),
]


class SomeFields(Struct, frozen=True):
    """Which fields."""

    fields: Fields | None = None


def only(
    shown: msgspec.Struct | Mapping[str, Any], fields: str | None, *, of: type[msgspec.Struct]
) -> Any:
    """What is shown, cut to the fields named; all of it where none are. ``of`` is its form.

    Raises Problem ``unknown_field``.
    """
    if fields is None:
        return shown
    known = {field.encode_name: field.name for field in msgspec.structs.fields(of)}
    wanted = dict.fromkeys(fields.split(","))
    for name in wanted:
        if name not in known:
            raise Problem(
                "unknown_field",
                f"The answer has no field {name!r}.",
                facts={"expected": sorted(known), "actual": name},
            )
    if isinstance(shown, msgspec.Struct):
        return {name: getattr(shown, known[name]) for name in wanted}
    return {name: shown[name] for name in wanted}
