"""Two who change one row at one moment: each has read it before the other wrote."""

import pytest

from records.claims import claim_player, decide_claim
from records.models import Account, Player, Preset, Role
from records.people import remove_account
from records.players import add_player, change_player
from records.presets import change_preset, create_preset
from rules_engine import registry
from tests.support.people import ClubHouse

pytestmark = pytest.mark.usefixtures("database")


def test_a_guest_who_is_renamed_while_a_claim_is_accepted_has_both() -> None:
    house = ClubHouse()
    guest, account = house.players[0], house.member(Role.PLAYER).account
    assert account is not None
    claim = claim_player(player=guest, account=account)
    read_before = Player.objects.get(pk=guest.pk)
    owner = house.club.memberships.get(role=Role.OWNER)
    decide_claim(claim=claim, by=owner, accepted=True)
    change_player(player=read_before, name="Tao the elder")
    now = Player.objects.get(pk=guest.pk)
    assert (now.name, now.account) == ("Tao the elder", account)


def test_a_name_that_somebody_took_with_them_is_not_written_back() -> None:
    house = ClubHouse()
    account = house.member(Role.PLAYER).account
    assert account is not None
    player = add_player(club=house.club, name="Lin Yue", username=account.username)
    read_before = Player.objects.get(pk=player.pk)
    remove_account(Account.objects.get(pk=account.pk))
    change_player(player=read_before, left=True)
    now = Player.objects.get(pk=player.pk)
    assert now.account is None
    assert now.name.startswith("gone-")


def test_two_options_of_a_preset_changed_at_one_moment_are_both_changed() -> None:
    preset = create_preset(
        club=ClubHouse().club, ruleset=registry.get("hefei"), name="ours", options={}
    )
    before = dict(preset.options)
    one, other, *_ = [name for name, value in before.items() if isinstance(value, bool)]
    read_before = Preset.objects.get(pk=preset.pk)
    change_preset(preset=preset, options={one: not before[one]})
    change_preset(preset=read_before, options={other: not before[other]})
    now = Preset.objects.get(pk=preset.pk).options
    assert (now[one], now[other]) == (not before[one], not before[other])
