"""`manage.py rebuild_snapshots [GAME_ID ...]`: make the missing states between hands anew."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand
from rich.console import Console
from rich.progress import track

from records import snapshots
from records.append import WRITER
from records.models import Game
from records.verification import all_games


class Command(BaseCommand):
    """Replays games and writes the snapshots they miss, as after a new snapshot format."""

    help = "Make missing hand snapshots anew. They are derived: answers are the same without them."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The games to replay."""
        parser.add_argument("games", nargs="*", type=UUID, metavar="GAME_ID")

    def handle(self, *args: Any, **options: Any) -> None:
        """Replay and write."""
        del args
        chosen: list[UUID] = options["games"]
        games = chosen or all_games()
        total = len(chosen) or Game.objects.count()
        made = 0
        for game_id in track(
            games, description="replaying", total=total, console=Console(stderr=True)
        ):
            made += snapshots.rebuild(game_id, using=WRITER)
        self.stdout.write(f"{made} snapshots made")
