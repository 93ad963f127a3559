"""Recording games through the API of a running server, as any client would."""

from collections.abc import Iterable, Mapping
from http.client import HTTPException
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import msgspec
from msgspec.structs import replace

from records.ids import uuid7
from rules_engine.events import Event, GameStarted, HandEnded, PlayerLeft, PlayerSeated
from rules_engine.fold import Numbered

TIMEOUT_S: Final = 30


class ServerRefused(Exception):
    """The server could not be reached, or said no; the message is what it said."""


class PostedGame:
    """A game on the server: its id and seq, and the server's player for each of ours."""

    def __init__(self, id: str, club: str, seq: int, people: dict[str, str]) -> None:  # noqa: A002
        self.id = id
        self.club = club
        self.seq = seq
        self.people = people


class Server:
    """One server and the token of who records there."""

    def __init__(self, url: str, token: str) -> None:
        self.base = url.rstrip("/") + "/api/v1/"
        self.token = token

    def call(self, path: str, body: Any = None, **headers: str) -> Any:
        """One request: POST with a body, GET without. Raises ServerRefused."""
        data = None if body is None else msgspec.json.encode(body)
        if not self.base.startswith(("http://", "https://")):
            raise ServerRefused(f"{self.base} is not the address of a server")
        request = Request(self.base + path, data=data)  # noqa: S310 -- checked just above
        request.add_header("Authorization", f"Bearer {self.token}")
        request.add_header("Accept", "application/json")
        if data is not None:
            request.add_header("Content-Type", "application/json")
            request.add_header("Idempotency-Key", str(uuid7()))
        for name, value in headers.items():
            request.add_header(name.replace("_", "-"), value)
        try:
            with urlopen(request, timeout=TIMEOUT_S) as response:  # noqa: S310
                return msgspec.json.decode(response.read())
        except HTTPError as error:
            raise ServerRefused(said(error)) from error
        except (URLError, HTTPException, OSError) as error:
            raise ServerRefused(f"{self.base} does not answer: {error}") from error

    def club(self, slug: str) -> str:
        """The id of one of your clubs."""
        cursor = ""
        while True:
            page = self.call(f"clubs?limit=100{cursor}")
            for club in page["items"]:
                if club["slug"] == slug:
                    return str(club["id"])
            if page["next"] is None:
                raise ServerRefused(f"You are in no club {slug!r} there.")
            cursor = f"&cursor={page['next']}"

    def players(self, club: str) -> dict[str, str]:
        """The club's players: name to id."""
        found: dict[str, str] = {}
        cursor = ""
        while True:
            page = self.call(f"clubs/{club}/players?limit=100{cursor}")
            found |= {player["name"]: player["id"] for player in page["items"]}
            if page["next"] is None:
                return found
            cursor = f"&cursor={page['next']}"

    def player(self, club: str, name: str, known: Mapping[str, str]) -> str:
        """The club's player of this name, added where there is none."""
        if name in known:
            return known[name]
        return str(self.call(f"clubs/{club}/players", {"name": name})["id"])

    def start(self, club: str, started: GameStarted, names: Mapping[str, str]) -> PostedGame:
        """Start a game on the server like this one."""
        known = self.players(club)
        people = {person: self.player(club, name, known) for person, name in names.items()}
        game = self.call(
            "games",
            {
                "club": club,
                "ruleset": started.ruleset,
                "ruleset_version": started.ruleset_version,
                "options": started.options,
                "players": [people[person] for person in started.players],
                "stake": started.stake,
                "title": "simulated",
            },
        )
        return PostedGame(game["id"], club, 1, people)

    def record(self, game: PostedGame, events: Iterable[Numbered]) -> None:
        """Record the events, a hand in one request."""
        batch: list[Event] = []
        for _, event in events:
            batch.append(self.with_players(game, event))
            if isinstance(event, HandEnded):
                self.append(game, batch)
                batch = []
        if batch:
            self.append(game, batch)

    def append(self, game: PostedGame, events: list[Event]) -> None:
        """One append."""
        bodies = [msgspec.to_builtins(event) for event in events]
        receipt = self.call(f"games/{game.id}/events", bodies, If_Match=f'"{game.seq}"')
        game.seq = receipt["last_seq"]

    def with_players(self, game: PostedGame, event: Event) -> Event:
        """The event with the server's players in place of ours."""
        if isinstance(event, PlayerSeated | PlayerLeft):
            if event.player not in game.people:
                name = f"Player {event.player[:8]}"
                known = self.players(game.club)
                game.people[event.player] = self.player(game.club, name, known)
            return replace(event, player=game.people[event.player])
        return event


def said(error: HTTPError) -> str:
    """What a problem document says, as one line."""
    try:
        problem = msgspec.json.decode(error.read(), type=dict[str, Any])
    except msgspec.DecodeError:
        return f"{error.code} {error.reason}"
    return f"{error.code} {problem.get('code')}: {problem.get('detail')}"
