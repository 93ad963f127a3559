"""Every address of the service. The REST API is under `/api/v1/`."""

from django.contrib import admin
from django.urls import include, path

from api import handlers, health

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/v1/", include("api.v1.urls")),
    path("docs/", include("api.docs.urls")),
    path("", include("replays.urls")),
    path("", include("api.pages.urls")),
    path("health/live", health.live, name="health-live"),
    path("health/ready", health.ready, name="health-ready"),
]

handler400 = handlers.handler400
handler403 = handlers.handler403
handler404 = handlers.handler404
handler500 = handlers.handler500
