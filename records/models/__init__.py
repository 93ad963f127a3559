"""The tables of the write side."""

from records.models.clubs import Club, Invitation, Ladder, Membership, Preset, Role, Season
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
from records.models.milestones import Milestone, QueuedMilestone
from records.models.people import Account, Claim, Merge, Player

__all__ = [
    "Account",
    "Checkpoint",
    "Claim",
    "Club",
    "Event",
    "Game",
    "HandSnapshot",
    "Invitation",
    "Ladder",
    "Membership",
    "Merge",
    "Milestone",
    "Player",
    "Preset",
    "QueuedMilestone",
    "QueuedSeal",
    "Receipt",
    "Role",
    "Seal",
    "Season",
    "Settlement",
    "SettlementCursor",
    "SettlementFailure",
    "Transfer",
]
