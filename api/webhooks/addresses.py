"""Where a webhook may be sent: to public addresses by https, and where the operator allows more.

A URL is read strictly, so that no two programs read it differently. Its name is resolved anew for
every send, every address it has must be allowed, and the connection is made to an address that was
checked: whatever the DNS says a moment later, nothing else is reached.
"""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Final, Literal, cast

import msgspec
from django.conf import settings

from records.errors import RecordsError

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
Resolve = Callable[[str, int], Sequence[str]]
"""From a name and a port to the addresses of the name. Raises OSError."""

URL_LENGTH_MAX: Final = 1000
RESOLVE_S: Final = 5.0
_URL: Final = re.compile(
    r"(?P<scheme>https?)://"
    r"(?P<host>\[[0-9A-Fa-f:.]*:[0-9A-Fa-f:.]*\]|[A-Za-z0-9.-]+)(?::(?P<port>[0-9]{1,5}))?"
    r"(?P<path>/[!-\"$-\[\]-~]*)?"  # no space, '#' or '\'
)
_LABEL: Final = re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?")
_NUMBER: Final = re.compile(r"[0-9]+|0[xX][0-9A-Fa-f]*")

GLOBAL_UNICAST: Final = ip_network("2000::/3")
NOT_PUBLIC: Final[tuple[Network, ...]] = tuple(
    ip_network(network)
    for network in (
        "192.0.0.0/24",  # protocol assignments
        "192.88.99.0/24",  # relays of 6to4
        "2001::/23",  # Teredo and other protocol assignments
        "2001:db8::/32",  # documentation
        "2002::/16",  # 6to4: leads to an IPv4 address
        "3fff::/20",  # documentation
    )
)
"""What ``ipaddress`` does not know as special in every version of Python that we run on."""


class WebhookUrlRefused(RecordsError):
    """A URL that nothing is sent to. ``reason`` in the facts is one of the texts below."""

    code = "webhook_url_refused"

    def __init__(self, message: str, *, reason: Reason, **facts: object) -> None:
        super().__init__(message, reason=reason, **facts)
        self.reason = reason


Reason = Literal["not_a_url", "not_https", "port", "not_resolved", "not_public"]


class Target(msgspec.Struct, frozen=True):
    """A URL taken apart. ``host`` is in lower case and without the brackets of an address."""

    scheme: str
    host: str
    port: int
    path: str

    @property
    def authority(self) -> str:
        """What the Host header says."""
        name = f"[{self.host}]" if ":" in self.host else self.host
        default = 443 if self.scheme == "https" else 80
        return name if self.port == default else f"{name}:{self.port}"


def read_url(url: str) -> Target:
    """Take a URL apart. Raises WebhookUrlRefused."""
    found = _URL.fullmatch(url) if len(url) <= URL_LENGTH_MAX else None
    if found is None:
        raise WebhookUrlRefused(
            f"Give a URL such as https://example.com/hooks: at most {URL_LENGTH_MAX} ASCII "
            "characters, without a user name, a fragment or a backslash. Write a name with other "
            "letters as xn--…",
            reason="not_a_url",
        )
    host = found["host"].lower().strip("[]")
    if "[" in found["host"] or _ends_in_a_number(host):
        host = str(_address(host))
    elif not all(map(_LABEL.fullmatch, host.split("."))) or len(host) > 253:
        raise WebhookUrlRefused(f"{host} is no name of a host.", reason="not_a_url")
    scheme = found["scheme"]
    target = Target(
        scheme=scheme,
        host=host,
        port=int(found["port"] or (443 if scheme == "https" else 80)),
        path=found["path"] or "/",
    )
    _insist_on_port(target)
    return target


def _ends_in_a_number(host: str) -> bool:
    """Whether programs may take it for an IPv4 address: 127.1, 0x7f.1, 2130706433."""
    return _NUMBER.fullmatch(host.rsplit(".", 1)[-1]) is not None


def _address(text: str) -> Address:
    try:
        return ip_address(text)
    except ValueError:
        raise WebhookUrlRefused(
            f"{text} is no address: write IPv4 as four decimal numbers.", reason="not_a_url"
        ) from None


def _insist_on_port(target: Target) -> None:
    """443 or 1024 and up: the ports below belong to services that are no receivers."""
    if target.port == 443 or 1024 <= target.port <= 65535 or is_allowed_host(target.host):
        return
    if target.scheme == "http" and target.port == 80:
        return  # Refused for its scheme unless the operator allows its address.
    raise WebhookUrlRefused(
        f"Port {target.port} is refused: use 443, or one from 1024 to 65535.",
        reason="port",
        actual=target.port,
    )


def is_public(address: Address) -> bool:
    """Whether anybody on the internet means the same machine by it, and only that machine.

    Not: private, loopback, link-local, shared (CGNAT), multicast, unspecified, reserved addresses,
    nor IPv6 forms that carry an IPv4 address (mapped, compatible, NAT64, 6to4, Teredo).
    """
    if isinstance(address, IPv6Address) and address not in GLOBAL_UNICAST:
        return False
    special = any(address in network for network in NOT_PUBLIC)
    return address.is_global and not address.is_multicast and not special


def is_allowed_host(host: str) -> bool:
    """Whether PAIPU_WEBHOOK_ALLOW names this host."""
    return host in settings.WEBHOOK_ALLOW


def is_allowed_address(address: Address) -> bool:
    """Whether a network in PAIPU_WEBHOOK_ALLOW contains the address."""
    return any(
        address in network
        for network in map(_network_of, settings.WEBHOOK_ALLOW)
        if network is not None and network.version == address.version
    )


def _network_of(text: str) -> Network | None:
    """The network, or None for the name of a host."""
    try:
        return ip_network(text)
    except ValueError:
        return None


def resolve_name(host: str, port: int) -> Sequence[str]:
    """The addresses that the system's resolver gives, the one to prefer first.

    Raises OSError, a TimeoutError after ``RESOLVE_S``: a resolver whose servers are silent takes
    half a minute, and nothing can be told to it. It is left to end in a thread of its own.
    """
    answer: Future[list[str]] = Future()

    def ask() -> None:
        try:
            answer.set_result(_ask_resolver(host, port))
        except OSError as error:
            answer.set_exception(error)

    threading.Thread(target=ask, name="resolve", daemon=True).start()
    return answer.result(RESOLVE_S)


def _ask_resolver(host: str, port: int) -> list[str]:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except UnicodeError as error:  # from the codec of names, for a label that is too long
        raise OSError(str(error)) from error
    return list(dict.fromkeys(cast("str", row[4][0]) for row in found))


def addresses_of(target: Target, *, resolve: Resolve = resolve_name) -> list[Address]:
    """The addresses to connect to, all of them allowed. Raises WebhookUrlRefused.

    One that is not allowed refuses the whole name: a name that leads inside now and then is no
    name to send to.
    """
    try:
        found = [ip_address(text.partition("%")[0]) for text in resolve(target.host, target.port)]
    except OSError as error:
        raise WebhookUrlRefused(
            f"No address of the name {target.host} could be found out.",
            reason="not_resolved",
            host=target.host,
        ) from error
    host_is_allowed = is_allowed_host(target.host)
    for address in found:
        allowed = host_is_allowed or is_allowed_address(address)
        if not allowed and not is_public(address):
            # Which address it is stays unsaid: it may tell something about the inside.
            raise WebhookUrlRefused(
                f"{target.host} does not lead to public addresses alone. The operator of this "
                "service may allow others by PAIPU_WEBHOOK_ALLOW.",
                reason="not_public",
                host=target.host,
            )
        if not allowed and target.scheme != "https":
            raise WebhookUrlRefused("Use https.", reason="not_https", host=target.host)
    if not found:
        raise WebhookUrlRefused(
            f"The name {target.host} has no address.", reason="not_resolved", host=target.host
        )
    return found


def check_url(url: str, *, resolve: Resolve = resolve_name) -> Target:
    """Refuse a URL that nothing would be sent to as things are now. Raises WebhookUrlRefused."""
    target = read_url(url)
    if target.scheme != "https" and not settings.WEBHOOK_ALLOW:
        raise WebhookUrlRefused("Use https.", reason="not_https", host=target.host)
    addresses_of(target, resolve=resolve)
    return target
