"""The service about itself, the catalogue of rulesets, and refusals outside any operation."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.core.cache import cache
from django.db import OperationalError

from api.errors import PROBLEMS
from records import ledger
from rules_engine import registry
from tests.support.people import HAND_RESULT, ClubHouse, Person
from tests.support.problems import refused


def test_health_tells_how_long_the_oldest_hand_has_waited(
    house: ClubHouse, stranger: Person, settle: Any
) -> None:
    settle()
    assert stranger.get("health").json() == {
        "status": "well",
        "instance": "",
        "oldest_unsettled_hand_s": 0.0,
        "settlement_failures": 0,
        "standings_behind": 0,
        "oldest_due_webhook_s": 0.0,
    }
    house.append(house.start_game(), 1, HAND_RESULT)
    assert stranger.get("health").json()["oldest_unsettled_hand_s"] > 0


def test_a_hand_that_waits_too_long_makes_the_service_late(
    stranger: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ledger, "age_of_oldest_unsettled_hand_s", lambda: 61.0)
    assert stranger.get("health").json()["status"] == "late"


def test_a_database_that_does_not_answer_is_told_and_may_be_tried_again(
    stranger: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone() -> float:
        raise OperationalError("the connection is closed")

    monkeypatch.setattr(ledger, "age_of_oldest_unsettled_hand_s", gone)
    answer = stranger.get("health")
    refused(answer, 503, "database_unavailable")
    assert answer["Retry-After"] == "2"
    assert "connection" not in answer.content.decode()


def test_a_mistake_of_ours_is_a_problem_too_and_tells_nothing_of_the_inside(
    stranger: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> float:
        raise KeyError("the name of a variable")

    monkeypatch.setattr(ledger, "age_of_oldest_unsettled_hand_s", broken)
    answer = stranger.get("health")
    refused(answer, 500, "internal_error")
    assert "variable" not in answer.content.decode()


def test_every_installed_ruleset_is_in_the_catalogue(stranger: Person) -> None:
    items = stranger.get("rulesets").json()["items"]
    assert [item["slug"] for item in items] == [ruleset.slug for ruleset in registry.latest()]


@pytest.mark.parametrize("ruleset", registry.latest(), ids=lambda ruleset: ruleset.slug)
def test_a_ruleset_shows_items_rules_presets_and_options(stranger: Person, ruleset: Any) -> None:
    shown = stranger.get(f"rulesets/{ruleset.slug}?version={ruleset.version}").json()
    assert {
        option: {value: (name["zh"], name["en"]) for value, name in names.items()}
        for option, names in shown["value_names"].items()
    } == ruleset.value_names
    rules = {rule["id"]: rule for rule in shown["rules"]}
    for item in shown["items"]:
        assert item["rule_zh"] == rules[item["rule"]]["zh"]
        assert item["zh"] and item["en"]  # noqa: PT018 -- one name in two languages
    assert all(rule["zh"] and rule["en"] and rule["provenance"] for rule in shown["rules"])
    schema = stranger.get(f"rulesets/{ruleset.slug}/options").json()
    assert schema["properties"].keys() == shown["defaults"].keys()
    for preset in shown["presets"].values():
        assert preset.keys() <= shown["defaults"].keys()


def test_the_items_of_a_ruleset_are_priced_under_the_preset_asked_for(stranger: Person) -> None:
    prices = {}
    for query in ("", "?preset=online"):
        shown = stranger.get(f"rulesets/hefei{query}").json()
        prices[query] = {item["id"]: item["prices"] for item in shown["items"]}
    price = {"option": "points_qi_dui", "number": 5, "multiplies": False}
    assert prices[""]["qi_dui"] == [price]
    assert prices["?preset=online"]["qi_dui"] == [{**price, "number": 10}]
    assert prices[""]["gang_kai"] == [{"option": "gang_kai_mult", "number": 2, "multiplies": True}]


def test_the_items_of_a_ruleset_are_worth_what_the_options_asked_for_make_of_them(
    stranger: Person,
) -> None:
    worth = {}
    for query in ("", "?preset=bao_ting", '?preset=bao_ting&options={"base_bao_ting":20}'):
        shown = stranger.get(f"rulesets/hefei{query}").json()
        worth[query] = next(item["worth"] for item in shown["items"] if item["id"] == "base")
    assert [each["en"] for each in worth.values()] == ["10", "12", "20"]
    flat = stranger.get("rulesets/ruian?preset=flat").json()
    assert flat["items"][0]["worth"] == {"zh": "不计", "en": "not counted"}
    assert flat["preset_names"]["five_players"]["zh"] == "五人轮换"
    assert (flat["names"]["region"], flat["names"]["region_zh"]) == ("Zhejiang", "浙江")


def test_options_that_cannot_be_have_no_prices(stranger: Person) -> None:
    answer = stranger.get('rulesets/hefei?options={"cap":-1}')
    assert refused(answer, 422, "invalid_option")["rule"] == "HF-68"
    refused(stranger.get("rulesets/hefei?options=[1]"), 422, "invalid_input")


@pytest.mark.parametrize(
    "path",
    ["rulesets/nowhere", "rulesets/hefei?version=99", "rulesets/hefei?preset=nobody"],
)
def test_a_ruleset_that_is_not_installed_is_not_found(stranger: Person, path: str) -> None:
    refused(stranger.get(path), 404, "not_found")


def test_the_type_of_every_refusal_says_what_it_means(stranger: Person) -> None:
    listed = {item["code"]: item for item in stranger.get("errors").json()["items"]}
    assert listed.keys() >= PROBLEMS.keys()
    refusal = stranger.get("me").json()
    shown = stranger.client.get(refusal["type"]).json()
    assert (shown["code"], shown["status"]) == ("not_authenticated", 401)
    refused(stranger.get("errors/nothing"), 404, "not_found")


def test_every_code_that_the_api_raises_is_in_the_catalogue() -> None:
    package = Path(__file__).parents[2] / "api"
    raised = {
        code
        for file in package.rglob("*.py")
        for code in re.findall(r"Problem\(\s*\"([a-z_]+)\"", file.read_text())
    }
    assert raised
    assert raised <= PROBLEMS.keys()


@pytest.mark.parametrize("path", ["nowhere", "games/not-a-uuid", "clubs/1", "games/", "me/"])
def test_an_unknown_address_is_not_found(stranger: Person, path: str) -> None:
    refused(stranger.get(path), 404, "not_found")


def test_a_method_that_an_address_does_not_have_is_refused_with_those_it_has(
    house: ClubHouse,
) -> None:
    answer = house.owner.patch("clubs", {})
    refused(answer, 405, "method_not_allowed")
    assert {"GET", "POST"} <= set(answer["Allow"].split(", "))


def test_an_answer_in_a_form_that_does_not_exist_is_refused(house: ClubHouse) -> None:
    refused(house.owner.get("clubs", accept="text/csv"), 406, "not_acceptable")


def test_a_host_that_is_not_ours_is_refused(stranger: Person, settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["paipu.example"]
    refused(stranger.get("me", host="elsewhere.example"), 400, "bad_request")


def test_too_many_requests_are_refused_until_the_next_minute(
    house: ClubHouse, stranger: Person, settings: Any
) -> None:
    cache.clear()
    settings.ACCOUNT_REQUESTS_PER_MINUTE = 3
    settings.ADDRESS_REQUESTS_PER_MINUTE = 2
    for person, path, limit in ((house.owner, "me", 3), (stranger, "rulesets", 2)):
        # A minute may end between two requests, so the limit is reached within two of them.
        answers = [person.get(path) for _ in range(2 * limit + 1)]
        statuses = [answer.status_code for answer in answers]
        assert statuses[:limit] == [200] * limit
        assert 429 in statuses
        refusal = answers[statuses.index(429)]
        refused(refusal, 429, "too_many_requests")
        assert 1 <= int(refusal["Retry-After"]) <= 60


def test_a_header_that_anybody_can_write_escapes_no_limit(stranger: Person, settings: Any) -> None:
    cache.clear()
    settings.ADDRESS_REQUESTS_PER_MINUTE = 2
    answers = [stranger.get("rulesets", x_forwarded_for=f"10.0.0.{n}") for n in range(6)]
    assert 429 in {answer.status_code for answer in answers}


def test_no_answer_is_kept_by_a_cache(house: ClubHouse) -> None:
    game = house.start_game()
    for path in ("me", f"games/{game}/state", f"games/{game}/events"):
        assert house.owner.get(path)["Cache-Control"] == "no-store"


def test_times_are_in_utc_with_a_z(house: ClubHouse) -> None:
    game = house.owner.get(f"games/{house.start_game()}").json()
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", game["created_at"])


def test_the_page_of_the_api_loads_nothing_from_elsewhere(stranger: Person) -> None:
    page = stranger.get("docs", accept="text/html").content.decode()
    assert "swagger-ui-bundle.js" in page
    assert re.findall(r'(?:src|href)="(https?:)?//', page) == []


def test_the_page_is_found_with_a_slash_too(stranger: Person) -> None:
    assert stranger.get("docs/")["Location"] == "/api/v1/docs"


def test_the_document_is_served_as_json_and_yaml(stranger: Person) -> None:
    answer = stranger.get("schema", accept="application/vnd.oai.openapi+json")
    assert msgspec.json.decode(answer.content)["openapi"] == "3.1.0"
    assert stranger.get("schema").content.startswith(b"openapi: 3.1.0")
