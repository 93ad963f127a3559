"""What may be recorded as a Rui'an hand: every reason of RA-49, and facts that cannot be."""

from typing import Any

import msgspec
import pytest

from rules_engine.errors import Violation
from rules_engine.facts import HandFacts
from rules_engine.score import HandScore
from rules_engine.variants.ruian.score import score
from tests.rules_engine.variants.ruian.hands import made
from tests.rules_engine.variants.ruian.logs import RULESET

Body = dict[str, Any]
PLAIN: Body = {
    "seat": 2,
    "by": "dianpao",
    "from": 3,
    "tile": "8s",
    "concealed": "123456m234678p55s67s",
}
EIGHT_PAIRS = "113m2266p4488s1133z9s"
THREE_WILDS = "33159m159p159s12347z"
NO_FLOWERS = {"flower_when_white_wild": "none"}


def facts_of(win: Body | None, **more: Any) -> HandFacts:
    """The facts of a hand."""
    body: Body = {"dealer": 0, "streak": 1, "wild": "9s", "result": "hu", "wins": [win]}
    if win is None:
        body |= {"result": "huang_zhuang", "wins": []}
    return msgspec.convert({**body, **more}, HandFacts)


def refused(win: Body | None, given: Body | None = None, **more: Any) -> tuple[str, str]:
    """The code and the rule of the refusal of a hand."""
    answer = score(facts_of(win, **more), made(given or {})[0])
    assert isinstance(answer, Violation), answer
    assert answer.message
    assert not answer.rule or answer.rule in RULESET.rules
    return answer.code, answer.rule


def plain(**changes: Any) -> Body:
    """The plain hand with changes."""
    return {**PLAIN, **changes}


def meld(kind: str, tiles: str, giver: int | None = None) -> Body:
    """A meld."""
    return {"kind": kind, "tiles": tiles, "from": giver}


SHORT = "123456m678p55s67s"
"""The plain hand without 234p."""
BAD_HANDS: list[tuple[Body, Body, str, str]] = [
    (
        plain(concealed=SHORT, melds=[meld("chi", "234p", 1)]),
        {"wild": "3p"},
        "wild_in_meld",
        "RA-42",
    ),
    (plain(concealed=SHORT, melds=[meld("chi", "234p", 0)]), {}, "chi_not_from_upper", "RA-30"),
    (plain(concealed=SHORT, melds=[meld("peng", "555z", 0)]), {}, "flower_in_hand", "RA-41"),
    (plain(concealed="12346m234678p55s67s5z"), {}, "flower_in_hand", "RA-41"),
    (plain(tile="5z"), {}, "flower_in_hand", "RA-41"),
    (plain(tile="9s"), {}, "wild_not_claimable", "RA-42"),
    (plain(tile="7s"), {}, "no_shape", "RA-40"),
    (plain(concealed="123456m234678p55s6s"), {}, "no_shape", "RA-40"),
    (plain(tile="7p", concealed=EIGHT_PAIRS), {}, "soft_ba_dui", "RA-44"),
    (
        plain(tile="2p", concealed="133359m159p159s1247z"),
        {"wild": "3m"},
        "san_cai_shen_own_draw",
        "RA-46",
    ),
    (plain(flowers="6z"), {}, "bad_tiles", "RA-5"),
    (plain(flowers="5z"), {"wild": "5z"}, "bad_tiles", "RA-5"),
    (plain(tile="1f"), {}, "bad_tiles", "RA-5"),
    (plain(concealed="123456m234678p55s6s1f"), {}, "bad_tiles", "RA-5"),
    (plain(), {"wild": "1f"}, "bad_tiles", "RA-8"),
    (plain(), {"wild": None}, "wild_missing", "RA-8"),
    (plain(), {"wild": "5s", "table": [{"seat": 1, "concealed": "55s"}]}, "too_many_tiles", "RA-8"),
    (plain(melds=[meld("peng", "123p", 1)]), {}, "bad_meld", "RA-40"),
    (plain(melds=[meld("peng", "1111p", 1)]), {}, "bad_meld", "RA-40"),
    (plain(melds=[meld("niu", "567z", 1)]), {}, "bad_meld", "RA-40"),
    (plain(melds=[meld("chi", "123z", 1)]), {}, "bad_meld", "RA-40"),
    (plain(melds=[meld("chi", "124m", 1)]), {}, "bad_meld", "RA-40"),
    (plain(melds=[meld("chi", "123f", 1)]), {}, "bad_meld", "RA-40"),
    (plain(melds=[meld("an_gang", "1111p", 1)]), {}, "bad_meld", "RA-40"),
    (plain(melds=[meld("peng", "111p", 2)]), {}, "bad_meld", "RA-40"),
    (
        plain(melds=[meld("peng", f"{n}{n}{n}z", 1) for n in (1, 2, 3, 4, 6, 7)]),
        {},
        "bad_meld",
        "RA-40",
    ),
    (
        plain(),
        {"table": [{"seat": 1, "melds": [meld("peng", "999s", 0)]}]},
        "wild_in_meld",
        "RA-42",
    ),
    (
        plain(),
        {"table": [{"seat": 1, "concealed": "123456789m123456789p"}]},
        "too_many_tiles",
        "RA-1",
    ),
    (plain(flags=["lucky"]), {}, "bad_flag", "RA-49"),
    (plain(flags=["tian_hu"]), {}, "bad_flag", "RA-49"),
    (plain(flags=["hai_di"]), {}, "bad_flag", "RA-49"),
    (plain(flags=["he_di"]), {}, "bad_flag", "RA-49"),
    (plain(flags=["gang_kai"]), {}, "bad_flag", "RA-49"),
    (plain(flags=["di_hu"]), {}, "bad_flag", "RA-49"),
    (plain(flags=["last_discard", "last_discard"]), {}, "bad_flag", "RA-49"),
    (plain(by="zimo", **{"from": None}, flags=["last_discard"]), {}, "bad_flag", "RA-49"),
    (plain(by="zimo", **{"from": None}, flags=["gang_kai"]), {}, "bad_flag", "RA-49"),
    (plain(by="zimo", **{"from": None}, flags=["hai_di", "he_di"]), {}, "bad_flag", "RA-49"),
    (
        plain(
            by="zimo",
            **{"from": None},
            concealed=SHORT,
            melds=[meld("an_gang", "1111p")],
            flags=["gang_kai", "he_di"],
        ),
        {},
        "bad_flag",
        "RA-49",
    ),
    (
        plain(concealed=SHORT, melds=[meld("chi", "234p", 1)], flags=["di_hu"], **{"from": 0}),
        {},
        "bad_flag",
        "RA-49",
    ),
    (plain(), {"table": [{"seat": 1, "flags": ["four_gangs"]}]}, "bad_flag", "RA-49"),
]


@pytest.mark.parametrize(("win", "more", "code", "rule"), BAD_HANDS)
def test_a_hand_that_cannot_be_is_refused_with_its_reason(
    win: Body, more: Body, code: str, rule: str
):
    assert refused(win, **more) == (code, rule)


def test_where_nobody_has_flowers_none_can_be_set_aside():
    assert refused(plain(flowers="7z"), NO_FLOWERS, wild="5z") == ("bad_tiles", "RA-5")


@pytest.mark.parametrize("kind", ["an_gang", "ming_gang", "bu_gang"])
def test_only_a_peng_is_left_of_a_robbed_gang(kind: str):
    win = plain(by="qiang_gang")
    table = [{"seat": 3, "melds": [meld(kind, "8888s", None)]}]
    assert refused(win, table=table) == ("rob_only_bu_gang", "RA-32")
    table = [{"seat": 3, "melds": [meld("peng", "888s", 1)]}, {"seat": 1, "melds": []}]
    assert isinstance(score(facts_of(win, table=table), made({})[0]), HandScore)
    assert isinstance(score(facts_of(win), made({})[0]), HandScore)


def test_a_claimant_whose_declaration_is_not_legal_is_skipped():
    other = plain(seat=0, concealed="123456m234678p55s6s1z")
    answer = score(facts_of(None, result="hu", wins=[other, plain()]), made({})[0])
    assert isinstance(answer, HandScore)
    assert [win.seat for win in answer.wins] == [2]
    worse = plain(concealed="123456m234678p55s6s2z")
    assert refused(None, result="hu", wins=[worse, other])[0] == "no_shape"


def test_three_claims_are_no_hand_where_they_end_it():
    others = [plain(seat=seat, concealed=text) for seat, text in
              ((0, "123456m234678p99m67s"), (1, "123456m234678p77z67s"))]  # fmt: skip
    wins = [plain(), *others]
    code = refused(None, {"triple_hu_draw": True}, result="hu", wins=wins)
    assert code == ("san_jia_hu_he", "RA-52")


def test_three_wilds_need_a_complete_hand_where_the_club_says_so():
    win = plain(by="zimo", **{"from": None}, tile="3m", concealed=THREE_WILDS)
    off = {"san_cai_shen_bare": False}
    assert refused(win, off, wild="3m") == ("bare_san_cai_shen_off", "RA-46")
    assert refused({**win, "concealed": THREE_WILDS[:-2] + "z"}, wild="3m")[0] == "no_shape"


@pytest.mark.parametrize(
    ("flag", "option"),
    [
        ("four_same_winds", "four_same_winds_draw"),
        ("four_gangs", "four_gangs_draw"),
        ("triple_hu", "triple_hu_draw"),
    ],
)
def test_what_ended_a_hand_early_is_told_where_the_club_has_it(flag: str, option: str):
    table = [{"seat": 1, "flags": [flag], "flowers": "5z"}]
    assert refused(None, table=table) == ("bad_flag", "RA-49")
    answer = score(
        facts_of(None, table=table), made({option: True, "draw_side_settlement": True})[0]
    )
    assert isinstance(answer, HandScore)
    assert answer.transfers == ()


def test_a_draw_need_not_name_the_wild():
    options = made({"draw_side_settlement": True})[0]
    table = [{"seat": 1, "melds": [meld("peng", "111z", 0)], "concealed": "5z"}]
    answer = score(facts_of(None, wild=None, table=table), options)
    assert isinstance(answer, HandScore)
    # 111z is 4 hu, rounded to 10: in full with the dealer, half and rounded with the others.
    assert answer.gang_points == (-10, 30, -10, -10)


def test_the_dead_flower_of_a_loser_is_worth_nothing():
    table = [{"seat": 0, "concealed": "55z"}]
    answer = score(facts_of(plain(), table=table), made({})[0])
    assert isinstance(answer, HandScore)
    assert answer.gang_points == (0, 0, 0, 0)
