"""Signing up, following an invitation, founding a club."""

from __future__ import annotations

import zoneinfo

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_safe

from replays.pages.desk import roles_shown


@require_safe
def sign_up(request: HttpRequest) -> HttpResponseBase:
    """A form for a new account; who has one goes on to ``next``."""
    asked = request.GET.get("next", "")
    is_ours = url_has_allowed_host_and_scheme(
        asked, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    following = asked if is_ours else settings.LOGIN_REDIRECT_URL
    if request.user.is_authenticated:
        return redirect(following)
    return render(request, "replays/sign_up.html", {"next": following, "is_sign_in": True})


@require_safe
def join(request: HttpRequest) -> HttpResponse:
    """What an invitation is to, and joining by it.

    The invitation's secret is behind the ``#`` of the address, which no browser sends: addresses
    end up in logs. So the page asks the API about it by a script.
    """
    return render(request, "replays/join.html", {"roles": roles_shown(request)})


@require_safe
@login_required
def new_club(request: HttpRequest) -> HttpResponse:
    """A form for a new club."""
    return render(request, "replays/club_new.html", {"zones": time_zones()})


def time_zones() -> list[str]:
    """The names of the time zone database that are places, in order."""
    return sorted(zone for zone in zoneinfo.available_timezones() if "/" in zone)
