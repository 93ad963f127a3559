"""``manage.py score``: golden cases from the command line, without a database."""

from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from django.core.management import CommandError, call_command

GOLDEN = Path(__file__).parents[1] / "rules_engine" / "variants" / "hefei" / "cases.json"


def run(*arguments: Any) -> tuple[str, int]:
    """What the command prints, and its exit status."""
    out = StringIO()
    try:
        call_command("score", *map(str, arguments), stdout=out)
    except SystemExit as stop:
        return out.getvalue(), int(str(stop.code))
    return out.getvalue(), 0


def cases_with(folder: Path, number: int, **changes: Any) -> Path:
    """A file with two golden cases, the one of this number changed."""
    cases = msgspec.json.decode(GOLDEN.read_bytes())[:4]
    cases[number] |= changes
    path = folder / "changed.cases.json"
    path.write_bytes(msgspec.json.encode(cases))
    return path


def test_all_golden_cases_pass():
    printed, status = run(GOLDEN)
    assert printed.splitlines()[-1] == "130 passed, 0 failed"
    assert status == 0


def test_a_wrong_figure_is_shown_with_both_sides_and_the_explanation(tmp_path):
    expect = {"legal": True, "wins": [{"seat": 2, "items": [], "total": 11}]}
    printed, status = run(cases_with(tmp_path, 0, expect=expect), GOLDEN)
    lines = printed.splitlines()
    assert lines[0] == "hefei-001: plain room, plain zimo: the base alone"
    assert "    expected  seat 2:  = 11" in lines
    assert "    got       seat 2: base 10 = 10" in lines
    assert any("the case says" in line for line in lines)
    assert any("+ base 10 (HF-47)" in line for line in lines)
    assert any("- ka (HF-58): 5p lies at the open end of 345p" in line for line in lines)
    assert any("seat 0 pays seat 2 2 (zhuang_pay, HF-69)" in line for line in lines)
    assert lines[-1] == "133 passed, 1 failed"
    assert status == 1


def test_a_refusal_that_was_not_expected_says_why(tmp_path):
    printed, status = run(cases_with(tmp_path, 1, options={"allow_dianpao": False}, why=""))
    assert "refused, dianpao_disabled (HF-40): Seat 2: " in printed
    assert "the case says" not in printed
    assert status == 1


def test_options_that_are_not_valid_fail_the_case(tmp_path):
    printed, status = run(cases_with(tmp_path, 1, options={"cap": -1}))
    assert "Option cap cannot be -1" in printed
    assert "the engine says" not in printed
    assert status == 1


def test_the_ruleset_can_be_named_where_the_ids_do_not_say_it(tmp_path):
    path = cases_with(tmp_path, 0, id="mine-1")
    with pytest.raises(CommandError, match="no ruleset 'mine'"):
        run(path)
    assert run(path, "--ruleset", "hefei")[1] == 0


@pytest.mark.parametrize("content", [None, b"[", b"[{}]"])
def test_a_file_that_cannot_be_read_is_named(tmp_path, content):
    path = tmp_path / "some.cases.json"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CommandError, match=r"some\.cases\.json"):
        run(path)
