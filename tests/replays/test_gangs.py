"""The gangs of recorded games, with the events that declared them and the payments they brought."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import Any
from uuid import UUID, uuid4

import msgspec
import pytest

from records import ledger, reader
from records.append import append_events, create_game
from records.clubs import create_club
from records.journal import seal_pending
from records.models import Club
from records.players import add_player
from records.settlement import settle_sealed
from replays.gangs import ABANDONED, VOIDED, gang_figures, gangs_of_game
from replays.models import Result
from replays.projections import advance_projections
from replays.selections import select
from rules_engine.events import Event, Gang, HandVoided
from tests.corpus import games
from tests.corpus.games import Recorded
from tests.rules_engine.variants.test_golden_cases import COUNTS
from tests.support.people import new_account


def with_ids(recorded: Recorded, ids: dict[str, str]) -> list[Event]:
    """The events of a game of the corpus with ids for the names of its players."""
    text = json.dumps([body for _, body in recorded.events])
    for name, player in ids.items():
        text = text.replace(f'"{name}"', f'"{player}"')
    bodies = json.loads(text)
    events = games.numbered(
        Recorded(
            recorded.name,
            recorded.preset,
            recorded.fidelity,
            tuple(enumerate(bodies, 1)),
            recorded.settled,
        )
    )
    return [event for _, event in events]


def names_in(recorded: Recorded) -> list[str]:
    """Who plays in a game of the corpus."""
    first = recorded.events[0][1]
    return [*first["players"], *first.get("substitutes", ())]


def store(recorded: Recorded, club: Club) -> UUID:
    """Record and settle a game of the corpus; its id."""
    ids = {name: str(add_player(club=club, name=f"P {uuid4()}").pk) for name in names_in(recorded)}
    game_id = create_game(club_id=club.pk)
    events = with_ids(recorded, ids)
    for start in range(0, len(events), 100):
        append_events(
            game_id=game_id,
            expected_seq=start,
            events=events[start : start + 100],
            command_id=str(start),
        )
    settle()
    return game_id


def settle() -> None:
    seal_pending()
    settle_sealed()
    advance_projections()


@pytest.fixture
def club(database: Any) -> Club:
    """An empty club."""
    del database
    return create_club(owner=new_account(), name="C", slug="c", time_zone="Asia/Shanghai")


def has_gangs(recorded: Recorded) -> bool:
    """Whether anything in a game is a gang."""
    written = msgspec.json.encode([body for _, body in recorded.events])
    return re.search(rb'"kind":"[a-z]+_gang"', written) is not None


def has_special_gangs(recorded: Recorded) -> bool:
    """Whether a gang of a kind that only one game knows is in it."""
    written = msgspec.json.encode([body for _, body in recorded.events])
    return re.search(rb'"kind":"[a-z]+_dan"', written) is not None


@pytest.mark.parametrize("slug", COUNTS)
def test_gangs_name_their_events_and_their_payments(slug: str, club: Club) -> None:
    recorded = [game for game in games.read(slug) if has_gangs(game)]
    full = next(game for game in recorded if game.fidelity == "full")
    results = next(game for game in recorded if game.fidelity == "result")
    for chosen in (full, results):
        game_id = store(chosen, club)
        events = dict(reader.numbered_events(game_id, using="default"))
        found = gangs_of_game(game_id)
        assert found
        for gang in found:
            assert bool(gang.told.transfers) == (gang.told.unpaid is None)
            if chosen is full:
                event = events[gang.told.seq]
                assert isinstance(event, Gang), event
                assert event.seat == gang.told.seat
        paid: Counter[tuple[int, int, int, int]] = Counter(
            (gang.hand, line.payer, line.payee, line.points)
            for gang in found
            for line in gang.told.transfers
        )
        assert paid == Counter(
            (hand.hand, line.payer_seat, line.payee_seat, line.points)
            for hand in ledger.settlement_of_game(game_id)
            for line in hand.own_payments
            if line.kind == "gang"
        )


@pytest.mark.parametrize("slug", ["huaiyuan", "jiangxi"])
def test_a_players_gangs_by_kind_add_up_to_the_gang_payments(slug: str, club: Club) -> None:
    recorded = next(game for game in games.read(slug) if has_gangs(game))
    game_id = store(recorded, club)
    found = gangs_of_game(game_id)
    declared: Counter[str] = Counter(gang.told.kind for gang in found)
    counted: Counter[str] = Counter()
    for player in club.players.all():
        figures = gang_figures(select(club, player=player.pk))
        for each in figures:
            counted[each.kind] += each.declared
        net = sum(each.received - each.given for each in figures)
        assert net == sum(
            (line.payee == player.pk) * line.points - (line.payer == player.pk) * line.points
            for hand in ledger.settlement_of_game(game_id)
            for line in hand.own_payments
            if line.kind == "gang"
        )
    assert counted == declared


def test_a_board_counts_a_gang_of_every_kind_the_ruleset_knows(club: Club) -> None:
    recorded = next(game for game in games.read("huaiyuan") if has_special_gangs(game))
    found = gangs_of_game(store(recorded, club))
    stood = Counter(
        str(gang.players[gang.told.seat])
        for gang in found
        if not gang.told.robbed and gang.told.unpaid not in (ABANDONED, VOIDED)
    )
    rows = Result.objects.filter(club_id=club.pk, gangs__gt=0)
    counted: Counter[str] = Counter()
    for player, gangs in rows.values_list("player_id", "gangs"):
        counted[str(player)] += gangs
    assert counted == stood


def test_the_gangs_of_a_voided_hand_are_told_with_the_ruling_as_the_reason(club: Club) -> None:
    recorded = next(
        game for game in games.read("huaiyuan") if has_gangs(game) and game.fidelity == "result"
    )
    game_id = store(recorded, club)
    before = gangs_of_game(game_id)
    hand = before[0].hand
    append_events(
        game_id=game_id,
        expected_seq=len(recorded.events),
        events=[HandVoided(hand=hand, reason="a tile was missing")],
        command_id="void",
    )
    settle()
    after = gangs_of_game(game_id)
    assert len(after) == len(before)
    for gang in after:
        if gang.hand == hand:
            assert gang.told.unpaid is not None
            assert "voided" in gang.told.unpaid.en
