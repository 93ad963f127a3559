"""What each figure of a board means, and what it is divided by: for readers, and for the API.

`tests/replays/test_meanings.py` holds these against what a board can be sorted by.
"""

from __future__ import annotations

from typing import Final

import msgspec


class Meaning(msgspec.Struct, frozen=True, kw_only=True):
    """A figure. `sort` is the key to sort a board by it, `over` what it is divided by, if it is."""

    name: str
    zh: str
    en: str
    means_zh: str
    means_en: str
    over: str | None = None
    sort: str | None = None


def _figure(name: str, titles: str, *means: str, over: str = "", sort: str = "") -> Meaning:
    (zh, en), (means_zh, means_en) = titles.split("/"), means
    return Meaning(
        name=name,
        zh=zh,
        en=en,
        means_zh=means_zh,
        means_en=means_en,
        over=over or None,
        sort=sort or None,
    )


FIGURES: Final = (
    _figure(
        "hands",
        "局数/Hands",
        "结算且有效、本人在座的局,荒庄也算;作废或中止的局不算",
        "Settled hands the player sat in, those nobody won included; no voided or abandoned ones",
        sort="hands",
    ),
    _figure(
        "games",
        "场数/Games",
        "至少有一局计入的场",
        "Games with at least one such hand",
        sort="games",
    ),
    _figure(
        "entries",
        "局外账目/Entries",
        "有效的调整与罚分笔数",
        "Adjustments and penalties in force that name the player",
    ),
    _figure(
        "points",
        "积分/Points",
        "收入减支出的总和:胡牌、杠、其他局内付分,以及调整与罚分",
        "All received less all paid: wins, gangs, side payments, adjustments and penalties",
        sort="points",
    ),
    _figure(
        "adjusted_points",
        "局外分/Adjusted points",
        "积分中来自调整与罚分的部分",
        "The part of points that adjustments and penalties made",
    ),
    _figure(
        "gang_points",
        "杠分/Gang points",
        "积分中来自杠的部分",
        "The part of points that gangs brought or cost",
    ),
    _figure(
        "points_per_hand",
        "局均分/Points per hand",
        "积分除以局数",
        "Points over hands; adjustments and penalties are in the points",
        over="hands",
        sort="points_per_hand",
    ),
    _figure("wins", "胡牌数/Wins", "胡牌的局", "Hands won"),
    _figure(
        "win_rate",
        "胡牌率/Win rate",
        "胡牌数除以局数",
        "Wins over hands",
        over="hands",
        sort="win_rate",
    ),
    _figure("zimo_wins", "自摸数/Self-draws", "自摸的局", "Hands won by self-draw"),
    _figure(
        "zimo_rate",
        "自摸率/Self-draw rate",
        "自摸数除以胡牌数",
        "Hands won by self-draw over wins",
        over="wins",
        sort="zimo_rate",
    ),
    _figure(
        "deal_ins",
        "点炮数/Deal-ins",
        "有人胡了本人的打牌或抢了本人的杠的局;一局多人胡也只算一次",
        "Hands with a win on the player's discard, or on a gang it robbed; once however many won",
    ),
    _figure(
        "deal_in_rate",
        "点炮率/Deal-in rate",
        "点炮数除以局数",
        "Deal-ins over hands",
        over="hands",
        sort="deal_in_rate",
    ),
    _figure(
        "average_win",
        "平均胡牌分/Average winning points",
        "胡牌对普通付分者的分值之和除以胡牌数",
        "The sum of what winning hands were worth to an ordinary payer, over wins",
        over="wins",
        sort="average_win",
    ),
    _figure(
        "best_total",
        "最大牌/Biggest hand",
        "对普通付分者分值最大的胡牌;相同者取最早",
        "The greatest worth of a winning hand to an ordinary payer; of equals the first",
        sort="best",
    ),
    _figure(
        "gangs",
        "杠数/Gangs",
        "有记录的开杠次数;只记结果的局可能只有影响付分的杠",
        "Gangs declared; a hand recorded as its result may name only those that payments need",
        sort="gangs",
    ),
    _figure(
        "tier",
        "段位/Tier",
        "起始分加积分在段位表上达到的段;先比段位,再比分数",
        "The tier that start plus points reaches on the club's ladder; sorted by tier, then score",
        sort="tier",
    ),
)
