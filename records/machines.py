"""Machines: accounts that act for a club and belong to nobody.

Whoever holds a club's token acts as its machine, a member with a role like any other: what it
writes names the machine, and it goes when the club ends and not when a person does. Nobody signs in
as a machine, no list of people shows one, and none is the owner that a club needs.
"""

from __future__ import annotations

from secrets import token_hex

from django.db import transaction

from records.clubs import drop_membership, hold, join
from records.models import Account, Club, Membership, Role


def add_machine(*, club: Club, role: Role) -> Account:
    """A new machine of the club, with this role there."""
    with transaction.atomic():
        hold(club.pk)
        account = Account(username=f"machine-{token_hex(6)}", machine_of=club)
        account.set_unusable_password()
        account.save(force_insert=True)
        join(club=club, account=account, role=role)
    return account


def end_machine(account: Account) -> None:
    """Let a machine go; what it wrote stays. One that has gone already stays as it is."""
    assert account.machine_of_id is not None
    with transaction.atomic():
        hold(account.machine_of_id)
        Account.objects.filter(pk=account.pk).update(is_active=False)
        for member in Membership.objects.filter(account=account).select_related("club"):
            drop_membership(member)
