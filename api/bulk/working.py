"""Recording the games of received files, each in a transaction of its own, by several workers.

A worker takes a waiting game by locking its row and leaves it locked while it records, so nothing
has to be remembered of a worker that dies: its transaction never was
(test_a_worker_killed_in_the_middle_of_a_game_leaves_it_waiting).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

import msgspec
import structlog
from django.db import DatabaseError, models, transaction
from django.utils import timezone

from api.exchange.importing import Refused, import_game
from api.models import Import, ImportedGame, ImportFault, ImportPart
from records import bell, reader
from records.append import WRITER
from records.batches import in_batches
from records.clubs import Right, rights_of
from records.models import Membership
from rules_engine.errors import Violation

BUDGET_S: Final = 2.0
"""How long one task goes on at most: short, so that settling is not kept waiting."""
TRIES_MAX: Final = 5
"""How often a game is tried anew when two workers got in each other's way."""
PASSING: Final = frozenset({"40001", "40P01"})
"""Serialization failure, deadlock: not the game's fault."""

State = ImportedGame.State
logger = structlog.get_logger(__name__)


def work(budget_s: float = BUDGET_S) -> int:
    """Record waiting games until there is none, or for a while; answer how many."""
    stop_at = time.monotonic() + budget_s
    done = 0
    while time.monotonic() < stop_at and work_one():
        done += 1
        if done == 1 and is_work_left():
            bell.ring(bell.IMPORT)
    end_imports()
    return done


def is_work_left() -> bool:
    """Whether any game waits; one that a worker has at present counts too."""
    return ImportedGame.objects.filter(state=State.WAITING).exists()


def work_one() -> bool:
    """Record one waiting game; whether there was one."""
    for attempt in range(1, TRIES_MAX + 1):
        try:
            with transaction.atomic():
                return _take_one()
        except DatabaseError as error:
            if getattr(error.__cause__, "sqlstate", None) not in PASSING or attempt == TRIES_MAX:
                raise
        except _Failed as failure:
            # A fault of ours in one game must not stop the others.
            logger.exception("game_not_imported", game=failure.game.name)
            _close(failure.game.pk, failure.fault)
            return True
    return False


class _Failed(Exception):
    """Something went wrong that no file should be able to cause."""

    def __init__(self, game: ImportedGame, fault: ImportFault) -> None:
        super().__init__(fault.message)
        self.game = game
        self.fault = fault


def _take_one() -> bool:
    game = (
        ImportedGame.objects.select_related("file__club")
        .filter(state=State.WAITING, file__received_at__isnull=False)
        .order_by("id")
        .select_for_update(skip_locked=True, of=("self",))
        .first()
    )
    if game is None:
        return False
    try:
        fault = _record(game)
    except DatabaseError:
        raise
    except Exception as error:
        message = f"{type(error).__name__}: {error}"
        first = next(_lines(game), (0, b""))[0]
        raise _Failed(
            game,
            ImportFault(
                file=game.file, line=first, game=game.name, code="internal_error", message=message
            ),
        ) from error
    _finish(game, fault)
    return True


def _record(game: ImportedGame) -> ImportFault | None:
    """Append what is legal of the game; the first line that is not, or None."""
    try:
        incoming = import_game(
            _lines(game), club=game.file.club, name=game.name, may_rule=_may_rule(game.file)
        )
        fault = None
    except Refused as refused:
        if refused.incoming is None:
            return _fault(game, refused)
        incoming, fault = refused.incoming, _fault(game, refused)
    game.game_id = incoming.game_id
    if game.game_id is not None:
        game.events = reader.head(game.game_id, using=WRITER)[0]
    elif fault is None:
        fault = ImportFault(
            file=game.file,
            line=next(_lines(game))[0],
            game=game.name,
            code="game_not_started",
            message="The file has no event of this game.",
        )
    return fault


def _may_rule(file: Import) -> bool:
    """Whether who sent the file may rule in its club now; a file of the operator's may hold all."""
    if file.created_by_id is None:
        return True
    sender = Membership.objects.filter(club=file.club_id, account=file.created_by_id).first()
    return Right.RULE in rights_of(None if sender is None else sender.role)


def _lines(game: ImportedGame) -> Iterator[tuple[int, bytes]]:
    """The game's lines with their numbers in the file, a part at a time: parts may be large."""
    for part in in_batches(ImportPart.objects.filter(game=game), size=1):
        yield from zip(part.numbers, bytes(part.body).split(b"\n"), strict=True)


def _fault(game: ImportedGame, refused: Refused) -> ImportFault:
    violation: Violation = refused.violation
    return ImportFault(
        file=game.file,
        line=refused.line,
        game=game.name,
        seq=refused.seq or None,
        code=violation.code,
        rule=violation.rule or "",
        message=violation.message,
        facts=msgspec.to_builtins(
            {**violation.facts, "expected": violation.expected, "actual": violation.actual}
        ),
    )


def _close(game_id: int, fault: ImportFault) -> None:
    """Refuse a game whose recording was rolled back."""
    with transaction.atomic():
        game = ImportedGame.objects.select_for_update().get(pk=game_id)
        if game.state == State.WAITING:
            _finish(game, fault)


def _finish(game: ImportedGame, fault: ImportFault | None) -> None:
    """Write down what became of the game; the last one of its file ends the import."""
    game.state = State.RECORDED if fault is None else State.REFUSED
    game.save(update_fields=["state", "events", "game_id"])
    game.parts.all().delete()
    if fault is not None:
        fault.save(force_insert=True)
    transaction.on_commit(bell.ring)


def end_imports() -> None:
    """End every import of which nothing waits any more.

    Asked after the commits of a worker's games, so that of two workers with the last two games one
    sees both done (test_an_import_ends_with_its_last_game_whoever_records_it).
    """
    waiting = ImportedGame.objects.filter(file=models.OuterRef("pk"), state=State.WAITING)
    received = Import.objects.filter(ended_at=None, received_at__isnull=False)
    received.filter(~models.Exists(waiting)).update(ended_at=timezone.now())
