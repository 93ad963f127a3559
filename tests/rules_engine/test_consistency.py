"""Facts that contradict themselves are refused whatever is played."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rules_engine.consistency import contradiction
from rules_engine.facts import HandFacts, Holding, Meld, WinFacts
from rules_engine.tiles import FLOWER_KINDS, KINDS, NAMES


def win(seat: int = 0, **given: Any) -> WinFacts:
    return WinFacts(**{"seat": seat, "by": "zimo", "tile": "5p", "concealed": "123m", **given})


def claimed(seat: int, **given: Any) -> WinFacts:
    return win(seat, **{"by": "dianpao", "from_": 0, **given})


def facts(*wins: WinFacts, **given: Any) -> HandFacts:
    return HandFacts(**{"dealer": 0, "result": "hu", "wins": wins, **given})


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ("bad_streak", facts(win(), streak=0)),
        ("winner_missing", facts()),
        ("winner_in_a_draw", facts(win(), result="huang_zhuang")),
        ("seat_twice", facts(claimed(1), claimed(1))),
        ("seat_twice", facts(win(1), table=(Holding(seat=1),))),
        ("seat_twice", facts(win(1), table=(Holding(seat=2), Holding(seat=2)))),
        ("payer_given", facts(win(1, from_=2))),
        ("payer_missing", facts(win(1, by="dianpao"))),
        ("payer_missing", facts(win(1, by="qiang_gang"))),
        ("payer_wins", facts(claimed(1, from_=1))),
        ("payer_wins", facts(claimed(1, from_=2), claimed(2, from_=2))),
        ("winners_disagree", facts(win(1), win(2))),
        ("winners_disagree", facts(claimed(1), claimed(2, tile="6p"))),
        ("winners_disagree", facts(claimed(1), claimed(2, from_=3))),
        ("winners_disagree", facts(claimed(1), claimed(2, by="qiang_gang"))),
        ("winners_disagree", facts(claimed(1), win(2))),
        ("too_many_tiles", facts(win(concealed="11111m"))),
        ("too_many_tiles", facts(win(concealed="5555p"))),
        ("too_many_tiles", facts(win(concealed="55p", melds=(Meld("peng", "555p"),)))),
        ("too_many_tiles", facts(win(), table=(Holding(seat=1, concealed="5555p"),))),
        ("too_many_tiles", facts(win(), table=(Holding(seat=1, melds=(Meld("x", "5555p"),)),))),
        ("too_many_tiles", facts(claimed(1, concealed="55p"), claimed(2, concealed="55p"))),
        ("too_many_tiles", facts(win(flowers="1f"), table=(Holding(seat=1, flowers="1f"),))),
    ],
)
def test_what_cannot_be_is_refused_with_a_code_of_its_own(code, wrong):
    found = contradiction(wrong, {code: "XX-1"})
    assert found is not None
    assert found.code == code
    assert found.rule == "XX-1", "the game's own rule for it"
    assert replace(contradiction(wrong, {}), rule="XX-1") == found
    assert found.message


@pytest.mark.parametrize(
    "good",
    [
        facts(result="huang_zhuang"),
        facts(win(flowers="12f"), table=(Holding(seat=1, flowers="3f"),)),
        facts(claimed(1, concealed="555p"), claimed(2)),
        facts(
            win(1, by="qiang_gang", from_=2), table=(Holding(seat=2, melds=(Meld("x", "5555p"),)),)
        ),
        facts(win(concealed="5p", melds=(Meld("chi", "567p"),))),
    ],
)
def test_what_can_be_is_not_refused(good):
    assert contradiction(good, {}) is None


@given(st.integers(0, KINDS - 1), st.lists(st.integers(0, 4), min_size=4, max_size=4))
def test_copies_are_counted_over_the_whole_table(kind, copies):
    most = 1 if kind in FLOWER_KINDS else 4
    copies = [min(number, most) for number in copies]
    rank, suit = NAMES[kind]
    table = tuple(
        Holding(seat=seat, concealed=f"{rank * number}{suit}" if number else "")
        for seat, number in enumerate(copies)
    )
    found = contradiction(facts(result="huang_zhuang", table=table), {})
    assert (found is not None) == (sum(copies) > most)
