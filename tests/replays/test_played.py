"""Lists of games: in which order, how each stands, and who learns it when."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.db import connections
from django.test import Client
from django.test.utils import CaptureQueriesContext

from records.append import append_events, create_game
from records.journal import seal_pending
from records.milestones import place_milestones
from records.models import Account, Club, Membership, Player, Role
from records.settlement import settle_sealed
from replays.played import Played, games_played
from rules_engine import registry
from rules_engine.events import CLUB, GameEnded, GameStarted, Rewind
from rules_engine.ruleset import dump_options
from tests.support.databases import Database
from tests.support.recorded import RecordedGame

EVERYBODY = AnonymousUser()
HOUR_MS = 3_600_000


def club_of(*names: str, **settings: Any) -> tuple[Club, list[UUID]]:
    """A club whose games everybody may look at, and its players."""
    slug = f"club-{Club.objects.count()}"
    club = Club.objects.create(name=slug, slug=slug, public_games=True, **settings)
    people = Player.objects.bulk_create(
        Player(club=club, name=name) for name in names or "甲乙丙丁"
    )
    return club, [person.pk for person in people]


def recorded(club: Club, people: list[UUID]) -> RecordedGame:
    return RecordedGame(club_id=club.pk, players=tuple(people[:4]))


def settle() -> None:
    seal_pending()
    settle_sealed()
    place_milestones()


def began(club: Club, people: list[UUID], at_ms: int, slug: str = "hefei") -> UUID:
    """A game that began at this time, whenever it is recorded."""
    ruleset = registry.get(slug)
    game_id = create_game(club_id=club.pk)
    started = GameStarted(
        ruleset=slug,
        ruleset_version=ruleset.version,
        options=dump_options(ruleset.options()),
        players=tuple(map(str, people[:4])),
    )
    append_events(
        game_id=game_id,
        expected_seq=0,
        events=[started],
        command_id="start",
        occurred_at_ms=[at_ms],
    )
    return game_id


def shown(club: Club, account: Any = EVERYBODY, **asked: Any) -> list[Played]:
    return games_played(account, [club], **{"limit": 10, **asked})


def points_in(game: Played) -> dict[str, int]:
    return {seat.name: seat.points for seat in game.seats}


def test_games_are_listed_by_when_they_were_played_and_not_by_when_they_were_recorded(
    database: Database,
) -> None:
    club, people = club_of()
    late, early, middle = (began(club, people, hour * HOUR_MS) for hour in (9, 1, 5))
    place_milestones()
    assert [game.id for game in shown(club)] == [late, middle, early]
    assert shown(club)[-1].began_at.isoformat() == "1970-01-01T01:00:00+00:00"
    assert [game.id for game in shown(club, before=late)] == [middle, early]
    assert [game.id for game in shown(club, after=early, limit=1)] == [middle]
    assert [game.id for game in shown(club, after=early)] == [late, middle]


def test_games_of_one_moment_are_all_reached(database: Database) -> None:
    club, people = club_of()
    made = {began(club, people, HOUR_MS) for _ in range(4)}
    place_milestones()
    first, second = shown(club, limit=2)
    rest = shown(club, before=second.id)
    assert {first.id, second.id, *(game.id for game in rest)} == made
    assert len(rest) == 2


def test_a_list_of_several_clubs_is_in_one_order_and_has_those_of_one_ruleset(
    database: Database,
) -> None:
    one, of_one = club_of()
    other, of_other = club_of()
    hidden, of_hidden = club_of()
    a, b, c = (
        began(one, of_one, HOUR_MS),
        began(other, of_other, 2 * HOUR_MS, "qingdao"),
        began(one, of_one, 3 * HOUR_MS),
    )
    began(hidden, of_hidden, 4 * HOUR_MS)
    place_milestones()
    found = games_played(EVERYBODY, [one, other], limit=10)
    assert [(game.id, game.club) for game in found] == [(c, one), (b, other), (a, one)]
    assert [game.id for game in games_played(EVERYBODY, [one, other], limit=1)] == [c]
    found = games_played(EVERYBODY, [one, other], limit=10, ruleset="qingdao")
    assert [game.id for game in found] == [b]


def test_a_game_shows_points_with_rulings_and_entries_and_the_hands_settled(
    database: Database,
) -> None:
    club, people = club_of()
    game = recorded(club, people)
    game.play(1)
    game.play(None)
    game.correct(1, 2)
    game.penalise((str(people[0]), str(people[3]), 7), (str(people[0]), CLUB, 5))
    settle()
    (listed,) = shown(club)
    assert listed.hands == 2
    # Hand 1 after the ruling: the dealer pays 12, the others 10; then the penalty.
    assert points_in(listed) == {"甲": -24, "乙": -10, "丙": 32, "丁": -3}


def test_a_game_is_live_until_it_ends_and_again_when_its_end_is_taken_back(
    database: Database,
) -> None:
    club, people = club_of()
    game = recorded(club, people)
    game.play(1)
    settle()
    assert [each.state for each in shown(club)] == ["live"]
    game.append(GameEnded())
    game.correct(1, 2)
    assert [each.state for each in shown(club)] == ["over"]
    game.append(Rewind(to=2, reason="too early"))
    assert [each.state for each in shown(club)] == ["live"]


def test_a_game_that_was_left_is_unfinished(database: Database) -> None:
    club, people = club_of()
    game = recorded(club, people)
    settle()
    with database.connect() as owner:
        owner.execute("ALTER TABLE event DISABLE TRIGGER USER")
        owner.execute("UPDATE event SET recorded_at = now() - interval '1 day'")
    assert [(each.id, each.state) for each in shown(club)] == [(game.id, "unfinished")]


def test_spectators_learn_points_no_earlier_than_their_club_wants(database: Database) -> None:
    club, people = club_of(spectator_delay_s=3600)
    game = recorded(club, people)
    game.play(1)
    game.append(GameEnded())
    settle()
    stranger, referee, player = (
        Account.objects.create(username=name) for name in ("stranger", "referee", "player")
    )
    Membership.objects.create(account=referee, club=club, role=Role.REFEREE)
    Membership.objects.create(account=player, club=club, role=Role.PLAYER)
    Player.objects.filter(pk=people[2]).update(account=player)
    for account in (EVERYBODY, stranger):
        (listed,) = shown(club, account)
        assert (listed.state, listed.hands, set(points_in(listed).values())) == ("live", 0, {0})
    for account in (referee, player):
        (listed,) = shown(club, account)
        assert (listed.state, listed.hands) == ("over", 1)
        assert points_in(listed)["乙"] == 32


def test_a_page_of_games_asks_as_many_questions_however_much_was_played(
    database: Database,
) -> None:
    club, people = club_of()

    def questions() -> int:
        captured = [CaptureQueriesContext(connections[each]) for each in ("default", "reader")]
        with captured[0], captured[1]:
            assert Client().get("/games/").status_code == 200
        return sum(map(len, captured))

    game = recorded(club, people)
    game.play(1)
    settle()
    before = questions()
    for _ in range(12):
        game.play(1)
        began(club, people, HOUR_MS)
    settle()
    assert questions() == before


def test_the_list_leads_from_page_to_page_and_back(database: Database) -> None:
    club, people = club_of()
    made = [began(club, people, hour * HOUR_MS) for hour in range(35)][::-1]
    place_milestones()

    def page(query: str) -> Any:
        answer = Client().get(f"/games/{query}")
        assert answer.status_code == 200
        return answer.context

    first = page("")
    assert [row["id"] for row in first["games"]] == made[:30]
    assert first["newer"] == ""
    second = page(first["older"])
    assert [row["id"] for row in second["games"]] == made[30:]
    assert second["older"] == ""
    back = page(second["newer"])
    assert [row["id"] for row in back["games"]] == made[:30]
    assert (back["newer"], back["older"]) == ("", first["older"])


def test_the_list_is_narrowed_and_what_there_is_not_is_not_found(database: Database) -> None:
    club, people = club_of()
    began(club, people, HOUR_MS)
    place_milestones()
    client = Client()
    assert len(client.get(f"/games/?club={club.slug}&ruleset=hefei").context["games"]) == 1
    empty = client.get("/games/?ruleset=qingdao&lang=en")
    assert "No games match." in empty.content.decode()
    for query in ("?club=nowhere", "?ruleset=chess", "?before=x"):
        assert client.get(f"/games/{query}").status_code == 404
