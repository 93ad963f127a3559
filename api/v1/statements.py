"""Statements of players and of a club's pot, and the balances of a club."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from django.core import signing
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import club_of
from api.errors import Problem
from api.operation import Cursor, Limit, Operation, Shown, read_query
from api.pagination import DEFAULT_LIMIT
from api.scopes import Scope
from api.v1.periods import PeriodQuery, period_of
from api.v1.players import player_of
from api.v1.shapes import moment, names_of
from records.clubs import Right
from records.models import Club
from replays import statements
from replays.periods import Period, position_known_at
from replays.statements import Line, Mark, Subject, Summary

SALT = "paipu.statement"


class Counterpart(Shown, frozen=True):
    """Who is on the other side: a player, or the club's pot (`player` null)."""

    player: UUID | None
    name: str


class LineShown(Shown, frozen=True):
    """One payment: `points` received, or paid where negative, and the `balance` after it.

    Lines stand in the order of play (`at`); `booked_at` is when the payment was settled. A line
    that `reverses` takes an earlier one back, in the same hand and the revision before;
    `reversed_in` is the revision that takes this one back. `moment` is where the replay shows it.
    """

    at: datetime
    booked_at: datetime
    game: UUID
    hand: int
    entry: int
    revision: int
    line: int
    counterpart: Counterpart
    points: int
    balance: int
    kind: str
    item: str
    item_zh: str
    item_en: str
    rule: str
    seq: int
    moment: str
    reverses: bool
    reversed_in: int | None


class SumsShown(Shown, frozen=True):
    """Payments put together; `points` is what was received less what was paid."""

    lines: int
    received: int
    paid: int
    points: int


class KindSums(SumsShown, frozen=True):
    """The payments of one kind, those that were taken back and their reversals included."""

    kind: str


class CounterpartSums(SumsShown, frozen=True):
    """The payments with one counterpart."""

    counterpart: Counterpart


class SummaryShown(Shown, frozen=True):
    """The whole period: balances before and after it, and sums."""

    opening: int
    closing: int
    all: SumsShown
    by_kind: list[KindSums]
    by_counterpart: list[CounterpartSums]


class StatementQuery(PeriodQuery, frozen=True):
    """A period of a statement, page by page."""

    cursor: Cursor | None = None
    limit: Limit = DEFAULT_LIMIT


class StatementShown(Shown, frozen=True):
    """One page of a statement. The first page has the summary of the whole period."""

    player: UUID | None
    name: str
    summary: SummaryShown | None
    items: list[LineShown]
    next: Cursor | None


class ShowStatement(Operation):
    """A player's statement (对账单): every payment of a period with a running balance.

    Records that were merged into the player count. A statement keeps to what was known when its
    first page was read; later pages neither miss nor double a line.
    """

    scope = Scope.CLUB_READ
    right = Right.SEE

    Query = StatementQuery
    Output = StatementShown

    def get(self, request: Request, player_id: UUID) -> Response:
        """One page of it."""
        query = read_query(request, StatementQuery)
        player = player_of(request, player_id)
        return Response(statement(player.club, player_id, query))


class ShowPotStatement(Operation):
    """The statement of a club's pot (公账): the penalties that were paid to it."""

    scope = Scope.CLUB_READ
    right = Right.SEE

    Query = StatementQuery
    Output = StatementShown

    def get(self, request: Request, club_id: UUID) -> Response:
        """One page of it."""
        query = read_query(request, StatementQuery)
        return Response(statement(club_of(request, club_id), club_id, query))


class BalanceShown(Shown, frozen=True):
    """An account of a club over a period; the pot has no `player`."""

    player: UUID | None
    name: str
    opening: int
    received: int
    paid: int
    closing: int


class ListBalances(Operation):
    """The balances of a club's players and its pot over a period. They sum to zero.

    A record that was merged counts for its person and has no line of its own.
    """

    scope = Scope.CLUB_READ
    right = Right.SEE

    class Query(PeriodQuery, frozen=True):
        """The period."""

    class Output(Shown, frozen=True):
        """Every account; `sum` is that of all closing balances."""

        items: list[BalanceShown]
        sum: Annotated[int, msgspec.Meta(description="Always 0.")]

    def get(self, request: Request, club_id: UUID) -> Response:
        """All of them."""
        query = read_query(request, ListBalances.Query)
        club = club_of(request, club_id)
        names = dict(club.players.values_list("id", "name"))
        balances = statements.balances_of(
            club_id,
            list(names),
            period_of(query, club),
            known_position=position_known_at(query.known_at),
            known_at=query.known_at,
        )
        return Response(
            ListBalances.Output(
                items=[
                    BalanceShown(
                        player=None if balance.account == club_id else balance.account,
                        name=club.name if balance.account == club_id else names[balance.account],
                        opening=balance.opening,
                        received=balance.received,
                        paid=balance.paid,
                        closing=balance.closing,
                    )
                    for balance in balances
                ],
                sum=sum(balance.closing for balance in balances),
            )
        )


def statement(club: Club, account: UUID, query: StatementQuery) -> StatementShown:
    """One page of an account's statement."""
    subject = statements.subject_of(club_id=club.pk, account=account, known_at=query.known_at)
    period = period_of(query, club)
    named = _fingerprint(subject, period, query)
    summary = None
    if query.cursor is None:
        known = position_known_at(query.known_at)
        opening = statements.opening_balance(subject, period, known_position=known)
        summary = statements.summary_of(subject, period, known_position=known, opening=opening)
        mark = statements.first_mark(period, opening)
    else:
        mark, known = _opened(query.cursor, named)
    lines = statements.page_of(
        subject, period, after=mark, known_position=known, limit=query.limit + 1
    )
    shown = lines[: query.limit]
    others = {line.counterpart for line in shown}
    if summary is not None:
        others |= summary.by_counterpart.keys()
    names = {**names_of(others | {subject.account}), club.pk: club.name}
    return StatementShown(
        player=None if subject.account == club.pk else subject.account,
        name=names.get(subject.account, ""),
        summary=None if summary is None else _summary_shown(summary, club.pk, names),
        items=[line_shown(line, club.pk, names) for line in shown],
        next=_closed(shown[-1].mark, known, named) if len(lines) > query.limit else None,
    )


def line_shown(line: Line, club_id: UUID, names: dict[UUID, str]) -> LineShown:
    """A line with names and times as people read them."""
    return LineShown(
        at=moment(line.ended_at_ms),
        booked_at=line.booked_at,
        game=line.game_id,
        hand=line.hand,
        entry=line.entry,
        revision=line.revision,
        line=line.line,
        counterpart=_counterpart(line.counterpart, club_id, names),
        points=line.points,
        balance=line.balance,
        kind=line.kind,
        item=line.item,
        item_zh=line.item_zh,
        item_en=line.item_en,
        rule=line.rule,
        seq=line.seq,
        moment=line.moment,
        reverses=line.reverses,
        reversed_in=line.reversed_in,
    )


def _counterpart(account: UUID, club_id: UUID, names: dict[UUID, str]) -> Counterpart:
    return Counterpart(player=None if account == club_id else account, name=names.get(account, ""))


def _summary_shown(summary: Summary, club_id: UUID, names: dict[UUID, str]) -> SummaryShown:
    return SummaryShown(
        opening=summary.opening,
        closing=summary.closing,
        all=SumsShown(**_figures(summary.all)),
        by_kind=[KindSums(kind=kind, **_figures(sums)) for kind, sums in summary.by_kind.items()],
        by_counterpart=[
            CounterpartSums(counterpart=_counterpart(other, club_id, names), **_figures(sums))
            for other, sums in summary.by_counterpart.items()
        ],
    )


def _figures(sums: statements.Sums) -> dict[str, int]:
    return {**msgspec.structs.asdict(sums), "points": sums.points}


def _fingerprint(subject: Subject, period: Period, query: StatementQuery) -> str:
    """What a cursor belongs to: another account, period or clock needs a cursor of its own."""
    asked = msgspec.json.encode([subject.records, period, query.known_at])
    return hashlib.sha256(asked).hexdigest()[:16]


def _closed(mark: Mark, known_position: int, named: str) -> str:
    """Where a page ended, signed: the balance in it must be one that we computed."""
    parts: Sequence[object] = [msgspec.to_builtins(mark), known_position, named]
    return signing.Signer(salt=SALT).sign_object(parts, compress=True)


def _opened(cursor: str, named: str) -> tuple[Mark, int]:
    """The mark and the known position of a cursor. Raises Problem ``invalid_input``."""
    try:
        mark, known, belongs_to = signing.Signer(salt=SALT).unsign_object(cursor)
    except signing.BadSignature as error:
        raise Problem(
            "invalid_input",
            "This is not a cursor that a page before gave: its signature does not hold.",
            facts={"fields": {"cursor": ["Use the value of `next` of the page before."]}},
        ) from error
    if belongs_to != named:
        raise Problem(
            "invalid_input",
            "This cursor is of another statement: ask for the same player, period and clocks, or "
            "begin again without a cursor.",
            facts={"fields": {"cursor": ["Use it with the query of the page before."]}},
        )
    return msgspec.convert(mark, Mark), int(known)
