"""The top of the service: settings, web entry points, the Celery application and the REST API."""

from api.celery import app as celery_app

__all__ = ["celery_app"]
