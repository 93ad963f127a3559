"""Numbers as a person reads them: a true minus sign, thousands apart, a dash for what is not."""

from typing import Final

NOTHING: Final = "–"


def whole(number: int | None) -> str:
    """A count or a worth: ``1,234``, ``−5``."""
    return NOTHING if number is None else f"{number:,}".replace("-", "−")


def signed(number: int | None) -> str:
    """Points won or lost: ``+12``, ``−12``, ``0``."""
    return f"+{number:,}" if number is not None and number > 0 else whole(number)


def percent(share: float | None) -> str:
    """A share of a whole: ``23.5%``."""
    return NOTHING if share is None else f"{share:.1%}"


def decimal(number: float | None) -> str:
    """An average: ``12.3``, ``−0.5``."""
    if number is None:
        return NOTHING
    text = f"{number:,.1f}"
    return "0.0" if text == "-0.0" else text.replace("-", "−")


def signed_decimal(number: float | None) -> str:
    """An average that may be won or lost: ``+12.3``, ``−0.5``."""
    text = decimal(number)
    return f"+{text}" if number is not None and number > 0 and text != "0.0" else text
