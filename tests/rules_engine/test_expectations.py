"""What somebody else says a hand came to: compared in as much as it says, and in any order."""

from typing import Any

import msgspec
import pytest

from rules_engine import registry
from rules_engine.errors import IllegalEvent
from rules_engine.events import GameStarted, HandResult
from rules_engine.expectations import insist_on, read_expectation
from rules_engine.facts import WinFacts
from rules_engine.fold import Game, apply
from rules_engine.ruleset import dump_options

POINTS = [-12, -10, 32, -10]


@pytest.fixture(scope="module")
def game() -> Game:
    """A game of Hefei mahjong after a hand that seat 2 won."""
    ruleset = registry.get("hefei")
    started = GameStarted(
        ruleset=ruleset.slug,
        ruleset_version=ruleset.version,
        options=dump_options(ruleset.options()),
        players=("a", "b", "c", "d"),
    )
    win = WinFacts(seat=2, by="zimo", tile="5p", concealed="23456788m34p678s")
    result = HandResult(hand=1, dealer=0, result="hu", wins=(win,))
    return apply(apply(None, started, 1), result, 2)


def items(game: Game) -> list[str]:
    """The ids of the items of the win."""
    assert game.last is not None
    score: Any = game.ruleset.score(game.last.facts, game.options)
    return [line.id for line in score.wins[0].items]


def refusal(game: Game, given: Any) -> Any:
    """Why the game does not come to this."""
    with pytest.raises(IllegalEvent) as caught:
        insist_on(read_expectation(given), game)
    return caught.value.violation


def test_what_the_hand_comes_to_is_accepted_whole_or_in_part(game: Game) -> None:
    win = {"seat": 2, "total": 10, "items": list(reversed(items(game)))}
    for given in (
        {"points": POINTS},
        {"wins": [win]},
        {"wins": [{"seat": 2}]},
        {"points": POINTS, "wins": [{"seat": 2, "total": 10}]},
        {},
    ):
        insist_on(read_expectation(given), game)


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"points": [0, 0, 0, 0]}, {"points": POINTS}),
        ({"wins": []}, {"wins": [{"seat": 2, "total": 10, "items": ...}]}),
        ({"wins": [{"seat": 2, "total": 11}]}, {"wins": [{"seat": 2, "total": 10}]}),
        ({"wins": [{"seat": 2, "items": ["x"]}]}, {"wins": [{"seat": 2, "items": ...}]}),
    ],
)
def test_what_differs_is_told_with_both_and_nothing_else(
    game: Game, given: Any, expected: Any
) -> None:
    for win in expected.get("wins", ()):
        if "items" in win:
            win["items"] = sorted(items(game))
    violation = refusal(game, given)
    assert violation.code == "score_differs"
    told = msgspec.json.decode(msgspec.json.encode((violation.expected, violation.actual)))
    assert told == [expected, given]
    assert violation.facts == {"hand": 1}


def test_a_winner_nobody_expected_differs(game: Game) -> None:
    assert refusal(game, {"wins": [{"seat": 1}]}).code == "score_differs"


def test_a_score_is_expected_only_where_a_hand_has_just_ended(game: Game) -> None:
    started = apply(
        None,
        GameStarted(
            ruleset=game.ruleset.slug,
            ruleset_version=game.ruleset.version,
            options=dump_options(game.options),
            players=("a", "b", "c", "d"),
        ),
        1,
    )
    assert refusal(started, {"points": POINTS}).code == "no_score_here"


@pytest.mark.parametrize(
    "given", [7, [], {"points": [1, 2]}, {"total": 3}, {"wins": [{"total": 3}]}, {"points": "all"}]
)
def test_what_is_no_expectation_is_refused_with_the_reason(given: Any) -> None:
    with pytest.raises(IllegalEvent) as caught:
        read_expectation(given)
    assert caught.value.violation.code == "invalid_expectation"
