"""The OpenAPI document: valid, complete, and changed only on purpose.

After a change that is meant:  python manage.py spectacular --file tests/api/openapi.yaml
"""

from pathlib import Path
from typing import Any

import msgspec
import pytest
import yaml
from drf_spectacular.drainage import GENERATOR_STATS
from drf_spectacular.generators import SchemaGenerator
from openapi_spec_validator import validate

from api.operation import Operation
from rules_engine import registry
from rules_engine.events import COMMON
from rules_engine.ruleset import Ruleset

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
        for parameter in operation.get("parameters", ()):
            assert parameter["description"], (name, parameter["name"])
        for status in ("400", "406", "429", "503"):
            assert status in operation["responses"], (name, status)


def subclasses(cls: type) -> set[type]:
    """A class's subclasses that are named in a module, at any depth."""
    found = set(cls.__subclasses__())
    named = found | {deeper for sub in found for deeper in subclasses(sub)}
    return {sub for sub in named if len(sub.__bases__) == 1}


def test_every_event_of_every_ruleset_is_one_component_told_apart_by_its_type(
    document: dict[str, Any],
) -> None:
    schemas = document["components"]["schemas"]
    union = schemas["Event"]
    expected = {str(event.__struct_config__.tag) for event in COMMON}
    for ruleset in registry.latest():
        expected |= ruleset.catalogue.types.keys()
    mapping = union["discriminator"]["mapping"]
    assert mapping.keys() == expected
    assert [{"$ref": reference} for reference in mapping.values()] == union["oneOf"]
    for tag, reference in mapping.items():
        assert schemas[reference.rpartition("/")[2]]["properties"]["type"] == {"const": tag}


@pytest.mark.parametrize("ruleset", registry.latest(), ids=lambda ruleset: ruleset.slug)
def test_a_component_of_an_event_takes_every_form_that_a_ruleset_gives_it(
    document: dict[str, Any], ruleset: Ruleset
) -> None:
    schemas = document["components"]["schemas"]
    mapping = schemas["Event"]["discriminator"]["mapping"]
    for tag, event in ruleset.catalogue.types.items():
        component = schemas[mapping[tag].rpartition("/")[2]]
        fields = {field.encode_name: field for field in msgspec.structs.fields(event)}
        assert fields.keys() <= component["properties"].keys(), tag
        needed = {name for name, field in fields.items() if field.required}
        assert set(component["required"]) <= {"type", *needed}, tag


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    def references(value: Any) -> set[str]:
        if isinstance(value, dict):
            own = {value["$ref"]} if isinstance(value.get("$ref"), str) else set()
            parts = [item for key, item in value.items() if key not in ("example", "value")]
            return own.union(*(references(item) for item in parts))
        if isinstance(value, list):
            return set().union(*(references(item) for item in value))
        return set()

    for reference in references(document):
        kind, name = reference.removeprefix("#/components/").split("/")
        assert name in document["components"][kind], reference


def test_links_lead_to_operations_and_fill_their_parameters(document: dict[str, Any]) -> None:
    described = operations(document)
    linked = {
        (name, target["operationId"])
        for name, operation in described.items()
        for answered in operation["responses"].values()
        for target in answered.get("links", {}).values()
    }
    assert {("startGame", "appendEvents"), ("createClub", "listPlayers")} <= linked
    for operation in described.values():
        for answered in operation["responses"].values():
            for target in answered.get("links", {}).values():
                taken = described[target["operationId"]]["parameters"]
                names = {parameter["name"] for parameter in taken}
                assert {name.removeprefix("header.") for name in target["parameters"]} <= names


def test_every_tag_is_described(document: dict[str, Any]) -> None:
    described = {tag["name"] for tag in document["tags"] if tag["description"]}
    used = {tag for operation in operations(document).values() for tag in operation["tags"]}
    assert described == used
