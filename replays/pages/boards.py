"""A club's leaderboard: by any figure, at any moment, whole or around one's own place."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

import msgspec
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render

from replays import boards
from replays.board_rows import NoTiersHere, View
from replays.boards import Board, BoardCursor
from replays.meanings import FIGURES
from replays.pages.asking import (
    Asked,
    asked_of,
    in_zone,
    opened_mark,
    players_named,
    signed_mark,
)
from replays.pages.figures_shown import COLUMNS, MEANINGS, figure_told, row_shown
from replays.pages.membership import Here, club_page
from replays.words import WORDS

PAGE: Final = 50
NEIGHBOURS: Final = 5
FORMATS: Final = ("csv", "xlsx", "json", "ndjson")

OF_A_BOARD: Final = ("season", "ruleset", "sort", "order", "min_games", "min_hands")


class Column(msgspec.Struct, frozen=True, kw_only=True):
    """A figure's heading; ``query`` sorts by it, the other way where that is done already."""

    title: str
    means: str
    query: str
    sorted: str = ""


@club_page
def board(request: HttpRequest, here: Here) -> HttpResponseBase:
    """One page of a club's board."""
    asked = asked_of(request, here.club)
    if "night" in asked.given:
        return redirect(f"{request.path}?{_prize_night(asked)}")
    own = here.own_persons()
    view = _view(asked)
    view, found = _lines(asked, view, own)
    names = players_named({line.row.player_id for line in found.lines})
    following = None if found.next is None else signed_mark(found.next, of=_identity(view))
    shown: dict[str, Any] = {"own": set(own), "language": asked.language, "sort": view.sort}
    context = {
        "here": here,
        "asked": asked,
        "view": view,
        "columns": [_column(name, asked, view) for name in ("tier", *COLUMNS)],
        "rows": [row_shown(line, names, **shown) for line in found.lines],
        "figures": [figure_told(each.name, asked.language) for each in FIGURES],
        "has_own": bool(own),
        "mine_query": asked.query("after", place="mine"),
        "first_query": asked.query("after", "place"),
        "next_query": following and asked.query("place", after=following),
        "is_first": not {"after", "place"} & asked.given.keys(),
        "sorts": [
            (each.sort, figure_told(each.name, asked.language).title)
            for each in FIGURES
            if each.sort
        ],
        "night": _night(asked),
        "exports": [(each, asked.api_query(format=each)) for each in FORMATS],
    }
    return render(request, "replays/board.html", context, status=asked.status)


def _view(asked: Asked) -> View:
    """The board that is asked for."""
    return View(
        club=asked.club,
        season=asked.season,
        ruleset=asked.ruleset,
        sort=asked.sort(),
        order=asked.order(),
        min_games=asked.least("min_games"),
        min_hands=asked.least("min_hands"),
        as_of=asked.as_of,
        known_at=asked.known_at,
    )


def _lines(asked: Asked, view: View, own: list[UUID]) -> tuple[View, Board]:
    """The lines of the page, and the board that they are of.

    Where it cannot be the one that is asked for, the page says why and shows the nearest.
    """
    try:
        return view, _read(asked, view, own)
    except NoTiersHere:
        asked.refuse("sort", WORDS[asked.language]["fault_tiers"])
        plain = msgspec.structs.replace(view, sort="points")
        return plain, _read(asked, plain, own)


def _read(asked: Asked, view: View, own: list[UUID]) -> Board:
    if "place" in asked.given:
        around = [boards.around(view, person, neighbours=NEIGHBOURS) for person in own[:1]]
        if around and around[0] is not None:
            return around[0]
        asked.refuse("place", WORDS[asked.language]["fault_place"])
    after = None
    if "after" in asked.given:
        after = opened_mark(asked.given["after"], BoardCursor, of=_identity(view))
        if after is None:
            asked.refuse("after", WORDS[asked.language]["fault_cursor"])
    return boards.board(view, after=after, limit=PAGE)


def _identity(view: View) -> tuple[object, ...]:
    """What the pages of one board have in common, and those of another board have not."""
    return (
        *(view.club.pk, view.season_id, view.ruleset, view.sort, view.order),
        *(view.min_games, view.min_hands, view.as_of, view.known_at),
    )


def _column(name: str, asked: Asked, view: View) -> Column:
    told = figure_told(name, asked.language)
    sort = MEANINGS[name].sort or ""
    is_sorted = sort == view.sort
    turned = "asc" if is_sorted and view.order == "desc" else "desc"
    return Column(
        title=told.title,
        means=told.means,
        query=asked.query("after", "place", sort=sort, order=turned),
        sorted={"asc": "ascending", "desc": "descending"}[view.order] if is_sorted else "",
    )


def _prize_night(asked: Asked) -> str:
    """The query of the board of an evening, as it was shown then or as it should have been."""
    night, show = asked.given.pop("night"), asked.given.pop("show", "then")
    rest = ("as_of", "known_at", "after", "place")
    if show == "then":
        return asked.query(*rest, as_of=night, known_at=night)
    return asked.query(*rest, as_of=night)


def _night(asked: Asked) -> dict[str, Any]:
    """The evening that the form proposes, and which of its two boards is shown."""
    if asked.as_of is not None:
        day = in_zone(asked.as_of, asked.club).date()
    elif asked.season is not None:
        day = asked.season.ends_on
    else:
        day = asked.today
    shown = ""
    if asked.as_of is not None and asked.known_at is None:
        shown = "now"
    elif asked.as_of is not None and asked.as_of == asked.known_at:
        shown = "then"
    kept = [(name, text) for name, text in asked.given.items() if name in OF_A_BOARD]
    return {"day": min(day, asked.today), "shown": shown, "kept": kept}
