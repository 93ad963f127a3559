"""Every gang of a hand is told with what was paid for it, or with the rule why nothing was."""

from collections import Counter

import pytest
from msgspec.structs import replace

from rules_engine import registry
from rules_engine.cases import Case
from rules_engine.fold import Game, apply, effective
from rules_engine.gangs import GangTold
from rules_engine.ruleset import Options, make_options
from rules_engine.score import HandScore, Transfer
from tests.corpus import games
from tests.rules_engine.variants.test_golden_cases import CASES, COUNTS

SCORED = [case for case in CASES if case.expect.legal]


def told(case_id: str) -> tuple[tuple[GangTold, ...], HandScore]:
    """The gangs of a golden case, and its score."""
    case = next(case for case in CASES if case.id == case_id)
    ruleset = registry.get(case.slug)
    options = make_options(ruleset.options, case.options)
    assert isinstance(options, Options)
    scored = ruleset.score(case.facts, options)
    assert isinstance(scored, HandScore)
    return ruleset.gangs(case.facts, options), scored


def gang_lines(scored: HandScore) -> Counter[Transfer]:
    """The payments for gangs."""
    return Counter(line for line in scored.transfers if line.kind == "gang")


@pytest.mark.parametrize("case", SCORED, ids=lambda case: case.id)
def test_what_is_told_of_gangs_is_what_is_paid_for_them(case: Case) -> None:
    gangs, scored = told(case.id)
    assert Counter(line for gang in gangs for line in gang.transfers) == gang_lines(scored)
    rules = registry.get(case.slug).rules
    for gang in gangs:
        assert (gang.unpaid is None) == bool(gang.transfers)
        if gang.unpaid is not None:
            assert gang.unpaid.rule in rules
            assert gang.unpaid.zh
            assert gang.unpaid.en


@pytest.mark.parametrize("case", SCORED, ids=lambda case: case.id)
def test_every_declared_gang_is_told_once(case: Case) -> None:
    gangs, _ = told(case.id)
    declared = Counter(
        (each.seat, meld.kind, meld.tiles)
        for each in (*case.wins, *case.table)
        for meld in each.melds
        if meld.kind not in ("chi", "peng", "niu")
    )
    stood = Counter((gang.seat, gang.kind, gang.tiles) for gang in gangs if not gang.robbed)
    assert stood == declared
    robbed = [gang.seat for gang in gangs if gang.robbed]
    assert robbed == [win.from_ for win in case.wins[:1] if win.by == "qiang_gang"]


@pytest.mark.parametrize("case", SCORED, ids=lambda case: case.id)
def test_every_payment_has_a_name_in_both_languages(case: Case) -> None:
    _, scored = told(case.id)
    for line in scored.transfers:
        name = registry.get(case.slug).name_of(line.item)
        assert name is not None
        assert all(name)


@pytest.mark.parametrize("slug", COUNTS)
def test_the_cases_have_gangs_and_reasons(slug: str) -> None:
    gangs = [gang for case in SCORED if case.slug == slug for gang in told(case.id)[0]]
    assert gangs
    assert {gang.unpaid.rule for gang in gangs if gang.unpaid}


@pytest.mark.parametrize("slug", COUNTS)
def test_recorded_games_tell_the_gangs_they_paid(slug: str) -> None:
    seqs: set[bool] = set()
    for recorded in games.read(slug):
        game: Game | None = None
        for seq, event in effective(games.numbered(recorded)):
            before = None if game is None else replace(game, seq=seq - 1)
            game = apply(before, event, seq)
            if before is None or game.last is None or game.last is before.last:
                continue
            if game.last.facts is None:
                continue
            scored = game.ruleset.score(game.last.facts, game.options)
            assert isinstance(scored, HandScore)
            gangs = game.ruleset.gangs(game.last.facts, game.options)
            lines = Counter(line for gang in gangs for line in gang.transfers)
            assert lines == gang_lines(scored)
            seqs |= {gang.seq > 0 for gang in gangs if not gang.robbed}
    assert seqs == {True, False}  # Of games recorded tile by tile, and of recorded results.
