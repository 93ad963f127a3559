"""Statements of players and of a club's pot, and the balances of a club."""

from __future__ import annotations

from itertools import groupby
from typing import Any, Final
from uuid import UUID

import msgspec
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse

from records.played import games_named
from replays import statements
from replays.pages.asking import (
    DAY_LENGTH,
    Asked,
    asked_of,
    in_zone,
    minute,
    opened_mark,
    players_named,
    signed_mark,
    with_period,
)
from replays.pages.membership import Here, club_page, player_page
from replays.pages.naming import game_title, payment_kind
from replays.periods import position_known_at
from replays.statements import Line, Mark, Subject, Summary
from replays.words import WORDS

PAGE: Final = 100
FORMATS: Final = ("csv", "xlsx", "json", "ndjson")


class End(msgspec.Struct, frozen=True, array_like=True):
    """Where a page ended, in which game, and what was known when the first was read."""

    mark: Mark
    known_position: int
    game_id: UUID | None = None


@player_page
def statement(request: HttpRequest, here: Here) -> HttpResponseBase:
    """A player's statement, a page at a time."""
    assert here.player is not None, "the statement of a player"
    asked = with_period(asked_of(request, here.club))
    subject = _subject(asked, here.player.pk)
    if subject.account != here.player.pk:
        # The record was merged into another, for whom all that it did counts.
        address = reverse("replays:statement", args=[subject.account])
        return redirect(f"{address}?{request.GET.urlencode()}")
    address = f"/api/v1/players/{here.player.pk}/exports/statement"
    exports = [(each, f"{address}?{asked.api_query(format=each)}") for each in FORMATS]
    more = {"name": here.player.name, "exports": exports}
    return _page(request, here, asked, subject, more)


@club_page
def pot(request: HttpRequest, here: Here) -> HttpResponseBase:
    """The statement of the club's pot."""
    asked = with_period(asked_of(request, here.club))
    return _page(request, here, asked, _subject(asked, here.club.pk), {"exports": []})


@club_page
def balances(request: HttpRequest, here: Here) -> HttpResponseBase:
    """What everybody of a club has won and lost in a period. It sums to zero."""
    asked = with_period(asked_of(request, here.club))
    names = dict(here.club.players.values_list("id", "name"))
    found = statements.balances_of(
        here.club.pk,
        list(names),
        asked.period,
        known_position=position_known_at(asked.known_at),
        known_at=asked.known_at,
    )
    people = [
        each
        for each in found
        if each.account != here.club.pk and (each.opening or each.received or each.paid)
    ]
    people.sort(key=lambda each: (-each.closing, names[each.account]))
    own = set(here.own_persons())
    context = {
        "here": here,
        "asked": asked,
        "rows": [
            {"balance": each, "name": names[each.account], "is_own": each.account in own}
            for each in people
        ],
        "has_opening": any(each.opening for each in found),
        "pot": found[-1],
        "sums": {
            "opening": sum(each.opening for each in found),
            "received": sum(each.received for each in found),
            "paid": sum(each.paid for each in found),
            "closing": sum(each.closing for each in found),
        },
        "statement_query": asked.query(),
    }
    return render(request, "replays/balances.html", context, status=asked.status)


def _subject(asked: Asked, account: UUID) -> Subject:
    return statements.subject_of(club_id=asked.club.pk, account=account, known_at=asked.known_at)


def _page(
    request: HttpRequest, here: Here, asked: Asked, subject: Subject, more: dict[str, Any]
) -> HttpResponseBase:
    identity = (*subject.records, asked.period, asked.known_at)
    begun = None
    if "after" in asked.given:
        begun = opened_mark(asked.given["after"], End, of=identity)
        if begun is None:
            asked.refuse("after", WORDS[asked.language]["fault_cursor"])
    summary = None
    if begun is None:
        known = position_known_at(asked.known_at)
        opening = statements.opening_balance(subject, asked.period, known_position=known)
        summary = statements.summary_of(
            subject, asked.period, known_position=known, opening=opening
        )
        begun = End(statements.first_mark(asked.period, opening), known)
    lines = statements.page_of(
        subject,
        asked.period,
        after=begun.mark,
        known_position=begun.known_position,
        limit=PAGE + 1,
    )
    shown = lines[:PAGE]
    goes_on = lines[PAGE].game_id if len(lines) > PAGE else None
    others = {line.counterpart for line in shown} | set(summary.by_counterpart if summary else ())
    names = players_named(others)
    following = ""
    if len(lines) > PAGE:
        end = End(shown[-1].mark, begun.known_position, shown[-1].game_id)
        following = asked.query(after=signed_mark(end, of=identity))
    context = {
        "here": here,
        "asked": asked,
        "opening": begun.mark.balance,
        "games": _by_game(shown, asked, names, cut=(begun.game_id, goes_on)),
        "summary": None if summary is None else _summary(summary, asked, names),
        "next_query": following,
        "first_query": asked.query("after"),
        **more,
    }
    return render(request, "replays/statement.html", context, status=asked.status)


def _by_game(
    lines: list[Line],
    asked: Asked,
    names: dict[UUID, str],
    *,
    cut: tuple[UUID | None, UUID | None],
) -> list[dict[str, Any]]:
    """The lines, those of a game that follow one another together with what they come to.

    ``cut``: the game in which the page before ended, and the one in which the next begins.
    """
    named = games_named({line.game_id for line in lines})
    groups = [(game, list(own)) for game, own in groupby(lines, key=lambda line: line.game_id)]
    last = len(groups) - 1
    games = []
    for at, (game, own) in enumerate(groups):
        day = minute(named[game].began_at_ms, asked.club)[:DAY_LENGTH]
        shown = {
            "id": game,
            "title": game_title(named[game], asked.language),
            "day": day,
            "points": sum(line.points for line in own),
            "is_part": (not at and game == cut[0]) or (at == last and game == cut[1]),
            "rows": [_line(line, asked, names, day) for line in own],
        }
        games.append(shown)
    return games


def _line(line: Line, asked: Asked, names: dict[UUID, str], day: str) -> dict[str, Any]:
    """A line as the table shows it below its game; the pot is a counterpart without a page."""
    at = minute(line.ended_at_ms, asked.club)
    is_pot = line.counterpart == asked.club.pk
    return {
        "line": line,
        "time_shown": at.removeprefix(f"{day} "),
        "booked_at": f"{in_zone(line.booked_at, asked.club):%Y-%m-%d %H:%M}",
        "hand": WORDS[asked.language]["hand_number"].format(line.hand),
        "moment": _moment(line),
        "rule": _rule(line),
        "other": None if is_pot else line.counterpart,
        "name": WORDS[asked.language]["pot"] if is_pot else names.get(line.counterpart, ""),
        "item": line.item_zh if asked.language == "zh" else line.item_en,
        "kind": payment_kind(line.kind, asked.language),
    }


def _moment(line: Line) -> str:
    """Where the replay shows it, for a browser with scripts or without; an entry has no hand."""
    if not line.hand:
        return reverse("replays:game", args=[line.game_id])
    hand = f"{line.hand}.{line.seq}" if line.seq else f"{line.hand}"
    return f"{reverse('replays:game', args=[line.game_id])}?hand={line.hand}#{hand}"


def _rule(line: Line) -> str:
    """Where the rule that a payment rests on can be read, if it names one."""
    if not line.rule:
        return ""
    return f"{reverse('replays:ruleset', args=[line.ruleset])}#{line.rule}"


def _summary(summary: Summary, asked: Asked, names: dict[UUID, str]) -> dict[str, Any]:
    pot_name = WORDS[asked.language]["pot"]
    return {
        "opening": summary.opening,
        "closing": summary.closing,
        "all": summary.all,
        "by_kind": [
            (payment_kind(kind, asked.language), sums) for kind, sums in summary.by_kind.items()
        ],
        "by_counterpart": sorted(
            (
                (pot_name if other == asked.club.pk else names.get(other, ""), sums)
                for other, sums in summary.by_counterpart.items()
            ),
            key=lambda each: (-each[1].points, each[0]),
        ),
    }
