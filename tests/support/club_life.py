"""A club with seasons, merged records, a ladder of its own, rulings and late hands, at random."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from uuid import UUID

from django.utils import timezone

from records.models import Club, Ladder, Merge, Player, Season, Settlement
from tests.support.settled import Books

DAY_MS = 86_400_000
START_MS = int(datetime(2026, 9, 1, tzinfo=UTC).timestamp() * 1000)


@dataclass
class ClubLife:
    """One thing after another happens to a club; always the same for the same seed."""

    seed: int
    club: Club = field(init=False)
    hands: list[tuple[Books, Settlement]] = field(default_factory=list)
    penalties: list[tuple[Books, Settlement, int, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.dice = random.Random(self.seed)
        self.club = Club.objects.create(name="Club", slug=f"club-{self.seed}")
        ids = [UUID(int=self.dice.getrandbits(128)) for _ in range(9)]
        Player.objects.bulk_create(
            Player(id=each, club=self.club, name=f"player {number}")
            for number, each in enumerate(ids)
        )
        # Two tables of four and a ninth player, who joins the first table now and then.
        self.seatings = [tuple(ids[:4]), tuple(ids[4:8]), (ids[0], ids[1], ids[8], ids[2])]
        self.players = ids

    def happen(self, times: int = 1) -> None:
        """Let that many hands or rulings be settled."""
        for _ in range(times):
            kind = self.dice.random()
            if not self.hands or kind < 0.65:
                self.play()
            elif kind < 0.85:
                self.correct()
            elif kind < 0.95 or not self.penalties:
                self.penalize()
            else:
                books, settled, payer, points = self.penalties.pop()
                books.penalize(settled, payer, points, cancel=settled.entry)

    def play(self) -> None:
        """The next hand of the last game, or the first one of another."""
        last = self.hands[-1] if self.hands and self.dice.random() < 0.7 else None
        if last is None:
            seating = self.dice.choice(self.seatings)
            books = Books(club_id=self.club.pk, players=seating, ladder_start=280)
            started = START_MS + self.dice.randrange(60) * DAY_MS
            self._settle(books, None, 1, self.dice.choice(("fake", "other")), started)
        else:
            books, before = last
            self._settle(
                books, before.game_id, before.hand + 1, before.ruleset, before.started_at_ms
            )

    def correct(self) -> None:
        """Settle a hand of any time anew."""
        books, before = self.dice.choice(self.hands)
        self._settle(books, before.game_id, before.hand, before.ruleset, before.started_at_ms)

    def penalize(self) -> None:
        """Let a player pay to the pot."""
        books, hand = self.dice.choice(self.hands)
        payer, points = self.dice.randrange(4), self.dice.randrange(1, 40)
        self.penalties.append((books, books.penalize(hand, payer, points), payer, points))

    def _settle(
        self, books: Books, game_id: UUID | None, hand: int, ruleset: str, started_at_ms: int
    ) -> None:
        winner, loser = self.dice.sample(range(4), 2)
        worth = self.dice.choice((5, 50, 300))
        result = self.dice.choice(("hu", "hu", "hu", "hu", "huang_zhuang", "abandoned"))
        is_won = result == "hu"
        by = self.dice.choice(("zimo", "dianpao"))
        settled = books.settle(
            *([(loser, winner, worth)] if is_won else []),
            game_id=game_id,
            hand=hand,
            winner=winner if is_won else None,
            by=by,
            from_seat=loser if by == "dianpao" else None,
            total=worth,
            gangs={loser: 1} if is_won else {},
            result=result,
            ruleset=ruleset,
            started_at_ms=started_at_ms,
            ended_at_ms=started_at_ms + hand * 600_000 + self.dice.randrange(10),
        )
        if all(
            settled.game_id != other.game_id or settled.hand != other.hand
            for _, other in self.hands
        ):
            self.hands.append((books, settled))

    def redefine(self) -> None:
        """Change one of the things that counts rest on besides the ledger."""
        self.dice.choice((self.plan, self.close, self.merge, self.unmerge, self.climb))()

    def plan(self) -> Season | None:
        """Plan a season of September or October, or move the last one."""
        number = Season.objects.count()
        if number == 2:
            season = Season.objects.order_by("starts_on").last()
            assert season is not None
            season.ends_on = date(2026, 10, self.dice.randrange(10, 31))
            season.save()
            return season
        month = 9 + number
        return Season.objects.create(
            club=self.club,
            name=f"month {month}",
            starts_on=date(2026, month, 2),
            ends_on=date(2026, month, 28),
        )

    def close(self) -> None:
        """Close a season, or open it again."""
        season = Season.objects.order_by("starts_on").first()
        if season is not None:
            is_open = season.closed_at is None
            last = Settlement.objects.order_by("-position").first()
            season.closed_at = timezone.now() if is_open else None
            season.closed_position = (last.position if last else 0) if is_open else None
            season.save()

    def merge(self) -> None:
        """The ninth player turns out to be the fourth one, or somebody of the other table."""
        if not Merge.objects.filter(undone_at=None).exists():
            into = self.dice.choice((self.players[3], self.players[5]))
            Merge.objects.create(club=self.club, absorbed_id=self.players[8], into_id=into)

    def unmerge(self) -> None:
        """No, it was another one."""
        Merge.objects.filter(undone_at=None).update(undone_at=timezone.now())

    def climb(self) -> None:
        """Put another ladder in force."""
        version = Ladder.objects.count() + 1
        least = self.dice.randrange(100, 300)
        Ladder.objects.create(
            club=self.club,
            version=version,
            name=f"ladder {version}",
            tiers=[
                {"zh": str(tier), "en": str(tier), "from_points": from_points}
                for tier, from_points in enumerate((None, least, least + 60, least + 200), 1)
            ],
            start=self.dice.randrange(0, 300),
            demotion=self.dice.random() < 0.5,
            scope=self.dice.choice(("season", "for_ever")),
        )
