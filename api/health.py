"""Two questions a supervisor asks: is this process alive, and can it serve."""

from django.conf import settings
from django.db import Error, connection
from django.http import HttpRequest, JsonResponse


def live(_request: HttpRequest) -> JsonResponse:
    """Answer without touching anything else, so that a slow database does not restart the web.

    `instance` is the value of PAIPU_INSTANCE: whoever started the server can tell from it that
    this answer comes from the very server it started, not from another one on the same port.
    """
    return JsonResponse({"status": "alive", "instance": settings.INSTANCE})


def ready(_request: HttpRequest) -> JsonResponse:
    """Answer 200 when the database answers, else 503."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except Error:
        return JsonResponse({"status": "no database", "instance": settings.INSTANCE}, status=503)
    return JsonResponse({"status": "ready", "instance": settings.INSTANCE})
