"""Numbers of boards and statements in templates."""

from django import template

from replays.pages.numbers import percent, signed, whole

register = template.Library()


@register.filter
def owed(points: int) -> str:
    """What was paid, as the statement of who paid it has it: ``−12``."""
    return signed(-points)


@register.filter
def share(part: float | None) -> str:
    """A share of a whole: ``23.5%``."""
    return percent(part)


@register.filter
def thousands(number: int) -> str:
    """A count or a worth: ``1,234``."""
    return whole(number)
