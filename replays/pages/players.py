"""A player's page: figures, way up the ladder, points over time, items, partners, games."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse

from records.models import Player
from records.played import games_named
from replays import boards, figures, ratings_board
from replays.board_rows import View
from replays.figures import GameResult, Pair
from replays.gangs import KindFigures, gang_figures
from replays.pages.asking import DAY_LENGTH, Asked, asked_of, minute
from replays.pages.charts import bars, line_chart
from replays.pages.figures_shown import cell_of, figure_told, figures_told, tier_name
from replays.pages.membership import Here, player_page
from replays.pages.naming import game_title, item_name, kind_name, ruleset_title
from replays.pages.numbers import decimal, percent, signed, whole
from replays.selections import Selection, select
from replays.tiers_history import TierHistory, tier_history
from replays.words import WORDS

RECENT: Final = 12
STEPS: Final = 12
ITEMS: Final = 12
FIGURES_SHOWN: Final = (
    *("points", "hands", "games", "points_per_hand", "win_rate", "zimo_rate", "deal_in_rate"),
    *("average_win", "best_total", "gangs", "gang_points", "adjusted_points"),
)


@player_page
def player(request: HttpRequest, here: Here) -> HttpResponseBase:
    """A player, over all games or those that are asked for."""
    asked = asked_of(request, here.club)
    assert here.player is not None, "the page of a player"
    clocks: dict[str, Any] = {"as_of": asked.as_of, "known_at": asked.known_at}
    which: dict[str, Any] = {"season": asked.season, "ruleset": asked.ruleset, **clocks}
    selection = select(here.club, player=here.player.pk, **which)
    person = selection.person
    assert person is not None, "a player is some person"
    if person != here.player.pk:
        # The record was merged into another, for whom all that it did counts.
        query = request.GET.urlencode()
        address = reverse("replays:player", args=[person])
        return redirect(f"{address}?{query}" if query else address)
    games = figures.games_of(selection)
    names = dict(Player.objects.filter(club_id=selection.club_id).values_list("id", "name"))
    context = {
        "here": here,
        "asked": asked,
        "name": here.player.name,
        "is_own": here.player.account_id == here.account.pk,
        "figures": figures_told(asked.language),
        **_standing(asked, person, which),
        **_ladder(asked, person, which),
        **_over_games(asked, games),
        **_hands(asked, selection, games),
        "recent": _recent(asked, selection, games[: -RECENT - 1 : -1], names),
        **_items(asked, selection),
        **_others(selection, names),
        **_gangs(asked, selection),
        "rating": _rating(asked, person, clocks) if here.club.rated else None,
    }
    return render(request, "replays/player.html", context, status=asked.status)


def _standing(asked: Asked, person: UUID, which: dict[str, Any]) -> dict[str, Any]:
    """Place and figures, each with what it is divided by."""
    view = View(club=asked.club, **which)
    found = boards.around(view, person, neighbours=0)
    if found is None:
        return {"place": None, "cells": []}
    line = found.lines[0]
    told = [(figure_told(name, asked.language), cell_of(line.row, name)) for name in FIGURES_SHOWN]
    best = (
        f"{reverse('replays:game', args=[line.row.best_game_id])}"
        f"?hand={line.row.best_hand}#{line.row.best_hand}"
        if line.row.best_game_id
        else ""
    )
    return {"place": line.place, "players": boards.size_of(view), "cells": told, "best": best}


def _ladder(asked: Asked, person: UUID, which: dict[str, Any]) -> dict[str, Any]:
    """The tier, how far it is to the next, and the way there, the latest step first."""
    history = tier_history(asked.club, person, **which)
    steps = _steps(history, asked)
    return {
        "tier": tier_shown(history, asked.language),
        "steps": steps,
        "reached": steps[0]["at"][:DAY_LENGTH] if steps else "",
    }


def tier_shown(history: TierHistory, language: str) -> dict[str, Any] | None:
    """A tier and how far it is to the next; None before the first result."""
    if history.rung is None:
        return None
    ladder, score = history.ladder, history.rung.score
    tier = ladder.numbered(history.rung.tier)
    above = ladder.tiers[tier.tier] if tier.tier < len(ladder.tiers) else None
    shown: dict[str, Any] = {
        "name": tier_name(tier, language),
        "other": tier_name(tier, "en" if language == "zh" else "zh"),
        "score": score,
        "season": history.season,
    }
    if above is not None and above.from_points is not None:
        # The lowest tier has no threshold: the way out of it begins at nothing, or below.
        floor = min(0, score) if tier.from_points is None else tier.from_points
        missing = whole(max(0, above.from_points - score))
        shown |= {
            "next": WORDS[language]["to_next"].format(tier_name(above, language), missing),
            "done": max(0, score - floor),
            "whole": above.from_points - floor,
        }
    return shown


def _steps(history: TierHistory, asked: Asked) -> list[dict[str, Any]]:
    return [
        {
            "at": minute(step.ended_at_ms, asked.club),
            "before": tier_name(step.from_tier, asked.language),
            "after": tier_name(step.to_tier, asked.language),
            "is_up": step.to_tier.tier > step.from_tier.tier,
            "score": step.score,
            "game": step.game_id,
            "hand": step.hand,
            "entry": step.entry,
        }
        for step in reversed(history.steps[-STEPS:])
    ]


def _over_games(asked: Asked, games: list[GameResult]) -> dict[str, Any]:
    """The line of points and the places."""
    curve = [
        (
            str(point.game_id),
            minute(point.ended_at_ms, asked.club)[:DAY_LENGTH],
            point.points,
            point.total,
        )
        for point in figures.curve_of(games)
    ]
    return {
        "chart": line_chart(curve),
        "places": bars(figures.places_of(games)),
    }


def _recent(
    asked: Asked, selection: Selection, games: list[GameResult], names: dict[UUID, str]
) -> list[dict[str, Any]]:
    """The latest games, each with those who sat at the table and their points."""
    ids = [game.game_id for game in games]
    named, tables = games_named(ids), figures.tables_of(selection, ids)
    return [
        {
            "result": game,
            "title": game_title(named[game.game_id], asked.language),
            "at": minute(named[game.game_id].began_at_ms, asked.club),
            "others": [
                (person, names.get(person, ""), points)
                for person, points in tables[game.game_id]
                if person != selection.person
            ],
        }
        for game in games
    ]


def _hands(asked: Asked, selection: Selection, games: list[GameResult]) -> dict[str, Any]:
    """The streaks, and the hands of the greatest worth."""
    return {
        "streaks": figures.streaks_of(games, figures.hands_of(selection)),
        "biggest": [
            {
                "hand": hand,
                "at": minute(hand.ended_at_ms, asked.club),
                "ruleset": ruleset_title(hand.ruleset, asked.language),
            }
            for hand in figures.biggest_of(selection)
        ],
    }


def _items(asked: Asked, selection: Selection) -> dict[str, Any]:
    """The items of the hands won, ruleset by ruleset, the most frequent first."""
    tables: dict[str, list[dict[str, Any]]] = {}
    for figure in figures.items_of(selection):
        tables.setdefault(ruleset_title(figure.ruleset, asked.language), []).append(
            {
                "name": item_name(figure.ruleset, figure.item, asked.language),
                "times": figure.times,
                "share": percent(figure.share),
                "points": decimal(figure.average_points),
                "total": decimal(figure.average_total),
            }
        )
    return {"items": [(name, rows[:ITEMS], rows[ITEMS:]) for name, rows in tables.items()]}


def _others(selection: Selection, names: dict[UUID, str]) -> dict[str, Any]:
    """Those who sat at the same tables: most often, and who gave and took most."""
    pairs = figures.pairs_of(selection, list(names))
    shown = [{"pair": pair, "name": names.get(pair.other, "")} for pair in pairs]
    return {
        "others": shown,
        "gives_most": _extreme(shown, 1),
        "takes_most": _extreme(shown, -1),
    }


def _extreme(shown: list[dict[str, Any]], sign: int) -> dict[str, Any] | None:
    """Who has the greatest net with this sign, if anybody has one."""

    def net(each: dict[str, Any]) -> int:
        pair: Pair = each["pair"]
        return pair.net * sign

    best = max(shown, key=net, default=None)
    return None if best is None or net(best) <= 0 else best


def _gangs(asked: Asked, selection: Selection) -> dict[str, Any]:
    kinds: list[KindFigures] = gang_figures(selection)
    return {"gangs": [(kind_name(each.kind, asked.language), each) for each in kinds]}


def _rating(asked: Asked, person: UUID, clocks: dict[str, Any]) -> dict[str, Any] | None:
    """What the last games did to the rating; None where none is rated."""
    games = ratings_board.history(asked.club, person, limit=RECENT, **clocks)
    if not games:
        return None
    return {
        "now": f"{games[0].after.ordinal:.2f}".replace("-", "−"),
        "mu": f"{games[0].after.mu:.2f}".replace("-", "−"),
        "sigma": f"{games[0].after.sigma:.2f}",
        "games": [
            {
                "game": game.game_id,
                "at": minute(game.started_at_ms, asked.club),
                "place": game.place,
                "points": signed(game.points),
                "after": f"{game.after.ordinal:.2f}".replace("-", "−"),
                "change": f"{game.after.ordinal - game.before.ordinal:+.2f}".replace("-", "−"),
            }
            for game in games
        ],
    }
