"""A sheet has room for every legal hand, and offers no flag to a hand that refutes it."""

import pytest
from msgspec.structs import replace

from rules_engine import registry
from rules_engine.errors import Violation
from rules_engine.facts import HandFacts, Meld, WinFacts
from rules_engine.ruleset import Ruleset, make_options
from rules_engine.sheet_forms import FlagForm, MeldForm
from rules_engine.sheets import Sheet, sheet_of
from rules_engine.tiles import KIND, has, kinds_in, parse, size
from tests.rules_engine.variants.test_refusals import cases

RULESETS = pytest.mark.parametrize("ruleset", registry.latest(), ids=lambda each: each.slug)
BY_MEMORY = ("after_huang",)
"""Flags that the hands before decide, not the sheet (``Questions.flags_before``)."""
WARNINGS = ("guo_hu", "opening_niu_tile")
"""Flags that only say why a hand may not be declared."""

COUNTED = ("si_bao", "fei_bao", "jie_bao")
"""Flags about how many wilds there are at the whole table, which only the engine counts."""


def can_be(flag: FlagForm, win: WinFacts, facts: HandFacts, sheet: Sheet) -> bool:
    """What a page asks of a flag before it offers it (``record/sheet.js`` does the same)."""
    kinds = [meld.kind for meld in win.melds]
    flowers = parse(win.flowers)
    beside = [each for each in win.flags if each != flag.id]
    families = {each.id: each.family for each in sheet.flags}
    return (
        win.by in flag.by
        and flag.dealer in (None, win.seat == facts.dealer)
        and (not flag.from_dealer or win.from_ == facts.dealer)
        and (not flag.on_wild or win.tile == facts.wild)
        and (not flag.needs_meld or any(kind in flag.needs_meld for kind in kinds))
        and (flag.only_melds is None or all(kind in flag.only_melds for kind in kinds))
        and not any(kind in flag.no_melds for kind in kinds)
        and has(flowers, parse(flag.flowers))
        and (not flag.any_flower or bool(flowers))
        and (not flag.no_flower or not flowers)
        and all(each in beside for each in flag.needs)
        and all(each in beside for each in flag.melds_need if kinds)
        and not any(each in flag.without or families.get(each) in flag.without for each in beside)
        and not (flag.family and any(families.get(each) == flag.family for each in beside))
    )


def fits(meld: Meld, form: MeldForm, seat: int) -> bool:
    """Whether a meld can be written down with this form."""
    tiles = parse(meld.tiles)
    kinds = list(kinds_in(tiles))
    sources = {"no": [None], "before": [(seat - 1) % 4]}.get(form.source)
    if sources is not None and meld.from_ not in sources:
        return False
    if form.shape == "set":
        bases = [parse(base) for base in form.sets]
        return form.wild or any(has(tiles, base) for base in bases)
    if form.shape == "run":
        return len(kinds) == 3
    return len(kinds) == 1 and size(tiles) == {"triplet": 3, "quad": 4}[form.shape]


@RULESETS
def test_every_legal_golden_case_can_be_written_down(ruleset: Ruleset) -> None:
    seen = 0
    for case in cases(ruleset.slug).values():
        if not case.expect.legal:
            continue
        options = make_options(ruleset.options, case.options)
        assert not isinstance(options, Violation)
        sheet = sheet_of(ruleset, options)
        flags = {flag.id: flag for flag in sheet.flags}
        forms = {form.kind: form for form in sheet.melds}
        facts = case.facts
        for win in facts.wins:
            assert win.by in sheet.ways, case.id
            for meld in win.melds:
                assert fits(meld, forms[meld.kind], win.seat), (case.id, meld)
            for flag in win.flags:
                if flag not in WARNINGS and not flag.startswith(BY_MEMORY):
                    assert can_be(flags[flag], win, facts, sheet), (case.id, flag)
            seen += 1
        for holding in facts.table:
            assert set(holding.flags) <= flags.keys(), case.id
        assert len(facts.wins) < 2 or facts.wins[0].by in sheet.several, case.id
        assert facts.wild is None or sheet.wild != "no", case.id
    assert seen > 40


@RULESETS
def test_no_flag_is_offered_to_a_hand_that_refutes_it(ruleset: Ruleset) -> None:
    """Whatever flag is added to a legal hand where it can be, it is never called impossible."""
    about_flags = {"bad_flags", "bad_flag", "flag_impossible", "unknown_flag"}
    for case in cases(ruleset.slug).values():
        options = make_options(ruleset.options, case.options)
        if not case.expect.legal or isinstance(options, Violation):
            continue
        sheet = sheet_of(ruleset, options)
        facts = case.facts
        for place, win in enumerate(facts.wins):
            for flag in sheet.flags:
                given = replace(win, flags=(*win.flags, flag.id))
                symmetric = [each for each in sheet.flags if each.id in win.flags]
                if flag.id.startswith(COUNTED) or flag.who == "table" or flag.seat == win.seat:
                    continue
                if flag.id in win.flags:
                    continue
                if not all(can_be(each, given, facts, sheet) for each in [flag, *symmetric]):
                    continue
                wins = (*facts.wins[:place], given, *facts.wins[place + 1 :])
                scored = ruleset.score(replace(facts, wins=wins), options)
                if isinstance(scored, Violation):
                    assert scored.code not in about_flags, (case.id, flag.id, scored.message)


@RULESETS
def test_every_flag_and_meld_is_named_in_both_languages_and_once(ruleset: Ruleset) -> None:
    sheet = sheet_of(ruleset, ruleset.options())
    ids = [flag.id for flag in sheet.flags] + [form.kind for form in sheet.melds]
    assert len(ids) == len(set(ids))
    assert all(each.zh and each.en.isascii() for each in (*sheet.flags, *sheet.melds))
    assert all(kind in KIND.values() for kind in kinds_in(parse(sheet.flowers)))


@pytest.mark.parametrize(
    ("slug", "options", "gone"),
    [
        ("huaiyuan", {"bao_enabled": False}, {"dui_bao"}),
        ("jiangxi", {"rob_kinds": "bu_gang"}, {"rob:an_gang", "rob:ming_gang"}),
        ("qingdao", {"niu": False}, {"niu_kai"}),
    ],
)
def test_a_sheet_leaves_out_the_flags_of_what_a_club_does_not_play(
    slug: str, options: dict[str, object], gone: set[str]
):
    ruleset = registry.get(slug)
    told = [
        {flag.id for flag in sheet_of(ruleset, make_options(ruleset.options, given)).flags}
        for given in ({}, options)
    ]
    assert told[0] - told[1] == gone
