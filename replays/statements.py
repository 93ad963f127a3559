"""Statements of account: every payment of a person or of a club's pot, with a running balance.

Read straight from the ledger. A person's payments are two ordered scans of it, of what was paid and
of what was received, put together: a page costs the same however many payments there are. Where a
page ends its balance is known, so the next page begins with it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db import connection

from records.merges import person_of
from replays.periods import Period
from rules_engine import registry

PAGE: Final = 1000
PAYER, PAYEE = 0, 1


class Subject(msgspec.Struct, frozen=True, kw_only=True):
    """Whose statement: a person with all records that count for it, or a club's pot.

    ``persons`` says of the club's other players for whom they count.
    """

    club_id: UUID
    account: UUID
    records: tuple[UUID, ...]
    persons: Mapping[UUID, UUID]


class Mark(msgspec.Struct, frozen=True, array_like=True):
    """Where a page of a statement ended: its last line, and the balance after it."""

    ended_at_ms: int
    position: int
    line: int
    side: int
    balance: int


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """One payment as its owner sees it: `points` received, or paid where negative.

    `ended_at_ms` is the time of play and what statements are ordered by, `booked_at` when it was
    settled. `reverses`: the line takes an earlier one back. `reversed_in`: the revision that takes
    this one back, if one does. `mark` is where a page that ends here goes on.
    """

    ended_at_ms: int
    booked_at: datetime
    game_id: UUID
    hand: int
    entry: int
    revision: int
    line: int
    counterpart: UUID
    points: int
    balance: int
    kind: str
    item: str
    item_zh: str
    item_en: str
    ruleset: str
    rule: str
    seq: int
    reverses: bool
    reversed_in: int | None
    mark: Mark

    @property
    def moment(self) -> str:
        """The address of its moment in the replay: the game, the hand and the event."""
        return f"/games/{self.game_id}#{self.hand}.{self.seq}"


class Sums(msgspec.Struct, frozen=True, kw_only=True):
    """Payments put together: how many lines, points received, points paid, what is left."""

    lines: int
    received: int
    paid: int

    @property
    def points(self) -> int:
        """Received less paid."""
        return self.received - self.paid


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """A period in figures: `opening` and `closing` are balances before and after it."""

    opening: int
    closing: int
    all: Sums
    by_kind: Mapping[str, Sums]
    by_counterpart: Mapping[UUID, Sums]


def subject_of(*, club_id: UUID, account: UUID, known_at: datetime | None = None) -> Subject:
    """A person (named by any of its records), or the pot (the club's own id)."""
    persons = person_of(club_id, known_at)
    person = persons.get(account, account)
    absorbed = sorted(record for record, into in persons.items() if into == person)
    return Subject(club_id=club_id, account=person, records=(person, *absorbed), persons=persons)


def first_mark(period: Period, opening: int) -> Mark:
    """Where a statement begins."""
    return Mark(period.from_ms, 0, 0, PAYER, opening)


def page_of(
    subject: Subject, period: Period, *, after: Mark, known_position: int, limit: int
) -> list[Line]:
    """The lines behind ``after``, in order, at most ``limit``."""
    with connection.cursor() as cursor:
        cursor.execute(
            _PAGE,
            {
                "records": list(subject.records),
                "ended": after.ended_at_ms,
                "position": after.position,
                "line": after.line,
                # A payment between two records of one person is two lines; the one paid is first.
                "payee_line": after.line - (1 if after.side == PAYER and after.position else 0),
                "to": period.to_ms,
                "known": known_position,
                "limit": limit,
            },
        )
        rows = cursor.fetchall()
    balance = after.balance
    lines = []
    for row in rows:
        balance += row[8]
        lines.append(_line(subject, row, balance))
    return lines


def lines_of(
    subject: Subject, period: Period, *, known_position: int, opening: int
) -> Iterator[Line]:
    """Every line of a period, read page by page and never held whole."""
    mark = first_mark(period, opening)
    while page := page_of(subject, period, after=mark, known_position=known_position, limit=PAGE):
        yield from page
        mark = page[-1].mark


def opening_balance(subject: Subject, period: Period, *, known_position: int) -> int:
    """The balance before the period. Reads every payment before it."""
    with connection.cursor() as cursor:
        cursor.execute(
            _OPENING,
            {
                "records": list(subject.records),
                "from": period.from_ms,
                "known": known_position,
            },
        )
        return int(cursor.fetchone()[0])


def summary_of(subject: Subject, period: Period, *, known_position: int, opening: int) -> Summary:
    """The period in figures. Reads every payment in it."""
    by_kind: defaultdict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    by_counterpart: defaultdict[UUID, list[int]] = defaultdict(lambda: [0, 0, 0])
    whole = [0, 0, 0]
    with connection.cursor() as cursor:
        cursor.execute(
            _SUMS,
            {
                "records": list(subject.records),
                "from": period.from_ms,
                "to": period.to_ms,
                "known": known_position,
            },
        )
        for kind, other, *figures in cursor.fetchall():
            for sums in (
                whole,
                by_kind[kind],
                by_counterpart[subject.persons.get(other, other)],
            ):
                for place, figure in enumerate(figures):
                    sums[place] += int(figure)
    everything = _sums(whole)
    return Summary(
        opening=opening,
        closing=opening + everything.points,
        all=everything,
        by_kind={kind: _sums(by_kind[kind]) for kind in sorted(by_kind)},
        by_counterpart={other: _sums(by_counterpart[other]) for other in sorted(by_counterpart)},
    )


class Balance(msgspec.Struct, frozen=True, kw_only=True):
    """An account of a club over a period, as in a Summary. The pot's account is the club's id."""

    account: UUID
    opening: int
    received: int
    paid: int

    @property
    def closing(self) -> int:
        """The balance at the end of the period."""
        return self.opening + self.received - self.paid


def balances_of(
    club_id: UUID,
    players: Sequence[UUID],
    period: Period,
    *,
    known_position: int,
    known_at: datetime | None = None,
) -> list[Balance]:
    """Every person of a club and its pot, the pot last. Openings and closings each sum to zero."""
    persons = person_of(club_id, known_at)
    sums: dict[UUID, list[int]] = {
        persons.get(player, player): [0, 0, 0] for player in (*players, club_id)
    }
    with connection.cursor() as cursor:
        cursor.execute(
            _BALANCES,
            {
                "accounts": [*players, club_id],
                "from": period.from_ms,
                "to": period.to_ms,
                "known": known_position,
            },
        )
        for account, *figures in cursor.fetchall():
            for place, figure in enumerate(figures):
                sums[persons.get(account, account)][place] += int(figure)
    return [
        Balance(account=account, opening=opening, received=received, paid=paid)
        for account, (opening, received, paid) in sorted(
            sums.items(), key=lambda each: (each[0] == club_id, each[0])
        )
    ]


def _sums(figures: Sequence[int]) -> Sums:
    lines, received, paid = figures
    return Sums(lines=lines, received=received, paid=paid)


def _line(subject: Subject, row: tuple[Any, ...], balance: int) -> Line:
    (ended, position, side, game_id, hand, entry, revision, line, points, other) = row[:10]
    (kind, item, rule, seq, reverses, booked_at, ruleset, version, reversed_in) = row[10:]
    item_zh, item_en = name_of_item(ruleset, version, item, kind)
    return Line(
        ended_at_ms=ended,
        booked_at=booked_at,
        game_id=game_id,
        hand=hand,
        entry=entry,
        revision=revision,
        line=line,
        counterpart=subject.persons.get(other, other),
        points=points,
        balance=balance,
        kind=kind,
        item=item,
        item_zh=item_zh,
        item_en=item_en,
        ruleset=ruleset,
        rule=rule,
        seq=seq,
        reverses=reverses is not None,
        reversed_in=reversed_in,
        mark=Mark(ended, position, line, side, balance),
    )


ENTRIES: Final[Mapping[str, tuple[str, str]]] = {
    "adjustment": ("调整", "adjustment"),
    "penalty": ("罚分", "penalty"),
}
"""The names of payments that are no part of a hand, by kind."""


@lru_cache(maxsize=4096)
def name_of_item(ruleset: str, version: int, item: str, kind: str) -> tuple[str, str]:
    """What a payment's item is called in Chinese and English; its id where nothing else is."""
    if kind in ENTRIES:
        return ENTRIES[kind]
    try:
        name = registry.get(ruleset, version).name_of(item)
    except registry.UnknownRuleset:
        name = None
    return name or (item, item)


_SIDE: Final = """
    (SELECT t.ended_at_ms, t.position, {side} AS side, t.game_id, t.hand, t.entry, t.revision,
            t.line, {sign}t.points AS points, t.{other} AS other, t.kind, t.item, t.rule, t.seq,
            t.reverses
     FROM transfer t
     WHERE t.{own} = own.record
       AND (t.ended_at_ms, t.position, t.line) > (%(ended)s, %(position)s, %({line})s)
       AND t.ended_at_ms < %(to)s AND t.position <= %(known)s
     ORDER BY t.ended_at_ms, t.position, t.line LIMIT %(limit)s)
"""
# The two halves differ in nothing but who owns the payment.
_PAGE: Final = f"""
    WITH page AS (
      SELECT picked.* FROM unnest(%(records)s::uuid[]) AS own(record)
      CROSS JOIN LATERAL (
        {_SIDE.format(side=0, sign="-", own="payer", other="payee", line="line")}
        UNION ALL
        {_SIDE.format(side=1, sign="", own="payee", other="payer", line="payee_line")}
      ) AS picked
      ORDER BY ended_at_ms, position, line, side LIMIT %(limit)s
    )
    SELECT page.*, s.settled_at, s.ruleset, s.ruleset_version, back.revision
    FROM page
    JOIN settlement s USING (game_id, hand, entry, revision)
    LEFT JOIN transfer back
      ON back.game_id = page.game_id AND back.hand = page.hand AND back.entry = page.entry
     AND back.revision = page.revision + 1 AND back.reverses = page.line
     AND page.reverses IS NULL AND back.position <= %(known)s
    ORDER BY page.ended_at_ms, page.position, page.line, page.side
"""  # noqa: S608 - our own texts
_OPENING: Final = """
    SELECT coalesce(sum((
      SELECT coalesce(sum(points), 0) FROM transfer
      WHERE payee = own.record AND ended_at_ms < %(from)s AND position <= %(known)s
    ) - (
      SELECT coalesce(sum(points), 0) FROM transfer
      WHERE payer = own.record AND ended_at_ms < %(from)s AND position <= %(known)s
    )), 0) FROM unnest(%(records)s::uuid[]) AS own(record)
"""
_SUMS: Final = """
    SELECT kind, other, count(*), sum(greatest(points, 0)), sum(greatest(-points, 0))
    FROM (
      SELECT kind, payer AS other, points FROM transfer
      WHERE payee = ANY (%(records)s::uuid[]) AND ended_at_ms >= %(from)s
        AND ended_at_ms < %(to)s AND position <= %(known)s
      UNION ALL
      SELECT kind, payee, -points FROM transfer
      WHERE payer = ANY (%(records)s::uuid[]) AND ended_at_ms >= %(from)s
        AND ended_at_ms < %(to)s AND position <= %(known)s
    ) AS own GROUP BY kind, other
"""
_BALANCES: Final = """
    SELECT account,
           coalesce(got.before, 0) - coalesce(gave.before, 0),
           coalesce(got.inside, 0), coalesce(gave.inside, 0)
    FROM unnest(%(accounts)s::uuid[]) AS account
    CROSS JOIN LATERAL (
      SELECT sum(points) FILTER (WHERE ended_at_ms < %(from)s) AS before,
             sum(points) FILTER (WHERE ended_at_ms >= %(from)s) AS inside
      FROM transfer
      WHERE payee = account AND ended_at_ms < %(to)s AND position <= %(known)s
    ) AS got
    CROSS JOIN LATERAL (
      SELECT sum(points) FILTER (WHERE ended_at_ms < %(from)s) AS before,
             sum(points) FILTER (WHERE ended_at_ms >= %(from)s) AS inside
      FROM transfer
      WHERE payer = account AND ended_at_ms < %(to)s AND position <= %(known)s
    ) AS gave
"""
