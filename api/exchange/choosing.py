"""Which games of a club are given out, in an order in which one can go on where one stopped."""

from __future__ import annotations

from collections.abc import Iterator
from uuid import UUID

import msgspec
from django.db.models import Exists, OuterRef, QuerySet

from records.batches import in_batches
from records.models import Event, Game
from records.reader import READER
from replays.periods import NEVER_MS, Period


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """Games of a club that began in these periods, in their order; ``after`` a game of it.

    ``ruleset``: only those played by it. ``players``: only those that one of these records of
    players began in; None for all.
    """

    club_id: UUID
    ruleset: str | None = None
    players: tuple[str, ...] | None = None
    periods: tuple[Period, ...] = ()
    after: UUID | None = None

    def games(self) -> Iterator[Game]:
        """The games, those that begin meanwhile included."""
        games: QuerySet[Game] = Game.objects.using(READER).filter(club_id=self.club_id)
        if self.after is not None:
            games = games.filter(id__gt=self.after)
        first = Event.objects.filter(game_id=OuterRef("id"), seq=1)
        for period in self.periods:
            if period.from_ms > -NEVER_MS:
                first = first.filter(occurred_at_ms__gte=period.from_ms)
            if period.to_ms < NEVER_MS:
                first = first.filter(occurred_at_ms__lt=period.to_ms)
        if self.ruleset is not None:
            first = first.filter(public__ruleset=self.ruleset)
        if self.players is not None:
            first = first.filter(public__players__has_any_keys=self.players)
        return in_batches(games.filter(Exists(first)))
