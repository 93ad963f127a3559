"""Games: starting one, finding them, and what a game looks like at any seq."""

from __future__ import annotations

from typing import Annotated, Any, NamedTuple
from uuid import UUID

import msgspec
from django.db import transaction
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import account_of, club_of, game_of, grant_of, known_game
from api.errors import Problem, rules_quoted
from api.fields import Fields, only
from api.idempotency import idempotent, read_key
from api.operation import (
    ETAG,
    IDEMPOTENCY_KEY,
    Cursor,
    Header,
    Operation,
    PageQuery,
    Shown,
    Struct,
    read_body,
    read_query,
)
from api.pagination import decode_cursor, encode_cursor
from api.scopes import Scope
from api.v1.shapes import GameShown, games_shown
from records import bell, reader
from records.append import WRITER
from records.clubs import Right
from records.errors import SeqOutOfRange
from records.games import list_games, read_game, start_game
from records.presets import version_of_preset
from replays.visibility import Viewer, show_moves, show_state, sight
from rules_engine import registry
from rules_engine.events import OptionValue
from rules_engine.fold import Game
from rules_engine.moves import Due
from rules_engine.ruleset import Ruleset, dump_options
from rules_engine.view import view

LOCATION = Header(name="Location", description="The new game.", example="/api/v1/games/0193...")
RulesetName = Annotated[str, msgspec.Meta(max_length=60, description="A ruleset's slug.")]
Seq = Annotated[int, msgspec.Meta(ge=1, le=2_000_000_000)]


def etag(seq: int) -> str:
    """A game's ETag: its last seq in quotes."""
    return f'"{seq}"'


class ListGames(Operation):
    """The games of your clubs, the newest first."""

    scope = Scope.GAMES_READ

    class Query(PageQuery, frozen=True):
        """Which games."""

        club: UUID | None = None
        ruleset: RulesetName | None = None
        player: (
            Annotated[UUID, msgspec.Meta(description="Games that this player began in.")] | None
        ) = None
        fields: Fields | None = None

    class Output(Shown, frozen=True):
        """One page of games."""

        items: list[GameShown]
        next: Cursor | None

    def get(self, request: Request) -> Response:
        """One page of them."""
        query = read_query(request, ListGames.Query)
        rows = list_games(
            account_id=account_of(request).pk,
            clubs=grant_of(request).clubs,
            limit=query.limit + 1,
            before=None if query.cursor is None else game_of_cursor(query.cursor),
            club_id=query.club,
            ruleset=query.ruleset,
            player_id=query.player,
        )
        more = len(rows) > query.limit
        rows = rows[: query.limit]
        following = encode_cursor([rows[-1].id]) if more else None
        items = [only(game, query.fields, of=GameShown) for game in games_shown(rows)]
        return Response({"items": items, "next": following})


def game_of_cursor(cursor: str) -> UUID:
    """The game that a cursor names. Raises Problem ``invalid_input``."""
    (value,) = decode_cursor(cursor, length=1)
    try:
        return UUID(value)
    except (ValueError, AttributeError, TypeError) as error:
        raise Problem("invalid_input", "This is not a cursor that a page before gave.") from error


class StartGame(Operation):
    """Start a game: what is played, under which options, by whom.

    Options are those of the ruleset, changed by the preset, changed by `options`. They are written
    whole into the game's first event and never change. The preset is one of the ruleset's, or the
    club's own; then the game is played by the version that the preset is for.
    """

    scope = Scope.GAMES_RECORD
    right = Right.RECORD

    class Input(Struct, frozen=True):
        """The game to start."""

        club: UUID
        ruleset: RulesetName
        players: Annotated[
            list[UUID],
            msgspec.Meta(min_length=4, max_length=4, description="Player ids by seat, 0 to 3."),
        ]
        ruleset_version: Annotated[int, msgspec.Meta(ge=1, le=1_000_000)] | None = None
        preset: Annotated[str, msgspec.Meta(max_length=60)] | None = None
        options: dict[str, OptionValue] = {}
        substitutes: Annotated[list[UUID], msgspec.Meta(max_length=8)] = []
        stake: Annotated[
            int,
            msgspec.Meta(ge=0, le=1_000_000, description="What one point is worth (di zhu)."),
        ] = 1
        title: Annotated[str, msgspec.Meta(max_length=200)] = ""

    Output = GameShown
    status = 201
    reads = (IDEMPOTENCY_KEY,)
    gives = (ETAG, LOCATION)
    refusals = (
        "not_found",
        "permission_denied",
        "unknown_ruleset",
        "unknown_player",
        "player_left",
        "one_person_twice",
        "preset_of_another_version",
        "illegal_event",
        "month_missing",
    )

    @idempotent
    def post(self, request: Request) -> Response:
        """Create the game and append its first event."""
        given = read_body(request, StartGame.Input)
        club = club_of(request, given.club)
        pinned = version_of_preset(club_id=club.pk, ruleset=given.ruleset, name=given.preset)
        ruleset = find_ruleset(given.ruleset, given.ruleset_version or pinned)
        with rules_quoted(ruleset):
            game_id, receipt = start_game(
                club_id=club.pk,
                created_by=account_of(request).pk,
                ruleset=ruleset,
                options=given.options,
                preset=given.preset,
                players=given.players,
                substitutes=given.substitutes,
                stake=given.stake,
                title=given.title,
                command_id=read_key(request),
            )
        transaction.on_commit(lambda: bell.ring(bell.SETTLE))
        (shown,) = games_shown([read_game(game_id)])
        headers = {"ETag": etag(receipt.last_seq), "Location": f"/api/v1/games/{game_id}"}
        return Response(shown, status=self.status, headers=headers)


def find_ruleset(slug: str, version: int | None) -> Ruleset:
    """The ruleset that the caller names. Raises Problem ``unknown_ruleset``."""
    try:
        return registry.get(slug, version)
    except registry.UnknownRuleset as error:
        raise Problem(
            "unknown_ruleset",
            str(error),
            facts={"expected": sorted(registry.rulesets()), "actual": slug},
        ) from error


class NextHand(Shown, frozen=True):
    """What the next hand's record begins with; `dealer` is null where lots decide.

    `flags` are those that every winner of it carries because of the hands before.
    """

    hand: int
    dealer: int | None
    streak: int
    flags: list[str]


def next_hand(game: Game) -> NextHand | None:
    """What the next hand's record begins with; None while one is live, and after the last."""
    if game.table is not None or game.ended:
        return None
    flags = list(game.play.flags_before(game.memory))
    return NextHand(hand=game.hand + 1, dealer=game.dealer, streak=game.streak, flags=flags)


class ShowGame(Operation):
    """A game and how far it has come.

    The ETag is what the next append must send as If-Match. `next` is what the record of the next
    hand begins with, null while a hand is live and when the game has ended.
    """

    scope = Scope.GAMES_READ
    right = Right.SEE

    class Output(GameShown, frozen=True):
        """The game, its last seq, and the hand it has come to."""

        seq: int
        hand: int
        live: bool
        ended: bool
        next: NextHand | None
        options: dict[str, OptionValue]

    gives = (ETAG,)

    def get(self, request: Request, game_id: UUID) -> Response:
        """The game."""
        game = known_game(request, game_of(request, game_id)).game
        (shown,) = games_shown([read_game(game_id)])
        answer = ShowGame.Output(
            **msgspec.structs.asdict(shown),
            seq=game.seq,
            hand=game.hand,
            live=game.table is not None,
            ended=game.ended,
            next=next_hand(game),
            options=dump_options(game.options),
        )
        return Response(answer, headers={"ETag": etag(game.seq)})


class AtSeq(Struct, frozen=True):
    """Which moment of the game."""

    seq: (
        Annotated[Seq, msgspec.Meta(description="The moment after this event; without it, now.")]
        | None
    ) = None


class Moment(NamedTuple):
    """A game at a moment, what the caller sees of it there, and the ETag of the game as of now."""

    game: Game
    viewer: Viewer
    etag: str


def moment_of(request: Request, game_id: UUID, seq: int | None) -> Moment:
    """The game after ``seq``, or as it is now. Raises Problem, SeqOutOfRange."""
    _, head, viewer = known_game(request, game_of(request, game_id))
    if seq is not None and seq > head.seq:
        raise SeqOutOfRange(game_id=game_id, seq=seq, last_seq=head.seq)
    game = head if seq in (None, head.seq) else reader.game_at(game_id, seq, using=WRITER)
    return Moment(game, sight(viewer, seq=game.seq, floor=head.floor), etag(head.seq))


class ShowState(Operation):
    """The table at any moment of a game.

    What you may not see of a live hand is null; every seat has its number of concealed tiles.
    """

    scope = Scope.GAMES_READ
    right = Right.SEE

    class Query(AtSeq, frozen=True):
        """Which moment, and what of it."""

        fields: Fields | None = None

    class Output(Shown, frozen=True):
        """The state after the event `seq`."""

        seq: int
        ruleset: dict[str, Any]
        players: list[UUID | None]
        substitutes: list[UUID]
        stake: int
        hand: int
        next: dict[str, Any] | None
        table: dict[str, Any] | None
        last_hand: dict[str, Any] | None
        voided: list[int]
        ended: bool

    gives = (ETAG,)
    refusals = ("seq_out_of_range",)

    def get(self, request: Request, game_id: UUID) -> Response:
        """The state."""
        query = read_query(request, ShowState.Query)
        moment = moment_of(request, game_id, query.seq)
        state = show_state(view(moment.game), moment.viewer)
        return Response(
            only(state, query.fields, of=ShowState.Output),
            headers={"ETag": moment.etag},
        )


class ListActions(Operation):
    """What may happen next, each action as the event that records it.

    While a hand is live you see the actions of your own seats; the recorder sees all of them, and
    what is `due` if nobody acts.
    """

    scope = Scope.GAMES_READ
    right = Right.SEE

    Query = AtSeq

    class Output(Shown, frozen=True):
        """What may happen after the event `seq`."""

        seq: int
        due: Due | None
        actions: list[dict[str, Any]]

    gives = (ETAG,)
    refusals = ("seq_out_of_range",)

    def get(self, request: Request, game_id: UUID) -> Response:
        """The actions."""
        query = read_query(request, AtSeq)
        game, viewer, now = moment_of(request, game_id, query.seq)
        due, actions = show_moves(game, viewer)
        answer = ListActions.Output(
            seq=game.seq, due=due, actions=[msgspec.to_builtins(action) for action in actions]
        )
        return Response(answer, headers={"ETag": now})
