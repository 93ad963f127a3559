"""`manage.py season`: a club's seasons from the command line."""

import io

import pytest
from django.core.management import CommandError, call_command

from records.clubs import create_club
from records.models import Account

pytestmark = pytest.mark.usefixtures("database")


@pytest.fixture
def slug() -> str:
    """A club by its slug."""
    owner = Account.objects.create(username="owner")
    return create_club(owner=owner, name="Club", slug="club", time_zone="Asia/Shanghai").slug


def run(*arguments: str) -> str:
    """What the command printed."""
    output = io.StringIO()
    call_command("season", *arguments, stdout=output)
    return output.getvalue()


def test_seasons_are_kept_from_the_command_line(slug: str) -> None:
    assert "planned 2026-02-01 to 2026-02-28 (Asia/Shanghai)  Winter, closes 2026-03-01" in run(
        "create", slug, "Winter", "2026-02-01", "2026-02-28"
    )
    run("create", slug, "Spring", "2026-03-01", "2026-03-31", "--closes-after-h", "-1")
    assert run("open", slug, "Winter").startswith("open ")
    assert run("close", slug, "Winter").startswith("closed ")
    assert run("reopen", slug, "Winter").startswith("open ")
    assert [line.split()[0] for line in run("list", slug).splitlines()] == ["open", "planned"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["list", "nowhere"], "no club 'nowhere'"),
        (["open", "{club}", "Winter"], "no season 'Winter'"),
        (["create", "{club}", "Winter", "2026-02-02", "2026-02-01"], "ends on the day it starts"),
        (["create", "{club}", "Winter", "2026-02-02", "tomorrow"], "tomorrow"),
        (
            ["create", "{club}", "Winter", "2026-02-02", "2026-02-03", "--closes-after-h", "9999"],
            "2160 at most",
        ),
    ],
)
def test_the_command_says_what_is_wrong(slug: str, arguments: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        run(*[argument.format(club=slug) for argument in arguments])
