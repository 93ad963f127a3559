"""Which players stand on another tier than was last told, in an order that all can follow.

What was told is kept and compared with the boards, so a tier that changed for any cause (a hand, a
correction of long ago, a merge, another ladder) is told, and a step that came and went between two
looks is not. Compared are players with new results, and all of a club whose definitions changed.
What is found gets its place in one order, which webhooks and streams follow like any other.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final
from uuid import UUID

import msgspec
from django.db import connection

from api.webhooks.catalogue import CauseTold, TierChanged
from api.webhooks.happenings import Happening, Order, reached_by
from api.webhooks.models import ToldTierChange, WebhookCursor
from records.ladders import ladder_of
from replays.models import ALL_TIME, ProjectionCursor
from rules_engine.ladders import Ladder

TYPE: Final = "tier.changed"

_COMPARE: Final = """
    WITH counted AS (
      SELECT club_id, person_id, game_id, hand, entry, position AS at FROM result
      WHERE position > %(after)s AND position <= %(upto)s
      UNION ALL
      SELECT club_id, person_id, game_id, hand, entry, until_position FROM result
      WHERE until_position > %(after)s AND until_position <= %(upto)s
    ), cause AS (
      SELECT DISTINCT ON (club_id, person_id) * FROM counted
      ORDER BY club_id, person_id, at DESC
    ), anew AS (
      SELECT c.club_id FROM counted_club c LEFT JOIN webhook_told_club known USING (club_id)
      WHERE known.fingerprint IS DISTINCT FROM c.fingerprint
    ), looked_at AS (
      SELECT club_id, person_id AS player_id FROM cause
      UNION SELECT club_id, player_id FROM anew JOIN standing USING (club_id)
      UNION SELECT club_id, player_id FROM anew JOIN webhook_told_tier USING (club_id)
    ), present AS (
      SELECT club_id, season_id, player_id, tier, ladder_score
      FROM looked_at JOIN standing USING (club_id, player_id)
      WHERE ruleset = '' AND tier IS NOT NULL
    ), told AS (
      SELECT club_id, season_id, player_id, tier
      FROM looked_at JOIN webhook_told_tier USING (club_id, player_id)
    ), changed AS (
      SELECT club_id, season_id, player_id, told.tier AS tier_before, present.tier, ladder_score
      FROM present FULL JOIN told USING (club_id, season_id, player_id)
      WHERE present.tier IS DISTINCT FROM told.tier
    ), kept AS (
      INSERT INTO webhook_told_tier (club_id, season_id, player_id, tier)
      SELECT club_id, season_id, player_id, tier FROM changed WHERE tier IS NOT NULL
      ON CONFLICT (club_id, season_id, player_id) DO UPDATE SET tier = excluded.tier
    ), dropped AS (
      DELETE FROM webhook_told_tier t USING changed
      WHERE (t.club_id, t.season_id, t.player_id)
          = (changed.club_id, changed.season_id, changed.player_id) AND changed.tier IS NULL
    ), renewed AS (
      INSERT INTO webhook_told_club (club_id, fingerprint)
      SELECT club_id, fingerprint FROM anew JOIN counted_club USING (club_id)
      ON CONFLICT (club_id) DO UPDATE SET fingerprint = excluded.fingerprint
    )
    SELECT changed.club_id, season_id, player_id, tier_before, tier, ladder_score,
           game_id, hand, entry
    FROM changed
    LEFT JOIN cause ON (cause.club_id, cause.person_id) = (changed.club_id, changed.player_id)
    ORDER BY changed.club_id, season_id, player_id
"""
# From the end backwards to the first that is old enough: no further than the delay reaches. The
# clock's own time, because those that this transaction has found are among them.
_LAST: Final = """
    SELECT position FROM told_tier_change
    WHERE found_at <= clock_timestamp() - make_interval(secs => %s)
    ORDER BY position DESC LIMIT 1
"""


def find_tier_changes() -> None:
    """Put whose tier is not as told last behind the others; from now on it is told.

    In a transaction under the lock of ``following``, so that no place is given twice
    (test_changes_of_tiers_are_placed_once_and_without_gaps).
    """
    cursor, _ = WebhookCursor.objects.get_or_create(id=1)
    boards = ProjectionCursor.objects.filter(id=1).first()
    upto = 0 if boards is None else boards.position
    with connection.cursor() as db:
        db.execute(_COMPARE, {"after": cursor.boards_position, "upto": upto})
        rows = db.fetchall()
    ladders = {club_id: ladder_of(club_id) for club_id in {row[0] for row in rows}}
    changes = [_changed(*row, ladder=ladders[row[0]]) for row in rows]
    ToldTierChange.objects.bulk_create(
        ToldTierChange(position=position, club_id=each.club, data=msgspec.to_builtins(each))
        for position, each in enumerate(changes, last_tier_change() + 1)
    )
    if upto != cursor.boards_position:
        WebhookCursor.objects.update(boards_position=upto)


def last_tier_change(*, delay_s: int = 0) -> int:
    """The place of the latest change that is at least so old; 0 before the first."""
    with connection.cursor() as db:
        db.execute(_LAST, [delay_s])
        row = db.fetchone()
    return 0 if row is None else int(row[0])


def tier_changes_in(
    clubs: Collection[UUID], *, after: int, upto: int, limit: int
) -> tuple[list[Happening], int]:
    """What to tell of these clubs behind ``after`` and up to ``upto``, and how far that goes."""
    changes = ToldTierChange.objects.filter(
        club_id__in=clubs, position__gt=after, position__lte=upto
    )
    rows = list(changes.order_by("position")[:limit])
    told = [
        Happening(
            type=TYPE,
            club_id=row.club_id,
            name=str(row.position),
            at=row.found_at,
            data=msgspec.convert(row.data, TierChanged),
            order=Order.TIER_CHANGE,
            position=row.position,
        )
        for row in rows
    ]
    return told, reached_by(rows, upto=upto, limit=limit)


def _changed(
    club_id: UUID,
    season_id: UUID,
    player_id: UUID,
    from_tier: int | None,
    to_tier: int | None,
    score: int | None,
    game_id: UUID | None,
    hand: int,
    entry: int,
    *,
    ladder: Ladder,
) -> TierChanged:
    # The ladder may have been changed since the boards were counted; they follow within seconds.
    tier = None if to_tier is None else ladder.numbered(min(to_tier, len(ladder.tiers)))
    return TierChanged(
        club=club_id,
        player=player_id,
        season=None if season_id == ALL_TIME else season_id,
        from_tier=from_tier,
        to_tier=to_tier,
        to_tier_zh=None if tier is None else tier.zh,
        to_tier_en=None if tier is None else tier.en,
        score=score,
        cause=None if game_id is None else CauseTold(game=game_id, hand=hand, entry=entry),
        link=f"/api/v1/players/{player_id}/tiers",
    )
