"""The addresses of the REST API. Each names its operations: that is the table of contents."""

from django.urls import path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

from api.operation import resource
from api.v1 import (
    accounts,
    boards,
    clubs,
    events,
    games,
    log,
    players,
    rulesets,
    service,
    settlements,
)

GAME = "games/<uuid:game_id>"
HAND = f"{GAME}/hands/<int:hand>"
CLUB = "clubs/<uuid:club_id>"

urlpatterns = [
    path("accounts", resource(accounts.SignUp)),
    path("sign-in", resource(accounts.SignIn)),
    path("sign-out", resource(accounts.SignOut)),
    path("me", resource(accounts.ShowMe)),
    path("clubs", resource(clubs.ListClubs, clubs.CreateClub)),
    path(CLUB, resource(clubs.ShowClub)),
    path(f"{CLUB}/members", resource(clubs.ListMembers, clubs.SetMember)),
    path(f"{CLUB}/players", resource(players.ListPlayers, players.AddPlayer)),
    path(f"{CLUB}/leaderboard", resource(boards.ShowLeaderboard)),
    path("players/<uuid:player_id>", resource(boards.ShowPlayer, players.RenamePlayer)),
    path("games", resource(games.ListGames, games.StartGame)),
    path(GAME, resource(games.ShowGame)),
    path(f"{GAME}/events", resource(events.ListEvents, events.AppendEvents)),
    path(f"{GAME}/preview", resource(events.PreviewResult)),
    path(f"{GAME}/state", resource(games.ShowState)),
    path(f"{GAME}/actions", resource(games.ListActions)),
    path(f"{GAME}/settlement", resource(settlements.ShowGameSettlement)),
    path(f"{GAME}/verify", resource(log.VerifyGame)),
    path(HAND, resource(settlements.ShowHand)),
    path(f"{HAND}/explanation", resource(settlements.ExplainHand)),
    path(f"{HAND}/proof", resource(log.ProveHand)),
    path("log/checkpoint", resource(log.ShowCheckpoint)),
    path("rulesets", resource(rulesets.ListRulesets)),
    path("rulesets/<slug:slug>", resource(rulesets.ShowRuleset)),
    path("rulesets/<slug:slug>/options", resource(rulesets.ShowOptions)),
    path("health", resource(service.ShowHealth)),
    path("errors", resource(service.ListErrors)),
    path("errors/<slug:code>", resource(service.ShowError)),
    path("schema", SpectacularAPIView.as_view(), name="schema"),
    path("docs", SpectacularSwaggerView.as_view(url_name="schema"), name="docs"),
    path("docs/", RedirectView.as_view(pattern_name="docs")),
]
