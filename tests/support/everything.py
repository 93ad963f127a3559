"""A club with one of everything that an address can name."""

from __future__ import annotations

import re
from datetime import date
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth import SESSION_KEY

from api.models import Import, Token
from api.sessions import SessionStore, handle_of
from api.webhooks.models import Webhook, WebhookDelivery, WebhookEvent
from records.claims import claim_player
from records.merges import merge
from records.models import Account, Role
from records.players import add_player
from records.presets import create_preset
from records.seasons import create_season
from rules_engine import registry
from tests.support.people import HAND_RESULT, ClubHouse, Person


class ClubOfEverything(ClubHouse):
    """Its ``values`` are what each parameter of an address stands for."""

    def __init__(self, settle: Any) -> None:
        super().__init__()
        game = self.start_game()
        assert self.append(game, 1, HAND_RESULT).status_code == 201
        settle()
        self.values: dict[str, Any] = {
            "club_id": self.club.pk,
            "game_id": game,
            "hand": 1,
            "player_id": self.players[2].pk,
            "account_id": account_of(self.member(Role.VIEWER)).pk,
            "invitation_id": self.invitation(),
            "slug": "hefei",
            "code": "not_found",
            **self.rows(),
        }
        self.token_of_the_club = account_of(self.machine(Role.VIEWER)).tokens.get().pk

    def rows(self) -> dict[str, Any]:
        """The ids of rows that belong to the club."""
        club, owner = self.club, account_of(self.owner)
        day = date(2026, 1, 1)
        guest = add_player(club=club, name="Guest")
        webhook = Webhook.objects.create(
            club=club, url="https://receiver.example", types=["game.ended"]
        )
        event = WebhookEvent.objects.create(
            id=uuid4(), club_id=club.pk, type="game.ended", payload="{}"
        )
        rows = {
            "season_id": create_season(club=club, name="S", starts_on=day, ends_on=day),
            "preset_id": create_preset(
                club=club, ruleset=registry.get("hefei"), name="P", options={}
            ),
            "claim_id": claim_player(
                player=self.players[3], account=account_of(self.member(Role.PLAYER))
            ),
            "merge_id": merge(absorbed=guest, into=self.players[0], by=owner),
            "import_id": Import.objects.create(club=club, key="k", created_by=owner),
            "webhook_id": webhook,
            "delivery_id": WebhookDelivery.objects.create(webhook=webhook, event=event),
        }
        return {name: row.pk for name, row in rows.items()}

    def invitation(self) -> str:
        """The id of a new invitation."""
        made = self.owner.post(f"clubs/{self.club.pk}/invitations", {"role": "player"})
        number: str = made.json()["id"]
        return number

    def path(self, route: str, caller: Person) -> str:
        """The address, of this club's things and of the caller's own token.

        Raises AssertionError for a parameter that nothing here stands for.
        """
        parameters = re.findall(r"<\w+:(\w+)>", route)
        for name in parameters:
            if name == "token_id" and "club_id" not in parameters:
                token = Token.objects.filter(account=caller.account).order_by("created_at").first()
                value: Any = uuid4() if token is None else token.pk
            elif name == "token_id":
                value = self.token_of_the_club
            elif name == "session_id":
                value = a_session_of(caller.account)
            else:
                assert name in self.values, f"{route}: say in ClubOfEverything what {name} is"
                value = self.values[name]
            route = re.sub(rf"<\w+:{name}>", str(value), route)
        return route

    def body(self, operation: str) -> Any:
        """What is sent: enough for the operation to know what it is about."""
        known: dict[str, Any] = {
            "StartGame": self.game_body(),
            "AppendEvents": {**HAND_RESULT, "hand": 2},
        }
        return known.get(operation, {})


def a_session_of(account: Account | None) -> UUID:
    """What a browser's new session is called, in which this account has signed in."""
    store: Any = SessionStore()
    store.create()
    store[SESSION_KEY] = str(account.pk) if account else str(uuid4())
    store.save()
    return handle_of(store.session_key)


def account_of(person: Person) -> Account:
    """Whose requests a person sends."""
    assert person.account is not None
    return person.account
