"""`manage.py simulate SLUG`: games that bots play, as lines of JSON or posted to a server."""

import hashlib
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any, Final

import msgspec
from django.core.management.base import BaseCommand, CommandError, CommandParser
from rich.console import Console
from rich.progress import track

from api.exchange import lines
from api.exchange.output import write_lines
from api.exchange.posting import Server, ServerRefused
from api.simulation.bots import RANDOM, RARE, STYLES, seated
from api.simulation.games import CALM, LIVELY, new_player, simulate
from rules_engine import registry
from rules_engine.errors import Violation
from rules_engine.events import GameStarted
from rules_engine.fold import Numbered
from rules_engine.ruleset import Options, Ruleset, make_options

NAMES: Final = ("Lin", "Zhao", "Chen", "Wang", "Sun", "Qian", "Wu", "Zhou", "Xu", "Hu", "He", "Shi")
BY_NAME: Final = {style.name: style for style in (*STYLES, *RARE, RANDOM)}
MILLISECONDS_PER_EVENT: Final = 3_000


class Command(BaseCommand):
    """Writes games to standard output, or records them through a running server's API."""

    help = f"Play games with bots. The same arguments give the same games.\n\n{lines.__doc__}"

    def create_parser(self, prog_name: str, subcommand: str, **kwargs: Any) -> CommandParser:
        """Keep the examples of the help as they are written."""
        parser = super().create_parser(prog_name, subcommand, **kwargs)
        parser.formatter_class = RawDescriptionHelpFormatter
        return parser

    def add_arguments(self, parser: ArgumentParser) -> None:
        """What to play, and where it goes."""
        parser.add_argument("ruleset", help="slug of an installed ruleset")
        parser.add_argument("--hands", type=int, default=8, help="hands a game (8)")
        parser.add_argument("--games", type=int, default=1, help="games (1)")
        parser.add_argument("--seed", type=int, default=1, help="what chance starts from (1)")
        parser.add_argument("--preset", help="a named set of options")
        parser.add_argument(
            "--option", action="append", default=[], metavar="NAME=VALUE", help="repeatable"
        )
        parser.add_argument(
            "--style",
            action="append",
            default=[],
            choices=sorted(BY_NAME),
            help="how the seats play: one for all, or four times; by lot when not given",
        )
        parser.add_argument(
            "--lively",
            action="store_true",
            help="with slips that are taken back, automatic seats, players who leave",
        )
        parser.add_argument("--events", type=int, help="stop each game after so many events")
        parser.add_argument(
            "--start-ms",
            type=int,
            help="when the first game begins, in milliseconds since 1970; no times without it",
        )
        parser.add_argument("--post", metavar="URL", help="record on this server instead")
        parser.add_argument("--token", help="who records there (from sign-in)")
        parser.add_argument("--club", help="slug of the club there, in which you may record")

    def handle(self, *args: Any, **options: Any) -> None:
        """Play."""
        ruleset = find_ruleset(options["ruleset"])
        chosen = read_options(ruleset, options["preset"], options["option"])
        if options["post"]:
            self.post(ruleset, chosen, options)
            return
        numbers = range(1, options["games"] + 1)
        write_lines(
            self.stdout,
            (line for n in numbers for line in game_lines(ruleset, chosen, n, options)),
        )

    def post(self, ruleset: Ruleset, chosen: Options, options: dict[str, Any]) -> None:
        """Record the games through the API of a running server."""
        if not options["token"] or not options["club"]:
            raise CommandError("--post needs --token and --club")
        server = Server(options["post"], options["token"])
        numbers = range(1, options["games"] + 1)
        try:
            club = server.club(options["club"])
            for number in track(numbers, "posting", console=Console(stderr=True)):
                events = played(ruleset, chosen, number, options)
                _, started = next(events)
                assert isinstance(started, GameStarted)
                game = server.start(club, started, people(started.players))
                server.record(game, events)
                self.stdout.write(game.id)
        except ServerRefused as error:
            raise CommandError(str(error)) from error


def find_ruleset(slug: str) -> Ruleset:
    """An installed ruleset. Raises CommandError."""
    try:
        return registry.get(slug)
    except registry.UnknownRuleset as error:
        raise CommandError(str(error)) from error


def read_options(ruleset: Ruleset, preset: str | None, overrides: list[str]) -> Options:
    """The options of the games. Raises CommandError."""
    if preset is not None and preset not in ruleset.presets:
        known = ", ".join(sorted(ruleset.presets))
        raise CommandError(f"There is no preset {preset!r}; known: {known}.")
    given: dict[str, Any] = dict(ruleset.presets[preset]) if preset is not None else {}
    for override in overrides:
        name, equals, text = override.partition("=")
        if not equals:
            raise CommandError(f"--option {override!r} is not NAME=VALUE")
        given[name] = read_value(text)
    options = make_options(ruleset.options, given)
    if isinstance(options, Violation):
        raise CommandError(options.message)
    return options


def read_value(text: str) -> Any:
    """A number, true or false, else the text itself."""
    try:
        return msgspec.json.decode(text.lower(), type=bool | int)
    except msgspec.DecodeError:
        return text


def played(
    ruleset: Ruleset, chosen: Options, number: int, options: dict[str, Any]
) -> Iterator[Numbered]:
    """The events of one game of the series."""
    rng = Random(f"{options['seed']}/{number}")  # noqa: S311 -- repeatable games, not secrets
    chosen_styles = [BY_NAME[name] for name in options["style"]]
    if len(chosen_styles) == 4:
        styles = tuple(chosen_styles)
    else:
        styles = tuple(chosen_styles[:1] * 4) or seated(STYLES, rng)
    events = simulate(
        ruleset,
        options=chosen,
        hands=options["hands"],
        rng=rng,
        players=[new_player(Random(f"player {name}")) for name in NAMES[:4]],  # noqa: S311
        styles=styles,
        habits=LIVELY if options["lively"] else CALM,
    )
    return islice(events, options["events"])


def people(players: tuple[str, ...]) -> dict[str, str]:
    """A name for each of the four players of a simulated game."""
    return dict(zip(players, NAMES, strict=False))


def game_lines(
    ruleset: Ruleset, chosen: Options, number: int, options: dict[str, Any]
) -> Iterator[bytes]:
    """One game as lines. Its name tells games of different arguments apart."""
    told = [ruleset.version, msgspec.structs.asdict(chosen)]
    told += [options[name] for name in ("hands", "lively", "style", "start_ms")]
    digest = hashlib.sha256(msgspec.json.encode(told)).hexdigest()[:8]
    game = f"{ruleset.slug}-{options['seed']}-{number}-{digest}"
    moment_ms = options["start_ms"]
    for seq, event in played(ruleset, chosen, number, options):
        if seq == 1:
            names = people(event.players)  # type: ignore[attr-defined]
            yield lines.header_line(game=game, title=game, players=names)
        yield lines.plain_line(game=game, seq=seq, event=event, occurred_at_ms=moment_ms)
        if moment_ms is not None:
            moment_ms += MILLISECONDS_PER_EVENT
