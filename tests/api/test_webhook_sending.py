"""One request: verified as a receiver does, to the address that was checked, within limits."""

import socket
import ssl
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from standardwebhooks import WebhookVerificationError

from api.webhooks import sending
from api.webhooks.sending import Parcel, send
from api.webhooks.signing import secret_of
from tests.support.receiver import Receiver, receiving

WEBHOOK, EVENT = uuid4(), uuid4()
PAYLOAD = '{"type":"hand.settled","data":{"名":"发"}}'


def parcel(url: str, *numbers: int) -> Parcel:
    return Parcel(
        url=url, webhook_id=WEBHOOK, numbers=numbers or (1,), event_id=EVENT, payload=PAYLOAD
    )


def test_a_receiver_verifies_a_message_with_the_library(receiver: Receiver) -> None:
    outcome = send(parcel(receiver.url))
    assert outcome.is_success
    assert (outcome.status, outcome.answer, outcome.error) == (200, "ok", "")
    (got,) = receiver.got
    assert got.verified(secret_of(WEBHOOK, 1)) == msgspec.json.decode(PAYLOAD)
    assert (got.path, got.id) == ("/hooks", str(EVENT))
    assert got.headers["host"] == f"127.0.0.1:{receiver.port}"
    assert got.headers["content-type"] == "application/json"
    with pytest.raises(WebhookVerificationError):
        got.verified(secret_of(WEBHOOK, 2))
    with pytest.raises(WebhookVerificationError):
        got.verified(secret_of(uuid4(), 1))


def test_each_secret_that_is_good_signs(receiver: Receiver) -> None:
    send(parcel(receiver.url, 3, 2))
    (got,) = receiver.got
    for number in (2, 3):
        assert got.verified(secret_of(WEBHOOK, number))
    with pytest.raises(WebhookVerificationError):
        got.verified(secret_of(WEBHOOK, 1))


def test_a_changed_secret_of_the_service_leaves_the_receivers_secrets_good(
    receiver: Receiver, settings: Any
) -> None:
    before = secret_of(WEBHOOK, 1)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another one, as long as it has to be"
    send(parcel(receiver.url))
    (got,) = receiver.got
    assert secret_of(WEBHOOK, 1) != before
    assert got.verified(before)
    assert got.verified(secret_of(WEBHOOK, 1))


def test_a_redirect_is_not_followed(receiver: Receiver) -> None:
    with receiving() as other:
        receiver.answers = [(307, {"Location": other.url}, b"")]
        outcome = send(parcel(receiver.url))
        assert (outcome.status, outcome.is_success) == (307, False)
        assert other.got == []


def test_an_answer_is_read_to_its_limit_and_stored_cut(receiver: Receiver) -> None:
    receiver.answers = [(500, {}, b"\x00\xff" + b"x" * 1_000_000)]
    outcome = send(parcel(receiver.url))
    assert outcome.status == 500
    assert outcome.answer == ("\ufffd\ufffd" + "x" * 1_000_000)[: sending.KEPT_CHARACTERS_MAX]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [("7", 7), ("999999999", 86_400), ("soon", None), ("Thu, 01 Jan 2026 00:00:00 GMT", 0)],
)
def test_how_long_a_receiver_asks_to_wait_is_read(
    receiver: Receiver, text: str, seconds: int | None
) -> None:
    receiver.answers = [(503, {"Retry-After": text}, b"")]
    assert send(parcel(receiver.url)).retry_after_s == seconds


def test_what_was_checked_is_what_is_connected_to_whatever_the_dns_says_next(
    receiver: Receiver, settings: Any
) -> None:
    settings.WEBHOOK_ALLOW = ["127.0.0.1"]
    answers = [["127.0.0.1"], ["127.0.0.2"]]
    outcome = send(
        parcel(f"http://rebound.example.com:{receiver.port}/hooks"),
        resolve=lambda _host, _port: answers.pop(0),
    )
    assert outcome.is_success
    assert len(answers) == 1, "the name was resolved once"
    assert receiver.got[0].headers["host"] == f"rebound.example.com:{receiver.port}"


def test_a_name_that_has_come_to_lead_inside_is_refused_when_sending(receiver: Receiver) -> None:
    outcome = send(
        parcel("https://rebound.example.com/hooks"), resolve=lambda _host, _port: ["10.0.0.1"]
    )
    assert (outcome.status, outcome.error) == (None, "not_public")
    assert receiver.got == []


def test_nobody_listening_is_an_outcome(settings: Any) -> None:
    settings.WEBHOOK_ALLOW = ["127.0.0.1"]
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        outcome = send(parcel(f"http://127.0.0.1:{unused.getsockname()[1]}/"))
    assert (outcome.status, outcome.error) == (None, "not_connected")


def test_the_next_address_is_tried_where_the_first_takes_no_connection(
    receiver: Receiver, settings: Any
) -> None:
    settings.WEBHOOK_ALLOW = ["127.0.0.0/8"]
    outcome = send(
        parcel(f"http://two.example.com:{receiver.port}/"),
        resolve=lambda _host, _port: ["127.0.0.9", "127.0.0.1"],
    )
    assert outcome.is_success


@pytest.mark.parametrize("said", [b"", b"SSH-2.0-OpenSSH\r\n", b"HTTP/1.1 200 OK\r\nA"])
def test_what_is_no_answer_of_http_is_an_outcome(settings: Any, said: bytes) -> None:
    settings.WEBHOOK_ALLOW = ["127.0.0.1"]
    with spoken(lambda connection: connection.sendall(said)) as url:
        outcome = send(parcel(url))
    assert outcome.error in {"broken_answer", ""}
    assert (outcome.status is None) == (outcome.error != "")


def test_an_answer_that_drips_is_cut_off(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.WEBHOOK_ALLOW = ["127.0.0.1"]
    monkeypatch.setattr(sending, "ANSWER_S", 0.5)
    is_over = threading.Event()

    def drip(connection: socket.socket) -> None:
        connection.sendall(b"HTTP/1.1 200 OK\r\nX-Slow: ")
        while not is_over.wait(0.02):
            connection.sendall(b"a")

    with spoken(drip) as url:
        outcome = send(parcel(url))
        is_over.set()
    assert (outcome.status, outcome.error) == (None, "timed_out")


class spoken:  # noqa: N801 - reads as a verb
    """A server for one connection that says what it likes once it was spoken to."""

    def __init__(self, say: Any) -> None:
        self._say = say
        self._server = socket.create_server(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._run, daemon=True)

    def _run(self) -> None:
        connection, _ = self._server.accept()
        with connection:
            connection.recv(65_536)
            try:
                self._say(connection)
            except OSError:
                return

    def __enter__(self) -> str:
        self._thread.start()
        return f"http://127.0.0.1:{self._server.getsockname()[1]}/"

    def __exit__(self, *_: object) -> None:
        self._thread.join(10)
        self._server.close()


def certificate(folder: Path, name: str) -> tuple[ssl.SSLContext, Path]:
    """A server's context with a certificate for this name, and the authority to believe."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "test authority")])
    now = datetime.now(UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    authority, secret = folder / f"{name}.pem", folder / f"{name}.key"
    authority.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
    secret.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority, secret)
    return context, authority


def test_by_tls_the_receiver_proves_to_be_the_urls_host_not_the_address(
    tmp_path: Path, settings: Any
) -> None:
    context, authority = certificate(tmp_path, "hooks.example.com")
    settings.WEBHOOK_ALLOW = ["127.0.0.1"]
    with receiving(context) as receiver:

        def sent_to(host: str) -> sending.Outcome:
            return send(
                parcel(f"https://{host}:{receiver.port}/hooks"),
                resolve=lambda _host, _port: ["127.0.0.1"],
            )

        assert sent_to("hooks.example.com").error == "not_connected", "nobody vouches for it yet"
        settings.WEBHOOK_CA_FILE = str(authority)
        assert sent_to("hooks.example.com").is_success
        other = sent_to("other.example.com")
        assert (other.status, other.error) == (None, "not_connected")
        assert "certificate" in other.answer.lower()
        assert len(receiver.got) == 1
