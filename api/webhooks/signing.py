"""The secrets of webhooks, and the signatures of Standard Webhooks made with them.

A secret is not stored anywhere: it is derived from the service's own secret, the webhook's id and a
number that a rotation raises. So it can be shown again only by whoever asks with the key of the
request that made it, and a copy of the database signs nothing.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
from django.conf import settings
from django.utils.crypto import salted_hmac
from standardwebhooks import Webhook

PREFIX: Final = "whsec_"


class OldSecret(msgspec.Struct, frozen=True):
    """An earlier secret that signs beside the present one, until then (ms since 1970 UTC)."""

    number: int
    until_ms: int


def old_secrets_good(stored: object, at: datetime) -> list[OldSecret]:
    """Those of ``Webhook.old_secrets`` that sign at a moment."""
    old_secrets = msgspec.convert(stored, list[OldSecret])
    return [old for old in old_secrets if old.until_ms > at.timestamp() * 1000]


def secret_of(webhook_id: UUID, number: int) -> str:
    """The secret with this number, as a receiver is given it."""
    return PREFIX + base64.b64encode(_key(webhook_id, number, settings.SECRET_KEY)).decode()


def sign(
    *, webhook_id: UUID, numbers: Sequence[int], event_id: UUID, sent_at: datetime, payload: str
) -> dict[str, str]:
    """The headers of a message: one signature for each secret that is good at present.

    Also one for each key in PAIPU_SECRET_KEY_FALLBACKS, so that the service's secret can be changed
    without telling every receiver first. ``sent_at`` is in UTC.
    """
    service_keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    signatures = [
        Webhook(_key(webhook_id, number, service_key)).sign(str(event_id), sent_at, payload)
        for service_key in service_keys
        for number in numbers
    ]
    return {
        "webhook-id": str(event_id),
        "webhook-timestamp": str(int(sent_at.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


def _key(webhook_id: UUID, number: int, service_key: str | bytes) -> bytes:
    """32 bytes."""
    name = f"{webhook_id}/{number}"
    return salted_hmac("api.webhooks", name, secret=service_key, algorithm="sha256").digest()
