"""The Content-Security-Policy of every answer: what a browser may load and run beside it."""

from __future__ import annotations

from typing import Final

from csp.constants import HEADER
from csp.middleware import CSPMiddleware
from django.http import HttpRequest, HttpResponseBase

OF_DATA: Final = "default-src 'none'; frame-ancestors 'none'"
"""For JSON, files and streams: whoever opens one in a browser is shown it and nothing else."""


class ContentPolicy(CSPMiddleware):
    """Pages get the policy of the settings, perhaps changed by their view; data one fixed line."""

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        """The answer with its header. An append must not pay for building a policy of pages."""
        if response.headers.get("Content-Type", "").startswith("text/html"):
            return super().process_response(request, response)
        response.headers.setdefault(HEADER, OF_DATA)
        return response
