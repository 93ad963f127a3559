"""The addresses of the pages."""

from django.urls import path

from replays.pages import (
    accounts,
    boards,
    club_front,
    comparing,
    games,
    players,
    record,
    rulesets,
    statements,
)

app_name = "replays"
urlpatterns = [
    path("", rulesets.home, name="home"),
    path("rulesets/", rulesets.rulesets, name="rulesets"),
    path("rulesets/<slug:slug>/", rulesets.ruleset, name="ruleset"),
    path("games/", games.games, name="games"),
    path("games/<uuid:game_id>", games.game, name="game"),
    path("games/<uuid:game_id>/hands/<int:hand>", games.hand_json, name="hand"),
    path("embed/<uuid:game_id>", games.embed, name="embed"),
    path("record", record.start, name="record"),
    path("record/worker.js", record.worker, name="record-worker"),
    path("record/<uuid:game_id>", record.table, name="record-game"),
    path("record/<uuid:game_id>/state", record.state, name="record-state"),
    path("clubs/", club_front.clubs, name="clubs"),
    path("clubs/<slug:slug>/", club_front.club, name="club"),
    path("clubs/<slug:slug>/boards", boards.board, name="board"),
    path("clubs/<slug:slug>/ratings", comparing.ratings, name="ratings"),
    path("clubs/<slug:slug>/head-to-head", comparing.head_to_head, name="head-to-head"),
    path("clubs/<slug:slug>/balances", statements.balances, name="balances"),
    path("clubs/<slug:slug>/pot", statements.pot, name="pot"),
    path("players/<uuid:player_id>", players.player, name="player"),
    path("players/<uuid:player_id>/statement", statements.statement, name="statement"),
    path("sign-in", accounts.SignIn.as_view(), name="sign-in"),
    path("sign-out", accounts.SignOut.as_view(), name="sign-out"),
]
