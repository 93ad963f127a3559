"""The pages of events, one a ruleset: what it takes, field by field, made from the structs."""

from __future__ import annotations

import inspect
import json
import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any, Final

from api.components import Schema, component_of, components_within, tag_of
from api.docs.rendering import anchor_of, table
from rules_engine.events import COMMON, Event
from rules_engine.option_rows import choose_options
from rules_engine.ruleset import Options, Ruleset
from rules_engine.sheets import Sheet, sheet_of

WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "field": "field",
        "form": "form",
        "needed": "needed",
        "yes": "yes",
        "rules": "Rules",
        "common": "Events of every game",
        "own": "Events of this game",
        "objects": "Objects in events",
        "names": "Melds and flags of a result",
        "names_text": "What `kind` and `flags` may be in a `hand_result`, under the options of the "
        "game's presets. Under the options of one game: `sheet` of `GET /api/v1/rulesets/{slug}`.",
        "meld": "`kind` of a meld",
        "flag": "flag",
        "name": "name",
        "integer": "integer",
        "boolean": "true or false",
        "string": "text",
        "object": "object",
        "any": "anything",
        "list": "list",
        "list_of": "list of: {}",
        "range": "{}, {} to {}",
        "or": " or ",
        "comma": ", ",
        "colon": ": ",
    },
    "zh": {
        "field": "字段",
        "form": "形式",
        "needed": "必填",
        "yes": "是",
        "rules": "规则",
        "common": "各套规则共有的事件",
        "own": "本规则自有的事件",
        "objects": "事件里的对象",
        "names": "只记结果时的副露与标记",
        "names_text": "`hand_result` 里 `kind` 和 `flags` 可以写什么，以本规则各种玩法的选项为准。"
        "某一场对局的选项下可写什么，见 `GET /api/v1/rulesets/{slug}` 的 `sheet`。",
        "meld": "副露的 `kind`",
        "flag": "标记",
        "name": "名称",
        "integer": "整数",
        "boolean": "是或否（true、false）",
        "string": "文字",
        "object": "对象",
        "any": "任意",
        "list": "列表",
        "list_of": "列表，每项为{}",
        "range": "{}，{} 到 {}",
        "or": "或",
        "comma": "、",
        "colon": "：",
    },
}
FORMS_ZH: Final = {
    "A fixed chair, 0 to 3.": "座位，0 到 3",
    "One tile, such as 5m, 3z or 1f.": "一张牌，如 5m、3z、1f",
    "Tiles written compactly, such as 123m55z.": "连写的牌，如 123m55z",
    "One tile, or none.": "一张牌，或没有",
}
"""What the structs say of a field's form, in Chinese."""
TEXTS: Final = "event_texts.toml"
"""In a folder: what its events and the objects in them mean, in Chinese."""
SHOWN_MAX: Final = 12
"""Items of a list of an example that are shown."""


def events_page(ruleset: Ruleset, language: str) -> str:
    """The catalogue of a ruleset's events: fields, forms, an example, the rules concerned."""
    words = WORDS[language]
    own = {tag_of(event): event for event in ruleset.events}
    common = {tag_of(event): event for event in COMMON if tag_of(event) not in own}
    texts: Mapping[str, str] = texts_of(ruleset) if language == "zh" else {}
    examples = _examples(ruleset)
    lines = [f"# {ruleset.names.zh} {ruleset.names.en}\n"]
    for title, events in ((words["own"], own), (words["common"], common)):
        lines += [f"## {title}\n"] if events else []
        for name, event in events.items():
            lines += _event(ruleset, event, texts, language)
            if name in examples:
                lines.append(f"```json\n{_short(examples[name])}\n```\n")
    lines.append(f"## {words['objects']}\n")
    for name, schema in components_within([*own.values(), *common.values()]).items():
        lines.append(f"### {name}\n")
        lines.append(_plain(texts.get(name, schema["description"])) + "\n")
        lines.append(_fields(schema, language))
    return "\n".join([*lines, *_names(ruleset, language)])


def texts_of(ruleset: Ruleset) -> dict[str, str]:
    """What events and the objects in them mean, in Chinese, by name; a ruleset's own come first."""
    found: dict[str, str] = {}
    for package in ("rules_engine", ruleset.package):
        path = files(package).joinpath(TEXTS)
        found |= tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return found


def _event(
    ruleset: Ruleset, event: type[Event], texts: Mapping[str, str], language: str
) -> Iterator[str]:
    words, name = WORDS[language], tag_of(event)
    english = inspect.getdoc(event) or ""
    yield f"### {name}\n"
    yield _plain(texts.get(name, english)) + "\n"
    yield _fields(component_of(event), language)
    numbers = [number for number in _numbers(english) if number in ruleset.rules]
    if numbers:
        links = words["comma"].join(
            f"[{number}](/rulesets/{ruleset.slug}/#{number})" for number in numbers
        )
        yield f"{words['rules']}{words['colon']}{links}\n"


def _fields(schema: Schema, language: str) -> str:
    """A table of the fields of an event or an object, empty where it has none."""
    words = WORDS[language]
    rows: list[list[Any]] = [
        [f"`{name}`", form_of(form, language), words["yes"] if name in schema["required"] else ""]
        for name, form in schema["properties"].items()
        if name != "type"
    ]
    return table([words["field"], words["form"], words["needed"]], rows) + "\n" if rows else ""


def form_of(schema: Schema, language: str) -> str:
    """A field's form in a few words: ``integer, 0 to 3``."""
    words = WORDS[language]
    if "anyOf" in schema:
        kinds = [form_of(kind, language) for kind in schema["anyOf"] if kind != {"type": "null"}]
        return words["or"].join(dict.fromkeys(kinds))
    if "enum" in schema:
        return words["comma"].join(f"`{value}`" for value in schema["enum"])
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](#{anchor_of(name)})"
    if schema.get("description"):
        text = str(schema["description"])
        return FORMS_ZH[text] if language == "zh" else text.rstrip(".")
    kind = str(schema.get("type", "any"))
    if kind == "array":
        inner = schema.get("items")
        return words["list_of"].format(form_of(inner, language)) if inner else words["list"]
    low, high = schema.get("minimum"), schema.get("maximum")
    if low is not None and high is not None:
        return words["range"].format(words[kind], f"{low:,}", f"{high:,}")
    return words[kind]


def _names(ruleset: Ruleset, language: str) -> Iterator[str]:
    """Which melds and flags a result may name, under any preset."""
    words = WORDS[language]
    sheets = list(_sheets(ruleset))
    melds = {meld.kind: meld for sheet in sheets for meld in sheet.melds}
    flags = {flag.id: flag for sheet in sheets for flag in sheet.flags}
    yield f"## {words['names']}\n\n{words['names_text']}\n"
    for title, named in ((words["meld"], melds), (words["flag"], flags)):
        rows: list[list[Any]] = [
            [f"`{key}`", getattr(each, language)] for key, each in named.items()
        ]
        if rows:
            yield table([title, words["name"]], rows) + "\n"


def _sheets(ruleset: Ruleset) -> Iterator[Sheet]:
    for preset in ruleset.presets or ("",):
        options = choose_options(ruleset, preset=preset, given={})
        assert isinstance(options, Options), options
        yield sheet_of(ruleset, options)


def _plain(text: str) -> str:
    """A docstring as Markdown."""
    return text.strip().replace("``", "`")


def _numbers(text: str) -> list[str]:
    """The numbers of rules that a text names, such as ``QD-39 to QD-43``."""
    return list(dict.fromkeys(re.findall(r"\b[A-Z]{2}-\d+\b", text)))


def _examples(ruleset: Ruleset) -> dict[str, Any]:
    """An event of each type, where the ruleset's folder has examples."""
    path = files(ruleset.package).joinpath("examples.json")
    examples: dict[str, Any] = json.loads(path.read_text()) if path.is_file() else {}
    return examples


def _short(example: dict[str, Any]) -> str:
    """An example on as few lines as are readable."""
    shown: dict[str, Any] = {
        key: [*value[:SHOWN_MAX], "..."]
        if isinstance(value, list) and len(value) > SHOWN_MAX
        else value
        for key, value in example.items()
    }
    if isinstance(shown.get("options"), dict):
        shown["options"] = {**dict(list(shown["options"].items())[:4]), "...": "..."}
    text = json.dumps(shown, ensure_ascii=False)
    return text if len(text) <= 100 else json.dumps(shown, ensure_ascii=False, indent=2)
