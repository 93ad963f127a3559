"""Simulated games recorded on a running server, as any client would record them."""

import io
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from wsgiref.simple_server import WSGIRequestHandler, make_server

import pytest
from django.core.management import CommandError, call_command
from django.core.wsgi import get_wsgi_application

from records import reader
from records.models import Player
from tests.support.people import ClubHouse


class Quiet(WSGIRequestHandler):
    """Says nothing about each request."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        """Nothing."""


@contextmanager
def served() -> Iterator[str]:
    """The address of a server of the application in a thread of its own."""
    with make_server("127.0.0.1", 0, get_wsgi_application(), handler_class=Quiet) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


def post(house: ClubHouse, *arguments: str, token: str | None = None, club: str = "") -> list[str]:
    """Record games on a server; gives their ids."""
    output = io.StringIO()
    with served() as address:
        call_command(
            "simulate",
            "hefei",
            *arguments,
            f"--post={address}",
            f"--token={token or house.owner.headers['authorization'].removeprefix('Bearer ')}",
            f"--club={club or house.club.slug}",
            stdout=output,
            stderr=io.StringIO(),
        )
    return output.getvalue().split()


def test_games_are_recorded_through_the_api(house: ClubHouse) -> None:
    games = post(house, "--hands", "2", "--games", "2", "--lively", "--option", "room=bao_ting")
    assert len(games) == 2
    for game_id in games:
        game = reader.game_at(game_id, using="default")
        assert (game.hand, game.ended) == (2, True)
        assert game.options.room == "bao_ting"
    assert {"Lin", "Zhao", "Chen", "Wang"} <= set(
        Player.objects.filter(club_id=house.club.id).values_list("name", flat=True)
    )


def test_a_token_that_is_none_is_refused_as_the_server_says(house: ClubHouse) -> None:
    with pytest.raises(CommandError, match=r"^401 "):
        post(house, "--hands", "1", token="nonsense")


def test_a_club_one_is_not_in_is_named(house: ClubHouse) -> None:
    with pytest.raises(CommandError, match="You are in no club 'nowhere' there"):
        post(house, "--hands", "1", club="nowhere")
