"""``manage.py remove_account USERNAME``: remove a person who asked for it and cannot sign in."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from api.removal import remove_person
from records.errors import RecordsError
from records.models import Account


class Command(BaseCommand):
    """Wipe name and contact; what the person played stays under an id."""

    help = "Remove an account: its name, contact, sign-in and memberships. Games and points stay."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Whom."""
        parser.add_argument("username", metavar="USERNAME")
        parser.add_argument("--yes", action="store_true", help="do it; without this, only say what")

    def handle(self, *args: Any, **options: Any) -> None:
        """Remove the account, or say what would be removed."""
        username = options["username"]
        account = Account.objects.filter(username=username).first()
        if account is None:
            raise CommandError(f"There is no account {username!r}.")
        if not options["yes"]:
            clubs = account.memberships.count()
            players = account.players.count()
            raise CommandError(
                f"{username} is a member of {clubs} clubs and plays as {players} players. This "
                "cannot be undone: repeat it with --yes."
            )
        try:
            removed = remove_person(account)
        except RecordsError as error:
            raise CommandError(error.message) from error
        account.refresh_from_db()
        self.stdout.write(
            f"account {removed.account} is {account.username} now;"
            f" {len(removed.players)} players keep their records without a name"
        )
