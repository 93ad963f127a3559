"""Whoever reads the pages: in a language, at a width, signed in or not."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import Page, expect

from records.models import Club, Membership
from records.people import create_account
from replays.words import LANGUAGES, WORDS

if TYPE_CHECKING:
    from tests.browser.conftest import Site

PASSWORD = "a long enough password"
IN_BOTH = pytest.mark.parametrize(("language", "width"), [("zh", 390), ("en", 1280)])
NUMBERS = count(1)


class Reader:
    """A browser in a language, at a width, in which somebody has signed in or nobody has."""

    def __init__(self, site: Site, page: Page, language: str, width: int) -> None:
        self.site, self.page, self.words = site, page, WORDS[language]
        self.language = LANGUAGES[language]
        page.set_viewport_size({"width": width, "height": 800})

    def sign_in(self, username: str) -> None:
        """By the form, as everybody does."""
        self.go("sign-in")
        self.page.locator("#id_username").fill(username)
        self.page.locator("#id_password").fill(PASSWORD)
        self.page.get_by_role("main").get_by_role("button").click()
        self.page.wait_for_url(f"{self.site.address}/")

    def go(self, path: str) -> None:
        """Open a page of the site."""
        mark = "&" if "?" in path else "?"
        self.page.goto(f"{self.site.address}/{path}{mark}lang={self.language}")

    def press(self, word: str, *, within: str = "main") -> None:
        """Press the button with this word on it."""
        self.page.locator(within).get_by_role("button", name=self.words[word]).first.click()

    def agree(self) -> None:
        """Say yes to the question whether one is sure."""
        self.page.get_by_role("dialog").locator("[value=yes]").click()

    @contextmanager
    def doing(self) -> Iterator[None]:
        """What is done in here makes the page come again and say that it is done."""
        with self.page.expect_event("load"):
            yield
        expect(self.page.locator("#notice")).not_to_be_empty()


def new_club(owner: str) -> Club:
    """A club of its own for a story, with an owner of this name."""
    number = next(NUMBERS)
    account = create_account(username=f"{owner}{number}", password=PASSWORD)
    club = Club.objects.create(name=f"Club {number}", slug=f"story-{number}")
    Membership.objects.create(account=account, club=club, role="owner")
    return club
