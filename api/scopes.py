"""Scopes: what a token may be used for. This is the only list of them.

A scope never gives more than its bearer has: who lacks the role in a club is refused with every
scope. A session, and the token of a sign-in, have all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType


class Scope(StrEnum):
    """One thing that a token may be used for."""

    GAMES_READ = "games:read"
    GAMES_RECORD = "games:record"
    GAMES_RULE = "games:rule"
    CLUB_READ = "club:read"
    CLUB_WRITE = "club:write"
    CLUB_ADMIN = "club:admin"
    IMPORTS_WRITE = "imports:write"
    EXPORTS_READ = "exports:read"
    WEBHOOKS_WRITE = "webhooks:write"
    ACCOUNT_READ = "account:read"
    ACCOUNT_WRITE = "account:write"


MEANINGS: Mapping[Scope, str] = MappingProxyType(
    {
        Scope.GAMES_READ: "Read games, their logs, settlements, rulings and proofs.",
        Scope.GAMES_RECORD: "Start games and write events, and see all of a live hand.",
        Scope.GAMES_RULE: "Rule on hands, and make payments beside them.",
        Scope.CLUB_READ: "Read clubs, players, seasons, boards, tiers and statements.",
        Scope.CLUB_WRITE: "Keep players, claims, seasons, presets and the ladder of a club.",
        Scope.CLUB_ADMIN: "Keep a club's settings, members, invitations and tokens.",
        Scope.IMPORTS_WRITE: "Send files of games and follow them.",
        Scope.EXPORTS_READ: "Take games and standings out as files.",
        Scope.WEBHOOKS_WRITE: "Keep a club's webhooks and see their deliveries.",
        Scope.ACCOUNT_READ: "See the account, its clubs and its tokens.",
        Scope.ACCOUNT_WRITE: "Change the account and its tokens; found, join and leave clubs.",
    }
)
ALL_SCOPES = tuple(Scope)
OF_ONE_CLUB = tuple(
    scope for scope in Scope if scope not in (Scope.ACCOUNT_READ, Scope.ACCOUNT_WRITE)
)
"""What a token can have that is limited to clubs: an account is not of one club."""
