"""Working off what is due at once, for commands that want to show a result when they end."""

from records import journal, settlement
from replays import projections


def settle_now() -> int:
    """Seal, settle and advance the boards until nothing is due; gives how many seals were settled.

    Beside running workers it shares the work with them and may return while they finish it.
    """
    settled = 0
    while True:
        sealed = journal.seal_pending()
        done = settlement.settle_sealed()
        advanced = projections.advance_projections()
        settled += done
        if not sealed and not done and not advanced:
            return settled
