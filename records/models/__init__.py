"""The tables of the write side."""

from records.models.clubs import Club, Membership, Role
from records.models.people import Account, Player

__all__ = ["Account", "Club", "Membership", "Player", "Role"]
