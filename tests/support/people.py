"""People who talk to the API, and a club with four players to begin with."""

from __future__ import annotations

import itertools
from typing import Any
from uuid import uuid4

import msgspec
from django.test import Client

from api.scopes import OF_ONE_CLUB, Scope
from api.tokens import make_club_token, sign_in
from records.clubs import create_club, set_member
from records.models import Account, Club, Player, Role
from records.players import add_player

_numbers = itertools.count(1)
HAND_RESULT = {
    "type": "hand_result",
    "hand": 1,
    "dealer": 0,
    "result": "hu",
    "wins": [{"seat": 2, "by": "zimo", "tile": "5p", "concealed": "23456788m34p678s"}],
}
"""The first hand of a game of Hefei mahjong: seat 2 wins 32, the dealer pays 12, the others 10."""


class Person:
    """Somebody who sends requests, signed in or not."""

    def __init__(self, account: Account | None = None, *, token: str | None = None) -> None:
        self.account = account
        self.client = Client(raise_request_exception=False)
        self.headers: dict[str, str] = {}
        if account is not None and token is None:
            _, token = sign_in(account)
        if token is not None:
            self.headers["authorization"] = f"Bearer {token}"

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(f"/api/v1/{path}", headers={**self.headers, **_names(headers)})

    def post(self, path: str, body: Any = None, *, key: str | None = None, **headers: str) -> Any:
        """A write with a new Idempotency-Key unless one is given; bytes are sent as they are."""
        return self._send("post", path, body, key, headers)

    def patch(self, path: str, body: Any = None, *, key: str | None = None, **headers: str) -> Any:
        return self._send("patch", path, body, key, headers)

    def put(self, path: str, body: Any = None, *, key: str | None = None, **headers: str) -> Any:
        return self._send("put", path, body, key, headers)

    def delete(self, path: str, *, key: str | None = None, **headers: str) -> Any:
        return self._send("delete", path, b"", key, headers)

    def _send(
        self, method: str, path: str, body: Any, key: str | None, headers: dict[str, str]
    ) -> Any:
        given = {"idempotency-key": key or str(uuid4()), **self.headers, **_names(headers)}
        return getattr(self.client, method)(
            f"/api/v1/{path}",
            data=body if isinstance(body, bytes) else msgspec.json.encode(body),
            content_type=given.pop("content-type", "application/json"),
            headers={name: value for name, value in given.items() if value},
        )


def _names(headers: dict[str, str]) -> dict[str, str]:
    return {name.replace("_", "-"): value for name, value in headers.items()}


def unused_name() -> str:
    """A name, also good as a slug, that no test before has used."""
    return f"person-{next(_numbers)}"


def new_account() -> Account:
    """An account that signs in by token only."""
    account = Account(username=unused_name())
    account.set_unusable_password()
    account.save()
    return account


class ClubHouse:
    """A club with its owner and four players, and whoever else is asked for."""

    def __init__(self) -> None:
        self.owner = Person(new_account())
        assert self.owner.account is not None
        number = next(_numbers)
        self.club: Club = create_club(
            owner=self.owner.account,
            name=f"Club {number}",
            slug=f"club-{number}",
            time_zone="Asia/Shanghai",
        )
        self.players: list[Player] = [
            add_player(club=self.club, name=name) for name in ("Lin", "Mei", "Tao", "Yun")
        ]

    def member(self, role: Role) -> Person:
        """Somebody new with this role."""
        account = new_account()
        set_member(club=self.club, username=account.username, role=role)
        return Person(account)

    def machine(self, role: Role, *scopes: str) -> Person:
        """Who acts by a new token of the club, with this role and these scopes, or all."""
        assert self.owner.account is not None
        token, secret = make_club_token(
            club=self.club,
            by=self.owner.account,
            name="machine",
            scopes=[Scope(scope) for scope in scopes] or OF_ONE_CLUB,
            role=role,
            days=1,
        )
        return Person(token.account, token=secret)

    def seated(self, seat: int) -> Person:
        """Somebody new who is the player of this seat."""
        person = self.member(Role.PLAYER)
        self.players[seat].account = person.account
        self.players[seat].save()
        return person

    def start_game(self, **changes: Any) -> str:
        """A new game of Hefei mahjong; its id. It is at seq 1."""
        answer = self.owner.post("games", self.game_body(**changes))
        assert answer.status_code == 201, answer.content
        game_id: str = answer.json()["id"]
        return game_id

    def game_body(self, **changes: Any) -> dict[str, Any]:
        """What starts a game."""
        return {
            "club": str(self.club.id),
            "ruleset": "hefei",
            "players": [str(player.id) for player in self.players],
            **changes,
        }

    def append(self, game_id: str, seq: int, *events: Any) -> Any:
        """The answer to an append of the owner's."""
        return self.owner.post(f"games/{game_id}/events", list(events), if_match=f'"{seq}"')
