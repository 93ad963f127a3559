"""Scopes: what a token may be used for. This is the only list of them.

A scope never gives more than its bearer has: who lacks the role in a club is refused with every
scope. A session, and the token of a sign-in, have all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple


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


class Meaning(NamedTuple):
    """What a scope is good for, in Chinese and English."""

    zh: str
    en: str


MEANINGS: Mapping[Scope, Meaning] = MappingProxyType(
    {
        Scope.GAMES_READ: Meaning(
            "查看对局、记录、结算、裁定与证明。",
            "Read games, their logs, settlements, rulings and proofs.",
        ),
        Scope.GAMES_RECORD: Meaning(
            "开始对局、记录事件，并看到进行中一局的全部牌。",
            "Start games and write events, and see all of a live hand.",
        ),
        Scope.GAMES_RULE: Meaning(
            "对各局作出裁定，并记局外的收付。",
            "Rule on hands, and make payments beside them.",
        ),
        Scope.CLUB_READ: Meaning(
            "查看俱乐部、牌手、赛季、榜单、段位与对账单。",
            "Read clubs, players, seasons, boards, tiers and statements.",
        ),
        Scope.CLUB_WRITE: Meaning(
            "管理俱乐部的牌手、认领、赛季、玩法与段位表。",
            "Keep players, claims, seasons, presets and the ladder of a club.",
        ),
        Scope.CLUB_ADMIN: Meaning(
            "管理俱乐部的设置、成员、邀请与令牌。",
            "Keep a club's settings, members, invitations and tokens.",
        ),
        Scope.IMPORTS_WRITE: Meaning(
            "上传对局文件并跟踪进度。", "Send files of games and follow them."
        ),
        Scope.EXPORTS_READ: Meaning(
            "导出对局与成绩文件。", "Take games and standings out as files."
        ),
        Scope.WEBHOOKS_WRITE: Meaning(
            "管理俱乐部的回调并查看投递。",
            "Keep a club's webhooks and see their deliveries.",
        ),
        Scope.ACCOUNT_READ: Meaning(
            "查看账户及其俱乐部与令牌。", "See the account, its clubs and its tokens."
        ),
        Scope.ACCOUNT_WRITE: Meaning(
            "更改账户与令牌；创建、加入与退出俱乐部。",
            "Change the account and its tokens; found, join and leave clubs.",
        ),
    }
)
ALL_SCOPES = tuple(Scope)
OF_ONE_CLUB = tuple(
    scope for scope in Scope if scope not in (Scope.ACCOUNT_READ, Scope.ACCOUNT_WRITE)
)
"""What a token can have that is limited to clubs: an account is not of one club."""
