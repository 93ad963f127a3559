"""The base of the operations that answer with a stream."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, NamedTuple

import msgspec
from django.contrib.auth.middleware import AuthenticationMiddleware
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import HttpRequest, HttpResponse, HttpResponseBase, parse_cookie
from rest_framework.request import Request

from api.live.hub import hub
from api.live.messages import EVENT_STREAM, opening
from api.live.response import EventStream
from api.live.streams import Source, Stream
from api.operation import Header, Operation, Struct, read_query
from api.parsers import JsonRenderer
from api.throttling import address_of

LAST_EVENT_ID: Final = Header(
    name="Last-Event-ID",
    description="The id of the last message you got: the stream goes on after it.",
    example="12",
    required=False,
)
_KEPT: Final = (
    *("HTTP_AUTHORIZATION", "HTTP_COOKIE", "HTTP_HOST", "SERVER_NAME", "SERVER_PORT"),
    *("REMOTE_ADDR", "HTTP_X_FORWARDED_FOR"),
)
"""What of a request says who asks."""


def caller_of(request: Request) -> str:
    """Whose stream it is: the account's, or of who is not signed in that of their address."""
    return str(request.user.pk) if request.user.is_authenticated else address_of(request)


class EventStreamRenderer(JsonRenderer):
    """Chosen by ``Accept: text/event-stream``, which is what a browser's EventSource sends."""

    media_type = EVENT_STREAM
    format = "event-stream"


class Resume(Struct, frozen=True):
    """Where to go on, for clients that cannot send the header."""

    last_event_id: (
        Annotated[
            str,
            msgspec.Meta(max_length=500, description="As Last-Event-ID, which comes before it."),
        ]
        | None
    ) = None


class Followed(NamedTuple):
    """What an operation's stream is of: where it comes from, for whom, and from where on.

    ``cursor`` is the source's, ``place`` the same as the id of a message. ``over``: nothing will
    come behind it.
    """

    source: Source
    access: Any
    cursor: Any
    place: str
    over: bool = False


class StreamOperation(Operation):
    """Answers with server-sent events for as long as the client listens and may.

    While nothing happens a comment comes every fifteen seconds. After a message `bye`, and whenever
    the connection breaks, connect again with the id of the last message.
    """

    Query = Resume
    reads = (LAST_EVENT_ID,)
    sends = (EVENT_STREAM,)
    refusals = ("too_many_streams",)
    renderer_classes = (EventStreamRenderer, JsonRenderer)

    def follow(self, request: Request, last_event_id: str | None, **ids: Any) -> Followed:
        """What the caller would follow. Raises Problem when they may not."""
        raise NotImplementedError

    def answer(self, request: Request, **ids: Any) -> HttpResponseBase:
        """The stream; 204, which ends a browser's attempts, where it is over."""
        query = read_query(request, Resume)
        followed = self.follow(
            request, request.headers.get("Last-Event-ID") or query.last_event_id, **ids
        )
        if followed.over:
            return HttpResponse(status=204)
        if request.method == "HEAD":
            return HttpResponse(content_type=EVENT_STREAM)
        who = {str(name): str(request.META[name]) for name in _KEPT if name in request.META}
        stream = Stream(
            followed.source,
            caller=caller_of(request),
            cursor=followed.cursor,
            access=followed.access,
            ask=lambda: type(self).ask_again(who, followed.place, ids),
        )
        hub().admit(stream.caller)
        return EventStream(stream, opening(followed.place), request.META)

    @classmethod
    def ask_again(cls, who: Mapping[str, str], place: str, ids: Mapping[str, Any]) -> Any:
        """What the caller may see now: the question that the request asked, put once more.

        Raises Problem, APIException when they may see nothing any more.
        """
        asked = HttpRequest()
        asked.method = "GET"
        asked.META = dict(who)
        asked.COOKIES = parse_cookie(who.get("HTTP_COOKIE", ""))
        for middleware in (SessionMiddleware, AuthenticationMiddleware):
            middleware(HttpResponse).process_request(asked)
        view = cls()
        view.setup(asked, **ids)
        request = view.initialize_request(asked, **ids)
        view.request = request
        view.perform_authentication(request)
        view.check_permissions(request)
        return view.follow(request, place, **ids).access
