"""A rule was changed: games of the version before keep it, and what it would change is told."""

import json
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client
from msgspec.structs import replace

from records.models import Settlement, Transfer
from rules_engine import registry
from rules_engine.errors import Violation
from rules_engine.facts import HandFacts
from rules_engine.ruleset import Ruleset
from rules_engine.score import Scored
from tests.support.people import HAND_RESULT, ClubHouse
from tests.support.toy import toy_installed

DEARER = 5


def dearer(version: Ruleset) -> Ruleset:
    """The next version, in which a win pays more."""

    def score(facts: HandFacts, options: Any) -> Scored:
        scored = version.score(facts, options)
        if isinstance(scored, Violation):
            return scored
        paid = tuple(
            replace(each, points=each.points * DEARER) if each.kind == "hu" else each
            for each in scored.transfers
        )
        return replace(scored, transfers=paid)

    return replace(version, version=version.version + 1, score=score)


@contextmanager
def next_version() -> Iterator[None]:
    """The toy has a second version, and keeps the first in ``PAST``."""
    package: Any = sys.modules["paipu_toy"]
    first = package.RULESET
    package.RULESET, package.PAST = dearer(first), (first,)
    registry.rulesets.cache_clear()
    try:
        yield
    finally:
        package.RULESET = first
        del package.PAST
        registry.rulesets.cache_clear()


def impact(*arguments: str) -> Mapping[str, Any]:
    """What the command says."""
    out = StringIO()
    call_command("impact", "toy", *arguments, "--json", stdout=out)
    report: dict[str, Any] = json.loads(out.getvalue())
    return report


def ledger() -> list[Any]:
    """The official results."""
    return [
        list(Settlement.objects.order_by("position").values()),
        list(Transfer.objects.order_by("game_id", "hand", "revision", "line").values()),
    ]


def points_of(game: str, hand: int) -> list[int]:
    """What each seat got for a hand of a game."""
    points: list[int] = Settlement.objects.get(game_id=game, hand=hand).points
    return points


@pytest.fixture
def house(house: ClubHouse) -> Iterator[ClubHouse]:
    """The club while the toy is installed."""
    with toy_installed():
        yield house


def test_a_game_keeps_the_version_it_began_with(
    house: ClubHouse, settle: Any, tmp_path: Path
) -> None:
    old = house.start_game(ruleset="toy")
    assert house.append(old, 1, HAND_RESULT).status_code == 201
    settle()
    with next_version():
        new = house.start_game(ruleset="toy")
        dealer = house.owner.get(f"games/{old}/state").json()["next"]
        second = {**HAND_RESULT, "hand": 2, **dealer}
        assert house.append(old, 2, second).status_code == 201
        assert house.append(new, 1, HAND_RESULT).status_code == 201
        settle()

        versions = {
            game: house.owner.get(f"games/{game}").json()["ruleset_version"] for game in (old, new)
        }
        assert versions == {old: 1, new: 2}
        before = points_of(old, 1)
        assert points_of(old, 2) == before
        assert points_of(new, 1) == [each * DEARER for each in before]

        page = Client().get("/rulesets/toy/?version=1&lang=en")
        assert page.status_code == 200
        assert b'<b aria-current="true">1</b>' in page.content
        shown = house.owner.get("rulesets/toy?version=1").json()
        assert (shown["version"], shown["versions"]) == (1, [1, 2])

        official = ledger()
        report = impact("--to", "2", "--club", house.club.slug)
        hands = [(each["game_id"], each["hand"]) for each in report["changed"]]
        assert sorted(hands) == [(old, 1), (old, 2)]
        assert all(p["after"] == p["before"] * DEARER for p in report["changed"][0]["payments"])
        back = impact("--to", "1", "--club", house.club.slug)
        assert [each["game_id"] for each in back["changed"]] == [new]
        file = tmp_path / "options.json"
        file.write_text(json.dumps({"several_winners": False}))
        assert impact("--to", str(file), "--club", house.club.slug)["changed"] == []
        assert ledger() == official
