"""What a hand came to, and why: winners, items given and not given, formula, payments, rulings."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

import msgspec
from django.utils.safestring import SafeString

from records import ledger
from records.ledger import Payment, Settled
from records.models import Account
from records.rulings import Ruled, rulings_of
from replays.pages.asking import minute
from replays.viewer.access import Watched
from replays.viewer.telling import Teller, name_seats
from replays.viewer.tiles import draw_tiles
from rules_engine.facts import HandFacts, WinFacts
from rules_engine.score import HandExplanation, Step, WinExplanation
from rules_engine.tiles import BadTiles


class Line(msgspec.Struct, frozen=True):
    """An item that counted or did not: its name, its rule, why, and what it was worth."""

    name: str
    rule: str
    why: str
    worth: str = ""


class Winner(msgspec.Struct, frozen=True, kw_only=True):
    """One win: who, how, the tiles, and the reasoning."""

    name: str
    how: str
    payer: str
    tile: SafeString
    concealed: SafeString
    melds: list[tuple[str, SafeString]]
    flowers: SafeString | None
    waits: SafeString | None
    reading: list[SafeString | str]
    given: list[Line]
    not_given: list[Line]
    formula: list[tuple[str, int]]
    total: int


class Paid(msgspec.Struct, frozen=True):
    """One payment; ``seq`` is the event that caused it, 0 where a result does not tell."""

    payer: str
    payee: str
    points: int
    name: str
    rule: str
    seq: int


class RevisionShown(msgspec.Struct, frozen=True, kw_only=True):
    """A revision of the hand's settlement: points by seat, payments, and the ruling that made it.

    ``by`` is the account that ruled, for members alone; ``at`` is when by the
    club's clock, empty for what was recorded.
    """

    points: tuple[int, ...]
    paid: list[Paid]
    ruling: str = "recorded"
    reason: str = ""
    by: str = ""
    at: str = ""


class Panel(msgspec.Struct, frozen=True, kw_only=True):
    """The end of a hand. ``pending``: it has ended and is being settled."""

    hand: int
    pending: bool
    result: str = ""
    seats: list[tuple[str, int]] = []
    winners: list[Winner] = []
    paid: list[Paid] = []
    notes: list[tuple[str, int]] = []
    revisions: list[RevisionShown] = []


def hand_panel(watched: Watched, hand: int, teller: Teller) -> Panel | None:
    """What the hand came to as it stands now; None while it is being played."""
    if not 1 <= hand <= watched.game.hands_ended:
        return None
    revisions = ledger.revisions_of_hand(watched.id, hand, upto=watched.game.seq)
    if not revisions:
        return Panel(hand=hand, pending=True)
    settled = revisions[-1]
    explanation = _explanation(watched, settled)
    seated = [teller.name_of(str(player)) for player in settled.players]
    return Panel(
        hand=hand,
        pending=False,
        result=settled.result,
        seats=list(zip(seated, settled.points, strict=True)),
        winners=_winners(settled.facts, explanation, seated, teller),
        paid=[_paid(payment, seated, teller) for payment in settled.own_payments],
        notes=[] if explanation is None else _steps(explanation.notes, seated, teller),
        revisions=_revisions(watched, hand, revisions, teller) if len(revisions) > 1 else [],
    )


def _explanation(watched: Watched, settled: Settled) -> HandExplanation | None:
    if settled.facts is None:
        return None
    told = watched.game.ruleset.explain(settled.facts, watched.game.options)
    assert isinstance(told, HandExplanation), told  # It was scored, so it is legal.
    return told


def _winners(
    facts: HandFacts | None,
    explanation: HandExplanation | None,
    seated: list[str],
    teller: Teller,
) -> list[Winner]:
    if facts is None or explanation is None:
        return []
    wins = {win.seat: win for win in facts.wins}
    return [_winner(wins[told.seat], told, seated, teller) for told in explanation.wins]


def _winner(win: WinFacts, told: WinExplanation, seated: list[str], teller: Teller) -> Winner:
    language = teller.language
    return Winner(
        name=seated[win.seat],
        how=win.by,
        payer="" if win.from_ is None else seated[win.from_],
        tile=draw_tiles(win.tile, language),
        concealed=draw_tiles(win.concealed, language),
        melds=[
            (teller.call_meld(meld.kind), draw_tiles(meld.tiles, language)) for meld in win.melds
        ],
        flowers=draw_tiles(win.flowers, language) if win.flowers else None,
        waits=draw_tiles("".join(told.waits), language) if told.waits else None,
        reading=[_group(group, language) for group in told.reading],
        given=[
            Line(
                getattr(item, f"name_{language}"),
                item.rule,
                name_seats(getattr(item, language), seated),
                getattr(item.worth, language),
            )
            for item in told.given
        ],
        not_given=[
            Line(teller.call(item.id), item.rule, name_seats(getattr(item, language), seated))
            for item in told.not_given
        ],
        formula=_steps(told.formula, seated, teller),
        total=told.total,
    )


def _group(text: str, language: str) -> SafeString | str:
    """A group of a reading; one that is not tiles alone stays as it is written."""
    try:
        return draw_tiles(text, language)
    except BadTiles:
        return text


def _steps(steps: tuple[Step, ...], seated: list[str], teller: Teller) -> list[tuple[str, int]]:
    return [(name_seats(getattr(step, teller.language), seated), step.points) for step in steps]


def _paid(payment: Payment, seated: list[str], teller: Teller) -> Paid:
    assert payment.payer_seat is not None
    assert payment.payee_seat is not None
    return Paid(
        payer=seated[payment.payer_seat],
        payee=seated[payment.payee_seat],
        points=payment.points,
        name=teller.call(payment.item),
        rule=payment.rule,
        seq=payment.seq,
    )


def _revisions(
    watched: Watched, hand: int, revisions: list[Settled], teller: Teller
) -> list[RevisionShown]:
    rulings = rulings_of(watched.id, hand=hand, upto=watched.game.seq)
    made_by = {each.seq: each for each in rulings}
    names = accounts_named(watched, rulings)
    return [
        _revision(settled, made_by.get(settled.seq), watched, names, teller)
        for settled in revisions
    ]


def _revision(
    settled: Settled,
    ruled: Ruled | None,
    watched: Watched,
    names: dict[str, str],
    teller: Teller,
) -> RevisionShown:
    seated = [teller.name_of(str(player)) for player in settled.players]
    paid = [_paid(payment, seated, teller) for payment in settled.own_payments]
    if ruled is None:
        return RevisionShown(points=settled.points, paid=paid)
    return RevisionShown(
        points=settled.points,
        paid=paid,
        ruling=ruled.ruling.type,
        reason=ruled.ruling.reason,
        by=names.get(ruled.actor or "", ""),
        at=minute(ruled.occurred_at_ms, watched.club),
    )


def accounts_named(watched: Watched, rulings: Sequence[Ruled]) -> dict[str, str]:
    """The names of the accounts that ruled, by id; names of accounts are for members alone."""
    if not watched.is_member:
        return {}
    actors = {UUID(each.actor) for each in rulings if each.actor is not None}
    named = Account.objects.filter(pk__in=actors).values_list("id", "username")
    return {str(account): name for account, name in named}
