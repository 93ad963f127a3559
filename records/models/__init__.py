"""The tables of the write side."""

from records.models.clubs import Club, Membership, Role
from records.models.ledger import (
    Settlement,
    SettlementCursor,
    SettlementFailure,
    Transfer,
)
from records.models.log import (
    Checkpoint,
    Event,
    Game,
    HandSnapshot,
    QueuedSeal,
    Receipt,
    Seal,
)
from records.models.people import Account, Player

__all__ = [
    "Account",
    "Checkpoint",
    "Club",
    "Event",
    "Game",
    "HandSnapshot",
    "Membership",
    "Player",
    "QueuedSeal",
    "Receipt",
    "Role",
    "Seal",
    "Settlement",
    "SettlementCursor",
    "SettlementFailure",
    "Transfer",
]
