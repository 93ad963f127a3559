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
from records.models import Role
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
# An append may hold any event of any ruleset: going through every field of each takes a minute, and
# test_bad_input does better what that would find.
CONFIG = schemathesis.Config.from_dict(
    {
        "operations": [
            {"include-operation-id": "appendEvents", "phases": {"coverage": {"enabled": False}}}
        ]
    }
)


@schemathesis.serializer("application/x-ndjson")
def lines_of_json(_context: Any, value: Any) -> bytes:
    """A text is sent as it is."""
    return value if isinstance(value, bytes) else str(value).encode()


SEASON = {"name": "Winter", "starts_on": "2026-01-01", "ends_on": "2026-03-31"}
PRESET = {"ruleset": "hefei", "name": "Friday", "options": {}}
WEBHOOK = {"url": "https://8.8.8.8/hooks", "types": ["game.ended"]}
schema = schemathesis.openapi.from_wsgi("/api/v1/schema", application, config=CONFIG)


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
    return {**ids, "account_id": str(member.account.pk)}


@pytest.fixture
def real(house: ClubHouse, settle: Any) -> dict[str, Any]:
    """Ids that exist, by their names in addresses: a club, and a game with a settled hand."""
    game = house.start_game()
    house.append(game, 1, HAND_RESULT)
    settle()
    return {
        **club_life(house),
        "club_id": str(house.club.id),
        "player_id": str(house.players[0].id),
        "game_id": game,
        "hand": 1,
        "slug": "hefei",
        "code": "not_found",
    }


# A stream has no end that could be waited for; test_live_games and its neighbours follow them.
@schema.exclude(path_regex="/stream$").parametrize()
@settings(
    max_examples=5,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)
def test_an_operation_answers_as_the_document_says(
    case: Any, house: ClubHouse, real: dict[str, Any]
) -> None:
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
