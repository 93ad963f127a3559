"""Files of many games: received as they come, recorded by the workers, told about line by line."""

import gzip
import hashlib
import threading
from collections.abc import Iterable
from random import Random
from typing import Any
from uuid import uuid4

import msgspec
import pytest
from django.db import connection, connections, transaction

from api.bulk import receiving, working
from api.exchange.lines import header_line, plain_line
from api.models import Import, ImportedGame, ImportPart
from api.simulation.games import new_player, simulate
from records.models import Game, Player, Role
from rules_engine import registry
from rules_engine.events import HandVoided
from tests.support.people import ClubHouse
from tests.support.problems import refused

PEOPLE = ("East", "South", "West", "North")


@pytest.fixture(autouse=True)
def nothing_waits(house: ClubHouse) -> None:
    """What tests before have left does not count here."""
    del house
    for file in Import.objects.filter(ended_at=None):
        receiving.cancel(file)


def game(name: str, *, hands: int = 2, seed: int = 1) -> list[bytes]:
    """The lines of a simulated game, the header first."""
    rng = Random(f"{name} {seed}")
    players = [new_player(Random(f"import {person}")) for person in PEOPLE]
    ruleset = registry.latest()[seed % len(registry.latest())]
    lines = [header_line(game=name, title=name, players=dict(zip(players, PEOPLE, strict=True)))]
    events = simulate(ruleset, options=ruleset.options(), hands=hands, rng=rng, players=players)
    return lines + [plain_line(game=name, seq=seq, event=event) for seq, event in events]


def send(
    house: ClubHouse, lines: Iterable[bytes], *, key: str | None = None, **headers: str
) -> Any:
    body = b"".join(lines)
    headers = {"content_type": "application/x-ndjson", **headers}
    if headers.get("content_encoding") == "gzip":
        body = gzip.compress(body)
    return house.owner.post(f"clubs/{house.club.pk}/imports", body, key=key, **headers)


def sent(house: ClubHouse, lines: Iterable[bytes], **more: Any) -> dict[str, Any]:
    answer = send(house, lines, **more)
    assert answer.status_code == 202, answer.content
    shown: dict[str, Any] = answer.json()
    assert answer["Location"] == f"/api/v1/imports/{shown['id']}"
    return shown


def shown(house: ClubHouse, file: dict[str, Any]) -> dict[str, Any]:
    answer = house.owner.get(f"imports/{file['id']}")
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


def faults(house: ClubHouse, file: dict[str, Any]) -> list[dict[str, Any]]:
    items: list[dict[str, Any]] = house.owner.get(f"imports/{file['id']}/faults").json()["items"]
    return items


def work() -> int:
    return working.work(budget_s=60)


def test_a_file_of_several_games_is_recorded_and_its_progress_told(house: ClubHouse) -> None:
    games = [game(f"g{n}", seed=n) for n in range(5)]
    lines = [line for each in games for line in each]
    file = sent(house, lines)
    assert file["state"] == "working"
    assert file["lines"] == len(lines)
    assert file["sha256"] == hashlib.sha256(b"".join(lines)).hexdigest()
    assert file["progress"]["waiting"] == file["progress"]["games"] == 5
    assert work() == 5
    after = shown(house, file)
    assert after["state"] == "ended"
    assert after["progress"] == {
        "games": 5,
        "waiting": 0,
        "recorded": 5,
        "refused": 0,
        "cancelled": 0,
        "events": sum(len(each) - 1 for each in games),
        "faults": 0,
    }
    assert not ImportPart.objects.filter(game__file=file["id"]).exists()
    assert Game.objects.filter(club_id=house.club.pk).count() == 5
    assert set(PEOPLE) <= set(Player.objects.filter(club=house.club).values_list("name", flat=True))


def test_lines_of_several_games_may_be_mixed(house: ClubHouse) -> None:
    first, second = game("one", seed=1), game("two", seed=2)
    mixed = [line for pair in zip(first, second, strict=False) for line in pair]
    mixed += first[len(second) :] + second[len(first) :]
    file = sent(house, mixed)
    work()
    assert shown(house, file)["progress"]["recorded"] == 2
    assert faults(house, file) == []


def test_what_is_held_in_memory_does_not_grow_with_the_file(
    house: ClubHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receiving, "BUFFER_BYTES", 2_000)
    monkeypatch.setattr(receiving, "CHUNK_BYTES", 700)
    lines = game("long", hands=3)
    file = sent(house, lines)
    assert ImportPart.objects.filter(game__file=file["id"]).count() > 5
    work()
    assert shown(house, file)["progress"]["events"] == len(lines) - 1


def test_the_lines_of_a_game_are_read_without_a_cursor_that_stays_open(
    house: ClubHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receiving, "BUFFER_BYTES", 2_000)
    monkeypatch.setattr(receiving, "CHUNK_BYTES", 700)
    lines = game("long", hands=3)
    file = sent(house, lines)
    with transaction.atomic():
        reading = working._lines(ImportedGame.objects.get(file=file["id"]))
        assert next(reading) == (1, lines[0].rstrip(b"\n"))
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_cursors WHERE name LIKE '%django%'")
            assert cursor.fetchone() == (0,)
        assert [number for number, _ in reading] == list(range(2, len(lines) + 1))


def test_a_packed_file_is_unpacked(house: ClubHouse) -> None:
    lines = game("packed")
    file = sent(house, lines, content_encoding="gzip")
    assert file["size_bytes"] == sum(map(len, lines))
    work()
    assert shown(house, file)["progress"]["recorded"] == 1


def test_a_game_is_recorded_up_to_its_first_line_that_is_not_legal(house: ClubHouse) -> None:
    good, bad = game("good", seed=1), game("bad", seed=2)
    del bad[20]
    file = sent(house, bad + good)
    work()
    after = shown(house, file)
    assert after["state"] == "ended"
    assert after["progress"]["recorded"] == after["progress"]["refused"] == 1
    (fault,) = faults(house, file)
    assert fault["line"] == 21
    assert fault["game"] == "bad"
    assert fault["seq"] == 21
    assert fault["code"] == "wrong_seq"
    recorded = ImportedGame.objects.get(file=file["id"], name="bad")
    assert recorded.events == 19
    assert recorded.game_id is not None


def test_a_broken_rule_is_named_with_line_seq_rule_and_reason(house: ClubHouse) -> None:
    lines = game("wrong", seed=1)
    for place, line in enumerate(lines):
        body = msgspec.json.decode(line)
        if body.get("type") == "discard":
            lines[place] = msgspec.json.encode({**body, "seat": (body["seat"] + 1) % 4}) + b"\n"
            break
    file = sent(house, lines)
    work()
    (fault,) = faults(house, file)
    assert fault["line"] == place + 1
    assert fault["seq"] == body["seq"]
    assert fault["code"] == "not_your_turn" or fault["code"].endswith("turn"), fault
    assert fault["message"]
    assert {"expected", "actual"} <= set(fault["facts"])


def test_lines_that_belong_to_no_game_are_told_and_the_others_recorded(house: ClubHouse) -> None:
    lines = [b"not json\n", b'{"seq": 1}\n', b"\n", b'{"game": "\xff"}\n', *game("fine")]
    file = sent(house, lines)
    work()
    assert [fault["line"] for fault in faults(house, file)] == [1, 2, 4]
    assert {fault["code"] for fault in faults(house, file)} == {"bad_line"}
    assert shown(house, file)["progress"]["recorded"] == 1


def test_the_report_of_faults_is_to_be_had_whole(house: ClubHouse) -> None:
    file = sent(house, [b"%d\n" % n for n in range(300)])
    answer = house.owner.get(f"imports/{file['id']}/faults", accept="application/x-ndjson")
    lines = b"".join(answer.streaming_content).splitlines()
    assert [msgspec.json.decode(line)["line"] for line in lines] == list(range(1, 301))
    assert "attachment" in answer["Content-Disposition"]
    assert shown(house, file)["state"] == "ended"


def test_a_game_without_events_is_a_fault(house: ClubHouse) -> None:
    file = sent(house, game("empty")[:1])
    work()
    (fault,) = faults(house, file)
    assert (fault["line"], fault["code"]) == (1, "game_not_started")


def test_the_same_file_again_records_nothing_twice_and_a_longer_one_what_is_new(
    house: ClubHouse,
) -> None:
    lines = game("again", hands=3)
    half = lines[: len(lines) // 2]
    sent(house, half)
    work()
    before = ImportedGame.objects.get(file__club=house.club)
    again = sent(house, half)
    longer = sent(house, lines)
    work()
    assert shown(house, again)["progress"]["events"] == before.events
    assert shown(house, longer)["progress"]["events"] == len(lines) - 1
    assert Game.objects.filter(club_id=house.club.pk).count() == 1


def test_a_key_used_again_for_the_same_file_is_the_same_import(house: ClubHouse) -> None:
    key = str(uuid4())
    first = send(house, game("once"), key=key)
    again = send(house, game("once"), key=key, content_encoding="gzip")
    assert again["Idempotent-Replayed"] == "true"
    assert again.json()["id"] == first.json()["id"]
    assert Import.objects.filter(club=house.club).count() == 1


def test_a_key_used_again_for_another_file_is_refused(house: ClubHouse) -> None:
    key = str(uuid4())
    sent(house, game("first"), key=key)
    refused(send(house, game("second"), key=key), 422, "idempotency_key_reused")


def test_a_file_that_broke_off_is_sent_again(house: ClubHouse) -> None:
    key = str(uuid4())
    lines = game("broken", hands=2)
    packed = gzip.compress(b"".join(lines))[:-30]
    broken = house.owner.post(
        f"clubs/{house.club.pk}/imports",
        packed,
        key=key,
        content_type="application/x-ndjson",
        content_encoding="gzip",
    )
    refused(broken, 422, "bad_file")
    assert work() == 0
    (left,) = house.owner.get(f"clubs/{house.club.pk}/imports").json()["items"]
    assert left["state"] == "receiving"
    file = sent(house, lines, key=key)
    assert file["id"] == left["id"]
    work()
    assert shown(house, file)["progress"]["events"] == len(lines) - 1


def test_what_is_no_gzip_too_large_or_one_endless_line_is_refused(
    house: ClubHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"clubs/{house.club.pk}/imports"
    kind = {"content_type": "application/x-ndjson"}
    refused(house.owner.post(path, b"x", content_encoding="gzip", **kind), 422, "bad_file")
    refused(house.owner.post(path, b"x" * 1_100_000, **kind), 422, "bad_file")
    bomb = gzip.compress(b"\n" * 5_000_000)
    monkeypatch.setattr(receiving, "FILE_BYTES_MAX", 1_000_000)
    refused(house.owner.post(path, bomb, content_encoding="gzip", **kind), 422, "bad_file")
    code = "unsupported_media_type"
    refused(house.owner.post(path, b"x", content_encoding="br", **kind), 415, code)
    refused(house.owner.post(path, b"{}"), 415, code)
    assert not ImportedGame.objects.filter(file__club=house.club).exists()


def test_a_cancelled_import_records_no_more_and_keeps_what_is_recorded(house: ClubHouse) -> None:
    file = sent(house, [line for n in range(3) for line in game(f"c{n}", seed=n)])
    assert working.work_one()
    answer = house.owner.delete(f"imports/{file['id']}")
    assert answer.status_code == 200, answer.content
    assert answer.json()["state"] == "cancelled"
    assert work() == 0
    after = shown(house, file)
    assert (after["progress"]["recorded"], after["progress"]["cancelled"]) == (1, 2)
    assert Game.objects.filter(club_id=house.club.pk).count() == 1


@pytest.mark.parametrize("role", [Role.PLAYER, Role.VIEWER, Role.REFEREE])
def test_who_may_not_record_may_not_import(house: ClubHouse, role: Role) -> None:
    member = house.member(role)
    file = sent(house, game("theirs"))
    path = f"clubs/{house.club.pk}/imports"
    refused(member.post(path, b"", content_type="application/x-ndjson"), 403, "permission_denied")
    refused(member.get(f"imports/{file['id']}"), 403, "permission_denied")
    refused(member.get(f"imports/{file['id']}/faults"), 403, "permission_denied")


def test_an_import_of_another_club_does_not_exist(house: ClubHouse) -> None:
    file = sent(house, game("hidden"))
    stranger = ClubHouse().owner
    for path in (f"imports/{file['id']}", f"imports/{uuid4()}", f"imports/{uuid4()}/faults"):
        refused(stranger.get(path), 404, "not_found")


def test_a_worker_killed_in_the_middle_of_a_game_leaves_it_waiting(house: ClubHouse) -> None:
    lines = game("killed", hands=2)
    file = sent(house, lines)
    real = working._finish

    def die(*_: Any) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    working._finish = die
    try:
        with pytest.raises(Exception, match=r"terminat|closed"):
            work()
    finally:
        working._finish = real
        connection.close()
    assert shown(house, file)["progress"]["waiting"] == 1
    assert not Game.objects.filter(club_id=house.club.pk).exists()
    assert work() == 1
    assert shown(house, file)["progress"]["events"] == len(lines) - 1


def test_an_import_ends_with_its_last_game_whoever_records_it(house: ClubHouse) -> None:
    count = 12
    file = sent(house, [line for n in range(count) for line in game(f"w{n}", hands=1, seed=n)])
    done: list[int] = []

    def worker() -> None:
        try:
            done.append(work())
        finally:
            connections.close_all()

    workers = [threading.Thread(target=worker) for _ in range(4)]
    for each in workers:
        each.start()
    for each in workers:
        each.join()
    assert sum(done) == count
    after = shown(house, file)
    assert after["state"] == "ended"
    assert after["progress"]["recorded"] == count
    assert Game.objects.filter(club_id=house.club.pk).count() == count
    assert Player.objects.filter(club=house.club, name__in=PEOPLE).count() == len(PEOPLE)


def test_a_fault_of_ours_in_one_game_does_not_stop_the_others(
    house: ClubHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = working.import_game

    def broken(lines: Any, *, name: str, **others: Any) -> Any:
        if name == "cursed":
            raise ZeroDivisionError("the engine's own mistake")
        return real(lines, name=name, **others)

    monkeypatch.setattr(working, "import_game", broken)
    file = sent(house, game("cursed", seed=1) + game("blessed", seed=2))
    work()
    (fault,) = faults(house, file)
    assert (fault["code"], fault["line"], fault["game"]) == ("internal_error", 1, "cursed")
    assert shown(house, file)["progress"]["recorded"] == 1


@pytest.mark.parametrize(("role", "allowed"), [(Role.RECORDER, False), (Role.OWNER, True)])
def test_rulings_in_a_file_need_the_right_to_rule(
    house: ClubHouse, role: Role, *, allowed: bool
) -> None:
    member = house.owner if role == Role.OWNER else house.member(role)
    lines = game("ruled", hands=1)
    seq = len(lines)
    voided = HandVoided(hand=1, reason="played with a foreign tile")
    body = b"".join([*lines, plain_line(game="ruled", seq=seq, event=voided)])
    answer = member.post(
        f"clubs/{house.club.pk}/imports", body, content_type="application/x-ndjson"
    )
    work()
    codes = [fault["code"] for fault in faults(house, answer.json())]
    assert codes == ([] if allowed else ["ruling_not_allowed"])
    recorded = ImportedGame.objects.get(file=answer.json()["id"])
    assert recorded.events == seq - (not allowed)
