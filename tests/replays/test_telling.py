"""Explanations in words, as pages tell them."""

import re

from replays.viewer.telling import name_seats
from rules_engine.score import HandExplanation
from tests.rules_engine.variants.test_golden_cases import FILES, answers, every_variant

NAMES = ("Anna", "Ben", "陈", "林")


@every_variant
def test_sentences_of_explanations_have_names_in_place_of_seats(slug: str) -> None:
    named = set()
    for case in FILES[slug]:
        _, _, explained = answers(case)
        if not isinstance(explained, HandExplanation):
            continue
        lines = [(each.zh, each.en) for each in explained.notes]
        for win in explained.wins:
            lines += [(each.zh, each.en) for each in (*win.given, *win.not_given, *win.formula)]
        for sentence in (sentence for line in lines for sentence in line):
            told = name_seats(sentence, NAMES)
            assert not re.search(r"\d ?座|\bseats? \d", told, re.IGNORECASE), told
            named |= {sentence} - {told}
    assert named, "some case has a sentence about a seat"
