"""The frames of a hand: what the table looks like after each event, by one pass of the fold."""

from __future__ import annotations

from typing import Any, Final, Literal

import msgspec

from records import reader
from replays.viewer.access import Watched
from replays.viewer.diffs import changes
from replays.viewer.telling import Teller
from replays.visibility import EVERYTHING, Viewer, show_event, show_state, sight
from rules_engine.events import (
    Chi,
    Discard,
    Draw,
    Event,
    Gang,
    HandEnded,
    HandResult,
    HandStarted,
    Hu,
    Pass,
    Peng,
    Rewind,
    Ruling,
)
from rules_engine.fold import Game
from rules_engine.play import Play
from rules_engine.table import SEATS, Table
from rules_engine.tiles import NAMES
from rules_engine.view import view
from rules_engine.waits import left, waits

Kind = Literal["start", "draw", "discard", "claim", "gang", "win", "pass", "end", "note", "other"]
KINDS: Final[tuple[tuple[type[Event], Kind], ...]] = (
    (HandStarted, "start"),
    (Draw, "draw"),
    (Discard, "discard"),
    (Chi, "claim"),
    (Peng, "claim"),
    (Gang, "gang"),
    (Hu, "win"),
    (Pass, "pass"),
    (HandEnded, "end"),
    (HandResult, "end"),
    (Rewind, "note"),
    (Ruling, "note"),
)
"""What a slider marks and what buttons jump to."""


class Step(msgspec.Struct, frozen=True):
    """One event. ``html`` tells it; ``undone``: a later rewind took it back.

    ``changes`` make this step's frame of the one before; the first step's is made of nothing.
    """

    seq: int
    at_ms: int
    type: str
    kind: Kind
    seat: int | None
    body: dict[str, Any]
    html: str
    undone: bool
    changes: list[Any]


class HandFrames(msgspec.Struct, frozen=True):
    """A hand from its first event to the last before the next.

    ``ended``: nothing of it can be taken back any more. ``last`` is the last frame with a table.
    """

    hand: int
    ended: bool
    steps: list[Step]
    last: dict[str, Any] | None


def hand_frames(watched: Watched, hand: int, teller: Teller) -> HandFrames | None:
    """The frames as the viewer may see them, or None where there is no such hand."""
    # What came before the first deal belongs to the first hand, whether it was dealt yet or not.
    begun = reader.first_seqs(watched.id).items()
    firsts = {number: seq for number, seq in begun if seq <= watched.game.seq} | {1: 1}
    if firsts.get(hand, watched.game.seq + 1) > watched.game.seq:
        return None
    following = firsts.get(hand + 1)
    moments = list(
        reader.moments(
            watched.id,
            from_seq=firsts[hand],
            to_seq=watched.game.seq if following is None else min(following - 1, watched.game.seq),
        )
    )
    steps, last = _steps(watched, moments, teller)
    return HandFrames(hand, watched.game.hands_ended >= hand, steps, last)


def _steps(
    watched: Watched, moments: list[reader.Moment], teller: Teller
) -> tuple[list[Step], dict[str, Any] | None]:
    """The steps, and the last frame in which there was a table."""
    undone = _undone(moments)
    folding = _Folding()
    steps = []
    before: dict[str, Any] = {}
    last: dict[str, Any] | None = None
    for moment in moments:
        viewer = sight(watched.viewer, seq=moment.seq, floor=watched.game.floor)
        body, _ = show_event(moment.event, viewer)
        frame = folding.frame(moment.game, viewer)
        players = moment.game.playing or moment.game.players
        steps.append(
            Step(
                seq=moment.seq,
                at_ms=moment.occurred_at_ms,
                type=moment.event.type,
                kind=_kind(moment.event),
                seat=body.get("seat"),
                body=body,
                html=teller.tell(moment.event, body, players),
                undone=moment.seq in undone,
                changes=changes(before, frame),
            )
        )
        before = frame
        last = frame if frame["table"] is not None else last
    return steps, last


def _kind(event: Event) -> Kind:
    return next((kind for cls, kind in KINDS if isinstance(event, cls)), "other")


def _undone(moments: list[reader.Moment]) -> set[int]:
    """The seqs that a rewind took back; a ruling stays whatever is taken back around it."""
    gone: set[int] = set()
    for moment in moments:
        if isinstance(moment.event, Rewind):
            to = moment.event.to
            gone |= {
                each.seq
                for each in moments
                if to < each.seq < moment.seq and not isinstance(each.event, Ruling)
            }
    return gone


class _Folding:
    """Makes frames one after the other; what a seat waits for is found only when it changes."""

    def __init__(self) -> None:
        self._waits: list[tuple[Any, tuple[int, ...]]] = [(None, ()) for _ in SEATS]

    def frame(self, game: Game, viewer: Viewer) -> dict[str, Any]:
        """The state as the API gives it, with what else a viewer draws where nothing is hidden.

        ``waits`` by seat, the variant's ``signs``, and how many tiles are ``drawable`` before what
        is kept in reserve.
        """
        state = show_state(view(game), viewer)
        table = game.table
        # What a seat could win on may follow from what it does not know itself.
        if table is None or viewer != EVERYTHING:
            return {**state, "waits": None, "signs": None, "drawable": None}
        return {
            **state,
            "waits": [self._waited(game.play, table, seat) for seat in SEATS],
            "signs": msgspec.to_builtins(game.ruleset.signs(table.extra)),
            "drawable": game.play.drawable(table),
        }

    def _waited(self, play: Play, table: Table, seat: int) -> list[tuple[str, int]]:
        holder = table.seats[seat]
        key = (holder.concealed, holder.melds, holder.ting)
        if self._waits[seat][0] != key:
            self._waits[seat] = (key, waits(play, table, seat))
        kinds = self._waits[seat][1]
        counts = left(play, table, seat, kinds)
        return [(NAMES[kind], unseen) for kind, unseen in zip(kinds, counts, strict=True)]
