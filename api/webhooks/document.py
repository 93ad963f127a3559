"""The messages of webhooks in the OpenAPI document: it has a place for what a service sends."""

from __future__ import annotations

import inspect
from typing import Any, Final

import msgspec

from api.components import REF, plain
from api.operation import Header, Shown
from api.parameters import header_parameter
from api.webhooks.catalogue import CATALOGUE, FORM, PING, WebhookPing

TAG: Final = "Webhooks"
HEADERS: Final = (
    Header(
        name="webhook-id",
        description="The event's id, the same however often it is sent.",
        example="0d1f4c35-7f0e-5a57-9a2e-3a4c5d8f3b6e",
    ),
    Header(
        name="webhook-timestamp",
        description="When this request was made, in seconds since 1970 UTC.",
        example="1796040000",
    ),
    Header(
        name="webhook-signature",
        description="One signature for each secret that is good, each behind its version.",
        example="v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
    ),
)


def add_webhooks(
    result: dict[str, Any],
    generator: Any,
    request: Any,
    public: bool,  # noqa: FBT001 - the hook's form
) -> dict[str, Any]:
    """Add every message that a receiver may get (a hook of drf-spectacular)."""
    del generator, request, public
    kinds: list[tuple[str, type[Shown]]] = [*CATALOGUE.items(), (PING, WebhookPing)]
    _, components = msgspec.json.schema_components([data for _, data in kinds], ref_template=REF)
    told = {name: plain(schema, {}) for name, schema in components.items()}
    schemas = result["components"]["schemas"]
    # Streams of clubs tell the same and have brought some of them.
    taken = [name for name, schema in told.items() if schemas.get(name, schema) != schema]
    assert not taken, f"each component has a name of its own: {taken}"
    result["components"]["schemas"] = dict(sorted({**schemas, **told}.items()))
    result["webhooks"] = {name: {"post": _post(name, data)} for name, data in kinds}
    return result


def _post(name: str, data: type[Shown]) -> dict[str, Any]:
    """The request that a receiver gets."""
    summary, _, rest = (inspect.getdoc(data) or "").partition("\n\n")
    return {
        "operationId": "receive" + "".join(part.capitalize() for part in name.split(".")),
        "tags": [TAG],
        "summary": summary,
        "description": rest or summary,
        "security": [],
        "parameters": [header_parameter(header) for header in HEADERS],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": _message(name, data)}},
        },
        "responses": {
            "2XX": {"description": "Taken. The event is not sent again."},
            "default": {
                "description": "Not taken, redirects too: it is tried again. With 410 nothing "
                "more is sent until somebody enables the webhook again."
            },
        },
    }


def _message(name: str, data: type[Shown]) -> dict[str, Any]:
    return {
        "type": "object",
        "required": ["type", "version", "timestamp", "data"],
        "properties": {
            "type": {"const": name},
            "version": {"const": FORM},
            "timestamp": {"type": "string", "format": "date-time"},
            "data": {"$ref": REF.format(name=data.__name__)},
        },
    }
