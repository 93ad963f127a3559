"""What a hand came to, and why: winners, items given and not given, formula, payments, rulings."""

from __future__ import annotations

from typing import Any

import msgspec
from django.utils.safestring import SafeString

from records import ledger
from records.ledger import Payment, Settled
from records.rulings import Ruled, rulings_of
from replays.viewer.access import Watched
from replays.viewer.telling import Teller
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


class RevisionShown(msgspec.Struct, frozen=True):
    """A revision of the hand's settlement: points by seat, and the ruling that made it."""

    number: int
    points: tuple[int, ...]
    ruling: str
    reason: str
    seq: int


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
        notes=[] if explanation is None else _steps(explanation.notes, teller),
        revisions=_revisions(watched, hand, revisions) if len(revisions) > 1 else [],
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
        melds=[(teller.call(meld.kind), draw_tiles(meld.tiles, language)) for meld in win.melds],
        flowers=draw_tiles(win.flowers, language) if win.flowers else None,
        waits=draw_tiles("".join(told.waits), language) if told.waits else None,
        reading=[_group(group, language) for group in told.reading],
        given=[
            Line(
                getattr(item, f"name_{language}"),
                item.rule,
                getattr(item, language),
                getattr(item.worth, language),
            )
            for item in told.given
        ],
        not_given=[
            Line(teller.call(item.id), item.rule, getattr(item, language))
            for item in told.not_given
        ],
        formula=_steps(told.formula, teller),
        total=told.total,
    )


def _group(text: str, language: str) -> SafeString | str:
    """A group of a reading; one that is not tiles alone stays as it is written."""
    try:
        return draw_tiles(text, language)
    except BadTiles:
        return text


def _steps(steps: tuple[Step, ...], teller: Teller) -> list[tuple[str, int]]:
    return [(getattr(step, teller.language), step.points) for step in steps]


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


def _revisions(watched: Watched, hand: int, revisions: list[Settled]) -> list[RevisionShown]:
    rulings = rulings_of(watched.id, hand=hand, upto=watched.game.seq)
    made_by: dict[int, Ruled] = {each.seq: each for each in rulings}
    shown = []
    for settled in revisions:
        ruled: Any = made_by.get(settled.seq)
        shown.append(
            RevisionShown(
                settled.revision,
                settled.points,
                "recorded" if ruled is None else ruled.ruling.type,
                "" if ruled is None else ruled.ruling.reason,
                settled.seq,
            )
        )
    return shown
