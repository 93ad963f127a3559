"""The pages on which a club is kept: what they ask of the database, however large the club is."""

from __future__ import annotations

from datetime import date, timedelta
from html import unescape

import pytest
from django.db import connections
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from api.models import Import, ImportedGame, ImportFault
from records.models import Account, Claim, Club, Invitation, Membership, Merge, Player, Season
from records.people import create_account
from tests.support.people import unused_name

FIRST_DAY = date(2000, 1, 1)


@pytest.fixture
def club(database: object) -> Club:
    """A club with one of everything that the pages list."""
    del database
    club = Club.objects.create(name="Large", slug="large")
    owner = create_account(username="keeper", password="a long enough password")
    Membership.objects.create(account=owner, club=club, role="owner")
    grow(club, 3)
    return club


def grow(club: Club, count: int) -> None:
    """So many more of everything."""
    accounts = Account.objects.bulk_create(
        Account(username=unused_name(), password="!") for _ in range(count)
    )
    Membership.objects.bulk_create(
        Membership(account=each, club=club, role="player") for each in accounts
    )
    at = club.players.count()
    players = Player.objects.bulk_create(
        Player(club=club, name=f"Player {number:05}") for number in range(at, at + 3 * count)
    )
    Merge.objects.bulk_create(
        Merge(club=club, absorbed=players[n], into=players[count + n]) for n in range(count)
    )
    Claim.objects.bulk_create(
        Claim(player=players[2 * count + n], account=accounts[n]) for n in range(count)
    )
    Invitation.objects.bulk_create(
        Invitation(
            club=club,
            role="player",
            player=players[2 * count + n],
            secret_hash=unused_name().encode(),
            expires_at=timezone.now() + timedelta(days=1),
        )
        for n in range(count)
    )
    days = [FIRST_DAY + timedelta(days=club.seasons.count() + n) for n in range(count)]
    Season.objects.bulk_create(
        Season(club=club, name=f"{day}", starts_on=day, ends_on=day, closes_after_h=None)
        for day in days
    )
    files = Import.objects.bulk_create(Import(club=club, key=unused_name()) for _ in range(count))
    ImportedGame.objects.bulk_create(
        ImportedGame(file=files[0], name=unused_name(), state="recorded") for _ in range(count)
    )
    ImportFault.objects.bulk_create(
        ImportFault(file=files[0], line=line, code="bad_line", message="no")
        for line in range(count)
    )


@pytest.fixture
def keeper(club: Club) -> Client:
    """The browser of the club's owner."""
    client = Client(headers={"accept-language": "en"})
    owner = Account.objects.get(memberships__club=club, memberships__role="owner")
    client.force_login(owner, backend="django.contrib.auth.backends.ModelBackend")
    return client


def asked(client: Client, path: str) -> int:
    """How many queries a page asks of every database together."""
    captured = [CaptureQueriesContext(connections[each]) for each in ("default", "reader")]
    with captured[0], captured[1]:
        answer = client.get(path)
    assert answer.status_code == 200, path
    return sum(len(each) for each in captured)


PAGES = ("members", "players", "seasons", "presets", "ladder", "exports", "imports", "settings")


def test_a_page_asks_as_many_questions_however_large_the_club_is(
    club: Club, keeper: Client
) -> None:
    paths = [f"/clubs/{club.slug}/{page}" for page in (*PAGES, "tokens", "webhooks")]
    paths.append(f"/clubs/{club.slug}/imports/{Import.objects.order_by('pk')[0].pk}")
    before = {path: asked(keeper, path) for path in paths}
    grow(club, 70)
    assert {path: asked(keeper, path) for path in paths} == before
    assert max(before.values()) <= 20, before


def test_every_row_of_a_long_list_is_on_one_of_its_pages(club: Club, keeper: Client) -> None:
    grow(club, 70)
    names = set(club.players.values_list("name", flat=True))
    seen: set[str] = set()
    for number in range(1, 10):
        text = unescape(keeper.get(f"/clubs/large/players?page={number}").content.decode())
        seen |= {name for name in names if f"<b>{name}</b></a>" in text}
    assert seen == names


@pytest.mark.parametrize("query", ["page=x", "page=-1", "page=99999", "q=%00", "absorbed=x&into=y"])
def test_an_address_that_means_nothing_shows_the_list(
    club: Club, keeper: Client, query: str
) -> None:
    del club
    for page in ("members", "players", "seasons", "imports"):
        assert keeper.get(f"/clubs/large/{page}?{query}").status_code == 200
