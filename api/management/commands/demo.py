"""`manage.py demo`: a club to look around in."""

import os
import secrets
from collections.abc import Iterator
from datetime import datetime, time, timedelta
from random import Random
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.core.management.base import BaseCommand, CommandError
from msgspec.structs import replace

from api.exchange import lines
from api.exchange.clubs import DEMO_OWNER
from api.exchange.importing import import_lines
from api.exchange.output import progress
from api.exchange.settling import settle_now
from api.simulation.bots import STYLES, seated
from api.simulation.games import CALM, LIVELY, simulate
from records.clubs import change_club, create_club, set_member
from records.errors import RecordsError
from records.models import Account, Club, Game, Role
from records.people import create_account
from records.players import add_player
from records.seasons import close_season, create_season, open_season
from rules_engine import registry
from rules_engine.errors import Violation
from rules_engine.events import Event, GameStarted, HandStarted, PlayerLeft, PlayerSeated
from rules_engine.fold import Numbered
from rules_engine.ruleset import Options, Ruleset, make_options

SLUG: Final = "demo"
PASSWORD_VARIABLE: Final = "PAIPU_DEMO_PASSWORD"  # noqa: S105 -- the variable's name
ACCOUNTS: Final = {
    DEMO_OWNER: Role.OWNER,
    "demo-referee": Role.REFEREE,
    "demo-recorder": Role.RECORDER,
    "demo-player": Role.PLAYER,
}
PLAYERS: Final = (
    *("陈志远", "林秀英", "王建国", "赵小燕", "周伟", "吴桂芳"),
    *("Anna Weber", "Li Ming", "Sun Lei", "He Jing", "Xu Tao", "Hu Ping"),
)
GUESTS: Final = ("刘洋", "黄丽华", "Guo Min", "郑晓东", "Ben Carter", "马春梅")
"""Who takes a seat in the middle of a game."""
PREFIX: Final = "demo:"
"""How the ids of people in its games begin."""
SEASONS: Final = (("第一赛季 Season 1", -8, -4), ("第二赛季 Season 2", -4, 3))
"""Their names, and the weeks from now in which they begin and end."""
GAMES: Final = 8
HANDS: Final = 6
LIVE_HAND: Final = 3
LIVE_EVENTS: Final = 20
"""Events of the live hand after its deal."""
EVENING: Final = time(19, 30)
BETWEEN_GAMES: Final = timedelta(days=55) / 40
"""So that the games of five rulesets fill both seasons up to now."""
PER_EVENT_MS: Final = 4_000


class Command(BaseCommand):
    """Makes the club once; again, it adds what is missing."""

    help = (
        "Make a demonstration club: four accounts, twelve players, finished games of every "
        "installed ruleset and one in the middle of a hand. The password is that of "
        f"{PASSWORD_VARIABLE}, or made up and printed when the demonstration is made."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Make what is missing."""
        try:
            club = self.club()
        except RecordsError as error:
            raise CommandError(error.message) from error
        games = Game.objects.filter(club_id=club.pk)
        # Only who saw it made to its end was told the password.
        fresh = games.count() <= GAMES
        if games.count() < (GAMES + 1) * len(registry.latest()):
            self.play(club)
            settle_now()
        if not club.seasons.exists():
            hold_seasons(club)
        password = os.environ.get(PASSWORD_VARIABLE)
        if fresh or password is not None:
            shown = self.let_in(password)
            self.stdout.write(f"sign in as {', '.join(ACCOUNTS)}; password {shown}")
        self.stdout.write(f"club {SLUG!r}: {games.count()} games")

    def let_in(self, password: str | None) -> str:
        """Give the accounts a password; gives what to tell people of it."""
        chosen = password or secrets.token_urlsafe(9)
        for account in Account.objects.filter(username__in=ACCOUNTS):
            account.set_password(chosen)
            account.save(update_fields=["password"])
        return chosen if password is None else f"that of {PASSWORD_VARIABLE}"

    def club(self) -> Club:
        """The club with its accounts and players."""
        accounts = {
            name: Account.objects.filter(username=name).first()
            or create_account(username=name, password=secrets.token_urlsafe(18))
            for name in ACCOUNTS
        }
        club = Club.objects.filter(slug=SLUG).first() or change_club(
            club=create_club(
                owner=accounts[DEMO_OWNER],
                name="Demonstration 示范牌社",
                slug=SLUG,
                time_zone="Asia/Shanghai",
            ),
            public_games=True,
            rated=True,
        )
        for name, role in ACCOUNTS.items():
            set_member(club=club, username=name, role=role)
        known = set(club.players.values_list("name", flat=True))
        for name in PLAYERS:
            if name not in known:
                first = name == PLAYERS[0]
                add_player(club=club, name=name, username="demo-player" if first else None)
        return club

    def play(self, club: Club) -> None:
        """Record the games, those there already found again."""
        with progress() as shown:
            task = shown.add_task("games")

            def tell(number: int, size: int, events: int) -> None:
                if events % 200 == 0:
                    shown.update(task, description=f"games, {events} events")

            for _ in import_lines(evenings(club), club=club, progress=tell):
                pass


def hold_seasons(club: Club) -> None:
    """The seasons in which the games were played: one over and closed, the next one under way."""
    today = club.created_at.astimezone(ZoneInfo(club.time_zone)).date()
    for name, begins, ends in SEASONS:
        season = create_season(
            club=club,
            name=name,
            starts_on=today + timedelta(weeks=begins, days=1),
            ends_on=today + timedelta(weeks=ends),
        )
        open_season(season)
        if ends < 0:
            close_season(season)


def evenings(club: Club) -> Iterator[bytes]:
    """The lines of all games in the order in which they were played, those still going on last."""
    rulesets = registry.latest()
    finished = GAMES * len(rulesets)
    for number in range(1, GAMES + 2):
        for at, ruleset in enumerate(rulesets):
            back = finished - (number - 1) * len(rulesets) - at
            yield from game_of(club, ruleset, number, evening(club, back))


def evening(club: Club, back: int) -> datetime | None:
    """When the last game but so many began; None for one that goes on now."""
    if back <= 0:
        return None
    day = (club.created_at - BETWEEN_GAMES * back).astimezone(ZoneInfo(club.time_zone)).date()
    return datetime.combine(day, EVENING, ZoneInfo(club.time_zone))


def game_of(club: Club, ruleset: Ruleset, number: int, begun: datetime | None) -> Iterator[bytes]:
    """The lines of one game; of one that goes on (``begun`` is None), up to now."""
    presets = ["", *sorted(ruleset.presets)]
    rng = Random(f"{ruleset.slug} {number}")  # noqa: S311 -- repeatable games, not secrets
    people = {f"{PREFIX}{name}": name for name in rng.sample(PLAYERS, 4)}
    guests = {f"{PREFIX}{name}": name for name in GUESTS}
    events = simulate(
        ruleset,
        options=options_of(ruleset, presets[number % len(presets)]),
        hands=HANDS,
        rng=rng,
        players=list(people),
        styles=seated(STYLES, rng),
        habits=LIVELY if begun else CALM,
    )
    told = list(
        seating(rng.sample(list(guests), len(guests)), events if begun else unfinished(events))
    )
    moment_ms = int((begun or club.created_at).timestamp() * 1000)
    if begun is None:
        moment_ms -= len(told) * PER_EVENT_MS
    name = f"demo-{ruleset.slug}-{number}"
    title = f"{ruleset.names.zh} {ruleset.names.en}, table {number}"
    yield lines.header_line(game=name, title=title, players=people | guests)
    for seq, event in told:
        yield lines.plain_line(game=name, seq=seq, event=event, occurred_at_ms=moment_ms)
        moment_ms += PER_EVENT_MS


def seating(guests: list[str], events: Iterator[Numbered]) -> Iterator[Numbered]:
    """The events with guests in place of the strangers whom the simulation made up."""
    known: dict[str, str] = {}

    def guest(person: str) -> str:
        # Whoever is no stranger has a name already; beyond the last guest a stranger stays one.
        if not person.startswith(PREFIX) and person not in known and guests:
            known[person] = guests.pop()
        return known.get(person, person)

    for seq, event in events:
        told: Event = event
        if isinstance(event, GameStarted):
            told = replace(event, substitutes=tuple(map(guest, event.substitutes)))
        elif isinstance(event, PlayerSeated | PlayerLeft):
            told = replace(event, player=guest(event.player))
        yield seq, told


def options_of(ruleset: Ruleset, preset: str) -> Options:
    """The options of a preset of the ruleset, or its defaults."""
    options = make_options(ruleset.options, ruleset.presets[preset] if preset else {})
    assert not isinstance(options, Violation), options
    return options


def unfinished(events: Iterator[Numbered]) -> Iterator[Numbered]:
    """A game up to the middle of its third hand, or of the first after it that lasts so long."""
    hand = since_deal = 0
    for seq, event in events:
        since_deal += 1
        if isinstance(event, HandStarted):
            hand, since_deal = event.hand, 0
        yield seq, event
        if hand >= LIVE_HAND and since_deal == LIVE_EVENTS:
            return
