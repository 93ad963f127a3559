"""The examples of the OpenAPI document are what the service answers when a story is played.

After a change that is meant:  python -m tests.api.make_examples
"""

from typing import Any

import msgspec
import pytest
from drf_spectacular.generators import SchemaGenerator

from api import examples
from tests.support.telling import tell
from tests.support.tour import Tour


@pytest.fixture(scope="module")
def told(api_database: Any) -> dict[str, Any]:
    """The story, told now."""
    del api_database
    tour = Tour()
    tell(tour)
    return tour.kept()


def form(value: Any) -> Any:
    """What there is in a value, whatever it is: names of fields, and kinds of values."""
    if isinstance(value, dict):
        return {name: form(item) for name, item in sorted(value.items())}
    if isinstance(value, list):
        # Things made at one moment come in an order that is not always the same.
        return sorted({repr(form(item)) for item in value})
    return type(value).__name__


def test_the_story_told_again_has_the_form_of_the_one_on_file(told: dict[str, Any]) -> None:
    on_file = msgspec.to_builtins(examples.recorded())
    for part in ("operations", "problems"):
        assert told[part].keys() == on_file[part].keys()
        for name, shown in told[part].items():
            assert form(shown) == form(on_file[part][name]), (
                f"{name} answers otherwise than its example. If that is meant, write the story"
                " down anew with `python -m tests.api.make_examples`."
            )


def test_every_operation_has_an_example_of_each_json_body() -> None:
    operations = examples.recorded().operations
    for methods in SchemaGenerator().get_schema(public=True)["paths"].values():
        for operation in methods.values():
            name = operation["operationId"]
            shown = operations.get(name, examples.Example())
            bodies = operation.get("requestBody", {}).get("content", {})
            if "application/json" in bodies:
                assert shown.request is not None, f"tests.support.telling never asks for {name}"
            answers = {
                kind: content
                for status, answered in operation["responses"].items()
                if status.startswith("2")
                for kind, content in answered.get("content", {}).items()
            }
            if answers.get("application/json", {}).get("schema", {}).get("format") != "binary":
                assert "application/json" not in answers or shown.answer is not None, (
                    f"tests.support.telling never asks for {name}"
                )
