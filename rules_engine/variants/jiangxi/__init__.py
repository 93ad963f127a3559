"""上饶麻将 Shangrao mahjong, the bao game of Jiangxi: a wild, stealing, catching, robbing.

Start reading at ``rules.toml``; ``options`` (what a club may change), ``dealing`` and ``play`` (how
it is played), ``legality`` (what may be declared a win), ``hands`` (how it can be read), ``items``
and ``score`` (what it is worth), ``explain``.
"""

from typing import Final

from rules_engine.ruleset import Names, Ruleset
from rules_engine.variants.jiangxi.explain import explain
from rules_engine.variants.jiangxi.gangs import gangs
from rules_engine.variants.jiangxi.items import ITEMS
from rules_engine.variants.jiangxi.options import PRESETS, VALUE_NAMES, JiangxiOptions
from rules_engine.variants.jiangxi.play import JiangxiPlay
from rules_engine.variants.jiangxi.score import score
from rules_engine.variants.jiangxi.sheet import sheet
from rules_engine.variants.jiangxi.state import SENTENCES, JieBao, signs

RULESET: Final = Ruleset(
    slug="jiangxi",
    version=1,
    names=Names(zh="上饶麻将", en="Shangrao mahjong", region="Jiangxi", region_zh="江西"),
    package=__name__,
    options=JiangxiOptions,
    items=ITEMS,
    play=JiangxiPlay,
    score=score,
    explain=explain,
    gangs=gangs,
    payments={"jie_bao": ("接宝", "caught bao"), "si_bao": ("四个宝", "four bao")},
    events=(JieBao,),
    presets=PRESETS,
    value_names=VALUE_NAMES,
    sentences=SENTENCES,
    signs=signs,
    sheet=sheet,
    rule_prefix="JX",
)
