"""The addresses of the documentation."""

from django.urls import path

from api.docs import views

app_name = "guide"
urlpatterns = [
    path("", views.index, name="index"),
    path("events/<slug:slug>/", views.events, name="events"),
    path("<slug:slug>/", views.page, name="page"),
]
