"""Recorded results that cannot be, and the reason each is refused for (QD-69, QD-132)."""

from typing import Any

import msgspec
import pytest

from rules_engine.errors import Violation
from rules_engine.facts import HandFacts
from rules_engine.ruleset import make_options
from rules_engine.score import HandScore
from tests.rules_engine.variants.qingdao.logs import RULESET

HAND = "123m456p23478s55z"
"""Waits for 6s and 9s."""
PENG = {"kind": "peng", "tiles": "777p", "from": 0}
GANG = {"kind": "an_gang", "tiles": "7777p"}
ZFB = {"kind": "niu", "tiles": "567z"}
FULL = {"mode": "quan_dai_jiang"}
HUN = {"hun": True}


def answer(
    win: dict[str, Any] | None = None,
    *,
    options: dict[str, Any] | None = None,
    table: list[dict[str, Any]] | None = None,
    **facts: Any,
) -> HandScore | Violation:
    """What the engine says to a hand; seat 2 wins on the 9s it drew unless told otherwise."""
    made = make_options(RULESET.options, options or {})
    assert not isinstance(made, Violation), made
    whole = {"seat": 2, "by": "zimo", "tile": "9s", "concealed": HAND, **(win or {})}
    body = {"dealer": 0, "result": "hu", "wins": [whole], "table": table or [], **facts}
    found: HandScore | Violation = RULESET.score(msgspec.convert(body, HandFacts), made)
    return found


def reason(*args: Any, **kwargs: Any) -> str:
    """The code of the refusal of a hand."""
    found = answer(*args, **kwargs)
    assert isinstance(found, Violation), found
    assert found.rule in RULESET.rules or not found.rule, found
    assert found.message
    return found.code


def with_meld(meld: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A winner with this meld in place of 234s."""
    return {"concealed": "123m456p78s55z", "melds": [meld], **more}


def test_the_hand_itself_is_good():
    assert isinstance(answer(), HandScore)
    assert isinstance(answer(with_meld(ZFB, concealed="123m456p78s22s")), HandScore)


# --- melds ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "meld",
    [
        {"kind": "chi", "tiles": "234s", "from": 0},
        {"kind": "chi", "tiles": "891s", "from": 1},
        {"kind": "chi", "tiles": "123z", "from": 1},
        {"kind": "chi", "tiles": "9m12p", "from": 1},
        {"kind": "peng", "tiles": "777p"},
        {"kind": "peng", "tiles": "777p", "from": 2},
        {"kind": "peng", "tiles": "77p", "from": 1},
        {"kind": "ming_gang", "tiles": "7777p"},
        {"kind": "bu_gang", "tiles": "777p", "from": 1},
        {"kind": "an_gang", "tiles": "7777p", "from": 1},
        {"kind": "an_gang", "tiles": "7777p", "from": 2},
        {"kind": "kong", "tiles": "7777p"},
        {"kind": "peng", "tiles": "", "from": 1},
    ],
)
def test_a_meld_the_game_does_not_have_is_refused(meld: dict[str, Any]):
    assert reason(with_meld(meld)) == "bad_meld"
    assert reason(table=[{"seat": 1, "melds": [meld | {"from": 1}]}]) == "bad_meld"


def test_nobody_has_more_than_four_melds():
    melds = [{"kind": "an_gang", "tiles": f"{rank * 4}z"} for rank in "12346"]
    assert reason(table=[{"seat": 1, "melds": melds}]) == "bad_meld"


@pytest.mark.parametrize(
    ("meld", "options"),
    [
        ({"kind": "niu", "tiles": "566z"}, {}),
        ({"kind": "niu", "tiles": "123z"}, {}),
        ({"kind": "niu", "tiles": "567z", "from": 1}, {}),
        ({"kind": "niu", "tiles": "9m67z"}, {}),
        ({"kind": "niu", "tiles": "99m7z"}, HUN),
        ({"kind": "niu", "tiles": "9m12z"}, HUN),
    ],
)
def test_a_niu_that_is_no_group_is_refused(meld: dict[str, Any], options: dict[str, Any]):
    wild = {"wild": "9m"} if options else {}
    found = reason(table=[{"seat": 1, "melds": [meld]}], options=options, **wild)
    assert found == "bad_niu"


def test_with_the_option_any_hun_make_a_group_but_one_tile_is_natural():
    options = {**HUN, "niu_hun": "any"}
    for tiles, good in (("99m7z", True), ("9m12z", True), ("999m", False)):
        table = [{"seat": 1, "melds": [{"kind": "niu", "tiles": tiles}]}]
        found = answer(table=table, options=options, wild="9m")
        assert isinstance(found, HandScore) == good


def test_a_hun_of_the_group_itself_is_natural_once():
    for tiles, good in (("566z", True), ("567z", True), ("666z", False)):
        table = [{"seat": 1, "melds": [{"kind": "niu", "tiles": tiles}]}]
        assert isinstance(answer(table=table, options=HUN, wild="6z"), HandScore) == good


def test_a_group_is_laid_once_and_only_where_niu_is_played():
    twice = [{"seat": 1, "melds": [ZFB, ZFB]}]
    assert reason(table=twice) == "bad_niu"
    assert reason(table=[{"seat": 1, "melds": [ZFB]}], options={"niu": False}) == "niu_forbidden"


def test_a_hun_in_a_claimed_set_is_refused_and_so_are_too_many_chi():
    chi = {"kind": "chi", "tiles": "123p", "from": 0}
    assert reason(table=[{"seat": 1, "melds": [chi]}], options=HUN, wild="3p") == "hun_claim"
    assert reason(table=[{"seat": 1, "melds": [chi]}], options={"chi_max": 0}) == "chi_max"


# --- tiles and the hun ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("win", "options"),
    [
        ({"flowers": "3f"}, {}),
        ({"flowers": "1f"}, {"mode": "dian_pao"}),
        ({"flowers": "5z"}, {}),
        ({"concealed": "123m456p23478s5z3f"}, {}),
    ],
)
def test_tiles_the_room_does_not_use_are_refused(win: dict[str, Any], options: dict[str, Any]):
    assert reason(win, options=options) == "bad_tiles"


def test_the_hun_is_named_exactly_where_it_is_played():
    assert reason(options=HUN) == "wild_missing"
    assert reason(wild="3m") == "wild_forbidden"
    assert reason(options=HUN, wild="1f") == "wild_forbidden"
    empty = {"result": "huang_zhuang", "wins": []}
    assert isinstance(answer(options=HUN, **empty), HandScore)


def test_fifteen_tiles_are_no_shape():
    assert reason({"concealed": HAND + "9p"}) == "shape"
    assert reason(with_meld(PENG, concealed=HAND)) == "shape"
    assert reason(with_meld(PENG, tile="1s")) == "shape"


def test_contradictions_are_refused_before_any_rule():
    assert reason({"from": 1}) == "payer_given"


# --- the order of the tests -----------------------------------------------------------------------


def test_a_flower_blocks_before_the_shape_is_looked_at():
    assert reason({"concealed": "123m456p23478s5z1f", "tile": "1s"}) == "flower_in_hand"
    assert reason({"tile": "1f"}) == "flower_in_hand"


def test_a_robbed_flower_is_no_robbed_gang():
    assert reason({"by": "qiang_gang", "from": 1, "tile": "1f"}) == "flower_in_hand"


@pytest.mark.parametrize("kind", ["bu_gang", "ming_gang"])
def test_a_robbed_gang_does_not_exist(kind: str):
    robbed = {"by": "qiang_gang", "from": 1, "tile": "9s"}
    meld = {"kind": kind, "tiles": "9999s", "from": 0}
    table = [{"seat": 1, "melds": [meld]}, {"seat": 3, "melds": []}]
    assert reason(robbed, table=table) == "not_robbable"
    peng = {"kind": "peng", "tiles": "999s", "from": 0}
    assert isinstance(answer(robbed, table=[{"seat": 1, "melds": [peng]}]), HandScore)
    assert isinstance(answer(robbed), HandScore)
    assert reason(robbed, table=[{"seat": 1, "melds": []}]) == "not_robbable"


# --- flags ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("win", "options"),
    [
        ({"flags": ["lucky"]}, {}),
        ({"flags": ["gang_kai"]}, {}),
        (with_meld(GANG, flags=["gang_kai"], by="dianpao", **{"from": 1}), {}),
        (with_meld(GANG, flags=["gang_kai", "hua_kai"], flowers="1f"), {}),
        (with_meld(GANG, flags=["gang_kai", "hai_di"]), FULL),
        ({"flags": ["niu_kai"]}, {}),
        ({"flags": ["hua_kai"]}, {}),
        ({"flags": ["hai_di"]}, {}),
        ({"flags": ["hai_di"], "by": "dianpao", "from": 1}, FULL),
        ({"flags": ["tian_hu"]}, {}),
        ({"flags": ["tian_hu"], "seat": 0, "by": "dianpao", "from": 1}, {}),
        (with_meld(PENG, flags=["tian_hu"], seat=0), {}),
        ({"flags": ["tian_hu"], "seat": 0, "flowers": "1f"}, {}),
        ({"flags": ["di_hu"], "seat": 0}, {}),
        ({"flags": ["di_hu"], "by": "qiang_gang", "from": 1}, {}),
        (with_meld(PENG, flags=["di_hu"]), {}),
        ({"flags": ["kou_ting", "ming_lou"]}, FULL),
        (with_meld(ZFB, flags=["kou_ting"], concealed="123m456p78s22s"), FULL),
        ({"flags": ["an_hua_1"], "flowers": "1f"}, {}),
        ({"flags": ["an_hua_2"], "flowers": "12f"}, {}),
        ({"flags": ["after_huang_1"]}, {}),
        ({"flags": ["after_huang_02"]}, {}),
        ({"flags": ["after_huang_x"]}, {}),
    ],
)
def test_flags_that_contradict_the_facts_are_refused(win: dict[str, Any], options: dict[str, Any]):
    if win.get("seat") == 0 and win.get("melds"):
        win = {**win, "melds": [{**PENG, "from": 1}]}
    assert reason(win, options=options) == "bad_flags"


def test_all_winners_tell_of_the_same_hands_before():
    other = {"seat": 3, "by": "dianpao", "from": 0, "tile": "9s", "concealed": "1133m2277p669s11z"}
    first = {"seat": 2, "by": "dianpao", "from": 0, "tile": "9s", "concealed": HAND}
    wins = [{**first, "flags": ["after_huang"]}, {**other, "flags": ["after_huang_2"]}]
    assert reason(wins=wins) == "bad_flags"
    wins[1]["flags"] = ["after_huang"]
    assert isinstance(answer(wins=wins), HandScore)


def test_played_as_usual_the_last_tiles_may_replace_a_gang():
    win = with_meld(GANG, flags=["gang_kai", "hai_di"])
    found = answer(win, options={**FULL, "hai_di_zone": "normal"})
    assert isinstance(found, HandScore)
    assert [line.id for line in found.wins[0].items] == ["hai_di_lao_yue", "gang_kai"]
