"""The effective facts of a game: what each hand is by the last word on it, and what follows."""

from itertools import pairwise
from random import Random

import pytest

from rules_engine import registry
from rules_engine.errors import IllegalEvent
from rules_engine.events import (
    Adjusted,
    Due,
    HandCorrected,
    HandStarted,
    HandVoided,
    PenaltyCancelled,
    PlayerLeft,
    PlayerSeated,
    Rewind,
    StatedFacts,
    stated,
)
from rules_engine.facts import HandFacts
from rules_engine.fold import Numbered, replay
from rules_engine.history import Flag, Revision, history
from rules_engine.ruleset import Ruleset
from tests.rules_engine.test_rulings import corrected, penalty, played, result, voided
from tests.simulation.laws import game_of, result_of

RULESETS = registry.latest()


def told(facts: HandFacts) -> StatedFacts:
    """Facts as a ruling states them: without the seqs that the engine adds."""
    plain = result_of(facts, 1)
    return StatedFacts(
        dealer=plain.dealer,
        result=plain.result,
        streak=plain.streak,
        wild=plain.wild,
        wins=plain.wins,
        table=plain.table,
    )


def test_a_game_without_events_has_no_history() -> None:
    with pytest.raises(IllegalEvent) as refused:
        history([])
    assert refused.value.violation.code == "game_not_started"


def test_a_hand_is_what_was_recorded_until_somebody_rules_otherwise() -> None:
    log = played(2, None)
    first, second = history(log.events).hands
    assert (first.voided, second.voided) == (False, False)
    assert first.facts is not None
    assert first.facts.wins[0].seat == 2
    assert [revision.kind for revision in first.revisions] == ["recorded"]
    assert (second.dealer, second.streak) == (1, 1)


def test_every_revision_says_by_which_event_and_why() -> None:
    log = played(2, 1).add(corrected(1, 0), voided(1), corrected(1, 3))
    first, second = history(log.events).hands
    assert [(r.seq, r.kind, r.reason) for r in first.revisions] == [
        (2, "recorded", ""),
        (4, "corrected", "misread"),
        (5, "voided", "dealt wrongly"),
        (6, "corrected", "misread"),
    ]
    assert [None if r.facts is None else r.facts.wins[0].seat for r in first.revisions] == [
        2,
        0,
        None,
        3,
    ]
    assert first.facts == first.revisions[-1].facts
    assert len(second.revisions) == 1


def test_a_voided_hand_has_no_facts() -> None:
    (first,) = history(played(2).add(voided(1)).events).hands
    assert (first.voided, first.facts) == (True, None)
    assert (first.dealer, first.streak) == (0, 1)


def test_entries_are_told_with_what_cancelled_them() -> None:
    log = played(2).add(
        penalty(("ann", "club", 5), hand=1),
        Adjusted(transfers=(Due("bob", "cid", 2),), reason="miscounted", dispute="d-1"),
        PenaltyCancelled(penalty=3, reason="excused"),
    )
    fine, adjusted = history(log.events).entries
    assert (fine.seq, fine.kind, fine.hand) == (3, "penalty", 1)
    assert fine.cancelled == Revision(5, "voided", None, "excused")
    assert (adjusted.kind, adjusted.hand, adjusted.cancelled) == ("adjusted", 0, None)
    assert adjusted.dispute == "d-1"


def test_a_later_hand_that_would_have_been_dealt_otherwise_is_flagged() -> None:
    log = played(2, 1, None).add(corrected(1, 0))
    flags = [hand.flag for hand in history(log.events).hands]
    # The first dealer would have stayed; what the second hand made of the third stands as played.
    assert flags == [None, Flag(0, 2), None]
    log.add(corrected(1, 3))
    assert [hand.flag for hand in history(log.events).hands] == [None, None, None]


def test_a_correction_known_before_the_next_hand_flags_nothing() -> None:
    log = played(2).add(corrected(1, 0))
    log.add(result(log, 1))
    assert [hand.flag for hand in history(log.events).hands] == [None, None]


def test_what_happened_between_two_hands_is_taken_into_account() -> None:
    log = played(2).add(PlayerLeft(seat=3, player="dee"), PlayerSeated(seat=3, player="eve"))
    log.add(result(log, 1)).add(corrected(1, 0))
    # Whoever leaves makes the next hand a first one, whose dealer is drawn by lot.
    assert [hand.flag for hand in history(log.events).hands] == [None, None]


def test_facts_that_rest_on_the_hands_before_are_flagged_when_those_change() -> None:
    """Hands that nobody won double the next win, and the winner's flags say how many there were."""
    ruleset = registry.get("qingdao")
    for seed in range(40):
        log = game_of(ruleset, {}, seed)
        hands = history(log).hands
        drawn = next(
            (
                each.hand
                for each, following in pairwise(hands)
                if each.facts and not each.facts.wins and following.facts and following.facts.wins
            ),
            None,
        )
        won = next((each.facts for each in hands if each.facts and each.facts.wins), None)
        if drawn is None or won is None:
            continue
        seq = log[-1][0] + 1
        ruling = HandCorrected(hand=drawn, facts=told(won), reason="misread")
        flag = history([*log, (seq, ruling)]).hands[drawn].flag
        assert flag is not None
        assert flag.objection is not None
        assert flag.objection.code == "wrong_huang_run"
        return
    raise AssertionError("no simulated game has such hands")


def ruled(ruleset: Ruleset, seed: int) -> tuple[list[Numbered], dict[int, HandFacts | None]]:
    """A simulated game, ruled on whenever a hand is dealt; and what that leaves of each hand.

    A ruling moves the seqs behind it, and with them where rewinds go. Other facts of a hand are
    those of another one.
    """
    plain = game_of(ruleset, {}, seed)
    known = [hand.facts for hand in history(plain).hands if hand.facts is not None]
    rng = Random(seed)
    log: list[Numbered] = []
    moved: dict[int, int] = {}
    left: dict[int, HandFacts | None] = {}
    for seq, event in plain:
        is_rewind = isinstance(event, Rewind)
        log.append(
            (len(log) + 1, Rewind(to=moved[event.to], reason="slip") if is_rewind else event)
        )
        moved[seq] = len(log)
        if not isinstance(event, HandStarted) or event.hand == 1:
            continue
        hand, number = rng.randrange(1, event.hand), len(log) + 1
        if rng.random() < 0.3 and left.get(hand, known[0]) is not None:
            log.append((number, HandVoided(hand=hand, reason="dealt wrongly")))
            left[hand] = None
        else:
            ruling = HandCorrected(hand=hand, facts=told(rng.choice(known)), reason="misread")
            log.append((number, ruling))
            left[hand] = stated(ruling.facts, number)
    return log, left


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)
def test_the_facts_in_force_are_those_of_the_last_ruling_in_games_of_every_variant(
    ruleset: Ruleset, seed: int
) -> None:
    log, left = ruled(ruleset, seed)
    past = history(log)
    assert left
    for hand in past.hands:
        recorded = hand.revisions[0].facts
        assert hand.facts == left.get(hand.hand, recorded)
    assert past.game == replay(log)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("ruleset", RULESETS, ids=lambda ruleset: ruleset.slug)
def test_a_correction_that_changes_nothing_flags_nothing_in_games_of_every_variant(
    ruleset: Ruleset, seed: int
) -> None:
    log = game_of(ruleset, {}, seed)
    for hand in history(log).hands:
        if hand.facts is not None:
            seq = log[-1][0] + 1
            same = HandCorrected(hand=hand.hand, facts=told(hand.facts), reason="the same")
            log.append((seq, same))
    after = history(log)
    assert [hand.flag for hand in after.hands] == [None] * len(after.hands)
    assert len(after.hands) > 1
