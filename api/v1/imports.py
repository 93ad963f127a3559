"""Imports: files of many games, received in one request and recorded by the workers."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Literal
from uuid import UUID

import msgspec
from django.db import transaction
from django.http import HttpResponseBase, StreamingHttpResponse
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import account_of, club_of, membership_in
from api.bulk.receiving import Progress, cancel, progress_of, receive
from api.errors import Problem
from api.idempotency import idempotent, read_key
from api.models import Import, ImportFault
from api.operation import (
    IDEMPOTENCY_KEY,
    Cursor,
    Header,
    Operation,
    PageQuery,
    Shown,
    read_query,
)
from api.pagination import page
from api.parsers import JsonRenderer, LinesParser, NdjsonRenderer, lines_of, pieces_of
from api.scopes import Scope
from records import bell
from records.batches import in_batches
from records.clubs import Right

CONTENT_ENCODING = Header(
    name="Content-Encoding",
    description="`gzip` where the body is packed.",
    example="gzip",
    pattern="^gzip$",
    required=False,
)


class ImportShown(Shown, frozen=True):
    """A file of games and how far it is.

    `receiving`: it broke off, or is still being sent; `working`: games wait for a worker. Then
    `ended`, or `cancelled`.
    """

    id: UUID
    club: UUID
    state: Literal["receiving", "working", "ended", "cancelled"]
    lines: int
    size_bytes: int
    sha256: str | None
    created_at: datetime
    received_at: datetime | None
    ended_at: datetime | None
    progress: Progress


class Fault(Shown, frozen=True):
    """A line that was refused. `seq` and `game` are null where it is no line of a game."""

    line: int
    game: str | None
    seq: int | None
    code: str
    rule: str | None
    message: str
    facts: dict[str, Any]


def import_shown(file: Import, progress: Progress | None = None) -> ImportShown:
    """A file as it is shown; its ``progress`` is looked up where the caller has not."""
    state: Literal["receiving", "working", "ended", "cancelled"] = "working"
    if file.cancelled:
        state = "cancelled"
    elif file.ended_at is not None:
        state = "ended"
    elif file.received_at is None:
        state = "receiving"
    return ImportShown(
        id=file.pk,
        club=file.club_id,
        state=state,
        lines=file.lines,
        size_bytes=file.size_bytes,
        sha256=None if file.sha256 is None else bytes(file.sha256).hex(),
        created_at=file.created_at,
        received_at=file.received_at,
        ended_at=file.ended_at,
        progress=progress or progress_of(file.pk),
    )


def fault_shown(fault: ImportFault) -> Fault:
    """A refused line as it is shown."""
    return Fault(
        line=fault.line,
        game=fault.game or None,
        seq=fault.seq,
        code=fault.code,
        rule=fault.rule or None,
        message=fault.message,
        facts=fault.facts,
    )


def import_of(request: Request, import_id: UUID) -> Import:
    """The import, if the caller may record in its club. Raises Problem."""
    file = Import.objects.filter(pk=import_id).first()
    if file is None:
        raise Problem("not_found", "There is no such import in your clubs.")
    membership_in(request, file.club_id)
    return file


class ListImports(Operation):
    """The files of games that a club was sent."""

    scope = Scope.IMPORTS_WRITE
    right = Right.RECORD

    Query = PageQuery

    class Output(Shown, frozen=True):
        """One page of them."""

        items: list[ImportShown]
        next: Cursor | None

    def get(self, request: Request, club_id: UUID) -> Response:
        """One page, the newest first."""
        query = read_query(request, PageQuery)
        club = club_of(request, club_id)
        return page(
            Import.objects.filter(club=club), query, order=("-created_at", "-id"), show=import_shown
        )


class StartImport(Operation):
    """Send a file of games; the workers record them.

    The body is newline-delimited JSON: for each game a header line, which may be left out, and one
    line an event, plain or as an export writes it; lines of several games may be mixed. It may be
    packed with gzip (`Content-Encoding: gzip`), and it is not limited to the size of other bodies.
    The answer comes when the file is received; follow its progress at the address in `Location`.
    Each game is recorded up to its first line that is not legal. The same file again, also with
    another key, records nothing twice and adds what is new.

    The line of an event that ends a hand may say in `expect` what the hand should come to, as in an
    append: a hand with another score is a fault, and is not recorded.
    """

    scope = Scope.IMPORTS_WRITE
    right = Right.RECORD

    parser_classes = (LinesParser,)
    takes_lines = "Games as lines of JSON, one event a line."
    Output = ImportShown
    status = 202
    reads = (IDEMPOTENCY_KEY, CONTENT_ENCODING)
    gives = (Header(name="Location", description="The import.", example="/api/v1/imports/0193…"),)
    refusals = ("bad_file", "unsupported_media_type", "length_required")

    def post(self, request: Request, club_id: UUID) -> Response:
        """Receive it."""
        club = club_of(request, club_id)
        encoding = request.headers.get("Content-Encoding", "identity").lower()
        if encoding not in ("gzip", "identity"):
            raise Problem(
                "unsupported_media_type",
                f"A file may be packed with gzip, not with {encoding!r}.",
                facts={"expected": ["gzip", "identity"], "actual": encoding},
            )
        file, known = receive(
            lines_of(request),
            club=club,
            account=account_of(request),
            key=read_key(request),
            packed=encoding == "gzip",
        )
        transaction.on_commit(lambda: bell.ring(bell.IMPORT))
        headers = {"Location": f"/api/v1/imports/{file.pk}"}
        if known:
            headers["Idempotent-Replayed"] = "true"
        return Response(import_shown(file), status=202, headers=headers)


class ShowImport(Operation):
    """How far an import is."""

    scope = Scope.IMPORTS_WRITE
    right = Right.RECORD

    Output = ImportShown

    def get(self, request: Request, import_id: UUID) -> Response:
        """The import."""
        return Response(import_shown(import_of(request, import_id)))


class CancelImport(Operation):
    """Record no more games of a file. What is recorded stays."""

    scope = Scope.IMPORTS_WRITE
    right = Right.RECORD

    Output = ImportShown
    reads = (IDEMPOTENCY_KEY,)

    @idempotent
    def delete(self, request: Request, import_id: UUID) -> Response:
        """Cancel it; one that has ended stays as it is."""
        file = import_of(request, import_id)
        cancel(file)
        file.refresh_from_db()
        return Response(import_shown(file))


class ListFaults(Operation):
    """The lines of a file that were refused, by number, with the reason for each.

    With `Accept: application/x-ndjson` it is the whole report, one line a fault, to be kept.
    """

    scope = Scope.IMPORTS_WRITE
    right = Right.RECORD

    Query = PageQuery
    streams = True
    renderer_classes = (JsonRenderer, NdjsonRenderer)

    class Output(Shown, frozen=True):
        """One page of them."""

        items: list[Fault]
        next: Cursor | None

    def get(self, request: Request, import_id: UUID) -> HttpResponseBase:
        """One page, or all of them as a stream."""
        query = read_query(request, PageQuery)
        faults = import_of(request, import_id).faults.all()
        if request.accepted_renderer.format == NdjsonRenderer.format:
            return StreamingHttpResponse(
                pieces_of(
                    msgspec.json.encode(fault_shown(row)) + b"\n"
                    for row in in_batches(faults, key="line")
                ),
                content_type=NdjsonRenderer.media_type,
                headers={
                    "Content-Disposition": f'attachment; filename="faults-{import_id}.ndjson"'
                },
            )
        return page(faults, query, order=("line",), show=fault_shown)
