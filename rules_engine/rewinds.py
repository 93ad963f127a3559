"""What of a raw log counts: what a rewind took back does not, but rulings always do."""

from collections.abc import Iterable

from rules_engine.errors import IllegalEvent, Violation
from rules_engine.events import Event, Rewind, Ruling
from rules_engine.game import Game

Numbered = tuple[int, Event]
"""An event with its seq."""


def check_rewind(game: Game, event: Rewind, seq: int) -> None:
    """Refuse a rewind that would reach behind the last ended hand, or go nowhere."""
    if game.floor <= event.to < game.seq:
        return
    raise IllegalEvent(
        Violation(
            code="rewind_out_of_reach",
            message=(
                f"A rewind can return to seq {game.floor} at the earliest, where the last hand "
                f"ended, and to seq {game.seq - 1} at the latest."
            ),
            seq=seq,
            expected={"from": game.floor, "to": game.seq - 1},
            actual=event.to,
        )
    )


def effective(events: Iterable[Numbered]) -> list[Numbered]:
    """The events that count: what each rewind took back is left out, and so is the rewind.

    A ruling is about hands that have ended, which no rewind reaches, so it stays where it is.
    """
    kept: list[Numbered] = []
    for seq, event in events:
        if isinstance(event, Rewind):
            rulings: list[Numbered] = []
            while kept and kept[-1][0] > event.to:
                last = kept.pop()
                if isinstance(last[1], Ruling):
                    rulings.append(last)
            kept.extend(reversed(rulings))
        else:
            kept.append((seq, event))
    return kept
