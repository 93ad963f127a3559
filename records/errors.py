"""Every refusal of the log: a stable ``code``, a ``message`` to act on, and the ``facts``."""

from __future__ import annotations

from typing import ClassVar
from uuid import UUID

from rules_engine.errors import Violation


class RecordsError(Exception):
    """Base of the refusals. A published ``code`` never changes; ``facts`` is plain JSON."""

    code: ClassVar[str] = "records_error"

    def __init__(self, message: str, **facts: object) -> None:
        super().__init__(message)
        self.message = message
        self.facts: dict[str, object] = facts


class NotCanonical(RecordsError):
    """A value outside the JSON profile of ``records.canonical``."""

    code = "not_canonical"

    def __init__(self, *, place: str, reason: str) -> None:
        super().__init__(
            f"The value at {place or 'the top'} cannot be recorded: {reason}.",
            place=place,
            reason=reason,
        )


class UnknownGame(RecordsError):
    """No game has this id."""

    code = "unknown_game"

    def __init__(self, game_id: UUID) -> None:
        super().__init__(f"There is no game {game_id}.", game_id=str(game_id))


class SeqOutOfRange(RecordsError):
    """A game was asked for at a seq it has not reached, or before its first event."""

    code = "seq_out_of_range"

    def __init__(self, *, game_id: UUID, seq: int, last_seq: int) -> None:
        super().__init__(
            f"Game {game_id} has events 1 to {last_seq}; seq {seq} is not one of them.",
            game_id=str(game_id),
            expected={"from": 1, "to": last_seq},
            actual=seq,
        )


class StaleSequence(RecordsError):
    """The game has gone on, or not yet come as far as the append assumed. Nothing was written."""

    code = "stale_sequence"

    def __init__(self, *, expected: int, actual: int) -> None:
        super().__init__(
            f"The append expects the game at seq {expected}, but it is at seq {actual}. "
            "Read the events in between and decide again.",
            expected=expected,
            actual=actual,
        )
        self.expected = expected
        self.actual = actual


class CommandReused(RecordsError):
    """The command id was used before, for something else. Nothing was written."""

    code = "command_reused"

    def __init__(self, *, command_id: str, first_seq: int, last_seq: int) -> None:
        super().__init__(
            f"Command {command_id} was already carried out with other content "
            f"(seqs {first_seq} to {last_seq}). Give every new command an id of its own.",
            command_id=command_id,
            first_seq=first_seq,
            last_seq=last_seq,
        )


class BadAppend(RecordsError):
    """An append that cannot be one: no events, too many, a bad command id or bad times."""

    code = "bad_append"


class MonthMissing(RecordsError):
    """The month a game belongs to has no partition: it was never made, or it was archived."""

    code = "month_missing"

    def __init__(self, month: str) -> None:
        super().__init__(
            f"The log has no partition for {month}. `manage.py create_partitions` makes this month "
            "and the next; a month that was archived takes no more events.",
            month=month,
        )


class ReplayRefused(RecordsError):
    """A recorded event is refused by this engine: the log and the rules installed do not match."""

    code = "replay_refused"

    def __init__(self, *, game_id: str, seq: int, violation: Violation) -> None:
        super().__init__(
            f"Event {seq} of game {game_id} is in the log, but the rules refuse it: "
            f"{violation.message}",
            game_id=game_id,
            seq=seq,
            violation=violation.code,
        )


class BadCheckpointKey(RecordsError):
    """The key or the name that checkpoints are signed with cannot be used."""

    code = "bad_checkpoint_key"


class InconsistentJournal(RecordsError):
    """The journal no longer begins with what the last checkpoint signed. Nothing is signed."""

    code = "inconsistent_journal"

    def __init__(self, *, size: int, reason: str) -> None:
        super().__init__(
            f"The journal does not continue the checkpoint of {size} seals: {reason}. No "
            "checkpoint is signed until the cause is found; `manage.py verify` names it.",
            size=size,
            reason=reason,
        )
