"""What templates need beyond Django's own tags."""

from django import template
from django.utils.safestring import SafeString

from replays.viewer.tiles import draw_backs, draw_tiles
from replays.words import LANGUAGES

register = template.Library()


@register.filter
def signed(points: int | None) -> str:
    """Points with their sign: ``+12``, ``−12``, ``0``; a dash for who took no part."""
    if points is None:
        return "–"
    return f"+{points:,}" if points > 0 else f"{points:,}".replace("-", "−")


@register.filter
def tiles(text: str, language: str) -> SafeString:
    """The tiles of a compact text, drawn; ``language`` as pages name it."""
    short = next(name for name, long in LANGUAGES.items() if long == language)
    return draw_tiles(text, short)


@register.simple_tag
def backs(count: int, label: str) -> SafeString:
    """So many tiles face down."""
    return draw_backs(count, label)


@register.filter
def lookup(words: dict[str, str], name: str) -> str:
    """The word of this name."""
    return words[name]


@register.filter
def fill(words: str, value: object) -> str:
    """The words with the value in their place."""
    return words.format(value)
