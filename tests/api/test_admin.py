"""The operators' pages: they look at everything but hidden tiles, and change next to nothing."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from records.journal import seal_pending
from records.models import Account, Game
from records.settlement import settle_sealed
from tests.support.people import new_account
from tests.support.recorded import RecordedGame

pytestmark = pytest.mark.usefixtures("database")
CHANGING = ("add", "change", "delete")


def signed_in(account: Account) -> Client:
    client = Client()
    client.force_login(account, backend="django.contrib.auth.backends.ModelBackend")
    return client


@pytest.fixture
def operator(database: Any) -> Client:
    """A superuser's browser."""
    del database
    return signed_in(Account.objects.create_superuser(username="operator", password="x"))


def test_nobody_may_add_change_or_delete_anything_but_accounts(operator: Client) -> None:
    request = operator.get("/admin/").wsgi_request
    for model, pages in admin.site._registry.items():
        if model._meta.app_label != "records":
            continue
        allowed = pages.get_model_perms(request)
        assert allowed["view"], model
        changing = {name for name in CHANGING if allowed[name]}
        assert changing == ({"change"} if model is Account else set()), model


def test_a_game_is_shown_with_its_events_and_settlements_and_can_be_verified(
    operator: Client,
) -> None:
    game = RecordedGame()
    game.play(0, gang=True)
    seal_pending()
    settle_sealed()
    page = operator.get(reverse("admin:records_game_change", args=[game.id]))
    assert page.status_code == 200
    text = page.content.decode()
    assert "hand_result" in text
    assert "Settlements" in text
    assert "_save" not in text
    verified = operator.get(reverse("admin:records_game_verify", args=[game.id]))
    assert "2 events: intact" in verified.content.decode()
    missing = operator.get(reverse("admin:records_game_verify", args=[uuid4()]))
    assert "no game" in missing.content.decode()


def test_every_list_and_every_row_can_be_looked_at(operator: Client) -> None:
    game = RecordedGame()
    game.play(1)
    seal_pending()
    settle_sealed()
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        assert operator.get(reverse(f"{name}_changelist")).status_code == 200, model
        row = model._default_manager.first()
        if row is not None:
            assert operator.get(reverse(f"{name}_change", args=[row.pk])).status_code == 200, model


def test_a_game_cannot_be_changed_or_deleted_by_any_request(operator: Client) -> None:
    game = RecordedGame()
    change = reverse("admin:records_game_change", args=[game.id])
    delete = reverse("admin:records_game_delete", args=[game.id])
    assert operator.post(change, {"title": "mine"}).status_code == 403
    assert operator.post(delete, {"post": "yes"}).status_code == 403
    assert Game.objects.get(pk=game.id).title != "mine"


def test_who_is_no_staff_gets_the_sign_in_page(database: Any) -> None:
    del database
    client = signed_in(new_account())
    assert client.get("/admin/").status_code == 302
    assert Client().get("/admin/").status_code == 302


def test_staff_see_what_they_were_allowed_and_cannot_make_themselves_superusers(
    database: Any,
) -> None:
    del database
    staff = new_account()
    staff.is_staff = True
    staff.save()
    for code in ("view_game", "change_account", "view_account"):
        staff.user_permissions.add(Permission.objects.get(codename=code))
    client = signed_in(staff)
    game = RecordedGame()
    assert client.get(reverse("admin:records_game_change", args=[game.id])).status_code == 200
    assert client.get(reverse("admin:records_club_changelist")).status_code == 403
    address = reverse("admin:records_account_change", args=[staff.pk])
    assert client.post(address, {"is_superuser": "on"}).status_code == 403


def test_a_closed_account_is_noted_by_its_id_and_not_by_the_name(operator: Client) -> None:
    account = new_account()
    address = reverse("admin:records_account_change", args=[account.pk])
    assert operator.post(address, {}).status_code == 302
    account.refresh_from_db()
    assert not account.is_active
    (entry,) = LogEntry.objects.all()
    assert entry.object_repr == str(account.pk)
    assert account.username not in entry.change_message
