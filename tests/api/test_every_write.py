"""Every write sent twice with one key, as a client does whose answer was lost.

The operations that take a key are read from the URL configuration. ``SENT`` has a body for each
with which it succeeds; a new one fails here until it has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, NamedTuple

import msgspec
import pytest
from django.db import connection

from api.operation import IDEMPOTENCY_KEY
from api.scopes import ALL_SCOPES
from api.tokens import make_token
from records.invitations import invite
from records.models import Role
from records.players import add_player
from tests.support.everything import ClubOfEverything, account_of
from tests.support.operations import OPERATIONS, Asked, taken_back
from tests.support.people import HAND_RESULT, Person, new_account, unused_name
from tests.support.problems import refused

PASSWORD = "nine gates and a wall"
LADDER = {
    "name": "Two",
    "tiers": [
        {"zh": "低", "en": "Low", "from_points": None},
        {"zh": "高", "en": "High", "from_points": 10},
    ],
}


class Sent(NamedTuple):
    """What is sent: a body, or what makes it of the club. ``first`` is sent before it."""

    body: Any = None
    first: tuple[str, ...] = ()
    """Paths that are posted to before, so that the write can be done."""
    by: Callable[[ClubOfEverything], Person] = lambda club: club.owner
    other: Any = None
    """Another body for the same address, where the key belongs to the game or the club."""


def program(club: ClubOfEverything) -> Person:
    """The owner with a token that stays when sign-ins end, and with a password."""
    owner = account_of(club.owner)
    owner.set_password(PASSWORD)
    owner.save()
    _, secret = make_token(account=owner, name="p", scopes=ALL_SCOPES, clubs=[], days=1)
    return Person(owner, token=secret)


def newcomer(club: ClubOfEverything) -> Person:
    """Somebody who belongs to no club."""
    del club
    return Person(new_account())


def second_owner(club: ClubOfEverything) -> Person:
    """An owner without whom the club still has one."""
    return club.member(Role.OWNER)


def secret_of(club: ClubOfEverything) -> dict[str, str]:
    """A new invitation's secret."""
    _, secret = invite(
        club=club.club, role=Role.VIEWER, by=account_of(club.owner), days=1, player=None
    )
    return {"secret": secret}


def two_records(club: ClubOfEverything) -> dict[str, str]:
    """Two guests who are one person."""
    one, other = (add_player(club=club.club, name=unused_name()) for _ in range(2))
    return {"absorbed": str(one.pk), "into": str(other.pk)}


TOKEN = {"name": "t", "scopes": ["games:read"]}
VOIDED = {"type": "hand_voided", "hand": 1, "reason": "a trial"}
SEASON = {"name": "Next", "starts_on": "2027-01-01", "ends_on": "2027-06-30"}
HOOK = {"url": "http://127.0.0.1:9/", "types": ["game.ended"]}
SENT: Mapping[str, Sent] = {
    "SignUp": Sent(
        lambda _: {"username": unused_name(), "password": PASSWORD},
        by=lambda _: Person(),
        other={"username": "somebody", "password": PASSWORD},
    ),
    "SignOutEverywhere": Sent(by=program),
    "SignOutElsewhere": Sent(by=program),
    "EndOtherSession": Sent(by=program),
    "CreateToken": Sent(TOKEN),
    "RevokeTokens": Sent(),
    "RevokeToken": Sent(by=program),
    "ChangePassword": Sent(
        {"password": PASSWORD, "new_password": "thirteen orphans at once"}, by=program
    ),
    "CreateClub": Sent(lambda _: {"name": "New", "slug": unused_name()}),
    "ChangeClub": Sent({"name": "Another name"}),
    "LeaveClub": Sent(by=second_owner),
    "SetMember": Sent(lambda _: {"username": new_account().username, "role": "viewer"}),
    "RemoveMember": Sent(),
    "CreateClubToken": Sent({**TOKEN, "role": "viewer"}),
    "RevokeClubTokens": Sent(),
    "RevokeClubToken": Sent(),
    "CreateInvitation": Sent({"role": "viewer"}),
    "AcceptInvitation": Sent(secret_of, by=newcomer),
    "RevokeInvitation": Sent(),
    "CreateSeason": Sent(SEASON),
    "ChangeSeason": Sent({"name": "Renamed"}),
    "DeleteSeason": Sent(),
    "OpenSeason": Sent(),
    "CloseSeason": Sent(first=("seasons/{season_id}/open",)),
    "ReopenSeason": Sent(first=("seasons/{season_id}/open", "seasons/{season_id}/close")),
    "CreatePreset": Sent({"ruleset": "hefei", "name": "Q", "options": {}}),
    "ChangePreset": Sent({"name": "Renamed"}),
    "DeletePreset": Sent(),
    "DecideClaim": Sent({"accepted": False}),
    "MergePlayers": Sent(two_records),
    "UndoMerge": Sent(),
    "AddPlayer": Sent(lambda _: {"name": unused_name()}),
    "SetLadder": Sent(LADDER),
    "DropLadder": Sent(),
    "ChangePlayer": Sent(lambda _: {"name": unused_name()}),
    "ClaimPlayer": Sent(),
    "StartImport": Sent(b'{"game":"g","seq":1}\n', other=b'{"game":"g","seq":2}\n'),
    "CancelImport": Sent(),
    "StartGame": Sent(lambda club: club.game_body()),
    "AppendEvents": Sent(
        {**HAND_RESULT, "hand": 2, "dealer": 1}, other={"type": "game_ended", "reason": "finished"}
    ),
    "Rule": Sent(VOIDED, other={**VOIDED, "reason": "another"}),
    "CreateWebhook": Sent(HOOK),
    "ChangeWebhook": Sent({"description": "ours"}),
    "DeleteWebhook": Sent(),
    "RotateWebhookSecret": Sent({}),
    "PingWebhook": Sent(),
    "ReplayDeliveries": Sent({"since": "2026-01-01T00:00:00Z"}),
    "ReplayDelivery": Sent(),
}
KEYED = [case for case in OPERATIONS if IDEMPOTENCY_KEY in case.values[0].operation.reads]
UNCOUNTED = ("api_donerequest", "api_session")
"""Tables in which a repetition may write."""


@pytest.fixture(autouse=True)
def _receivers_here(settings: Any) -> None:
    settings.WEBHOOK_ALLOW = ["127.0.0.1"]


def test_every_write_with_a_key_is_in_this_table() -> None:
    assert {case.values[0].operation.__name__ for case in KEYED} == set(SENT)


@pytest.mark.parametrize("asked", KEYED)
def test_a_write_sent_again_has_one_effect_and_one_answer(
    asked: Asked, club: ClubOfEverything
) -> None:
    name = asked.operation.__name__
    sent = SENT[name]
    with taken_back():
        sender = sent.by(club)
        for path in sent.first:
            assert club.owner.post(path.format(**club.values)).status_code == 200
        path = club.path(asked.route, sender)
        body = sent.body(club) if callable(sent.body) else sent.body
        first = send(sender, asked, path, body)
        assert first.status_code == asked.operation.status, first.content
        with nothing_changed():
            again = send(sender, asked, path, body)
        assert again.status_code == first.status_code
        assert without(again, asked.operation.shown_once) == without(
            first, asked.operation.shown_once
        )
        if sent.other is None:
            other = sender.post("clubs", {"name": "Other", "slug": unused_name()}, key="k")
        else:
            other = send(sender, asked, path, sent.other)
        refused(other, 422, "idempotency_key_reused")


def send(sender: Person, asked: Asked, path: str, body: Any) -> Any:
    """The answer to the write with the key ``k``."""
    headers = {"if_match": '"2"'} if "If-Match" in {h.name for h in asked.operation.reads} else {}
    if isinstance(body, bytes):
        headers["content_type"] = "application/x-ndjson"
    if asked.method == "delete":
        return sender.delete(path, key="k", **headers)
    return getattr(sender, asked.method)(path, body, key="k", **headers)


def without(answer: Any, names: tuple[str, ...]) -> Any:
    """The body of an answer without what it shows once, or says of a repetition."""
    if not answer.content:
        return None
    body = msgspec.json.decode(answer.content)
    return {key: value for key, value in body.items() if key not in (*names, "replayed")}


@contextmanager
def nothing_changed() -> Iterator[None]:
    """The block leaves every table as it was, row for row."""
    before = contents()
    yield
    assert contents() == before


def contents() -> dict[str, Any]:
    """A hash of every table's rows."""
    with connection.cursor() as cursor:
        hashes = {}
        for table in set(connection.introspection.table_names(cursor)) - set(UNCOUNTED):
            cursor.execute(f'SELECT count(*), sum(hashtextextended(t::text, 0)) FROM "{table}" t')
            hashes[table] = cursor.fetchone()
        return hashes
