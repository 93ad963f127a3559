"""Where webhooks may go: only where anybody could reach anyway, unless the operator says more."""

import socket
import threading
from typing import Any

import pytest

from api.webhooks import addresses
from api.webhooks.addresses import (
    Target,
    WebhookUrlRefused,
    addresses_of,
    check_url,
    ip_address,
    is_public,
    read_url,
)

INSIDE = [
    "0.0.0.0", "0.1.2.3", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.254",
    "169.254.169.254", "172.16.0.1", "172.31.255.255", "192.0.0.8", "192.0.2.1", "192.88.99.1",
    "192.168.0.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255",
    "240.0.0.1", "255.255.255.255", "::", "::1", "::10.0.0.1", "::ffff:127.0.0.1",
    "::ffff:8.8.8.8", "64:ff9b::7f00:1", "64:ff9b::808:808", "64:ff9b:1::1", "100::1", "2001::1",
    "2001:db8::1", "2002:7f00:1::1", "3fff::1", "5f00::1", "fc00::1", "fd00:ec2::254", "fe80::1",
    "fec0::1", "ff02::1", "4000::1",
]  # fmt: skip
OUTSIDE = ["8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "2a00:1450::1"]


def resolver(*addresses: str) -> Any:
    return lambda _host, _port: addresses


def reason_of(url: str, *addresses: str) -> str:
    with pytest.raises(WebhookUrlRefused) as refused:
        check_url(url, resolve=resolver(*addresses))
    return refused.value.reason


@pytest.mark.parametrize("address", INSIDE)
def test_an_address_that_is_not_public_is_refused_by_whatever_name(address: str) -> None:
    assert not is_public(ip_address(address))
    assert reason_of("https://hooks.example.com/", address) == "not_public"
    assert reason_of("https://hooks.example.com/", "8.8.8.8", address) == "not_public"
    literal = f"[{address}]" if ":" in address else address
    assert reason_of(f"https://{literal}/", address) == "not_public"


@pytest.mark.parametrize("address", OUTSIDE)
def test_a_public_address_is_taken(address: str) -> None:
    target = check_url("https://hooks.example.com/a?b=c", resolve=resolver(address))
    assert target == Target("https", "hooks.example.com", 443, "/a?b=c")
    assert [str(each) for each in addresses_of(target, resolve=resolver(address))] == [address]


@pytest.mark.parametrize(
    "host",
    [
        "127.1", "0x7f.1", "0x7f000001", "2130706433", "017700000001", "127.0.0.01", "1.2.3.4.5",
        "0", "10.0.0.256", "hooks.0x", "[::ffff:127.0.0.1%25eth0]", "[127.0.0.1]", "[v1.x]", "[:]",
    ],
)  # fmt: skip
def test_an_address_written_in_another_way_is_refused_before_anybody_resolves_it(host: str) -> None:
    assert reason_of(f"https://{host}/hook") == "not_a_url"


@pytest.mark.parametrize(
    "url",
    [
        "", "hooks", "//example.com/", "ftp://example.com/", "HTTPS:example.com", "https:///x",
        "https://user@example.com/", "https://user:word@example.com/", "https://example.com\\@a.b/",
        "https://example.com/#part", "https://example.com /", "https://example.com/a b",
        "https://例子.中国/", "https://ex_ample.com/", "https://-a.com/", "https://a..com/",
        "https://example.com:/", "https://example.com:99999999/", "https://example.com/\r\nHost: a",
        "https://example.com\n", "https://" + "a" * 64 + ".com/", "https://a.com/" + "b" * 1000,
        "https://a.com?b", "https://example.com./%",
    ],
)  # fmt: skip
def test_what_is_no_plain_url_is_refused(url: str) -> None:
    assert reason_of(url, "8.8.8.8") == "not_a_url"


def test_a_name_in_another_script_is_given_in_its_ascii_form() -> None:
    assert read_url("https://XN--fsqu00a.xn--fiqs8s/hook").host == "xn--fsqu00a.xn--fiqs8s"


@pytest.mark.parametrize("port", [0, 1, 22, 25, 80, 442, 1023, 65536])
def test_ports_of_other_services_are_refused(port: int) -> None:
    assert reason_of(f"https://example.com:{port}/", "8.8.8.8") == "port"


@pytest.mark.parametrize("port", [443, 1024, 8443, 65535])
def test_443_and_high_ports_are_taken(port: int) -> None:
    target = check_url(f"https://example.com:{port}/", resolve=resolver("8.8.8.8"))
    assert target.port == port


def test_http_without_tls_is_refused() -> None:
    assert reason_of("http://example.com/", "8.8.8.8") == "not_https"
    assert reason_of("http://example.com:8080/", "8.8.8.8") == "not_https"


def test_a_name_without_addresses_is_refused() -> None:
    def fail(_host: str, _port: int) -> Any:
        raise socket.gaierror("no such name")

    with pytest.raises(WebhookUrlRefused) as refused:
        check_url("https://nowhere.example.com/", resolve=fail)
    assert refused.value.reason == "not_resolved"
    assert reason_of("https://nowhere.example.com/") == "not_resolved"


def test_a_resolver_that_does_not_answer_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = threading.Event()

    def resolve(*_args: Any, **_named: Any) -> list[Any]:
        silent.wait()
        return []

    monkeypatch.setattr(addresses, "RESOLVE_S", 0.05)
    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    with pytest.raises(WebhookUrlRefused) as refused:
        check_url("https://example.com/")
    silent.set()
    assert refused.value.reason == "not_resolved"


def test_the_real_resolver_knows_where_localhost_is() -> None:
    with pytest.raises(WebhookUrlRefused) as refused:
        check_url("https://localhost/")
    assert refused.value.reason == "not_public"
    assert "127.0.0.1" not in refused.value.message


def test_the_operator_may_allow_networks_and_hosts_also_without_tls(settings: Any) -> None:
    settings.WEBHOOK_ALLOW = ["10.1.0.0/16", "fd00::/8", "hooks.internal"]
    for url, address in (
        ("http://a.example.com:8080/", "10.1.2.3"),
        ("https://a.example.com/", "10.1.2.3"),
        ("http://a.example.com/", "fd00::1"),
        ("http://hooks.internal:81/", "192.168.0.9"),
    ):
        assert check_url(url, resolve=resolver(address)).host
    assert reason_of("http://a.example.com/", "10.2.0.1") == "not_public"
    assert reason_of("http://other.internal/", "192.168.0.9") == "not_public"
    assert reason_of("http://a.example.com/", "8.8.8.8") == "not_https"
    assert reason_of("http://a.example.com:22/", "10.1.2.3") == "port"


def test_the_host_header_names_the_port_unless_it_is_the_usual_one() -> None:
    assert read_url("https://example.com/").authority == "example.com"
    assert read_url("https://example.com:8443/").authority == "example.com:8443"
    assert read_url("https://[2606:4700::1]:8443/").authority == "[2606:4700::1]:8443"
