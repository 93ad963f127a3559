"""UUID version 7."""

import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from records.ids import milliseconds_of, uuid7


@given(st.integers(0, 2**48 - 1))
def test_an_id_tells_when_it_was_made(moment_ms: int) -> None:
    made = uuid7(moment_ms)
    assert milliseconds_of(made) == moment_ms
    assert (made.version, made.variant) == (7, uuid.RFC_4122)


def test_later_ids_sort_behind_earlier_ones() -> None:
    assert uuid7(1) < uuid7(2) < uuid7(2**40)


def test_ids_of_one_millisecond_differ() -> None:
    assert len({uuid7(1) for _ in range(1000)}) == 1000


@pytest.mark.parametrize("moment_ms", [-1, 2**48])
def test_a_moment_that_does_not_fit_is_refused(moment_ms: int) -> None:
    with pytest.raises(ValueError, match="48 bits"):
        uuid7(moment_ms)


def test_an_id_of_another_version_has_no_moment() -> None:
    with pytest.raises(ValueError, match="not a UUID version 7"):
        milliseconds_of(uuid.uuid4())
