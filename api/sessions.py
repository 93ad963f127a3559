"""Where sessions of browsers are kept: Django's own, with whose each is beside it.

So that a person sees where they are signed in, and signing out everywhere, another password and the
removal of a person can end all of one account's. This is the way that Django's documentation gives.
"""

from __future__ import annotations

import hashlib
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions import middleware
from django.contrib.sessions.backends.db import SessionStore as DatabaseStore
from django.http import HttpRequest
from django.utils import timezone

from api import models

LAST_SEEN: Final = timedelta(hours=1)
"""``last_seen_at`` is no finer than this."""
DEVICE_LENGTH: Final = 200


def handle_of(session_key: str) -> UUID:
    """By what a session is called. Whoever knows the key itself is signed in."""
    return UUID(bytes=hashlib.sha256(session_key.encode()).digest()[:16])


class SessionStore(DatabaseStore):
    """The engine that SESSION_ENGINE names."""

    device = ""
    """What the browser says it is."""

    @classmethod
    def get_model_class(cls) -> type[Any]:
        """Our table."""
        return models.Session

    def create_model_instance(self, data: dict[str, Any]) -> Any:
        """A row of it, with the account that is signed in and the browser."""
        row: Any = super().create_model_instance(data)
        account = data.get(SESSION_KEY)
        row.account_id = None if account is None else UUID(account)
        row.handle = handle_of(row.session_key)
        row.device = self.device
        return row

    def _get_session_from_db(self) -> Any:
        """The row, which has been used now; whoever comes second in the hour writes nothing."""
        row: Any = super()._get_session_from_db()  # type: ignore[misc] # the stubs do not know it
        now = timezone.now()
        if row is not None and row.last_seen_at < now - LAST_SEEN:
            models.Session.objects.filter(pk=row.pk).update(last_seen_at=now)
        return row


class SessionMiddleware(middleware.SessionMiddleware):
    """Django's own, which also tells the session what the browser says it is."""

    def process_request(self, request: HttpRequest) -> None:
        """Let the request have its session."""
        super().process_request(request)
        store: Any = request.session
        store.device = request.headers.get("User-Agent", "")[:DEVICE_LENGTH]
