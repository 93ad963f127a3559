"""Where sessions of browsers are kept: Django's own, with whose each is beside it.

So that signing out everywhere, another password and the removal of a person can end all of one
account's. This is the way that Django's documentation gives.
"""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore

from api import models


class SessionStore(DatabaseStore):
    """The engine that SESSION_ENGINE names."""

    @classmethod
    def get_model_class(cls) -> type[Any]:
        """Our table."""
        return models.Session

    def create_model_instance(self, data: dict[str, Any]) -> Any:
        """A row of it, with the account that is signed in."""
        row: Any = super().create_model_instance(data)
        account = data.get(SESSION_KEY)
        row.account_id = None if account is None else UUID(account)
        return row
