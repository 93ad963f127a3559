"""A club with games whose pages are looked at, by its owner, who is one of its players."""

from __future__ import annotations

import re
from html import unescape

import msgspec
from django.test import Client

from records.clubs import change_club, create_club
from records.journal import seal_pending
from records.milestones import place_milestones
from records.models import Account, Club, Player
from records.people import create_account
from records.players import add_player
from records.settlement import settle_sealed
from replays.projections import advance_projections
from tests.support.people import unused_name
from tests.support.recorded import RecordedGame

NAMES = ("Lin", "Mei", "Tao", "Yun")


class House(msgspec.Struct):
    """A club with four players and games between them, and its owner, who is one of them."""

    club: Club
    owner: Account
    players: list[Player]
    client: Client

    def get(self, path: str, *, status: int = 200) -> str:
        """The text of a page in English, without the markup of characters."""
        answer = self.client.get(path, headers={"accept-language": "en"})
        assert answer.status_code == status, answer.content.decode()[:2000]
        return unescape(answer.content.decode())

    def play(self, *winners: int | None) -> RecordedGame:
        """Record and settle a game in which these seats win one hand each."""
        game = RecordedGame(
            club_id=self.club.pk, players=tuple(player.pk for player in self.players)
        )
        for winner in winners:
            game.play(winner, gang=winner == 2)
        take_in()
        return game

    @property
    def at(self) -> str:
        return f"/clubs/{self.club.slug}/"

    @property
    def pages(self) -> list[str]:
        """Every page of the club, and those of its first player."""
        own = f"/players/{self.players[0].pk}"
        parts = ("", "boards", "ratings", "head-to-head", "balances", "pot")
        return [*(f"{self.at}{part}" for part in parts), own, f"{own}/statement"]


def take_in() -> None:
    place_milestones()
    seal_pending()
    settle_sealed()
    advance_projections()


def open_house() -> House:
    """A club with a game of three hands."""
    name = unused_name()
    owner = create_account(username=name, password=f"{name} has a long password")
    club = create_club(owner=owner, name="Club", slug=name, time_zone="Asia/Shanghai")
    change_club(club=club, rated=True)
    client = Client()
    client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    players = [add_player(club=club, name=each) for each in NAMES]
    players[1].account = owner
    players[1].save()
    made = House(club=Club.objects.get(pk=club.pk), owner=owner, players=players, client=client)
    made.play(2, None, 1)
    return made


def link(text: str, pattern: str) -> str:
    """The address in the first link whose tag has this in it."""
    found = re.search(rf'<a[^>]*{pattern}[^>]*href="([^"]+)"|href="([^"]*{pattern}[^"]*)"', text)
    assert found, pattern
    return found[1] or found[2]
