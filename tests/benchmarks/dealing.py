"""Random hands that win, of every variant, with so many wilds in hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final

import msgspec

from rules_engine.facts import HandFacts
from rules_engine.ruleset import Options, Ruleset, dump_options, make_options
from rules_engine.score import HandScore
from tests.rules_engine.variants.hefei.hands import random_case as hefei_case
from tests.rules_engine.variants.huaiyuan.hands import random_case as huaiyuan_case
from tests.rules_engine.variants.jiangxi.hands import random_case as jiangxi_case
from tests.rules_engine.variants.qingdao.hands import random_case as qingdao_case
from tests.rules_engine.variants.ruian.hands import random_case as ruian_case

Maker = Callable[[Random, dict[str, Any], int], dict[str, Any]]
"""One winner's hand as a case writes it, from chance, the options, and the number of wilds."""


@dataclass(frozen=True)
class Dealer:
    """How hands of one variant are made.

    ``most_wilds`` is how many wilds a hand can have; ``with_wilds`` are the options that bring
    wilds into the game, where it is usually played without. ``settles_others``: the hands of the
    three other seats are told and settled, too.
    """

    most_wilds: int
    make: Maker
    with_wilds: Mapping[str, Any] = field(default_factory=dict)
    settles_others: bool = False

    def options(self, ruleset: Ruleset, wilds: int) -> Options:
        """The variant's own options, under which a hand may have so many wilds."""
        made = make_options(ruleset.options, self.with_wilds if wilds else {})
        assert isinstance(made, Options), made
        return made


DEALERS: Final[Mapping[str, Dealer]] = {
    "hefei": Dealer(0, lambda chance, options, _: hefei_case(chance, options)),
    # The bao is a wild only when it is drawn after ting, so there is never more than one.
    "huaiyuan": Dealer(1, lambda chance, _, wilds: huaiyuan_case(chance, wild=wilds > 0)),
    "jiangxi": Dealer(4, lambda chance, _, wilds: jiangxi_case(chance, wilds)),
    "qingdao": Dealer(4, qingdao_case, {"hun": True}),
    # The fourth tile of the kind lies face up.
    "ruian": Dealer(3, ruian_case, settles_others=True),
}
"""By the slug of the variant."""


def winning_hands(
    ruleset: Ruleset, options: Options, chance: Random, *, wilds: int, alone: bool
) -> Iterator[HandFacts]:
    """Facts the variant scores, for ever; refused ones are left out.

    ``alone``: nothing is told of the seats that did not win.

    The engine has seen each hand, so it has to forget before the hand is scored for its time. The
    facts are decoded anew, so that no text remembers its hash.
    """
    make = DEALERS[ruleset.slug].make
    written = dump_options(options)
    decoder = msgspec.json.Decoder(HandFacts)
    while True:
        body = make(chance, dict(written), wilds)
        if alone:
            body["table"] = []
        text = msgspec.json.encode(body)
        if isinstance(ruleset.score(decoder.decode(text), options), HandScore):
            yield decoder.decode(text)
