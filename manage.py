#!/usr/bin/env python
"""Django's command line for paipu. `python manage.py up` starts everything."""

import os
import sys


def main() -> None:
    """Run one management command; say plainly when there is no database to run it against."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "api.settings")
    try:
        from django.core.management import execute_from_command_line
    except ImportError:
        sys.exit("Django is not installed for this Python: run `make venv`, then .venv/bin/python.")
    from django.conf import settings
    from django.db import OperationalError

    try:
        execute_from_command_line(sys.argv)
    except OperationalError as error:
        if settings.DATABASE_SOURCE == "environment":
            raise
        sys.exit(
            f"No database answers. Start one with `make up` (in another shell), or set "
            f"PAIPU_DATABASE_URL.\n  {str(error).strip().splitlines()[0]}"
        )


if __name__ == "__main__":
    main()
