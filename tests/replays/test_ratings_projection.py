"""Ratings are kept with the ledger: whatever changes, they are what rating anew would give."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from django.utils import timezone

from records.models import Club, Merge, Player, Settlement
from replays import ratings_projection
from replays.projections import advance_projections
from replays.rating_models import RatedClub, RatedGame, Rating
from replays.ratings import ALGORITHM, LIBRARY_VERSION, Match, Skill, rate
from replays.ratings_projection import MODELS, advance_ratings
from tests.support.databases import Database
from tests.support.settled import Books


@dataclass
class League:
    """A rated club of eight people and two guests, who never meet 0 and 1, whom they are."""

    club: Club
    players: list[Player]
    seats: dict[UUID, Books] = field(default_factory=dict)

    def play(self, *seats: int, points: int, number: int | None = None, hand: int = 1) -> UUID:
        """A new game whose first seat wins so many from the last; `number` is its place in time."""
        game_id = uuid4() if number is None else UUID(int=number)
        people = tuple(self.players[seat].id for seat in seats)
        self.seats[game_id] = Books(club_id=self.club.id, players=people)
        self.settle(game_id, (3, 0, points), hand=hand)
        return game_id

    def settle(self, game_id: UUID, *payments: tuple[int, int, int], hand: int = 1) -> None:
        self.seats[game_id].settle(*payments, game_id=game_id, hand=hand, winner=0)

    def void(self, game_id: UUID, hand: int = 1) -> None:
        self.seats[game_id].settle(game_id=game_id, hand=hand, result="abandoned")

    def ratings(self) -> dict[int, Rating]:
        """By the number of the player."""
        numbers = {player.id: number for number, player in enumerate(self.players)}
        return {numbers[row.person_id]: row for row in Rating.objects.all()}

    def merge(self, absorbed: int, into: int) -> Merge:
        return Merge.objects.create(
            club=self.club, absorbed=self.players[absorbed], into=self.players[into]
        )


@pytest.fixture
def league(database: Database) -> League:
    club = Club.objects.create(name="Club", slug="club", rated=True)
    return League(
        club, [Player.objects.create(club=club, name=f"player {number}") for number in range(10)]
    )


def kept() -> list[list[dict[str, Any]]]:
    return [sorted(model._default_manager.values(), key=repr) for model in MODELS]


def made_anew() -> list[list[dict[str, Any]]]:
    with transaction.atomic():
        for model in MODELS:
            model._default_manager.all().delete()
        while advance_ratings():
            pass
    return kept()


def from_the_ledger(league: League) -> dict[UUID, Skill]:
    """Skills from the settlements themselves, without anything the read side keeps."""
    into = dict(Merge.objects.filter(undone_at=None).values_list("absorbed_id", "into_id"))
    games: dict[UUID, dict[UUID, int]] = {}
    for row in Settlement.objects.order_by("game_id", "hand", "-revision").distinct(
        "game_id", "hand"
    ):
        for player, points in zip(row.players, row.points, strict=True):
            if row.result == "hu":
                person = into.get(player, player)
                game = games.setdefault(row.game_id, {})
                game[person] = game.get(person, 0) + points
    skills: dict[UUID, Skill] = {}
    list(rate([Match(0, game_id, games[game_id]) for game_id in sorted(games)], skills))
    return skills


def insist_on_what_rating_anew_gives(league: League) -> None:
    before = kept()
    skills = {row.person_id: Skill(row.mu, row.sigma) for row in Rating.objects.all()}
    assert skills == (from_the_ledger(league) if league.club.rated else {})
    assert made_anew() == before


def test_a_game_is_one_match_of_all_who_sat_in_it(league: League) -> None:
    game_id = league.play(0, 2, 3, 4, points=10)
    league.settle(game_id, (1, 0, 5), hand=2)
    advance_projections()
    rows = RatedGame.objects.order_by("place", "person_id")
    assert [(row.place, row.points) for row in rows] == [(1, 15), (2, 0), (3, -5), (4, -10)]
    assert {(row.algorithm, row.library_version) for row in rows} == {(ALGORITHM, LIBRARY_VERSION)}
    ratings = league.ratings()
    assert {number: row.games for number, row in ratings.items()} == {0: 1, 2: 1, 3: 1, 4: 1}
    for row in rows:
        rating = Rating.objects.get(person_id=row.person_id)
        assert (rating.mu, rating.sigma) == (row.mu_after, row.sigma_after)
        assert rating.ordinal == rating.mu - 3 * rating.sigma
        assert (row.mu_before, row.sigma_before) == (25.0, 25 / 3)


def test_a_club_that_is_not_rated_has_no_ratings(league: League) -> None:
    league.club.rated = False
    league.club.save()
    league.play(0, 2, 3, 4, points=10)
    advance_projections()
    assert not Rating.objects.exists()
    assert not RatedClub.objects.exists()


def test_switching_off_forgets_and_switching_on_rates_what_was_played_meanwhile(
    league: League,
) -> None:
    league.play(0, 2, 3, 4, points=10)
    advance_projections()
    before = kept()
    for rated in (False, True):
        league.club.rated = rated
        league.club.save()
        advance_projections()
        assert Rating.objects.exists() == rated
    assert kept() == before
    league.club.rated = False
    league.club.save()
    league.play(2, 0, 3, 4, points=10)
    advance_projections()
    league.club.rated = True
    league.club.save()
    advance_projections()
    assert {row.games for row in Rating.objects.all()} == {2}
    insist_on_what_rating_anew_gives(league)


def test_a_game_without_a_hand_in_force_is_no_match(league: League) -> None:
    game_id = league.play(0, 2, 3, 4, points=10)
    league.play(0, 2, 3, 4, points=10)
    advance_projections()
    league.void(game_id)
    advance_projections()
    assert {row.games for row in Rating.objects.all()} == {1}
    insist_on_what_rating_anew_gives(league)
    assert not RatedGame.objects.filter(game_id=game_id).exists()


def test_who_lost_the_only_game_to_a_ruling_has_no_rating(league: League) -> None:
    game_id = league.play(0, 2, 3, 4, points=10)
    advance_projections()
    league.void(game_id)
    advance_projections()
    assert not Rating.objects.exists()


def test_an_early_game_that_changes_changes_all_later_ones(league: League) -> None:
    games = [league.play(0, 2, 3, 4, points=10, number=number) for number in range(1, 5)]
    advance_projections()
    before = {row.game_id: row.mu_after for row in RatedGame.objects.filter(place=1)}
    league.settle(games[1], (0, 3, 10))
    advance_projections()
    after = {row.game_id: row.mu_after for row in RatedGame.objects.filter(place=1)}
    assert after[games[0]] == before[games[0]]
    assert all(after[game] != before[game] for game in games[1:])
    insist_on_what_rating_anew_gives(league)


def test_a_game_that_arrives_late_is_rated_in_its_place(league: League) -> None:
    league.play(0, 2, 3, 4, points=10, number=5)
    advance_projections()
    league.play(4, 3, 2, 0, points=10, number=2)
    advance_projections()
    insist_on_what_rating_anew_gives(league)
    assert RatedGame.objects.filter(game_id=UUID(int=2)).first().mu_before == 25.0


def test_a_merge_gives_a_guests_games_to_the_person_and_undoing_takes_them_back(
    league: League,
) -> None:
    league.play(0, 2, 3, 4, points=10)
    league.play(8, 2, 3, 4, points=10)
    advance_projections()
    before = kept()
    merge = league.merge(absorbed=8, into=0)
    advance_projections()
    ratings = league.ratings()
    assert (ratings[0].games, 8 in ratings) == (2, False)
    insist_on_what_rating_anew_gives(league)
    merge.undone_at = timezone.now()
    merge.save()
    advance_projections()
    assert kept()[2:] == before[2:]
    insist_on_what_rating_anew_gives(league)


def test_another_version_of_the_library_rates_everything_anew(
    league: League, monkeypatch: pytest.MonkeyPatch
) -> None:
    league.play(0, 2, 3, 4, points=10)
    advance_projections()
    monkeypatch.setattr(ratings_projection, "LIBRARY_VERSION", "openskill 99")
    advance_projections()
    assert {row.library_version for row in RatedGame.objects.all()} == {"openskill 99"}
    insist_on_what_rating_anew_gives(league)


def test_where_many_games_are_due_the_club_says_so_until_they_are_rated(league: League) -> None:
    for number in range(1, 8):
        league.play(*((0, 2, 3, 4) if number % 2 else (4, 5, 2, 0)), points=number, number=number)
    advance_projections()
    whole = kept()
    with transaction.atomic():
        for model in MODELS:
            model._default_manager.all().delete()
        assert [advance_ratings(3)] == [3]
        assert RatedClub.objects.get().due_from_game == UUID(int=4)
        assert [advance_ratings(3) for _ in range(3)] == [3, 1, 0]
    assert RatedClub.objects.get().due_from_game is None
    assert kept() == whole


def test_clubs_do_not_touch_each_other(league: League) -> None:
    other = Club.objects.create(name="Other", slug="other", rated=True)
    players = tuple(Player.objects.create(club=other, name=str(n)).id for n in range(4))
    Books(club_id=other.id, players=players).settle((3, 0, 10), winner=0)
    advance_projections()
    before = list(Rating.objects.filter(club_id=other.id).order_by("person_id").values())
    league.play(0, 2, 3, 4, points=10)
    advance_projections()
    after = list(Rating.objects.filter(club_id=other.id).order_by("person_id").values())
    assert (after, len(before)) == (before, 4)


@pytest.mark.parametrize("seed", range(4))
def test_random_games_corrections_merges_and_switches_leave_what_rating_anew_gives(
    league: League, seed: int
) -> None:
    dice = Random(seed)
    merge: Merge | None = None
    for _ in range(30):
        games = sorted(league.seats)
        kind = dice.randrange(10)
        if kind < 4 or not games:
            # Guest 8 is player 0 and guest 9 is player 1, so neither meets the other.
            people = [dice.choice((0, 8)), dice.choice((1, 9)), *dice.sample(range(2, 8), 2)]
            dice.shuffle(people)
            league.play(*people, points=dice.randint(1, 9), number=dice.randrange(1, 10**6))
        elif kind < 7:
            game_id, payer = dice.choice(games), dice.randint(1, 3)
            league.settle(game_id, (payer, 0, dice.randint(1, 9)), hand=dice.randint(1, 3))
        elif kind == 7:
            league.void(dice.choice(games))
        elif kind == 8:
            if merge is None:
                merge = league.merge(absorbed=8, into=0)
            else:
                merge.undone_at = timezone.now()
                merge.save()
                merge = None
        else:
            league.club.rated = not league.club.rated
            league.club.save()
        if dice.random() < 0.6:
            advance_projections()
    advance_projections()
    insist_on_what_rating_anew_gives(league)
