"""The figures of a player's page, and a club's head-to-head table."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import club_of
from api.errors import Problem
from api.operation import Operation, Shown, read_query
from api.scopes import Scope
from api.v1.games import RulesetName
from api.v1.periods import ClockQuery
from api.v1.players import player_of
from api.v1.shapes import moment, names_of
from records.clubs import Right
from records.models import Club, Season
from replays import figures
from replays.figures import Pair, Streaks
from replays.selections import Selection, select
from replays.statements import name_of_item
from rules_engine import registry

PLAYERS_MAX = 20
UUID_PATTERN = "[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"


class FiguresQuery(ClockQuery, frozen=True):
    """Which games count: all, or those of a season, under one ruleset or all of them."""

    season: UUID | None = None
    ruleset: RulesetName | None = None


class HeadToHeadQuery(FiguresQuery, frozen=True):
    """Which games count, and whose table it is."""

    players: (
        Annotated[
            str,
            msgspec.Meta(
                pattern=f"^{UUID_PATTERN}(,{UUID_PATTERN}){{1,{PLAYERS_MAX - 1}}}$",
                description=(
                    f"Ids of 2 to {PLAYERS_MAX} players with commas between them; without it, the "
                    "players with the most hands."
                ),
            ),
        ]
        | None
    ) = None


class CurvePointShown(Shown, frozen=True):
    """The points after a game: the game's own, and the total of all games up to it."""

    game: UUID
    at: datetime
    points: int
    total: int


class ItemShown(Shown, frozen=True):
    """An item in the player's winning hands under a ruleset.

    `share` is `times` by the wins under that ruleset; the averages are over the hands that have it:
    what the item added, and what the hand was worth.
    """

    ruleset: str
    item: str
    item_zh: str
    item_en: str
    times: int
    share: float
    average_points: float
    average_total: float


class BigHandShown(Shown, frozen=True):
    """A winning hand and where the replay shows it."""

    game: UUID
    hand: int
    ruleset: str
    at: datetime
    total: int
    moment: str


class PartnerShown(Shown, frozen=True):
    """Another player, over the games and hands played together.

    `ahead` and `level`: in how many of these games the first had more points, or as many. `net`:
    what it received from the other less what it paid.
    """

    player: UUID
    name: str
    games: int
    hands: int
    ahead: int
    level: int
    net: int


class ShowFigures(Operation):
    """The figures of a player's page: points over time, places, items, streaks, partners."""

    scope = Scope.CLUB_READ
    right = Right.SEE

    Query = FiguresQuery

    class Output(Shown, frozen=True):
        """The figures; `places` counts games by place, the first place first."""

        player: UUID
        name: str
        games: int
        hands: int
        curve: list[CurvePointShown]
        places: list[int]
        items: list[ItemShown]
        streaks: Streaks
        biggest: list[BigHandShown]
        partners: list[PartnerShown]

    def get(self, request: Request, player_id: UUID) -> Response:
        """The figures."""
        query = read_query(request, FiguresQuery)
        player = player_of(request, player_id)
        selection = selected(query, player.club, player_id)
        assert selection.person is not None
        games, hands = figures.games_of(selection), figures.hands_of(selection)
        names = dict(player.club.players.values_list("id", "name"))
        return Response(
            ShowFigures.Output(
                player=selection.person,
                name=names.get(selection.person, ""),
                games=sum(bool(game.hands) for game in games),
                hands=len(hands),
                curve=[
                    CurvePointShown(
                        game=point.game_id,
                        at=moment(point.ended_at_ms),
                        points=point.points,
                        total=point.total,
                    )
                    for point in figures.curve_of(games)
                ],
                places=figures.places_of(games),
                items=items_shown(selection),
                streaks=figures.streaks_of(games, hands),
                biggest=biggest_shown(selection),
                partners=[
                    _partner(pair, names) for pair in figures.pairs_of(selection, list(names))
                ],
            )
        )


class HeadToHeadLine(PartnerShown, frozen=True):
    """One player of the table beside another one."""

    one: UUID
    one_name: str


class ShowHeadToHead(Operation):
    """A club's head-to-head table: who played how much with whom, and who came off better."""

    scope = Scope.CLUB_READ
    right = Right.SEE

    Query = HeadToHeadQuery

    class Output(Shown, frozen=True):
        """Each two players of the table that met, from both sides."""

        players: list[UUID]
        items: list[HeadToHeadLine]

    refusals = ("unknown_player",)

    def get(self, request: Request, club_id: UUID) -> Response:
        """The table."""
        query = read_query(request, HeadToHeadQuery)
        club = club_of(request, club_id)
        selection = selected(query, club)
        persons = _persons(query, club, selection)
        names = names_of(set(persons))
        return Response(
            ShowHeadToHead.Output(
                players=persons,
                items=[
                    HeadToHeadLine(
                        one=pair.one,
                        one_name=names.get(pair.one, ""),
                        **msgspec.structs.asdict(_partner(pair, names)),
                    )
                    for pair in figures.pairs_of(selection, persons)
                ],
            )
        )


def selected(query: FiguresQuery, club: Club, player_id: UUID | None = None) -> Selection:
    """The results that a query asks for. Raises Problem ``not_found``."""
    season = None
    if query.season is not None:
        season = Season.objects.filter(club=club, pk=query.season).first()
        if season is None:
            raise Problem("not_found", "The club has no such season.")
    return select(
        club,
        player=player_id,
        season=season,
        ruleset=query.ruleset or "",
        as_of=query.as_of,
        known_at=query.known_at,
    )


def _persons(query: HeadToHeadQuery, club: Club, selection: Selection) -> list[UUID]:
    """The persons of the table in the order asked for. Raises Problem ``unknown_player``."""
    if query.players is None:
        return figures.most_active(selection, PLAYERS_MAX)
    asked = [UUID(text) for text in query.players.split(",")]
    known = set(club.players.filter(id__in=asked).values_list("id", flat=True))
    unknown = [player for player in asked if player not in known]
    if unknown:
        raise Problem(
            "unknown_player",
            f"The club has no player {unknown[0]}.",
            facts={"player": str(unknown[0])},
        )
    return list(dict.fromkeys(selection.persons.get(player, player) for player in asked))


def items_shown(selection: Selection) -> list[ItemShown]:
    """The items of a person's wins with their names."""
    shown = []
    for figure in figures.items_of(selection):
        zh, en = name_of_item(figure.ruleset, _latest(figure.ruleset), figure.item, "hu")
        shown.append(ItemShown(item_zh=zh, item_en=en, **msgspec.structs.asdict(figure)))
    return shown


def _latest(slug: str) -> int:
    """The installed version of a ruleset, 0 where none is."""
    try:
        return registry.get(slug).version
    except registry.UnknownRuleset:
        return 0


def biggest_shown(selection: Selection) -> list[BigHandShown]:
    """A person's biggest hands."""
    return [
        BigHandShown(
            game=hand.game_id,
            hand=hand.hand,
            ruleset=hand.ruleset,
            at=moment(hand.ended_at_ms),
            total=hand.total,
            moment=f"/games/{hand.game_id}#{hand.hand}",
        )
        for hand in figures.biggest_of(selection)
    ]


def _partner(pair: Pair, names: dict[UUID, str]) -> PartnerShown:
    return PartnerShown(
        player=pair.other,
        name=names.get(pair.other, ""),
        games=pair.games,
        hands=pair.hands,
        ahead=pair.ahead,
        level=pair.level,
        net=pair.net,
    )
