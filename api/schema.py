"""The OpenAPI document: operations from their classes, components from msgspec structs.

drf-spectacular walks the addresses; this module says what each operation is and adds the components
of the engine: every event of every installed ruleset, facts, scores and explanations.
"""

from __future__ import annotations

from typing import Any

import msgspec
from drf_spectacular.openapi import AutoSchema

from api.errors import PROBLEM_JSON, PROBLEMS
from api.operation import Header, Operation, operation_of
from rules_engine import registry
from rules_engine.events import COMMON, Event

REF = "#/components/schemas/{name}"
ALWAYS = ("bad_request", "not_acceptable", "too_many_requests", "database_unavailable")
"""What any operation may answer."""


class ProblemDetails(msgspec.Struct, frozen=True, kw_only=True):
    """Why a request was refused (RFC 9457). Programs decide by ``code``; people read ``detail``."""

    type: str
    title: str
    status: int
    detail: str
    code: str
    facts: dict[str, Any]


class OperationSchema(AutoSchema):
    """Describes an operation from its class."""

    def get_operation(
        self, path: str, path_regex: str, path_prefix: str, method: str, registry: Any
    ) -> Any:
        """The OpenAPI operation object, or None for a view that is no operation."""
        operation = operation_of(type(self.view), method)
        if operation is None:
            return None
        self.path, self.path_regex, self.path_prefix = path, path_regex, path_prefix
        self.method, self.registry = method.upper(), registry
        summary, _, description = (operation.__doc__ or "").strip().partition("\n")
        parameters = [*path_parameters(path), *query_parameters(operation)]
        parameters += [header_parameter(header) for header in operation.reads]
        security = self.get_auth()
        described: dict[str, Any] = {
            "operationId": operation.__name__[0].lower() + operation.__name__[1:],
            "tags": [operation.__module__.rpartition(".")[2]],
            "summary": summary.rstrip("."),
            "description": " ".join(description.split()) or summary,
        }
        if parameters:
            described["parameters"] = parameters
        if operation.Input is not None:
            described["requestBody"] = {"required": True, "content": json_of(operation.Input)}
        if operation.takes_lines:
            described["requestBody"] = {
                "required": True,
                "description": operation.takes_lines,
                "content": {"application/x-ndjson": {"schema": {"type": "string"}}},
            }
        described["security"] = security
        described["responses"] = {
            str(operation.status): success(operation),
            **problems(operation, signed_in=bool(security) and {} not in security, path=path),
        }
        return described


def json_of(form: Any, *, media_type: str = "application/json") -> dict[str, Any]:
    """An OpenAPI content object for one type."""
    (schema,), _ = msgspec.json.schema_components((form,), ref_template=REF)
    return {media_type: {"schema": schema}}


def success(operation: type[Operation]) -> dict[str, Any]:
    """The response object of success."""
    answered: dict[str, Any] = {"description": (operation.__doc__ or "").strip().partition("\n")[0]}
    if operation.Output is not None:
        answered["content"] = json_of(operation.Output)
    if operation.sends:
        file = {"schema": {"type": "string", "format": "binary"}}
        answered["content"] = dict.fromkeys(operation.sends, file)
    if operation.streams:
        answered["content"]["application/x-ndjson"] = {"schema": {"type": "string"}}
    if operation.gives:
        answered["headers"] = {
            header.name: {"description": header.description, "schema": {"type": "string"}}
            for header in operation.gives
        }
    return answered


def problems(operation: type[Operation], *, signed_in: bool, path: str) -> dict[str, Any]:
    """The response objects of every refusal an operation may give, by status."""
    codes = {*ALWAYS, *operation.refusals}
    if signed_in:
        codes |= {"not_authenticated", "authentication_failed"}
    if "{" in path:
        codes |= {"not_found"}
    if "{game_id}" in path:
        codes |= {"ruleset_missing"}
    if operation.Query is not None:
        codes |= {"unknown_parameter", "invalid_input"}
    if operation.Input is not None:
        codes |= {"malformed_json", "payload_too_large", "unsupported_media_type", "invalid_input"}
        codes |= {"length_required"}
    for header in operation.reads:
        codes |= {
            "Idempotency-Key": {"idempotency_key_required", "idempotency_key_reused"},
            "If-Match": {"precondition_required", "stale_seq"},
        }.get(header.name, set())
    by_status: dict[str, list[str]] = {}
    for code, meaning in PROBLEMS.items():
        if code in codes:
            by_status.setdefault(str(meaning.status), []).append(f"`{code}`: {meaning.title}.")
    return {
        status: {
            "description": " ".join(lines),
            "content": json_of(ProblemDetails, media_type=PROBLEM_JSON),
        }
        for status, lines in by_status.items()
    }


def path_parameters(path: str) -> list[dict[str, Any]]:
    """The parameters in an address such as ``/games/{game_id}/hands/{hand}``."""
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    return [
        {"name": name, "in": "path", "required": True, "schema": PATH_SCHEMAS.get(name, UUID_TEXT)}
        for name in names
    ]


UUID_TEXT = {"type": "string", "format": "uuid"}
PATH_SCHEMAS: dict[str, dict[str, Any]] = {
    "hand": {"type": "integer", "minimum": 1, "maximum": 1_000_000},
    "slug": {"type": "string", "pattern": "^[a-z0-9_-]{1,60}$"},
    "code": {"type": "string", "pattern": "^[a-z_]{1,60}$"},
}


def query_parameters(operation: type[Operation]) -> list[dict[str, Any]]:
    """The query's fields as parameters."""
    if operation.Query is None:
        return []
    _, components = msgspec.json.schema_components((operation.Query,), ref_template=REF)
    schema = components[operation.Query.__name__]
    return [
        {
            "name": name,
            "in": "query",
            "required": name in schema.get("required", ()),
            "description": field.pop("description", ""),
            "schema": field,
        }
        for name, field in schema["properties"].items()
    ]


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


def event_types() -> tuple[type[Event], ...]:
    """Every event type of the common catalogue and of the installed rulesets, once each."""
    own = [event for ruleset in registry.latest() for event in ruleset.events]
    return tuple(dict.fromkeys((*COMMON, *own)))


def add_components(
    result: dict[str, Any],
    generator: Any,
    request: Any,
    public: bool,  # noqa: FBT001 - the hook's form
) -> dict[str, Any]:
    """Add the component of every struct in use, and ``Event`` (a hook of drf-spectacular)."""
    del request, public
    forms: list[Any] = [ProblemDetails]
    for _, _, method, callback in generator.endpoints:
        operation = operation_of(callback.cls, method)
        if operation is not None:
            forms += [form for form in (operation.Input, operation.Output) if form is not None]
    references, components = msgspec.json.schema_components(
        (*event_types(), *forms), ref_template=REF
    )
    events = references[: len(event_types())]
    for reference in events:
        component = components[reference["$ref"].rpartition("/")[2]]
        component["properties"]["occurred_at"] = OCCURRED_AT
    components["Event"] = {
        "description": "One event. Which types a game takes depends on its ruleset.",
        "anyOf": sorted(events, key=lambda reference: str(reference["$ref"])),
    }
    schemas = result.setdefault("components", {}).setdefault("schemas", {})
    schemas.update(components)
    result["components"]["schemas"] = dict(sorted(schemas.items()))
    return result


OCCURRED_AT = {
    "type": "string",
    "format": "date-time",
    "description": "When it happened at the table; without it, when the service got it.",
}
"""A field that any event may be sent with. It is kept beside the event, not in it."""
