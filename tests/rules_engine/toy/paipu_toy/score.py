"""What a toy hand is worth."""

from collections.abc import Iterator
from typing import Annotated, Literal

import msgspec

from rules_engine.consistency import contradiction
from rules_engine.errors import Violation
from rules_engine.facts import HandFacts, Meld, WinFacts
from rules_engine.gangs import GangTold, Unpaid, tell_gangs
from rules_engine.readings import is_complete
from rules_engine.ruleset import Options
from rules_engine.score import (
    HandExplanation,
    HandScore,
    Item,
    ItemLine,
    NotGiven,
    Scored,
    Step,
    Transfer,
    WinExplanation,
    WinScore,
)
from rules_engine.tiles import KIND, ONE, kinds_in, parse


class ToyOptions(Options):
    """What a club may change."""

    rob: Annotated[
        Literal["bu_gang", "all", "none"], msgspec.Meta(description="Which gangs may be robbed.")
    ] = "bu_gang"
    several_winners: bool = True
    must_hu: bool = False
    proud: bool = False
    turned: bool = False


def all_triplets(win: WinFacts) -> bool:
    """Whether no meld is a run and no kind stands alone."""
    tiles = parse(win.concealed) + ONE[KIND[win.tile]]
    counts = sorted(tiles >> 4 * kind & 15 for kind in kinds_in(tiles))
    return all(meld.kind != "chi" for meld in win.melds) and counts == [2] + [3] * (len(counts) - 1)


ITEMS: tuple[Item[WinFacts], ...] = (
    Item(
        id="base",
        zh="底",
        en="base",
        rule="TY-3",
        points=lambda win: 2 if win.by == "zimo" else 3,
    ),
    Item(
        id="all_triplets",
        zh="碰碰胡",
        en="all triplets",
        rule="TY-4",
        points=lambda win: 5 if all_triplets(win) else 0,
    ),
)


def score(facts: HandFacts, options: ToyOptions) -> Scored:
    """The score of a hand, or why it may not be recorded."""
    violation = contradiction(facts, {})
    if violation is not None:
        return violation
    for win in facts.wins:
        if not is_complete(parse(win.concealed) + ONE[KIND[win.tile]], 4 - len(win.melds)):
            return Violation("not_winning_shape", "This is not four sets and a pair.", rule="TY-2")
    wins = tuple(score_win(win) for win in facts.wins)
    return HandScore(wins=wins, transfers=tuple(transfers(facts, wins)))


def score_win(win: WinFacts) -> WinScore:
    """One winner."""
    lines = tuple(
        ItemLine(item.id, item.points(win), item.rule) for item in ITEMS if item.points(win)
    )
    total = sum(line.points for line in lines)
    return WinScore(win.seat, lines, total, (win.concealed,), (Step("和", "sum", total),))


def transfers(facts: HandFacts, wins: tuple[WinScore, ...]) -> Iterator[Transfer]:
    """Who pays whom: for the wins, then for gangs if somebody won."""
    for win, scored in zip(facts.wins, wins, strict=True):
        payers = [s for s in range(4) if s != win.seat] if win.from_ is None else [win.from_]
        for payer in payers:
            yield Transfer(payer, win.seat, scored.total, "hu", "hu", "TY-3", win.seq)
    if facts.wins:
        for holder in (*facts.wins, *facts.table):
            for meld in holder.melds:
                yield from gang_payments(holder.seat, meld)


def gang_payments(seat: int, meld: Meld) -> Iterator[Transfer]:
    """One point from each other seat for a gang."""
    if meld.kind.endswith("gang"):
        for payer in range(4):
            if payer != seat:
                yield Transfer(payer, seat, 1, "gang", meld.kind, "TY-3", meld.seq)


def gangs(facts: HandFacts, options: ToyOptions) -> tuple[GangTold, ...]:
    """The gangs of a hand: paid if somebody won."""
    return tell_gangs(
        facts,
        kinds=("an_gang", "bu_gang", "ming_gang"),
        pay=lambda seat, meld: tuple(gang_payments(seat, meld)) if facts.wins else (),
        why=lambda seat, meld: Unpaid("TY-3", "无人和牌。", "nobody won."),
        robbed=Unpaid("TY-3", "被抢。", "it was robbed."),
    )


def explain(facts: HandFacts, options: ToyOptions) -> HandExplanation | Violation:
    """The reasoning behind a hand."""
    answer = score(facts, options)
    if isinstance(answer, Violation):
        return answer
    return HandExplanation(
        wins=tuple(
            explain_win(win, scored) for win, scored in zip(facts.wins, answer.wins, strict=True)
        ),
        transfers=answer.transfers,
    )


def explain_win(win: WinFacts, scored: WinScore) -> WinExplanation:
    """The items given and not given."""
    given = tuple(
        item.given(item.points(win), (item.zh, item.en)) for item in ITEMS if item.points(win)
    )
    missing = tuple(
        NotGiven(item.id, item.rule, f"无{item.zh}", f"no {item.en}")
        for item in ITEMS
        if not item.points(win)
    )
    return WinExplanation(
        win.seat, given, missing, scored.reading, scored.formula, (win.tile,), scored.total
    )
