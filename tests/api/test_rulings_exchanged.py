"""Rulings in exports and imports."""

from io import StringIO
from pathlib import Path

from django.core.management import call_command

from records.ledger import settlement_of_game
from records.models import Club, Game
from records.verification import verify_game
from tests.support.databases import Database
from tests.support.recorded import RecordedGame


def test_rulings_go_out_with_a_game_and_come_in_for_its_new_players(
    database: Database, tmp_path: Path
) -> None:
    game = RecordedGame()
    game.play(2)
    game.correct(1, 3)
    game.cancel(game.penalise((str(game.players[0]), "club", 5)))
    game.adjust((str(game.players[0]), str(game.players[1]), 7), hand=1)
    file = tmp_path / "game.ndjson"
    with file.open("w") as stream:
        call_command("export", str(game.id), stdout=stream)
    call_command("import", str(file), stdout=StringIO())
    copy = Game.objects.exclude(pk=game.id).get().pk
    settled = settlement_of_game(copy)
    assert [each.result for each in settled] == ["hu", "penalty_cancelled", "adjusted"]
    assert settled[0].points == (-12, -10, -10, 32)
    assert settled[2].players == settled[0].players[:2]
    assert Club.objects.get(slug="imports").id in settled[1].players
    assert verify_game(copy).finding is None
