"""Write the catalogue of webhook events into the README of webhooks."""

from typing import Any

from django.core.management.base import BaseCommand

from api.webhooks.describing import README, with_catalogue


class Command(BaseCommand):
    """``manage.py describe_webhooks``, after a change of what webhooks tell."""

    help = "Write the catalogue of webhook events into the README of webhooks."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        """Write it."""
        README.write_text(with_catalogue(README.read_text()))
