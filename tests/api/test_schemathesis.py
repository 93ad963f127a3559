"""Requests made up from the OpenAPI document: no answer breaks it, none is a mistake of ours.

Well-formed requests are asked about a real club and a real game, so that they get past "not found".
"""

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks

from api.wsgi import application
from records.journal import seal_pending
from records.models import Role
from records.settlement import settle_sealed
from replays.projections import advance_projections
from tests.support.everything import a_session_of
from tests.support.people import HAND_RESULT, ClubHouse

CHECKS = [
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
    checks.negative_data_rejection,
    checks.missing_required_header,
    checks.unsupported_method,
]
LINKED = [not_a_server_error, checks.status_code_conformance, checks.response_schema_conformance]
STREAMS = "/stream$"
"""A stream has no end that could be waited for; test_live_games and its neighbours follow them."""


def document(*, boundaries: bool) -> Any:
    """The service's document, and whether every boundary of every field is tried.

    An append may hold any event of any ruleset: going through every field of each takes a minute,
    and test_bad_input does better what that would find.
    """
    off = {"coverage": {"enabled": False}}
    config: dict[str, Any] = {} if boundaries else {"phases": off}
    config["operations"] = [{"include-operation-id": "appendEvents", "phases": off}]
    return schemathesis.openapi.from_wsgi(
        "/api/v1/schema", application, config=schemathesis.Config.from_dict(config)
    )


briefly = document(boundaries=False)
thoroughly = document(boundaries=True)


@schemathesis.serializer("application/x-ndjson")
def lines_of_json(_context: Any, value: Any) -> bytes:
    """A text is sent as it is."""
    return value if isinstance(value, bytes) else str(value).encode()


SEASON = {"name": "Winter", "starts_on": "2026-01-01", "ends_on": "2026-03-31"}
PRESET = {"ruleset": "hefei", "name": "Friday", "options": {}}
WEBHOOK = {"url": "https://8.8.8.8/hooks", "types": ["game.ended"]}


def club_life(house: ClubHouse) -> dict[str, str]:
    """Ids of one of each thing that a club keeps beside its games."""
    club, member = f"clubs/{house.club.id}", house.member(Role.PLAYER)
    assert member.account is not None
    twin = house.owner.post(f"{club}/players", {"name": "Lin Two"}).json()["id"]
    made = {
        "season_id": house.owner.post(f"{club}/seasons", SEASON),
        "preset_id": house.owner.post(f"{club}/presets", PRESET),
        "invitation_id": house.owner.post(f"{club}/invitations", {"role": "player"}),
        "claim_id": member.post(f"players/{house.players[1].id}/claims"),
        "merge_id": house.owner.post(
            f"{club}/merges", {"absorbed": twin, "into": str(house.players[0].id)}
        ),
        "import_id": house.owner.post(
            f"{club}/imports", b"no line of a game", content_type="application/x-ndjson"
        ),
        "webhook_id": house.owner.post(f"{club}/webhooks", WEBHOOK),
    }
    ids = {name: answer.json()["id"] for name, answer in made.items()}
    ids["delivery_id"] = house.owner.post(f"webhooks/{ids['webhook_id']}/ping").json()["id"]
    token = {"name": "A machine", "scopes": ["games:read"], "role": "recorder"}
    ids["token_id"] = house.owner.post(f"{club}/tokens", token).json()["id"]
    ids["session_id"] = str(a_session_of(house.owner.account))
    return {**ids, "account_id": str(member.account.pk)}


class Houses:
    """A club and a game with a settled hand for the requests to be about, until one spends them."""

    def __init__(self) -> None:
        self.house: ClubHouse | None = None
        self.ids: dict[str, Any] = {}

    def current(self) -> tuple[ClubHouse, dict[str, Any]]:
        """The club, and ids that exist, by their names in addresses."""
        if self.house is None:
            self.house = house = ClubHouse()
            game = house.start_game()
            house.append(game, 1, HAND_RESULT)
            seal_pending()
            settle_sealed()
            advance_projections()
            self.ids = {
                **club_life(house),
                "club_id": str(house.club.id),
                "player_id": str(house.players[0].id),
                "game_id": game,
                "hand": 1,
                "slug": "hefei",
                "code": "not_found",
            }
        return self.house, self.ids

    def spend(self, method: str, path: str) -> None:
        """Take others for the next operation if this one takes something away."""
        if method == "DELETE" or path.endswith(SPENDING):
            self.house = None


SPENDING = ("/decision", "/undo", "/close", "/removal", "/password", "/everywhere", "/accept")


@pytest.fixture(scope="module")
def houses(api_database: Any) -> Houses:
    """The clubs of this module's requests."""
    del api_database
    return Houses()


def ask(case: Any, houses: Houses) -> None:
    """Send a request made up from the document; the answer must be one that it describes."""
    house, real = houses.current()
    well_formed = case.meta.generation.mode == GenerationMode.POSITIVE
    if well_formed:
        case.path_parameters = {name: real[name] for name in case.path_parameters or {}}
    # Signing out would end the token that the other requests are sent with.
    signs_out = case.operation.path.endswith("/sign-out")
    if not signs_out and (well_formed or "Authorization" in (case.headers or {})):
        case.headers = {
            **(case.headers or {}),
            "Authorization": house.owner.headers["authorization"],
        }
    case.call_and_validate(checks=CHECKS)


def made_up(examples: int) -> Any:
    """So many requests of an operation besides those that the document has as examples."""
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )


@briefly.exclude(path_regex=STREAMS).parametrize()
@made_up(4)
def test_an_operation_answers_as_the_document_says(case: Any, houses: Houses) -> None:
    ask(case, houses)
    houses.spend(case.method, case.operation.path)


@pytest.mark.thorough
@thoroughly.exclude(path_regex=STREAMS).parametrize()
@made_up(30)
def test_an_operation_answers_as_the_document_says_at_every_boundary(
    case: Any, houses: Houses
) -> None:
    ask(case, houses)
    houses.spend(case.method, case.operation.path)


def follow_links(examples: int, steps: int, houses: Houses) -> None:
    """Make things, and do to them what the document's links say can be done."""

    class Walk(briefly.exclude(path_regex=STREAMS).as_state_machine()):  # type: ignore[misc]
        def get_call_kwargs(self, case: Any) -> dict[str, Any]:
            house, _ = houses.current()
            return {"headers": {"Authorization": house.owner.headers["authorization"]}}

        def validate_response(self, response: Any, case: Any, **kwargs: Any) -> None:
            case.validate_response(response, checks=LINKED)

    Walk.run(
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            derandomize=True,
            suppress_health_check=list(HealthCheck),
        )
    )


def test_what_was_made_can_be_used_as_the_links_say(houses: Houses) -> None:
    follow_links(6, 8, houses)


@pytest.mark.thorough
def test_what_was_made_can_be_used_as_the_links_say_on_long_walks(houses: Houses) -> None:
    follow_links(100, 20, houses)
