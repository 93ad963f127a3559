"""One's own account: password, sign-ins, tokens, and going for good."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from api.models import Session, TokenKind
from api.pages.tokens import scopes_shown, token_rows
from api.scopes import ALL_SCOPES
from api.tokens import MAX_DAYS
from records.models import Account
from replays.pages.languages import language_of


@require_safe
@login_required
def account(request: HttpRequest) -> HttpResponse:
    """The account of whoever is signed in."""
    assert isinstance(request.user, Account), "who has signed in has an account"
    mine = request.user
    now = timezone.now()
    sign_ins = mine.tokens.filter(kind=TokenKind.SIGN_IN, revoked_at=None, expires_at__gt=now)
    context = {
        "sessions": Session.objects.filter(account_id=mine.pk, expire_date__gt=now).count(),
        "sign_ins": sign_ins.count(),
        "tokens": token_rows(mine.tokens.filter(kind=TokenKind.PERSONAL)),
        "scopes": scopes_shown(ALL_SCOPES, language_of(request)),
        "clubs": mine.memberships.select_related("club").order_by("club__name"),
        "most_days": MAX_DAYS,
        "path": "/api/v1/tokens",
    }
    return render(request, "replays/account.html", context)
