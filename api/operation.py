"""The base of every operation: one class each, with its query, input and output nested in it.

Inputs and outputs are msgspec structs. They are what the code works with and what the OpenAPI
document is made from (``api.schema``), so the two cannot differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from math import ceil
from typing import Annotated, Any, ClassVar, NoReturn, TypeVar
from uuid import UUID

import msgspec
from rest_framework.authentication import BaseAuthentication
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from api.deprecation import Deprecation
from api.errors import Problem
from api.pagination import DEFAULT_LIMIT, MAX_LIMIT
from api.scopes import Scope
from api.throttling import Standing, headers_of
from records.clubs import Right

Form = TypeVar("Form", bound="msgspec.Struct")

Id = UUID
Cursor = Annotated[
    str, msgspec.Meta(max_length=500, description="`next` of the page before this one.")
]
Limit = Annotated[
    int, msgspec.Meta(ge=1, le=MAX_LIMIT, description="The most items that one page may hold.")
]


class Struct(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of inputs and queries: a field that is not known is refused, not passed over."""


class Shown(msgspec.Struct, frozen=True, kw_only=True):
    """Base of outputs."""


class PageQuery(Struct, frozen=True):
    """The query of a list."""

    cursor: Cursor | None = None
    limit: Limit = DEFAULT_LIMIT


class Header(msgspec.Struct, frozen=True):
    """A header that an operation reads or answers with, as the OpenAPI document describes it."""

    name: str
    description: str
    example: str
    pattern: str | None = None
    required: bool = True


IDEMPOTENCY_KEY = Header(
    name="Idempotency-Key",
    description=(
        "A text of your own, new for each write. Sent again with the same request it gets the same "
        "answer and has no further effect; with another request it is refused."
    ),
    example="3f1c2a52-6a3e-4b5e-9d55-0d6a1b1f4c11",
    pattern="^[!-~]{1,255}$",
)
IF_MATCH = Header(
    name="If-Match",
    description="The game's ETag: its last seq in quotes. The events are appended right after it.",
    example='"12"',
    pattern='^"[0-9]{1,9}"$',
)
ETAG = Header(name="ETag", description="The game's last seq in quotes.", example='"13"')


class Operation(APIView):
    """One thing that can be asked of one address. Its name is the operation's id."""

    scope: ClassVar[Scope | None]
    """What a token must be good for; None: any token. An operation without it answers nobody."""
    right: ClassVar[Right | None] = None
    """What the caller must be allowed to do in the club concerned; None: it concerns no club."""
    standings: Sequence[Standing] = ()
    """What the limits leave after this request, one for each that it counts against."""
    open_to_all: ClassVar[bool] = False
    """Whether who is not signed in may ask too. Then the operation itself refuses what is not
    public."""
    Query: ClassVar[type[msgspec.Struct] | None] = None
    Input: ClassVar[Any] = None
    Output: ClassVar[Any] = None
    status: ClassVar[int] = 200
    """The HTTP status of success."""
    refusals: ClassVar[tuple[str, ...]] = ()
    """Codes of problems that follow from what this operation does (``api.errors.PROBLEMS``)."""
    reads: ClassVar[tuple[Header, ...]] = ()
    gives: ClassVar[tuple[Header, ...]] = ()
    shown_once: ClassVar[tuple[str, ...]] = ()
    """Fields of the output that are not kept, so that they are null in a repeated answer."""
    takes_lines: ClassVar[str] = ""
    """What the NDJSON body holds, where it takes one as a stream (``api.parsers.LinesParser``)."""
    streams: ClassVar[bool] = False
    """Whether ``Accept: application/x-ndjson`` gets a stream of the items."""
    deprecated: ClassVar[Deprecation | None] = None
    """When it ends, for an operation that has to go."""
    sends: ClassVar[tuple[str, ...]] = ()
    """The media types of the file that it answers with, where it answers with one."""

    messages: ClassVar[Mapping[str, Any]] = {}
    """The kinds of messages of its stream, and the form of the data of each, where it has one."""
    may_be_over: ClassVar[bool] = False
    """Whether it answers 204 where nothing will ever come any more."""

    def asked(self) -> type[Operation] | None:
        """The operation asked for, None for a method that the address lacks; HEAD is as GET."""
        request = getattr(self, "request", None)  # None where the document is made
        method = "" if request is None else str(request.method)
        return operation_of(type(self), "GET" if method == "HEAD" else method)

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Answer as the operation asked for, which shares nothing with others at its address."""
        operation = self.asked()
        if operation is None or operation is type(self):
            return super().dispatch(request, *args, **kwargs)
        own = operation()
        own.setup(request, *args, **kwargs)
        return own.dispatch(request, *args, **kwargs)

    def get_authenticators(self) -> list[BaseAuthentication]:
        """The ways in of the operation asked for; the document asks the address for them."""
        return [way() for way in (self.asked() or type(self)).authentication_classes]

    def perform_authentication(self, request: Request) -> None:
        """Find out who asks, and count it against their limits, also where they are refused."""
        try:
            super().perform_authentication(request)
        finally:
            super().check_throttles(request)

    def check_throttles(self, request: Request) -> None:
        """Nothing is left to do: a request is counted before it can be refused."""

    def throttled(self, request: Request, wait: float) -> NoReturn:
        """Refuse one request too many. Raises Problem ``too_many_requests``."""
        del request
        policy = self.standings[-1].policy
        raise Problem(
            "too_many_requests",
            f"More than {policy.limit:,} requests of one {policy.name} in a minute.",
            facts={"policy": policy.name, "limit": policy.limit},
            headers={"Retry-After": str(ceil(wait))},
        )

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse a body of unknown length, which would be read as no body at all."""
        super().initial(request, *args, **kwargs)
        if self.deprecated is not None and self.deprecated.is_over(datetime.now(UTC)):
            raise Problem("operation_over", f"This is no longer done. {self.deprecated.instead}")
        if "Transfer-Encoding" in request.headers:
            raise Problem(
                "length_required",
                "Send the body with a Content-Length and not in chunks.",
                facts={"header": "Content-Length"},
            )

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Keep every answer out of caches, for it depends on who asks; say what limits leave."""
        answer = super().finalize_response(request, response, *args, **kwargs)
        answer.headers.setdefault("Cache-Control", "no-store")
        for name, value in headers_of(self.standings).items():
            answer.headers[name] = value
        if self.deprecated is not None:
            for name, value in self.deprecated.headers.items():
                answer.headers[name] = value
        return answer

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Name the nested structs after their operation: that is their name in the document."""
        super().__init_subclass__(**kwargs)
        for part in ("Query", "Input", "Output"):
            struct = cls.__dict__.get(part)
            if isinstance(struct, type) and struct.__name__ == part:
                struct.__name__ = f"{cls.__name__}{part}"


class PublicOperation(Operation):
    """An operation that needs nobody to sign in."""

    scope = None
    authentication_classes: Sequence[type[BaseAuthentication]] = ()
    permission_classes = (AllowAny,)


def read_body(request: Request, form: type[Form]) -> Form:
    """The validated body. Raises Problem ``invalid_input``."""
    try:
        given = msgspec.convert(request.data, form)
    except msgspec.ValidationError as error:
        raise _invalid(error) from error
    return _in_utc(given)


def read_query(request: Request, form: type[Form]) -> Form:
    """The validated query. Raises Problem ``unknown_parameter``, ``invalid_input``."""
    known = {field.encode_name for field in msgspec.structs.fields(form)}
    given = request.query_params.dict()
    for name, value in given.items():
        if name not in known:
            raise Problem(
                "unknown_parameter",
                f"There is no parameter {name!r} here.",
                facts={"expected": sorted(known), "actual": name},
            )
        if len(request.query_params.getlist(name)) > 1:
            raise Problem("invalid_input", f"Parameter {name} is given more than once.")
        if "\x00" in value:
            raise Problem("invalid_input", f"Parameter {name} holds the character U+0000.")
    try:
        query = msgspec.convert(given, form, strict=False)
    except msgspec.ValidationError as error:
        raise _invalid(error) from error
    for field in msgspec.structs.fields(form):
        # msgspec reads the text "null" as no value; a parameter has one or is left out.
        if field.encode_name in given and getattr(query, field.name) is None:
            raise Problem("invalid_input", f"Parameter {field.encode_name} has no value.")
    return _in_utc(query)


def _in_utc(given: Form) -> Form:
    """The same with its moments in UTC: PostgreSQL knows no offset of sixteen hours or more.

    Raises Problem ``invalid_input`` for a moment that is in no year of UTC.
    """
    moments = {
        name: value
        for name in given.__struct_fields__
        if isinstance(value := getattr(given, name), datetime) and value.tzinfo is not None
    }
    try:
        utc = {name: value.astimezone(UTC) for name, value in moments.items()}
    except OverflowError as error:
        raise Problem("invalid_input", "A moment is out of range.") from error
    return msgspec.structs.replace(given, **utc) if utc else given


def _invalid(error: msgspec.ValidationError) -> Problem:
    """What msgspec says, as a problem: ``Expected `int`, got `str` - at `$.stake```."""
    message, _, place = str(error).partition(" - at `")
    return Problem(
        "invalid_input",
        f"{message}.",
        facts={"at": place.rstrip("`").removeprefix("$").removeprefix(".") or None},
    )


def operation_of(view: type[APIView], method: str) -> type[Operation] | None:
    """The operation that answers this method at the view's address."""
    for cls in view.__mro__:
        if method.lower() in cls.__dict__ and issubclass(cls, Operation):
            return cls
    return None


def resource(*operations: type[Operation]) -> Any:
    """The view of one address, whose methods are those of the given operations."""
    view: Any = operations[0]
    if len(operations) > 1:
        view = type("".join(operation.__name__ for operation in operations), operations, {})
    return view.as_view()
