"""Following a file of games."""

from typing import Any

import pytest

from api.models import ImportedGame
from records.models import Role
from tests.api.test_imports import game, nothing_waits, sent, work
from tests.support.people import ClubHouse
from tests.support.problems import refused
from tests.support.streams import Followers

__all__ = ["nothing_waits"]


@pytest.fixture(autouse=True)
def _often(monkeypatch: Any) -> None:
    monkeypatch.setattr("api.live.imports.EVERY_S", 0.0)


def test_a_sender_is_told_how_far_the_file_is_until_it_is_recorded(
    house: ClubHouse, followers: Followers
) -> None:
    file = sent(house, [line for name in "ab" for line in game(name)])
    path = f"imports/{file['id']}/stream"
    following = followers.follow(house.owner, path)
    first = following.next()
    assert (first.event, first.data) == ("progress", file)
    work()
    *_, last, end = following.rest()
    assert last.data == house.owner.get(f"imports/{file['id']}").json()
    assert (end.event, end.data) == ("end", {"state": "ended"})
    again = followers.follow(house.owner, path, first.id)
    assert [message.event for message in again.rest()] == ["progress", "end"]
    assert house.owner.get(path, last_event_id=last.id).status_code == 204


def test_nothing_is_told_twice_of_a_file_that_stands_still(
    house: ClubHouse, followers: Followers
) -> None:
    file = sent(house, game("a"))
    path = f"imports/{file['id']}/stream"
    first = followers.follow(house.owner, path).next()
    following = followers.follow(house.owner, path, first.id)
    ImportedGame.objects.filter(file=file["id"]).update(state="cancelled")
    assert following.next().data["progress"]["cancelled"] == 1


def test_only_who_records_follows_a_file(house: ClubHouse) -> None:
    file = sent(house, game("a"))
    viewer = house.member(Role.VIEWER)
    refused(viewer.get(f"imports/{file['id']}/stream"), 403, "permission_denied")
    refused(ClubHouse().owner.get(f"imports/{file['id']}/stream"), 404, "not_found")
