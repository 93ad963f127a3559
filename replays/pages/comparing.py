"""Who is the stronger: a club's ratings, and its players against one another."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import render

from records.clubs import Right
from replays import figures, ratings_board
from replays.figures import Pair
from replays.pages.asking import Asked, asked_of, opened_mark, players_named, signed_mark
from replays.pages.membership import Here, club_page
from replays.ratings_board import RatingCursor, RatingRow
from replays.selections import select
from replays.words import WORDS

PAGE: Final = 50
PLAYERS_MAX: Final = 12


@club_page
def ratings(request: HttpRequest, here: Here) -> HttpResponseBase:
    """One page of the ratings; of a club that keeps none it says so, and how it could."""
    if not here.club.rated:
        may_keep = Right.KEEP_CLUB in here.rights
        return render(request, "replays/ratings.html", {"here": here, "may_keep": may_keep})
    asked = asked_of(request, here.club)
    min_games = asked.least("min_games")
    identity = ("ratings", here.club.pk, min_games, asked.as_of, asked.known_at)
    after = None
    if "after" in asked.given:
        after = opened_mark(asked.given["after"], RatingCursor, of=identity)
        if after is None:
            asked.refuse("after", WORDS[asked.language]["fault_cursor"])
    board = ratings_board.board(
        here.club,
        min_games=min_games,
        after=after,
        limit=PAGE,
        as_of=asked.as_of,
        known_at=asked.known_at,
    )
    names = players_named({row.person_id for row in board.rows})
    own = set(here.own_persons())
    following = ""
    if board.next is not None:
        following = asked.query(after=signed_mark(board.next, of=identity))
    context = {
        "here": here,
        "asked": asked,
        "chosen": _chosen(asked, min_games),
        "min_games": min_games,
        "rows": [_rating(row, names, own) for row in board.rows],
        "due": board.due,
        "next_query": following,
        "first_query": "" if after is None else asked.query("after"),
    }
    return render(request, "replays/ratings.html", context, status=asked.status)


def _chosen(asked: Asked, min_games: int) -> list[str]:
    """What the ratings are of, as one line says it."""
    least = WORDS[asked.language]["everybody"]
    if min_games:
        least = WORDS[asked.language]["at_least_games"].format(min_games)
    return [least, *asked.clocks_told]


def _rating(row: RatingRow, names: dict[UUID, str], own: set[UUID]) -> dict[str, Any]:
    return {
        "place": row.place,
        "player": row.person_id,
        "name": names.get(row.person_id, ""),
        "is_own": row.person_id in own,
        "games": row.games,
        "provisional": row.provisional,
        **{
            name: f"{getattr(row.skill, name):.2f}".replace("-", "−")
            for name in ("ordinal", "mu", "sigma")
        },
    }


@club_page
def head_to_head(request: HttpRequest, here: Here) -> HttpResponseBase:
    """Each of those who played most against each other one."""
    asked = asked_of(request, here.club)
    selection = select(
        here.club,
        season=asked.season,
        ruleset=asked.ruleset,
        as_of=asked.as_of,
        known_at=asked.known_at,
    )
    people = figures.most_active(selection, PLAYERS_MAX)
    pairs: dict[tuple[UUID, UUID], Pair] = {
        (pair.one, pair.other): pair for pair in figures.pairs_of(selection, people)
    }
    names = players_named(set(people))
    own = set(here.own_persons())
    people.sort(key=lambda person: (person not in own, names.get(person, "")))
    context = {
        "here": here,
        "asked": asked,
        "own": own,
        "people": [(person, names.get(person, "")) for person in people],
        "rows": [
            (one, names.get(one, ""), [_meeting(pairs, one, other) for other in people])
            for one in people
        ],
    }
    return render(request, "replays/head_to_head.html", context, status=asked.status)


def _meeting(pairs: dict[tuple[UUID, UUID], Pair], one: UUID, other: UUID) -> dict[str, Any]:
    """What a cell says: points of `one` from `other`, and games ahead and behind."""
    pair = pairs.get((one, other))
    if pair is None:
        return {"is_self": one == other}
    return {"pair": pair, "behind": pair.games - pair.ahead - pair.level}
