"""Games played tile by tile by the bots, from the log to the standings."""

from io import StringIO
from pathlib import Path
from uuid import uuid4

import pytest
from django.core.management import call_command
from msgspec.structs import replace

from records import ledger
from records.ledger import Settled
from records.models import Game
from replays.models import Standing
from rules_engine.events import HandResult
from rules_engine.facts import Holding, Meld, WinFacts
from tests.support.league import insist_on_once_each_and_zero_sums, settle_in_peace
from tests.support.recorded import RecordedGame

pytestmark = pytest.mark.usefixtures("database")


def simulate(folder: Path, *, games: int, hands: int) -> None:
    file = folder / "games.ndjson"
    with file.open("w") as stream:
        arguments = ("--games", str(games), "--hands", str(hands), "--seed", "5")
        call_command("simulate", "hefei", *arguments, stdout=stream)
    call_command("import", str(file), "--no-settle", stdout=StringIO())


def as_result(hand: Settled) -> HandResult:
    """What somebody who saw only the end of the hand would have written down."""
    facts = hand.facts
    assert facts is not None

    def unnumbered(part: WinFacts | Holding) -> tuple[Meld, ...]:
        return tuple(replace(meld, seq=0) for meld in part.melds)

    return HandResult(
        hand=hand.hand,
        dealer=facts.dealer,
        streak=facts.streak,
        wild=facts.wild,
        result=facts.result,
        wins=tuple(replace(win, seq=0, melds=unnumbered(win)) for win in facts.wins),
        table=tuple(replace(holding, melds=unnumbered(holding)) for holding in facts.table),
    )


def test_hands_played_tile_by_tile_are_settled_once_each_and_rebuilt_alike(tmp_path: Path) -> None:
    simulate(tmp_path, games=3, hands=4)
    settle_in_peace()
    insist_on_once_each_and_zero_sums()
    kept = list(Standing.objects.order_by("ruleset", "player_id").values())
    assert sum(row["wins"] for row in kept) > 0


def test_a_hand_recorded_as_its_result_is_settled_like_the_one_played_out(tmp_path: Path) -> None:
    simulate(tmp_path, games=1, hands=8)
    settle_in_peace()
    played = ledger.settlement_of_game(Game.objects.get().id)
    again = RecordedGame(players=tuple(uuid4() for _ in range(4)))
    for hand in played:
        again.append(as_result(hand))
    settle_in_peace()
    told = ledger.settlement_of_game(again.id)
    assert len(told) == 8
    for one, other in zip(played, told, strict=True):
        assert (one.points, one.wins, one.details) == (other.points, other.wins, other.details)
        assert [(p.payer_seat, p.payee_seat, p.points, p.item) for p in one.payments] == [
            (p.payer_seat, p.payee_seat, p.points, p.item) for p in other.payments
        ]
