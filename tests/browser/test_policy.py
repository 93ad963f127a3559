"""The Content-Security-Policy: every answer has one without exceptions, and no page needs one."""

from __future__ import annotations

import urllib.request

import pytest
from django.contrib import admin
from django.urls import reverse
from playwright.sync_api import Page, expect

from records.models import Account
from tests.browser.conftest import PASSWORD, Site

PAGES = ("/", "/games/", "/docs/", "/sign-in", "/admin/login/", "/api/v1/docs", "/record")
DATA = ("/api/v1/health", "/api/v1/rulesets", "/api/v1/schema", "/health/live")


@pytest.mark.parametrize("path", [*PAGES, *DATA])
def test_every_answer_has_a_policy_in_which_nothing_is_unsafe(site: Site, path: str) -> None:
    request = urllib.request.Request(f"{site.address}{path}")
    with urllib.request.urlopen(request) as answer:
        policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert "*" not in policy
    assert ("script-src" in policy) == (path in PAGES), "data runs nothing"


def test_the_operators_pages_work_under_it(site: Site, page: Page, complaints: list[str]) -> None:
    Account.objects.create_superuser(username="operator", password=PASSWORD)
    page.goto(f"{site.address}/admin/")
    page.locator("[name=username]").fill("operator")
    page.locator("[name=password]").fill(PASSWORD)
    page.locator("[name=password]").press("Enter")
    page.wait_for_url(f"{site.address}/admin/")
    paths = [reverse("admin:password_change")]
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        paths.append(reverse(f"{name}_changelist"))
        if row := model._default_manager.first():
            paths.append(reverse(f"{name}_change", args=[row.pk]))
    for path in paths:
        answer = page.goto(f"{site.address}{path}")
        assert answer is not None
        assert answer.status == 200, path
    page.locator("html:not([data-theme=dark]) button.theme-toggle").first.click()
    # Chromium has advice on Django's own form for passwords.
    assert [told for told in complaints if not told.startswith("verbose")] == []


def test_an_operation_can_be_tried_on_the_page_of_the_api(
    site: Site, signed_in: Page, complaints: list[str]
) -> None:
    page = signed_in
    # It draws all operations at once, which takes a busy machine long.
    page.set_default_timeout(120_000)
    page.goto(f"{site.address}/api/v1/docs#/accounts/showMe")
    operation = page.locator("#operations-accounts-showMe")
    operation.get_by_role("button", name="Try it out").click()
    operation.get_by_role("button", name="Execute").click()
    answered = operation.locator(".live-responses-table tbody .response-col_status")
    expect(answered.first).to_contain_text("200", timeout=120_000)
    assert complaints == []
