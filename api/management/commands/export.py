"""`manage.py export`: games as lines of JSON that import takes and anybody can verify."""

from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterator
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from api.exchange import lines
from api.exchange.exporting import export_game
from api.exchange.output import progress, write_lines
from records.batches import in_batches
from records.errors import RecordsError
from records.models import Club, Game
from records.reader import READER


class Command(BaseCommand):
    """Writes whole games, their hidden tiles included, to standard output."""

    help = (
        "Write games to standard output, with hashes, salts and commitments, so that "
        "`manage.py verify_export FILE` needs nothing else. Names of players are in the header of "
        f"each game only.\n\n{lines.__doc__}"
    )

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Keep the examples of the help as they are written."""
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        parser.formatter_class = RawDescriptionHelpFormatter
        return parser

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which games."""
        parser.add_argument("games", nargs="*", type=UUID, metavar="GAME_ID")
        parser.add_argument("--club", metavar="SLUG", help="all games of a club")
        parser.add_argument("--all", action="store_true", help="all games")

    def handle(self, *args: Any, **options: Any) -> None:
        """Export."""
        if sum((bool(options["games"]), bool(options["club"]), options["all"])) != 1:
            raise CommandError("Name games, or one of --club and --all.")
        try:
            write_lines(self.stdout, self.lines(chosen(options)))
        except RecordsError as error:
            raise CommandError(error.message) from error

    def lines(self, games: Iterator[UUID]) -> Iterator[bytes]:
        """The lines of the games, with a count on standard error."""
        with progress() as shown:
            task = shown.add_task("exporting")
            for number, game_id in enumerate(games, start=1):
                yield from export_game(game_id)
                shown.update(task, description=f"exporting, {number} games")


def chosen(options: dict[str, Any]) -> Iterator[UUID]:
    """The ids of the games to write, oldest first. Raises CommandError."""
    if options["games"]:
        return iter(options["games"])
    rows = Game.objects.using(READER).only("id")
    if options["club"]:
        club = Club.objects.using(READER).filter(slug=options["club"]).first()
        if club is None:
            raise CommandError(f"There is no club {options['club']!r}.")
        rows = rows.filter(club_id=club.pk)
    return (game.pk for game in in_batches(rows))
