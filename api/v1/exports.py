"""Tables as files: a board, a statement, a club's games; as CSV, JSON, NDJSON or a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header
from msgspec.structs import replace
from rest_framework.request import Request

from api.access import club_of
from api.bulk.reporting import faults_table
from api.operation import Operation, Struct, read_query
from api.scopes import Scope
from api.v1.boards import BoardQuery, view_of
from api.v1.games import RulesetName
from api.v1.imports import import_of
from api.v1.periods import PeriodQuery, label_of, period_of
from api.v1.players import player_of
from records.clubs import Right
from replays import statements, tables
from replays.exports import FORMATS, Table, file_name
from replays.periods import position_known_at
from replays.selections import select

FileFormat = Annotated[
    Literal["csv", "json", "ndjson", "xlsx"],
    msgspec.Meta(description="The file's format; `xlsx` is a spreadsheet."),
]


class Export(Operation):
    """Base of the exports: they answer with a file, sent while it is made."""

    scope = Scope.EXPORTS_READ
    right = Right.SEE

    sends = tuple(each.media_type for each in FORMATS.values())


class ExportStandings(Export):
    """A board as a file, from its first line to its last."""

    refusals = ("unknown_sort", "no_tiers_here")

    class Query(BoardQuery, frozen=True):
        """Which board, and as what."""

        format: FileFormat = "csv"

    def get(self, request: Request, club_id: UUID) -> HttpResponseBase:
        """The file."""
        query = read_query(request, ExportStandings.Query)
        club = club_of(request, club_id)
        view = view_of(query, club)
        season = "" if view.season is None else view.season.name
        return as_file(
            tables.standings_table(view), query.format, club.slug, "standings", season, view.ruleset
        )


class ExportStatement(Export):
    """A player's statement as a file, a payment a line."""

    class Query(PeriodQuery, frozen=True):
        """The period, and as what."""

        format: FileFormat = "csv"

    def get(self, request: Request, player_id: UUID) -> HttpResponseBase:
        """The file."""
        query = read_query(request, ExportStatement.Query)
        player = player_of(request, player_id)
        club = player.club
        subject = statements.subject_of(club_id=club.pk, account=player_id, known_at=query.known_at)
        table = tables.statement_table(
            club,
            subject,
            period_of(query, club),
            known_position=position_known_at(query.known_at),
        )
        return as_file(table, query.format, club.slug, "statement", player.name, label_of(query))


class ExportGames(Export):
    """A club's games as a file, a line for each player of each game with points and place.

    A game belongs to the day on which it began. Games without a settled hand are not in it.
    """

    class Query(PeriodQuery, frozen=True):
        """Which games, and as what."""

        ruleset: RulesetName | None = None
        format: FileFormat = "csv"

    def get(self, request: Request, club_id: UUID) -> HttpResponseBase:
        """The file."""
        query = read_query(request, ExportGames.Query)
        club = club_of(request, club_id)
        period = period_of(query, club)
        selection = replace(
            select(
                club,
                ruleset=query.ruleset or "",
                as_of=query.as_of,
                known_at=query.known_at,
            ),
            from_ms=period.from_ms,
            before_ms=period.to_ms,
        )
        table = tables.games_table(club, selection)
        return as_file(
            table, query.format, club.slug, "games", query.ruleset or "", label_of(query)
        )


class ExportFaults(Export):
    """The lines of an import that were refused, as a file, a line each.

    What was expected, what was given and the other facts are JSON in a cell of their own.
    """

    scope = Scope.IMPORTS_WRITE
    right = Right.RECORD

    class Query(Struct, frozen=True):
        """As what."""

        format: FileFormat = "csv"

    def get(self, request: Request, import_id: UUID) -> HttpResponseBase:
        """The file."""
        query = read_query(request, ExportFaults.Query)
        file = import_of(request, import_id)
        return as_file(faults_table(file), query.format, file.club.slug, "faults", str(file.pk))


def as_file(table: Table, name: str, *parts: str) -> HttpResponseBase:
    """A table as the answer, named by these parts.

    The first piece is made before the answer begins, so that a refusal is still one.
    """
    form = FORMATS[name]
    pieces: Iterator[bytes] = form.write(table)
    answer = StreamingHttpResponse(chain([next(pieces)], pieces), content_type=form.media_type)
    named = content_disposition_header(
        as_attachment=True, filename=file_name(*parts, suffix=form.suffix)
    )
    if named is not None:
        answer["Content-Disposition"] = named
    return answer
