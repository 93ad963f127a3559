"""Which players stand on another tier than was last told.

What was told is kept and compared with the boards, so a tier that changed for any cause (a hand, a
correction of long ago, a merge, another ladder) is told, and a step that came and went between two
looks is not. Compared are players with new results, and all of a club whose definitions changed.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final
from uuid import UUID, uuid4

from django.db import connection
from django.utils import timezone

from api.webhooks.catalogue import CauseTold, TierChanged
from api.webhooks.happenings import Happening
from api.webhooks.models import ToldClub, ToldTier, Webhook
from records.ladders import ladder_of
from replays.models import ALL_TIME, ProjectionCursor
from rules_engine.ladders import Ladder

TYPE: Final = "tier.changed"

_COMPARE: Final = """
    WITH counted AS (
      SELECT club_id, person_id, game_id, hand, entry, position AS at FROM result
      WHERE position > %(after)s AND position <= %(upto)s AND club_id = ANY(%(clubs)s)
      UNION ALL
      SELECT club_id, person_id, game_id, hand, entry, until_position FROM result
      WHERE until_position > %(after)s AND until_position <= %(upto)s AND club_id = ANY(%(clubs)s)
    ), cause AS (
      SELECT DISTINCT ON (club_id, person_id) * FROM counted
      ORDER BY club_id, person_id, at DESC
    ), anew AS (
      SELECT known.club_id FROM webhook_told_club known JOIN counted_club c USING (club_id)
      WHERE known.club_id = ANY(%(clubs)s) AND known.fingerprint <> c.fingerprint
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
      UPDATE webhook_told_club known SET fingerprint = c.fingerprint
      FROM anew JOIN counted_club c USING (club_id) WHERE c.club_id = known.club_id
    )
    SELECT changed.club_id, season_id, player_id, tier_before, tier, ladder_score,
           game_id, hand, entry
    FROM changed
    LEFT JOIN cause ON (cause.club_id, cause.person_id) = (changed.club_id, changed.player_id)
    ORDER BY changed.club_id, season_id, player_id
"""
_BEGIN: Final = """
    INSERT INTO webhook_told_tier (club_id, season_id, player_id, tier)
    SELECT club_id, season_id, player_id, tier FROM standing
    WHERE club_id = %s AND ruleset = '' AND tier IS NOT NULL
"""


def begin_telling(club_id: UUID) -> None:
    """Take the tiers of a club as told, as they are now, unless they are being told already.

    Called before its first webhook for them is made.
    """
    if Webhook.objects.filter(club_id=club_id, types__contains=[TYPE]).exists():
        return
    ToldTier.objects.filter(club_id=club_id).delete()
    with connection.cursor() as cursor:
        cursor.execute(_BEGIN, [club_id])
        cursor.execute(
            "INSERT INTO webhook_told_club (club_id, fingerprint)"
            " SELECT %(club)s, coalesce("
            "   (SELECT fingerprint FROM counted_club WHERE club_id = %(club)s), '')"
            " ON CONFLICT (club_id) DO UPDATE SET fingerprint = excluded.fingerprint",
            {"club": club_id},
        )


def boards_position() -> int:
    """How far the boards have taken in the ledger."""
    cursor = ProjectionCursor.objects.filter(id=1).first()
    return 0 if cursor is None else cursor.position


def changed_tiers(clubs: Collection[UUID], *, after: int, upto: int) -> list[Happening]:
    """Whose tier is not as told, in these clubs; from now on it is told.

    ``after`` and ``upto`` are how far the boards had come at the last look and have come now.
    """
    if not clubs:
        return []
    with connection.cursor() as cursor:
        cursor.execute(_COMPARE, {"clubs": list(clubs), "after": after, "upto": upto})
        rows = cursor.fetchall()
    ladders = {club_id: ladder_of(club_id) for club_id in {row[0] for row in rows}}
    return [_changed(*row, ladder=ladders[row[0]]) for row in rows]


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
) -> Happening:
    # The ladder may have been changed since the boards were counted; they follow within seconds.
    tier = None if to_tier is None else ladder.numbered(min(to_tier, len(ladder.tiers)))
    return Happening(
        type=TYPE,
        club_id=club_id,
        # What was told is compared, so the same change is never found twice.
        name=str(uuid4()),
        at=timezone.now(),
        data=TierChanged(
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
        ),
    )


def forget_unwanted() -> None:
    """Drop what was told of clubs that no longer want to be told."""
    wanting = Webhook.objects.filter(types__contains=[TYPE]).values("club_id")
    ToldTier.objects.exclude(club_id__in=wanting).delete()
    ToldClub.objects.exclude(club_id__in=wanting).delete()
