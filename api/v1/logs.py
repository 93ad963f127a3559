"""The logs of a club's games as lines, which another club or another service can take in."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from datetime import date
from itertools import chain
from typing import Annotated, Final, Literal
from uuid import UUID

import msgspec
from django.http import StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils.http import content_disposition_header
from rest_framework.request import Request

from api.access import known_in, membership_in
from api.errors import Problem
from api.exchange.choosing import Choice
from api.exchange.exporting import game_lines
from api.operation import Cursor, Header, Operation, Struct, read_query
from api.pagination import encode_cursor
from api.parsers import JsonRenderer, NdjsonRenderer, pieces_of
from api.scopes import Scope
from api.v1.games import RulesetName, game_of_cursor
from records.clubs import Right
from records.models import Club, Membership, Player, Role, Season
from records.reader import READER
from records.seasons import span_ms
from replays import periods
from replays.exports import file_name
from replays.periods import Period
from replays.selections import select

PACKED_LEVEL: Final = 3
"""Of gzip: hashes, the better part of a line, hardly get smaller by trying harder."""
ACCEPT_ENCODING = Header(
    name="Accept-Encoding",
    description="With `gzip` in it the file is packed.",
    example="gzip",
    required=False,
)


class ExportLogs(Operation):
    """The logs of a club's games: lines of JSON, in the form that an import takes.

    For each game a header line with the names of its players, then one line an event with what its
    hash was made from, so that anybody can verify the chain. Games come in the order in which they
    were started, and the last line of each holds a `cursor`: where a file broke off, throw away the
    lines behind the last cursor and ask again with it. What you may not see of a live hand is left
    out, and such a game can be imported up to there only; ask for `status=ended` to have none.

    A day is the one on which the game began, in the club's time zone.
    """

    scope = Scope.EXPORTS_READ
    right = Right.SEE
    sends = (NdjsonRenderer.media_type,)
    renderer_classes = (NdjsonRenderer, JsonRenderer)
    reads = (ACCEPT_ENCODING,)

    class Query(Struct, frozen=True):
        """Which games."""

        ruleset: RulesetName | None = None
        season: UUID | None = None
        player: (
            Annotated[
                UUID, msgspec.Meta(description="Games that this player began in, by any record.")
            ]
            | None
        ) = None
        from_: Annotated[date, msgspec.Meta(description="The first day.")] | None = msgspec.field(
            default=None, name="from"
        )
        to: Annotated[date, msgspec.Meta(description="The last day.")] | None = None
        status: Annotated[
            Literal["all", "ended", "live"],
            msgspec.Meta(description="Games that have ended, those that have not, or both."),
        ] = "all"
        cursor: Cursor | None = None

    def get(self, request: Request, club_id: UUID) -> HttpResponseBase:
        """The file."""
        query = read_query(request, ExportLogs.Query)
        membership = membership_in(request, club_id)
        club = membership.club
        lines = self.lines(request, membership, chosen(query, club), query.status)
        packed = "gzip" in request.headers.get("Accept-Encoding", "")
        pieces = gzipped(lines) if packed else pieces_of(lines)
        # The first piece is made before the answer begins, so that a refusal is still one.
        answer = StreamingHttpResponse(
            chain([next(pieces, b"")], pieces), content_type=NdjsonRenderer.media_type
        )
        answer["Vary"] = "Accept-Encoding"
        if packed:
            answer["Content-Encoding"] = "gzip"
        named = content_disposition_header(
            as_attachment=True, filename=file_name(club.slug, "logs", suffix="ndjson")
        )
        assert named is not None
        answer["Content-Disposition"] = named
        return answer

    def lines(
        self, request: Request, membership: Membership, choice: Choice, status: str
    ) -> Iterator[bytes]:
        """The lines of the games, as far as the caller knows of each."""
        club, role = membership.club, Role(membership.role)
        names: dict[str, str] = {}
        for row in choice.games():
            known = known_in(request, club.pk, role, game_id=row.pk, using=READER)
            if status != "all" and known.game.ended != (status == "ended"):
                continue
            missing = [person for person in known.game.people if person not in names]
            if missing:
                found = Player.objects.using(READER).filter(id__in=missing)
                names |= {str(player): name for player, name in found.values_list("id", "name")}
            yield from game_lines(
                row.pk,
                title=row.title,
                names=names,
                game=known.game,
                viewer=known.viewer,
                cursor=encode_cursor([row.pk]),
            )


def chosen(query: ExportLogs.Query, club: Club) -> Choice:
    """The games that a query means. Raises Problem ``not_found``, ``invalid_input``."""
    spans = [periods.days(club.time_zone, first=query.from_, last=query.to)]
    if query.season is not None:
        season = Season.objects.filter(club=club, id=query.season).first()
        if season is None:
            raise Problem("not_found", "The club has no such season.")
        from_ms, to_ms = span_ms(season, club.time_zone)
        spans.append(Period(from_ms=from_ms, to_ms=to_ms))
    players = None
    if query.player is not None:
        if not Player.objects.filter(club=club, id=query.player).exists():
            raise Problem("not_found", "The club has no such player.")
        players = tuple(map(str, select(club, player=query.player).records))
    return Choice(
        club_id=club.pk,
        ruleset=query.ruleset,
        players=players,
        periods=tuple(spans),
        after=None if query.cursor is None else game_of_cursor(query.cursor),
    )


def gzipped(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The lines packed, in pieces that can be unpacked as they come."""
    packer = zlib.compressobj(PACKED_LEVEL, wbits=31)
    for piece in pieces_of(lines):
        yield packer.compress(piece) + packer.flush(zlib.Z_SYNC_FLUSH)
    yield packer.flush()
