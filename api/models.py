"""The one table of the HTTP layer: which writes have been done, so that a retry does nothing more.

Appends do not use it: their key is the command id in the log's own receipts.
"""

from django.db import models


class DoneRequest(models.Model):
    """A write that succeeded, with the answer it got.

    ``caller`` is an account's id, or ``anonymous`` for a sign-up. ``fingerprint`` is keyed with the
    service's secret, since a body may hold a password. ``body`` is the answer byte for byte.
    """

    caller = models.CharField(max_length=40)
    key = models.CharField(max_length=255)
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(default=0)
    headers = models.JSONField(default=dict)
    body = models.TextField(default="")
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["caller", "key"], name="request_done_once"),
        ]

    def __str__(self) -> str:
        return f"{self.caller} {self.key}"
