"""The links of the OpenAPI document: from an answer that made a thing to what can be done with it.

They follow from the names in addresses, so that no operation has to tell of another.
"""

from __future__ import annotations

from typing import Any

from api.operation import ETAG, IF_MATCH


def add_links(paths: dict[str, Any]) -> None:
    """Link what makes a thing to what can be done with the thing.

    ``POST /clubs/{club_id}/seasons`` makes a season, whose id ``/seasons/{season_id}/open`` takes.
    """
    for path, methods in paths.items():
        making = methods.get("post", {}).get("responses", {}).get("201")
        collection = path.rpartition("/")[2]
        if making is None or "content" not in making or not collection.endswith("s"):
            continue
        name = f"{collection.removesuffix('s')}_id"
        links = {
            operation["operationId"]: link(name, operation, making)
            for other, others in paths.items()
            for operation in others.values()
            if other.count("{") == 1 and f"{{{name}}}" in other
        }
        if links:
            making["links"] = links


def link(name: str, operation: dict[str, Any], making: dict[str, Any]) -> dict[str, Any]:
    """The link from an answer that made a thing to an operation on it."""
    parameters = {name: "$response.body#/id"}
    reads = {parameter["name"] for parameter in operation.get("parameters", ())}
    if IF_MATCH.name in reads and ETAG.name in making.get("headers", ()):
        parameters[f"header.{IF_MATCH.name}"] = f"$response.header.{ETAG.name}"
    return {
        "operationId": operation["operationId"],
        "description": f"{operation['summary']}.",
        "parameters": parameters,
    }
