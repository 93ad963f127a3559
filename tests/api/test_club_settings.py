"""Settings, seasons, presets and merges of a club, over HTTP."""

from typing import Any
from uuid import uuid4

import pytest

from records.models import Merge, Preset, Role, Season
from records.presets import change_preset
from rules_engine import registry
from tests.support.people import HAND_RESULT, ClubHouse
from tests.support.problems import nothing_written, refused

WINTER = {"name": "Winter", "starts_on": "2026-01-01", "ends_on": "2026-03-31"}
NOT_OWNERS = [role for role in Role if role != Role.OWNER]


def season(house: ClubHouse, **changes: Any) -> dict[str, Any]:
    """A new season."""
    answer = house.owner.post(f"clubs/{house.club.id}/seasons", {**WINTER, **changes})
    assert answer.status_code == 201, answer.content
    made: dict[str, Any] = answer.json()
    return made


def preset(house: ClubHouse, **changes: Any) -> dict[str, Any]:
    """A new preset."""
    body = {"ruleset": "hefei", "name": "Friday", "options": {"cap": 40}, **changes}
    answer = house.owner.post(f"clubs/{house.club.id}/presets", body)
    assert answer.status_code == 201, answer.content
    made: dict[str, Any] = answer.json()
    return made


def test_an_owner_changes_the_settings_of_the_club(house: ClubHouse) -> None:
    path = f"clubs/{house.club.id}"
    before = house.owner.get(path).json()
    changes = {"name": "竹林", "time_zone": "Europe/Berlin", "rated": True}
    assert house.owner.patch(path, changes).json() == {**before, **changes}
    assert house.owner.patch(path, {}).json() == {**before, **changes}
    refused(house.owner.patch(path, {"time_zone": "Mars/Olympus"}), 422, "unknown_time_zone")
    assert house.owner.get(path).json() == {**before, **changes}


@pytest.mark.parametrize("role", NOT_OWNERS)
def test_only_an_owner_keeps_settings_seasons_and_presets(house: ClubHouse, role: Role) -> None:
    club, winter, friday = f"clubs/{house.club.id}", season(house), preset(house)
    member = house.member(role)
    for answer in (
        member.patch(club, {"name": "Mine"}),
        member.post(f"{club}/seasons", {**WINTER, "name": "Mine"}),
        member.patch(f"seasons/{winter['id']}", {"name": "Mine"}),
        member.delete(f"seasons/{winter['id']}"),
        member.post(f"seasons/{winter['id']}/open"),
        member.post(f"seasons/{winter['id']}/close"),
        member.post(f"seasons/{winter['id']}/reopen"),
        member.post(f"{club}/presets", {"ruleset": "hefei", "name": "Mine", "options": {}}),
        member.patch(f"presets/{friday['id']}", {"name": "Mine"}),
        member.delete(f"presets/{friday['id']}"),
    ):
        assert refused(answer, 403, "permission_denied")["right"] == "keep_club"
    assert member.get(f"seasons/{winter['id']}").json() == winter
    assert member.get(f"presets/{friday['id']}").json() == friday


def test_a_season_says_which_moments_its_days_are(house: ClubHouse) -> None:
    winter = season(house)
    assert winter["state"] == "planned"
    assert (winter["begins_at"], winter["ends_at"], winter["closes_at"]) == (
        "2025-12-31T16:00:00Z",
        "2026-03-31T16:00:00Z",
        "2026-04-01T16:00:00Z",
    )
    spring = season(house, name="Spring", starts_on="2026-04-01", ends_on="2026-05-31")
    listed = house.owner.get(f"clubs/{house.club.id}/seasons").json()
    assert listed["items"] == [spring, winter]


def test_a_season_is_opened_closed_and_reopened(house: ClubHouse) -> None:
    path = f"seasons/{season(house)['id']}"
    refused(house.owner.post(f"{path}/close"), 409, "season_state")
    opened = house.owner.post(f"{path}/open").json()
    assert (opened["state"], opened["opened_at"] is None) == ("open", False)
    closed = house.owner.post(f"{path}/close").json()
    assert (closed["state"], closed["closes_at"]) == ("closed", None)
    facts = refused(house.owner.patch(path, {"ends_on": "2026-03-30"}), 409, "season_state")
    assert facts == {"expected": ["planned", "open"], "actual": "closed"}
    refused(
        house.owner.patch(f"clubs/{house.club.id}", {"time_zone": "UTC"}), 409, "time_zone_fixed"
    )
    reopened = house.owner.post(f"{path}/reopen").json()
    assert (reopened["state"], reopened["closes_after_h"]) == ("open", None)
    assert house.owner.patch(path, {"closes_after_h": 2}).json()["closes_after_h"] == 2


@pytest.mark.parametrize(
    ("changes", "status", "code"),
    [
        ({"starts_on": "2026-04-01"}, 422, "season_dates"),
        ({"starts_on": "2026-02-30"}, 422, "invalid_input"),
        ({"starts_on": "0001-01-01"}, 422, "season_dates"),
        ({"ends_on": "9999-12-31"}, 422, "season_dates"),
        ({"closes_after_h": -1}, 422, "invalid_input"),
        ({"name": "Autumn"}, 409, "season_overlaps"),
        ({"starts_on": "2020-01-01", "ends_on": "2020-01-01"}, 409, "season_name_taken"),
    ],
)
def test_a_season_that_cannot_be_is_refused(
    house: ClubHouse, changes: dict[str, Any], status: int, code: str
) -> None:
    season(house)
    answer = house.owner.post(f"clubs/{house.club.id}/seasons", {**WINTER, **changes})
    refused(answer, status, code)
    assert house.club.seasons.count() == 1


def test_a_season_is_deleted_unless_a_hand_counts_in_it(house: ClubHouse, settle: Any) -> None:
    empty = season(house)
    whole = season(house, name="All", starts_on="2026-04-01", ends_on="2199-12-31")
    house.append(house.start_game(), 1, HAND_RESULT)
    settle()
    assert house.owner.delete(f"seasons/{empty['id']}").status_code == 204
    refused(house.owner.delete(f"seasons/{whole['id']}"), 409, "season_has_games")
    assert [str(row.pk) for row in Season.objects.filter(club=house.club)] == [whole["id"]]


def test_seasons_presets_and_merges_of_other_clubs_are_not_found(house: ClubHouse) -> None:
    other = ClubHouse()
    for number in (season(other)["id"], uuid4()):
        refused(house.owner.get(f"seasons/{number}"), 404, "not_found")
        refused(house.owner.post(f"seasons/{number}/open"), 404, "not_found")
    for number in (preset(other)["id"], uuid4()):
        refused(house.owner.get(f"presets/{number}"), 404, "not_found")
        refused(house.owner.delete(f"presets/{number}"), 404, "not_found")
    refused(house.owner.post(f"merges/{uuid4()}/undo"), 404, "not_found")


def test_a_preset_holds_every_option_and_starts_games(house: ClubHouse) -> None:
    friday = preset(house)
    assert friday["options"]["cap"] == 40
    assert friday["options"].keys() > {"cap"}
    assert (friday["outdated"], friday["latest_version"]) == (False, friday["ruleset_version"])
    game = house.start_game(preset="Friday", options={"ladder_start": 290})
    options = house.owner.get(f"games/{game}").json()["options"]
    assert options == {**friday["options"], "ladder_start": 290}


def test_a_preset_is_changed_option_by_option_and_games_keep_theirs(house: ClubHouse) -> None:
    friday = preset(house)
    game = house.start_game(preset="Friday")
    changed = house.owner.patch(
        f"presets/{friday['id']}", {"name": "Saturday", "options": {"cap": 50}}
    ).json()
    assert changed == {
        **friday,
        "name": "Saturday",
        "options": {**friday["options"], "cap": 50},
    }
    assert house.owner.get(f"games/{game}").json()["options"]["cap"] == 40
    unknown = house.owner.post("games", house.game_body(preset="Friday"))
    assert "Saturday" in refused(unknown, 422, "unknown_preset")["expected"]


def test_an_option_that_cannot_be_names_itself_its_rule_and_what_is_allowed(
    house: ClubHouse,
) -> None:
    path = f"clubs/{house.club.id}/presets"
    body = {"ruleset": "hefei", "name": "Bad", "options": {"cap": -1}}
    facts = refused(house.owner.post(path, body), 422, "invalid_option")
    assert (facts["option"], facts["actual"]) == ("cap", -1)
    assert facts["rule"].startswith("HF-")
    assert facts["rule_zh"]
    assert facts["expected"]
    body["options"] = {"colour": 1}
    assert refused(house.owner.post(path, body), 422, "unknown_option")["actual"] == "colour"
    friday = preset(house)
    refused(
        house.owner.patch(f"presets/{friday['id']}", {"options": {"cap": "x"}}),
        422,
        "invalid_option",
    )
    assert Preset.objects.get(club=house.club).options == friday["options"]


def test_a_preset_may_not_take_a_name_of_the_ruleset_or_of_another_preset(
    house: ClubHouse,
) -> None:
    friday, path = preset(house), f"clubs/{house.club.id}/presets"
    other = preset(house, name="Saturday")
    for name in (next(iter(registry.get("hefei").presets)), "Friday"):
        body = {"ruleset": "hefei", "name": name, "options": {}}
        refused(house.owner.post(path, body), 409, "preset_name_taken")
        answer = house.owner.patch(f"presets/{other['id']}", {"name": name})
        refused(answer, 409, "preset_name_taken")
    assert preset(house, ruleset="qingdao", options={})["name"] == friday["name"]


def test_presets_are_listed_by_ruleset_and_deleted(house: ClubHouse) -> None:
    one, two = preset(house), preset(house, ruleset="qingdao", options={})
    path = f"clubs/{house.club.id}/presets"
    assert house.owner.get(path).json()["items"] == [one, two]
    assert house.owner.get(f"{path}?ruleset=qingdao").json()["items"] == [two]
    assert house.owner.delete(f"presets/{one['id']}").status_code == 204
    assert house.owner.get(path).json()["items"] == [two]


def test_a_preset_of_an_older_version_says_so_and_is_for_that_version(house: ClubHouse) -> None:
    friday = preset(house)
    version = friday["ruleset_version"]
    # As it will be when a newer version of the ruleset is installed than the preset was made for.
    Preset.objects.filter(pk=friday["id"]).update(ruleset_version=version - 1)
    shown = house.owner.get(f"presets/{friday['id']}").json()
    assert (shown["outdated"], shown["latest_version"]) == (True, version)
    asked = house.game_body(preset="Friday", ruleset_version=version)
    facts = refused(house.owner.post("games", asked), 409, "preset_of_another_version")
    assert (facts["expected"], facts["actual"]) == (version - 1, version)
    updated = house.owner.patch(f"presets/{friday['id']}", {"ruleset_version": version}).json()
    assert updated == friday
    assert house.owner.post("games", asked).status_code == 201


def test_a_preset_is_not_brought_to_another_ruleset(house: ClubHouse) -> None:
    kept = Preset.objects.get(pk=preset(house)["id"])
    with pytest.raises(AssertionError):
        change_preset(preset=kept, ruleset=registry.get("qingdao"))


def twins(house: ClubHouse) -> dict[str, str]:
    """A second record of the first player, to be merged into it."""
    twin = house.owner.post(f"clubs/{house.club.id}/players", {"name": "Lin Two"}).json()
    return {"absorbed": twin["id"], "into": str(house.players[0].id)}


def test_a_merge_is_previewed_made_listed_and_undone(house: ClubHouse, settle: Any) -> None:
    pair, path = twins(house), f"clubs/{house.club.id}/merges"
    house.append(house.start_game(), 1, HAND_RESULT)
    settle()
    query = f"absorbed={pair['absorbed']}&into={pair['into']}"
    found = house.owner.get(f"{path}/preview?{query}").json()
    assert found["absorbed"] == {
        "player": pair["absorbed"],
        "name": "Lin Two",
        "games": 0,
        "hands": 0,
        "points": 0,
    }
    assert (found["into"]["hands"], found["into"]["points"]) == (1, -12)
    assert not Merge.objects.filter(club=house.club).exists()
    made = house.owner.post(path, pair).json()
    assert (made["absorbed"]["id"], made["into"]["id"]) == (pair["absorbed"], pair["into"])
    assert house.owner.get(path).json()["items"] == [made]
    undone = house.owner.post(f"merges/{made['id']}/undo").json()
    assert undone["undone_at"]
    assert house.owner.get(path).json()["items"] == [undone]
    refused(house.owner.post(f"merges/{made['id']}/undo"), 409, "merge_undone")


def test_two_who_sat_at_one_table_are_not_merged(house: ClubHouse) -> None:
    game, path = house.start_game(), f"clubs/{house.club.id}/merges"
    pair = {"absorbed": str(house.players[1].id), "into": str(house.players[0].id)}
    with nothing_written():
        assert refused(house.owner.post(path, pair), 409, "sat_at_one_table")["game"] == game
    query = f"absorbed={pair['absorbed']}&into={pair['into']}"
    refused(house.owner.get(f"{path}/preview?{query}"), 409, "sat_at_one_table")
    pair["absorbed"] = pair["into"]
    refused(house.owner.post(path, pair), 409, "cannot_merge")
    pair["absorbed"] = str(ClubHouse().players[0].id)
    refused(house.owner.post(path, pair), 404, "not_found")


@pytest.mark.parametrize("role", [Role.PLAYER, Role.VIEWER])
def test_records_are_merged_by_who_keeps_the_players(house: ClubHouse, role: Role) -> None:
    member, path = house.member(role), f"clubs/{house.club.id}/merges"
    pair = twins(house)
    refused(member.post(path, pair), 403, "permission_denied")
    made = house.member(Role.RECORDER).post(path, pair).json()
    refused(member.post(f"merges/{made['id']}/undo"), 403, "permission_denied")
    assert member.get(path).status_code == 200
