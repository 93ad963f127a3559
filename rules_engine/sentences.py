"""Events in words, in Chinese and in English: a table, so that nothing tells them otherwise.

A key is an event's type, or more narrowly its type with a public field that has a value
(``gang.from``) or that value itself (``hu.by=zimo``). A sentence names fields in braces; behind a
colon stands how one is read: ``{dealer:seat}`` is who sits there, ``{player:player}`` who that is,
``{kind:name}`` what the ruleset calls it. ``seat``, ``tile`` and ``tiles`` are read as what they
are called.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from rules_engine.events import Event, split
from rules_engine.ruleset import Ruleset

Sentence = tuple[str, str]
"""In Chinese and in English."""

SENTENCES: Final[Mapping[str, Sentence]] = MappingProxyType(
    {
        "game_started": ("对局开始", "The game begins"),
        "hand_started": ("第 {hand} 局，{dealer:seat} 坐庄", "Hand {hand}: {dealer:seat} deals"),
        "draw": ("{seat} 摸 {tile}", "{seat} draws {tile}"),
        "draw.source=tail": ("{seat} 从牌尾补 {tile}", "{seat} draws {tile} from the tail"),
        "discard": ("{seat} 打 {tile}", "{seat} discards {tile}"),
        "discard.drawn": ("{seat} 打出刚摸的 {tile}", "{seat} discards {tile}, just drawn"),
        "chi": ("{seat} 吃 {from:seat} 的 {tile}", "{seat} chi {tile} of {from:seat}"),
        "peng": ("{seat} 碰 {from:seat} 的 {tile}", "{seat} peng {tile} of {from:seat}"),
        "gang": ("{seat} {kind:name} {tile}", "{seat} {kind:name} {tile}"),
        "gang.from": (
            "{seat} {kind:name} {from:seat} 的 {tile}",
            "{seat} {kind:name} {tile} of {from:seat}",
        ),
        "ting": ("{seat} 听牌", "{seat} declares ting"),
        "pass": ("{seat} 过", "{seat} passes"),
        "hu.by=zimo": ("{seat} 自摸 {tile}", "{seat} wins by drawing {tile}"),
        "hu.by=dianpao": (
            "{seat} 胡 {from:seat} 的 {tile}",
            "{seat} wins on {tile} of {from:seat}",
        ),
        "hu.by=qiang_gang": (
            "{seat} 抢 {from:seat} 的杠 {tile}",
            "{seat} robs the gang of {from:seat} and wins with {tile}",
        ),
        "hand_ended": ("本局结束", "The hand is over"),
        "hand_ended.reason=huang_zhuang": ("荒庄", "Nobody has won"),
        "hand_ended.reason=abandoned": ("本局中止，不计分", "The hand is abandoned"),
        "hand_result": (
            "第 {hand} 局只记结果，{dealer:seat} 坐庄",
            "Hand {hand}, recorded as its result; {dealer:seat} dealt",
        ),
        "wall_revealed": (
            "公开第 {hand} 局的牌墙，与承诺相符",
            "The wall of hand {hand} is shown and is the one committed to",
        ),
        "player_left": ("{player:player} 离座", "{player:player} leaves"),
        "player_seated": ("{player:player} 入座", "{player:player} sits down"),
        "game_ended": ("对局结束", "The game is over"),
        "game_ended.reason=dissolved": ("对局解散", "The game is dissolved"),
        "rewind": ("退回第 {to} 步：{reason}", "Taken back to step {to}: {reason}"),
        "hand_corrected": (
            "裁定：更正第 {hand} 局（{reason}）",
            "Ruling: hand {hand} is corrected ({reason})",
        ),
        "hand_voided": (
            "裁定：第 {hand} 局作废（{reason}）",
            "Ruling: hand {hand} is void ({reason})",
        ),
        "adjusted": ("裁定：调整分数（{reason}）", "Ruling: points are adjusted ({reason})"),
        "penalty": ("裁定：罚分（{reason}）", "Ruling: a penalty ({reason})"),
        "penalty_cancelled": (
            "裁定：撤销第 {penalty} 步的罚分（{reason}）",
            "Ruling: the penalty of step {penalty} is cancelled ({reason})",
        ),
    }
)
"""The common events; a variant's own are in ``Ruleset.sentences``."""


def sentence_of(ruleset: Ruleset, event: Event) -> Sentence:
    """The narrowest sentence there is, the ruleset's own before the common ones."""
    public, _ = split(event)
    keys = [*_narrow(event.type, public), event.type]
    for table in (ruleset.sentences, SENTENCES):
        for key in keys:
            if key in table:
                return table[key]
    return event.type, event.type


def _narrow(kind: str, public: Mapping[str, Any]) -> list[str]:
    """The keys of single fields, those with the value first."""
    given = {name: value for name, value in public.items() if value not in (None, "", False)}
    with_value = [f"{kind}.{name}={value}" for name, value in given.items()]
    return [*with_value, *(f"{kind}.{name}" for name in given)]
