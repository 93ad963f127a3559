"""Gangs: those of a game, each with what was paid for it or why nothing was; those of a player."""

from __future__ import annotations

from uuid import UUID

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import game_of, known_game
from api.operation import Operation, Shown, read_query
from api.scopes import Scope
from api.v1.figures import FiguresQuery, selected
from api.v1.players import player_of
from api.v1.shapes import names_of
from records.clubs import Right
from replays import gangs
from replays.gangs import GangOfHand
from rules_engine.ruleset import Ruleset
from rules_engine.score import Transfer


class WhyUnpaid(Shown, frozen=True):
    """Why nothing was paid: the reason, and the rule with its text (null where no rule says so)."""

    rule: str | None
    rule_zh: str | None
    rule_en: str | None
    zh: str
    en: str


class GangShown(Shown, frozen=True):
    """A gang that was declared. `points` is what its owner received for it.

    `seq` is the event, null in a hand that was recorded as its result; `moment` is where the replay
    shows it, or the hand. `unpaid` is null where `payments` are.
    """

    hand: int
    revision: int
    seq: int | None
    moment: str
    seat: int
    player: UUID
    name: str
    kind: str
    kind_zh: str
    kind_en: str
    tiles: str
    robbed: bool
    points: int
    payments: list[Transfer]
    unpaid: WhyUnpaid | None


class ListGangs(Operation):
    """Every gang of a game's settled hands, with what was paid for it, or why nothing was."""

    scope = Scope.GAMES_READ
    right = Right.SEE

    class Output(Shown, frozen=True):
        """The gangs in the order of play."""

        game: UUID
        items: list[GangShown]

    def get(self, request: Request, game_id: UUID) -> Response:
        """The gangs."""
        access = game_of(request, game_id)
        found = gangs.gangs_of_game(game_id, upto=known_game(request, access).game.seq)
        names = names_of({player for gang in found for player in gang.players})
        return Response(
            ListGangs.Output(
                game=game_id,
                items=[_shown(game_id, gang, access.ruleset, names) for gang in found],
            )
        )


def _shown(game_id: UUID, gang: GangOfHand, ruleset: Ruleset, names: dict[UUID, str]) -> GangShown:
    told = gang.told
    player = gang.players[told.seat]
    zh, en = ruleset.name_of(told.kind) or (told.kind, told.kind)
    return GangShown(
        hand=gang.hand,
        revision=gang.revision,
        seq=told.seq or None,
        moment=f"/games/{game_id}#{gang.hand}.{told.seq}"
        if told.seq
        else f"/games/{game_id}#{gang.hand}",
        seat=told.seat,
        player=player,
        name=names.get(player, ""),
        kind=told.kind,
        kind_zh=zh,
        kind_en=en,
        tiles=told.tiles,
        robbed=told.robbed,
        points=sum(line.points for line in told.transfers),
        payments=list(told.transfers),
        unpaid=_why(gang, ruleset),
    )


def _why(gang: GangOfHand, ruleset: Ruleset) -> WhyUnpaid | None:
    unpaid = gang.told.unpaid
    if unpaid is None:
        return None
    rule = ruleset.rules.get(unpaid.rule)
    return WhyUnpaid(
        rule=unpaid.rule or None,
        rule_zh=None if rule is None else rule.zh,
        rule_en=None if rule is None else rule.en,
        zh=unpaid.zh,
        en=unpaid.en,
    )


class GangFigures(Shown, frozen=True):
    """A player's gangs of one kind: how many, how many of them paid or robbed, and the points.

    `received` for own gangs, `given` for those of others.
    """

    kind: str
    declared: int
    paid: int
    robbed: int
    received: int
    given: int


class ShowPlayerGangs(Operation):
    """A player's gangs by kind."""

    scope = Scope.CLUB_READ
    right = Right.SEE

    Query = FiguresQuery

    class Output(Shown, frozen=True):
        """One line a kind."""

        player: UUID
        items: list[GangFigures]

    def get(self, request: Request, player_id: UUID) -> Response:
        """The figures."""
        query = read_query(request, FiguresQuery)
        player = player_of(request, player_id)
        found = gangs.gang_figures(selected(query, player.club, player_id))
        return Response(
            ShowPlayerGangs.Output(
                player=player_id,
                items=[GangFigures(**msgspec.structs.asdict(each)) for each in found],
            )
        )
