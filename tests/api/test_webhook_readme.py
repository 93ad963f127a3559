"""What the README and the guide say of webhooks is so: samples run, catalogue and figures hold."""

import re
from typing import Any
from uuid import uuid4

import pytest
from standardwebhooks import WebhookVerificationError

from api.docs.contents import source_of
from api.webhooks.delivering import LEASE_S, RETRY_S, SLOTS, SLOTS_OF_WEBHOOK
from api.webhooks.describing import README, with_catalogue
from api.webhooks.sending import ANSWER_S, KEPT_CHARACTERS_MAX, Parcel, send
from api.webhooks.signing import secret_of
from tests.support.receiver import Received, receiving

WEBHOOK = uuid4()
SECRET = secret_of(WEBHOOK, 1)


GUIDE = [source_of("webhooks", language) for language in ("en", "zh")]


def samples(text: str) -> dict[str, Any]:
    """What the Python in a text defines."""
    names: dict[str, Any] = {}
    for code in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(code, names)
    return names


@pytest.fixture
def received(settings: Any) -> Received:
    """A message as it arrives."""
    settings.WEBHOOK_ALLOW = ["127.0.0.1"]
    payload = '{"type":"webhook.ping","data":{}}'
    with receiving() as receiver:
        send(
            Parcel(
                url=receiver.url,
                webhook_id=WEBHOOK,
                numbers=(1, 2),
                event_id=uuid4(),
                payload=payload,
            )
        )
    return receiver.got[0]


def test_the_sample_with_the_library_takes_a_message_once(received: Received) -> None:
    receive = samples(README.read_text())["receive"]
    assert receive(SECRET, received.headers, received.body) == received.message
    assert receive(SECRET, received.headers, received.body) is None
    with pytest.raises(WebhookVerificationError):
        receive(SECRET, received.headers, received.body + b" ")


@pytest.mark.parametrize("text", GUIDE, ids=["en", "zh"])
def test_the_guides_sample_with_the_library_takes_ours_and_no_other(
    received: Received, text: str
) -> None:
    receive = samples(text)["receive"]
    assert receive(SECRET, received.headers, received.body) == received.message
    with pytest.raises(WebhookVerificationError):
        receive(SECRET, received.headers, received.body + b" ")


@pytest.mark.parametrize("text", [README.read_text(), *GUIDE], ids=["readme", "en", "zh"])
def test_the_sample_without_a_library_takes_ours_and_no_other(
    received: Received, text: str
) -> None:
    receive = samples(text)["receive_by_hand"]
    for number in (1, 2):
        secret = secret_of(WEBHOOK, number)
        assert receive(secret, received.headers, received.body) == received.message
    for secret, body in ((secret_of(uuid4(), 1), received.body), (SECRET, received.body + b" ")):
        with pytest.raises(PermissionError, match="no signature of"):
            receive(secret, received.headers, body)
    old = {**received.headers, "webhook-timestamp": "1700000000"}
    with pytest.raises(PermissionError, match="too old"):
        receive(SECRET, old, received.body)


def test_the_catalogue_in_the_readme_is_that_of_the_code() -> None:
    text = README.read_text()
    assert text == with_catalogue(text), "run: manage.py describe_webhooks"


def test_the_figures_in_the_readme_are_those_of_the_code() -> None:
    assert (5, 300, *(3600 * hours for hours in (0.5, 2, 5, 10, 14, 20, 24))) == RETRY_S
    assert (ANSWER_S, KEPT_CHARACTERS_MAX) == (15, 1_000)
    assert (SLOTS, SLOTS_OF_WEBHOOK, LEASE_S) == (16, 4, 45)
