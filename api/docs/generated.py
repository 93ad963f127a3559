"""The parts of the documentation that are made from code: so they cannot be out of date."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from django.conf import settings

from api.docs.rendering import table
from api.errors import PROBLEMS
from api.pagination import DEFAULT_LIMIT, MAX_LIMIT
from api.scopes import MEANINGS
from api.v1.events import BATCH_MAX
from api.v1.service import ROLE_NAMES
from api.webhooks.describing import catalogue_in_markdown
from records.clubs import Right, rights_of
from rules_engine import registry

WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "code": "code",
        "status": "status",
        "meaning": "what it means",
        "scope": "scope",
        "allows": "what it is good for",
        "role": "role",
        "all": "all",
        "comma": ", ",
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
        "scope": "权限",
        "allows": "可做什么",
        "role": "身份",
        "all": "全部",
        "comma": "、",
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
        "webhooks": re.sub("^### ", "## ", catalogue_in_markdown(language), flags=re.MULTILINE),
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
        by = words["all"] if len(givers) == len(rulesets) else words["comma"].join(givers)
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
