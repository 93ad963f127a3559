"""What an address of a board or a player's page asks for, and what is wrong with it.

A wrong part is left out and told on the page; the rest is shown all the same.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, Literal
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from django.core import signing
from django.http import HttpRequest
from django.utils.http import urlencode

from records.models import Club, Player, Season
from replays import periods
from replays.board_rows import SORTS
from replays.pages.languages import language_of
from replays.periods import EPOCH, Period
from replays.words import WORDS
from rules_engine import registry

LEAST_MAX: Final = 2_000_000_000
OF_THE_API: Final = frozenset(
    {"season", "ruleset", "sort", "order", "min_games", "min_hands", "from", "to", "month"}
)
"""The parts of a query that the API reads under the same name and in the same form."""
OF_A_PAGE: Final = ("after", "before", "place")
"""The parts that say which page of a list is meant, and are of no use for another list."""
SPANS_MAX: Final = 3
DAY_LENGTH: Final = len("2026-11-30")
YEARS: Final = range(1900, 2200)
"""Years in which a club may have played, and in which every clock has a time for every moment."""


class Asked(msgspec.Struct, kw_only=True):
    """What a query asks of a club: which games, and what was played and known by when.

    ``faults`` are sentences about what could not be read, in the language of the page; ``given``
    is the query without those parts, as links carry it on.
    """

    club: Club
    language: str
    seasons: list[Season]
    given: dict[str, str]
    faults: list[str]
    season: Season | None = None
    ruleset: str = ""
    as_of: datetime | None = None
    known_at: datetime | None = None
    period: Period = Period()

    @property
    def status(self) -> int:
        """The status of the answer: 400 where something of the query could not be read."""
        return 400 if self.faults else 200

    @property
    def today(self) -> date:
        """The day that it is in the club."""
        return today_in(self.club)

    @property
    def rulesets(self) -> list[tuple[str, str]]:
        """The rulesets there are, with their names."""
        return [(each.slug, getattr(each.names, self.language)) for each in registry.latest()]

    def clock(self, name: str) -> str:
        """A clock as a field of a form holds it: the club's local time."""
        moment: datetime | None = getattr(self, name)
        if moment is None:
            return ""
        precision = "milliseconds" if moment.microsecond else "seconds"
        return in_zone(moment, self.club).replace(tzinfo=None).isoformat(timespec=precision)

    @property
    def as_of_local(self) -> str:
        """``as_of`` as a field of a form holds it."""
        return self.clock("as_of")

    @property
    def known_at_local(self) -> str:
        """``known_at`` as a field of a form holds it."""
        return self.clock("known_at")

    @property
    def as_of_shown(self) -> str:
        """``as_of`` as a person reads it, to the second."""
        return self.clock("as_of").replace("T", " ")[:19]

    @property
    def known_at_shown(self) -> str:
        """``known_at`` as a person reads it, to the second."""
        return self.clock("known_at").replace("T", " ")[:19]

    @property
    def chosen(self) -> list[str]:
        """What is chosen of season and ruleset, and until when, as one line says it."""
        season = self.season.name if self.season else WORDS[self.language]["all_time"]
        ruleset = WORDS[self.language]["all_rulesets"]
        if self.ruleset:
            ruleset = dict(self.rulesets)[self.ruleset]
        return [season, ruleset, *self.clocks_told]

    @property
    def clocks_told(self) -> list[str]:
        """Until when was played, and until when known, where that is asked."""
        told = []
        if self.as_of is not None:
            told.append(f"{WORDS[self.language]['as_of']} {self.as_of_shown}")
        if self.known_at is not None:
            told.append(f"{WORDS[self.language]['known_at']} {self.known_at_shown}")
        return told

    @property
    def spans(self) -> list[tuple[str, str, bool]]:
        """All time and the latest seasons: name, query, and whether it is what is asked for."""
        spans = [
            (each.name, self.query(*OF_A_PAGE, season=str(each.pk)), each == self.season)
            for each in self.seasons[:SPANS_MAX]
        ]
        all_time = WORDS[self.language]["all_time"]
        return [(all_time, self.query(*OF_A_PAGE, "season"), self.season is None), *spans]

    @property
    def days_told(self) -> list[str]:
        """The days, or the month, of the period, and until when was played and known."""
        days = self.given.get("month") or f"{self.first_day} – {self.last_day}".strip()
        if days == "–":
            days = WORDS[self.language]["all_time"]
        return [days, *self.clocks_told]

    @property
    def first_day(self) -> str:
        """The first day of the period, as a field of a form holds it."""
        return self.given.get("from", "")

    @property
    def last_day(self) -> str:
        """The last day of the period, as a field of a form holds it."""
        return self.given.get("to", "")

    @property
    def now_query(self) -> str:
        """The query of the same as it stands now."""
        return self.query("as_of", "known_at", *OF_A_PAGE)

    def refuse(self, name: str, why: str) -> None:
        """Leave a part of the query out, and say why."""
        self.given.pop(name, None)
        self.faults.append(why)

    def least(self, name: str) -> int:
        """A number of games or hands that somebody must have at least."""
        text = self.given.get(name, "")
        if not text:
            return 0
        if text.isascii() and text.isdecimal() and int(text) <= LEAST_MAX:
            return int(text)
        self.refuse(name, WORDS[self.language]["fault_number"].format(text))
        return 0

    def sort(self) -> str:
        """The figure to sort by."""
        asked = self.given.get("sort", "points")
        if asked in SORTS:
            return asked
        self.refuse("sort", WORDS[self.language]["fault_sort"].format(asked))
        return "points"

    def order(self) -> Literal["asc", "desc"]:
        """Which way it is sorted."""
        asked = self.given.get("order", "desc")
        if asked == "asc":
            return "asc"
        if asked != "desc":
            self.refuse("order", WORDS[self.language]["fault_order"].format(asked))
        return "desc"

    def query(self, *without: str, **changes: str) -> str:
        """The query of a link: what was asked, but for these parts."""
        parts = {name: text for name, text in self.given.items() if name not in without}
        parts.update(changes)
        return _encoded(parts)

    def api_query(self, **more: str) -> str:
        """The same as the API is asked for it, its clocks with their offset."""
        parts = {name: text for name, text in self.given.items() if name in OF_THE_API}
        for name, clock in (("as_of", self.as_of), ("known_at", self.known_at)):
            if clock is not None:
                parts[name] = clock.isoformat().replace("+00:00", "Z")
        return _encoded({**parts, **more})


def _encoded(parts: Mapping[str, str]) -> str:
    return urlencode({name: text for name, text in parts.items() if text})


def asked_of(request: HttpRequest, club: Club) -> Asked:
    """Read season, ruleset and both clocks. Asks the database for the club's seasons."""
    language = language_of(request)
    asked = Asked(
        club=club,
        language=language,
        seasons=list(club.seasons.order_by("-starts_on")),
        given={name: text for name, text in request.GET.dict().items() if text and name != "lang"},
        faults=[],
    )
    asked.season = _season(asked)
    asked.ruleset = _ruleset(asked)
    asked.as_of = _clock(asked, "as_of")
    asked.known_at = _clock(asked, "known_at")
    return asked


def with_period(asked: Asked) -> Asked:
    """Read the days from and to, or the month, that a statement is of."""
    first, last = _day(asked, "from"), _day(asked, "to")
    if "month" in asked.given:
        month = _date(f"{asked.given['month']}-01")
        if month is None:
            asked.refuse("month", WORDS[asked.language]["fault_month"].format(asked.given["month"]))
        else:
            asked.given.pop("from", None)
            asked.given.pop("to", None)
            period = periods.month(asked.club.time_zone, year=month.year, number=month.month)
            asked.period = period.up_to(asked.as_of)
            return asked
    if first is not None and last is not None and last < first:
        asked.refuse("to", WORDS[asked.language]["fault_period"])
        last = None
    asked.period = periods.days(asked.club.time_zone, first=first, last=last).up_to(asked.as_of)
    return asked


def in_zone(moment: datetime, club: Club) -> datetime:
    """A moment as the club's clock shows it."""
    return moment.astimezone(ZoneInfo(club.time_zone))


def today_in(club: Club) -> date:
    """The day that it is in the club."""
    return in_zone(datetime.now(tz=UTC), club).date()


def minute(milliseconds: int, club: Club) -> str:
    """Milliseconds since 1970 UTC as the club's clock shows them: ``2026-11-30 20:15``."""
    return f"{in_zone(EPOCH + timedelta(milliseconds=milliseconds), club):%Y-%m-%d %H:%M}"


def _season(asked: Asked) -> Season | None:
    text = asked.given.get("season", "")
    found = next((each for each in asked.seasons if str(each.pk) == text), None)
    if text and found is None:
        asked.refuse("season", WORDS[asked.language]["fault_season"])
    return found


def _ruleset(asked: Asked) -> str:
    text = asked.given.get("ruleset", "")
    if text and text not in registry.rulesets():
        asked.refuse("ruleset", WORDS[asked.language]["fault_ruleset"].format(text))
        return ""
    return text


def _clock(asked: Asked, name: str) -> datetime | None:
    """A moment of the club's clock, the minute itself included; a day means its end."""
    text = asked.given.get(name, "")
    if not text:
        return None
    moment: datetime | None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        moment = None
    if moment is None or moment.year not in YEARS:
        asked.refuse(name, WORDS[asked.language]["fault_time"].format(text))
        return None
    if len(text) == DAY_LENGTH:
        return _end_of(moment.date(), asked.club)
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=ZoneInfo(asked.club.time_zone))
    return moment.astimezone(UTC)


def _end_of(day: date, club: Club) -> datetime:
    end = periods.days(club.time_zone, first=None, last=day).to_ms
    return EPOCH + timedelta(milliseconds=end) - timedelta(microseconds=1)


def _day(asked: Asked, name: str) -> date | None:
    text = asked.given.get(name, "")
    day = _date(text)
    if text and day is None:
        asked.refuse(name, WORDS[asked.language]["fault_time"].format(text))
    return day


def _date(text: str) -> date | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.year in YEARS else None


def signed_mark(mark: Any, *, of: Sequence[object]) -> str:
    """Where a page ended, as a text that nobody else can make; good for the same list only."""
    return signing.dumps([_identity(of), msgspec.to_builtins(mark)], salt=_SALT)


def opened_mark(text: str, form: Any, *, of: Sequence[object]) -> Any:
    """The mark in a link, in its form; None where it is none of ours, or of another list."""
    try:
        identity, mark = signing.loads(text, salt=_SALT)
        return msgspec.convert(mark, form) if identity == _identity(of) else None
    except (signing.BadSignature, ValueError, TypeError):
        return None


_SALT: Final = "paipu.pages"


def _identity(parts: Sequence[object]) -> str:
    return hashlib.sha256(repr([str(part) for part in parts]).encode()).hexdigest()[:16]


def players_named(ids: set[UUID]) -> dict[UUID, str]:
    """The names of players by id."""
    return dict(Player.objects.filter(id__in=ids).values_list("id", "name"))
