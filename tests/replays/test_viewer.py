"""What the replay viewer is given: frames, words, panels, and who may look."""

from __future__ import annotations

import copy
import re
from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from api.simulation.games import Habits
from records import reader
from records.append import append_events
from records.journal import seal_pending
from records.models import Account, Club, Membership, Player, Role
from records.settlement import settle_sealed
from replays.viewer.access import Watched, clubs_to_watch, watch
from replays.viewer.diffs import changes
from replays.viewer.frames import HandFrames, Step, hand_frames
from replays.viewer.overview import overview
from replays.viewer.panel import hand_panel
from replays.viewer.telling import Teller
from replays.visibility import PUBLIC, show_state, sight
from rules_engine import registry
from rules_engine.events import HandCorrected
from rules_engine.ruleset import Ruleset
from rules_engine.view import view
from tests.support.databases import Database
from tests.support.recorded import RecordedGame, stated_facts
from tests.support.watched import record_game

RULESETS = pytest.mark.parametrize("ruleset", registry.latest(), ids=lambda each: each.slug)
SLIPPING = Habits(slip=0.03)
"""Now and then an event is recorded by mistake and taken back."""


def club_with(role: Role = Role.VIEWER) -> tuple[Club, Account]:
    """A club and a member of it."""
    name = f"member-{uuid4().hex[:12]}"
    club = Club.objects.create(name="Club", slug=name)
    account = Account.objects.create(username=name)
    Membership.objects.create(account=account, club=club, role=role)
    return club, account


def watched_by(game_id: UUID, account: Any) -> Watched:
    found = watch(game_id, account)
    assert found is not None
    return found


def frames_of(watched: Watched, hand: int, language: str = "en") -> HandFrames:
    found = hand_frames(watched, hand, Teller(watched.game.ruleset, language, watched.names))
    assert found is not None
    return found


def put(frame: Any, made: Sequence[Any]) -> Any:
    """The frame with the changes made, in the way the script does it."""
    for path, value in copy.deepcopy(list(made)):
        if not path:
            frame = value
            continue
        at = frame
        for key in path[:-1]:
            at = at[key]
        if isinstance(at, list) and path[-1] == len(at):
            at.append(value)
        else:
            at[path[-1]] = value
    return frame


def states(steps: Sequence[Step]) -> dict[int, Any]:
    """The state after each step, made of the changes."""
    frame: Any = {}
    found = {}
    for step in steps:
        frame = put(frame, step.changes)
        found[step.seq] = {
            name: copy.deepcopy(value)
            for name, value in frame.items()
            if name not in {"waits", "signs", "drawable"}
        }
    return found


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from("abcd"), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(VALUES, VALUES)
def test_changes_make_the_new_value_of_the_old(old: Any, new: Any) -> None:
    assert put(copy.deepcopy(old), changes(old, new)) == new


@RULESETS
@pytest.mark.parametrize("role", [Role.RECORDER, Role.VIEWER])
def test_every_frame_is_the_state_at_its_seq(
    database: Database, ruleset: Ruleset, role: Role
) -> None:
    club, account = club_with(role)
    game_id = record_game(ruleset, club, hands=3, events=190, habits=SLIPPING)
    watched = watched_by(game_id, account)
    seen: dict[int, Any] = {}
    for hand in range(1, watched.game.hand + 1):
        seen |= states(frames_of(watched, hand).steps)
    assert list(seen) == list(range(1, watched.game.seq + 1))
    for seq, frame in seen.items():
        viewer = sight(watched.viewer, seq=seq, floor=watched.game.floor)
        assert frame == show_state(view(reader.game_at(game_id, seq)), viewer), seq


@RULESETS
@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_event_is_told_in_words_without_a_field_left_open(
    database: Database, ruleset: Ruleset, language: str
) -> None:
    club, account = club_with()
    game_id = record_game(ruleset, club, hands=2)
    watched = watched_by(game_id, account)
    for step in frames_of(watched, 1, language).steps:
        assert not re.search(r"[{}]|None|&lt;", step.html), step.html
        if step.kind == "discard":
            assert f"#t{step.body['tile']}" in step.html
            assert re.search(r'aria-label="[^"]+"', step.html)


def test_a_live_hand_shows_a_viewer_no_tile_of_a_hand_and_an_own_seat_its_own(
    database: Database,
) -> None:
    ruleset = registry.latest()[0]
    club, account = club_with()
    game_id = record_game(ruleset, club, hands=1, events=20)
    watched = watched_by(game_id, account)
    steps = frames_of(watched, 1).steps
    last = states(steps)[watched.game.seq]
    assert [seat["concealed"] for seat in last["table"]["seats"]] == [None] * 4
    drawn = next(step for step in steps if step.kind == "draw")
    assert drawn.body["tile"] is None
    assert "a tile" in drawn.html
    assert "#t" not in drawn.html
    Player.objects.filter(pk=watched.game.players[2]).update(account=account)
    own = frames_of(watched_by(game_id, account), 1).steps
    seats = states(own)[watched.game.seq]["table"]["seats"]
    assert [seat["concealed"] is not None for seat in seats] == [False, False, True, False]
    whole: Any = {}
    for step in own:
        whole = put(whole, step.changes)
    # What a seat could win on may follow from what it does not know.
    assert [whole[name] for name in ("waits", "signs", "drawable")] == [None] * 3


def test_who_plays_looks_from_their_own_seat(database: Database) -> None:
    club, player = club_with(Role.PLAYER)
    game_id = record_game(registry.latest()[0], club, events=20)
    client = Client()
    client.force_login(player, backend="django.contrib.auth.backends.ModelBackend")
    assert 'data-seat="0"' in client.get(f"/games/{game_id}").content.decode()
    own = reader.game_at(game_id).players[2]
    Player.objects.filter(pk=own).update(account=player)
    assert 'data-seat="2"' in client.get(f"/games/{game_id}").content.decode()


def test_who_is_no_member_may_not_look(database: Database) -> None:
    club, _ = club_with()
    _, stranger = club_with()
    game_id = record_game(registry.latest()[0], club, events=5)
    assert watch(game_id, stranger) is None
    assert watch(game_id, AnonymousUser()) is None
    assert watch(uuid4(), stranger) is None


def test_everybody_may_look_at_the_games_of_a_club_that_opens_them(database: Database) -> None:
    club, member = club_with()
    game_id = record_game(registry.latest()[0], club, events=20)
    assert clubs_to_watch(AnonymousUser()) == []
    Club.objects.filter(pk=club.pk).update(public_games=True)
    assert clubs_to_watch(AnonymousUser()) == clubs_to_watch(member) == [club]
    watched = watched_by(game_id, AnonymousUser())
    assert watched.viewer == PUBLIC
    assert not watched.is_member
    last = states(frames_of(watched, 1).steps)[watched.game.seq]
    assert [seat["concealed"] for seat in last["table"]["seats"]] == [None] * 4
    assert [each.id for each in reader.games_in([club.pk], limit=2)] == [game_id]
    assert reader.games_in([club.pk], limit=2, before=game_id) == []


def test_spectators_see_no_later_than_their_club_wants(database: Database) -> None:
    club, viewer = club_with()
    game_id = record_game(registry.latest()[0], club, events=30)
    Club.objects.filter(pk=club.pk).update(spectator_delay_s=3600)
    watched = watched_by(game_id, viewer)
    assert watched.game.seq == 1
    assert [step.seq for step in frames_of(watched, 1).steps] == [1]
    teller = Teller(watched.game.ruleset, "en", watched.names)
    assert hand_frames(watched, 2, teller) is None
    assert overview(watched, teller).rows == []


def test_what_was_taken_back_is_marked_and_stays_in_the_list(database: Database) -> None:
    club, account = club_with()
    game_id = record_game(registry.latest()[0], club, hands=2, habits=Habits(slip=0.2))
    steps = frames_of(watched_by(game_id, account), 1).steps
    rewind = [step for step in steps if step.type == "rewind"][-1]
    gone = {step.seq for step in steps if step.undone}
    assert set(range(rewind.body["to"] + 1, rewind.seq)) <= gone
    assert rewind.seq not in gone
    assert [step.seq for step in steps] == list(range(1, len(steps) + 1))


def test_a_panel_has_the_reasons_the_payments_and_the_rulings(database: Database) -> None:
    club, account = club_with()
    people = Player.objects.bulk_create(Player(club=club, name=name) for name in "甲乙丙丁")
    told = RecordedGame(club_id=club.pk, players=tuple(person.pk for person in people))
    told.play(1)
    told.play(None)
    told.correct(1, 2)
    told.penalise((str(people[0].pk), str(people[3].pk), 7))
    seal_pending()
    settle_sealed()
    watched = watched_by(told.id, account)
    teller = Teller(watched.game.ruleset, "zh", watched.names)
    panel = hand_panel(watched, 1, teller)
    assert panel is not None
    assert [win.name for win in panel.winners] == ["丙"]
    assert panel.winners[0].given
    assert panel.winners[0].not_given
    assert sum(points for _, points in panel.seats) == 0
    assert {paid.payee for paid in panel.paid} == {"丙"}
    assert [(each.ruling, each.reason) for each in panel.revisions] == [
        ("recorded", ""),
        ("hand_corrected", "misread"),
    ]
    game = overview(watched, teller)
    assert [row.kind for row in game.rows] == ["hu", "huang_zhuang", "penalty"]
    assert game.rows[0].revised
    assert dict(game.players)["丁"] == -sum(total for name, total in game.players if name != "丁")
    assert game.chart is not None
    assert [len(curve.line.split()) for curve in game.chart.curves] == [4] * 4


def test_a_ruling_shows_what_was_paid_before_it_and_to_members_who_made_it(
    database: Database,
) -> None:
    club, referee = club_with(Role.REFEREE)
    people = Player.objects.bulk_create(Player(club=club, name=name) for name in "甲乙丙丁")
    told = RecordedGame(club_id=club.pk, players=tuple(person.pk for person in people))
    told.play(1)
    append_events(
        game_id=told.id,
        expected_seq=told.seq,
        events=[HandCorrected(hand=1, facts=stated_facts(2), reason="misread")],
        command_id="ruling",
        actor=str(referee.pk),
    )
    seal_pending()
    settle_sealed()
    Club.objects.filter(pk=club.pk).update(public_games=True)
    for account, name in ((referee, referee.username), (AnonymousUser(), "")):
        watched = watched_by(told.id, account)
        panel = hand_panel(watched, 1, Teller(watched.game.ruleset, "en", watched.names))
        assert panel is not None
        before, after = panel.revisions
        assert {paid.payee for paid in before.paid} == {"乙"}
        assert {paid.payee for paid in after.paid} == {"丙"}
        assert (before.by, before.at) == ("", "")
        assert (after.reason, after.by) == ("misread", name)
        assert re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d", after.at)


def test_an_entry_beside_the_hands_says_why(database: Database) -> None:
    club, account = club_with()
    people = Player.objects.bulk_create(Player(club=club, name=name) for name in "甲乙丙丁")
    told = RecordedGame(club_id=club.pk, players=tuple(person.pk for person in people))
    told.play(1)
    told.penalise((str(people[0].pk), str(people[3].pk), 7))
    seal_pending()
    settle_sealed()
    watched = watched_by(told.id, account)
    rows = overview(watched, Teller(watched.game.ruleset, "zh", watched.names)).rows
    assert [row.reason for row in rows] == ["", "late"]


@RULESETS
def test_every_meld_of_a_game_is_called_by_name(database: Database, ruleset: Ruleset) -> None:
    club, account = club_with()
    game_id = record_game(ruleset, club, hands=3, seed="melds")
    watched = watched_by(game_id, account)
    for language in ("zh", "en"):
        teller = Teller(ruleset, language, watched.names, watched.game.options)
        kinds = {
            meld["kind"]
            for hand in range(1, watched.game.hand + 1)
            for seat in (frames_of(watched, hand).last or {"table": {"seats": []}})["table"][
                "seats"
            ]
            for meld in seat["melds"]
        }
        assert kinds <= teller.melds.keys()


def test_a_hand_that_waits_to_be_settled_says_so(database: Database) -> None:
    club, account = club_with()
    told = RecordedGame(club_id=club.pk)
    told.play(1)
    watched = watched_by(told.id, account)
    panel = hand_panel(watched, 1, Teller(watched.game.ruleset, "en", watched.names))
    assert panel is not None
    assert panel.pending
