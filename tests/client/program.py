"""A program of somebody else's: it knows the service only by the client made from its document.

It imports nothing of this project (``test_generated_client.py`` holds it to that). The rules it
keeps are those that the document gives: a write that got no answer is sent again with its key, and
an append that is refused with 412 looks at the events in between before it decides.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import httpx
from paipu_client import AuthenticatedClient, Client, models
from paipu_client.api.accounts import sign_in, sign_up
from paipu_client.api.boards import show_leaderboard
from paipu_client.api.clubs import create_club
from paipu_client.api.events import append_events, list_events, preview_result
from paipu_client.api.games import show_game, start_game
from paipu_client.api.log import verify_game
from paipu_client.api.players import add_player
from paipu_client.api.settlements import explain_hand, show_game_settlement
from paipu_client.types import Response

TIMEOUT_S = 0.7
PASSWORD_TIMEOUT_S = 30.0
"""Passwords are hashed slowly on purpose."""
TRIES = 40


class Refused(Exception):
    """The service said no, for a reason that trying again does not mend."""

    def __init__(self, problem: models.ProblemDetails) -> None:
        super().__init__(f"{problem.code}: {problem.detail}")
        self.problem = problem


class SomebodyElse(Exception):
    """Another recorder has written to the game, not what we were about to write."""

    def __init__(self, seq: int, events: list[dict[str, Any]]) -> None:
        super().__init__(f"the game is at {seq} already")
        self.seq = seq
        self.events = events


def insist(ask: Callable[[], Response[Any]]) -> Response[Any]:
    """Ask until there is an answer. Whoever calls gives the same key each time."""
    for _ in range(TRIES):
        try:
            answer = ask()
        except httpx.TransportError:
            continue
        if answer.status_code in (429, 503):
            time.sleep(float(answer.headers.get("Retry-After", 1)))
            continue
        return answer
    raise TimeoutError("the service cannot be reached")


def told(answer: Response[Any]) -> Any:
    """What was answered. Raises Refused."""
    if isinstance(answer.parsed, models.ProblemDetails):
        raise Refused(answer.parsed)
    assert answer.parsed is not None, answer.content
    return answer.parsed


def sign_on(address: str, username: str, password: str) -> AuthenticatedClient:
    """Make an account and sign in with it."""
    nobody = Client(base_url=address, timeout=httpx.Timeout(PASSWORD_TIMEOUT_S))
    key = str(uuid4())
    body = models.SignUpInput(username=username, password=password)
    told(insist(lambda: sign_up.sync_detailed(client=nobody, body=body, idempotency_key=key)))
    credentials = models.SignInInput(username=username, password=password)
    token = told(insist(lambda: sign_in.sync_detailed(client=nobody, body=credentials)))
    return AuthenticatedClient(
        base_url=address, token=token.token, timeout=httpx.Timeout(TIMEOUT_S)
    )


class Club:
    """A club that this program founds, with four players."""

    def __init__(self, client: AuthenticatedClient, slug: str) -> None:
        self.client = client
        key = str(uuid4())
        body = models.CreateClubInput(name=slug.title(), slug=slug)
        self.id: UUID = told(
            insist(lambda: create_club.sync_detailed(client=client, body=body, idempotency_key=key))
        ).id
        self.players = [self.add(name) for name in ("Lin", "Mei", "Tao", "Yun")]

    def add(self, name: str) -> UUID:
        """A new player."""
        key = str(uuid4())
        body = models.AddPlayerInput(name=name)
        added: UUID = told(
            insist(
                lambda: add_player.sync_detailed(
                    self.id, client=self.client, body=body, idempotency_key=key
                )
            )
        ).id
        return added

    def start(self, ruleset: str, *, substitutes: int = 0) -> Recorder:
        """Start a game."""
        key = str(uuid4())
        waiting = [self.add(f"Substitute {number}") for number in range(substitutes)]
        body = models.StartGameInput(
            club=self.id, ruleset=ruleset, players=self.players, substitutes=waiting
        )
        answer = insist(
            lambda: start_game.sync_detailed(client=self.client, body=body, idempotency_key=key)
        )
        return Recorder(self.client, told(answer).id)


class Recorder:
    """Whoever writes down one game. ``seq`` is how far the game is known to have come."""

    def __init__(self, client: AuthenticatedClient, game: UUID) -> None:
        self.client = client
        self.game = game
        self.seq = 1

    def append(self, events: list[dict[str, Any]]) -> Response[Any]:
        """One append after the seq that is known, until there is an answer to it."""
        key, known = str(uuid4()), f'"{self.seq}"'
        body = [event_of(event) for event in events]
        return insist(
            lambda: append_events.sync_detailed(
                self.game, client=self.client, body=body, idempotency_key=key, if_match=known
            )
        )

    def record(self, intended: list[dict[str, Any]], *, batch: Callable[[], int]) -> None:
        """Bring the game to hold exactly these events after its first, in batches.

        Raises SomebodyElse for an event in between that is not the next one intended, Refused.
        """
        while self.seq <= len(intended):
            events = intended[self.seq - 1 : self.seq - 1 + batch()]
            answer = self.append(events)
            if answer.status_code != 412:
                # The service may have ended the hand, which is the next event intended.
                self.seq = told(answer).last_seq
                continue
            since = missed(answer)
            if since != intended[self.seq - 1 : self.seq - 1 + len(since)]:
                raise SomebodyElse(self.seq + len(since), since)
            self.seq += len(since)

    def log(self) -> list[dict[str, Any]]:
        """Every event of the game in order."""
        events: list[dict[str, Any]] = []
        cursor = 0
        while True:
            answer = insist(
                lambda: list_events.sync_detailed(
                    self.game,
                    client=self.client,
                    cursor=cursor,  # noqa: B023 - called before it changes
                    limit=200,
                )
            )
            page = told(answer)
            events += [shown.event.to_dict() for shown in page.items]
            if page.next_ is None:
                return events
            cursor = page.next_

    def intact(self) -> bool:
        """Whether the game's chain of hashes holds."""
        answer = insist(lambda: verify_game.sync_detailed(self.game, client=self.client))
        return bool(told(answer).intact)


def missed(answer: Response[Any]) -> list[dict[str, Any]]:
    """The events between what was believed and what is, as a 412 carries them."""
    facts = answer.parsed.facts.to_dict()
    assert facts["complete"], "there is more to read than one refusal carries"
    return [shown["event"] for shown in facts["events"]]


def event_of(event: dict[str, Any]) -> Any:
    """The client's own class of an event."""
    name = "".join(part.title() for part in event["type"].split("_"))
    return getattr(models, name).from_dict(event)


def story(address: str, settle: Callable[[], None]) -> dict[str, Any]:
    """What the project's README does with curl: record a hand, read what it comes to."""
    client = sign_on(address, "lin", "nine gates and a wall")
    club = Club(client, "bamboo")
    recorder = club.start("hefei")
    assert told(show_game.sync_detailed(recorder.game, client=client)).seq == 1
    win = models.WinFacts(
        seat=2, by=models.WinFactsBy.ZIMO, tile="5p", concealed="23456788m34p678s"
    )
    hand = models.HandResult(
        type_="hand_result", hand=1, dealer=0, result=models.HandResultResult.HU, wins=[win]
    )
    preview = told(preview_result.sync_detailed(recorder.game, client=client, body=hand))
    receipt = told(recorder.append([hand.to_dict()]))
    settle()
    settlement = told(show_game_settlement.sync_detailed(recorder.game, client=client))
    explained = told(explain_hand.sync_detailed(recorder.game, 1, client=client))
    board = told(show_leaderboard.sync_detailed(club.id, client=client, limit=3))
    return {
        "previewed": preview.total_points,
        "last_seq": receipt.last_seq,
        "points": {total.name: total.points for total in settlement.totals},
        "first_item": explained.explanation.wins[0].given[0].id,
        "best": board.items[0].name,
        "intact": recorder.intact(),
    }
