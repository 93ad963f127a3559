"""Events in words as parts of text, tiles and names, for a page in either language."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.utils.html import conditional_escape, format_html

from replays.viewer.tiles import draw_tiles
from replays.words import WORDS
from rules_engine.events import Event
from rules_engine.ruleset import Options, Ruleset
from rules_engine.sentences import sentence_of
from rules_engine.sheets import sheet_of

_FIELD: Final = re.compile(r"{(\w+)(?::(\w+))?}")
_SEAT: Final = re.compile(r"([0-3]) 座|\b[Ss]eat ([0-3])\b")
"""How the sentences of explanations write a seat (`rules_engine.score`)."""


def name_seats(text: str, names: Sequence[str]) -> str:
    """A sentence of an explanation with the names of who sits in the seats that it writes."""
    return _SEAT.sub(lambda found: names[int(found[1] or found[2])], text)


class Teller:
    """Tells the events of one game. ``names`` are those of players by id.

    ``options`` are the game's, where melds are to be called by name that only some options have.
    """

    def __init__(
        self,
        ruleset: Ruleset,
        language: str,
        names: Mapping[str, str],
        options: Options | None = None,
    ) -> None:
        self.ruleset = ruleset
        self.language = language
        self.names = names
        sheet = sheet_of(ruleset, ruleset.options() if options is None else options)
        self.melds = {form.kind: getattr(form, language) for form in sheet.melds}
        """What kinds of melds are called."""

    def tell(self, event: Event, body: Mapping[str, Any], players: Sequence[str | None]) -> str:
        """The event as HTML; ``body`` is what the viewer may see of it, ``players`` sit by seat."""
        sentence = sentence_of(self.ruleset, event)[0 if self.language == "zh" else 1]
        parts: list[Any] = []
        end = 0
        for found in _FIELD.finditer(sentence):
            parts.append(sentence[end : found.start()])
            parts.append(self._field(found[1], found[2], body, players))
            end = found.end()
        parts.append(sentence[end:])
        return "".join(map(conditional_escape, parts))

    def _field(
        self, name: str, form: str | None, body: Mapping[str, Any], players: Sequence[str | None]
    ) -> Any:
        value: Any = body.get(name)
        form = form or name
        if form == "seat":
            return format_html("<b>{}</b>", self.name_of(players[value]))
        if form == "player":
            return format_html("<b>{}</b>", self.name_of(value))
        if form in {"tile", "tiles"}:
            return draw_tiles(value, self.language) if value else WORDS[self.language]["a_tile"]
        if form == "name":
            return self.call(value)
        return value

    def name_of(self, player: str | None) -> str:
        """What a player is called; an empty seat is nobody."""
        return self.names.get(player or "", "—")

    def call_meld(self, kind: str) -> str:
        """What the ruleset calls a kind of meld."""
        name: str = self.melds.get(kind) or self.call(kind)
        return name

    def call(self, kind: str) -> str:
        """What the ruleset calls a gang, an item, a payment."""
        name = self.ruleset.name_of(kind)
        return kind if name is None else name[0 if self.language == "zh" else 1]
