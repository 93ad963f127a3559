"""``Idempotency-Key``: the same key and request get the same answer, and one effect.

The claim on the key, the work and the answer are one transaction. Two requests in flight with one
key meet on the unique index: the second waits, then reads the first one's answer. What fails rolls
back and stores nothing, so it can be tried again with the same key. Keys are kept for ever.

A secret that an answer shows once (``Operation.shown_once``) is not kept with it. The repetition
has null in its place: whoever lost the first answer knows that the thing was made, and makes it
anew if they need the secret.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

import msgspec
from django.db import transaction
from django.http import HttpResponse
from django.utils.crypto import salted_hmac
from rest_framework.request import Request
from rest_framework.response import Response

from api.errors import Problem
from api.models import DoneRequest

HEADER = "Idempotency-Key"
KEPT_HEADERS = ("ETag", "Location")
NO_CONTENT = 204
FORGOTTEN = ""
"""The body of an answer that was deleted: no answer that is kept is empty."""
_KEY = re.compile(r"[\x21-\x7e]{1,255}")

P = ParamSpec("P")
View = TypeVar("View")


def read_key(request: Request) -> str:
    """The request's key. Raises Problem ``idempotency_key_required``."""
    key = request.headers.get(HEADER, "")
    if not _KEY.fullmatch(key):
        raise Problem(
            "idempotency_key_required",
            f"Send {HEADER}: a text of your own of 1 to 255 visible ASCII characters, new for each "
            "write and the same when you try that write again.",
            facts={"header": HEADER, "actual": key or None},
        )
    return key


def idempotent(
    handler: Callable[Concatenate[View, Request, P], Response],
) -> Callable[Concatenate[View, Request, P], HttpResponse]:
    """Make a writing handler safe to call again with the same key."""

    @wraps(handler)
    def once(view: View, request: Request, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        with transaction.atomic():
            done, claimed = _claim(request)
            if not claimed:
                return _replay(done)
            response = handler(view, request, *args, **kwargs)
            _keep(done, response, without=shown_once(view))
            return response

    return once


def was_done(request: Request) -> bool:
    """Whether this caller's key was used before, so that the request will only be answered."""
    return DoneRequest.objects.filter(caller=_caller(request), key=read_key(request)).exists()


def _caller(request: Request) -> str:
    return str(request.user.pk) if request.user.is_authenticated else "anonymous"


def fingerprint(request: Request) -> str:
    """What the request asks for: method, path and body, keyed with the service's secret."""
    asked = msgspec.json.encode([request.method, request.path, request.data], order="deterministic")
    return salted_hmac("api.idempotency", asked, algorithm="sha256").hexdigest()


def _claim(request: Request) -> tuple[DoneRequest, bool]:
    """The row of this caller's key, and whether it is ours to fill."""
    caller = _caller(request)
    given = DoneRequest(caller=caller, key=read_key(request), fingerprint=fingerprint(request))
    # ON CONFLICT DO NOTHING waits for a transaction that holds the key and then sees its outcome
    # (test_two_requests_in_flight_with_one_key_have_one_effect).
    DoneRequest.objects.bulk_create([given], ignore_conflicts=True)
    done = DoneRequest.objects.select_for_update().get(caller=caller, key=given.key)
    if done.fingerprint != given.fingerprint:
        raise Problem(
            "idempotency_key_reused",
            f"You used this {HEADER} for another request; give each write a key of its own.",
            facts={"key": given.key},
        )
    return done, done.status == 0


def shown_once(view: Any) -> tuple[str, ...]:
    """What the answer of the operation that a view was asked for shows once and never again."""
    operation = view.asked()
    assert operation is not None
    names: tuple[str, ...] = operation.shown_once
    return names


def _keep(done: DoneRequest, response: Response, *, without: tuple[str, ...]) -> None:
    """Store the answer beside its key, with null for the fields that are shown once."""
    data = response.data
    if without:
        data = msgspec.to_builtins(data) | dict.fromkeys(without)
    done.status = response.status_code
    done.body = msgspec.json.encode(data).decode()
    done.headers = {name: response[name] for name in KEPT_HEADERS if name in response}
    done.save(update_fields=["status", "body", "headers"])


def _replay(done: DoneRequest) -> HttpResponse:
    """The answer the first request got. Raises Problem ``answer_forgotten``."""
    if done.body == FORGOTTEN:
        raise Problem(
            "answer_forgotten",
            f"This was done once, and nothing was done now. The answer named somebody who has "
            f"since removed their account, so it was deleted. Give new writes a new {HEADER}.",
            facts={"status": done.status},
        )
    headers: dict[str, Any] = {**done.headers, "Idempotent-Replayed": "true"}
    body = "" if done.status == NO_CONTENT else done.body
    return HttpResponse(body, status=done.status, content_type="application/json", headers=headers)
