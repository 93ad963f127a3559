"""The addresses of the pages."""

from django.urls import path

from replays.pages import accounts, games, rulesets

app_name = "replays"
urlpatterns = [
    path("", rulesets.home, name="home"),
    path("rulesets/", rulesets.rulesets, name="rulesets"),
    path("rulesets/<slug:slug>/", rulesets.ruleset, name="ruleset"),
    path("games/", games.games, name="games"),
    path("games/<uuid:game_id>", games.game, name="game"),
    path("games/<uuid:game_id>/hands/<int:hand>", games.hand_json, name="hand"),
    path("embed/<uuid:game_id>", games.embed, name="embed"),
    path("sign-in", accounts.SignIn.as_view(), name="sign-in"),
    path("sign-out", accounts.SignOut.as_view(), name="sign-out"),
]
