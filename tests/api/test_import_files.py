"""Files of games as programs write them: packed, marked, cut, far too large; and their report."""

import csv
import gzip
import io
import tracemalloc
from typing import Any

import msgspec
import pytest

from api.bulk import receiving
from api.models import ImportedGame
from tests.api.test_imports import faults, game, sent, shown, work
from tests.support.people import ClubHouse
from tests.support.problems import refused

KIND = {"content_type": "application/x-ndjson", "content_encoding": "gzip"}


def post(house: ClubHouse, packed: bytes) -> Any:
    return house.owner.post(f"clubs/{house.club.pk}/imports", packed, **KIND)


@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b"mixed"])
@pytest.mark.parametrize("begins", [b"", b"\xef\xbb\xbf"])
def test_line_endings_and_a_byte_order_mark_make_no_difference(
    house: ClubHouse, ending: bytes, begins: bytes
) -> None:
    lines = game("marked", seed=3)
    if ending != b"\n":
        lines = [
            line.rstrip(b"\n") + (b"\r\n" if ending == b"\r\n" or number % 2 else b"\n")
            for number, line in enumerate(lines)
        ]
    lines[0] = begins + lines[0]
    lines[-1] = lines[-1].rstrip()
    file = sent(house, lines)
    work()
    assert faults(house, file) == []
    assert shown(house, file)["progress"]["events"] == len(lines) - 1


def test_a_gzip_file_of_several_parts_is_read_to_its_end(house: ClubHouse) -> None:
    games = [game(f"part{n}", seed=n) for n in range(3)]
    answer = post(house, b"".join(gzip.compress(b"".join(lines)) for lines in games))
    assert answer.status_code == 202, answer.content
    work()
    progress = shown(house, answer.json())["progress"]
    assert (progress["recorded"], progress["faults"]) == (3, 0)


@pytest.mark.parametrize("cut", [1, 9, 200])
def test_a_gzip_file_that_is_cut_is_refused_and_nothing_of_it_recorded(
    house: ClubHouse, cut: int
) -> None:
    whole = gzip.compress(b"".join(game("one", seed=1))) + gzip.compress(b"".join(game("two")))
    refused(post(house, whole[:-cut]), 422, "bad_file")
    work()
    assert not ImportedGame.objects.filter(file__club=house.club).exists()


def test_what_follows_a_gzip_file_and_is_none_is_refused(house: ClubHouse) -> None:
    refused(post(house, gzip.compress(b"{}\n") + b"and so on"), 422, "bad_file")


def test_a_file_that_unpacks_to_far_more_than_games_do_is_refused(house: ClubHouse) -> None:
    answer = post(house, gzip.compress(b"\n" * 3_000_000))
    refused(answer, 422, "bad_file")
    assert f"{receiving.RATIO_MAX} times" in answer.json()["detail"]


def test_a_file_is_received_in_a_part_of_its_size_of_memory(
    house: ClubHouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(receiving, "BUFFER_BYTES", 200_000)
    monkeypatch.setattr(receiving, "CHUNK_BYTES", 32_000)
    lines = b"".join(game("many", hands=2))
    parts = [lines.replace(b'"game":"many"', b'"game":"n%d"' % n) for n in range(250)]
    packed = gzip.compress(b"".join(parts))
    size = sum(map(len, parts))
    del parts
    sent(house, game("first"), content_encoding="gzip")  # What is loaded once is loaded now.
    tracemalloc.start()
    file = post(house, packed).json()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (file["progress"]["games"], file["size_bytes"]) == (250, size)
    assert peak < size / 3, (peak, size)


def test_the_report_of_faults_is_a_table_too(house: ClubHouse) -> None:
    lines = game("bad", seed=2)
    del lines[20]
    file = sent(house, [b"=1+1\n", *lines])
    work()
    path = f"imports/{file['id']}/exports/faults"
    answer = house.owner.get(path)
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert f"faults-{file['id']}.csv" in answer["Content-Disposition"]
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["line"], row["game"], row["code"]) for row in rows] == [
        ("1", "", "bad_line"),
        ("22", "bad", "wrong_seq"),
    ]
    assert (rows[1]["expected"], rows[1]["actual"]) == ("20", "21")
    whole = b"".join(house.owner.get(f"{path}?format=ndjson").streaming_content)
    assert [msgspec.json.decode(line)["line"] for line in whole.splitlines()] == [1, 22]
    stranger = ClubHouse().owner
    refused(stranger.get(path), 404, "not_found")


def test_a_file_without_faults_has_a_report_without_lines(house: ClubHouse) -> None:
    file = sent(house, game("good", seed=1))
    work()
    answer = house.owner.get(f"imports/{file['id']}/exports/faults")
    text = b"".join(answer.streaming_content).decode("utf-8-sig")
    assert text == "line,game,seq,code,rule,message,expected,actual,facts\r\n"
