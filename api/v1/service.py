"""The service about itself: whether it is well, and what its refusals mean."""

from __future__ import annotations

from typing import Literal

from django.conf import settings
from rest_framework.request import Request
from rest_framework.response import Response

from api.errors import PROBLEMS, Problem
from api.operation import PublicOperation, Shown
from api.webhooks.delivering import age_of_oldest_due_s
from records import ledger
from replays import standings


class ShowHealth(PublicOperation):
    """Whether the service keeps up.

    It does not ask whether a worker says that it is alive, but how long the oldest ended hand has
    waited to be settled.
    """

    class Output(Shown, frozen=True):
        """`late` means that a hand has waited for more than a minute, or could not be settled.

        `oldest_due_webhook_s`: how long a webhook's event has waited for a worker to send it.
        """

        status: Literal["well", "late"]
        instance: str
        oldest_unsettled_hand_s: float
        settlement_failures: int
        standings_behind: int
        oldest_due_webhook_s: float

    def get(self, request: Request) -> Response:
        """Ask the database."""
        oldest_s = ledger.age_of_oldest_unsettled_hand_s()
        failures = ledger.settlement_failures(limit=1).count
        return Response(
            ShowHealth.Output(
                status="late" if oldest_s > LATE_S or failures else "well",
                instance=settings.INSTANCE,
                oldest_unsettled_hand_s=round(oldest_s, 3),
                settlement_failures=failures,
                standings_behind=standings.lag(),
                oldest_due_webhook_s=round(age_of_oldest_due_s() or 0.0, 3),
            )
        )


LATE_S = 60.0
"""Seconds after which an unsettled hand is late."""


class ErrorShown(Shown, frozen=True):
    """What a code of a refusal means."""

    code: str
    status: int
    title: str


class ListErrors(PublicOperation):
    """Every code that a refusal can have, with its HTTP status.

    Refusals of an event by the rules of play are of the type `illegal_event`; their `code` names
    what was wrong, and `facts.rule` the numbered rule.
    """

    class Output(Shown, frozen=True):
        """All of them."""

        items: list[ErrorShown]

    def get(self, request: Request) -> Response:
        """All of them."""
        return Response(ListErrors.Output(items=[_shown(code) for code in sorted(PROBLEMS)]))


class ShowError(PublicOperation):
    """What the `type` of a refusal means."""

    Output = ErrorShown

    def get(self, request: Request, code: str) -> Response:
        """The code."""
        if code not in PROBLEMS:
            raise Problem("not_found", f"There is no error code {code}.")
        return Response(_shown(code))


def _shown(code: str) -> ErrorShown:
    meaning = PROBLEMS[code]
    return ErrorShown(code=code, status=meaning.status, title=meaning.title)
