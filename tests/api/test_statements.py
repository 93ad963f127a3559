"""Statements and balances through the API, and what is refused of their queries."""

from typing import Any

import pytest

from records.journal import seal_pending
from records.settlement import settle_sealed
from tests.api.test_settlements import record
from tests.support.people import ClubHouse
from tests.support.problems import refused


@pytest.fixture
def settle() -> Any:
    """Settle what was recorded; statements need nothing of the read side's tables."""

    def work() -> None:
        seal_pending()
        settle_sealed()

    return work


def played(house: ClubHouse, settle: Any) -> str:
    """A game of two settled hands."""
    game = house.start_game()
    record(house, game)
    record(house, game)
    settle()
    return game


def test_a_statement_leads_from_each_line_to_its_moment(house: ClubHouse, settle: Any) -> None:
    game = played(house, settle)
    player = house.players[2]
    found = house.owner.get(f"players/{player.id}/statement").json()
    assert found["name"] == "Tao"
    assert found["next"] is None
    assert len(found["items"]) >= 6
    line = found["items"][0]
    assert line["moment"] == f"/games/{game}#1.{line['seq']}"
    assert (line["item_zh"], line["item_en"], line["rule"]) == ("胡牌", "win", "HF-66")
    assert line["counterpart"]["name"] in {"Lin", "Mei", "Yun"}
    summary = found["summary"]
    assert summary["closing"] == found["items"][-1]["balance"] == summary["all"]["points"]
    assert sum(kind["points"] for kind in summary["by_kind"]) == summary["closing"]
    assert sum(each["points"] for each in summary["by_counterpart"]) == summary["closing"]


def test_pages_go_on_from_the_balance_and_keep_to_what_was_known(
    house: ClubHouse, settle: Any
) -> None:
    game = played(house, settle)
    address = f"players/{house.players[2].id}/statement"
    whole = house.owner.get(address).json()["items"]
    first = house.owner.get(f"{address}?limit=4").json()
    record(house, game)
    settle()
    items, page = first["items"], first
    while page["next"]:
        page = house.owner.get(f"{address}?limit=4&cursor={page['next']}").json()
        assert page["summary"] is None
        items += page["items"]
    assert items == whole


def test_a_cursor_that_was_tampered_with_is_refused(house: ClubHouse, settle: Any) -> None:
    played(house, settle)
    address = f"players/{house.players[2].id}/statement"
    cursor = house.owner.get(f"{address}?limit=2").json()["next"]
    changed = ("A" if cursor[0] != "A" else "B") + cursor[1:]
    for wrong in (changed, cursor[:-1], "x", "a:b"):
        answer = house.owner.get(f"{address}?limit=2&cursor={wrong}")
        refused(answer, 422, "invalid_input")
        assert "signature" in answer.json()["detail"]


def test_a_cursor_of_another_statement_is_refused(house: ClubHouse, settle: Any) -> None:
    played(house, settle)
    cursor = house.owner.get(f"players/{house.players[2].id}/statement?limit=2").json()["next"]
    other = f"players/{house.players[1].id}/statement?limit=2&cursor={cursor}"
    answer = house.owner.get(other)
    refused(answer, 422, "invalid_input")
    assert "another statement" in answer.json()["detail"]


def test_balances_of_a_club_sum_to_zero_and_have_the_pot(house: ClubHouse, settle: Any) -> None:
    played(house, settle)
    found = house.owner.get(f"clubs/{house.club.id}/balances").json()
    assert found["sum"] == 0
    assert sum(each["closing"] for each in found["items"]) == 0
    assert [each["player"] is None for each in found["items"]] == [False] * 4 + [True]
    pot = house.owner.get(f"clubs/{house.club.id}/pot/statement").json()
    assert (pot["player"], pot["items"]) == (None, [])
    assert pot["summary"]["closing"] == 0


def test_a_month_without_games_is_empty_and_opens_with_the_balance(
    house: ClubHouse, settle: Any
) -> None:
    played(house, settle)
    address = f"players/{house.players[2].id}/statement"
    closing = house.owner.get(address).json()["summary"]["closing"]
    past = house.owner.get(f"{address}?month=2001-02").json()
    assert (past["items"], past["summary"]["closing"]) == ([], 0)
    future = house.owner.get(f"{address}?from=2090-01-01").json()
    assert (future["items"], future["summary"]["opening"]) == ([], closing)
    unknown = house.owner.get(f"{address}?known_at=2001-01-01T00:00:00Z").json()
    assert unknown["items"] == []
    unplayed = house.owner.get(f"{address}?as_of=2001-01-01T00:00:00Z").json()
    assert unplayed["items"] == []


def test_a_period_that_makes_no_sense_is_refused(house: ClubHouse) -> None:
    address = f"players/{house.players[0].id}/statement"
    for query in (
        "month=2026-13",
        "month=2026-11&from=2026-11-01",
        "from=2026-11-02&to=2026-11-01",
        "from=yesterday",
        "known_at=2026-11-30T20:00:00",
    ):
        refused(house.owner.get(f"{address}?{query}"), 422, "invalid_input")


def test_only_members_read_statements(house: ClubHouse) -> None:
    stranger = ClubHouse().owner
    for address in (
        f"players/{house.players[0].id}/statement",
        f"clubs/{house.club.id}/pot/statement",
        f"clubs/{house.club.id}/balances",
    ):
        refused(stranger.get(address), 404, "not_found")
