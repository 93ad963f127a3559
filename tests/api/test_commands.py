"""simulate, import, export and verify_export, as a person uses them."""

import io
import subprocess
import sys
from pathlib import Path
from typing import Any
from uuid import UUID

import msgspec
import pytest
from django.core.management import CommandError, call_command

from records import reader
from records.ledger import (
    settlement_of_game,
)
from records.models import Club, Event, Game, Player
from tests.support.databases import Database

ROOT = Path(__file__).resolve().parents[2]


def run(command: str, *arguments: Any, **options: Any) -> str:
    """What a command writes to its output."""
    output = io.StringIO()
    call_command(command, *arguments, stdout=output, stderr=io.StringIO(), **options)
    return output.getvalue()


def simulated(tmp_path: Path, *arguments: str) -> Path:
    """A file with simulated games."""
    file = tmp_path / f"games-{len(list(tmp_path.iterdir()))}.ndjson"
    file.write_text(run("simulate", "hefei", *arguments))
    return file


def imported(file: Path, *arguments: str) -> list[UUID]:
    """The games of a file, recorded."""
    return [UUID(line) for line in run("import", str(file), *arguments).split()]


def altered(file: Path, line: int, **fields: Any) -> Path:
    """The file with some fields of one line changed."""
    lines = file.read_bytes().splitlines()
    body = msgspec.json.decode(lines[line - 1]) | fields
    lines[line - 1] = msgspec.json.encode(body)
    other = file.with_name(f"altered-{line}-{file.name}")
    other.write_bytes(b"\n".join(lines) + b"\n")
    return other


def types_of(file: Path) -> list[str | None]:
    """The event types of a file by line."""
    return [msgspec.json.decode(line).get("type") for line in file.read_bytes().splitlines()]


def test_the_same_seed_gives_the_same_games(tmp_path: Path) -> None:
    first = run("simulate", "hefei", "--hands", "2", "--seed", "7")
    assert first == run("simulate", "hefei", "--hands", "2", "--seed", "7")
    assert first != run("simulate", "hefei", "--hands", "2", "--seed", "8")


def test_simulated_games_are_imported_and_settled(database: Database, tmp_path: Path) -> None:
    file = simulated(tmp_path, "--hands", "3", "--games", "2", "--lively", "--option", "cap=500")
    games = imported(file)
    assert len(games) == 2
    for game_id in games:
        game = reader.game_at(game_id)
        assert game.hand == 3
        assert game.ended
        assert game.options.cap == 500
        hands = settlement_of_game(game_id)
        assert [hand.hand for hand in hands] == [1, 2, 3]
    assert Club.objects.get(slug="imports").players.count() >= 4
    assert {"Lin", "Zhao", "Chen", "Wang"} <= set(Player.objects.values_list("name", flat=True))


def test_importing_a_file_again_records_nothing_twice(database: Database, tmp_path: Path) -> None:
    file = simulated(tmp_path, "--hands", "2")
    games = imported(file)
    count = Event.objects.count()
    assert imported(file) == games
    assert Event.objects.count() == count
    assert Game.objects.count() == 1


def test_a_longer_file_of_the_same_game_adds_what_is_new(
    database: Database, tmp_path: Path
) -> None:
    whole = simulated(tmp_path, "--hands", "2")
    lines = whole.read_bytes().splitlines(keepends=True)
    part = tmp_path / "part.ndjson"
    part.write_bytes(b"".join(lines[:40]))
    (game_id,) = imported(part)
    assert reader.head(game_id)[0] == 39
    assert imported(whole) == [game_id]
    assert reader.head(game_id)[0] == len(lines) - 1


def test_what_is_legal_before_an_illegal_line_stays(database: Database, tmp_path: Path) -> None:
    whole = simulated(tmp_path, "--hands", "2")
    number = types_of(whole).index("discard", 60) + 1
    bad = altered(whole, number, seat=9)
    with pytest.raises(CommandError, match=rf"line {number}: game .* seq {number - 1}: .*seat"):
        run("import", str(bad))
    game = Game.objects.get()
    assert reader.head(game.id)[0] == number - 2
    assert imported(whole) == [game.id]
    assert reader.game_at(game.id).ended


def test_an_illegal_event_is_named_by_line_seq_rule_and_reason(
    database: Database, tmp_path: Path
) -> None:
    whole = simulated(tmp_path, "--hands", "1")
    number = types_of(whole).index("draw", 20) + 1
    body = msgspec.json.decode(whole.read_bytes().splitlines()[number - 1])
    bad = altered(whole, number, seat=(body["seat"] + 1) % 4)
    message = (
        rf"line {number}: game hefei-1-1-\w+ seq {number - 1}: HF-17: .*draws next. \(not_your_turn"
    )
    with pytest.raises(CommandError, match=message):
        run("import", str(bad))
    assert reader.head(Game.objects.get().id)[0] == number - 2


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b"{", "line 1: .*bad_line"),
        (b'{"game": "g", "seq": "x", "type": "draw"}', "line 1: .*bad_line"),
        (b'{"game": "g", "seq": 2, "type": "draw"}', "line 1: game g seq 2: .*without gaps"),
        (b'{"game": "g", "seq": 1, "type": "draw"}', "line 1: game g seq 1: .*invalid_event"),
        (b'{"game": "g", "seq": 1, "type": "pass", "seat": 0}', "game_not_started"),
        (b'{"game": "g", "seq": 1, "type": "nonsense"}', "unknown_event_type"),
        (b'{"format": "other", "game": "g"}', "line 1: .*known is 'paipu/1'"),
        (
            b'{"game":"g","seq":1,"type":"game_started","ruleset":"none","ruleset_version":1}',
            "unknown_ruleset",
        ),
    ],
)
def test_a_line_that_is_no_event_is_named(
    database: Database, tmp_path: Path, line: bytes, message: str
) -> None:
    file = tmp_path / "bad.ndjson"
    file.write_bytes(line + b"\n")
    with pytest.raises(CommandError, match=message):
        run("import", str(file))
    assert Game.objects.count() == 0


def test_a_file_that_contradicts_the_record_is_refused(database: Database, tmp_path: Path) -> None:
    whole = simulated(tmp_path, "--hands", "1")
    imported(whole)
    number = types_of(whole).index("discard") + 1
    body = msgspec.json.decode(whole.read_bytes().splitlines()[number - 1])
    bad = altered(whole, number, drawn=not body["drawn"])
    with pytest.raises(CommandError, match=rf"line {number}: .*already_recorded"):
        run("import", str(bad))


def test_an_export_verifies_offline_and_imports_again(database: Database, tmp_path: Path) -> None:
    (game_id,) = imported(simulated(tmp_path, "--hands", "2", "--lively"))
    file = tmp_path / "export.ndjson"
    file.write_text(run("export", str(game_id)))
    events = reader.head(game_id)[0]
    assert run("verify_export", str(file)) == f"1 games, {events} events: intact\n"
    (copy,) = imported(file, "--club", "second")
    assert copy != game_id
    assert reader.head(copy)[0] == events
    assert reader.game_at(copy).last.facts == reader.game_at(game_id).last.facts
    assert run("export", "--club", "second").count("\n") == events + 1
    assert run("export", "--all").count("\n") == 2 * events + 2


def test_an_altered_export_is_named_by_its_first_altered_seq(
    database: Database, tmp_path: Path
) -> None:
    (game_id,) = imported(simulated(tmp_path, "--hands", "1"))
    file = tmp_path / "export.ndjson"
    file.write_text(run("export", str(game_id)))
    number = types_of(file).index("draw") + 1
    body = msgspec.json.decode(file.read_bytes().splitlines()[number - 1])
    opening = body["openings"]["tile"]
    other = "2m" if opening["value"] != "2m" else "3m"
    bad = altered(file, number, openings={"tile": {**opening, "value": other}})
    output = io.StringIO()
    with pytest.raises(CommandError, match="1 not as recorded"):
        call_command("verify_export", str(bad), stdout=output)
    assert f"{game_id} seq {number - 1}: commitment" in output.getvalue()


def test_an_export_with_withheld_items_verifies_but_cannot_be_recorded_again(
    database: Database, tmp_path: Path
) -> None:
    (game_id,) = imported(simulated(tmp_path, "--hands", "1"))
    file = tmp_path / "export.ndjson"
    file.write_text(run("export", str(game_id)))
    number = types_of(file).index("draw") + 1
    redacted = altered(file, number, openings={})
    assert "intact" in run("verify_export", str(redacted))
    with pytest.raises(CommandError, match="items_withheld"):
        run("import", str(redacted), "--club", "second")


def test_plain_lines_cannot_be_verified(tmp_path: Path) -> None:
    file = simulated(tmp_path, "--hands", "1")
    with pytest.raises(CommandError, match="line 2: a plain line has no hash"):
        run("verify_export", str(file))


def test_blank_lines_mean_nothing(database: Database, tmp_path: Path) -> None:
    file = simulated(tmp_path, "--hands", "1")
    spaced = tmp_path / "spaced.ndjson"
    spaced.write_bytes(file.read_bytes().replace(b"\n", b"\n\n"))
    (game_id,) = imported(spaced)
    spaced.write_text(run("export", str(game_id)).replace("\n", "\n\n"))
    assert "intact" in run("verify_export", str(spaced))


def test_a_sealed_line_that_is_no_event_of_the_ruleset_is_refused(
    database: Database, tmp_path: Path
) -> None:
    (game_id,) = imported(simulated(tmp_path, "--hands", "1"))
    file = tmp_path / "export.ndjson"
    file.write_text(run("export", str(game_id)))
    number = types_of(file).index("discard") + 1
    for fields, code in (
        ({"type": "sing"}, "unknown_event_type"),
        ({"public": {"seat": 9}}, "invalid_event"),
    ):
        with pytest.raises(CommandError, match=code):
            run("import", str(altered(file, number, **fields)), "--club", code.replace("_", "-"))


def test_a_time_that_cannot_be_stored_is_refused_with_its_hand(
    database: Database, tmp_path: Path
) -> None:
    file = simulated(tmp_path, "--hands", "1", "--start-ms", "1764500000000")
    first = types_of(file).index("hand_started") + 1
    with pytest.raises(CommandError, match=rf"line {first}: game \S+ seq {first - 1}: "):
        run("import", str(altered(file, first, occurred_at_ms=2**70)))
    (game_id,) = imported(file, "--no-settle")
    stored = list(reader.events_of(game_id))
    assert stored[0].occurred_at_ms == 1764500000000
    assert stored[1].occurred_at_ms == 1764500003000
    assert not settlement_of_game(game_id)


def test_a_club_name_that_cannot_be_is_refused(database: Database, tmp_path: Path) -> None:
    file = simulated(tmp_path, "--hands", "1")
    with pytest.raises(CommandError, match="username"):
        run("import", str(file), "--owner", "no spaces allowed")


def test_a_line_without_end_is_refused(database: Database, tmp_path: Path) -> None:
    file = tmp_path / "long.ndjson"
    file.write_bytes(b'{"game": "' + b"x" * 1_000_000 + b'"}')
    with pytest.raises(CommandError, match="at most 1000000 bytes"):
        run("import", str(file))


def test_games_of_one_stream_may_be_mixed(database: Database, tmp_path: Path) -> None:
    one = simulated(tmp_path, "--hands", "1", "--seed", "1").read_bytes().splitlines(keepends=True)
    two = simulated(tmp_path, "--hands", "1", "--seed", "2").read_bytes().splitlines(keepends=True)
    mixed = tmp_path / "mixed.ndjson"
    pairs = zip(one, two, strict=False)
    short = min(len(one), len(two))
    rest = one[short:] + two[short:]
    mixed.write_bytes(b"".join(line for pair in pairs for line in pair) + b"".join(rest))
    games = imported(mixed)
    assert sorted(reader.head(game_id)[0] for game_id in games) == sorted(
        [len(one) - 1, len(two) - 1]
    )


@pytest.mark.slow
def test_the_commands_work_as_a_pipe_of_processes(database: Database) -> None:
    pipe = (
        f"{sys.executable} manage.py simulate hefei --hands 2 --seed 7"
        f" | {sys.executable} manage.py import -"
    )
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", pipe],
        cwd=ROOT,
        env=database.environment,
        capture_output=True,
        text=True,
        check=True,
    )
    game_id = UUID(done.stdout.strip())
    assert "new account imports, password" in done.stderr
    assert len(settlement_of_game(game_id)) == 2


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nope"], "no ruleset 'nope'"),
        (["hefei", "--preset", "nope"], "no preset 'nope'"),
        (["hefei", "--option", "nope"], "not NAME=VALUE"),
        (["hefei", "--option", "nope=1"], "no option 'nope'"),
        (["hefei", "--option", "cap=-1"], "Option cap cannot be -1"),
        (["hefei", "--post", "http://127.0.0.1:9"], "--post needs --token and --club"),
        (
            ["hefei", "--post", "http://127.0.0.1:9", "--token", "t", "--club", "c"],
            "does not answer",
        ),
        (["hefei", "--post", "file:///x", "--token", "t", "--club", "c"], "not the address"),
    ],
)
def test_simulate_says_what_is_wrong_with_its_arguments(arguments: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        run("simulate", *arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "Name games, or one of"),
        (["--all", "--club", "x"], "Name games, or one of"),
        (["--club", "nope"], "no club 'nope'"),
        (["01890000-0000-7000-8000-000000000000"], "There is no game"),
    ],
)
def test_export_says_what_is_wrong_with_its_arguments(
    database: Database, arguments: list[str], message: str
) -> None:
    with pytest.raises(CommandError, match=message):
        run("export", *arguments)


def test_a_file_that_is_not_there_is_named(database: Database) -> None:
    with pytest.raises(CommandError, match=r"nowhere\.ndjson cannot be read"):
        run("import", "nowhere.ndjson")
