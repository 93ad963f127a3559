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


def page_of(slug: str) -> Page | None:
    """The page of this name, None if there is none."""
    return next((page for page in PAGES if page.slug == slug), None)


def source_of(slug: str, language: str) -> tuple[str, str]:
    """A page's Markdown and the language that it is in: the one asked for, else English."""
    for told in (language, "en"):
        path = files("api.docs").joinpath(told, f"{slug}.md")
        if path.is_file():
            return path.read_text(encoding="utf-8"), told
    raise LookupError(slug)
