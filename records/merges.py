"""Two records of one person: what one played counts for the other. The log and ledger stay.

A merge is a row, and nothing is moved; so it can be undone, and what counted at an earlier moment
can still be told. Only who counts for nobody else can be merged or merged into: so merges are trees
whose roots are the persons, and no chain of them comes back to where it began.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType
from uuid import UUID

import msgspec
from django.db import connection, transaction
from django.db.models import Q
from django.utils import timezone

from records.clubs import hold
from records.errors import RecordsError
from records.models import Account, Merge, Player


class CannotMerge(RecordsError):
    """The two records cannot be one person's, or not in this direction."""

    code = "cannot_merge"


class SatAtOneTable(RecordsError):
    """The two have played a hand against each other, so they are two persons."""

    code = "sat_at_one_table"

    def __init__(self, *, game_id: UUID, hand: int) -> None:
        super().__init__(
            f"They sat at one table in hand {hand} of game {game_id}, so they are two persons.",
            game=str(game_id),
            hand=hand,
        )


class MergeUndone(RecordsError):
    """The merge was undone before."""

    code = "merge_undone"

    def __init__(self, undone_at: datetime) -> None:
        super().__init__("The merge was undone already.", undone_at=undone_at.isoformat())


class Played(msgspec.Struct, frozen=True, kw_only=True):
    """What a record amounts to in the ledger: games and hands sat at, net points."""

    player: UUID
    name: str
    games: int
    hands: int
    points: int


class Preview(msgspec.Struct, frozen=True, kw_only=True):
    """What a merge would bring together."""

    absorbed: Played
    into: Played


def person_of(club_id: UUID, known_at: datetime | None = None) -> Mapping[UUID, UUID]:
    """Of each player who counts for another: for whom in the end. Others count for themselves.

    With ``known_at``, as the merges stood at that moment.
    """
    merges = Merge.objects.filter(club_id=club_id)
    if known_at is None:
        merges = merges.filter(undone_at=None)
    else:
        in_force = Q(undone_at=None) | Q(undone_at__gt=known_at)
        merges = merges.filter(in_force, created_at__lte=known_at)
    into = dict(merges.values_list("absorbed_id", "into_id"))
    return MappingProxyType({player: _end_of(player, into) for player in into})


def _end_of(player: UUID, into: Mapping[UUID, UUID]) -> UUID:
    """Where the merges lead from a player who was merged."""
    passed = {player}
    person = into[player]
    # Clocks that differ could show two merges at once of which one was undone before the other.
    while person in into and person not in passed:
        passed.add(person)
        person = into[person]
    return person


def preview(*, absorbed: Player, into: Player) -> Preview:
    """What the merge would bring together. Raises what ``merge`` would raise."""
    _require_mergeable(absorbed, into)
    return Preview(absorbed=played(absorbed), into=played(into))


def merge(*, absorbed: Player, into: Player, by: Account) -> Merge:
    """Let what ``absorbed`` played count for ``into``. Raises CannotMerge, SatAtOneTable."""
    with transaction.atomic():
        hold(absorbed.club_id)
        absorbed.refresh_from_db()
        into.refresh_from_db()
        _require_mergeable(absorbed, into)
        return Merge.objects.create(
            club_id=absorbed.club_id, absorbed=absorbed, into=into, created_by=by
        )


def undo_merge(merge_made: Merge) -> Merge:
    """Let both records count for themselves again. Raises MergeUndone."""
    with transaction.atomic():
        hold(merge_made.club_id)
        merge_made.refresh_from_db()
        if merge_made.undone_at is not None:
            raise MergeUndone(merge_made.undone_at)
        merge_made.undone_at = timezone.now()
        merge_made.save(update_fields=["undone_at"])
    return merge_made


def never_at_one_table(*, club_id: UUID, some: list[UUID], others: list[UUID]) -> None:
    """Refuse if one of ``some`` ever sat at a hand with one of ``others``. Raises SatAtOneTable.

    Settled hands tell it, voided ones too, and the seats that a game began with.
    """
    with connection.cursor() as cursor:
        cursor.execute(
            _TOGETHER,
            {
                "club": club_id,
                "some": some,
                "others": others,
                "some_texts": [str(player) for player in some],
                "other_texts": [str(player) for player in others],
            },
        )
        row = cursor.fetchone()
    if row is not None:
        raise SatAtOneTable(game_id=row[0], hand=row[1])


def played(player: Player) -> Played:
    """What the ledger holds of one record by itself."""
    with connection.cursor() as cursor:
        cursor.execute(_PLAYED, {"club": player.club_id, "player": player.pk})
        games, hands, points = cursor.fetchone()
    return Played(player=player.pk, name=player.name, games=games, hands=hands, points=points)


def players_of(player: Player) -> list[UUID]:
    """All records that count for this one, itself included."""
    persons = person_of(player.club_id)
    return [player.pk, *(record for record, person in persons.items() if person == player.pk)]


def _require_mergeable(absorbed: Player, into: Player) -> None:
    """Raises CannotMerge, SatAtOneTable."""
    facts = {"absorbed": str(absorbed.pk), "into": str(into.pk)}
    if absorbed.pk == into.pk:
        raise CannotMerge("That is one record already.", **facts)
    if absorbed.club_id != into.club_id:
        raise CannotMerge("The two are players of different clubs.", **facts)
    persons = person_of(absorbed.club_id)
    for player in (absorbed, into):
        if player.pk in persons:
            raise CannotMerge(
                f"{player.name!r} counts for another player already, whom `person` names: merge "
                "that one, or undo the merge.",
                **facts,
                player=str(player.pk),
                person=str(persons[player.pk]),
            )
    if absorbed.account_id is not None and into.account_id is not None:
        raise CannotMerge("Both have an account, so they are two people who sign in.", **facts)
    if absorbed.account_id is not None:
        raise CannotMerge(
            f"{absorbed.name!r} has an account and {into.name!r} has none: merge {into.name!r} "
            f"into {absorbed.name!r}.",
            **facts,
        )
    never_at_one_table(club_id=absorbed.club_id, some=players_of(absorbed), others=players_of(into))


_TOGETHER = """
    (SELECT game_id, hand FROM settlement
     WHERE club_id = %(club)s AND entry = 0
       AND players && %(some)s::uuid[] AND players && %(others)s::uuid[]
     LIMIT 1)
    UNION ALL
    (SELECT g.id, 1 FROM game g JOIN event e ON e.game_id = g.id AND e.seq = 1
     WHERE g.club_id = %(club)s
       AND e.public -> 'players' ?| %(some_texts)s AND e.public -> 'players' ?| %(other_texts)s
     LIMIT 1)
    LIMIT 1
"""
# Voided hands are counted as sat at; what they and later rulings come to is in the points.
_PLAYED = """
    SELECT count(DISTINCT game_id), count(*),
      (SELECT coalesce(sum(points), 0) FROM transfer WHERE payee = %(player)s)
      - (SELECT coalesce(sum(points), 0) FROM transfer WHERE payer = %(player)s)
    FROM settlement
    WHERE club_id = %(club)s AND entry = 0 AND revision = 1 AND players @> ARRAY[%(player)s]
"""
