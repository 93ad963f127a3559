"""The OpenAPI document: what each operation takes and answers, from its class.

drf-spectacular walks the addresses; this module says what each operation is. The structs are
described by ``api.components``, examples come from a story that was played (``api.examples``), and
links from a thing that was made to what can be done with it by the names in addresses.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable
from typing import Any

import msgspec
from drf_spectacular.openapi import AutoSchema

from api import examples
from api.components import components_of, schema_of
from api.errors import PROBLEM_JSON, PROBLEMS
from api.links import add_links
from api.operation import ETAG, Operation, PublicOperation, operation_of
from api.parameters import header_parameter, path_parameters, query_parameters

TOKEN_SCHEME = "token"  # noqa: S105 - a name
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
        summary, description = told(operation)
        signed_in = not issubclass(operation, PublicOperation)
        security = [way for way in self.get_auth() if way or not signed_in]
        if operation.open_to_all:
            security.append({})
        parameters = [*path_parameters(path), *query_parameters(operation)]
        parameters += [header_parameter(header) for header in operation.reads]
        described: dict[str, Any] = {
            "operationId": operation_id(operation),
            "tags": [tag_of(operation)],
            "summary": summary,
            "description": description,
        }
        if parameters:
            described["parameters"] = parameters
        if (body := request_body(operation)) is not None:
            described["requestBody"] = body
        described["security"] = [
            {scheme: scopes_of(operation, scheme) for scheme in way} for way in security
        ]
        described["responses"] = {
            str(operation.status): success(operation),
            **problems(operation, signed_in=signed_in, path=path),
        }
        if operation.deprecated is not None:
            described["deprecated"] = True
        if operation.may_be_over:
            described["responses"]["204"] = {"description": "Nothing more will come."}
        return described


def scopes_of(operation: type[Operation], scheme: str) -> list[str]:
    """The scopes that a token must have; a session has all of them."""
    scope = getattr(operation, "scope", None)
    return [scope.value] if scheme == TOKEN_SCHEME and scope is not None else []


def told(operation: type[Operation]) -> tuple[str, str]:
    """The operation's summary, and its description: the summary where there is no more to say."""
    summary, _, description = inspect.cleandoc(operation.__doc__ or "").partition("\n")
    description = " ".join(description.split()) or summary
    if operation.right is not None:
        description += f" Needs the right `{operation.right.value}` in the club."
    if operation.deprecated is not None:
        description += f" Ends on {operation.deprecated.sunset}. {operation.deprecated.instead}"
    return summary.rstrip("."), description


def operation_id(operation: type[Operation]) -> str:
    """The operation's id: its class's name, begun small."""
    return operation.__name__[0].lower() + operation.__name__[1:]


def tag_of(operation: type[Operation]) -> str:
    """The tag: the module that the operation stands in."""
    return operation.__module__.rpartition(".")[2].replace("_", " ")


def request_body(operation: type[Operation]) -> dict[str, Any] | None:
    """The request body object, None for an operation that takes no body."""
    if operation.Input is not None:
        example = examples.request_of(operation_id(operation))
        return {"required": True, "content": json_of(operation.Input, example=example)}
    if operation.takes_lines:
        lines = {"schema": {"type": "string"}}
        return {
            "required": True,
            "description": operation.takes_lines,
            "content": {"application/x-ndjson": lines},
        }
    return None


def json_of(
    form: Any, *, media_type: str = "application/json", example: Any = None
) -> dict[str, Any]:
    """An OpenAPI content object for one type."""
    content = {"schema": schema_of(form)}
    if example is not None:
        content["example"] = example
    return {media_type: content}


def success(operation: type[Operation]) -> dict[str, Any]:
    """The response object of success."""
    answered: dict[str, Any] = {"description": f"{told(operation)[0]}."}
    if operation.Output is not None:
        example = examples.answer_of(operation_id(operation))
        answered["content"] = json_of(operation.Output, example=example)
        if takes_fields(operation):
            content = answered["content"]["application/json"]
            content["schema"] = {"anyOf": [content["schema"], SOME_FIELDS]}
    if operation.sends:
        file = {"schema": {"type": "string", "format": "binary"}}
        answered["content"] = dict.fromkeys(operation.sends, file)
    if operation.messages:
        kinds = (f"`{kind}` ({form.__name__})" for kind, form in operation.messages.items())
        answered["description"] += (
            f" Messages, and the components of their data: {', '.join(kinds)}."
        )
        data = {"anyOf": [schema_of(form) for form in operation.messages.values()]}
        lines = {"type": "string", "contentMediaType": "text/event-stream", "contentSchema": data}
        answered["content"] = {form: {"schema": lines} for form in operation.sends}
    if operation.streams:
        answered["content"]["application/x-ndjson"] = {"schema": {"type": "string"}}
    answered["headers"] = {name: header_reference(name) for name in OF_SUCCESS}
    if operation.gives:
        answered["headers"] |= {
            header.name: {
                "description": header.description,
                "required": True,
                "schema": {"type": "string"},
                "example": header.example,
            }
            for header in operation.gives
        }
    return answered


def takes_fields(operation: type[Operation]) -> bool:
    """Whether a caller may ask for some fields of the answer only."""
    return "fields" in getattr(operation.Query, "__struct_fields__", ())


SOME_FIELDS = {"type": "object", "description": "With `fields`: those that were asked for."}


def forms_of(operation: type[Operation]) -> list[Any]:
    """Every form that the operation takes or gives."""
    given = (operation.Input, operation.Output, *operation.messages.values())
    return [form for form in given if form is not None]


def codes_of(operation: type[Operation], *, signed_in: bool, path: str) -> set[str]:
    """The codes of every refusal that the operation may give."""
    codes = {*ALWAYS, *operation.refusals}
    if signed_in:
        codes |= {"not_authenticated", "authentication_failed"}
    if "{" in path:
        codes |= {"not_found"}
    if "{game_id}" in path:
        codes |= {"ruleset_missing"}
    if takes_fields(operation):
        codes |= {"unknown_field"}
    if operation.deprecated is not None:
        codes |= {"operation_over"}
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
    return codes


def problems(operation: type[Operation], *, signed_in: bool, path: str) -> dict[str, Any]:
    """The response objects of every refusal, by status, each code with its example."""
    codes = codes_of(operation, signed_in=signed_in, path=path)
    by_status: dict[str, list[str]] = {}
    for code, meaning in PROBLEMS.items():
        if code in codes:
            by_status.setdefault(str(meaning.status), []).append(code)
    return {status: refusal(status, by_status[status]) for status in sorted(by_status)}


def refusal(status: str, codes: list[str]) -> dict[str, Any]:
    """The response object of the refusals with one status."""
    content = json_of(ProblemDetails, media_type=PROBLEM_JSON)
    content[PROBLEM_JSON]["examples"] = {
        code: {"$ref": f"#/components/examples/{code}"} for code in codes
    }
    answered: dict[str, Any] = {
        "description": " ".join(f"`{code}`: {PROBLEMS[code].title}." for code in codes),
        "content": content,
    }
    names = [name for name, header in HEADERS.items() if status in header["x-statuses"]]
    if names:
        answered["headers"] = {name: header_reference(name) for name in names}
    return answered


def header_reference(name: str) -> dict[str, str]:
    """A reference to a header's component."""
    return {"$ref": f"#/components/headers/{name}"}


HEADERS: dict[str, dict[str, Any]] = {
    "Retry-After": {
        "description": "Seconds after which to try again.",
        "schema": {"type": "string", "pattern": "^[0-9]+$"},
        "example": "2",
        "x-statuses": ("429", "503"),
    },
    "WWW-Authenticate": {
        "description": "How to sign in.",
        "schema": {"type": "string"},
        "example": "Bearer",
        "x-statuses": ("401",),
    },
    "ETag": {
        "description": ETAG.description,
        "schema": {"type": "string"},
        "example": ETAG.example,
        "x-statuses": ("412",),
    },
    "RateLimit": {
        "description": "What is left of each limit (`r`), and for how many seconds (`t`).",
        "schema": {"type": "string"},
        "example": '"account";r=59999;t=42',
        "x-statuses": ("429",),
    },
    "RateLimit-Policy": {
        "description": "The limits that it counts against: requests (`q`) in seconds (`w`).",
        "schema": {"type": "string"},
        "example": '"account";q=60000;w=60',
        "x-statuses": ("429",),
    },
}
"""Headers that are described once, and the statuses of the refusals that they come with."""
OF_SUCCESS = ("RateLimit", "RateLimit-Policy")
"""Headers of every answer, told of where nothing was refused."""


# The whole document -------------------------------------------------------------------------------


def add_components(
    result: dict[str, Any],
    generator: Any,
    request: Any,
    public: bool,  # noqa: FBT001 - the hook's form
) -> dict[str, Any]:
    """Add what operations refer to: components, tags, links (a hook of drf-spectacular)."""
    del request, public
    operations = [
        operation
        for _, _, method, callback in generator.endpoints
        if (operation := operation_of(callback.cls, method)) is not None
    ]
    forms = [form for each in operations for form in forms_of(each)]
    components = result.setdefault("components", {})
    schemas = {**components.get("schemas", {}), **components_of([ProblemDetails, *forms])}
    components["schemas"] = dict(sorted(schemas.items()))
    components["examples"] = {
        code: {"summary": PROBLEMS[code].title, "value": problem_example(code)}
        for code in sorted(codes_in(result["paths"]))
    }
    components["headers"] = {
        name: {key: value for key, value in header.items() if key != "x-statuses"}
        for name, header in HEADERS.items()
    }
    result["tags"] = tags(operations)
    add_links(result["paths"])
    return result


def codes_in(paths: dict[str, Any]) -> set[str]:
    """The codes of all refusals that operations may give."""
    return {
        code
        for methods in paths.values()
        for operation in methods.values()
        for answered in operation["responses"].values()
        for code in answered.get("content", {}).get(PROBLEM_JSON, {}).get("examples", ())
    }


def problem_example(code: str) -> dict[str, Any]:
    """A refusal with this code: one that was answered in the story, else one as it would be."""
    meaning = PROBLEMS[code]
    return examples.problem_of(code) or {
        "type": f"/api/v1/errors/{code}",
        "title": meaning.title,
        "status": meaning.status,
        "detail": f"{meaning.title}.",
        "code": code,
        "facts": {},
    }


def tags(operations: Iterable[type[Operation]]) -> list[dict[str, str]]:
    """Every tag, described by the docstring of its module."""
    modules = {tag_of(operation): operation.__module__ for operation in operations}
    return [
        {"name": tag, "description": inspect.cleandoc(sys.modules[module].__doc__ or tag)}
        for tag, module in sorted(modules.items())
    ]
