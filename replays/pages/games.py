"""The replay viewer: a game's page, the frames of a hand, and the page for frames of others."""

from __future__ import annotations

from typing import Any, Final
from uuid import UUID

import msgspec
from csp.decorators import csp_replace
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from replays.pages.asking import minute
from replays.pages.languages import language_of
from replays.viewer.access import Watched, watch
from replays.viewer.frames import HandFrames, Step, hand_frames
from replays.viewer.overview import Overview, overview
from replays.viewer.panel import Panel, hand_panel
from replays.viewer.telling import Teller
from replays.viewer.tiles import tile_name
from replays.words import WORDS
from rules_engine.tiles import NAMES

SCRIPT_WORDS: Final = (
    *("dealer", "hand_number", "streak", "wall", "reserve", "wild", "indicator", "ting"),
    *("seat_empty", "play", "pause", "copied", "hidden_tiles", "corrected", "taken_back"),
    *("live_now", "reconnecting", "is_dealer", "in_hand", "melds", "flowers", "pond"),
    *("waited_for", "left_of", "list_comma", "colon", "not_loaded"),
)
"""The words that scripts write."""


class HandShown(msgspec.Struct, frozen=True, kw_only=True):
    """What a script gets of one hand.

    ``seq``, ``hands`` and ``over`` are of the game as it is now. ``before`` and ``after`` are
    points by player id. ``panel`` and ``overview`` are HTML; ``pending``: they will be others when
    the hand is settled, of which no event tells.
    """

    hand: int
    ended: bool
    seq: int
    hands: int
    over: bool
    names: dict[str, str]
    before: dict[str, int]
    after: dict[str, int]
    corrected: list[int]
    panel: str
    overview: str
    pending: bool
    steps: list[Step]


@require_safe
def game(request: HttpRequest, game_id: UUID) -> HttpResponseBase:
    """A game, at one of its hands."""
    return _game_page(request, game_id, "replays/game.html")


@require_safe
@xframe_options_exempt
@csp_replace({"frame-ancestors": ("*",)})  # type: ignore[arg-type] # it knows no more arguments
def embed(request: HttpRequest, game_id: UUID) -> HttpResponseBase:
    """The same table without the page around it, which any site may show in a frame."""
    return _game_page(request, game_id, "replays/embed.html")


@require_safe
def hand_json(request: HttpRequest, game_id: UUID, hand: int) -> HttpResponse:
    """The frames of a hand. Raises Http404."""
    watched = watch(game_id, request.user)
    if watched is None:
        raise Http404
    teller = _teller(watched, language_of(request))
    frames = hand_frames(watched, hand, teller)
    if frames is None:
        raise Http404
    view = overview(watched, teller)
    panel = hand_panel(watched, hand, teller)
    shown = HandShown(
        hand=hand,
        ended=frames.ended,
        seq=watched.game.seq,
        hands=max(1, watched.game.hand),
        over=watched.game.ended,
        names=watched.names,
        before=view.before[hand - 1],
        after=view.before[min(hand, len(view.before) - 1)],
        corrected=view.corrected,
        panel=_panel_html(request, watched, panel),
        overview=_html(request, "overview", {"view": view}),
        pending=panel is not None and panel.pending,
        steps=frames.steps,
    )
    response = HttpResponse(msgspec.json.encode(shown), content_type="application/json")
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def _game_page(request: HttpRequest, game_id: UUID, template: str) -> HttpResponseBase:
    watched = watch(game_id, request.user)
    if watched is None:
        if request.user.is_authenticated:
            raise Http404
        return redirect_to_login(request.get_full_path())
    teller = _teller(watched, language_of(request))
    hand = _asked_hand(request, watched)
    frames = hand_frames(watched, hand, teller)
    if frames is None:
        raise Http404
    return render(request, template, _context(watched, frames, teller))


def _teller(watched: Watched, language: str) -> Teller:
    return Teller(watched.game.ruleset, language, watched.names, watched.game.options)


def _asked_hand(request: HttpRequest, watched: Watched) -> int:
    """The hand in the address; else the one being played, or the first of a game that is over."""
    asked = request.GET.get("hand", "")
    if asked.isdecimal():
        return int(asked)
    return 1 if watched.game.ended else max(1, watched.game.hand)


def _context(watched: Watched, frames: HandFrames, teller: Teller) -> dict[str, Any]:
    view: Overview = overview(watched, teller)
    words = WORDS[teller.language]
    ruleset = watched.game.ruleset
    last = frames.last
    return {
        "game_id": watched.id,
        "title": watched.about.title or getattr(ruleset.names, teller.language),
        "ruleset": ruleset,
        "ruleset_name": getattr(ruleset.names, teller.language),
        "club": watched.club,
        "is_member": watched.is_member,
        "began": minute(watched.about.began_at_ms, watched.club),
        "stake": watched.game.stake,
        "seq": watched.game.seq,
        "over": watched.game.ended,
        "hand": frames.hand,
        "seat": min(watched.viewer.seats, default=0),
        "hands": range(1, max(1, watched.game.hand) + 1),
        "steps": frames.steps,
        "seats": None if last is None else _plain_seats(last, teller),
        "table": None if last is None else last["table"],
        "panel": hand_panel(watched, frames.hand, teller),
        "view": view,
        "people": [(player, teller.name_of(player)) for player in watched.game.people],
        "script_words": {name: words[name] for name in SCRIPT_WORDS},
        "called": {
            "tiles": {name: tile_name(name, teller.language) for name in NAMES},
            "melds": teller.melds,
        },
    }


def _plain_seats(frame: dict[str, Any], teller: Teller) -> list[dict[str, Any]]:
    """The seats of a frame as they are written without a script."""
    return [
        {
            **seat,
            "name": teller.name_of(player),
            "melds": [
                {"name": teller.call_meld(meld["kind"]), "tiles": meld["tiles"]}
                for meld in seat["melds"]
            ],
            "pond": "".join(tile["tile"] for tile in seat["pond"] if not tile["taken"]),
        }
        for seat, player in zip(frame["table"]["seats"], frame["players"], strict=True)
    ]


def _panel_html(request: HttpRequest, watched: Watched, panel: Panel | None) -> str:
    if panel is None:
        return ""
    context = {"panel": panel, "ruleset": watched.game.ruleset, "hand": panel.hand}
    return _html(request, "panel", context)


def _html(request: HttpRequest, name: str, context: dict[str, Any]) -> str:
    # A plain text: Django's, which is marked as safe, is none that msgspec would write.
    return str.__str__(render_to_string(f"replays/_{name}.html", context, request))
