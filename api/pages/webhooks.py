"""The webhooks of a club, and what became of all that was sent to one."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from api.v1.webhooks import webhook_shown
from api.webhooks.catalogue import CATALOGUE
from api.webhooks.models import WebhookAttempt, WebhookDelivery
from replays.pages.desk import show_desk
from replays.pages.languages import language_of
from replays.pages.membership import Here, club_page
from replays.pages.paging import paged

PAGE: Final = 30
TYPE_NAMES: Final = {
    "game.started": ("一场开始", "A game began"),
    "hand.settled": ("一局已结算", "A hand was settled"),
    "hand.resettled": ("一局因裁定重新结算", "A hand was settled anew after a ruling"),
    "ruling.made": ("作出裁定", "A ruling was made"),
    "game.ended": ("一场结束", "A game ended"),
    "tier.changed": ("段位变动", "A player's tier changed"),
    "webhook.ping": ("试发", "A test"),
}
"""What the types of events are called in Chinese and in English."""


@club_page
def webhooks(request: HttpRequest, here: Here) -> HttpResponse:
    """The receivers that are told what happens in the club."""
    context = {
        "webhooks": [
            webhook_shown(each) for each in here.club.webhooks.order_by("created_at", "id")
        ],
        "types": types_shown(language_of(request)),
    }
    return show_desk(request, here, "webhooks", context)


@club_page
def webhook(request: HttpRequest, here: Here, webhook_id: UUID) -> HttpResponse:
    """One of them: its settings, its secret, and the log of its deliveries."""
    found = get_object_or_404(here.club.webhooks, pk=webhook_id)
    state = request.GET.get("state", "")
    rows = WebhookDelivery.objects.filter(webhook=found).select_related("event")
    if state in WebhookDelivery.State.values:
        rows = rows.filter(state=state)
    deliveries = paged(request, in_order(rows), size=PAGE)
    context = {
        "webhook": webhook_shown(found),
        "types": types_shown(language_of(request)),
        "deliveries": deliveries,
        "rows": [(each, list(each.attempts.all())) for each in deliveries],
        "state": state,
    }
    return show_desk(
        request, here, "webhooks", context, template="replays/club_webhook.html", heading=found.url
    )


def types_shown(language: str) -> list[tuple[str, str]]:
    """The types of events and what they are called."""
    at = 0 if language == "zh" else 1
    return [(kind, TYPE_NAMES[kind][at]) for kind in CATALOGUE]


def in_order(rows: QuerySet[WebhookDelivery]) -> QuerySet[WebhookDelivery]:
    """The newest first, each with its attempts as they were made."""
    attempts = Prefetch("attempts", queryset=WebhookAttempt.objects.order_by("id"))
    return rows.prefetch_related(attempts).order_by("-created_at", "-id")
