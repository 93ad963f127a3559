"""The parameters of an operation as the OpenAPI document has them: address, query, headers."""

from __future__ import annotations

from typing import Any

import msgspec

from api.components import plain
from api.operation import Header, Operation


def path_parameters(path: str) -> list[dict[str, Any]]:
    """The parameters in an address such as ``/games/{game_id}/hands/{hand}``."""
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    return [
        {
            "name": name,
            "in": "path",
            "required": True,
            "description": PATH_WORDS.get(name) or f"The {name.removesuffix('_id')}'s id.",
            "schema": PATH_SCHEMAS.get(name, UUID_TEXT),
        }
        for name in names
    ]


UUID_TEXT = {"type": "string", "format": "uuid"}
PATH_SCHEMAS: dict[str, dict[str, Any]] = {
    "hand": {"type": "integer", "minimum": 1, "maximum": 1_000_000},
    "slug": {"type": "string", "pattern": "^[a-z0-9_-]{1,60}$"},
    "code": {"type": "string", "pattern": "^[a-z_]{1,60}$"},
}
PATH_WORDS = {
    "hand": "The hand's number in the game, from 1.",
    "slug": "The ruleset's name in addresses, as `GET /api/v1/rulesets` lists it.",
    "code": "The code of a refusal.",
}


def query_parameters(operation: type[Operation]) -> list[dict[str, Any]]:
    """The query's fields as parameters.

    A parameter that may be left out is no parameter that may be null.
    """
    if operation.Query is None:
        return []
    _, components = msgspec.json.schema_components((operation.Query,))
    schema = plain(components[operation.Query.__name__], {})
    parameters = []
    for name, field in schema["properties"].items():
        kinds = [kind for kind in field.get("anyOf", ()) if kind != {"type": "null"}]
        form = {**field, **kinds[0]} if len(kinds) == 1 else dict(field)
        if len(kinds) == 1:
            del form["anyOf"]
        if form.get("default", ()) is None:
            del form["default"]
        parameters.append(
            {
                "name": name,
                "in": "query",
                "required": name in schema.get("required", ()),
                "description": form.pop("description", PARAMETER_WORDS.get(name, "")),
                "schema": form,
            }
        )
    return parameters


PARAMETER_WORDS = {
    "absorbed": "The player whose record would go over to the other.",
    "club": "Only of this club.",
    "into": "The player who would have both records.",
    "min_games": "Only players with at least so many games.",
    "min_hands": "Only players with at least so many hands.",
    "neighbours": "How many players above and below.",
    "order": "Whether the smallest or the largest figure comes first.",
    "season": "Only games of this season, by its id.",
    "state": "Only those in this state.",
    "type": "Only of this type.",
    "version": "The ruleset's version; without it, the latest.",
}
"""What a parameter of this name means wherever it does not say so itself."""


def header_parameter(header: Header) -> dict[str, Any]:
    """A header that the operation reads."""
    schema: dict[str, Any] = {"type": "string"}
    if header.pattern:
        schema["pattern"] = header.pattern
    return {
        "name": header.name,
        "in": "header",
        "required": header.required,
        "description": header.description,
        "example": header.example,
        "schema": schema,
    }
