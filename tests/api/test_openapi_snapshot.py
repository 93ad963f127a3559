"""The OpenAPI document: valid, complete, and changed only on purpose.

After a change that is meant:  python manage.py spectacular --file tests/api/openapi.yaml
"""

from pathlib import Path
from typing import Any

import pytest
import yaml
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from openapi_spec_validator import validate

from api.operation import Operation
from rules_engine import registry
from rules_engine.events import COMMON

SNAPSHOT = Path(__file__).with_name("openapi.yaml")


@pytest.fixture(scope="module")
def document() -> dict[str, Any]:
    """The document as it is made now."""
    made: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return made


def operations(document: dict[str, Any]) -> dict[str, dict[str, Any]]:
    """Every operation of the document by its id."""
    return {
        operation["operationId"]: operation
        for methods in document["paths"].values()
        for operation in methods.values()
    }


def test_the_document_is_the_one_that_was_agreed(document: dict[str, Any]) -> None:
    agreed = yaml.safe_load(SNAPSHOT.read_text(encoding="utf-8"))
    assert plain(document) == agreed, (
        "The API has changed. If that is meant, write the new document down with"
        " `python manage.py spectacular --file tests/api/openapi.yaml`."
    )


def plain(value: Any) -> Any:
    """The value as it is after a way through YAML."""
    return yaml.safe_load(yaml.safe_dump(value, default_flow_style=False))


def test_the_document_is_valid_openapi_and_made_without_a_warning(
    document: dict[str, Any],
) -> None:
    validate(document)
    assert document["openapi"] == "3.1.0"
    assert not GENERATOR_STATS


METHODS = {"get", "post", "put", "patch", "delete"}


def test_every_operation_is_in_the_document_and_described(document: dict[str, Any]) -> None:
    described = operations(document)
    classes = {
        cls.__name__[0].lower() + cls.__name__[1:]
        for cls in subclasses(Operation)
        if cls.__module__.startswith("api.v1.") and METHODS & cls.__dict__.keys()
    }
    assert classes <= described.keys()
    for name, operation in described.items():
        assert operation["summary"], name
        assert operation["description"], name
        assert any(status.startswith("2") for status in operation["responses"]), name
        for status in ("400", "406", "429", "503"):
            assert status in operation["responses"], (name, status)


def subclasses(cls: type) -> set[type]:
    """A class's subclasses that are named in a module, at any depth."""
    found = set(cls.__subclasses__())
    named = found | {deeper for sub in found for deeper in subclasses(sub)}
    return {sub for sub in named if len(sub.__bases__) == 1}


def test_every_event_of_every_ruleset_is_a_component(document: dict[str, Any]) -> None:
    choices = {
        reference["$ref"].rpartition("/")[2]
        for reference in document["components"]["schemas"]["Event"]["anyOf"]
    }
    types = {
        document["components"]["schemas"][name]["properties"]["type"]["enum"][0] for name in choices
    }
    expected = {str(event.__struct_config__.tag) for event in COMMON}
    for ruleset in registry.latest():
        expected |= ruleset.catalogue.types.keys()
    assert types == expected


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]

    def references(value: Any) -> set[str]:
        if isinstance(value, dict):
            own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
            return own.union(*(references(item) for item in value.values()))
        if isinstance(value, list):
            return set().union(*(references(item) for item in value))
        return set()

    missing = {
        reference
        for reference in references(document)
        if reference.rpartition("/")[2] not in schemas
    }
    assert not missing
