"""How many requests one caller may send in a minute: an account if signed in, else an address.

Counted in fixed windows in Django's cache, which all processes share. A process takes a hundredth
of the limit from there at a time and hands it out itself, so that hardly any request waits for the
cache (asking it each time was a quarter of an append). No more are let through than the limit says;
what another process has taken and not used may be missing at its end.

The limits are those of PAIPU_ACCOUNT_REQUESTS_PER_MINUTE and PAIPU_ADDRESS_REQUESTS_PER_MINUTE; 0
is no limit.
"""

from __future__ import annotations

import threading
import time
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

WINDOW_S = 60
SHARES = 100


class PerMinute(BaseThrottle):
    """A caller's requests of the present minute."""

    def allow_request(self, request: Request, view: Any) -> bool:
        """Whether this request is still within the limit."""
        del view
        if request.user.is_authenticated:
            caller, limit = str(request.user.pk), settings.ACCOUNT_REQUESTS_PER_MINUTE
        else:
            caller, limit = self.get_ident(request), settings.ADDRESS_REQUESTS_PER_MINUTE
        return limit <= 0 or shares().take(caller, limit)

    def wait(self) -> float:
        """Seconds until the next minute begins."""
        return WINDOW_S - time.time() % WINDOW_S


def address_of(request: HttpRequest) -> str:
    """The address that a request came from, behind as many proxies as are ours."""
    address: str = BaseThrottle().get_ident(request)  # type: ignore[arg-type] # it reads META
    return address


class Shares:
    """What this process may still let through in the present minute; safe to use from threads."""

    def __init__(self) -> None:
        self._window = 0
        self._left: dict[tuple[str, int], int] = {}
        self._lock = threading.Lock()

    def take(self, caller: str, limit: int) -> bool:
        """Let one request of the caller through, if its limit for a minute allows it."""
        window = int(time.time()) // WINDOW_S
        with self._lock:
            if window != self._window:
                self._window, self._left = window, {}
            left = self._left.get((caller, limit), 0)
            if left > 0:
                self._left[caller, limit] = left - 1
                return True
        granted = _draw(f"requests:{caller}:{window}", limit)
        with self._lock:
            if granted > 1 and window == self._window:
                self._left[caller, limit] = self._left.get((caller, limit), 0) + granted - 1
        return granted > 0


def _draw(key: str, limit: int) -> int:
    """Take the next share of the limit from the cache; how many requests it is good for."""
    share = max(1, limit // SHARES)
    cache.add(key, 0, timeout=2 * WINDOW_S)
    try:
        drawn: int = cache.incr(key, share)
    except ValueError:  # The cache has dropped the key between the two calls.
        return share
    return min(share, limit - (drawn - share))


@lru_cache(maxsize=1)
def shares() -> Shares:
    """Those of this process."""
    return Shares()
