"""Following a club and one's own games: what is told, to whom, and going on after any message."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from api.webhooks.following import follow
from records.clubs import set_member
from records.milestones import place_milestones
from records.models import Role
from tests.support.databases import Database
from tests.support.people import HAND_RESULT, ClubHouse, Person
from tests.support.problems import refused
from tests.support.streams import Followers, Message

Work = Callable[[], None]
VOIDED = {"type": "hand_voided", "hand": 1, "reason": "dealt wrongly"}
ENDED = {"type": "game_ended", "reason": "finished"}


@pytest.fixture
def work(settle: Work) -> Work:
    """Do now what the workers do within seconds."""

    def do() -> None:
        settle()
        place_milestones()

    return do


def whole_evening(house: ClubHouse, work: Work) -> str:
    """A game of one hand, which is voided before the game ends."""
    game = house.start_game()
    work()
    for seq, event in ((1, HAND_RESULT), (2, VOIDED), (3, ENDED)):
        assert house.append(game, seq, event).status_code == 201
        work()
    return game


def kinds(messages: list[Message]) -> list[str]:
    return [message.event for message in messages]


EVENING = [
    *("game.started", "hand.ended", "hand.settled", "hand.resettled"),
    *("ruling.made", "game.ended"),
]


def test_a_member_is_told_what_happens_in_the_club(
    house: ClubHouse, followers: Followers, work: Work
) -> None:
    following = followers.follow(house.member(Role.VIEWER), f"clubs/{house.club.pk}/stream")
    other = ClubHouse()
    whole_evening(other, work)
    game = whole_evening(house, work)
    messages = following.take(6)
    assert kinds(messages) == EVENING
    assert {message.data["data"]["game"] for message in messages} == {game}
    assert [message.data["type"] for message in messages] == EVENING
    started, ended, settled, *_ = [message.data["data"] for message in messages]
    assert started["people"] == [str(player.pk) for player in house.players]
    assert (ended["hand"], ended["seq"]) == (1, 2)
    assert settled["points"] == [-12, -10, 32, -10]


def test_after_any_message_one_can_go_on_without_loss_or_repetition(
    house: ClubHouse, followers: Followers, work: Work
) -> None:
    path = f"clubs/{house.club.pk}/stream"
    following = followers.follow(house.owner, path)
    for _ in range(2):
        whole_evening(house, work)
    messages = following.take(12)
    assert kinds(messages) == EVENING * 2
    for place, message in enumerate(messages[:-1]):
        rest = followers.follow(house.owner, path, message.id).take(len(messages) - place - 1)
        assert rest == messages[place + 1 :]


def test_while_nothing_happens_the_place_is_kept_fresh(
    house: ClubHouse, followers: Followers, work: Work, settings: Any
) -> None:
    path = f"clubs/{house.club.pk}/stream"
    following = followers.follow(house.owner, path)
    first = following.place()
    whole_evening(ClubHouse(), work)
    settings.STREAM_HEARTBEAT_S = 0.05
    while following.place() == first:
        pass
    later = following.place()
    following.close()
    whole_evening(house, work)
    assert kinds(followers.follow(house.owner, path, later).take(6)) == EVENING


@pytest.mark.parametrize("seed", range(2))
def test_however_often_the_connection_breaks_every_game_is_told_once(
    house: ClubHouse, followers: Followers, work: Work, seed: int
) -> None:
    rng = Random(seed)
    path = f"clubs/{house.club.pk}/stream"
    following = followers.follow(house.owner, path)
    place = following.place()
    got: list[Message] = []
    games = []
    for _ in range(4):
        games.append(whole_evening(house, work))
        got += following.take(rng.randint(0, 6 * len(games) - len(got)))
        following.close()
        following = followers.follow(house.owner, path, got[-1].id if got else place)
    got += following.take(6 * len(games) - len(got))
    assert [(message.data["data"]["game"], message.event) for message in got] == [
        (game, kind) for game in games for kind in EVENING
    ]


def test_who_records_is_told_of_all_games_and_who_plays_of_their_own(
    house: ClubHouse, followers: Followers, work: Work
) -> None:
    recorder, player = house.member(Role.RECORDER), house.seated(0)
    follow = [followers.follow(each, "stream") for each in (recorder, player)]
    game = whole_evening(house, work)
    for following in follow:
        messages = following.take(6)
        assert kinds(messages) == EVENING
        assert {message.data["data"]["game"] for message in messages} == {game}


def test_a_viewer_of_a_club_has_no_games_there(
    house: ClubHouse, followers: Followers, work: Work
) -> None:
    viewer = house.member(Role.VIEWER)
    own = ClubHouse()
    set_member(club=own.club, username=viewer.account.username, role=Role.RECORDER)
    following = followers.follow(viewer, "stream")
    whole_evening(house, work)
    game = whole_evening(own, work)
    assert {message.data["data"]["game"] for message in following.take(6)} == {game}


def test_a_spectator_of_a_club_is_told_late(
    house: ClubHouse, followers: Followers, work: Work, api_database: Database
) -> None:
    house.owner.patch(f"clubs/{house.club.pk}", {"spectator_delay_s": 3600})
    path = f"clubs/{house.club.pk}/stream"
    viewer, referee = house.member(Role.VIEWER), house.member(Role.REFEREE)
    late, early = followers.follow(viewer, path), followers.follow(referee, path)
    game = whole_evening(house, work)
    assert kinds(early.take(6)) == EVENING
    with api_database.connect() as connection:
        connection.execute(
            "UPDATE milestone SET placed_at = placed_at - interval '1 hour' WHERE position <="
            " (SELECT position FROM milestone WHERE game_id = %s AND seq = 1)",
            [game],
        )
    assert late.next().event == "game.started"


def test_a_place_that_no_message_had_is_refused(house: ClubHouse) -> None:
    answer = house.owner.get("stream", last_event_id="1-2")
    refused(answer, 422, "invalid_input")


def test_the_stream_of_another_club_is_not_there(house: ClubHouse, stranger: Person) -> None:
    refused(ClubHouse().owner.get(f"clubs/{house.club.pk}/stream"), 404, "not_found")
    refused(stranger.get("stream"), 401, "not_authenticated")


def test_a_change_of_a_tier_is_told_to_the_club_and_to_whom_it_concerns(
    house: ClubHouse, followers: Followers, work: Work
) -> None:
    path = f"clubs/{house.club.pk}/stream"
    elsewhere = ClubHouse()
    followed = [followers.follow(house.owner, path), followers.follow(house.seated(2), "stream")]
    for club in (elsewhere, house):
        game = club.start_game()
        work()
        club.append(game, 1, HAND_RESULT)
        work()
        follow()
    of_club, own = (each.take(count) for each, count in zip(followed, (7, 4), strict=True))
    assert kinds(of_club) == ["game.started", "hand.ended", "hand.settled", *["tier.changed"] * 4]
    tiers = [message.data["data"] for message in of_club[3:]]
    assert {tier["player"] for tier in tiers} == {str(player.pk) for player in house.players}
    assert kinds(own) == ["game.started", "hand.ended", "hand.settled", "tier.changed"]
    assert own[-1].data["data"] in tiers
    assert own[-1].data["data"]["player"] == str(house.players[2].pk)
    for place in range(3, 6):
        rest = followers.follow(house.owner, path, of_club[place].id).take(6 - place)
        assert rest == of_club[place + 1 :]


def test_an_end_that_is_taken_back_is_not_told(
    house: ClubHouse, followers: Followers, work: Work
) -> None:
    following = followers.follow(house.owner, f"clubs/{house.club.pk}/stream")
    game = house.start_game()
    house.append(game, 1, ENDED, {"type": "rewind", "to": 1, "reason": "one more hand"}, ENDED)
    work()
    messages = following.take(2)
    assert kinds(messages) == ["game.started", "game.ended"]
    assert messages[1].data["data"]["seq"] == 4
