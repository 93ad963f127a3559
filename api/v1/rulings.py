"""What referees decide about hands that have ended, and beside the hands."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import game_of, known_game
from api.errors import Problem, rules_quoted
from api.operation import ETAG, IDEMPOTENCY_KEY, IF_MATCH, Operation, Shown
from api.scopes import Scope
from api.v1.events import AppendEvents, append, read_events
from api.v1.games import etag
from api.v1.shapes import AccountShown, EventBody, account_shown, moment
from records.clubs import Right
from records.models import Account
from records.rulings import RULINGS, Consequence, Ruled, preview, rulings_of
from rules_engine.events import (
    Adjusted,
    HandCorrected,
    HandVoided,
    Penalty,
    PenaltyCancelled,
    Ruling,
)

RulingGiven = Annotated[
    dict[str, Any],
    msgspec.Meta(
        extra_json_schema={
            "anyOf": [
                {"$ref": f"#/components/schemas/{cls.__name__}"}
                for cls in (Adjusted, HandCorrected, HandVoided, Penalty, PenaltyCancelled)
            ]
        }
    ),
]


class RulingShown(Shown, frozen=True):
    """A ruling: on `hand` (0: on the game as a whole), or as `entry` beside the hands.

    `revision` is the one it made of the settlement of the hand or the entry, null while it waits to
    be settled, which takes seconds. `by` is null where the account is not known.
    """

    seq: int
    hand: int
    entry: int
    event: EventBody
    reason: str
    dispute: str | None
    by: AccountShown | None
    occurred_at: datetime
    recorded_at: datetime
    revision: int | None


def rulings_shown(rulings: list[Ruled]) -> list[RulingShown]:
    """Rulings with who made them."""
    actors = {each.actor for each in rulings if each.actor is not None}
    accounts = {str(account.pk): account for account in Account.objects.filter(pk__in=actors)}
    return [
        RulingShown(
            seq=each.seq,
            hand=each.hand,
            entry=each.entry,
            event=msgspec.to_builtins(each.ruling),
            reason=each.ruling.reason,
            dispute=each.ruling.dispute,
            by=account_shown(accounts[each.actor]) if each.actor in accounts else None,
            occurred_at=moment(each.occurred_at_ms),
            recorded_at=moment(each.recorded_at_ms),
            revision=each.revision,
        )
        for each in rulings
    ]


class Rule(Operation):
    """Rule on a hand that has ended, or make payments beside the hands.

    `hand_corrected` gives a hand other facts, `hand_voided` makes it count for nothing, `adjusted`
    and `penalty` are payments between players of the game or with the club's pot (`club`), and
    `penalty_cancelled` takes a penalty back. Each needs a reason. It is possible at any time, also
    after the game; nothing recorded is changed: what was paid is paid back and paid anew.
    """

    scope = Scope.GAMES_RULE
    right = Right.RULE

    Input = RulingGiven
    Output = AppendEvents.Output
    status = 201
    reads = (IDEMPOTENCY_KEY, IF_MATCH)
    gives = (ETAG,)
    refusals = ("permission_denied", "illegal_event", "not_canonical")

    def post(self, request: Request, game_id: UUID) -> Response:
        """Record it."""
        access = game_of(request, game_id)
        insist_on_ruling(request.data)
        return append(request, access, [request.data])


def insist_on_ruling(body: Any) -> None:
    """Raise Problem ``invalid_input`` for what is no ruling."""
    kind = body.get("type") if isinstance(body, dict) else None
    if not isinstance(kind, str) or kind not in RULINGS:
        raise Problem(
            "invalid_input",
            "Send one ruling; other events go to the address of the game's events.",
            facts={"expected": sorted(RULINGS), "actual": kind},
        )


class ListRulings(Operation):
    """Every ruling on a game, in order: what was decided, by whom and why."""

    scope = Scope.GAMES_READ
    right = Right.SEE

    class Output(Shown, frozen=True):
        """The rulings."""

        items: list[RulingShown]

    def get(self, request: Request, game_id: UUID) -> Response:
        """All of them."""
        upto = known_game(request, game_of(request, game_id)).game.seq
        return Response(ListRulings.Output(items=rulings_shown(rulings_of(game_id, upto=upto))))


class PreviewRuling(Operation):
    """What a ruling would come to: the hand's payments before and after. Nothing is written.

    `flags` names later hands that would have been dealt otherwise; they stand as played.
    """

    scope = Scope.GAMES_RULE
    right = Right.RULE

    Input = RulingGiven
    Output = Consequence
    gives = (ETAG,)
    refusals = ("permission_denied", "illegal_event")

    def post(self, request: Request, game_id: UUID) -> Response:
        """Try it out."""
        access = game_of(request, game_id)
        insist_on_ruling(request.data)
        with rules_quoted(access.ruleset):
            (ruling,) = read_events([request.data], access.ruleset.catalogue, 0).events
            assert isinstance(ruling, Ruling)
            answer = preview(ruling, game_id=game_id)
        return Response(answer, headers={"ETag": etag(answer.seq)})
