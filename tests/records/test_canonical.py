"""The JSON profile against an independent RFC 8785 implementation."""

import pytest
import rfc8785
from hypothesis import given
from hypothesis import strategies as st

from records.canonical import INTEGER_MAX, canonical_bytes
from records.errors import NotCanonical

names = st.from_regex(r"[a-z][a-z0-9_]{0,8}(\.[a-z0-9_]{1,3})?", fullmatch=True)
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"))
integers = st.integers(-INTEGER_MAX, INTEGER_MAX)
values = st.recursive(
    st.none() | st.booleans() | integers | texts,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(names, inner, max_size=5),
    max_leaves=25,
)


@given(values)
def test_the_bytes_equal_those_of_an_independent_rfc_8785_library(value: object) -> None:
    assert canonical_bytes(value) == rfc8785.dumps(value)


@given(st.dictionaries(names, values))
def test_the_order_in_which_keys_were_added_does_not_matter(value: dict[str, object]) -> None:
    turned = dict(reversed(value.items()))
    assert canonical_bytes(turned) == canonical_bytes(value)


@given(st.floats())
def test_a_float_is_refused_wherever_it_stands(number: float) -> None:
    with pytest.raises(NotCanonical) as refusal:
        canonical_bytes({"points": [1, {"total": number}]})
    assert refusal.value.facts["place"] == ".points[1].total"


@pytest.mark.parametrize(
    "value",
    [
        INTEGER_MAX + 1,
        -INTEGER_MAX - 1,
        {"Seat": 1},
        {"座": 1},
        {"": 1},
        {"1": 1},
        {"a-b": 1},
        {"a.": 1},
        {1: 1},
        {None: 1},
        "\0",
        "\ud83c",
        ["\udc00"],
        b"bytes",
        {1, 2},
        object,
    ],
    ids=repr,
)
def test_what_lies_outside_the_profile_is_refused(value: object) -> None:
    with pytest.raises(NotCanonical):
        canonical_bytes(value)


def test_two_spellings_of_one_letter_stay_two_values() -> None:
    assert canonical_bytes("\u00e9") != canonical_bytes("e\u0301")


def test_the_bounds_of_the_integers_are_part_of_the_profile() -> None:
    assert canonical_bytes([INTEGER_MAX, -INTEGER_MAX]) == b"[9007199254740991,-9007199254740991]"
