"""`manage.py up`: start everything, in one foreground process."""

import os
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console

from api.embedded.errors import CannotRun
from api.embedded.supervisor import StopRequested, Supervisor
from api.embedded.up import Up, UpOptions


class Command(BaseCommand):
    """Start database, broker, web server, worker and beat, and stop them together."""

    help = __doc__ or ""
    # The checks would need a database, and there is none before this command has started it.
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        """The choices a person has."""
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on")
        parser.add_argument("--port", type=int, default=8000, help="port; 0 for any free one")
        parser.add_argument("--workers", type=int, default=2, help="web processes")
        parser.add_argument(
            "--no-demo", action="store_false", dest="demo", help="make no demonstration club"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Run until a signal or a failure. Exit code 0 after a signal, 1 after a failure."""
        del args
        if settings.PRODUCTION:
            raise CommandError(
                "`up` is the embedded default and not for PAIPU_MODE=production: run the web"
                " server, worker and beat as docker/compose.yaml does."
            )
        up = Up(
            UpOptions(
                project=settings.BASE_DIR,
                data=settings.DATA_DIR,
                host=options["host"],
                port=options["port"],
                workers=options["workers"],
                demo=options["demo"],
                database_url=os.environ.get("PAIPU_DATABASE_URL", ""),
                broker_url=os.environ.get("PAIPU_BROKER_URL", ""),
            ),
            Supervisor(Console(highlight=False)),
        )
        try:
            up.run()
        except StopRequested:
            return
        except CannotRun as error:
            raise CommandError(str(error)) from error
