"""怀远麻将 Huaiyuan mahjong: special gangs that can be robbed, ting, a hidden bao.

Start reading at ``rules.toml``; ``options`` (what a club may change), ``play`` (how it is played,
from ``slots``, ``bao`` and ``specials``), ``melds``, ``flags`` and ``legality`` (what may be
declared a win), ``hands``, ``items`` and ``score`` (what it is worth), ``explain``.
"""

from typing import Final

from rules_engine.ruleset import Names, Ruleset
from rules_engine.variants.huaiyuan.explain import explain
from rules_engine.variants.huaiyuan.gangs import GANG_KINDS, gangs
from rules_engine.variants.huaiyuan.items import ITEMS
from rules_engine.variants.huaiyuan.options import PRESETS, VALUE_NAMES, HuaiyuanOptions
from rules_engine.variants.huaiyuan.play import HuaiyuanPlay
from rules_engine.variants.huaiyuan.score import score
from rules_engine.variants.huaiyuan.sheet import SPECIAL_NAMES, sheet
from rules_engine.variants.huaiyuan.state import (
    SENTENCES,
    BaoExhausted,
    BaoLook,
    BaoRoll,
    Gang,
    Hu,
    Pass,
    Peng,
    signs,
)

RULESET: Final = Ruleset(
    slug="huaiyuan",
    version=1,
    names=Names(zh="怀远麻将", en="Huaiyuan mahjong", region="Anhui", region_zh="安徽"),
    package=__name__,
    options=HuaiyuanOptions,
    items=ITEMS,
    play=HuaiyuanPlay,
    score=score,
    explain=explain,
    gangs=gangs,
    gang_kinds=GANG_KINDS,
    payments={"da_dan": ("大蛋", "big egg"), **SPECIAL_NAMES},
    events=(Gang, Peng, Pass, Hu, BaoRoll, BaoLook, BaoExhausted),
    presets=PRESETS,
    value_names=VALUE_NAMES,
    sentences=SENTENCES,
    signs=signs,
    sheet=sheet,
    rule_prefix="HY",
)
