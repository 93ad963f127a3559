"""What happens in the story of the examples: a club, its games, its people, in this order."""

from __future__ import annotations

from typing import Any, Final

from django.test import override_settings
from django.urls import URLPattern, get_resolver

from api.operation import Operation, operation_of
from api.webhooks.delivering import deliver
from api.webhooks.following import follow
from records.journal import publish_checkpoint, seal_pending
from records.models import Role
from records.settlement import settle_sealed
from replays.projections import advance_projections
from tests.support.people import HAND_RESULT, Person, new_account, unused_name
from tests.support.plays import played_hands
from tests.support.receiver import receiving
from tests.support.tour import Tour

PASSWORD: Final = "nine gates and a wall"
BROWSER: Final = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"
SEASON: Final = {"name": "Winter", "starts_on": "2024-01-01", "ends_on": "2024-03-31"}
TIERS: Final = [
    {"zh": "新手", "en": "Novice", "from_points": None},
    {"zh": "老手", "en": "Hand", "from_points": 10},
    {"zh": "高手", "en": "Master", "from_points": 30},
]
FACTS: Final = {
    "dealer": 0,
    "result": "hu",
    "wins": [{"seat": 3, "by": "zimo", "tile": "5p", "concealed": "23456788m34p678s"}],
}
CORRECTION: Final = {"type": "hand_corrected", "hand": 1, "facts": FACTS, "reason": "seat 3 won"}


def tell(tour: Tour) -> None:
    """The whole story."""
    keep_house(tour)
    play(tour)
    refuse(tour)
    correct(tour)
    # It listens on this machine, where in service no webhook may lead.
    with override_settings(WEBHOOK_ALLOW=["127.0.0.1"]), receiving() as receiver:
        listen(tour, receiver.url)
        look(tour)
    tidy(tour)
    come_and_go(tour)


def settle() -> None:
    """Do now what the workers do within seconds."""
    seal_pending()
    settle_sealed()
    advance_projections()
    publish_checkpoint()


def keep_house(tour: Tour) -> None:
    """A club is founded and given what clubs have."""
    club = f"clubs/{tour.ids['club_id']}"
    tour.do("post", "clubs", {"name": "Bamboo", "slug": unused_name()})
    tour.do("patch", club, {"rated": True})
    tour.ids["player_id"] = tour.do("post", f"{club}/players", {"name": "Wu"})["id"]
    tour.do("patch", f"players/{tour.ids['player_id']}", {"name": "Wu the Elder"})
    referee = tour.house.member(Role.VIEWER)
    assert referee.account is not None
    tour.ids["account_id"] = str(referee.account.pk)
    member = {"username": referee.account.username, "role": "referee"}
    tour.do("post", f"{club}/members", member)
    season = tour.do("post", f"{club}/seasons", SEASON)["id"]
    tour.ids["season_id"] = season
    tour.do("patch", f"seasons/{season}", {"name": "Winter league"})
    tour.do("post", f"seasons/{season}/open")
    preset = {"ruleset": "hefei", "name": "Friday", "options": {}}
    tour.ids["preset_id"] = tour.do("post", f"{club}/presets", preset)["id"]
    tour.do("patch", f"presets/{tour.ids['preset_id']}", {"name": "Friday night"})
    tour.do("post", f"{club}/ladder/preview", {"name": "竹林", "tiers": TIERS})
    tour.do("put", f"{club}/ladder", {"name": "竹林", "tiers": TIERS})
    invitation = tour.do("post", f"{club}/invitations", {"role": "player", "days": 7})
    tour.ids["invitation_id"] = invitation["id"]
    tour.do("post", "invitations/look", {"secret": invitation["secret"]})
    guest = Person(new_account())
    tour.do("post", "invitations/accept", {"secret": invitation["secret"]}, who=guest)
    claim = tour.do("post", f"players/{tour.ids['player_id']}/claims", who=guest)
    tour.ids["claim_id"] = claim["id"]
    twin = tour.do("post", f"{club}/players", {"name": "Lin Two"})["id"]
    merge = {"absorbed": twin, "into": str(tour.house.players[0].id)}
    tour.do("get", f"{club}/merges/preview?absorbed={twin}&into={merge['into']}")
    tour.ids["merge_id"] = tour.do("post", f"{club}/merges", merge)["id"]
    sent = tour.do(
        "post", f"{club}/imports", b"no line of a game", content_type="application/x-ndjson"
    )
    tour.ids["import_id"] = sent["id"]
    token = {"name": "The table's phone", "scopes": ["games:read", "games:record"], "days": 30}
    tour.ids["token_id"] = tour.do("post", "tokens", token)["id"]
    club_token = {**token, "name": "The table's computer", "role": "recorder"}
    tour.ids["club_token_id"] = tour.do("post", f"{club}/tokens", club_token)["id"]


def play(tour: Tour) -> None:
    """One hand is recorded as a result, another game tile by tile."""
    game = tour.do("post", "games", {**tour.house.game_body(), "title": "Friday, table 1"})["id"]
    tour.ids |= {"game_id": game, "hand": 1}
    tour.do("post", f"games/{game}/preview", HAND_RESULT)
    tour.do("post", f"games/{game}/events", HAND_RESULT, if_match='"1"')
    live = tour.house.start_game()
    events = played_hands(live, seed=3, hands=1)
    answer = tour.house.append(live, 1, *events[:40])
    assert answer.status_code == 201, answer.content
    tour.ids["live_game_id"] = live
    settle()


def correct(tour: Tour) -> None:
    """A referee corrects the hand, after seeing what it would change."""
    game = tour.ids["game_id"]
    tour.do("post", f"games/{game}/rulings/preview", CORRECTION)
    tour.do("post", f"games/{game}/rulings", CORRECTION, if_match='"2"')
    settle()


def refuse(tour: Tour) -> None:
    """What is refused, and why."""
    club, game = f"clubs/{tour.ids['club_id']}", f"games/{tour.ids['game_id']}"
    other = tour.house.member(Role.PLAYER)
    tour.refused("get", "clubs", who=Person())
    tour.refused("post", "sign-in", {"username": "lin", "password": "wrong"}, who=Person())
    tour.refused("post", f"{club}/players", {"name": "Xia"}, who=other)
    tour.refused("get", f"games/{tour.ids['club_id']}")
    tour.refused("post", f"{club}/players", {"name": "Lin"})
    tour.refused("post", f"{club}/players", {"name": 7})
    tour.refused("post", f"{club}/players", b"{")
    tour.refused("post", f"{club}/players", {"name": "Xia"}, idempotency_key="")
    tour.refused("get", f"{club}/players?colour=red")
    tour.refused("get", f"{game}/state?seq=99")
    tour.refused("get", f"{club}/leaderboard?sort=luck")
    tour.refused("post", f"{game}/events", {**HAND_RESULT, "hand": 2}, if_match='"1"')
    tour.refused("post", f"{game}/events", HAND_RESULT, if_match="")
    tour.refused("post", f"{game}/events", {**HAND_RESULT, "hand": 2, "dealer": 3}, if_match='"2"')
    tour.refused("get", f"{game}/hands/1", accept="text/html")
    tour.refused("post", "games", {**tour.house.game_body(), "ruleset": "bridge"})
    tour.refused("post", f"{club}/seasons", {**SEASON, "name": "Another"})


def listen(tour: Tour, url: str) -> None:
    """A platform is told of what happens."""
    club = f"clubs/{tour.ids['club_id']}"
    webhook = tour.do("post", f"{club}/webhooks", {"url": url, "types": ["hand.settled"]})
    tour.ids["webhook_id"] = webhook["id"]
    tour.do("patch", f"webhooks/{webhook['id']}", {"description": "The platform"})
    tour.do("post", f"webhooks/{webhook['id']}/ping")
    follow()
    deliver()
    deliveries = tour.do("get", f"webhooks/{webhook['id']}/deliveries")["items"]
    tour.ids["delivery_id"] = deliveries[0]["id"]
    tour.do("post", f"webhook-deliveries/{tour.ids['delivery_id']}/replay")
    since = {"since": "2024-01-01T00:00:00Z"}
    tour.do("post", f"webhooks/{webhook['id']}/replay", since)
    tour.do("post", f"webhooks/{webhook['id']}/secret", {"overlap_hours": 24})


def look(tour: Tour) -> None:
    """Everything that can be read is read."""
    for path, operation in readings():
        ids = dict(tour.ids, slug="hefei", code="not_found")
        if path.startswith("clubs/<uuid:club_id>/tokens/"):
            ids["token_id"] = ids["club_token_id"]
        if path.startswith("players/"):
            ids["player_id"] = str(tour.house.players[2].id)
        if path in ("games/<uuid:game_id>/state", "games/<uuid:game_id>/actions"):
            ids["game_id"] = ids["live_game_id"]
        if operation.__name__ not in SEEN_OTHERWISE:
            tour.do("get", filled(path, ids))


SEEN_OTHERWISE: Final = {
    *("PreviewMerge", "ShowPlaceOnLeaderboard", "ShowSession", "ListSessions"),
}


def readings() -> list[tuple[str, type[Operation]]]:
    """The address of everything that is read and answered in JSON, and its operation."""
    found = []
    for pattern in get_resolver("api.v1.urls").url_patterns:
        view = getattr(pattern.callback, "cls", None) if isinstance(pattern, URLPattern) else None
        operation = operation_of(view, "get") if view is not None else None
        if operation is not None and operation.Output is not None:
            found.append((str(pattern.pattern), operation))
    return found


def filled(path: str, ids: dict[str, Any]) -> str:
    """The address with these ids in it."""
    parts = path.split("/")
    return "/".join(
        str(ids[part[1:-1].partition(":")[2]]) if part.startswith("<") else part for part in parts
    )


def tidy(tour: Tour) -> None:
    """What was made is taken back."""
    club = f"clubs/{tour.ids['club_id']}"
    tour.do("get", f"{club}/leaderboard/around/{tour.house.players[2].id}")
    tour.do("delete", f"webhooks/{tour.ids['webhook_id']}")
    tour.do("delete", f"imports/{tour.ids['import_id']}")
    tour.do("post", f"merges/{tour.ids['merge_id']}/undo")
    tour.do("post", f"claims/{tour.ids['claim_id']}/decision", {"accepted": True})
    invitation = tour.do("post", f"{club}/invitations", {"role": "viewer"})["id"]
    tour.do("delete", f"invitations/{invitation}")
    tour.do("delete", f"{club}/ladder")
    tour.do("delete", f"presets/{tour.ids['preset_id']}")
    tour.do("post", f"seasons/{tour.ids['season_id']}/close")
    tour.do("post", f"seasons/{tour.ids['season_id']}/reopen")
    empty = {"name": "Spring", "starts_on": "2024-04-01", "ends_on": "2024-06-30"}
    tour.do("delete", f"seasons/{tour.do('post', f'{club}/seasons', empty)['id']}")
    tour.do("delete", f"{club}/members/{tour.ids['account_id']}")
    tour.do("delete", f"{club}/tokens/{tour.ids['club_token_id']}")
    tour.do("delete", f"{club}/tokens")
    tour.do("delete", f"tokens/{tour.ids['token_id']}")


def come_and_go(tour: Tour) -> None:
    """Somebody signs up, signs in both ways, and goes for good."""
    person, credentials = Person(), {"username": unused_name(), "password": PASSWORD}
    tour.do("post", "accounts", credentials, who=person)
    csrf = tour.do("get", "session", who=person)["csrf_token"]
    csrf = tour.do("post", "session", credentials, who=person, x_csrftoken=csrf)["csrf_token"]
    tour.do("delete", "session", who=person, x_csrftoken=csrf)
    csrf = tour.do("get", "session", who=person)["csrf_token"]
    tour.do("post", "session", credentials, who=person, x_csrftoken=csrf, user_agent=BROWSER)
    sign_in(tour, person, credentials)
    (browser,) = tour.do("get", "sessions", who=person)["items"]
    tour.do("delete", f"sessions/{browser['id']}", who=person)
    tour.do("post", "sign-out/elsewhere", who=person)
    changed = {"password": PASSWORD, "new_password": f"{PASSWORD} and a door"}
    tour.do("post", "me/password", changed, who=person)
    credentials["password"] = changed["new_password"]
    for path in ("tokens", "sign-out", "me/removal"):
        sign_in(tour, person, credentials)
        method = "delete" if path == "tokens" else "post"
        body = {"password": credentials["password"]} if path == "me/removal" else None
        tour.do(method, path, body, who=person)
    leaver = tour.house.member(Role.VIEWER)
    tour.do("delete", f"clubs/{tour.ids['club_id']}/membership", who=leaver)
    tour.do("post", "sign-out/everywhere", who=leaver)


def sign_in(tour: Tour, person: Person, credentials: dict[str, str]) -> None:
    """From now on the person is signed in by a new token."""
    token = tour.do("post", "sign-in", credentials, who=person)["token"]
    person.headers["authorization"] = f"Bearer {token}"
