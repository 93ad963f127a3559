"""Following a game: order, resuming, what is seen, and the end."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from records.models import Role
from tests.api.test_visibility import twin_of, without_identity
from tests.support.databases import Database
from tests.support.people import HAND_RESULT, ClubHouse, Person
from tests.support.plays import played_hand, played_hands
from tests.support.problems import refused
from tests.support.streams import Followers, Following, Message

Follow = Callable[..., Following]


@pytest.fixture
def follow(followers: Followers) -> Follow:
    """Follow a game."""

    def begin(person: Person, game: str, last_id: int | None = None) -> Following:
        return followers.follow(person, f"games/{game}/stream", last_id)

    return begin


def test_a_follower_gets_every_event_in_order_as_the_log_has_it(
    house: ClubHouse, follow: Follow
) -> None:
    game = house.start_game()
    events = played_hand(game, seed=7)
    following = follow(house.owner, game)
    assert following.next().data["event"]["type"] == "game_started"
    house.append(game, 1, *events[:5])
    house.append(game, 6, *events[5:])
    messages = following.take(len(events))
    assert [message.data["event"] for message in messages] == events
    assert [message.id for message in messages] == [str(seq) for seq in range(2, len(events) + 2)]
    assert {message.event for message in messages} == {"event"}
    listed = house.owner.get(f"games/{game}/events?limit=500").json()["items"][1:]
    assert [message.data for message in messages] == [{**item, "opened": []} for item in listed]


def test_a_hidden_tile_is_null_while_the_hand_lives_and_opened_when_it_ends(
    house: ClubHouse,
    follow: Follow,
) -> None:
    game = house.start_game()
    events = played_hand(game, seed=7)
    following = follow(house.member(Role.VIEWER), game, 1)
    house.append(game, 1, *events[:-2])
    live = following.take(len(events) - 2)
    assert live[0].data["event"]["dealt"] == [None] * 4
    house.append(game, len(events) - 1, *events[-2:])
    last = following.take(2)[-1]
    hidden = [message.data["seq"] for message in live if message.data["hidden"]]
    assert [item["seq"] for item in last.data["opened"]] == hidden
    seen = {message.data["seq"]: message.data["event"] for message in live}
    seen |= {item["seq"]: item["event"] for item in last.data["opened"]}
    assert list(seen.values()) == events[:-2]


def test_who_comes_back_gets_what_followed_their_last_message(
    house: ClubHouse, follow: Follow, followers: Followers
) -> None:
    game = house.start_game()
    events = played_hand(game, seed=8)
    house.append(game, 1, *events)
    following = follow(house.owner, game, 4)
    assert [message.id for message in following.take(3)] == ["5", "6", "7"]
    following.close()
    following = followers.follow(house.owner, f"games/{game}/stream?last_event_id=9")
    assert following.next().id == "10"


@pytest.mark.parametrize("seed", range(4))
def test_however_often_a_connection_breaks_nothing_is_lost_and_nothing_comes_twice(
    house: ClubHouse, follow: Follow, seed: int
) -> None:
    rng = Random(seed)
    game = house.start_game()
    events = played_hands(game, seed=seed, hands=2)
    viewer = house.member(Role.VIEWER)
    got: list[Message] = []
    sent = 1
    following = follow(viewer, game)
    while len(got) < len(events) + 1:
        if sent < len(events) + 1:
            count = rng.randint(1, 40)
            answer = house.append(game, sent, *events[sent - 1 : sent - 1 + count])
            sent = answer.json()["last_seq"]
        got += following.take(rng.randint(0, sent - len(got)))
        if rng.random() < 0.5 and len(got) <= len(events):
            following.close()
            following = follow(viewer, game, len(got))
    assert [int(message.id) for message in got] == list(range(1, len(events) + 2))
    seen = {message.data["seq"]: message.data["event"] for message in got}
    seen |= {item["seq"]: item["event"] for each in got for item in each.data["opened"]}
    assert [seen[seq] for seq in range(2, len(events) + 2)] == events


def test_the_stream_of_a_game_that_has_ended_ends_too(house: ClubHouse, follow: Follow) -> None:
    game = house.start_game()
    following = follow(house.owner, game)
    house.append(game, 1, {"type": "game_ended", "reason": "dissolved"})
    *_, last, end = following.rest()
    assert (last.data["event"]["type"], last.id) == ("game_ended", "2")
    assert (end.event, end.data, end.id) == ("end", {"seq": 2}, "2")
    behind = house.owner.get(f"games/{game}/stream", last_event_id="2")
    assert (behind.status_code, behind.content) == (204, b"")
    assert [message.id for message in follow(house.owner, game).rest()] == ["1", "2", "2"]


def test_an_id_that_no_message_had_is_refused(house: ClubHouse) -> None:
    game = house.start_game()
    answer = house.owner.get(f"games/{game}/stream", last_event_id="x")
    assert refused(answer, 422, "invalid_input")["actual"] == "x"


@pytest.mark.parametrize("seed", range(2))
def test_two_deals_that_differ_in_what_a_follower_may_not_see_send_the_same_bytes(
    house: ClubHouse, follow: Follow, seed: int
) -> None:
    games = house.start_game(), house.start_game()
    deal, discard, *_ = played_hand(games[0], seed=seed)
    one, other, watching = [seat for seat in range(4) if seat != deal["dealer"]]
    for game, opening in ((games[0], deal), (games[1], twin_of(deal, (one, other)))):
        assert house.append(game, 1, opening, discard).status_code == 201
    for person in (house.member(Role.VIEWER), house.member(Role.REFEREE), house.seated(watching)):
        followed = [follow(person, game, 1) for game in games]
        sent = [without_identity([message.data for message in each.take(2)]) for each in followed]
        assert sent[0] == sent[1]
    differing = [follow(house.seated(one), game, 1).next().data["event"] for game in games]
    assert differing[0] != differing[1]


def test_a_spectator_is_sent_and_shown_only_what_is_as_old_as_the_club_wants(
    house: ClubHouse, follow: Follow, api_database: Database
) -> None:
    game = house.start_game()
    events = played_hand(game, seed=7)
    house.owner.patch(f"clubs/{house.club.pk}", {"spectator_delay_s": 3600})
    house.append(game, 1, *events[:6])
    viewer = house.member(Role.VIEWER)
    early = follow(viewer, game)
    assert early.next().data["event"]["type"] == "game_started"
    for path in ("", "/state", "/actions"):
        assert viewer.get(f"games/{game}{path}").json()["seq"] == 1
    assert viewer.get(f"games/{game}/events").headers["ETag"] == '"1"'
    assert len(viewer.get(f"games/{game}/events").json()["items"]) == 1
    refused(viewer.get(f"games/{game}/state?seq=3"), 422, "seq_out_of_range")
    for person in (house.owner, house.member(Role.REFEREE), house.seated(0)):
        assert person.get(f"games/{game}").json()["seq"] == 7
        assert [message.id for message in follow(person, game).take(7)][-1] == "7"
    grow_older(api_database, game, upto=4, by_s=3600)
    assert [message.id for message in early.take(3)] == ["2", "3", "4"]
    assert viewer.get(f"games/{game}").json()["seq"] == 4


def grow_older(database: Database, game: str, *, upto: int, by_s: int) -> None:
    """Pretend that events were recorded earlier, which only a superuser in disguise can do."""
    with database.connect() as connection:
        connection.execute("ALTER TABLE event DISABLE TRIGGER USER")
        connection.execute(
            "UPDATE event SET recorded_at = recorded_at - make_interval(secs => %s)"
            " WHERE game_id = %s AND seq <= %s",
            [by_s, game, upto],
        )
        connection.execute("ALTER TABLE event ENABLE ALWAYS TRIGGER refuse_change")
        connection.execute("ALTER TABLE event ENABLE ALWAYS TRIGGER refuse_truncate")


def test_what_is_older_than_the_delay_is_settled_for_a_spectator_too(
    house: ClubHouse, settle: Any
) -> None:
    game = house.start_game()
    house.append(game, 1, HAND_RESULT)
    settle()
    viewer = house.member(Role.VIEWER)
    assert len(viewer.get(f"games/{game}/settlement").json()["hands"]) == 1
    house.owner.patch(f"clubs/{house.club.pk}", {"spectator_delay_s": 3600})
    settlement = viewer.get(f"games/{game}/settlement").json()
    assert (settlement["hands"], settlement["totals"], settlement["pending"]) == ([], [], 0)
    for path in ("hands/1", "hands/1/explanation", "hands/1/proof"):
        refused(viewer.get(f"games/{game}/{path}"), 404, "not_found")
    assert viewer.get(f"games/{game}/gangs").json()["items"] == []
    assert len(house.owner.get(f"games/{game}/settlement").json()["hands"]) == 1


def test_a_quiet_stream_beats(house: ClubHouse, follow: Follow, settings: Any) -> None:
    settings.STREAM_HEARTBEAT_S = 0.05
    following = follow(house.owner, house.start_game(), 1)
    assert following.comment() == ":"


def test_a_stream_ends_when_its_token_is_revoked(
    house: ClubHouse, follow: Follow, settings: Any
) -> None:
    game = house.start_game()
    person = house.member(Role.VIEWER)
    following = follow(person, game)
    assert following.next().id == "1"
    assert person.post("sign-out").status_code == 204
    settings.STREAM_ASK_S = 0.0
    (goodbye,) = following.rest()
    assert (goodbye.event, goodbye.data, goodbye.id) == ("bye", {"reason": "access"}, "1")


def test_a_stream_ends_when_its_follower_has_left_the_club(
    house: ClubHouse, follow: Follow, settings: Any
) -> None:
    person = house.member(Role.VIEWER)
    following = follow(person, house.start_game(), 1)
    person.delete(f"clubs/{house.club.pk}/membership")
    settings.STREAM_ASK_S = 0.0
    assert [message.event for message in following.rest()] == ["bye"]


def test_a_follower_with_a_session_is_known_by_the_cookie(
    house: ClubHouse, follow: Follow, settings: Any
) -> None:
    game = house.start_game()
    person = house.member(Role.VIEWER)
    person.headers = {}
    person.client.force_login(person.account, "django.contrib.auth.backends.ModelBackend")
    settings.STREAM_ASK_S = 0.0
    following = follow(person, game)
    assert following.next().id == "1"
    house.append(game, 1, {"type": "game_ended"})
    assert following.next().id == "2"


def test_more_streams_than_a_caller_may_have_are_refused(
    house: ClubHouse, follow: Follow, settings: Any
) -> None:
    settings.STREAMS_PER_CALLER = 2
    game = house.start_game()
    person = house.member(Role.VIEWER)
    first, _ = follow(person, game), follow(person, game)
    answer = person.get(f"games/{game}/stream")
    assert refused(answer, 429, "too_many_streams") == {"limit": 2}
    assert answer["Retry-After"]
    first.close()
    assert follow(person, game).next().id == "1"


def test_a_game_of_another_club_cannot_be_followed(house: ClubHouse, stranger: Person) -> None:
    game = house.start_game()
    refused(ClubHouse().owner.get(f"games/{game}/stream"), 404, "not_found")
    refused(stranger.get(f"games/{game}/stream"), 401, "not_authenticated")
