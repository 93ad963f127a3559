"""How many requests one caller may send in a minute: an account if signed in, else an address.

Counted in fixed windows in Django's cache, two small operations a request. The limits are those of
PAIPU_ACCOUNT_REQUESTS_PER_MINUTE and PAIPU_ADDRESS_REQUESTS_PER_MINUTE; 0 is no limit.
"""

from __future__ import annotations

import time
from typing import Any

from django.conf import settings
from django.core.cache import cache
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

WINDOW_S = 60


class PerMinute(BaseThrottle):
    """A caller's requests of the present minute."""

    def allow_request(self, request: Request, view: Any) -> bool:
        """Whether this request is still within the limit."""
        del view
        if request.user.is_authenticated:
            caller, limit = str(request.user.pk), settings.ACCOUNT_REQUESTS_PER_MINUTE
        else:
            caller, limit = self.get_ident(request), settings.ADDRESS_REQUESTS_PER_MINUTE
        if limit <= 0:
            return True
        key = f"requests:{caller}:{int(time.time()) // WINDOW_S}"
        cache.add(key, 0, timeout=2 * WINDOW_S)
        try:
            return bool(cache.incr(key) <= limit)
        except ValueError:  # The cache has dropped the key between the two calls.
            return True

    def wait(self) -> float:
        """Seconds until the next minute begins."""
        return WINDOW_S - time.time() % WINDOW_S
