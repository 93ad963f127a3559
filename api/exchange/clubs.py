"""The club that imported games belong to, and the account that owns it."""

import secrets
from typing import Final

import msgspec
from django.db import transaction

from records.clubs import create_club
from records.models import Account, Club
from records.people import create_account

DEMO_OWNER: Final = "demo-owner"
"""Who owns the demonstration club."""
IMPORTS: Final = "imports"


class Newcomer(msgspec.Struct, frozen=True):
    """An account that was made, and the password that nobody else knows."""

    username: str
    password: str


def club_for_imports(*, slug: str, owner: str | None) -> tuple[Club, Newcomer | None]:
    """The club of this slug, founded with this owner where it is new.

    Without a name a new club belongs to the demonstration's owner where there is one, else to a new
    account ``imports``. Raises what ``create_account`` and ``create_club`` raise.
    """
    club = Club.objects.filter(slug=slug).first()
    if club is not None:
        return club, None
    names = [owner] if owner is not None else [DEMO_OWNER, IMPORTS]
    newcomer = None
    with transaction.atomic():
        account = Account.objects.filter(username__in=names).order_by("username").first()
        if account is None:
            newcomer = Newcomer(names[-1], secrets.token_urlsafe(12))
            account = create_account(username=newcomer.username, password=newcomer.password)
        club = create_club(
            owner=account, name=slug.capitalize(), slug=slug, time_zone="Asia/Shanghai"
        )
    return club, newcomer
