"""The Django application `replays`."""

from django.apps import AppConfig


class ReplaysConfig(AppConfig):
    """Replays (read side)."""

    name = "replays"
    verbose_name = "Replays (read side)"
    default_auto_field = "django.db.models.BigAutoField"
