"""Toy mahjong: a sixth variant as a package of its own. The standard game, few prices."""

from paipu_toy.play import Cheer, ToyPlay
from paipu_toy.score import ITEMS, ToyOptions, explain, gangs, score
from rules_engine.ruleset import Names, Ruleset

RULESET = Ruleset(
    slug="toy",
    version=1,
    names=Names(zh="玩具麻将", en="Toy mahjong", region="Nowhere", region_zh="无处"),
    package=__name__,
    options=ToyOptions,
    items=ITEMS,
    play=ToyPlay,
    score=score,
    explain=explain,
    gangs=gangs,
    events=(Cheer,),
    presets={"cut_throat": {"several_winners": False}},
    rule_prefix="TY",
)
