"""The addresses of the pages."""

from django.urls import path

from replays.pages import accounts, rulesets

app_name = "replays"
urlpatterns = [
    path("", rulesets.home, name="home"),
    path("rulesets/", rulesets.rulesets, name="rulesets"),
    path("rulesets/<slug:slug>/", rulesets.ruleset, name="ruleset"),
    path("sign-in", accounts.SignIn.as_view(), name="sign-in"),
    path("sign-out", accounts.SignOut.as_view(), name="sign-out"),
]
