"""Rating the games of a club: who is the stronger player, whatever the stakes. Pure.

A game is one match of all who sat in it, ranked by their points in the game as it stands; equals
share a rank. What a game does to the ratings is OpenSkill's Plackett-Luce model with the defaults
of the library. Games are rated in the order (started_at_ms, game_id), and people enter a match in
the order of place and id, so that the same games give the same floats however they arrived.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib.metadata import version
from typing import Final
from uuid import UUID

import msgspec
from openskill.models import PlackettLuce

ALGORITHM: Final = "plackett-luce"
LIBRARY_VERSION: Final = f"openskill {version('openskill')}"
PEOPLE_MIN: Final = 2
"""A match is between at least so many; a game of fewer is not rated."""

Moment = tuple[int, UUID]
"""The place of a game in the order of rating: when it started, in ms since 1970 UTC, and its id."""


class Match(msgspec.Struct, frozen=True):
    """A game as it is rated: the points of each person who sat in it, by the person's id."""

    started_at_ms: int
    game_id: UUID
    points: Mapping[UUID, int]

    @property
    def moment(self) -> Moment:
        """Its place in the order of rating."""
        return self.started_at_ms, self.game_id


class Skill(msgspec.Struct, frozen=True):
    """What is believed of a player: a mean, and the standard deviation around it."""

    mu: float
    sigma: float

    @property
    def ordinal(self) -> float:
        """The one number a board is ordered by, mu - 3 sigma: at 99.9 % the skill is above it."""
        return self.mu - 3 * self.sigma


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What a match was for one person. Place 1 has the most points."""

    person_id: UUID
    place: int
    points: int
    before: Skill
    after: Skill


class RatedMatch(msgspec.Struct, frozen=True):
    """A match and what it was for each, the first place first."""

    match: Match
    outcomes: tuple[Outcome, ...]


def places_of(points: Mapping[UUID, int]) -> list[tuple[int, UUID]]:
    """Place and person, in the order of both; equals share a place and the next are left out."""
    return sorted(
        (1 + sum(other > own for other in points.values()), person)
        for person, own in points.items()
    )


def rate(matches: Iterable[Match], skills: dict[UUID, Skill]) -> Iterator[RatedMatch]:
    """Rate matches given in their order, one after the other.

    `skills` is what was known of people before the first match, and is brought up to date; who is
    not in it begins with the library's prior. Matches of fewer than two people are passed over.
    """
    model = PlackettLuce()
    prior = model.rating()
    for match in matches:
        if len(match.points) < PEOPLE_MIN:
            continue
        ranked = places_of(match.points)
        before = [skills.get(person, Skill(prior.mu, prior.sigma)) for _, person in ranked]
        rated = model.rate(
            [[model.create_rating([skill.mu, skill.sigma])] for skill in before],
            ranks=[float(place) for place, _ in ranked],
        )
        outcomes = tuple(
            Outcome(
                person_id=person,
                place=place,
                points=match.points[person],
                before=old,
                after=Skill(new.mu, new.sigma),
            )
            for (place, person), old, (new,) in zip(ranked, before, rated, strict=True)
        )
        skills.update((outcome.person_id, outcome.after) for outcome in outcomes)
        yield RatedMatch(match, outcomes)
