"""Twins: another deal and other draws under the same public events, alike to a certain viewer.

A twin differs from its game only in secret items of the live hand which the viewer may not see:
tiles that hidden hands hold are exchanged among each other and with the wall. The engine says
whether the twin could have been played; nothing here knows a rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as changed
from random import Random
from typing import NamedTuple

import msgspec

from api.simulation.bots import RANDOM, STYLES, seated
from api.simulation.games import Habits, Table, opened
from replays.visibility import Viewer, open_items
from rules_engine.errors import IllegalEvent, Violation
from rules_engine.events import Event, Gang, HandStarted, Rewind, split
from rules_engine.fold import Game, Numbered, apply, check_rewind, closing, replay
from rules_engine.ruleset import Ruleset, make_options
from rules_engine.tiles import NAMES, kinds_in, names
from tests.simulation.rooms import ROOMS

TRIES = 16
"""Exchanges that are tried for one twin; half of them cannot be played."""
FROM_WALL = 0.4
"""The share of exchanges that are with a tile of the wall."""
LIVELY = Habits(slip=0.03, automatic=0.03, written_pass=0.3)


class Place(NamedTuple):
    """Where a secret item lies: its event's place in the hand, and its name."""

    event: int
    item: str


class Spot(NamedTuple):
    """One tile that the viewer does not see, and the places that state it, which agree."""

    places: tuple[Place, ...]
    tile: str


@dataclass(frozen=True)
class LiveGame:
    """A game whose last hand is live: the events before that hand's deal, and those from it on."""

    before: tuple[Numbered, ...]
    hand: tuple[Numbered, ...]
    base: Game = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "base", replay(self.before))

    @property
    def events(self) -> tuple[Numbered, ...]:
        """All of them."""
        return (*self.before, *self.hand)

    def moments(self) -> Iterator[Game]:
        """The game after each event of the hand. Raises IllegalEvent."""
        game = self.base
        for number, (seq, event) in enumerate(self.hand, start=1):
            if isinstance(event, Rewind):
                check_rewind(game, event, seq)
                game = replay(self.hand[:number], self.base)
            else:
                game = apply(game, event, seq)
            yield game

    def is_twin_of(self, other: LiveGame) -> bool:
        """Whether it could be played under the same public events, and the service adds none.

        Whether a gang may be robbed is told to all by the rules, though it may rest on what its
        maker was dealt (HY-45): games that differ in that are no twins.
        """
        try:
            for game, same, (_, event) in zip(
                self.moments(), other.moments(), self.hand, strict=True
            ):
                if closing(game) is not None:
                    return False
                if isinstance(event, Gang) and phase_of(game) != phase_of(same):
                    return False
        except IllegalEvent:
            return False
        return True


def live_game(
    ruleset: Ruleset, *, seed: int, players: Sequence[str] | None = None, hands: int = 1
) -> LiveGame:
    """A game of so many ended hands and one that is live, in a room and at a moment by lot."""
    rng = Random(f"{ruleset.slug} {seed}")
    rooms = [{}, *ROOMS[ruleset.slug].values(), *ruleset.presets.values()]
    options = make_options(ruleset.options, rng.choice(rooms))
    assert not isinstance(options, Violation), options
    table = Table(
        opened(ruleset, options=options, rng=rng, players=players),
        styles=seated((*STYLES, RANDOM), rng),
        habits=LIVELY,
        rng=rng,
    )
    events = tuple(table.events(hands + 1))
    start = next(n for n, (_, event) in enumerate(events) if deals(event, hand=hands + 1))
    # What comes behind the end of the hand, and the end itself, is left away.
    end = max(n for n, (_, event) in enumerate(events) if event.type == "hand_ended")
    return LiveGame(events[:start], events[start : rng.randint(start + 1, end)])


def phase_of(game: Game) -> str:
    """The phase of the live hand."""
    assert game.table is not None
    return game.table.phase


def deals(event: Event, *, hand: int) -> bool:
    """Whether the event deals this hand."""
    return isinstance(event, HandStarted) and event.hand == hand


def twin_of(live: LiveGame, viewer: Viewer, rng: Random) -> LiveGame | None:
    """A twin of the game in the eyes of the viewer; None where no exchange could be played."""
    twin = live
    for _ in range(TRIES):
        other = exchanged(twin, viewer, rng)
        if other.is_twin_of(live):
            twin = other
    return None if twin.hand == live.hand else twin


def exchanged(live: LiveGame, viewer: Viewer, rng: Random) -> LiveGame:
    """The game with one or two of its hidden tiles exchanged; it may be one that cannot be."""
    *_, game = live.moments()
    assert game.table is not None
    shown = {seat for seat in range(4) if game.play.lies_open(game.table, seat)}
    spots = list(hidden_tiles(live.hand, Viewer(seats=viewer.seats | shown)))
    if not spots:
        return live
    one = rng.choice(spots)
    if one.places[0].item == "last":
        deal = live.hand[0][1]
        assert isinstance(deal, HandStarted)
        return with_tiles(live, {one: rng.choice(names(deal.dealt[deal.dealer]))})
    if rng.random() < FROM_WALL:
        unseen = [NAMES[kind] for kind in kinds_in(game.table.unseen)] or [one.tile]
        return with_tiles(live, {one: rng.choice(unseen)})
    other = rng.choice(spots)
    return with_tiles(live, {one: other.tile, other: one.tile})


def hidden_tiles(hand: Sequence[Numbered], viewer: Viewer) -> Iterator[Spot]:
    """Every tile of the live hand that the viewer is not shown."""
    looked: dict[tuple[int, str], list[Place]] = {}
    shown: set[tuple[int, str]] = set()
    for number, (_, event) in enumerate(hand):
        seen = open_items(event, viewer)
        revision = getattr(event, "revision", None)
        for name, item in split(event)[1].items():
            if revision is not None:
                # One tile on which several seats have looked, so all that they saw agrees.
                key = revision, str(item.value["tile"] if "look" in name else item.value)
                looked.setdefault(key, []).append(Place(number, name))
                shown |= {key} if name in seen else set()
            elif name not in seen:
                yield from (Spot((Place(number, name),), tile) for tile in names(item.value))
    for key, places in looked.items():
        if key not in shown:
            yield Spot(tuple(places), key[1])


def with_tiles(live: LiveGame, tiles: Mapping[Spot, str]) -> LiveGame:
    """The game with these tiles in these spots."""
    hand = list(live.hand)
    for spot, tile in tiles.items():
        for place in spot.places:
            seq, event = hand[place.event]
            hand[place.event] = (seq, with_tile(event, place.item, spot.tile, tile))
    return changed(live, hand=tuple(hand))


def with_tile(event: Event, name: str, old: str, new: str) -> Event:
    """The event with one tile of a secret item exchanged."""
    body, secrets = split(event)
    values = {each: secret.value for each, secret in secrets.items()}
    value = values[name]
    if isinstance(value, dict):
        # A roll: every seat that looked saw the same.
        values = {each: {**value, "tile": new} for each in values}
    elif value == old:
        values[name] = new
    else:
        held = list(names(value))
        held[held.index(old)] = new
        values[name] = "".join(held)
    type(event).put_secrets(body, values)
    return msgspec.convert({**body, "type": event.type}, type(event))
