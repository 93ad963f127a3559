"""The addresses of the REST API. Each names its operations: that is the table of contents."""

from django.urls import path
from django.views.generic import RedirectView
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerView

from api.operation import resource
from api.v1 import (
    accounts,
    boards,
    claims,
    clubs,
    events,
    games,
    imports,
    invitations,
    ladders,
    log,
    merges,
    players,
    presets,
    rulesets,
    rulings,
    seasons,
    service,
    settlements,
)

GAME = "games/<uuid:game_id>"
HAND = f"{GAME}/hands/<int:hand>"
CLUB = "clubs/<uuid:club_id>"
SEASON = "seasons/<uuid:season_id>"

urlpatterns = [
    path("accounts", resource(accounts.SignUp)),
    path("sign-in", resource(accounts.SignIn)),
    path("sign-out", resource(accounts.SignOut)),
    path("me", resource(accounts.ShowMe)),
    path("me/removal", resource(accounts.RemoveMe)),
    path("clubs", resource(clubs.ListClubs, clubs.CreateClub)),
    path(CLUB, resource(clubs.ShowClub, clubs.ChangeClub)),
    path(f"{CLUB}/membership", resource(clubs.LeaveClub)),
    path(f"{CLUB}/members", resource(clubs.ListMembers, clubs.SetMember)),
    path(f"{CLUB}/members/<uuid:account_id>", resource(clubs.RemoveMember)),
    path(
        f"{CLUB}/invitations",
        resource(invitations.ListInvitations, invitations.CreateInvitation),
    ),
    path("invitations/look", resource(invitations.LookAtInvitation)),
    path("invitations/accept", resource(invitations.AcceptInvitation)),
    path("invitations/<uuid:invitation_id>", resource(invitations.RevokeInvitation)),
    path(f"{CLUB}/seasons", resource(seasons.ListSeasons, seasons.CreateSeason)),
    path(SEASON, resource(seasons.ShowSeason, seasons.ChangeSeason, seasons.DeleteSeason)),
    path(f"{SEASON}/open", resource(seasons.OpenSeason)),
    path(f"{SEASON}/close", resource(seasons.CloseSeason)),
    path(f"{SEASON}/reopen", resource(seasons.ReopenSeason)),
    path(f"{CLUB}/presets", resource(presets.ListPresets, presets.CreatePreset)),
    path(
        "presets/<uuid:preset_id>",
        resource(presets.ShowPreset, presets.ChangePreset, presets.DeletePreset),
    ),
    path(f"{CLUB}/claims", resource(claims.ListClaims)),
    path("claims/<uuid:claim_id>/decision", resource(claims.DecideClaim)),
    path(f"{CLUB}/merges", resource(merges.ListMerges, merges.MergePlayers)),
    path(f"{CLUB}/merges/preview", resource(merges.PreviewMerge)),
    path("merges/<uuid:merge_id>/undo", resource(merges.UndoMerge)),
    path(f"{CLUB}/players", resource(players.ListPlayers, players.AddPlayer)),
    path(f"{CLUB}/ladder", resource(ladders.ShowLadder, ladders.SetLadder, ladders.DropLadder)),
    path(f"{CLUB}/ladder/versions", resource(ladders.ListLadders)),
    path(f"{CLUB}/leaderboard", resource(boards.ShowLeaderboard)),
    path("players/<uuid:player_id>", resource(boards.ShowPlayer, players.ChangePlayer)),
    path("players/<uuid:player_id>/claims", resource(claims.ClaimPlayer)),
    path(f"{CLUB}/imports", resource(imports.ListImports, imports.StartImport)),
    path("imports/<uuid:import_id>", resource(imports.ShowImport, imports.CancelImport)),
    path("imports/<uuid:import_id>/faults", resource(imports.ListFaults)),
    path("games", resource(games.ListGames, games.StartGame)),
    path(GAME, resource(games.ShowGame)),
    path(f"{GAME}/events", resource(events.ListEvents, events.AppendEvents)),
    path(f"{GAME}/preview", resource(events.PreviewResult)),
    path(f"{GAME}/rulings", resource(rulings.ListRulings, rulings.Rule)),
    path(f"{GAME}/rulings/preview", resource(rulings.PreviewRuling)),
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
