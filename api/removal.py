"""Removing a person: what ``records.people`` wipes, and what the layers above it have kept of them.

Beside the people's own tables a name stands in tokens and sessions, in counters of failed sign-ins
and in kept answers. What was written freely into the log (a game's title, the reason of a ruling)
is part of a signed record and stays; whoever writes there is told to name nobody.
"""

from __future__ import annotations

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.admin.models import LogEntry
from django.db import transaction
from django.db.models import Q

from api.idempotency import FORGOTTEN
from api.models import DoneRequest, Session
from records.models import Account
from records.people import Removed, remove_account


def remove_person(account: Account) -> Removed:
    """Remove an account and every trace of its name. Raises LastOwner."""
    with transaction.atomic():
        removed = remove_account(account)
        account.tokens.all().delete()
        Session.objects.filter(account_id=removed.account).delete()
        for kept in (AccessAttempt, AccessFailureLog, AccessLog):
            kept.objects.filter(username__iexact=removed.username).delete()
        LogEntry.objects.filter(object_id=str(removed.account)).delete()
        _forget_answers(removed)
    return removed


def _forget_answers(removed: Removed) -> None:
    """Delete the answers that show a name beside one of the person's ids, also names they had."""
    of_person = Q()
    for one in (removed.account, *removed.players):
        of_person |= Q(body__contains=str(one))
    names = Q(body__contains='"name":') | Q(body__contains='"username":')
    DoneRequest.objects.filter(of_person, names).update(body=FORGOTTEN)
