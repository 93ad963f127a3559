"""Every address of the service. The REST API is under `/api/v1/`."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from api import errors, health

urlpatterns = [
    # Whoever opens the bare address sees what there is.
    path("", RedirectView.as_view(pattern_name="docs"), name="home"),
    path("admin/", admin.site.urls),
    path("api/v1/", include("api.v1.urls")),
    path("health/live", health.live, name="health-live"),
    path("health/ready", health.ready, name="health-ready"),
]

handler400 = errors.handler400
handler403 = errors.handler403
handler404 = errors.handler404
handler500 = errors.handler500
