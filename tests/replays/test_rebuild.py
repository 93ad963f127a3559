"""Making the read side anew: the same as kept hand by hand, safe meanwhile, and it mends damage."""

import threading
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, connections

from replays.models import PlaceCount, Result, Standing, TierChange
from replays.projections import advance_projections
from replays.rebuild import rebuild
from tests.support.club_life import ClubLife
from tests.support.databases import Database
from tests.support.settled import Books


@pytest.mark.parametrize("seed", range(4))
def test_kept_hand_by_hand_through_changes_of_every_definition_it_is_as_made_anew(
    database: Database, seed: int
) -> None:
    life = ClubLife(seed=seed)
    life.club.rated = True
    life.club.save()
    for number in range(12):
        life.happen(5)
        if number % 2:
            life.redefine()
        advance_projections(batch=1 + 3 * (number % 3))
    advance_projections()
    assert Standing.objects.exists()
    assert rebuild(mend=False).differences == ()
    assert rebuild(mend=False, club_id=life.club.pk).differences == ()


def test_damage_is_found_reported_and_mended(database: Database) -> None:
    life = ClubLife(seed=20)
    life.happen(30)
    advance_projections()
    standing = Standing.objects.filter(ruleset="").first()
    assert standing is not None
    before = sorted(Standing.objects.values_list(), key=repr)
    Standing.objects.filter(pk=standing.pk).update(points=standing.points + 1)
    lost = Result.objects.filter(until_position=None).last()
    assert lost is not None
    Result.objects.filter(pk=lost.pk).delete()
    PlaceCount.objects.filter(level=3).update(players=7)
    TierChange.objects.all().delete()
    with pytest.raises(CommandError, match="4 tables differ"):
        call_command("rebuild", "--check", stdout=(told := StringIO()))
    assert "standing: 1 rows wrong, 1 missing" in told.getvalue()
    assert f"points={standing.points + 1}" in told.getvalue()
    assert "result: 0 rows wrong, 1 missing" in told.getvalue()
    assert f"game_id={lost.game_id}" in told.getvalue()
    call_command("rebuild", "--club", life.club.slug, stdout=(told := StringIO()))
    assert "4 tables put right" in told.getvalue()
    call_command("rebuild", "--check", stdout=(told := StringIO()))
    assert told.getvalue().endswith(": as kept\n")
    assert sorted(Standing.objects.values_list(), key=repr) == before


def test_one_clubs_rebuild_leaves_the_others_alone(database: Database) -> None:
    mine, others = Books(), Books()
    mine.settle((0, 1, 5), winner=1)
    others.settle((0, 1, 5), winner=1)
    advance_projections()
    Standing.objects.update(points=1)
    rebuild(club_id=mine.club_id)
    assert sorted(Standing.objects.filter(ruleset="").values_list("club_id", "points")) == sorted(
        [(mine.club_id, points) for points in (-5, 5, 0, 0)]
        + [(others.club_id, 1) for _ in range(4)]
    )


def test_a_rebuild_sees_what_was_taken_in_meanwhile(database: Database) -> None:
    life = ClubLife(seed=21)
    life.happen(40)
    advance_projections()
    is_over = threading.Event()
    settled: list[int] = []

    def go_on() -> None:
        try:
            while not is_over.is_set() and len(settled) < 400:
                life.happen()
                settled.append(1)
                advance_projections()
        finally:
            connections.close_all()

    going_on = threading.Thread(target=go_on)
    going_on.start()
    try:
        found: list[Any] = [rebuild(batch=10) for _ in range(3)]
    finally:
        is_over.set()
        going_on.join()
    assert [each.differences for each in found] == [(), (), ()]
    assert 40 <= found[0].position < found[2].position <= 40 + len(settled)
    advance_projections()
    assert rebuild(mend=False).differences == ()


def test_nothing_of_a_rebuild_stays_in_the_session(database: Database) -> None:
    rebuild()
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_class WHERE relpersistence = 't'")
        assert cursor.fetchone() == (0,)
        cursor.execute("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'")
        assert cursor.fetchone() == (0,)


def test_an_unknown_club_is_refused(database: Database) -> None:
    with pytest.raises(CommandError, match="no club 'nowhere'"):
        call_command("rebuild", "--club", "nowhere")
