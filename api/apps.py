"""The Django application `api`."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    """API."""

    name = "api"
    verbose_name = "API"
    default_auto_field = "django.db.models.BigAutoField"
