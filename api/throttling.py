"""How many requests may be sent in a minute: with one token, by one account, from one address.

Who is signed in counts by account, and with a token by that too; a club's tokens count by the club
together. Who is not, or sends no good token, counts by address. Every answer says in ``RateLimit``
and ``RateLimit-Policy`` (draft-ietf-httpapi-ratelimit-headers) what is left, and a refusal says in
``Retry-After`` when to come again.

Counted in fixed windows in Django's cache, which all processes share. A process takes a hundredth
of a limit from there at a time and hands it out itself, so that hardly any request waits for the
cache (asking it each time was a quarter of an append; handing out costs a few microseconds). No
more are let through than the limit says; what another process has taken and not used may be missing
at its end, and is not in what is said to be left. While the cache does not answer all requests go
through, and the log says so.

The limits are those of PAIPU_TOKEN_REQUESTS_PER_MINUTE, PAIPU_ACCOUNT_REQUESTS_PER_MINUTE and
PAIPU_ADDRESS_REQUESTS_PER_MINUTE; 0 is no limit.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import structlog
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from api.models import TokenKind
from api.tokens import Grant

WINDOW_S = 60
SHARES = 100
CACHE_REST_S = 5.0
"""How long a cache that did not answer is left alone."""

log = structlog.get_logger(__name__)


class Policy(NamedTuple):
    """A limit that a request counts against: what is counted, whose, and how many a window."""

    name: str
    whose: str
    limit: int


class Standing(NamedTuple):
    """What a policy leaves after this request; None once the limit is used up."""

    policy: Policy
    left: int | None


class PerMinute(BaseThrottle):
    """A caller's requests of the present minute."""

    def allow_request(self, request: Request, view: Any) -> bool:
        """Whether the request is within every limit; ``view.standings`` says what is left."""
        standings = view.standings = []
        for policy in policies_of(request):
            left = shares().take(policy)
            standings.append(Standing(policy, left))
            if left is None:
                return False
        return True

    def wait(self) -> float:
        """Seconds until the next minute begins."""
        return WINDOW_S - time.time() % WINDOW_S


def policies_of(request: Request) -> Iterator[Policy]:
    """The limits that a request counts against, the narrowest first."""
    if not request.user.is_authenticated:
        per_address = settings.ADDRESS_REQUESTS_PER_MINUTE
        yield from _kept(Policy("address", address_of(request), per_address))
        return
    grant = request.auth
    assert isinstance(grant, Grant)
    if grant.token is not None:
        yield from _kept(Policy("token", str(grant.token), settings.TOKEN_REQUESTS_PER_MINUTE))
    per_account = settings.ACCOUNT_REQUESTS_PER_MINUTE
    if grant.kind == TokenKind.CLUB and grant.clubs:
        yield from _kept(Policy("club", str(next(iter(grant.clubs))), per_account))
    else:
        yield from _kept(Policy("account", str(request.user.pk), per_account))


def _kept(policy: Policy) -> Iterator[Policy]:
    if policy.limit > 0:
        yield policy


def headers_of(standings: Sequence[Standing]) -> dict[str, str]:
    """``RateLimit-Policy``: quota and window; ``RateLimit``: what remains, and for how long."""
    if not standings:
        return {}
    reset_s = int(WINDOW_S - time.time() % WINDOW_S)
    return {
        "RateLimit-Policy": ", ".join(
            f'"{policy.name}";q={policy.limit};w={WINDOW_S}' for policy, _ in standings
        ),
        "RateLimit": ", ".join(
            f'"{policy.name}";r={left or 0};t={reset_s}' for policy, left in standings
        ),
    }


def address_of(request: HttpRequest | Request) -> str:
    """The address that a request came from, behind as many proxies as are ours."""
    address: str = BaseThrottle().get_ident(request)  # type: ignore[arg-type] # it reads META
    return address


class Share(NamedTuple):
    """What a process may let through of a limit, and what is left of it for all to draw from."""

    own: int
    common: int


class Shares:
    """What this process may still let through in the present minute; safe to use from threads."""

    def __init__(self) -> None:
        self._window = 0
        self._held: dict[Policy, Share] = {}
        self._lock = threading.Lock()
        self._cache_rests_until = 0.0

    def take(self, policy: Policy) -> int | None:
        """Let one request through: how many are left then, None where none was left for it."""
        window = int(time.time()) // WINDOW_S
        with self._lock:
            if window != self._window:
                self._window, self._held = window, {}
            held = self._held.get(policy)
            if held is not None and held.own > 0:
                self._held[policy] = held = Share(held.own - 1, held.common)
                return held.own + held.common
        drawn = self._draw(policy, window)
        if drawn.own <= 0:
            return None
        with self._lock:
            if window == self._window:
                before = self._held.get(policy, Share(0, 0))
                drawn = Share(before.own + drawn.own - 1, drawn.common)
                self._held[policy] = drawn
        return drawn.own + drawn.common

    def _draw(self, policy: Policy, window: int) -> Share:
        """The next share of the limit. Where the cache does not answer, one that nobody counts."""
        uncounted = Share(max(1, policy.limit // SHARES), policy.limit)
        if time.monotonic() < self._cache_rests_until:
            return uncounted
        try:
            return _draw(f"requests:{policy.name}:{policy.whose}:{window}", policy.limit)
        except Exception as error:  # noqa: BLE001 - every cache has errors of its own
            self._cache_rests_until = time.monotonic() + CACHE_REST_S
            log.warning("limits are not kept, for the cache does not answer", error=str(error))
            return uncounted


def _draw(key: str, limit: int) -> Share:
    """Take the next share of the limit from the cache."""
    share = max(1, limit // SHARES)
    cache.add(key, 0, timeout=2 * WINDOW_S)
    try:
        drawn: int = cache.incr(key, share)
    except ValueError:  # The cache has dropped the key between the two calls.
        return Share(share, limit - share)
    return Share(min(share, limit - (drawn - share)), max(0, limit - drawn))


@lru_cache(maxsize=1)
def shares() -> Shares:
    """Those of this process."""
    return Shares()
