"""``manage.py season``: list, create, open, close and reopen a club's seasons."""

from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from datetime import date
from types import MappingProxyType
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError

from records.errors import RecordsError
from records.models import Club, Season
from records.seasons import (
    close_season,
    closes_at,
    create_season,
    open_season,
    reopen_season,
    state_of,
)

CHANGES: Final[Mapping[str, Callable[[Season], Season]]] = MappingProxyType(
    {"open": open_season, "close": close_season, "reopen": reopen_season}
)
HOURS_MAX: Final = 24 * 90


class Command(BaseCommand):
    """Each subcommand names the club by its slug and a season by its name."""

    help = "List, create, open, close and reopen a club's seasons."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """One subcommand for each thing to do."""
        subcommands = parser.add_subparsers(dest="do", required=True, metavar="COMMAND")
        listing = subcommands.add_parser("list", help="the seasons of a club, the first one first")
        listing.add_argument("club", metavar="CLUB")
        create = subcommands.add_parser("create", help="plan a season")
        create.add_argument("club", metavar="CLUB")
        create.add_argument("name", metavar="NAME")
        create.add_argument("starts_on", metavar="FIRST_DAY", type=date.fromisoformat)
        create.add_argument("ends_on", metavar="LAST_DAY", type=date.fromisoformat)
        create.add_argument(
            "--closes-after-h",
            type=int,
            default=24,
            metavar="HOURS",
            help="closed by itself this long after the last day (24); -1: closed by hand",
        )
        for name in CHANGES:
            change = subcommands.add_parser(name, help=f"{name} a season")
            change.add_argument("club", metavar="CLUB")
            change.add_argument("name", metavar="NAME")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it and print the seasons concerned, one a line."""
        club = Club.objects.filter(slug=options["club"]).first()
        if club is None:
            raise CommandError(f"There is no club {options['club']!r}.")
        try:
            seasons = self._done(club, options)
        except RecordsError as error:
            raise CommandError(error.message) from error
        for season in seasons:
            self.stdout.write(_line(season, club))

    def _done(self, club: Club, options: Mapping[str, Any]) -> list[Season]:
        if options["do"] == "list":
            return list(club.seasons.order_by("starts_on"))
        if options["do"] == "create":
            hours = options["closes_after_h"]
            if hours > HOURS_MAX:
                raise CommandError(f"--closes-after-h is {HOURS_MAX} at most, 90 days.")
            season = create_season(
                club=club,
                name=options["name"],
                starts_on=options["starts_on"],
                ends_on=options["ends_on"],
                closes_after_h=None if hours < 0 else hours,
            )
            return [season]
        found = club.seasons.filter(name=options["name"]).first()
        if found is None:
            raise CommandError(f"The club has no season {options['name']!r}.")
        return [CHANGES[options["do"]](found)]


def _line(season: Season, club: Club) -> str:
    """A season in a line: state, days, name, and when it closes by itself."""
    closing = closes_at(season, club.time_zone)
    until = ""
    if season.closed_at is not None:
        until = f", closed {season.closed_at:%Y-%m-%d %H:%M} UTC at {season.closed_position}"
    elif closing is not None:
        until = f", closes {closing:%Y-%m-%d %H:%M} UTC"
    days = f"{season.starts_on} to {season.ends_on} ({club.time_zone})"
    return f"{state_of(season):8}{days}  {season.name}{until}"
