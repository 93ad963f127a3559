"""What README.md and the comments say about tests is true."""

import re
from pathlib import Path

RECORDS = Path(__file__).parents[2] / "records"
TESTS = Path(__file__).parents[1]
NAME = re.compile(r"\btest_\w+\b(?!\.py)")


def test_every_test_that_the_documents_and_comments_name_exists() -> None:
    sources = [RECORDS / "README.md", *RECORDS.glob("*.py"), *(RECORDS / "sql").glob("*.sql")]
    named = {name for source in sources for name in NAME.findall(source.read_text("utf-8"))}
    there = "\n".join(path.read_text("utf-8") for path in TESTS.rglob("test_*.py"))
    assert len(named) > 20
    assert {name for name in named if f"def {name}(" not in there} == set()


def test_every_invariant_has_its_tests_and_its_number_once() -> None:
    rows = [
        line.split("|")
        for line in (RECORDS / "README.md").read_text("utf-8").splitlines()
        if re.match(r"\| I\d+ \|", line)
    ]
    assert [row[1].strip() for row in rows] == [f"I{number}" for number in range(1, len(rows) + 1)]
    assert all("test_" in row[4] for row in rows)
