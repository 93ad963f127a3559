"""Webhooks: receivers that are told what happens in a club."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from django.db import transaction
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import account_of, club_of, of_a_club
from api.idempotency import idempotent
from api.operation import (
    IDEMPOTENCY_KEY,
    Cursor,
    Operation,
    PageQuery,
    PublicOperation,
    Shown,
    Struct,
    read_body,
    read_query,
)
from api.pagination import page
from api.scopes import Scope
from api.v1.shapes import moment
from api.webhooks.addresses import URL_LENGTH_MAX, check_url
from api.webhooks.catalogue import CATALOGUE, TypeName, meaning_of, schema_of
from api.webhooks.keeping import change_webhook, create_webhook, rotate_secret
from api.webhooks.models import Webhook
from api.webhooks.signing import old_secrets_good, secret_of
from records import bell
from records.clubs import Right

Url = Annotated[
    str,
    msgspec.Meta(
        max_length=URL_LENGTH_MAX,
        description="Where events are posted to: https, a public address, port 443 or from 1024.",
        examples=["https://example.com/hooks/paipu"],
    ),
]
Types = Annotated[list[TypeName], msgspec.Meta(min_length=1, max_length=len(CATALOGUE))]
Description = Annotated[str, msgspec.Meta(max_length=200)]
OverlapHours = Annotated[
    int,
    msgspec.Meta(ge=0, le=168, description="How long the secrets of before sign beside it."),
]


class WebhookShown(Shown, frozen=True):
    """A webhook, without its secret.

    While it is not `enabled` nothing is sent to it: somebody switched it off (`by_hand`), its
    receiver answered 410 (`gone`), or it failed for three days without one success (`failing`).
    `failing_since` is the first failure since the last success. `secret_number` counts its secrets,
    and until `old_secrets_until` earlier ones sign beside the present one.
    """

    id: UUID
    club: UUID
    url: str
    types: list[str]
    description: str
    enabled: bool
    disabled_for: Literal["by_hand", "gone", "failing"] | None
    disabled_at: datetime | None
    failing_since: datetime | None
    secret_number: int
    old_secrets_until: datetime | None
    created_by: UUID | None
    created_at: datetime


class WebhookMade(WebhookShown, frozen=True):
    """A webhook, and its secret, which is shown this once.

    A repeated answer has null in its place: rotate it then.
    """

    secret: str | None


def _fields(webhook: Webhook) -> dict[str, Any]:
    old = old_secrets_good(webhook.old_secrets, timezone.now())
    until_ms = max((each.until_ms for each in old), default=None)
    return {
        "id": webhook.id,
        "club": webhook.club_id,
        "url": webhook.url,
        "types": webhook.types,
        "description": webhook.description,
        "enabled": webhook.disabled_at is None,
        "disabled_for": webhook.disabled_for or None,
        "disabled_at": webhook.disabled_at,
        "failing_since": webhook.failing_since,
        "secret_number": webhook.secret_number,
        "old_secrets_until": None if until_ms is None else moment(until_ms),
        "created_by": webhook.created_by_id,
        "created_at": webhook.created_at,
    }


def webhook_shown(webhook: Webhook) -> WebhookShown:
    """A webhook."""
    return WebhookShown(**_fields(webhook))


def _made(webhook: Webhook) -> WebhookMade:
    return WebhookMade(**_fields(webhook), secret=secret_of(webhook.id, webhook.secret_number))


def webhook_of(request: Request, webhook_id: UUID) -> Webhook:
    """A webhook of a club that the caller keeps. Raises Problem."""
    webhook, _ = of_a_club(request, Webhook.objects.all(), webhook_id)
    return webhook


class ListWebhooks(Operation):
    """The webhooks of a club, the oldest first."""

    scope = Scope.WEBHOOKS_WRITE
    right = Right.KEEP_CLUB

    Query = PageQuery

    class Output(Shown, frozen=True):
        """One page of webhooks."""

        items: list[WebhookShown]
        next: Cursor | None

    refusals = ("permission_denied",)

    def get(self, request: Request, club_id: UUID) -> Response:
        """One page of them."""
        query = read_query(request, PageQuery)
        return page(
            club_of(request, club_id).webhooks.all(),
            query,
            order=("created_at", "id"),
            show=webhook_shown,
        )


class CreateWebhook(Operation):
    """Have a receiver told what happens in a club from now on.

    Each event is posted to `url` as Standard Webhooks has it, signed with the secret that this
    answer shows; answer 2xx within 15 seconds, and it is not sent again. Every event comes at least
    once, in no promised order; `webhook-id` is the same for every attempt. Redirects are not
    followed. `GET /api/v1/webhook-types` has the types and their data. Addresses that are not
    public are refused, here and at every send. A club has at most 20.
    """

    scope = Scope.WEBHOOKS_WRITE
    right = Right.KEEP_CLUB

    class Input(Struct, frozen=True):
        """Where to, and what."""

        url: Url
        types: Types
        description: Description = ""

    Output = WebhookMade
    status = 201
    shown_once = ("secret",)
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied", "webhook_url_refused", "too_many_webhooks")

    @idempotent
    def post(self, request: Request, club_id: UUID) -> Response:
        """Make it."""
        club = club_of(request, club_id)
        given = read_body(request, CreateWebhook.Input)
        check_url(given.url)
        webhook = create_webhook(
            club=club,
            url=given.url,
            types=given.types,
            description=given.description,
            by=account_of(request),
        )
        return Response(_made(webhook), status=self.status)


class ShowWebhook(Operation):
    """A webhook and how it is doing."""

    scope = Scope.WEBHOOKS_WRITE
    right = Right.KEEP_CLUB

    Output = WebhookShown
    refusals = ("permission_denied",)

    def get(self, request: Request, webhook_id: UUID) -> Response:
        """The webhook."""
        return Response(webhook_shown(webhook_of(request, webhook_id)))


class ChangeWebhook(Operation):
    """Change a webhook, switch it off, or enable it again.

    Enabled again it is sent what was waiting for it. What happened meanwhile was kept for 30 days:
    have that sent by `replay`, since its `disabled_at`.
    """

    scope = Scope.WEBHOOKS_WRITE
    right = Right.KEEP_CLUB

    class Input(Struct, frozen=True):
        """What is to change."""

        url: Url | None = None
        types: Types | None = None
        description: Description | None = None
        enabled: bool | None = None

    Output = WebhookShown
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied", "webhook_url_refused")

    @idempotent
    def patch(self, request: Request, webhook_id: UUID) -> Response:
        """Write the change."""
        webhook = webhook_of(request, webhook_id)
        given = read_body(request, ChangeWebhook.Input)
        if given.url is not None:
            check_url(given.url)
        changed = change_webhook(
            webhook=webhook,
            url=given.url,
            types=given.types,
            description=given.description,
            enabled=given.enabled,
        )
        transaction.on_commit(ring)
        return Response(webhook_shown(changed))


class DeleteWebhook(Operation):
    """Delete a webhook with its deliveries. What waits for it is not sent any more."""

    scope = Scope.WEBHOOKS_WRITE
    right = Right.KEEP_CLUB

    status = 204
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied",)

    @idempotent
    def delete(self, request: Request, webhook_id: UUID) -> Response:
        """Delete it."""
        webhook_of(request, webhook_id).delete()
        return Response(status=self.status)


class RotateWebhookSecret(Operation):
    """Give a webhook another secret, which this answer shows once.

    For `overlap_hours` the secrets of before sign too, so that receivers can change over: each
    message has one signature for each. With 0 they end at once, as after a leak.
    """

    scope = Scope.WEBHOOKS_WRITE
    right = Right.KEEP_CLUB

    class Input(Struct, frozen=True):
        """How long the present one stays good."""

        overlap_hours: OverlapHours = 24

    Output = WebhookMade
    shown_once = ("secret",)
    reads = (IDEMPOTENCY_KEY,)
    refusals = ("permission_denied",)

    @idempotent
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """Rotate it."""
        webhook = webhook_of(request, webhook_id)
        given = read_body(request, RotateWebhookSecret.Input)
        rotated = rotate_secret(webhook=webhook, overlap=timedelta(hours=given.overlap_hours))
        return Response(_made(rotated))


class ListWebhookTypes(PublicOperation):
    """What webhooks tell of: every type of event, when it comes, and the JSON Schema of its data.

    Fields may be added at any time; a field that goes or changes its meaning raises `version`.
    """

    class Output(Shown, frozen=True):
        """The types."""

        items: list[WebhookType]

    def get(self, request: Request) -> Response:
        """All of them."""
        return Response(
            ListWebhookTypes.Output(
                items=[
                    WebhookType(type=name, meaning=meaning_of(data), data=schema_of(data))
                    for name, data in CATALOGUE.items()
                ]
            )
        )


class WebhookType(Shown, frozen=True):
    """One type of event. `data` is the JSON Schema of the message's `data`."""

    type: str
    meaning: str
    data: dict[str, Any]


def ring() -> None:
    """Have what is due sent soon."""
    bell.ring(bell.WEBHOOKS)
