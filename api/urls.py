"""Every address of the service. The REST API is under `/api/v1/`."""

from django.contrib import admin
from django.urls import path

from api import health

urlpatterns = [
    path("admin/", admin.site.urls),
    path("health/live", health.live, name="health-live"),
    path("health/ready", health.ready, name="health-ready"),
]
