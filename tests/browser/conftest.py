"""A web server on the pages, for a browser that reads them; with games in it, or without."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, repeat
from socketserver import ThreadingMixIn
from threading import Thread
from typing import Any
from uuid import UUID
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server

import msgspec
import pytest
from django.core.wsgi import get_wsgi_application
from django.db import connections
from playwright.sync_api import Page, expect

from api.embedded.postgres import PostgresServer
from api.simulation.games import Habits
from records.clubs import create_club
from records.games import start_game
from records.journal import seal_pending
from records.milestones import place_milestones
from records.models import Club, Player
from records.people import create_account
from records.settlement import settle_sealed
from rules_engine import registry
from tests.browser.readers import PASSWORD, Reader, new_club
from tests.support.databases import fresh_database
from tests.support.recorded import RecordedGame
from tests.support.watched import record_game

MEMBER = "owner"
NAMES = "甲乙丙丁"

# Playwright keeps an event loop in the thread of the tests until the run ends, and Django takes
# that for code which must not wait for a database.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"


class Quiet(WSGIRequestHandler):
    """A test's output is not a log."""

    def log_message(self, *args: object) -> None:
        pass


class Threading(ThreadingMixIn, WSGIServer):
    """A browser asks for several things at once."""

    daemon_threads = True


@contextmanager
def serving() -> Iterator[str]:
    """The address of a server on the whole service."""
    application = get_wsgi_application()
    server = make_server("127.0.0.1", 0, application, Threading, Quiet)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(scope="session")
def pages() -> Iterator[str]:
    """The address of the pages that need no database."""
    with serving() as address:
        yield address


class Site(msgspec.Struct, frozen=True):
    """A service with a club whose member ``MEMBER`` signs in with ``PASSWORD``.

    ``games`` are recorded tile by tile, one a ruleset, by its slug, with slips taken back in them:
    ``longer`` of two hands, the others of one. ``told`` is one of results, with a ruling; ``live``
    is in the middle of its first hand.
    """

    address: str
    club: Club
    games: dict[str, UUID]
    longer: UUID
    told: RecordedGame
    live: UUID


@pytest.fixture(scope="package")
def site(postgres_server: PostgresServer, django_db_blocker: Any) -> Iterator[Site]:
    """The service on a database of the browser's own."""
    with django_db_blocker.unblock(), fresh_database(postgres_server):
        account = create_account(username=MEMBER, password=PASSWORD)
        club = create_club(owner=account, name="牌社 Club", slug="club", time_zone="Asia/Shanghai")
        games = {
            ruleset.slug: record_game(ruleset, club, hands=hands, habits=Habits(slip=0.01))
            for ruleset, hands in zip(registry.latest(), chain([2], repeat(1)), strict=False)
        }
        with serving() as address:
            yield Site(
                address=address,
                club=club,
                games=games,
                longer=games[registry.latest()[0].slug],
                told=told_game(club),
                live=record_game(registry.latest()[0], club, events=30, seed="live"),
            )
        connections.close_all()


def told_game(club: Club) -> RecordedGame:
    """Three hands recorded as results, the first corrected, and a penalty."""
    people = Player.objects.bulk_create(Player(club=club, name=name) for name in NAMES)
    game = RecordedGame(club_id=club.pk, players=tuple(person.pk for person in people))
    game.play(1)
    game.play(None)
    game.play(2, from_seat=0, gang=True)
    game.correct(1, 3)
    game.penalise((str(people[0].pk), str(people[3].pk), 7))
    seal_pending()
    settle_sealed()
    place_milestones()
    return game


def ready(page: Page) -> None:
    """Wait until the viewer's script has drawn."""
    expect(page.locator("#viewer")).to_have_attribute("data-ready", "1", timeout=30_000)


@pytest.fixture
def complaints(page: Page) -> list[str]:
    """What the browser's console is told while a test runs."""
    told: list[str] = []
    page.on("console", lambda message: told.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: told.append(str(error)))
    return told


@pytest.fixture
def signed_in(site: Site, page: Page) -> Page:
    """A browser in which the club's owner has signed in."""
    page.goto(f"{site.address}/sign-in?lang=en")
    page.get_by_label("Account").fill(MEMBER)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{site.address}/")
    return page


@pytest.fixture
def game(site: Site) -> UUID:
    """A game of results that has just been started."""
    people = Player.objects.bulk_create(
        Player(club=site.club, name=f"{name}{Player.objects.count()}") for name in "东南西北"
    )
    game_id, _ = start_game(
        club_id=site.club.pk,
        created_by=None,
        ruleset=registry.get("hefei"),
        options={},
        preset=None,
        players=[person.pk for person in people],
        substitutes=[],
        stake=1,
        title="",
        command_id="start",
    )
    return game_id


@pytest.fixture
def reader(site: Site, page: Page, language: str, width: int) -> Reader:
    """Whoever reads the pages, in the test's language and width; nobody yet."""
    return Reader(site, page, language, width)


@pytest.fixture
def club(reader: Reader) -> Club:
    """A club whose owner has signed in."""
    club = new_club("keeper")
    reader.sign_in(club.memberships.get().account.username)
    return club
