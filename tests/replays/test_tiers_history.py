"""A player's way on the ladder: for the boards, for any moment, and for a ladder not yet set."""

from __future__ import annotations

from datetime import UTC, date, datetime
from random import Random
from typing import Any
from uuid import UUID

import pytest
from django.utils import timezone

from records.ladders import number_tiers, set_ladder
from records.models import Account, Club, Merge, Player, Season, Settlement
from records.models import Ladder as LadderVersion
from records.seasons import season_at
from replays.models import ALL_TIME, TierChange
from replays.projections import advance_projections
from replays.tiers_history import TierHistory, preview_ladder, tier_history
from rules_engine.ladders import DEFAULT_LADDER, Ladder, climb
from tests.support.databases import Database
from tests.support.settled import Books

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
PLAYED_ON = date(2023, 11, 15)
"""The day, in the club's time zone, on which the games of `Books` begin."""


def ladder_with(*thresholds: int, **changes: Any) -> Ladder:
    tiers = [("一", "one", None), *((f"{n}", f"tier {n}", n) for n in thresholds)]
    return Ladder(**{"tiers": number_tiers(tiers), "start": 0, **changes})


@pytest.fixture
def club(database: Database) -> Club:
    return Club.objects.create(name="Club", slug="club")


@pytest.fixture
def books(club: Club) -> Books:
    players = [Player.objects.create(club=club, name=f"player {n}") for n in range(4)]
    return Books(club_id=club.id, players=tuple(player.id for player in players))


def use(club: Club, ladder: Ladder) -> None:
    """Set a ladder, as if long ago."""
    account = Account.objects.get_or_create(username="owner")[0]
    set_ladder(club=club, name="own", ladder=ladder, by=account)
    LadderVersion.objects.update(created_at=LONG_AGO)


def steps_of(history: TierHistory) -> list[tuple[Any, ...]]:
    return [
        (step.from_tier.tier, step.to_tier.tier, step.score, step.game_id, step.hand)
        for step in history.steps
    ]


def kept_steps(person: UUID, season_id: UUID = ALL_TIME) -> list[tuple[Any, ...]]:
    """What the boards keep of the same."""
    rows = TierChange.objects.filter(player_id=person, season_id=season_id, ruleset="").order_by(
        "ended_at_ms", "game_id", "hand", "entry"
    )
    return list(rows.values_list("from_tier", "to_tier", "ladder_score", "game_id", "hand"))


def test_a_correction_takes_back_the_tier_that_the_hand_gave(club: Club, books: Books) -> None:
    use(club, ladder_with(10, 20, demotion=False))
    first = books.settle((0, 1, 12), winner=1)
    books.settle((1, 0, 9), winner=0)
    advance_projections()
    winner = books.players[1]
    assert tier_history(club, winner).rung.tier == 2
    fixed = books.settle((0, 1, 2), winner=1, game_id=first.game_id)
    advance_projections()
    assert (tier_history(club, winner).rung.tier, kept_steps(winner)) == (1, [])
    before = tier_history(club, winner, known_at=Settlement.objects.get(position=2).settled_at)
    assert (before.rung.tier, steps_of(before)) == (2, [(1, 2, 12, first.game_id, 1)])
    after = tier_history(club, winner, known_at=fixed.settled_at)
    assert after == tier_history(club, winner)


def test_the_ladder_is_the_one_in_force_when_it_was_known(club: Club, books: Books) -> None:
    hand = books.settle((0, 1, 12), winner=1)
    advance_projections()
    use(club, ladder_with(10))
    LadderVersion.objects.update(created_at=timezone.now())
    known = tier_history(club, books.players[1], known_at=hand.settled_at)
    assert known.ladder == DEFAULT_LADDER
    assert tier_history(club, books.players[1]).ladder == ladder_with(10)


def test_a_persons_steps_come_from_all_records_merged_into_one(club: Club, books: Books) -> None:
    use(club, ladder_with(10))
    guest = Player.objects.create(club=club, name="guest")
    seated = (guest.id, *books.players[1:])
    books.settle((1, 0, 6), winner=0)
    other = Books(club_id=club.id, players=seated).settle((1, 0, 6), winner=0)
    advance_projections()
    Merge.objects.create(club=club, absorbed=guest, into_id=books.players[0])
    advance_projections()
    history = tier_history(club, books.players[0])
    assert steps_of(history) == [(1, 2, 12, other.game_id, 1)]
    assert history == tier_history(club, guest.id)
    assert kept_steps(books.players[0]) == steps_of(history)
    before = tier_history(club, books.players[0], known_at=other.settled_at)
    assert (before.rung.score, before.steps) == (6, ())


def test_a_ladder_by_season_counts_that_seasons_points(club: Club, books: Books) -> None:
    use(club, ladder_with(10, scope="season"))
    books.settle((0, 1, 12), winner=1)
    advance_projections()
    assert tier_history(club, books.players[1]).season is None
    played = Season.objects.create(club=club, name="then", starts_on=PLAYED_ON, ends_on=PLAYED_ON)
    later = Season.objects.create(
        club=club, name="now", starts_on=date(2024, 1, 1), ends_on=date(2199, 1, 1)
    )
    advance_projections()
    then = tier_history(club, books.players[1], season=played)
    assert (then.rung.tier, kept_steps(books.players[1], played.id)) == (2, steps_of(then))
    now = tier_history(club, books.players[1])
    assert (now.season, now.rung, now.steps) == (later, None, ())
    assert season_at(club, datetime(2023, 11, 15, 2, tzinfo=UTC)) == played
    assert season_at(club, datetime(2023, 12, 1, tzinfo=UTC)) == played
    assert season_at(club, datetime(2023, 1, 1, tzinfo=UTC)) is None


def test_a_preview_counts_who_would_stand_where(club: Club, books: Books) -> None:
    books.settle((0, 1, 12), (0, 2, 40), winner=1)
    books.settle((2, 0, 35), winner=0)
    advance_projections()
    preview = preview_ladder(club, ladder_with(10, 30, demotion=False))
    assert preview.players_before[0] == 4
    assert preview.players_after == (2, 1, 1)
    moves = [(mover.person_id, mover.after.tier, mover.after.score) for mover in preview.movers]
    assert moves == [(books.players[2], 3, 5), (books.players[1], 2, 12)]
    falling = preview_ladder(club, ladder_with(10, 30))
    assert falling.players_after == (3, 1, 0)


def test_a_preview_by_season_knows_who_has_played_in_it(club: Club, books: Books) -> None:
    books.settle((0, 1, 12), winner=1)
    advance_projections()
    preview = preview_ladder(club, ladder_with(10, scope="season"))
    assert (preview.players_after, len(preview.movers)) == ((0, 0), 4)
    Season.objects.create(club=club, name="then", starts_on=PLAYED_ON, ends_on=PLAYED_ON)
    preview = preview_ladder(club, ladder_with(10, scope="season"))
    assert (preview.players_after, len(preview.movers)) == ((3, 1), 1)


@pytest.mark.parametrize("seed", range(3))
def test_after_random_corrections_every_step_is_what_climbing_anew_gives(
    club: Club, books: Books, seed: int
) -> None:
    dice = Random(seed)
    use(club, ladder_with(-10, 5, 15, 40, demotion=bool(seed % 2), start=3))
    games: list[UUID] = []
    known: dict[datetime, list[Any]] = {}
    for _ in range(25):
        again = dice.choice(games) if games and dice.random() < 0.5 else None
        payer, winner = dice.sample(range(4), 2)
        void = again is not None and dice.random() < 0.2
        settled = books.settle(
            *([] if void else [(payer, winner, dice.randint(1, 30))]),
            game_id=again,
            winner=winner,
            result="abandoned" if void else "hu",
        )
        games.append(settled.game_id)
        if dice.random() < 0.5:
            advance_projections()
            known[settled.settled_at] = [tier_history(club, each) for each in books.players]
    advance_projections()
    for seat, player in enumerate(books.players):
        history = tier_history(club, player)
        assert steps_of(history) == kept_steps(player)
        results = Settlement.objects.order_by("game_id", "-revision").distinct("game_id")
        played = sorted((r.ended_at_ms, r.points[seat]) for r in results if r.result == "hu")
        anew = climb([points for _, points in played], ladder=history.ladder, ladder_start=0)
        assert (history.rung, len(history.steps)) == (anew.rung, len(anew.steps))
    for moment, histories in known.items():
        assert [tier_history(club, each, known_at=moment) for each in books.players] == histories
