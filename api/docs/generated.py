"""The parts of the documentation that are made from code: so they cannot be out of date."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from typing import Any, Final

from django.conf import settings

from api.components import Schema, component_of, tag_of
from api.docs.rendering import table
from api.errors import PROBLEMS
from api.pagination import DEFAULT_LIMIT, MAX_LIMIT
from api.scopes import MEANINGS
from api.v1.events import BATCH_MAX
from api.v1.service import ROLE_NAMES
from api.webhooks.describing import catalogue_in_markdown
from records.clubs import Right, rights_of
from rules_engine import registry
from rules_engine.events import COMMON, Event
from rules_engine.ruleset import Ruleset

WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "code": "code",
        "status": "status",
        "meaning": "what it means",
        "field": "field",
        "form": "form",
        "needed": "needed",
        "yes": "yes",
        "no": "",
        "scope": "scope",
        "allows": "what it is good for",
        "role": "role",
        "rules": "Rules",
        "example": "Example",
        "common": "Events of every game",
        "own": "Events of this game",
        "all": "all",
        "given_by": "given by",
        "limit": "limit",
        "value": "value",
        "of_api": "Of the API",
        "of_rules": "Of the rules of play",
        "of_rules_text": "All of them are of the type `illegal_event`, status 422. `facts.rule` is "
        "the number of the rule, `facts.rule_zh` and `facts.rule_en` its text.",
    },
    "zh": {
        "code": "代码",
        "status": "状态",
        "meaning": "含义",
        "field": "字段",
        "form": "形式",
        "needed": "必填",
        "yes": "是",
        "no": "",
        "scope": "权限",
        "allows": "可做什么",
        "role": "角色",
        "rules": "规则",
        "example": "例",
        "common": "各种玩法共有的事件",
        "own": "本玩法自有的事件",
        "all": "全部",
        "given_by": "出自",
        "limit": "限额",
        "value": "数值",
        "of_api": "接口的错误",
        "of_rules": "打牌规则的错误",
        "of_rules_text": "类型都是 `illegal_event`，状态 422。`facts.rule` 是规则编号，"
        "`facts.rule_zh` 和 `facts.rule_en` 是规则原文。",
    },
}


def parts(language: str) -> Mapping[str, str]:
    """The text of each place that is filled by code, by its name."""
    return {
        "scopes": scopes(language),
        "roles": roles(language),
        "errors": errors(language),
        "rulesets": rulesets(language),
        "webhooks": re.sub("^### ", "## ", catalogue_in_markdown(), flags=re.MULTILINE),
        "limits": limits(language),
    }


def scopes(language: str) -> str:
    """A table of the scopes that a token can have."""
    words = WORDS[language]
    rows: list[list[Any]] = [[f"`{scope.value}`", text] for scope, text in MEANINGS.items()]
    return table([words["scope"], words["allows"]], rows)


def roles(language: str) -> str:
    """A table of the roles in a club and the rights of each."""
    chinese = language == "zh"
    head = [WORDS[language]["role"], *(f"`{right.value}`" for right in Right)]
    rows: list[list[Any]] = [
        [zh if chinese else en, *("✓" if right in rights_of(role) else "" for right in Right)]
        for role, (zh, en) in ROLE_NAMES.items()
    ]
    return table(head, rows)


def errors(language: str) -> str:
    """Two tables of every code that a refusal can have."""
    words, chinese = WORDS[language], language == "zh"
    own: list[list[Any]] = [
        [meaning.status, f"`{code}`", meaning.title_zh if chinese else meaning.title]
        for code, meaning in sorted(PROBLEMS.items(), key=lambda item: (item[1].status, item[0]))
    ]
    rulesets = registry.latest()
    titles = {code: title for each in rulesets for code, title in each.refusals.items()}
    broken: list[list[Any]] = []
    for code, title in sorted(titles.items()):
        givers = [each.names.zh if chinese else each.names.en for each in rulesets]
        givers = [n for n, each in zip(givers, rulesets, strict=True) if code in each.refusals]
        by = words["all"] if len(givers) == len(rulesets) else ", ".join(givers)
        broken.append([f"`{code}`", title.zh if chinese else title.en, by])
    return "\n".join(
        [
            f"## {words['of_api']}\n",
            table([words["status"], words["code"], words["meaning"]], own),
            f"\n## {words['of_rules']}\n\n{words['of_rules_text']}\n",
            table([words["code"], words["meaning"], words["given_by"]], broken),
        ]
    )


def rulesets(language: str) -> str:
    """The rulesets, each a link to its events."""
    return "\n".join(
        f"- [{each.names.zh if language == 'zh' else each.names.en}](/docs/events/{each.slug}/)"
        for each in registry.latest()
    )


def limits(language: str) -> str:
    """A table of the limits, as this service is configured."""
    words, chinese = WORDS[language], language == "zh"
    rows = [
        [zh if chinese else en, f"{value:,}" if value else "–"] for zh, en, value in limit_rows()
    ]
    return table([words["limit"], words["value"]], rows)


def limit_rows() -> Iterator[tuple[str, str, int]]:
    """What is limited, in Chinese and in English, and to how much; 0 is no limit."""
    per_account = settings.ACCOUNT_REQUESTS_PER_MINUTE
    per_token = settings.TOKEN_REQUESTS_PER_MINUTE
    per_address = settings.ADDRESS_REQUESTS_PER_MINUTE
    yield "每个账号每分钟的请求", "Requests of an account in a minute", per_account
    yield "每个令牌每分钟的请求", "Requests with one token in a minute", per_token
    yield "每个地址每分钟的请求（未登录）", "Requests of an address, not signed in", per_address
    yield (
        "同时跟随的流（每个进程）",
        "Streams at once, of each process",
        settings.STREAMS_PER_CALLER,
    )
    yield "一次追加的事件", "Events in one append", BATCH_MAX
    yield "列表一页（未写明时）", "Items on a page of a list, unless told", DEFAULT_LIMIT
    yield "列表一页（最多）", "Items on a page of a list, at most", MAX_LIMIT
    yield "请求正文的字节", "Bytes of a request's body", settings.DATA_UPLOAD_MAX_MEMORY_SIZE


# Events -------------------------------------------------------------------------------------------


def events_page(ruleset: Ruleset, language: str) -> str:
    """The catalogue of a ruleset's events: fields, forms, an example, the rules concerned."""
    words = WORDS[language]
    shown = _examples(ruleset)
    own = {tag_of(event): event for event in ruleset.events}
    lines = [f"# {ruleset.names.zh} {ruleset.names.en}\n"]
    lines += [f"## {words['own']}\n"] if own else []
    for name, event in own.items():
        lines += _event(ruleset, name, event, shown.get(name), language)
    lines += [f"## {words['common']}\n"]
    for event in COMMON:
        name = tag_of(event)
        if name not in own:
            lines += _event(ruleset, name, event, shown.get(name), language)
    return "\n".join(lines)


def _event(
    ruleset: Ruleset, name: str, event: type[Event], example: Any, language: str
) -> Iterator[str]:
    words = WORDS[language]
    schema = component_of(event)
    text = inspect.getdoc(event) or ""
    yield f"### {name}\n"
    yield text.replace("``", "`") + "\n"
    rows: list[list[Any]] = [
        [
            f"`{field}`",
            form_of(form),
            words["yes"] if field in schema["required"] else words["no"],
        ]
        for field, form in schema["properties"].items()
        if field != "type"
    ]
    if rows:
        yield table([words["field"], words["form"], words["needed"]], rows) + "\n"
    numbers = [number for number in _numbers(text) if number in ruleset.rules]
    if numbers:
        links = ", ".join(f"[{number}](/rulesets/{ruleset.slug}/#{number})" for number in numbers)
        yield f"{words['rules']}: {links}\n"
    if example is not None:
        yield f"```json\n{_short(example)}\n```\n"


def _numbers(text: str) -> list[str]:
    """The numbers of rules that a text names, such as ``QD-39 to QD-43``."""
    return list(dict.fromkeys(re.findall(r"\b[A-Z]{2}-\d+\b", text)))


def _examples(ruleset: Ruleset) -> dict[str, Any]:
    """An event of each type, where the ruleset's folder has examples."""
    path = files(ruleset.package).joinpath("examples.json")
    examples: dict[str, Any] = json.loads(path.read_text()) if path.is_file() else {}
    return examples


SHOWN_MAX: Final = 12
"""Items of a list of an example that are shown."""


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


def form_of(schema: Schema) -> str:
    """A field's form in a few words: ``integer, 0 to 3``."""
    if "anyOf" in schema:
        kinds = [form_of(kind) for kind in schema["anyOf"] if kind != {"type": "null"}]
        return " or ".join(dict.fromkeys(kinds))
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if "$ref" in schema:
        return f"object {schema['$ref'].rpartition('/')[2]}"
    if schema.get("description"):
        return str(schema["description"]).rstrip(".")
    kind = str(schema.get("type", "any"))
    if kind == "array":
        return f"list of: {form_of(schema['items'])}" if schema.get("items") else "list"
    low, high = schema.get("minimum"), schema.get("maximum")
    return f"{kind}, {low} to {high}" if low is not None and high is not None else kind
