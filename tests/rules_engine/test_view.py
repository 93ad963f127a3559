"""A game as a person or a program looks at it."""

import json

import pytest

from rules_engine.events import GameEnded
from rules_engine.view import view
from tests.rules_engine.log import Log


def test_between_hands_the_view_names_the_hand_to_come() -> None:
    shown = view(Log().game)
    assert shown["table"] is None
    assert shown["next"] == {"dealer": None, "streak": 1}
    assert shown["last_hand"] is None
    assert shown["ruleset"] == {"slug": "hefei", "version": 1}


def test_a_live_hand_is_shown_whole() -> None:
    log = Log().deal({0: "2222m345678p2478s"}, last="8s", dice=(3, 4), keep="56s")
    log.gang(0, "2m").play("0^5s")
    table = view(log.game)["table"]
    assert (table["hand"], table["turn"], table["drawn"], table["source"]) == (1, 0, "5s", "tail")
    assert table["dice"] == [3, 4]
    assert table["remaining"] == 30
    assert table["wild"] is None
    assert table["offer"] is None
    seat = table["seats"][0]
    assert seat["concealed"] == "345678p24578s"
    assert seat["melds"] == [{"kind": "an_gang", "tiles": "2222m", "seq": 3}]
    log.play("0-5s")
    table = view(log.game)["table"]
    assert table["offer"] == {"seat": 0, "tile": "5s", "seq": 5, "gang": None}
    assert table["drawn"] is None
    assert table["seats"][0]["pond"] == [{"tile": "5s", "seq": 5, "drawn": True, "taken": False}]
    assert view(log.game)["next"] is None


def test_a_win_and_an_ended_hand_are_shown() -> None:
    log = Log().deal({0: "234567888m234p55s"}, last="8m").hu(0, "8m")
    assert view(log.game)["table"]["wins"] == [{"seat": 0, "by": "zimo", "tile": "8m"}]
    log.end("hu")
    assert view(log.game)["last_hand"] == {"hand": 1, "seq": 4, "abandoned": False}
    log.deal({}, last="2m", dealer=0).end("abandoned")
    assert view(log.game)["last_hand"]["abandoned"]
    assert view(log.add(GameEnded()).game)["ended"]


@pytest.mark.usefixtures("toy")
def test_a_gang_on_offer_is_named() -> None:
    hands = {0: "1111m147p147s1234z"}
    log = Log("toy", rob="all").deal(hands, last="4z").gang(0, "1m")
    assert view(log.game)["table"]["offer"]["gang"] == "an_gang"


def test_every_view_is_json() -> None:
    log = Log().deal({0: "2222m345678p2478s"}, last="8s")
    for game in (Log().game, log.game):
        assert json.loads(json.dumps(view(game))) == view(game)
