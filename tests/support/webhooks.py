"""Webhooks of a test's club, and doing now what the workers do within seconds."""

from __future__ import annotations

from typing import Any

from api.webhooks.catalogue import CATALOGUE
from api.webhooks.delivering import deliver
from api.webhooks.following import follow
from tests.support.people import ClubHouse
from tests.support.receiver import Receiver


def webhook_to(house: ClubHouse, receiver: Receiver, *types: str) -> Any:
    """A new webhook of the club for these types of events, for all if none is named."""
    answer = house.owner.post(
        f"clubs/{house.club.id}/webhooks",
        {"url": receiver.url, "types": list(types) or sorted(CATALOGUE)},
    )
    assert answer.status_code == 201, answer.content
    return answer.json()


def send_all() -> None:
    """Tell what has happened, and send what is due."""
    follow()
    deliver()
