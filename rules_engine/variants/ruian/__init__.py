"""瑞安麻将 Rui'an mahjong: sixteen tiles, three wilds, the white as flower, tai that double hu.

Start reading at ``rules.toml``; ``options`` (what a club may change), ``play`` (how it is played,
from ``deal`` and ``wins``), ``melds``, ``flags`` and ``legality`` (what may be declared a win),
``hands``, ``items``, ``side`` and ``score`` (what it is worth), ``explain``.
"""

from typing import Final

from rules_engine.ruleset import Names, Ruleset
from rules_engine.variants.ruian.explain import explain
from rules_engine.variants.ruian.gangs import gangs
from rules_engine.variants.ruian.items import ITEMS
from rules_engine.variants.ruian.options import PRESETS, VALUE_NAMES, RuianOptions
from rules_engine.variants.ruian.play import RuianPlay
from rules_engine.variants.ruian.score import score
from rules_engine.variants.ruian.sheet import sheet
from rules_engine.variants.ruian.state import SENTENCES, Flower, HandEnded, SeatsDrawn, signs

RULESET: Final = Ruleset(
    slug="ruian",
    version=1,
    names=Names(zh="瑞安麻将", en="Rui'an mahjong", region="Zhejiang", region_zh="浙江"),
    package=__name__,
    options=RuianOptions,
    items=ITEMS,
    play=RuianPlay,
    score=score,
    explain=explain,
    gangs=gangs,
    payments={"own_hu": ("比胡", "difference of own hu")},
    events=(SeatsDrawn, Flower, HandEnded),
    presets=PRESETS,
    value_names=VALUE_NAMES,
    sentences=SENTENCES,
    signs=signs,
    sheet=sheet,
    rule_prefix="RA",
)
