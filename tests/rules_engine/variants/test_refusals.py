"""Malformed and impossible input, asked of every variant: a clear refusal with the rule's id.

Hands written down as results start from golden cases that are right and change one thing in them.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from rules_engine import registry
from rules_engine.cases import Case, read_cases
from rules_engine.errors import IllegalEvent, Violation
from rules_engine.events import Event, GameStarted, HandResult, HandStarted
from rules_engine.facts import Holding, Meld
from rules_engine.fold import Game, apply
from rules_engine.ruleset import dump_options, make_options
from rules_engine.tiles import KIND, NAMES, count, kinds_in, parse, write
from tests.rules_engine.log import PLAYERS, Log
from tests.rules_engine.variants.huaiyuan import logs as huaiyuan
from tests.rules_engine.variants.jiangxi.play_log import dealt
from tests.rules_engine.variants.qingdao import logs as qingdao

SLUGS = [ruleset.slug for ruleset in registry.latest()]
every_variant = pytest.mark.parametrize("slug", SLUGS)


@cache
def cases(slug: str) -> Mapping[str, Case]:
    """The golden cases of a variant by id."""
    text = (Path(__file__).parent / slug / "cases.json").read_bytes()
    return {case.id: case for case in read_cases(text)}


def result_of(case: Case, **changes: Any) -> HandResult:
    """The event that records the case."""
    event = HandResult(
        hand=1,
        dealer=case.dealer,
        result=case.result,
        streak=case.streak,
        wild=case.wild,
        wins=case.wins,
        table=case.table,
    )
    return replace(event, **changes)


def refusal(game: Game, event: Event) -> Violation:
    """Why the event may not come now."""
    with pytest.raises(IllegalEvent) as caught:
        apply(game, event, game.seq + 1)
    return caught.value.violation


def said(case: Case, **changes: Any) -> Violation:
    """The refusal of the case recorded with these changes."""
    return Log(case.slug, **case.options).refusal(result_of(case, **changes))


def assert_clear(violation: Violation, slug: str, code: str, rule: str) -> None:
    """The refusal is this one, rests on a rule a person can read, and says something."""
    assert (violation.code, violation.rule) == (code, rule), violation
    assert violation.rule in registry.get(slug).rules
    assert len(violation.message) > 15
    assert violation.message.endswith(".")


# --- too many tiles -------------------------------------------------------------------------------

FIFTEEN = {
    "hefei": ("not_winning_shape", "HF-37"),
    "huaiyuan": ("no_shape", "HY-55"),
    "jiangxi": ("not_a_win", "JX-77"),
    "qingdao": ("shape", "QD-60"),
    "ruian": ("no_shape", "RA-40"),
}


def simple(slug: str) -> Case:
    """The first case that is won, without a flag and by one seat, in a game's first hand."""
    return next(
        case
        for case in cases(slug).values()
        if case.expect.legal and len(case.wins) == 1 and not case.wins[0].flags
        and not case.wins[0].melds and case.dealer == 0 and case.streak == 1
    )  # fmt: skip


@every_variant
def test_a_tile_too_many_in_the_hand_is_no_win(slug: str) -> None:
    case = simple(slug)
    Log(slug, **case.options).add(result_of(case))
    (win,) = case.wins
    held = parse(win.concealed)
    kind = next(k for k in kinds_in(held) if count(held, k) < 3 and NAMES[k] != win.tile)
    more = write(held + (1 << 4 * kind))
    violation = said(case, wins=(replace(win, concealed=more),))
    assert_clear(violation, slug, *FIFTEEN[slug])
    assert violation.actual == violation.expected + 1, "how many tiles are due, and how many given"


DEAL = {
    "hefei": "HF-16",
    "huaiyuan": "HY-23",
    "jiangxi": "JX-30",
    "qingdao": "QD-17",
    "ruian": "RA-18",
}
SHOWN: Mapping[str, dict[str, Any]] = {
    "jiangxi": {"indicator": "2s", "dice": (2, 3)},
    "ruian": {"indicator": "2s", "dice": (1, 2, 3, 4)},
}


@every_variant
def test_a_seat_that_is_dealt_a_tile_too_many_is_named(slug: str) -> None:
    log = Log(slug)
    size = log.game.play.hand_size
    hands = plain_deal(size)
    event = HandStarted(
        hand=1, dealer=0, dealt=hands, last=hands[0][:1] + "m", streak=1, **SHOWN.get(slug, {})
    )
    log.add(event)
    extra = write(parse(hands[2]) + parse("9s" if slug != "hefei" else "8s"))
    violation = Log(slug).refusal(replace(event, dealt=(*hands[:2], extra, hands[3])))
    assert_clear(violation, slug, "wrong_deal", DEAL[slug])
    assert (violation.expected, violation.actual) == (size, size + 1)
    assert violation.facts["seat"] == 2


def plain_deal(size: int) -> tuple[str, ...]:
    """Four hands of ranks 2 to 7, of which the dealer's has a tile more."""
    pool = [f"{rank}{suit}" for _ in range(4) for suit in "mps" for rank in range(2, 8)]
    hands = []
    for seat in range(4):
        own = [pool.pop(0) for _ in range(size + (seat == 0))]
        hands.append(write(sum(1 << 4 * KIND[name] for name in own)))
    return tuple(hands)


@every_variant
def test_a_fifth_copy_of_a_tile_is_refused_by_the_rule_that_counts_them(slug: str) -> None:
    case = simple(slug)
    tile = case.wins[0].tile
    holding = Holding(seat=next(s for s in range(4) if s != case.wins[0].seat),
                      melds=(Meld(kind="an_gang", tiles=tile[0] * 4 + tile[1]),))  # fmt: skip
    rule = registry.get(slug).play(registry.get(slug).options()).rules["too_many_tiles"]
    assert_clear(said(case, table=(holding,)), slug, "too_many_tiles", rule)


# --- wilds, special sets, robbed gangs ------------------------------------------------------------


def test_a_game_without_wilds_takes_no_wild() -> None:
    assert_clear(said(simple("hefei"), wild="5m"), "hefei", "wild_forbidden", "HF-5")


@pytest.mark.parametrize(
    ("case_id", "code", "rule"),
    [
        ("huaiyuan-043", "no_shape", "HY-55"),
        ("huaiyuan-049", "dui_bao_not_ting", "HY-53"),
        ("jiangxi-004", "wild_needs_self_draw", "JX-50"),
        ("jiangxi-027", "not_a_win", "JX-77"),
        ("qingdao-040", "hun_discard", "QD-65"),
        ("qingdao-041", "bare_hun", "QD-66"),
        ("ruian-031", "san_cai_shen_own_draw", "RA-46"),
        ("ruian-034", "soft_ba_dui", "RA-44"),
        ("ruian-051", "wild_in_meld", "RA-42"),
        ("ruian-082", "wild_not_claimable", "RA-42"),
    ],
)
def test_a_wild_used_where_the_rules_forbid_it_is_refused(
    case_id: str, code: str, rule: str
) -> None:
    slug = case_id.partition("-")[0]
    assert_clear(said(cases(slug)[case_id]), slug, code, rule)


def test_a_discarded_wild_is_not_claimed() -> None:
    log = dealt("2589m369p358s1247z", "9m", {1: "147m258p33s13577z"}).play("0-3s")
    claim = log.make("peng", seat=1, tiles="333s", tile="3s", **{"from": 0})
    assert_clear(log.refusal(claim), "jiangxi", "wild_not_claimable", "JX-46")


def test_a_special_gang_comes_in_the_first_turn() -> None:
    game = huaiyuan.deal({0: "5567z"}, last="5z", spare="9999s9999m")
    late = huaiyuan.opens(0, "xi_gang", "567z")
    huaiyuan.played([late], game)
    turns = [each for seat in (1, 2, 3) for each in huaiyuan.turn(seat, "9s")]
    game = huaiyuan.played([huaiyuan.discard(0, "5z"), *turns, huaiyuan.draw(0, "9m")], game)
    said = refusal(game, huaiyuan.RULESET.catalogue.decode(late))
    assert_clear(said, "huaiyuan", "special_window_closed", "HY-42")


def test_a_niu_comes_before_the_own_first_discard() -> None:
    game = qingdao.deal({0: "1m", 1: "567z"}, spare="9999s9999p")
    late = qingdao.niu(1, "zfb", "567z")
    qingdao.played([late], game)
    turns = [each for seat in (1, 2, 3, 0) for each in qingdao.turn(seat, "9p")]
    game = qingdao.played([qingdao.discard(0, "1m"), *turns, qingdao.draw(1, "9s")], game)
    said = refusal(game, qingdao.RULESET.catalogue.decode(late))
    assert_clear(said, "qingdao", "niu_closed", "QD-43")


def test_a_caught_bao_is_declared_at_once() -> None:
    log = dealt("2589m369p358s1247z", "9m", {2: "225m147p33358s45z"}).play("0-3s")
    catch = log.make("jie_bao", seat=2, tile="3s", **{"from": 0})
    assert catch in log.actions(2)
    assert_clear(log.play("1+9m").refusal(catch), "jiangxi", "jie_bao_too_late", "JX-56")


def test_a_gang_among_the_last_tiles_comes_too_late() -> None:
    hands = {0: "6666s2345678m45p4s"}
    log = Log().deal(hands, last="4s", keep="5p")
    gang = log.make("gang", seat=0, kind="an_gang", tile="6s")
    assert gang in log.actions(0)
    log.play("0-4s").draw_out(4, spare="5p").play("0+5p")
    assert_clear(log.refusal(gang), "hefei", "gang_wall_too_short", "HF-26")


ROBBED = {
    "huaiyuan-056": ("robbed_gang", "HY-105"),
    "jiangxi-043": ("bad_meld", "JX-91"),
    "qingdao-031": ("not_robbable", "QD-37"),
    "ruian-037": ("rob_only_bu_gang", "RA-32"),
}


@pytest.mark.parametrize("case_id", ROBBED)
def test_a_robbed_gang_is_not_paid_all_the_same(case_id: str) -> None:
    slug = case_id.partition("-")[0]
    case = cases(slug)[case_id]
    Log(slug, **case.options).add(result_of(case))
    (holding,) = case.table
    tile = case.wins[0].tile
    gang = Meld(kind="bu_gang", tiles=tile[0] * 4 + tile[1], from_=holding.melds[0].from_)
    violation = said(case, table=(replace(holding, melds=(gang,)),))
    assert_clear(violation, slug, *ROBBED[case_id])
    assert "bu_gang" in violation.actual, "what was given"


def test_where_no_gang_can_be_robbed_no_robbed_gang_is_recorded() -> None:
    case = simple("hefei")
    win = replace(case.wins[0], by="qiang_gang", from_=3)
    assert_clear(said(case, wins=(win,)), "hefei", "qiang_gang_forbidden", "HF-25")


# --- who plays ------------------------------------------------------------------------------------

SITTING = {
    "hefei": "HF-9",
    "huaiyuan": "HY-2",
    "jiangxi": "JX-20",
    "qingdao": "QD-1",
    "ruian": "RA-2",
}
WAITING = {**SITTING, "jiangxi": "JX-24", "qingdao": "QD-15"}


def begun(slug: str, *substitutes: str, players: tuple[str, ...] = PLAYERS, **options: Any) -> Any:
    """The game that begins so, or why it may not."""
    ruleset = registry.get(slug)
    made = make_options(ruleset.options, options)
    assert not isinstance(made, Violation), made
    event = GameStarted(
        ruleset=slug,
        ruleset_version=ruleset.version,
        options=dump_options(made),
        players=players,
        substitutes=substitutes,
    )
    try:
        return apply(None, event, 1)
    except IllegalEvent as error:
        return error.violation


@every_variant
def test_nobody_sits_twice(slug: str) -> None:
    violation = begun(slug, players=("ann", "bob", "cid", "ann"))
    assert_clear(violation, slug, "player_twice", SITTING[slug])


@every_variant
def test_a_substitute_does_not_play_at_the_same_time(slug: str) -> None:
    assert_clear(begun(slug, "bob"), slug, "player_twice", SITTING[slug])


@every_variant
def test_nobody_waits_where_nobody_takes_turns(slug: str) -> None:
    violation = begun(slug, "eve")
    assert_clear(violation, slug, "wrong_roster", WAITING[slug])
    assert (violation.expected, violation.actual) == (0, 1)


@pytest.mark.parametrize("waiting", [(), ("eve", "fay")])
def test_five_players_are_four_and_one_who_waits(waiting: tuple[str, ...]) -> None:
    assert begun("ruian", "eve", roster=5).substitutes == ("eve",)
    violation = begun("ruian", *waiting, roster=5)
    assert_clear(violation, "ruian", "wrong_roster", "RA-2")
    assert (violation.expected, violation.actual) == (1, len(waiting))


@every_variant
def test_who_sits_already_takes_no_second_chair(slug: str) -> None:
    log = Log(slug).own("player_left", seat=0, player="ann")
    again = log.make("player_seated", seat=0, player="bob")
    assert_clear(log.refusal(again), slug, "player_twice", SITTING[slug])
    log.own("player_seated", seat=0, player="ann")
