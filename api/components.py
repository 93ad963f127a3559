"""The components of the OpenAPI document: the structs in use, and every event of every ruleset.

msgspec describes a struct as JSON Schema. What is changed of that here is form, not meaning, so
that the generators of clients which people use get along with it:

- an event type that rulesets give different fields is one component with the fields of all, so that
  ``Event`` is a union told apart by ``type`` and a client has one class a type;
- an array of fixed length has one schema for its items, and a constant is a ``const``;
- a component's name is one word, unique however many modules have a struct of that name.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Mapping
from functools import reduce
from typing import Any

import msgspec

from rules_engine import registry
from rules_engine.events import COMMON, Event
from rules_engine.expectations import Expectation

REF = "#/components/schemas/{name}"
Schema = dict[str, Any]

OCCURRED_AT: Schema = {
    "type": "string",
    "format": "date-time",
    "description": "When it happened at the table; without it, when the service got it.",
}
"""A field that any event may be sent with. It is kept beside the event, not in it."""
EXPECT: Schema = {"expect": {"$ref": REF.format(name=Expectation.__name__)}}
"""A field that an event which ends a hand may be sent with. It is compared and not kept."""
ENDS_HAND = ("hand_ended", "hand_result")


def schema_of(form: Any) -> Schema:
    """The schema of one type; structs in it are references to their components."""
    (schema,), components = msgspec.json.schema_components((form,), ref_template=REF)
    made: Schema = plain(schema, names_of(components))
    return made


def component_of(struct: type[msgspec.Struct]) -> Schema:
    """The schema of one struct by itself."""
    _, components = msgspec.json.schema_components((struct,), ref_template=REF)
    made: Schema = plain(components[struct.__name__], names_of(components))
    return made


def components_within(structs: Iterable[type[msgspec.Struct]]) -> dict[str, Schema]:
    """The schemas of the structs inside these, by name; these are not among them."""
    of_structs = tuple(structs)
    references, components = msgspec.json.schema_components(of_structs, ref_template=REF)
    names = names_of(components)
    own = {reference["$ref"].rpartition("/")[2] for reference in references}
    return {
        names[name]: plain(schema, names) for name, schema in components.items() if name not in own
    }


def components_of(forms: Iterable[Any]) -> dict[str, Schema]:
    """Every component that the forms refer to, and the events, by name.

    All are described together, so that msgspec sees which structs have the same name.
    """
    classes = event_classes()
    events = [event for kinds in classes.values() for _, event in kinds]
    references, components = msgspec.json.schema_components(
        (*events, *forms, Expectation), ref_template=REF
    )
    names = names_of(components)
    described = {name: plain(schema, names) for name, schema in components.items()}
    of_event = {
        event: described.pop(reference["$ref"].rpartition("/")[2])
        for event, reference in zip(events, references, strict=False)
    }
    # An event is called by its type, so that no other struct may have its name.
    taken = {_title(tag) for tag in classes} & {name.rpartition(".")[2] for name in described}
    assert not taken, f"Give these another name than an event's: {sorted(taken)}"
    made = {names[name]: _titled(schema, names[name]) for name, schema in described.items()}
    made.update(
        {
            _title(tag): one_form(tag, [(slug, of_event[event]) for slug, event in kinds])
            for tag, kinds in classes.items()
        }
    )
    made["Event"] = any_event(classes)
    return dict(sorted(made.items()))


def names_of(components: Iterable[str]) -> dict[str, str]:
    """What msgspec calls components, to their names in the document.

    msgspec writes the module before the name where two have the same: ``api.v1.clubs.Shown``, which
    becomes ``ClubsShown``.
    """
    return {name: "".join(map(_title, name.split(".")[-2:])) for name in components}


def _title(word: str) -> str:
    return "".join(part[:1].upper() + part[1:] for part in word.split("_"))


def plain(schema: Any, names: Mapping[str, str]) -> Any:
    """The schema in the form that generators of clients know, its references renamed."""
    if isinstance(schema, list | tuple):
        return [plain(part, names) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {key: plain(value, names) for key, value in schema.items()}
    if isinstance(made.get("$ref"), str):
        stem, _, name = made["$ref"].rpartition("/")
        made["$ref"] = f"{stem}/{names.get(name, name)}"
    if "prefixItems" in made:
        kinds = made.pop("prefixItems")
        distinct = [kind for i, kind in enumerate(kinds) if kind not in kinds[:i]]
        made["items"] = distinct[0] if len(distinct) == 1 else {"anyOf": distinct}
    if isinstance(made.get("enum"), list) and len(made["enum"]) == 1:
        (made["const"],) = made.pop("enum")
    return made


# Events -------------------------------------------------------------------------------------------


def event_classes() -> dict[str, list[tuple[str, type[Event]]]]:
    """The classes of each event type with the ruleset whose it is, ``""`` for the common one."""
    classes: dict[str, list[tuple[str, type[Event]]]] = {}
    for event in COMMON:
        classes.setdefault(tag_of(event), []).append(("", event))
    for ruleset in registry.latest():
        for event in ruleset.events:
            classes.setdefault(tag_of(event), []).append((ruleset.slug, event))
    return classes


def tag_of(event: type[Event]) -> str:
    """The event type's name in JSON."""
    return str(event.__struct_config__.tag)


def _titled(schema: Schema, name: str) -> Schema:
    return {**schema, "title": name} if "title" in schema else schema


def any_event(tags: Iterable[str]) -> Schema:
    """The union of the event types.

    Fields whose type differs between rulesets take what any of them takes. Which ruleset takes what
    is checked when the event is appended, and told by its page.
    """
    mapping = {tag: REF.format(name=_title(tag)) for tag in sorted(tags)}
    return {
        "description": (
            "What happened at the table. `type` says which event it is; which types a game takes"
            " depends on its ruleset."
        ),
        "oneOf": [{"$ref": reference} for reference in mapping.values()],
        "discriminator": {"propertyName": "type", "mapping": mapping},
    }


def one_form(tag: str, forms: list[tuple[str, Schema]]) -> Schema:
    """One schema that takes an event of any of these forms, each with its ruleset."""
    said = []
    for slug, form in forms:
        text = inspect.cleandoc(form.get("description", "")).replace("``", "`")
        said.append(f"**{slug}**: {text}" if slug else text)
    fields: dict[str, list[Schema]] = {}
    for _, form in forms:
        for name, field in form["properties"].items():
            fields.setdefault(name, []).append(field)
    return {
        "title": _title(tag),
        "type": "object",
        "description": "\n\n".join(said),
        "properties": {
            **{name: reduce(either, kinds) for name, kinds in fields.items()},
            "occurred_at": OCCURRED_AT,
            **(EXPECT if tag in ENDS_HAND else {}),
        },
        "required": [
            name
            for name in forms[0][1]["required"]
            if all(name in form["required"] for _, form in forms)
        ],
        "additionalProperties": False,
    }


def either(one: Schema, other: Schema) -> Schema:
    """A schema that takes what either takes; one without a default where the two differ."""
    if one == other:
        return one
    kinds = [_without_default(one), _without_default(other)]
    if all("enum" in kind for kind in kinds):
        return {**kinds[0], "enum": sorted({value for kind in kinds for value in kind["enum"]})}
    defaults = [kind["default"] for kind in (one, other) if "default" in kind]
    if kinds[0] == kinds[1]:
        return kinds[0]
    made: Schema = {"anyOf": kinds}
    if len(defaults) == 2 and defaults[0] == defaults[1]:
        made["default"] = defaults[0]
    return made


def _without_default(schema: Schema) -> Schema:
    return {key: value for key, value in schema.items() if key != "default"}
