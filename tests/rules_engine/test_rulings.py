"""Rulings: what may be ruled on and when, what follows for the next deal, rewinds around them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from rules_engine.events import (
    Adjusted,
    Due,
    Event,
    GameEnded,
    HandCorrected,
    HandResult,
    HandVoided,
    Penalty,
    PenaltyCancelled,
    PlayerLeft,
    PlayerSeated,
    Rewind,
    StatedFacts,
)
from rules_engine.facts import Meld, WinFacts
from rules_engine.fold import apply, effective, replay
from rules_engine.rulings import sealed_hand
from rules_engine.snapshot import dump, load
from tests.rules_engine.log import PLAYERS, Log

PLAIN_HAND = "23456788m34p678s"


def win(seat: int, **fields: Any) -> WinFacts:
    return WinFacts(**{"seat": seat, "by": "zimo", "tile": "5p", "concealed": PLAIN_HAND, **fields})


def facts(
    winner: int | None = None, dealer: int = 0, streak: int = 1, **fields: Any
) -> StatedFacts:
    wins = () if winner is None else (win(winner, **fields),)
    return StatedFacts(
        dealer=dealer, streak=streak, result="hu" if wins else "huang_zhuang", wins=wins
    )


def result(log: Log, winner: int | None = None) -> HandResult:
    """The next hand as its result."""
    dealer = 0 if log.game.dealer is None else log.game.dealer
    told = facts(winner, dealer, log.game.streak)
    return HandResult(
        hand=log.game.hand + 1,
        dealer=told.dealer,
        streak=told.streak,
        result=told.result,
        wins=told.wins,
    )


def corrected(hand: int, winner: int | None = None, **fields: Any) -> HandCorrected:
    return HandCorrected(hand=hand, facts=facts(winner, **fields), reason="misread")


def voided(hand: int) -> HandVoided:
    return HandVoided(hand=hand, reason="dealt wrongly")


def penalty(*transfers: tuple[str, str, int], hand: int | None = None) -> Penalty:
    return Penalty(transfers=tuple(Due(*each) for each in transfers), reason="late", hand=hand)


def played(*winners: int | None) -> Log:
    log = Log()
    for winner in winners:
        log.add(result(log, winner))
    return log


def next_deal(log: Log) -> tuple[int | None, int]:
    return log.game.dealer, log.game.streak


def test_a_correction_of_the_last_hand_gives_the_next_one_its_dealer_and_streak() -> None:
    log = played(2)
    assert next_deal(log) == (1, 1)
    log.add(corrected(1, 0))
    assert next_deal(log) == (0, 2)
    log.add(corrected(1, None))
    assert next_deal(log) == (0, 2)
    log.add(corrected(1, 3))
    assert next_deal(log) == (1, 1)
    log.add(result(log, 1))
    assert next_deal(log) == (1, 2)


def test_what_happened_before_the_next_deal_still_counts_after_a_correction() -> None:
    log = played(2)
    log.add(PlayerLeft(seat=3, player="dee"), PlayerSeated(seat=3, player="eve"))
    assert next_deal(log) == (None, 1)
    log.add(corrected(1, 0))
    assert next_deal(log) == (None, 1)


def test_a_voided_last_hand_is_followed_as_an_abandoned_one_is() -> None:
    log = played(2).add(voided(1))
    assert next_deal(log) == (None, 1)
    assert log.game.voided == (1,)
    log.add(corrected(1, 2))
    assert log.game.voided == ()
    assert next_deal(log) == (1, 1)


def test_an_earlier_hand_is_ruled_on_while_the_later_ones_stand_as_played() -> None:
    log = played(2, 1, 0)
    before = log.game
    log.add(corrected(1, 0), voided(2))
    assert (log.game.dealer, log.game.streak, log.game.memory, log.game.last) == (
        before.dealer,
        before.streak,
        before.memory,
        before.last,
    )


def test_a_ruling_changes_nothing_of_a_live_hand() -> None:
    log = played(2).deal({}, last="2m", dealer=1)
    table = log.table
    log.add(corrected(1, 0), voided(1), penalty(("ann", "club", 5)))
    assert log.table is table
    assert log.code(corrected(2, 0)) == "hand_not_ended"
    assert "rewind" in log.refusal(voided(2)).message
    assert log.game.floor == 2


def test_a_ruling_is_possible_when_the_game_has_ended() -> None:
    log = played(2).add(GameEnded())
    log.add(corrected(1, 0), penalty(("ann", "club", 5)), PenaltyCancelled(penalty=5, reason="no"))
    assert log.game.ended


@pytest.mark.parametrize("hand", [2, 9])
def test_only_a_hand_that_has_ended_is_ruled_on(hand: int) -> None:
    log = played(2)
    assert log.code(corrected(hand, 0)) == "hand_not_ended"
    assert log.code(voided(hand)) == "hand_not_ended"
    refusal = log.refusal(penalty(("ann", "bob", 1), hand=hand))
    assert (refusal.code, refusal.expected) == ("hand_not_ended", {"from": 1, "to": 1})


def test_corrected_facts_must_be_such_as_the_ruleset_can_score() -> None:
    log = played(2)
    refusal = log.refusal(corrected(1, 0, concealed="11112222m3333p4s"))
    assert refusal.rule.startswith("HF-")
    assert log.code(corrected(1, 0, from_=1)) == "payer_given"


def test_corrected_facts_name_no_seq() -> None:
    log = played(2)
    gang = (Meld("an_gang", "2222s", seq=2),)
    assert log.code(corrected(1, 0, concealed="23456788m34p", melds=gang)) == "invalid_event"
    assert log.code(corrected(1, 0, seq=2)) == "invalid_event"


def test_a_hand_is_voided_once() -> None:
    assert played(2).add(voided(1)).code(voided(1)) == "hand_voided_already"


def test_corrected_facts_carry_the_seq_of_their_ruling() -> None:
    log = played(2).add(corrected(1, 0))
    assert log.game.last is not None
    assert log.game.last.facts is not None
    assert (log.game.last.facts.seq, log.game.last.facts.wins[0].seq) == (3, 3)


@pytest.mark.parametrize(
    ("transfer", "code"),
    [
        (("ann", "ann", 1), "pays_itself"),
        (("club", "club", 1), "pays_itself"),
        (("ann", "zoe", 1), "not_in_game"),
        (("zoe", "club", 1), "not_in_game"),
    ],
)
def test_an_entry_is_between_people_of_the_game_or_with_the_club(
    transfer: tuple[str, str, int], code: str
) -> None:
    log = played(2)
    refusal = log.refusal(penalty(("ann", "bob", 1), transfer))
    assert (refusal.code, refusal.facts["transfer"]) == (code, 1)


def test_who_has_left_can_still_be_charged() -> None:
    log = played(2).add(PlayerLeft(seat=3, player="dee"), PlayerSeated(seat=3, player="eve"))
    log.add(penalty(("dee", "eve", 5)))
    assert log.game.people == (*PLAYERS, "eve")


def test_a_penalty_is_cancelled_once_and_an_adjustment_never() -> None:
    log = played(2)
    due = (Due("ann", "club", 5),)
    log.add(Adjusted(transfers=due, reason="miscounted"), penalty(("ann", "club", 5), hand=1))
    assert log.code(PenaltyCancelled(penalty=3, reason="no")) == "no_penalty"
    log.add(PenaltyCancelled(penalty=4, reason="no"))
    assert log.code(PenaltyCancelled(penalty=4, reason="no")) == "penalty_cancelled_already"


def test_a_seal_is_about_the_hand_the_ruling_concerns() -> None:
    log = played(2, 1)
    rulings: list[tuple[Event, int]] = [
        (corrected(1, 0), 1),
        (voided(2), 2),
        (penalty(("ann", "club", 5)), 0),
        (penalty(("ann", "club", 5), hand=1), 1),
        (PenaltyCancelled(penalty=7, reason="no"), 1),
        (PenaltyCancelled(penalty=6, reason="no"), 0),
    ]
    for event, hand in rulings:
        assert sealed_hand(log.add(event).game, event) == hand


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"type": "hand_voided", "hand": 1, "reason": ""}, "reason"),
        ({"type": "hand_voided", "hand": 1, "reason": "  "}, "reason"),
        ({"type": "hand_voided", "hand": 1}, "reason"),
        ({"type": "penalty", "reason": "late", "transfers": []}, "transfers"),
        (
            {
                "type": "penalty",
                "reason": "late",
                "transfers": [{"payer": "ann", "payee": "bob", "points": 1}] * 13,
            },
            "transfers",
        ),
        (
            {
                "type": "adjusted",
                "reason": "late",
                "transfers": [{"payer": "ann", "payee": "bob", "points": 0}],
            },
            "points",
        ),
        ({"type": "hand_corrected", "reason": "late", "hand": 1, "facts": {"score": 5}}, "facts"),
    ],
)
def test_a_ruling_that_is_not_whole_is_refused(body: dict[str, Any], field: str) -> None:
    from rules_engine.errors import IllegalEvent

    with pytest.raises(IllegalEvent) as refusal:
        played(2).game.ruleset.catalogue.decode(body)
    assert field in refusal.value.violation.message


def test_a_rewind_never_takes_a_ruling_back() -> None:
    log = played(2).deal({}, last="2m", dealer=1).add(voided(1), penalty(("ann", "club", 5)))
    log.add(Rewind(to=2, reason="slip"))
    assert log.game.voided == (1,)
    assert [kept.seq for kept in log.game.penalties] == [5]
    assert [seq for seq, _ in effective(log.events)] == [1, 2, 4, 5]
    # The hand that followed was taken back, so the voided one is the last again.
    assert next_deal(log) == (None, 1)


def test_a_rewind_that_would_leave_a_ruling_without_its_player_is_refused() -> None:
    log = played(2).add(PlayerLeft(seat=3, player="dee"), PlayerSeated(seat=3, player="eve"))
    log.add(penalty(("eve", "club", 5)))
    with pytest.raises(Exception, match="The ruling at seq 5 stays"):
        log.add(Rewind(to=3, reason="slip"))
    log.add(Rewind(to=4, reason="nothing to take back but the ruling, which stays"))
    assert len(log.game.penalties) == 1


def test_rulings_are_in_a_snapshot() -> None:
    log = played(2).add(penalty(("ann", "club", 5)), PenaltyCancelled(penalty=3, reason="no"))
    log.add(PlayerLeft(seat=3, player="dee"), PlayerSeated(seat=3, player="eve"))
    loaded = load(dump(log.game))
    assert loaded == log.game
    assert apply(loaded, corrected(1, 0), 7) == apply(log.game, corrected(1, 0), 7)


ACTIONS = st.lists(
    st.tuples(
        st.sampled_from(["play", "deal", "end", "correct", "void", "penalty", "cancel", "rewind"]),
        st.integers(0, 5),
    ),
    max_size=25,
)


def event_of(log: Log, action: str, number: int) -> Event | None:
    """The event an action stands for now; it need not be legal."""
    game = log.game
    match action:
        case "play" if game.table is None:
            return result(log, None if number > 3 else number)
        case "end" if game.table is not None:
            return None
        case "correct":
            return corrected(max(1, game.hand - number), number % 4)
        case "void":
            return voided(max(1, game.hand - number))
        case "penalty":
            return penalty((PLAYERS[number % 4], "club", number + 1))
        case "cancel" if game.penalties:
            kept = game.penalties[number % len(game.penalties)]
            return PenaltyCancelled(penalty=kept.seq, reason="no")
        case "rewind" if game.seq > game.floor:
            return Rewind(to=game.floor + number % (game.seq - game.floor), reason="slip")
    return None


@given(ACTIONS)
def test_a_log_of_rewinds_and_rulings_is_the_same_step_by_step_and_at_once(
    actions: list[tuple[str, int]],
) -> None:
    from rules_engine.errors import IllegalEvent

    log = Log()
    rulings = 0
    for action, number in actions:
        if action == "deal" and log.game.table is None:
            log.deal({}, last="2m", dealer=log.game.dealer or 0)
            continue
        event = event_of(log, action, number)
        if event is None:
            continue
        try:
            log.add(event)
        except IllegalEvent:
            continue
        rulings += action in {"correct", "void", "penalty", "cancel"}
    assert replay(log.events) == log.game
    kept = [event for _, event in effective(log.events)]
    assert sum(event.seals and not isinstance(event, HandResult) for event in kept) == rulings
    if log.game.table is None:
        assert replace(load(dump(log.game)), seq=0) == replace(log.game, seq=0)
