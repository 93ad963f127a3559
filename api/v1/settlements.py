"""What hands came to: settlements of games and hands, and the reasons for every point."""

from __future__ import annotations

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from api.access import game_of, known_game
from api.errors import Problem
from api.fields import SomeFields, only
from api.operation import Operation, Shown, read_query
from api.scopes import Scope
from api.v1.rulings import RulingShown, rulings_shown
from api.v1.shapes import names_of
from records import ledger, reader
from records.append import WRITER
from records.clubs import Right
from records.games import GameAccess
from records.ledger import Settled
from records.rulings import rulings_of
from rules_engine.fold import Game
from rules_engine.score import HandExplanation


class PlayerTotal(Shown, frozen=True):
    """What a player has won or lost in a game, in units of the stake."""

    player: UUID
    name: str
    points: int


class ShowGameSettlement(Operation):
    """Every settled hand and entry of a game, and what each player has won or lost.

    `pending` counts hands that have ended and are not settled yet; it is 0 again within seconds.
    """

    scope = Scope.GAMES_READ
    right = Right.SEE

    Query = SomeFields

    class Output(Shown, frozen=True):
        """Hands and entries as they stand now, and the totals, which sum to zero.

        Entries are adjustments and penalties; `rulings` say why they and later revisions of hands
        were made. A total without a name is that of the club's pot.
        """

        game: UUID
        seq: int
        stake: int
        hands: list[Settled]
        entries: list[Settled]
        rulings: list[RulingShown]
        totals: list[PlayerTotal]
        pending: int

    def get(self, request: Request, game_id: UUID) -> Response:
        """The settlement."""
        query = read_query(request, SomeFields)
        game = known_game(request, game_of(request, game_id)).game
        settled = ledger.settlement_of_game(game_id, upto=game.seq)
        hands = [each for each in settled if not each.entry]
        points: dict[UUID, int] = {}
        for each in settled:
            for player, change in zip(each.players, each.points, strict=True):
                points[player] = points.get(player, 0) + change
        names = names_of(set(points))
        shown = ShowGameSettlement.Output(
            game=game_id,
            seq=game.seq,
            stake=game.stake,
            hands=hands,
            entries=[each for each in settled if each.entry],
            rulings=rulings_shown(rulings_of(game_id, upto=game.seq)),
            totals=[
                PlayerTotal(player=player, name=names.get(player, ""), points=total)
                for player, total in points.items()
            ],
            pending=game.hands_ended - len(hands),
        )
        return Response(only(shown, query.fields, of=ShowGameSettlement.Output))


class ShowHand(Operation):
    """A hand: what happened in it, its score and its payments.

    `revisions` has the settlement as first made and every later one that a ruling made; the last
    one stands. It is empty while the hand waits to be settled, which takes seconds. `rulings` say
    why: the one of a revision has its `seq`.
    """

    scope = Scope.GAMES_READ
    right = Right.SEE

    class Output(Shown, frozen=True):
        """The hand's settlement, all revisions of it, and every ruling that concerns it."""

        game: UUID
        hand: int
        settled: bool
        revisions: list[Settled]
        rulings: list[RulingShown]

    def get(self, request: Request, game_id: UUID, hand: int) -> Response:
        """The hand."""
        upto = ended_hand(request, game_of(request, game_id), hand).seq
        revisions = ledger.revisions_of_hand(game_id, hand, upto=upto)
        return Response(
            ShowHand.Output(
                game=game_id,
                hand=hand,
                settled=bool(revisions),
                revisions=revisions,
                rulings=rulings_shown(rulings_of(game_id, hand=hand, upto=upto)),
            )
        )


class ExplainHand(Operation):
    """Why a hand is worth what it is: items given and not given, readings, formula, payments.

    Every line names its numbered rule; `rules` of the ruleset has their texts.
    """

    scope = Scope.GAMES_READ
    right = Right.SEE

    Query = SomeFields

    class Output(Shown, frozen=True):
        """The explanation as the hand stands; null where it pays nothing, abandoned or voided.

        `ruling` is the one that made the hand what it is, null where it stands as recorded.
        """

        game: UUID
        hand: int
        revision: int
        ruleset: str
        ruleset_version: int
        engine: str
        explanation: HandExplanation | None
        ruling: RulingShown | None

    refusals = ("not_settled",)

    def get(self, request: Request, game_id: UUID, hand: int) -> Response:
        """The explanation."""
        query = read_query(request, SomeFields)
        access = game_of(request, game_id)
        upto = ended_hand(request, access, hand).seq
        revisions = ledger.revisions_of_hand(game_id, hand, upto=upto)
        if not revisions:
            raise Problem(
                "not_settled",
                f"Hand {hand} has ended and is being settled; ask again in a second.",
                headers={"Retry-After": "1"},
            )
        settled = revisions[-1]
        made_by = [each for each in rulings_of(game_id, hand=hand) if each.seq == settled.seq]
        shown = ExplainHand.Output(
            game=game_id,
            hand=hand,
            revision=settled.revision,
            ruleset=settled.ruleset,
            ruleset_version=settled.ruleset_version,
            engine=settled.engine,
            explanation=explain(access, settled),
            ruling=next(iter(rulings_shown(made_by)), None),
        )
        return Response(only(shown, query.fields, of=ExplainHand.Output))


def explain(access: GameAccess, settled: Settled) -> HandExplanation | None:
    """The reasoning behind a settled hand, under the options of its game."""
    if settled.facts is None:
        return None
    game = reader.game_at(access.id, 1, using=WRITER)
    explanation = game.ruleset.explain(settled.facts, game.options)
    assert isinstance(explanation, HandExplanation), explanation  # It was scored, so it is legal.
    return explanation


def ended_hand(request: Request, access: GameAccess, hand: int) -> Game:
    """The game as the caller knows it, if this hand of it has ended. Raises Problem."""
    game = known_game(request, access).game
    if 1 <= hand <= game.hands_ended:
        return game
    still = " yet: it is still being played" if hand == game.hand else ""
    raise Problem(
        "not_found",
        f"The game has no ended hand {hand}{still}.",
        facts={"expected": {"from": 1, "to": game.hands_ended}, "actual": hand},
    )
