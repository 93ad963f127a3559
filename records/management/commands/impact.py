"""`manage.py impact RULESET --to VERSION|FILE`: what other rules would have changed."""

from argparse import ArgumentParser
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any, cast

import msgspec
from django.core.management.base import BaseCommand, CommandError
from rich.console import Console
from rich.progress import track
from rich.table import Column, Table

from records import impact
from records.impact import GameImpact, HandChange, NextDeal, Other, Scope
from records.impact_on_tiers import TierChange, tier_changes
from records.models import Club, Player
from rules_engine import registry
from rules_engine.ruleset import Ruleset


class Report(msgspec.Struct, frozen=True):
    """All that would differ, and how much was looked at."""

    ruleset: str
    version: int | None
    options: dict[str, Any]
    games: int
    hands: int
    changed: tuple[HandChange, ...]
    illegal: int
    next_deals: int
    tiers: tuple[TierChange, ...]
    refused: tuple[GameImpact, ...]


class Command(BaseCommand):
    """Scores stored hands again under other rules; official results stay as they are."""

    help = (
        "Score stored hands again under another version of their ruleset, or with some options "
        "replaced, and list every hand, payment and tier that would differ. Nothing is written."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The rules to try, the hands to try them on, and the form of the answer."""
        parser.add_argument("ruleset", metavar="RULESET")
        parser.add_argument(
            "--to",
            required=True,
            metavar="VERSION|FILE",
            help="a version's number, or a file of JSON with the options to replace",
        )
        parser.add_argument("--club", metavar="SLUG", help="only the games of this club")
        parser.add_argument("--since", metavar="DATE", help="only hands since then (ISO 8601, UTC)")
        parser.add_argument("--json", action="store_true", help="one JSON document, for programs")

    def handle(self, *args: Any, **options: Any) -> None:
        """Look at every game, then at the ladders."""
        other = read_other(options["ruleset"], options["to"])
        scope = Scope(club_of(options["club"]), since_ms(options["since"]))
        with impact.sandbox():
            ids = impact.games_in(other.slug, scope)
            console = Console(stderr=True)
            games = [
                impact.impact_on_game(game_id, other, scope)
                for game_id in track(ids, "scoring again", console=console, transient=True)
            ]
            report = summed_up(other, games)
            if options["json"]:
                self.stdout.write(msgspec.json.encode(report).decode())
            else:
                self.print(report)

    def print(self, report: Report) -> None:
        """The report as a person reads it."""
        console = Console(file=cast("IO[str]", self.stdout))
        if report.changed:
            console.print(hand_table(report.changed))
        if report.tiers:
            console.print(tier_table(report.tiers))
        for game in report.refused:
            assert game.refused is not None
            console.print(f"{game.game_id}: {game.refused.message}", markup=False)
        console.print(
            f"{report.games} games, {report.hands} hands: {len(report.changed)} would differ, "
            f"{report.illegal} of them not allowed, {report.next_deals} with another next deal; "
            f"{len(report.tiers)} tiers would differ"
        )
        if report.refused:
            console.print(f"{len(report.refused)} games cannot have these options")


def read_other(slug: str, to: str) -> Other:
    """The rules to try. Raises CommandError."""
    ruleset = found(slug, int(to) if to.isdecimal() else None)
    if to.isdecimal():
        return Other(slug, ruleset.version)
    try:
        given = msgspec.json.decode(Path(to).read_bytes(), type=dict[str, Any])
    except (OSError, msgspec.MsgspecError) as error:
        raise CommandError(f"{to}: {error}") from error
    unknown = sorted(set(given) - set(ruleset.options.__struct_fields__))
    if unknown:
        raise CommandError(f"{to}: {slug} has no option {', '.join(unknown)}.")
    return Other(slug, None, given)


def found(slug: str, version: int | None) -> Ruleset:
    """An installed ruleset. Raises CommandError."""
    try:
        return registry.get(slug, version)
    except registry.UnknownRuleset as error:
        raise CommandError(str(error)) from error


def club_of(slug: str | None) -> Any:
    """The id of a club, None for all clubs. Raises CommandError."""
    if slug is None:
        return None
    club = Club.objects.filter(slug=slug).first()
    if club is None:
        raise CommandError(f"There is no club {slug!r}.")
    return club.id


def since_ms(text: str | None) -> int | None:
    """A date or a moment in milliseconds. Raises CommandError."""
    if text is None:
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise CommandError(f"--since {text!r} is no date: {error}") from error
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return round(moment.timestamp() * 1000)


def summed_up(other: Other, games: Sequence[GameImpact]) -> Report:
    """The report on these games."""
    changed = tuple(change for game in games for change in game.changes)
    return Report(
        ruleset=other.slug,
        version=other.version,
        options=dict(other.options),
        games=len(games),
        hands=sum(game.hands for game in games),
        changed=changed,
        illegal=sum(change.illegal is not None for change in changed),
        next_deals=sum(change.next_after is not None for change in changed),
        tiers=tuple(tier_changes(games, other.slug)),
        refused=tuple(game for game in games if game.refused is not None),
    )


def hand_table(changed: Sequence[HandChange]) -> Table:
    """A line a hand: points by seat now and then, and what makes the difference."""
    table = Table(Column("game", overflow="fold", min_width=18), "hand", "points now", "would be")
    table.add_column("why", overflow="fold")
    table.add_column("next deal", overflow="fold")
    for change in changed:
        deal = ""
        if change.next_after is not None:
            deal = f"{told(change.next_before)} → {told(change.next_after)} (stands as played)"
        after = "not allowed" if change.illegal else by_seat(change.points_after)
        table.add_row(
            str(change.game_id), str(change.hand), by_seat(change.points_before), after,
            reasons(change), deal,
        )  # fmt: skip
    return table


def by_seat(points: Sequence[int]) -> str:
    """Points of the four seats."""
    return " ".join(f"{each:+d}" if each else "0" for each in points)


def told(deal: NextDeal) -> str:
    """A dealer and a streak in words."""
    dealer = "free" if deal.dealer is None else f"seat {deal.dealer}"
    return f"{dealer} ×{deal.streak}"


def reasons(change: HandChange) -> str:
    """The payments that differ, or why the hand is not allowed."""
    if change.illegal is not None:
        return f"{change.illegal.rule} {change.illegal.message}".strip()
    return "\n".join(
        f"{each.payer}→{each.payee} {each.kind} {each.item} {each.before} → {each.after}"
        for each in change.payments
    )


def tier_table(tiers: Sequence[TierChange]) -> Table:
    """A line a player who would stand on another rung."""
    names = Player.objects.in_bulk([change.player_id for change in tiers])
    table = Table("player", "ladder", "score now", "would be", "tier now", "would be")
    for change in tiers:
        player = names.get(change.player_id)
        table.add_row(
            player.name if player else str(change.player_id),
            change.ruleset or "all rulesets",
            f"{change.score_before:,}",
            f"{change.score_after:,}",
            f"{change.before.zh} {change.before.en}",
            f"{change.after.zh} {change.after.en}",
        )
    return table
