"""The Django application `records`."""

from django.apps import AppConfig


class RecordsConfig(AppConfig):
    """Records (write side)."""

    name = "records"
    verbose_name = "Records (write side)"
    default_auto_field = "django.db.models.BigAutoField"
