"""Following a game without signing in: where a club shows its games to everybody, nowhere else."""

from collections.abc import Callable
from typing import Any

import pytest

from records.models import Role
from tests.api.test_live_games import grow_older
from tests.support.databases import Database
from tests.support.people import ClubHouse, Person
from tests.support.plays import played_hand
from tests.support.problems import refused
from tests.support.streams import Followers, Following

Follow = Callable[..., Following]


@pytest.fixture
def follow(followers: Followers) -> Follow:
    """Follow a game."""

    def begin(person: Person, game: str, last_id: int | None = None) -> Following:
        return followers.follow(person, f"games/{game}/stream", last_id)

    return begin


def open_games(house: ClubHouse, *, opened: bool = True) -> None:
    assert house.owner.patch(f"clubs/{house.club.pk}", {"public_games": opened}).status_code == 200


def test_anybody_follows_a_public_game_and_sees_no_hidden_tile_before_the_hand_ends(
    house: ClubHouse, follow: Follow
) -> None:
    open_games(house)
    game = house.start_game()
    events = played_hand(game, seed=7)
    watching = [follow(person, game, 1) for person in (Person(), ClubHouse().owner)]
    house.append(game, 1, *events[:-2])
    for following in watching:
        live = following.take(len(events) - 2)
        assert live[0].data["event"]["dealt"] == [None] * 4
        assert all(
            message.data["event"]["tile"] is None
            for message in live
            if message.data["event"]["type"] == "draw"
        )
    house.append(game, len(events) - 1, *events[-2:])
    for following in watching:
        assert following.take(2)[-1].data["opened"][0]["event"] == events[0]


def test_games_that_are_not_public_and_games_that_are_not_there_look_alike_to_strangers(
    house: ClubHouse,
) -> None:
    private = house.start_game()
    nowhere = "01890000-0000-7000-8000-000000000000"
    for game in (private, nowhere):
        refused(Person().get(f"games/{game}/stream"), 401, "not_authenticated")
        refused(ClubHouse().owner.get(f"games/{game}/stream"), 404, "not_found")
    open_games(house)
    for path in ("", "/events", "/state"):
        refused(Person().get(f"games/{private}{path}"), 401, "not_authenticated")


def test_a_token_that_does_not_hold_is_refused_for_public_games_too(house: ClubHouse) -> None:
    open_games(house)
    game = house.start_game()
    bad = Person(house.owner.account, token="paipu_nonsense")
    refused(bad.get(f"games/{game}/stream"), 401, "authentication_failed")


def test_strangers_learn_no_earlier_than_the_club_wants(
    house: ClubHouse, follow: Follow, api_database: Database
) -> None:
    open_games(house)
    house.owner.patch(f"clubs/{house.club.pk}", {"spectator_delay_s": 3600})
    game = house.start_game()
    house.append(game, 1, *played_hand(game, seed=7)[:6])
    following = follow(Person(), game)
    assert following.next().id == "1"
    grow_older(api_database, game, upto=4, by_s=3600)
    assert [message.id for message in following.take(3)] == ["2", "3", "4"]


def test_a_member_keeps_the_sight_of_their_role_at_a_public_game(
    house: ClubHouse, follow: Follow
) -> None:
    open_games(house)
    game = house.start_game()
    deal = played_hand(game, seed=7)[0]
    house.append(game, 1, deal)
    assert follow(house.member(Role.RECORDER), game, 1).next().data["event"] == deal
    own = follow(house.seated(2), game, 1).next().data["event"]["dealt"]
    assert [tiles is None for tiles in own] == [True, True, False, True]


def test_a_stream_of_strangers_ends_when_the_club_closes_its_games(
    house: ClubHouse, follow: Follow, settings: Any
) -> None:
    open_games(house)
    following = follow(Person(), house.start_game(), 1)
    open_games(house, opened=False)
    settings.STREAM_ASK_S = 0.0
    (goodbye,) = following.rest()
    assert (goodbye.event, goodbye.data) == ("bye", {"reason": "access"})


def test_streams_of_strangers_are_counted_by_address(
    house: ClubHouse, follow: Follow, settings: Any
) -> None:
    open_games(house)
    game = house.start_game()
    settings.STREAMS_PER_CALLER = 1
    first = follow(Person(), game)
    refused(Person().get(f"games/{game}/stream"), 429, "too_many_streams")
    elsewhere = Person().client.get(f"/api/v1/games/{game}/stream", REMOTE_ADDR="10.1.2.3")
    assert elsewhere.status_code == 200
    elsewhere.close()
    assert follow(house.owner, game).next().id == "1"
    first.close()
    follow(Person(), game)
