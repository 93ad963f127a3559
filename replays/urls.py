"""The addresses of the pages."""

from django.urls import path

from replays import views

app_name = "replays"
urlpatterns = [
    path("", views.home, name="home"),
    path("rulesets/", views.rulesets, name="rulesets"),
    path("rulesets/<slug:slug>/", views.ruleset, name="ruleset"),
]
