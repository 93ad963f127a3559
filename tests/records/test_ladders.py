"""A club's ladder: what is refused, and which version is in force when."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import msgspec
import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st

from records.ladders import (
    POINTS_MAX,
    InvalidLadder,
    check_ladder,
    ladder_of,
    number_tiers,
    set_default_ladder,
    set_ladder,
    version_in_force,
)
from records.models import Account, Club
from records.models import Ladder as LadderVersion
from rules_engine.ladders import DEFAULT_LADDER, Ladder
from tests.support.databases import Database
from tests.support.people import ClubHouse

GOOD = [("新手", "Novice", None), ("老手", "Hand", 100), ("高手", "Master", 500)]


def made(*tiers: tuple[str, str, int | None], **changes: Any) -> Ladder:
    return Ladder(**{"tiers": number_tiers(tiers or GOOD), "start": 0, **changes})


@pytest.fixture
def house(log: Database, django_db_blocker: Any) -> Iterator[ClubHouse]:
    del log
    with django_db_blocker.unblock():
        yield ClubHouse()


@pytest.fixture
def owner(house: ClubHouse) -> Account:
    assert house.owner.account is not None
    return house.owner.account


@pytest.mark.parametrize(
    ("ladder", "tier", "field", "expected"),
    [
        (made(("一", "one", None)), None, "tiers", {"from": 2, "to": 50}),
        (
            made(*[(f"{n}", f"{n}", n or None) for n in range(51)]),
            None,
            "tiers",
            {"from": 2, "to": 50},
        ),
        (made(start=None), None, "start", {"from": -POINTS_MAX, "to": POINTS_MAX}),
        (made(start=POINTS_MAX + 1), None, "start", {"from": -POINTS_MAX, "to": POINTS_MAX}),
        (made(start=-POINTS_MAX - 1), None, "start", {"from": -POINTS_MAX, "to": POINTS_MAX}),
        (made(("低", "low", 0), ("高", "high", 10)), 1, "from_points", None),
        (
            made(("低", "low", None), ("高", "high", None)),
            2,
            "from_points",
            {"from": -POINTS_MAX, "to": POINTS_MAX},
        ),
        (
            made(("低", "low", None), ("中", "mid", 10), ("高", "high", 9)),
            3,
            "from_points",
            {"from": 11, "to": POINTS_MAX},
        ),
        (
            made(("低", "low", None), ("中", "mid", 10), ("高", "high", 10)),
            3,
            "from_points",
            {"from": 11, "to": POINTS_MAX},
        ),
        (
            made(("低", "low", None), ("高", "high", POINTS_MAX + 1)),
            2,
            "from_points",
            {"from": -POINTS_MAX, "to": POINTS_MAX},
        ),
        (made(("", "low", None), ("高", "high", 10)), 1, "zh", {"min_length": 1, "max_length": 20}),
        (made(("低", "l", None), ("高", " h", 10)), 2, "en", {"min_length": 1, "max_length": 20}),
        (
            made(("低", "l" * 21, None), ("高", "h", 10)),
            1,
            "en",
            {"min_length": 1, "max_length": 20},
        ),
        (
            made(("低", "a\x00b", None), ("高", "h", 10)),
            1,
            "en",
            {"min_length": 1, "max_length": 20},
        ),
        (made(("低", "l", None), ("低", "h", 10)), 2, "zh", "a name that tier 1 does not have"),
        (made(("低", "Low", None), ("高", "lOW", 10)), 2, "en", "a name that tier 1 does not have"),
    ],
)
def test_a_ladder_nobody_could_climb_is_refused_and_the_tier_named(
    ladder: Ladder, tier: int | None, field: str, expected: object
) -> None:
    with pytest.raises(InvalidLadder) as refusal:
        check_ladder(ladder)
    facts = refusal.value.facts
    assert (facts["tier"], facts["field"], facts["expected"]) == (tier, field, expected)
    assert tier is None or f"ier {tier}" in refusal.value.message


@given(
    st.lists(st.integers(-POINTS_MAX, POINTS_MAX), unique=True, min_size=1, max_size=49),
    st.data(),
)
def test_thresholds_are_good_exactly_when_they_rise_strictly(
    thresholds: list[int], data: st.DataObject
) -> None:
    order = data.draw(st.permutations(thresholds) | st.just(sorted(thresholds)))
    higher = [(f"{n}", f"{n}", least) for n, least in enumerate(order, 2)]
    ladder = made(("低", "low", None), *higher)
    if list(order) == sorted(thresholds):
        check_ladder(ladder)
    else:
        with pytest.raises(InvalidLadder) as refusal:
            check_ladder(ladder)
        falling = next(n for n in range(1, len(order)) if order[n] < order[n - 1])
        assert refusal.value.facts["tier"] == falling + 2


def test_the_default_ladder_needs_only_a_start_to_be_a_clubs_own() -> None:
    check_ladder(msgspec.structs.replace(DEFAULT_LADDER, start=0))


def test_a_club_that_made_no_ladder_climbs_the_default_one(house: ClubHouse) -> None:
    assert version_in_force(house.club.id) is None
    assert ladder_of(house.club.id) == DEFAULT_LADDER


def test_a_ladder_comes_back_as_it_was_given(house: ClubHouse, owner: Account) -> None:
    ladder = made(start=-5, demotion=False, scope="season")
    version = set_ladder(club=house.club, name="竹林", ladder=ladder, by=owner)
    assert (version.version, version.name, version.created_by) == (1, "竹林", owner)
    assert ladder_of(house.club.id) == ladder


def test_a_refused_ladder_leaves_the_one_in_force(house: ClubHouse, owner: Account) -> None:
    set_ladder(club=house.club, name="a", ladder=made(), by=owner)
    with pytest.raises(InvalidLadder):
        set_ladder(club=house.club, name="b", ladder=made(start=None), by=owner)
    assert ladder_of(house.club.id) == made()
    assert house.club.ladders.count() == 1


def test_each_change_is_a_version_and_each_moment_has_its_own(
    house: ClubHouse, owner: Account
) -> None:
    club = house.club
    first = set_ladder(club=club, name="a", ladder=made(), by=owner)
    second = set_ladder(club=club, name="a", ladder=made(start=50), by=owner)
    back = set_default_ladder(club=club, by=owner)
    again = set_ladder(club=club, name="a", ladder=made(), by=owner)
    assert [row.version for row in (first, second, back, again)] == [1, 2, 3, 4]
    known = [ladder_of(club.id, row.created_at) for row in (first, second, back, again)]
    assert known == [made(), made(start=50), DEFAULT_LADDER, made()]
    assert ladder_of(club.id, club.created_at) == DEFAULT_LADDER
    assert ladder_of(club.id) == made()


def test_setting_what_is_in_force_is_no_new_version(house: ClubHouse, owner: Account) -> None:
    first = set_ladder(club=house.club, name="a", ladder=made(), by=owner)
    same = set_ladder(club=house.club, name="a", ladder=made(), by=owner)
    renamed = set_ladder(club=house.club, name="b", ladder=made(), by=owner)
    assert (same.pk, renamed.version) == (first.pk, 2)
    assert set_default_ladder(club=house.club, by=owner).version == 3
    assert set_default_ladder(club=house.club, by=owner).version == 3


def test_two_ladders_set_at_one_moment_are_two_versions(house: ClubHouse, owner: Account) -> None:
    def change(start: int) -> None:
        try:
            club = Club.objects.get(pk=house.club.pk)
            set_ladder(club=club, name="a", ladder=made(start=start), by=owner)
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(change, range(12)))
    versions = LadderVersion.objects.filter(club=house.club).order_by("version")
    assert [row.version for row in versions] == list(range(1, 13))
    assert {row.start for row in versions} == set(range(12))
