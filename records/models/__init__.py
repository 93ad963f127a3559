"""The tables of the write side."""

from records.models.people import Account

__all__ = ["Account"]
