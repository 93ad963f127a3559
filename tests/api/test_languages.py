"""Refusals and names in Chinese for those who ask for it, in English for all others."""

import re
from typing import Any

import pytest

from api.errors import PROBLEMS
from records.models import Role
from tests.support.people import HAND_RESULT, ClubHouse, Person

CHINESE = re.compile("[\u4e00-\u9fff]")


def test_every_refusal_of_the_api_has_a_title_in_both_languages() -> None:
    for code, meaning in PROBLEMS.items():
        assert CHINESE.search(meaning.title_zh), code
        assert meaning.title, code
        assert not CHINESE.search(meaning.title), code


@pytest.mark.parametrize("wish", ["zh-Hans", "zh-CN,zh;q=0.9,en;q=0.5", "zh"])
def test_a_refusal_is_in_chinese_for_whoever_asks_for_it(stranger: Person, wish: str) -> None:
    answer = stranger.get("clubs", accept_language=wish)
    assert answer["Content-Language"] == "zh-Hans"
    assert "Accept-Language" in answer["Vary"]
    assert answer.json()["title"] == "请先登录"
    assert answer.json()["detail"] == "请先登录。"
    assert answer.json()["code"] == "not_authenticated"


@pytest.mark.parametrize("wish", ["", "en", "fr-FR"])
def test_a_refusal_is_in_english_for_everybody_else(stranger: Person, wish: str) -> None:
    answer = stranger.get("clubs", accept_language=wish)
    assert answer["Content-Language"] == "en"
    assert answer.json()["title"] == "Sign in first"
    assert not CHINESE.search(answer.content.decode())


def test_a_broken_rule_is_told_in_chinese_with_its_number_and_text(house: ClubHouse) -> None:
    game = house.start_game()
    wrong = {**HAND_RESULT, "wild": "1m"}
    answer = house.owner.post(
        f"games/{game}/events", wrong, if_match='"1"', accept_language="zh-Hans"
    )
    problem = answer.json()
    assert problem["title"] == "规则不允许这个事件"
    assert problem["detail"].startswith("此处没有百搭，实为 1m。规则 HF-5：")
    assert problem["facts"]["rule_zh"] in problem["detail"]
    english = house.owner.post(f"games/{game}/events", wrong, if_match='"1"').json()
    assert english["detail"] == "This game has no wild tile; leave it out."
    assert english["facts"] == problem["facts"]


def test_english_words_in_facts_do_not_get_into_a_chinese_sentence(house: ClubHouse) -> None:
    answer = house.owner.post("clubs", {"name": 7, "slug": "x"}, accept_language="zh-Hans")
    assert answer.json()["detail"] == "有字段缺少或无效。"


def test_names_that_people_gave_stay_as_they_are(house: ClubHouse) -> None:
    path = f"clubs/{house.club.id}/players"
    answers: list[Any] = [
        house.owner.get(path, accept_language=wish).json() for wish in ("zh-Hans", "en")
    ]
    assert answers[0] == answers[1]


def test_the_catalogue_of_refusals_is_in_the_language_asked_for(stranger: Person) -> None:
    for wish, title in (("zh-Hans", "手里没有这张牌"), ("en", "The seat does not hold the tile")):
        shown = stranger.get("errors/tile_not_held", accept_language=wish).json()
        assert (shown["title"], shown["type"], shown["status"]) == (title, "illegal_event", 422)
        assert (shown["title_zh"], shown["title_en"]) == (
            "手里没有这张牌",
            "The seat does not hold the tile",
        )
    listed = {item["code"]: item for item in stranger.get("errors").json()["items"]}
    assert listed["zimo_only"]["rulesets"] == ["qingdao"]
    assert listed["not_found"]["rulesets"] == []


def test_roles_are_named_in_the_language_asked_for(stranger: Person) -> None:
    shown = stranger.get("roles", accept_language="zh-Hans").json()["items"]
    assert {item["role"] for item in shown} == {role.value for role in Role}
    assert next(item["name"] for item in shown if item["role"] == "referee") == "裁判"
    english = stranger.get("roles").json()["items"]
    assert next(item["name"] for item in english if item["role"] == "referee") == "Referee"
