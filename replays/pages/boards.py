"""A club's leaderboard: by any figure, at any moment, whole or around one's own place."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

import msgspec
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect, render

from replays import boards
from replays.board_rows import NoTiersHere, View
from replays.boards import Board, BoardCursor, Line
from replays.pages.asking import (
    OF_A_PAGE,
    Asked,
    asked_of,
    in_zone,
    opened_mark,
    players_named,
    signed_mark,
)
from replays.pages.figures_shown import (
    BY_SORT,
    MEANINGS,
    columns_for,
    figure_told,
    figures_told,
    row_shown,
)
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
    shown: dict[str, Any] = {"own": set(own), "language": asked.language, "sort": view.sort}
    context = {
        "here": here,
        "asked": asked,
        "view": view,
        "chosen": _chosen(asked, view),
        "columns": [_column(name, asked, view) for name in columns_for(view.sort)],
        "rows": [row_shown(line, names, **shown) for line in found.lines],
        "figures": figures_told(asked.language),
        "sorts": [(sort, figure_told(name, asked.language).title) for sort, name in BY_SORT],
        "night": _night(asked),
        "exports": [(each, asked.api_query(format=each)) for each in FORMATS],
        "pages": _pages(asked, view, found),
        "mine": _mine(asked, view, found, own),
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
    before, after = (_mark(asked, view, name) for name in ("before", "after"))
    if before is not None:
        return boards.board_before(view, before, limit=PAGE)
    return boards.board(view, after=after, limit=PAGE)


def _mark(asked: Asked, view: View, name: str) -> BoardCursor | None:
    """The row that a page begins behind or ends before, if the address names one."""
    if name not in asked.given:
        return None
    mark: BoardCursor | None = opened_mark(asked.given[name], BoardCursor, of=_identity(view))
    if mark is None:
        asked.refuse(name, WORDS[asked.language]["fault_cursor"])
    return mark


def _identity(view: View) -> tuple[object, ...]:
    """What the pages of one board have in common, and those of another board have not."""
    return (
        *(view.club.pk, view.season_id, view.ruleset, view.sort, view.order),
        *(view.min_games, view.min_hands, view.as_of, view.known_at),
    )


def _chosen(asked: Asked, view: View) -> list[str]:
    """What the board is of, as one line says it."""
    season, ruleset, *clocks = asked.chosen
    figure = figure_told(dict(BY_SORT)[view.sort], asked.language).title
    way = WORDS[asked.language]["order_desc"]
    if view.order == "asc":
        way = WORDS[asked.language]["order_asc"]
    parts = [season, ruleset, WORDS[asked.language]["sorted_by"].format(figure, way)]
    if view.min_games:
        parts.append(WORDS[asked.language]["at_least_games"].format(view.min_games))
    if view.min_hands:
        parts.append(WORDS[asked.language]["at_least_hands"].format(view.min_hands))
    return parts + clocks


def _pages(asked: Asked, view: View, found: Board) -> dict[str, Any]:
    """How many players there are, which of them the page shows, and the pages beside it."""
    players = boards.size_of(view)
    pages: dict[str, Any] = {"players": players, "top": asked.query(*OF_A_PAGE)}
    if found.begin is None:
        return pages | {"is_part": bool(found.lines)}
    first = found.begin.rows
    pages |= {
        "first": first,
        "last": first + len(found.lines) - 1,
        "is_part": len(found.lines) < players,
    }
    if first > 1:
        mark = signed_mark(found.begin, of=_identity(view))
        pages["previous"] = asked.query(*OF_A_PAGE, before=mark)
    if found.next is not None:
        mark = signed_mark(found.next, of=_identity(view))
        pages["next"] = asked.query(*OF_A_PAGE, after=mark)
    return pages


def _mine(asked: Asked, view: View, found: Board, own: list[UUID]) -> dict[str, Any] | None:
    """The reader's own line, and the way to it: on this page, or with its neighbours."""
    if not own:
        return None
    line = next((each for each in found.lines if each.row.player_id == own[0]), None)
    address = "#me"
    if line is None:
        line = _own_line(view, own[0])
        address = f"?{asked.query(*OF_A_PAGE, place='mine')}"
    if line is None:
        return None
    row = row_shown(line, {}, own=set(own), language=asked.language, sort=view.sort)
    return {"place": line.place, "figure": row.cells[0].text, "tier": row.tier, "address": address}


def _own_line(view: View, person: UUID) -> Line | None:
    found = boards.around(view, person, neighbours=0)
    return None if found is None else found.lines[0]


def _column(name: str, asked: Asked, view: View) -> Column:
    told = figure_told(name, asked.language)
    sort = MEANINGS[name].sort or ""
    is_sorted = sort == view.sort
    turned = "asc" if is_sorted and view.order == "desc" else "desc"
    return Column(
        # Of the tier, which stands by the name, the column has the score.
        title=WORDS[asked.language]["score"] if name == "tier" else told.title,
        means=told.means,
        query=asked.query(*OF_A_PAGE, sort=sort, order=turned),
        sorted={"asc": "ascending", "desc": "descending"}[view.order] if is_sorted else "",
    )


def _prize_night(asked: Asked) -> str:
    """The query of the board of an evening, as it was shown then or as it should have been."""
    night, show = asked.given.pop("night"), asked.given.pop("show", "then")
    rest = ("as_of", "known_at", *OF_A_PAGE)
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
