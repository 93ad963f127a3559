"""Checking the log without trusting whoever runs it."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from rest_framework.request import Request
from rest_framework.response import Response

from api.access import game_of, known_game
from api.errors import Problem
from api.operation import Operation, PublicOperation, Shown
from api.scopes import Scope
from api.v1.settlements import ended_hand
from records import journal
from records.clubs import Right
from records.proofs import Inclusion, SignedHead, inclusion_of, latest_checkpoint
from records.verification import Finding, verify_game


class VerifyGame(Operation):
    """Read a game's whole log and check it: chain, receipts, seals, snapshots.

    The first event that is not as it was recorded is named in `finding`.
    """

    scope = Scope.GAMES_READ
    right = Right.SEE

    class Output(Shown, frozen=True):
        """How many events there are, and what is wrong with them, if anything."""

        game: UUID
        events: int
        intact: bool
        finding: Finding | None

    def get(self, request: Request, game_id: UUID) -> Response:
        """Check it."""
        known = known_game(request, game_of(request, game_id)).game
        report = verify_game(game_id)
        return Response(
            VerifyGame.Output(
                game=game_id,
                events=min(report.events, known.seq),
                intact=report.finding is None,
                finding=report.finding,
            )
        )


class ShowCheckpoint(PublicOperation):
    """The latest signed checkpoint of the log (C2SP tlog-checkpoint).

    Keep one, and the log can never again be shown to you without what it covers.
    """

    class Output(Shown, frozen=True):
        """The checkpoint, and the key to verify its signature with."""

        checkpoint: SignedHead | None
        verifier_key: str | None

    def get(self, request: Request) -> Response:
        """The checkpoint; null before the first hand was sealed."""
        return Response(
            ShowCheckpoint.Output(
                checkpoint=latest_checkpoint(),
                verifier_key=journal.signer().verifier_key if settings.CHECKPOINT_KEY else None,
            )
        )


class ProveHand(Operation):
    """Proof that a hand is in the signed log (RFC 6962 inclusion).

    A checkpoint is signed once a minute; until one covers the hand the answer is 409.
    """

    scope = Scope.GAMES_READ
    right = Right.SEE

    Output = Inclusion
    refusals = ("not_checkpointed",)

    def get(self, request: Request, game_id: UUID, hand: int) -> Response:
        """The proof."""
        access = game_of(request, game_id)
        ended_hand(request, access, hand)
        proof = inclusion_of(game_id=game_id, hand=hand)
        if proof is None:
            raise Problem(
                "not_checkpointed",
                f"No signed checkpoint covers hand {hand} yet; one is made every minute.",
                headers={"Retry-After": "60"},
            )
        return Response(proof)
