"""The page on which every operation of the API can be read and tried, under the pages' policy."""

from __future__ import annotations

from csp.decorators import csp_update
from drf_spectacular.views import SpectacularSwaggerSplitView


class Reference(SpectacularSwaggerSplitView):
    """Swagger UI, whose script has an address of its own, so that nothing in the page is inline."""

    template_name = "reference.html"


# Its style sheet draws arrows from data.
show_reference = csp_update({"img-src": ("data:",)})(Reference.as_view(url_name="schema"))
