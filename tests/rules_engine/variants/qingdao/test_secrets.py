"""What the others may see of a live Qingdao hand (QD-35, QD-57)."""

from typing import Any

from replays.visibility import EVERYTHING, PUBLIC, Viewer, show_event, show_state
from rules_engine.fold import Game
from rules_engine.view import view
from tests.rules_engine.variants.qingdao.logs import (
    RULESET,
    deal,
    discard,
    draw,
    gang,
    played,
    ting,
)

READY = "123456m567p88s23s"


def seat_as_seen(game: Game, seat: int, viewer: Viewer) -> dict[str, Any]:
    """A seat of the live hand as this viewer sees it."""
    shown: dict[str, Any] = show_state(view(game), viewer)["table"]["seats"][seat]
    return shown


def test_the_others_see_that_there_is_a_concealed_gang_but_not_of_what():
    game = played([gang(0, "an_gang", "1m")], deal({0: "1111m"}))
    for viewer in (PUBLIC, Viewer(seats=frozenset({2}))):
        (meld,) = seat_as_seen(game, 0, viewer)["melds"]
        assert (meld["kind"], meld["tiles"], meld["covered"]) == ("an_gang", None, True)
    for viewer in (EVERYTHING, Viewer(seats=frozenset({0}))):
        assert seat_as_seen(game, 0, viewer)["melds"][0]["tiles"] == "1111m"
    event = RULESET.catalogue.decode(gang(0, "an_gang", "1m"))
    assert show_event(event, PUBLIC)[1] == ["tile"]
    assert show_event(event, Viewer(seats=frozenset({0})))[1] == []


def test_everybody_sees_a_hand_that_was_declared_openly_and_no_other():
    for kind in ("ming_lou", "kou_ting"):
        game = deal({0: "1z", 1: READY}, options={"lou": "both"}, spare="4z")
        game = played([discard(0, "1z"), draw(1, "4z"), ting(1, kind)], game)
        game = played([discard(1, "4z", drawn=True)], game)
        seat = seat_as_seen(game, 1, PUBLIC)
        assert seat["open"] == (kind == "ming_lou")
        assert seat["concealed"] == ("123456m567p2388s" if kind == "ming_lou" else None)
        assert seat_as_seen(game, 2, PUBLIC)["concealed"] is None
