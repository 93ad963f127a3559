"""Counts as a sentence says them."""

from rules_engine.words import agreeing, counted, joined, times_over


def test_a_count_takes_the_form_of_its_noun():
    assert [counted(number, "run") for number in (0, 1, 2)] == ["no run", "1 run", "2 runs"]
    assert [counted(number, "bao", "bao") for number in (0, 1, 2)] == ["no bao", "1 bao", "2 bao"]


def test_once_and_twice_are_words():
    assert [times_over(number) for number in (1, 2, 3)] == ["once", "twice", "3 times"]


def test_only_one_thing_is():
    assert [agreeing(number, "is", "are") for number in (0, 1, 2)] == ["are", "is", "are"]


def test_the_last_of_several_names_is_joined_by_a_word():
    assert [joined("m"), joined("mp"), joined("mps")] == ["m", "m and p", "m, p and s"]
    assert joined("mp", "or") == "m or p"
