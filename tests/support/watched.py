"""Games of simulated hands, recorded and settled, for whoever looks at them."""

from __future__ import annotations

from itertools import islice
from random import Random
from uuid import UUID

from api.simulation.bots import STYLES, seated
from api.simulation.games import CALM, Habits, simulate
from records.append import append_events, create_game
from records.journal import seal_pending
from records.milestones import place_milestones
from records.models import Club, Player
from records.settlement import settle_sealed
from rules_engine.events import HandEnded
from rules_engine.fold import Numbered
from rules_engine.ruleset import Ruleset

BATCH = 50


def record_game(
    ruleset: Ruleset,
    club: Club,
    *,
    hands: int = 2,
    events: int | None = None,
    habits: Habits = CALM,
    seed: str = "watched",
) -> UUID:
    """Record a simulated game, whole or its first events, and settle it; gives its id."""
    rng = Random(f"{seed} {ruleset.slug}")
    options = ruleset.options()
    count = 4 + ruleset.play(options).substitutes
    people = Player.objects.bulk_create(
        Player(club=club, name=f"{ruleset.slug} {seat} {seed}") for seat in range(count)
    )
    game_id = create_game(club_id=club.pk, title=f"{ruleset.names.en} {seed}")
    played = simulate(
        ruleset,
        options=options,
        hands=hands,
        rng=rng,
        players=[str(person.pk) for person in people],
        styles=seated(STYLES, rng),
        habits=habits,
    )
    _append(game_id, list(islice(played, events)))
    seal_pending()
    settle_sealed()
    place_milestones()
    return game_id


def _append(game_id: UUID, events: list[Numbered]) -> None:
    start = 0
    while start < len(events):
        end = start + BATCH
        # The end of a hand goes with the event it follows from: alone, the service would write it.
        while end < len(events) and isinstance(events[end][1], HandEnded):
            end += 1
        append_events(
            game_id=game_id,
            expected_seq=start,
            events=[event for _, event in events[start:end]],
            command_id=str(start),
        )
        start = end
