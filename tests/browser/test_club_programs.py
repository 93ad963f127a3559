"""Stories of a club's programs: their tokens, and webhooks."""

from __future__ import annotations

from playwright.sync_api import expect

from api.webhooks.models import WebhookDelivery
from records.models import Club
from tests.browser.readers import IN_BOTH, Reader


@IN_BOTH
def test_a_token_is_shown_once_and_taken_back(reader: Reader, club: Club) -> None:
    page, words = reader.page, reader.words
    reader.go(f"clubs/{club.slug}/tokens")
    page.locator("#token-name").fill("Bot")
    page.locator("input[value='games:read']").check()
    reader.press("token_make")
    secret = page.get_by_label(words["shown_once"]).input_value()
    reader.press("i_kept_it")
    row = page.locator(".rows li", has_text="Bot")
    expect(row).to_contain_text(words["never_used"])
    assert secret not in page.content()
    row.get_by_role("button").click()
    reader.agree()
    expect(row).to_contain_text(words["token_revoked"])


@IN_BOTH
def test_a_webhook_is_made_tried_and_its_log_is_read(reader: Reader, club: Club) -> None:
    page, words = reader.page, reader.words
    reader.go(f"clubs/{club.slug}/webhooks")
    page.locator("#url").fill("https://10.0.0.1/hook")
    reader.press("webhook_make")
    expect(page.locator("#url")).to_have_attribute("aria-invalid", "true")
    page.locator("#url").fill("https://1.1.1.1/hook")
    reader.press("webhook_make")
    assert page.get_by_label(words["shown_once"]).input_value().startswith("whsec_")
    reader.press("i_kept_it")
    page.get_by_role("link", name="https://1.1.1.1/hook").click()
    with reader.doing():
        reader.press("webhook_ping")
    delivery = WebhookDelivery.objects.get(webhook__club=club)
    for status in (503, 200):
        delivery.attempts.create(begun_at=delivery.created_at, duration_ms=120, status=status)
    page.reload()
    expect(page.locator(".deliveries > li")).to_contain_text("webhook.ping")
    page.locator(".deliveries summary", has_text="2 · 200").click()
    expect(page.locator(".attempts li").first).to_contain_text("503")
    reader.press("webhook_switch_off")
    reader.agree()
    expect(page.locator(".tag").first).to_have_text(words["webhook_off"])
