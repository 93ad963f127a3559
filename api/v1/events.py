"""The log of a game: appending to it, reading it, and trying a result out."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, Any, Final, NamedTuple
from uuid import UUID

import msgspec
from django.http import HttpResponseBase, StreamingHttpResponse
from msgspec.structs import replace
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import account_of, game_of, known_game, require, require_scope
from api.errors import Problem, rules_quoted
from api.idempotency import read_key
from api.operation import (
    ETAG,
    IDEMPOTENCY_KEY,
    IF_MATCH,
    Operation,
    Shown,
    Struct,
    read_query,
)
from api.pagination import DEFAULT_LIMIT
from api.parsers import JsonRenderer, NdjsonRenderer, pieces_of
from api.scopes import Scope
from api.v1.games import Seq, etag
from api.v1.shapes import EventShown, event_shown
from records import bell, reader
from records.append import WRITER, Receipt, append_events
from records.clubs import Right
from records.errors import StaleSequence
from records.games import GameAccess
from records.rulings import RULINGS
from replays.visibility import EVERYTHING, Viewer, sight
from rules_engine.errors import IllegalEvent
from rules_engine.events import Catalogue, Event, GameEnded, HandResult
from rules_engine.expectations import Expectation, insist_on, read_expectation
from rules_engine.fold import Game, apply
from rules_engine.score import HandExplanation, HandScore

BATCH_MAX: Final = 500
"""Events in one append over HTTP."""
MISSED_MAX: Final = 100
"""Events that a refusal for a stale seq carries."""
_ETAG = re.compile(r'"([0-9]{1,9})"')
_ZONED = Annotated[datetime, msgspec.Meta(tz=True)]

EventGiven = Annotated[Any, msgspec.Meta(extra_json_schema={"$ref": "#/components/schemas/Event"})]


class AppendEvents(Operation):
    """Append one event, or several in order, right after the seq named by If-Match.

    All of them are recorded or none. The service adds `hand_ended` where the rules say that the
    hand is over. Facts only: what a hand is worth is computed. Who keeps scores too may send what
    the hand should come to as `expect` beside the event that ends it: where the two differ the
    append is refused with `score_differs`. An append tried again with the same Idempotency-Key gets
    the same receipt. Rulings need the right `rule` and the scope
    `games:rule` too, all else the right `record`.
    """

    scope = Scope.GAMES_RECORD
    right = Right.RECORD

    Input = (
        EventGiven | Annotated[list[EventGiven], msgspec.Meta(min_length=1, max_length=BATCH_MAX)]
    )

    class Output(Shown, frozen=True):
        """The receipt: what was recorded, and the hash of the last event."""

        game: UUID
        first_seq: int
        last_seq: int
        hash: str
        replayed: bool
        added: list[EventShown]

    status = 201
    reads = (IDEMPOTENCY_KEY, IF_MATCH)
    gives = (ETAG,)
    refusals = ("permission_denied", "illegal_event", "not_canonical", "month_missing")

    def post(self, request: Request, game_id: UUID) -> Response:
        """Append them."""
        access = game_of(request, game_id, Right.SEE)
        bodies = request.data if isinstance(request.data, list) else [request.data]
        require_for(request, access, bodies)
        return append(request, access, bodies)


def require_for(request: Request, access: GameAccess, bodies: list[Any]) -> None:
    """Insist on what each event needs. Raises Problem ``permission_denied``, ``missing_scope``."""
    types = {str(body.get("type")) if isinstance(body, dict) else "" for body in bodies}
    assert access.role is not None
    if types & RULINGS:
        require(access.role, Right.RULE)
        require_scope(request, Scope.GAMES_RULE)
    if types - RULINGS:
        require(access.role, Right.RECORD)


def append(request: Request, access: GameAccess, bodies: list[Any]) -> Response:
    """The answer to an append of these events by somebody who may. Raises Problem."""
    command_id = read_key(request)
    expected_seq = read_if_match(request)
    with rules_quoted(access.ruleset):
        sent = read_events(bodies, access.ruleset.catalogue, expected_seq)
        try:
            receipt = append_events(
                game_id=access.id,
                expected_seq=expected_seq,
                events=sent.events,
                command_id=command_id,
                actor=str(account_of(request).pk),
                occurred_at_ms=sent.times_ms,
                expects=sent.expects,
            )
        except StaleSequence as error:
            raise stale(request, access, error) from error
    added = added_events(access, receipt, len(sent.events))
    if added or any(event.seals for event in sent.events):
        bell.ring()
    elif any(isinstance(event, GameEnded) for event in sent.events):
        bell.ring(bell.SETTLE)
    answer = AppendEvents.Output(
        game=access.id,
        first_seq=receipt.first_seq,
        last_seq=receipt.last_seq,
        hash=receipt.hash.hex(),
        replayed=receipt.replayed,
        added=added,
    )
    headers = {"ETag": etag(receipt.last_seq)}
    return Response(answer, status=AppendEvents.status, headers=headers)


def added_events(access: GameAccess, receipt: Receipt, sent: int) -> list[EventShown]:
    """The events that the service added behind those that were sent."""
    first = receipt.first_seq + sent
    if first > receipt.last_seq:
        return []
    stored = reader.events_of(access.id, from_seq=first, to_seq=receipt.last_seq, using=WRITER)
    return [event_shown(event, access.ruleset.catalogue, EVERYTHING) for event in stored]


def read_if_match(request: Request) -> int:
    """The seq that the caller believes the game to be at. Raises Problem."""
    given = request.headers.get("If-Match", "")
    match = _ETAG.fullmatch(given)
    if match is None:
        raise Problem(
            "precondition_required",
            'Send If-Match with the ETag of the game, such as "12": the seq to append after.',
            facts={"header": "If-Match", "expected": '"<seq>"', "actual": given or None},
        )
    return int(match[1])


class Sent(NamedTuple):
    """Events as they were sent, with what may stand beside each and is kept apart from it.

    ``times_ms`` are None where no event says when it happened; ``expects`` holds what hands are
    said to come to, by the index of the event.
    """

    events: list[Event]
    times_ms: list[int] | None
    expects: dict[int, Expectation]


def read_events(bodies: list[Any], types: Catalogue, after_seq: int) -> Sent:
    """The events of a body. Raises Problem ``invalid_input``, IllegalEvent."""
    if not 1 <= len(bodies) <= BATCH_MAX:
        raise Problem(
            "invalid_input",
            f"Send 1 to {BATCH_MAX} events.",
            facts={"expected": {"from": 1, "to": BATCH_MAX}, "actual": len(bodies)},
        )
    events: list[Event] = []
    times: list[int] = []
    expects: dict[int, Expectation] = {}
    for index, body in enumerate(bodies):
        if not isinstance(body, dict):
            raise Problem("invalid_input", "An event is a JSON object.", facts={"index": index})
        given = dict(body)
        occurred_at = given.pop("occurred_at", None)
        expect = given.pop("expect", None)
        try:
            events.append(types.decode(given))
            if expect is not None:
                expects[index] = read_expectation(expect)
        except IllegalEvent as error:
            facts = {**error.violation.facts, "index": index}
            violation = replace(error.violation, seq=after_seq + 1 + index, facts=facts)
            raise IllegalEvent(violation) from error
        if occurred_at is not None:
            times.append(_milliseconds(occurred_at, index))
    if times and len(times) != len(events):
        raise Problem(
            "invalid_input", "Give occurred_at with every event of an append, or with none."
        )
    return Sent(events, times or None, expects)


def _milliseconds(occurred_at: Any, index: int) -> int:
    """A time as the log keeps it. Raises Problem ``invalid_input``."""
    try:
        moment = msgspec.convert(occurred_at, _ZONED)
        since = moment.astimezone(UTC) - datetime(1970, 1, 1, tzinfo=UTC)
    except (msgspec.ValidationError, OverflowError) as error:
        raise Problem(
            "invalid_input",
            "occurred_at is a time with its offset, such as 2026-11-30T12:00:00Z.",
            facts={"index": index, "actual": occurred_at},
        ) from error
    return int(since.total_seconds() * 1000)


def stale(request: Request, access: GameAccess, error: StaleSequence) -> Problem:
    """The refusal of an append after another seq, with what the caller has missed.

    Who may rule need not be who may see a live hand.
    """
    _, head, viewer = known_game(request, access)
    missed = reader.events_of(
        access.id,
        from_seq=error.expected + 1,
        to_seq=min(error.actual, error.expected + MISSED_MAX),
        using=WRITER,
    )
    shown = [
        event_shown(
            event,
            access.ruleset.catalogue,
            sight(viewer, seq=event.seq, floor=head.floor),
        )
        for event in missed
    ]
    return Problem(
        "stale_seq",
        error.message,
        facts={
            "expected": error.expected,
            "actual": error.actual,
            "events": shown,
            "complete": error.expected + len(shown) >= error.actual,
        },
        headers={"ETag": etag(error.actual)},
    )


class ListEvents(Operation):
    """The events of a game in order: the whole log, with what a rewind took back.

    The cursor is the seq after which to go on. With `Accept: application/x-ndjson` the answer is
    one stream of everything after the cursor, one event a line.
    """

    scope = Scope.GAMES_READ
    right = Right.SEE

    class Query(Struct, frozen=True):
        """Which part of the log."""

        cursor: (
            Annotated[
                int,
                msgspec.Meta(ge=0, le=2_000_000_000, description="The seq to go on after."),
            ]
            | None
        ) = None
        limit: Annotated[
            int, msgspec.Meta(ge=1, le=BATCH_MAX, description="The most events on one page.")
        ] = DEFAULT_LIMIT
        proof: Annotated[
            bool,
            msgspec.Meta(description="Add to each event what its hash was made from."),
        ] = False

    class Output(Shown, frozen=True):
        """One page of events; `next` is the cursor of the page after it."""

        items: list[EventShown]
        next: Seq | None

    gives = (ETAG,)
    streams = True
    renderer_classes = (JsonRenderer, NdjsonRenderer)

    def get(self, request: Request, game_id: UUID) -> HttpResponseBase:
        """One page, or all as a stream."""
        query = read_query(request, ListEvents.Query)
        access = game_of(request, game_id)
        _, head, viewer = known_game(request, access)
        start = (query.cursor or 0) + 1

        def shown(to_seq: int) -> Iterator[EventShown]:
            for stored in reader.events_of(game_id, from_seq=start, to_seq=to_seq, using=WRITER):
                seen: Viewer = sight(viewer, seq=stored.seq, floor=head.floor)
                yield event_shown(stored, access.ruleset.catalogue, seen, proof=query.proof)

        headers = {"ETag": etag(head.seq)}
        if request.accepted_renderer.format == NdjsonRenderer.format:
            lines = (msgspec.json.encode(event) + b"\n" for event in shown(head.seq))
            return StreamingHttpResponse(
                pieces_of(lines), content_type=NdjsonRenderer.media_type, headers=headers
            )
        last = min(head.seq, start + query.limit - 1)
        page = ListEvents.Output(items=list(shown(last)), next=last if last < head.seq else None)
        return Response(page, headers=headers)


class PreviewResult(Operation):
    """What a hand's result would pay, before it is recorded. Nothing is written.

    Send the `hand_result` as it would be appended.
    """

    scope = Scope.GAMES_RECORD
    right = Right.RECORD

    Input = Annotated[
        dict[str, Any],
        msgspec.Meta(extra_json_schema={"$ref": "#/components/schemas/HandResult"}),
    ]

    class Output(Shown, frozen=True):
        """The score, the payments and why; points by seat, and who deals the next hand."""

        seq: int
        score: HandScore
        hand_points: list[int]
        gang_points: list[int]
        total_points: list[int]
        explanation: HandExplanation
        next_dealer: int | None
        next_streak: int

    gives = (ETAG,)
    refusals = ("permission_denied", "illegal_event")

    def post(self, request: Request, game_id: UUID) -> Response:
        """Score it."""
        access = game_of(request, game_id)
        game = reader.game_at(game_id, using=WRITER)
        with rules_quoted(access.ruleset):
            sent = read_events([request.data], access.ruleset.catalogue, game.seq)
            (event,) = sent.events
            if not isinstance(event, HandResult):
                raise Problem(
                    "invalid_input",
                    "Only a hand_result can be previewed.",
                    facts={"expected": "hand_result", "actual": event.type},
                )
            answer = previewed(game, event, sent.expects.get(0))
        return Response(answer, headers={"ETag": etag(game.seq)})


def previewed(game: Game, event: HandResult, expect: Expectation | None) -> PreviewResult.Output:
    """What the result would come to as the game's next event. Raises IllegalEvent."""
    after = apply(game, event, game.seq + 1)
    if expect is not None:
        insist_on(expect, after)
    assert after.last is not None
    facts = after.last.facts
    assert facts is not None
    score = game.ruleset.score(facts, game.options)
    explanation = game.ruleset.explain(facts, game.options)
    # The engine has just accepted these facts, so it scores and explains them too.
    assert isinstance(score, HandScore)
    assert isinstance(explanation, HandExplanation)
    return PreviewResult.Output(
        seq=game.seq,
        score=score,
        hand_points=list(score.hand_points),
        gang_points=list(score.gang_points),
        total_points=list(score.total_points),
        explanation=explanation,
        next_dealer=after.dealer,
        next_streak=after.streak,
    )
