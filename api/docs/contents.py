"""Which pages there are, in the order in which they are read."""

from __future__ import annotations

from importlib.resources import files
from typing import Final, NamedTuple


class Page(NamedTuple):
    """A page: its name in addresses, and its title in Chinese and in English."""

    slug: str
    zh: str
    en: str

    def title(self, language: str) -> str:
        """The title in ``zh`` or ``en``."""
        return self.zh if language == "zh" else self.en


PAGES: Final[tuple[Page, ...]] = (
    Page("quick-start", "快速开始", "Quick start"),
    Page("recording", "记录一场对局", "Recording a game"),
    Page("events", "事件一览", "Events"),
    Page("errors", "错误一览", "Errors"),
    Page("tokens", "令牌与权限", "Tokens and scopes"),
    Page("reading", "列表、筛选与选字段", "Lists, filters and fields"),
    Page("streams", "实时跟随", "Live streams"),
    Page("webhooks", "回调", "Webhooks"),
    Page("bulk", "批量导入与导出", "Bulk import and export"),
    Page("limits", "限额", "Limits"),
    Page("clients", "生成客户端", "Generating a client"),
    Page("versions", "版本与弃用", "Versions and deprecation"),
)

START: Final = "[[start]]"
"""Where the commands stand that come before a page's own, folded away under a title."""
START_TITLES: Final = {
    "zh": "先运行这一段：几个小函数、一个账号和一个俱乐部",
    "en": "Run this first: a few helpers, an account and a club",
}


def page_of(slug: str) -> Page | None:
    """The page of this name, None if there is none."""
    return next((page for page in PAGES if page.slug == slug), None)


def source_of(slug: str, language: str) -> str:
    """A page's Markdown in ``zh`` or ``en``."""
    folder = files("api.docs")
    text = folder.joinpath(language, f"{slug}.md").read_text(encoding="utf-8")
    start = folder.joinpath("start.md").read_text(encoding="utf-8").rstrip()
    return text.replace(START, start.replace("```sh", f"```sh {START_TITLES[language]}", 1))
