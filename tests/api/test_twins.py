"""Through every address: two games alike but for what somebody may not see are alike to them.

Each world is a club of its own with the same people, one ended hand and one live one. The worlds of
a pair differ in hidden tiles of the live hand (``tests.support.twins``), and every answer to who
may not see them has to be the same, byte for byte, once ids, times and hashes are set aside. The
addresses are read from the URL configuration: one with a parameter that ``values`` does not know
fails here, until somebody has thought about it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from api.live.messages import EVENT_STREAM, HEARTBEAT
from records.models import Club, Player, Role
from replays.visibility import PUBLIC, Viewer
from rules_engine import registry
from rules_engine.events import GameStarted
from rules_engine.ruleset import Ruleset
from tests.support.people import ClubHouse, Person
from tests.support.twins import LiveGame, live_game, twin_of

QUERIES = {
    "api/v1/games/<uuid:game_id>/events": ("?proof=true", "?limit=500", "?cursor=9", "?limit=0"),
    "api/v1/games/<uuid:game_id>/state": ("?seq={seq}", "?seq={before}", "?seq=9999"),
    "api/v1/clubs/<uuid:club_id>/stream": ("?last_event_id=0-0-0",),
    "api/v1/stream": ("?last_event_id=0-0-0",),
    "api/v1/games/<uuid:game_id>/actions": ("?seq={seq}", "?seq={before}", "?seq=9999"),
}
"""What else is asked of an address."""
NOT_ASKED = ("admin/", "api/v1/schema", "api/v1/docs", "api/v1/token")
"""The operator's, who has the database too; what is written before any game; one's own tokens."""
WRITES = (
    ("/events", {"type": "discard", "seat": 0, "tile": "1m", "drawn": False}),
    ("/events", [{"type": "hand_ended", "reason": "hu"}]),
    ("/preview", {"type": "hand_result", "hand": 2, "dealer": 0, "result": "huang_zhuang"}),
    ("/rulings", {"type": "hand_voided", "hand": 2, "reason": "played wrongly"}),
    ("/rulings/preview", {"type": "hand_voided", "hand": 2, "reason": "played wrongly"}),
    (
        "/rulings/preview",
        {
            "type": "hand_corrected",
            "hand": 2,
            "facts": {"dealer": 0, "result": "huang_zhuang"},
            "reason": "played wrongly",
        },
    ),
)
"""Writes that are refused while the hand is live, or to who may not record."""
SAME = (
    (re.compile(rb"\b[0-9A-Za-z]{64}\b"), b"<hash or token>"),
    (re.compile(rb'"cursor":"\w+"'), b'"cursor":"<game>"'),
    (re.compile(rb"id: \d+-\d+-\d+"), b"id: <place>"),
    # Who is in neither club is offered both, and one of them is chosen.
    (re.compile(rb'"\?club=<slug>" aria-current="true"'), b'"?club=<slug>"'),
    (re.compile(rb"(sessions|tokens)/[-0-9a-f]{36}"), b"<sign-in>"),
    (re.compile(rb"paipu_[-\w]{6}(\xe2\x80\xa6)?"), b"<token>"),
    (re.compile(rb"\d{4}-\d\d-\d\d[T ][0-9:.]{5,}(Z|\+00:00| UTC)?"), b"<time>"),
    (re.compile(rb'"(\w+_ms|position|seal_position|index|size)":\d+'), rb'"\1":0'),
)
"""What differs between any two games, and says nothing."""
NOT_COMPARED = ("ratelimit", "content-security", "content-length", "expires", "date")
"""Headers that differ between any two requests; a length has to be that of the body."""


@pytest.fixture(autouse=True)
def quick_heartbeat(settings: Any) -> None:
    """A stream in which nothing happens says so at once."""
    settings.STREAM_HEARTBEAT_S = 1


class World:
    """A club in which one hand of a game has ended and the next is live."""

    def __init__(self, settle: Any) -> None:
        self.house = ClubHouse()
        self.elsewhere = ClubHouse()
        # The public may look on, which is who has most to be kept from.
        Club.objects.filter(pk=self.house.club.pk).update(public_games=True)
        # Boards and lists set players by id, or by age, where nothing else tells them apart.
        Player.objects.filter(club=self.house.club).delete()
        first = uuid4().int & ~3
        self.house.players = [
            Player.objects.create(id=UUID(int=first + n), club=self.house.club, name=name)
            for n, name in enumerate(("Lin", "Mei", "Tao", "Yun"))
        ]
        self.seats = [self.house.seated(seat) for seat in range(4)]
        self.people = {
            "viewer": self.house.member(Role.VIEWER),
            "referee": self.house.member(Role.REFEREE),
            "outsider": self.elsewhere.owner,
            "stranger": Person(),
        }
        self.settle = settle
        self.game = ""
        self.seq = 0
        self.before = 0
        self.twin = self

    @property
    def players(self) -> list[str]:
        """The ids of who sits at the table."""
        return [str(player.pk) for player in self.house.players]

    def play(self, live: LiveGame) -> None:
        """Record the game as far as it goes, and settle what has ended."""
        started = live.before[0][1]
        assert isinstance(started, GameStarted)
        self.game = self.house.start_game(
            ruleset=started.ruleset,
            ruleset_version=started.ruleset_version,
            options=started.options,
        )
        events: list[Any] = msgspec.json.decode(
            msgspec.json.encode([event for _, event in live.events[1:]])
        )
        for body in events:
            body["occurred_at"] = "2026-11-30T12:00:00Z"
        answer = self.house.append(self.game, 1, *events)
        assert answer.status_code == 201, answer.content
        assert answer.json()["added"] == []
        self.seq, self.before = live.hand[-1][0], live.hand[0][0]
        self.settle()

    def values(self) -> dict[str, tuple[Any, ...]]:
        """For each parameter of an address what it is filled with."""
        return {
            "game_id": (self.game,),
            "hand": (1, 2),
            "club_id": (self.house.club.pk,),
            "player_id": (self.players[0], self.players[1]),
            "slug": ("hefei",),
            "code": ("not_found",),
            **dict.fromkeys(NOTHING_LIVE_IN, (UUID(int=1),)),
        }

    def asked(self, route: str) -> Iterator[str]:
        """The addresses of a route in this world."""
        # The list of all games shows those of both worlds, in another order to each.
        paths = [f"games/?club={self.house.club.slug}" if route == "games/" else route]
        for converter, name in re.findall(r"<(?:(\w+):)?(\w+)>", route):
            known = self.values()
            assert name in known, f"{route}: say in World.values what stands for {name}"
            placeholder = f"<{converter}:{name}>" if converter else f"<{name}>"
            paths = [path.replace(placeholder, str(v)) for path in paths for v in known[name]]
        for path in paths:
            yield path
            for query in QUERIES.get(route, ()):
                yield path + query.format(seq=self.seq, before=self.before)

    def names(self) -> dict[str, str]:
        """What is named otherwise in every world."""
        names = {self.game: "game"}
        names |= {player: f"player {seat}" for seat, player in enumerate(self.players)}
        names |= {str(player.pk): "player elsewhere" for player in self.elsewhere.players}
        for club in (self.house.club, self.elsewhere.club):
            names |= {str(club.pk): "club", club.name: "Club", club.slug: "slug"}
        for person in (*self.people.values(), *self.seats, self.house.owner):
            if person.account is not None:
                names |= {str(person.account.pk): "account", person.account.username: "name"}
        return names

    def alike(self, body: bytes) -> bytes:
        """An answer without what differs between any two games; it may be about both worlds."""
        names = self.names() | self.twin.names()
        for name in sorted(names, key=len, reverse=True):
            body = body.replace(name.encode(), f"<{names[name]}>".encode())
        for pattern, word in SAME:
            body = pattern.sub(word, body)
        return body


NOTHING_LIVE_IN = (
    "account_id",
    "claim_id",
    "delivery_id",
    "import_id",
    "invitation_id",
    "merge_id",
    "preset_id",
    "season_id",
    "token_id",
    "webhook_id",
)
"""Parameters of what holds no part of a live hand for who did not record it; there is none."""


def routes(
    resolver: URLResolver | None = None, before: str = ""
) -> Iterator[tuple[str, list[str]]]:
    """Every address of the service that answers to GET: its route, and the media types it has."""
    for each in (resolver or get_resolver()).url_patterns:
        route = before + str(each.pattern)
        if route.startswith(NOT_ASKED):
            continue
        if isinstance(each, URLResolver):
            yield from routes(each, route)
        elif isinstance(each, URLPattern):
            cls = getattr(each.callback, "cls", None) or getattr(each.callback, "view_class", None)
            if cls is None or hasattr(cls, "get"):
                forms = getattr(cls, "renderer_classes", ())
                yield route, [form.media_type for form in forms] or ["text/html"]


def said(world: World, person: Person, path: str, accept: str) -> tuple[Any, ...]:
    """What an address answers to a person: status, headers and body."""
    cache.clear()  # Limits of requests are not what is asked about.
    client = person.client
    if person.account is not None and not path.startswith("api/"):
        client = Client(raise_request_exception=False)
        client.force_login(person.account, backend=BACKEND)
    answer = client.get(f"/{path}", headers={**person.headers, "accept": accept})
    assert answer.status_code < 500, (path, answer.content)
    return shown(world, answer, end=end_of(world, person, path))


BACKEND = "django.contrib.auth.backends.ModelBackend"


def end_of(world: World, person: Person, path: str) -> bytes:
    """Up to what a stream is read: what comes last, or a heartbeat where nothing will come."""
    if "/games/" in path:
        return b"id: %d\n" % world.seq
    is_told = "last_event_id" in path and (person in world.seats or "/clubs/" in path)
    return b"event: hand.settled" if is_told else HEARTBEAT


def shown(world: World, answer: Any, *, end: bytes = HEARTBEAT) -> tuple[Any, ...]:
    """An answer as it is compared."""
    body = read(answer, end=end)
    headers = {
        name: world.alike(value.encode())
        for name, value in answer.headers.items()
        if not name.lower().startswith(NOT_COMPARED)
    }
    if "Content-Length" in answer:
        assert int(answer["Content-Length"]) == len(body)
    return answer.status_code, headers, world.alike(body)


def read(answer: Any, *, end: bytes) -> bytes:
    """The body of an answer; of a stream what comes up to its end, heartbeats left away."""
    if not answer.streaming:
        return bytes(answer.content)
    body = b""
    for part in answer.streaming_content:
        body += part
        if answer["Content-Type"] == EVENT_STREAM and end in body:
            answer.close()
            break
    return body.replace(b"\n\n" + HEARTBEAT, b"\n\n")


def everything_said(
    world: World, person: Person, *, of_game: bool
) -> Iterator[tuple[str, tuple[Any, ...]]]:
    """Every answer that a person can get in a world, or only those about a game; writes last."""
    for route, forms in routes():
        if of_game and not ("game_id" in route or route.endswith("exports/logs")):
            continue
        for path in world.asked(route):
            for accept in forms:
                yield f"{route} {accept} {path}", said(world, person, path, accept)
    for place, body in WRITES:
        for seq in (world.seq, world.before):
            address = f"games/{world.game}{place}"
            answer = person.post(address, body, if_match=f'"{seq}"')
            assert 400 <= answer.status_code < 500, (place, answer.content)
            yield f"POST {place} {seq}", shown(world, answer)


def two_worlds(settle: Any) -> tuple[World, World]:
    """Two clubs that have the same in them so far."""
    one, other = World(settle), World(settle)
    one.twin, other.twin = other, one
    return one, other


def twins(ruleset: Ruleset, viewer: Viewer, worlds: tuple[World, World]) -> None:
    """Play a game in one world and a twin of it in the other."""
    for seed in range(100):
        live = live_game(ruleset, seed=seed, players=worlds[0].players)
        started = live.before[0][1]
        assert isinstance(started, GameStarted)
        if started.substitutes or len(live.events) > 450 or len(live.hand) < 8:
            continue
        twin = twin_of(live, viewer, Random(seed))
        if twin is not None:
            worlds[0].play(live)
            worlds[1].play(twin)
            return
    raise AssertionError("no twin found")


def assert_alike(worlds: tuple[World, World], who: tuple[Person, Person], *, of_game: bool) -> None:
    """Insist that each gets the same answers in its world."""
    first, second = (
        list(everything_said(world, person, of_game=of_game))
        for world, person in zip(worlds, who, strict=True)
    )
    for (asked, one), (_, other) in zip(first, second, strict=True):
        assert one[:2] == other[:2], asked
        assert around_difference(one[2], other[2]) is None, asked


def around_difference(one: bytes, other: bytes) -> tuple[bytes, bytes] | None:
    """Where two bodies begin to differ, with what is around it; None where they are the same."""
    if one == other:
        return None
    place = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    around = slice(max(0, place - 100), place + 100)
    return one[around], other[around]


@pytest.mark.parametrize("ruleset", registry.latest(), ids=lambda each: each.slug)
def test_who_plays_no_seat_can_tell_no_two_deals_apart(
    house: ClubHouse, settle: Any, ruleset: Ruleset
) -> None:
    worlds = two_worlds(settle)
    twins(ruleset, PUBLIC, worlds)
    # What is not about a game, or asked from outside, does not depend on the rules of the game.
    first = ruleset == registry.latest()[0]
    for name in worlds[0].people if first else ("viewer", "referee"):
        pair = (worlds[0].people[name], worlds[1].people[name])
        assert_alike(worlds, pair, of_game=not first)


@pytest.mark.parametrize("ruleset", registry.latest(), ids=lambda each: each.slug)
def test_a_player_can_tell_no_two_deals_apart_but_by_their_own_tiles(
    house: ClubHouse, settle: Any, ruleset: Ruleset
) -> None:
    seat = len(ruleset.slug) % 4
    worlds = two_worlds(settle)
    twins(ruleset, Viewer(seats=frozenset({seat})), worlds)
    first = ruleset == registry.latest()[0]
    assert_alike(worlds, (worlds[0].seats[seat], worlds[1].seats[seat]), of_game=not first)
    recorders = worlds[0].house.owner, worlds[1].house.owner
    with pytest.raises(AssertionError, match="games/<uuid:game_id>"):
        assert_alike(worlds, recorders, of_game=True)
