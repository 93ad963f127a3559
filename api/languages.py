"""In which language the API answers: what Accept-Language asks for of Chinese and English.

Django's LocaleMiddleware reads the header, and marks the answer with Content-Language and Vary.
What rulesets say of themselves is answered in both languages at once, and names that people gave
stay as they are; what is in one language only is the title and the detail of a refusal.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from django.utils.translation import get_language

TAGS = {True: "zh-Hans", False: "en"}
"""The language tag of an answer in Chinese, and of one in English."""


def in_chinese() -> bool:
    """Whether the request at hand asks for Chinese rather than English."""
    return (get_language() or "").lower().startswith("zh")


def chinese_detail(title: str, facts: Mapping[str, Any]) -> str:
    """The sentence of a refusal in Chinese: what is wrong, what was expected, which rule says so.

    What the facts say in English words is left to them.
    """
    said = [title]
    for name, word in (("expected", "应为"), ("actual", "实为")):
        shown = _shown(facts.get(name))
        if shown:
            said.append(f"{word} {shown}")
    detail = "，".join(said) + "。"
    if facts.get("rule"):
        detail += f"规则 {facts['rule']}"
        detail += f"：{facts['rule_zh']}" if facts.get("rule_zh") else "。"
    return detail


SHOWN_MAX = 120
"""Characters of a value that a sentence quotes."""


def _shown(value: Any) -> str:
    """A value as a sentence quotes it; empty for English words and for what is long."""
    if value is None or isinstance(value, bool):
        return ""
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return "" if " " in text or len(text) > SHOWN_MAX else text
