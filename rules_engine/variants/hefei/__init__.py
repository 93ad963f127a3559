"""合肥麻将 Hefei mahjong: 84 tiles, nothing claimed but wins, eight of one suit to win.

Start reading at ``rules.toml``; ``options`` (what a club may change), ``play`` (how it is played),
``legality`` (what may be declared a win), ``items`` and ``score`` (what it is worth), ``explain``.
"""

from typing import Final

from rules_engine.ruleset import Names, Ruleset
from rules_engine.variants.hefei.explain import explain
from rules_engine.variants.hefei.gangs import gangs
from rules_engine.variants.hefei.items import ITEMS
from rules_engine.variants.hefei.options import PRESETS, VALUE_NAMES, HefeiOptions
from rules_engine.variants.hefei.play import HefeiPlay
from rules_engine.variants.hefei.score import score
from rules_engine.variants.hefei.sheet import sheet
from rules_engine.variants.hefei.state import SENTENCES, Dismissed, Ready, SeatAuto, Ting, signs

RULESET: Final = Ruleset(
    slug="hefei",
    version=1,
    names=Names(zh="合肥麻将", en="Hefei mahjong", region="Anhui", region_zh="安徽"),
    package=__name__,
    options=HefeiOptions,
    items=ITEMS,
    play=HefeiPlay,
    score=score,
    explain=explain,
    gangs=gangs,
    payments={"zhuang_pay": ("庄分", "losing dealer's extra")},
    events=(Ready, SeatAuto, Ting, Dismissed),
    presets=PRESETS,
    value_names=VALUE_NAMES,
    sentences=SENTENCES,
    signs=signs,
    sheet=sheet,
    rule_prefix="HF",
    ladder_start_option="ladder_start",
)
