"""Stories of a club's files: games that are brought in, and what is taken out."""

from __future__ import annotations

import re
from random import Random

from playwright.sync_api import expect

from api.bulk import working
from api.exchange.lines import header_line, plain_line
from api.simulation.games import new_player, simulate
from records.models import Club, Player
from rules_engine import registry
from tests.browser.readers import IN_BOTH, Reader


@IN_BOTH
def test_a_file_is_sent_and_its_refused_lines_are_told(reader: Reader, club: Club) -> None:
    page, words = reader.page, reader.words
    reader.go(f"clubs/{club.slug}/imports")
    page.locator("#file").set_input_files(
        {"name": "games.ndjson", "mimeType": "application/x-ndjson", "buffer": b'{"game": 1}\n'}
    )
    reader.press("import_send")
    page.wait_for_url(re.compile(r"/imports/[0-9a-f-]{36}$"))
    refused = page.locator("section[aria-labelledby=faults] li")
    expect(refused).to_contain_text("bad_line")
    expect(page.locator("[data-count=faults]")).to_have_text("1")
    expect(page.get_by_text(words["import_ended"])).to_be_visible()


def games_file(count: int) -> list[bytes]:
    """The lines of simulated games between four people, a hand each."""
    players = [new_player(Random(f"browser {seat}")) for seat in range(4)]
    names = dict(zip(players, "甲乙丙丁", strict=True))
    lines = []
    for number in range(count):
        ruleset, name = registry.latest()[0], f"g{number}"
        lines.append(header_line(game=name, title=f"第 {number} 场", players=names))
        events = simulate(
            ruleset, options=ruleset.options(), hands=1, rng=Random(name), players=players
        )
        lines += [plain_line(game=name, seq=seq, event=event) for seq, event in events]
    return lines


@IN_BOTH
def test_a_file_of_several_games_is_followed_to_its_end_and_its_games_are_opened(
    reader: Reader, club: Club, complaints: list[str]
) -> None:
    page, words = reader.page, reader.words
    lines = games_file(3)
    # Of the third game only the header and the first event are left, then a line that is no event.
    third = next(at for at, line in enumerate(lines) if b'"g2"' in line)
    lines = [*lines[: third + 2], b'{"game": "g2", "seq": 2, "type": "hand_ended"}\n']
    reader.go(f"clubs/{club.slug}/imports")
    file = {"name": "games.ndjson", "mimeType": "application/x-ndjson", "buffer": b"".join(lines)}
    page.locator("#file").set_input_files(file)
    reader.press("import_send")
    page.wait_for_url(re.compile(r"/imports/[0-9a-f-]{36}$"))
    expect(page.locator("[data-count=waiting]")).to_have_text("3")
    working.work_one()
    expect(page.locator("[data-count=waiting]")).to_have_text("2")
    expect(page.locator("[data-count=recorded]")).to_have_text("1")
    with page.expect_event("load"):
        working.work()
    expect(page.get_by_text(words["import_ended"])).to_be_visible()
    refused = page.locator("section[aria-labelledby=faults] li")
    expect(refused).to_have_count(1)
    if reader.language == "zh-Hans":
        expect(refused).to_contain_text("事件格式不对")
    with page.expect_download() as coming:
        page.get_by_role("link", name="CSV").click()
    assert "g2" in coming.value.path().read_text(encoding="utf-8")
    games = page.locator("section[aria-labelledby=games] li")
    expect(games.first).to_contain_text(words["import_refused_from"])
    games.nth(1).get_by_role("link").click()
    page.wait_for_url(re.compile("/games/"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("第 0 场")
    assert complaints == []


@IN_BOTH
def test_an_export_has_only_the_choices_that_were_made(reader: Reader, club: Club) -> None:
    page = reader.page
    reader.go(f"clubs/{club.slug}/exports")
    for kind in ("standings", "games", "logs"):
        with page.expect_download() as coming:
            page.locator(f"form:has(input[value={kind}]) button").click()
        assert coming.value.suggested_filename.startswith(club.slug)


@IN_BOTH
def test_a_statement_is_exported_by_the_players_name_and_an_unknown_name_is_told(
    reader: Reader, club: Club
) -> None:
    page, words = reader.page, reader.words
    Player.objects.create(club=club, name="甲 A")
    reader.go(f"clubs/{club.slug}/exports")
    page.locator("#statement-whose").fill("<b>nobody</b>")
    page.locator("form:has(input[value=statement]) button").click()
    expect(page.locator("#statement-unknown")).to_have_text(words["no_such_player"])
    expect(page.locator("#statement-whose")).to_have_value("<b>nobody</b>")
    page.locator("#statement-whose").fill("甲 A")
    with page.expect_download():
        page.locator("form:has(input[value=statement]) button").click()
