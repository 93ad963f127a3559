"""青岛麻将 Qingdao mahjong: niu groups that are exchanged, hun, flowers, three modes of play.

Start reading at ``rules.toml``; ``options`` (what a club may change), ``play`` (how it is played,
from ``moments``, ``niu``, ``acts``, ``deal`` and ``wins``), ``melds``, ``flags`` and ``legality``
(what may be declared a win), ``hands``, ``items`` and ``score`` (what it is worth), ``explain``.
"""

from typing import Final

from rules_engine.ruleset import Names, Ruleset
from rules_engine.variants.qingdao.explain import explain
from rules_engine.variants.qingdao.gangs import gangs
from rules_engine.variants.qingdao.items import ITEMS
from rules_engine.variants.qingdao.options import PRESETS, VALUE_NAMES, QingdaoOptions
from rules_engine.variants.qingdao.play import QingdaoPlay
from rules_engine.variants.qingdao.score import score
from rules_engine.variants.qingdao.sheet import sheet
from rules_engine.variants.qingdao.state import (
    SENTENCES,
    Draw,
    Flower,
    Gang,
    HandStarted,
    Niu,
    NiuExchange,
    Ting,
    signs,
)

RULESET: Final = Ruleset(
    slug="qingdao",
    version=1,
    names=Names(zh="青岛麻将", en="Qingdao mahjong", region="Shandong", region_zh="山东"),
    package=__name__,
    options=QingdaoOptions,
    items=ITEMS,
    play=QingdaoPlay,
    score=score,
    explain=explain,
    gangs=gangs,
    events=(HandStarted, Draw, Gang, Ting, Niu, NiuExchange, Flower),
    presets=PRESETS,
    value_names=VALUE_NAMES,
    sentences=SENTENCES,
    signs=signs,
    sheet=sheet,
    rule_prefix="QD",
)
