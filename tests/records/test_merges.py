"""Two records of one person: merged without touching the log, undone, never in a circle."""

import itertools
from datetime import timedelta

import pytest
from django.utils import timezone

from records.clubs import create_club, join
from records.journal import seal_pending
from records.merges import (
    CannotMerge,
    MergeUndone,
    SatAtOneTable,
    merge,
    person_of,
    preview,
    undo_merge,
)
from records.models import Account, Club, Merge, Player, Role
from records.players import add_player
from records.settlement import settle_sealed
from records.verification import verify_game
from tests.support.at_once import at_once
from tests.support.recorded import RecordedGame

pytestmark = pytest.mark.usefixtures("log")
numbers = itertools.count(1)


@pytest.fixture
def owner() -> Account:
    """Somebody who may merge."""
    return Account.objects.create(username=f"merger-{next(numbers)}")


@pytest.fixture
def club(owner: Account) -> Club:
    """A club of theirs."""
    slug = f"merge-club-{next(numbers)}"
    return create_club(owner=owner, name=slug, slug=slug, time_zone="UTC")


def players(club: Club, count: int) -> list[Player]:
    """New guests."""
    return [add_player(club=club, name=f"Guest {next(numbers)}") for _ in range(count)]


def with_account(club: Club) -> Player:
    """A new member's player."""
    account = Account.objects.create(username=f"member-{next(numbers)}")
    join(club=club, account=account, role=Role.PLAYER)
    return add_player(club=club, name=account.username, username=account.username)


def game_of(club: Club, seats: list[Player]) -> RecordedGame:
    """A game of these four."""
    return RecordedGame(club_id=club.pk, players=tuple(player.pk for player in seats))


def settle() -> None:
    """Do what the workers do."""
    seal_pending()
    settle_sealed()


def test_what_one_record_played_counts_for_the_other_at_the_end_of_the_chain(
    club: Club, owner: Account
) -> None:
    first, second, third, other = players(club, 4)
    merge(absorbed=first, into=second, by=owner)
    assert person_of(club.pk) == {first.pk: second.pk}
    merge(absorbed=second, into=third, by=owner)
    assert person_of(club.pk) == {first.pk: third.pk, second.pk: third.pk}
    assert other.pk not in person_of(club.pk)


def test_undoing_a_merge_gives_both_records_back(club: Club, owner: Account) -> None:
    first, second, third = players(club, 3)
    made = merge(absorbed=first, into=second, by=owner)
    merge(absorbed=second, into=third, by=owner)
    undo_merge(made)
    assert person_of(club.pk) == {second.pk: third.pk}
    with pytest.raises(MergeUndone):
        undo_merge(made)
    merge(absorbed=first, into=third, by=owner)
    assert person_of(club.pk) == {first.pk: third.pk, second.pk: third.pk}


def test_who_counts_for_whom_can_be_told_for_an_earlier_moment(club: Club, owner: Account) -> None:
    first, second, third = players(club, 3)
    before = timezone.now()
    made = merge(absorbed=first, into=second, by=owner)
    between = timezone.now()
    merge(absorbed=second, into=third, by=owner)
    undo_merge(made)
    assert person_of(club.pk, before) == {}
    assert person_of(club.pk, between) == {first.pk: second.pk}
    assert person_of(club.pk, timezone.now()) == {second.pk: third.pk}


def test_clocks_that_differ_cannot_send_anybody_round_in_circles(
    club: Club, owner: Account
) -> None:
    first, second = players(club, 2)
    there = merge(absorbed=first, into=second, by=owner)
    undo_merge(there)
    back = merge(absorbed=second, into=first, by=owner)
    Merge.objects.filter(pk=back.pk).update(created_at=there.created_at)
    moment = there.created_at + timedelta(microseconds=1)
    assert set(person_of(club.pk, moment)) == {first.pk, second.pk}


def test_a_merge_is_refused_where_it_would_make_a_circle_or_a_second_master(
    club: Club, owner: Account
) -> None:
    first, second, third = players(club, 3)
    with pytest.raises(CannotMerge, match="one record already"):
        merge(absorbed=first, into=first, by=owner)
    merge(absorbed=first, into=second, by=owner)
    for absorbed, into in ((second, first), (first, third), (third, first)):
        with pytest.raises(CannotMerge, match="counts for another player already") as refusal:
            merge(absorbed=absorbed, into=into, by=owner)
        assert refusal.value.facts["person"] == str(second.pk)


def test_two_merges_at_once_make_no_circle(club: Club, owner: Account) -> None:
    for _ in range(3):
        first, second = players(club, 2)
        outcomes = at_once(
            lambda first=first, second=second: merge(absorbed=first, into=second, by=owner),
            lambda first=first, second=second: merge(absorbed=second, into=first, by=owner),
        )
        assert {type(outcome) for outcome in outcomes} == {Merge, CannotMerge}


def test_players_of_two_clubs_are_not_merged(club: Club, owner: Account) -> None:
    slug = f"other-{next(numbers)}"
    other = create_club(owner=owner, name=slug, slug=slug, time_zone="UTC")
    with pytest.raises(CannotMerge, match="different clubs"):
        merge(absorbed=players(club, 1)[0], into=players(other, 1)[0], by=owner)


def test_two_accounts_are_two_people_and_an_account_is_not_lost_in_a_merge(
    club: Club, owner: Account
) -> None:
    signs_in, also = with_account(club), with_account(club)
    (guest,) = players(club, 1)
    with pytest.raises(CannotMerge, match="Both have an account"):
        merge(absorbed=signs_in, into=also, by=owner)
    with pytest.raises(CannotMerge, match=f"merge '{guest.name}' into '{signs_in.name}'"):
        merge(absorbed=signs_in, into=guest, by=owner)
    merge(absorbed=guest, into=signs_in, by=owner)
    assert person_of(club.pk) == {guest.pk: signs_in.pk}


def test_two_who_sat_at_one_table_are_two_persons(club: Club, owner: Account) -> None:
    four = players(club, 4)
    game = game_of(club, four)
    with pytest.raises(SatAtOneTable, match=str(game.id)):
        merge(absorbed=four[0], into=four[1], by=owner)
    game.play(1)
    settle()
    with pytest.raises(SatAtOneTable, match="hand 1"):
        preview(absorbed=four[2], into=four[3])


def test_who_was_merged_before_counts_when_it_is_asked_who_sat_at_one_table(
    club: Club, owner: Account
) -> None:
    four, (earlier, later) = players(club, 4), players(club, 2)
    game_of(club, four).play(1)
    settle()
    merge(absorbed=four[0], into=earlier, by=owner)
    merge(absorbed=four[1], into=later, by=owner)
    with pytest.raises(SatAtOneTable):
        merge(absorbed=earlier, into=later, by=owner)


def test_a_preview_says_what_each_record_amounts_to(club: Club, owner: Account) -> None:
    first, second, *others = players(club, 5)
    one = game_of(club, [first, *others])
    one.play(0)
    one.play(None)
    game_of(club, [second, *others]).play(1)
    settle()
    found = preview(absorbed=first, into=second)
    assert (found.absorbed.games, found.absorbed.hands) == (1, 2)
    assert (found.into.games, found.into.hands) == (1, 1)
    assert found.absorbed.points > 0 > found.into.points
    assert not Merge.objects.filter(club=club).exists()
    assert merge(absorbed=first, into=second, by=owner).absorbed == first
    assert verify_game(one.id).finding is None
