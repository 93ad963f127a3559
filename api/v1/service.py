"""The service about itself: whether it is well, and what its refusals mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from django.conf import settings
from rest_framework.request import Request
from rest_framework.response import Response

from api.errors import PROBLEMS, Problem
from api.languages import in_chinese
from api.operation import PublicOperation, Shown
from api.scopes import MEANINGS, OF_ONE_CLUB, Scope
from api.webhooks.delivering import age_of_oldest_due_s
from records import ledger
from records.clubs import Right, rights_of
from records.models import Role
from replays import standings
from rules_engine import registry
from rules_engine.refusals import Refusal


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
    """What a code of a refusal means.

    `type` is the last part of the refusal's `type`; `title` is in the language asked for.
    `rulesets` are those that give it, for the code of a broken rule of play.
    """

    code: str
    type: str
    status: int
    title: str
    title_zh: str
    title_en: str
    rulesets: list[str]


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
        shown = [_problem(code) for code in sorted(PROBLEMS)]
        return Response(ListErrors.Output(items=[*shown, *broken_rules().values()]))


class ShowError(PublicOperation):
    """What the `type` of a refusal means."""

    Output = ErrorShown

    def get(self, request: Request, code: str) -> Response:
        """The code."""
        shown = _problem(code) if code in PROBLEMS else broken_rules().get(code)
        if shown is None:
            raise Problem("not_found", f"There is no error code {code}.")
        return Response(shown)


class RoleShown(Shown, frozen=True):
    """A role in a club: what it is called and the rights that it gives."""

    role: Role
    name: str
    name_zh: str
    name_en: str
    rights: list[Right]


class ListRoles(PublicOperation):
    """The roles that a member of a club can have, and what each may do.

    `name` is in the language asked for.
    """

    class Output(Shown, frozen=True):
        """All of them."""

        items: list[RoleShown]

    def get(self, request: Request) -> Response:
        """All of them."""
        items = [
            RoleShown(
                role=role,
                name=zh if in_chinese() else en,
                name_zh=zh,
                name_en=en,
                rights=[right for right in Right if right in rights_of(role)],
            )
            for role, (zh, en) in ROLE_NAMES.items()
        ]
        return Response(ListRoles.Output(items=items))


ROLE_NAMES: Mapping[Role, tuple[str, str]] = {
    Role.OWNER: ("会长", "Owner"),
    Role.REFEREE: ("裁判", "Referee"),
    Role.RECORDER: ("记录员", "Recorder"),
    Role.PLAYER: ("牌手", "Player"),
    Role.VIEWER: ("观众", "Viewer"),
}
"""What roles are called in Chinese and in English."""


class ScopeShown(Shown, frozen=True):
    """What a token with this scope may be used for; `of_one_club`: whether one of clubs can."""

    scope: Scope
    meaning: str
    meaning_zh: str
    meaning_en: str
    of_one_club: bool


class ListScopes(PublicOperation):
    """What a token can be good for.

    A scope never gives more than the role of whoever bears it. A token that is limited to clubs,
    and a club's own, can have those that are `of_one_club`. `meaning` is in the language asked for.
    """

    class Output(Shown, frozen=True):
        """All of them."""

        items: list[ScopeShown]

    def get(self, request: Request) -> Response:
        """All of them."""
        del request
        shown = [
            ScopeShown(
                scope=scope,
                meaning=zh if in_chinese() else en,
                meaning_zh=zh,
                meaning_en=en,
                of_one_club=scope in OF_ONE_CLUB,
            )
            for scope, (zh, en) in MEANINGS.items()
        ]
        return Response(ListScopes.Output(items=shown))


def _problem(code: str) -> ErrorShown:
    """What a code of the service's own means."""
    return _error(code, code, Refusal(PROBLEMS[code].title_zh, PROBLEMS[code].title), [])


def broken_rules() -> dict[str, ErrorShown]:
    """What the codes of the installed rulesets' refusals mean, by code."""
    rulesets = registry.latest()
    titles = {code: title for each in rulesets for code, title in each.refusals.items()}
    return {
        code: _error(
            code, "illegal_event", title, [each.slug for each in rulesets if code in each.refusals]
        )
        for code, title in sorted(titles.items())
        if code not in PROBLEMS
    }


def _error(code: str, family: str, title: Refusal, rulesets: list[str]) -> ErrorShown:
    return ErrorShown(
        code=code,
        type=family,
        status=PROBLEMS[family].status,
        title=title.zh if in_chinese() else title.en,
        title_zh=title.zh,
        title_en=title.en,
        rulesets=rulesets,
    )
