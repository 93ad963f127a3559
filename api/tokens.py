"""Tokens: making them, finding whose one is, and taking them back.

A token is shown once, to whoever made it. The service keeps its SHA-256, which is enough: it is 32
random bytes, not a word that could be guessed.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import lru_cache
from secrets import token_urlsafe
from typing import Final
from uuid import UUID

import msgspec
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, transaction
from django.db.models import Q
from django.utils import timezone

from api.errors import Problem
from api.models import Session, Token, TokenKind
from api.scopes import ALL_SCOPES, Scope
from records.machines import add_machine, end_machine
from records.models import Account, Club, Role
from records.prepared import Statement, fetch_rows

PREFIX: Final = "paipu_"
"""So that a token that leaks into a file is recognised as one."""
SHOWN_LENGTH: Final = len(PREFIX) + 6
MAX_DAYS: Final = 366
LAST_USE = timedelta(hours=1)
"""``last_used_at`` is no finer than this."""
_TOKEN = re.compile(rf"{PREFIX}[A-Za-z0-9_-]{{43}}")


class Grant(msgspec.Struct, frozen=True, kw_only=True):
    """What whoever asks may use the service for: what their token says, or a session, everything.

    ``clubs`` None is all clubs of the account, ``expires_at_s`` is in Unix time.
    """

    scopes: frozenset[Scope] = frozenset(ALL_SCOPES)
    clubs: frozenset[UUID] | None = None
    token: UUID | None = None
    kind: TokenKind | None = None
    expires_at_s: int | None = None

    @property
    def unbounded(self) -> bool:
        """Whether a person gave a password for it, and not a program a token."""
        return self.kind in (None, TokenKind.SIGN_IN)


SESSION: Final = Grant()
"""The grant of every session."""


class Found(msgspec.Struct, frozen=True):
    """The token that somebody sent: what it is good for, and whose it is."""

    grant: Grant
    state: str
    username: str
    active: bool
    account: UUID


# One query written out, for this runs in every request and building it by the ORM took two fifths
# of the time of an append.
_FIND = Statement(
    name=b"find_token",
    text=b"""
        SELECT t.id, t.kind, array_to_string(t.scopes, ' '), array_to_string(t.clubs, ' '),
            extract(epoch FROM t.expires_at)::bigint,
            CASE WHEN t.revoked_at IS NOT NULL THEN 'revoked'
                 WHEN t.expires_at < now() THEN 'expired' ELSE 'active' END,
            coalesce(t.last_used_at < now() - interval '1 hour', true),
            a.username, a.is_active, a.id
        FROM api_token t JOIN records_account a ON a.id = t.account_id
        WHERE t.digest = $1::bytea
    """,
)


def find_token(secret: str) -> Found | None:
    """The token of this secret, used now; None for what the service never gave."""
    if not _TOKEN.fullmatch(secret):
        return None
    for row in fetch_rows(_FIND, [_digest(secret)], using=DEFAULT_DB_ALIAS):
        key, kind, scopes, clubs, expires, state, stale, username, active, account = map(str, row)
        grant = Grant(
            scopes=_scopes(scopes),
            clubs=_clubs(clubs),
            token=UUID(key),
            kind=TokenKind(kind),
            expires_at_s=int(expires),
        )
        if stale == "t" and state == "active":
            _note_use(key)
        return Found(grant, state, username, active == "t", UUID(account))
    return None


@lru_cache(maxsize=1024)
def _scopes(text: str) -> frozenset[Scope]:
    """Those that there still are: a scope that a later version drops gives nothing."""
    known = {str(scope): scope for scope in Scope}
    return frozenset(known[name] for name in text.split() if name in known)


@lru_cache(maxsize=1024)
def _clubs(text: str) -> frozenset[UUID] | None:
    return frozenset(map(UUID, text.split())) or None


def _note_use(key: str) -> None:
    """Write down that the token is used; whoever comes second in the hour writes nothing."""
    due = Q(last_used_at=None) | Q(last_used_at__lt=timezone.now() - LAST_USE)
    Token.objects.filter(due, pk=key).update(last_used_at=timezone.now())


def _digest(secret: str) -> bytes:
    return hashlib.sha256(secret.encode()).digest()


def sign_in(account: Account) -> tuple[Token, str]:
    """A token that is good for everything, and its secret. Those that have expired go."""
    account.tokens.filter(kind=TokenKind.SIGN_IN, expires_at__lt=timezone.now()).delete()
    return _make(
        kind=TokenKind.SIGN_IN,
        account=account,
        scopes=ALL_SCOPES,
        expires_at=timezone.now() + timedelta(days=settings.TOKEN_DAYS),
    )


def make_token(
    *, account: Account, name: str, scopes: Iterable[Scope], clubs: Iterable[UUID], days: int
) -> tuple[Token, str]:
    """A token of a person's, and its secret; without ``clubs`` good for all of theirs."""
    return _make(
        kind=TokenKind.PERSONAL,
        account=account,
        name=name,
        scopes=scopes,
        clubs=clubs,
        expires_at=timezone.now() + timedelta(days=days),
        by=account,
    )


def make_club_token(
    *, club: Club, by: Account, name: str, scopes: Iterable[Scope], role: Role, days: int
) -> tuple[Token, str]:
    """A token of a club's, and its secret: it acts as a new machine with this role."""
    with transaction.atomic():
        return _make(
            kind=TokenKind.CLUB,
            account=add_machine(club=club, role=role),
            name=name,
            scopes=scopes,
            clubs=[club.pk],
            expires_at=timezone.now() + timedelta(days=days),
            by=by,
        )


def _make(
    *,
    kind: TokenKind,
    account: Account,
    scopes: Iterable[Scope],
    expires_at: datetime,
    name: str = "",
    clubs: Iterable[UUID] = (),
    by: Account | None = None,
) -> tuple[Token, str]:
    secret = PREFIX + token_urlsafe(32)
    token = Token.objects.create(
        kind=kind,
        account=account,
        name=name,
        digest=_digest(secret),
        prefix=secret[:SHOWN_LENGTH],
        scopes=sorted(set(scopes)),
        clubs=sorted(set(clubs)),
        expires_at=expires_at,
        created_by=by,
    )
    return token, secret


def require_within(
    grant: Grant, *, scopes: Iterable[Scope], clubs: Iterable[UUID], days: int
) -> None:
    """Refuse a token that could do more, or for longer, than what it is made with.

    Raises Problem ``beyond_your_token``.
    """
    more = sorted(set(scopes) - grant.scopes)
    elsewhere = [] if grant.clubs is None else sorted(set(clubs) - grant.clubs)
    no_clubs = grant.clubs is not None and not set(clubs)
    ends = timezone.now() + timedelta(days=days)
    longer = not grant.unbounded and ends.timestamp() > (grant.expires_at_s or 0)
    if more or elsewhere or no_clubs or longer:
        raise Problem(
            "beyond_your_token",
            "A token cannot be good for more than the one that it is made with, nor for longer; "
            "sign in to make this one.",
            facts={
                "scopes": more,
                "clubs": [str(club) for club in elsewhere],
                "expires_at_s": grant.expires_at_s if longer else None,
            },
        )


def revoke_token(token: Token) -> Token:
    """Take a token back; again is no error. A machine goes with its token."""
    with transaction.atomic():
        Token.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now())
        if token.kind == TokenKind.CLUB:
            end_machine(token.account)
    token.refresh_from_db()
    return token


def sign_out_everywhere(
    account: Account, *, but_session: str | None = None, but_token: UUID | None = None
) -> None:
    """End every session of the account and every sign-in token, but these."""
    kept = [] if but_token is None else [but_token]
    account.tokens.filter(kind=TokenKind.SIGN_IN).exclude(pk__in=kept).delete()
    Session.objects.filter(account_id=account.pk).exclude(session_key=but_session or "").delete()


def drop_expired() -> int:
    """Delete sign-ins that are over, of programs and of browsers; how many there were."""
    now = timezone.now()
    tokens, _ = Token.objects.filter(kind=TokenKind.SIGN_IN, expires_at__lt=now).delete()
    sessions, _ = Session.objects.filter(expire_date__lt=now).delete()
    return tokens + sessions
