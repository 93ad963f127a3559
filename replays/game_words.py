"""The words of the list of games and of the replay viewer: Chinese, English."""

from collections.abc import Mapping
from typing import Final

GAME_WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "all_of_them": ("全部", "All"),
    "club": ("俱乐部", "Club"),
    "hands_of": ("{} 局", "{} hands"),
    "one_hand": ("1 局", "1 hand"),
    "live_now": ("进行中", "live"),
    "unfinished": ("未打完", "unfinished"),
    "no_such_games": ("没有符合条件的对局。", "No games match."),
    "pages": ("翻页", "Pages"),
    "table_in_words": ("牌桌（文字）", "The table in words"),
    "is_dealer": ("庄家", "dealer"),
    "in_hand": ("手牌", "in hand"),
    "melds": ("副露", "melds"),
    "pond": ("打出的牌", "discards"),
    "left_of": ("余 {} 张", "{} left"),
    "taken_back": ("已撤回", "taken back"),
    "ruling": ("裁定", "Ruling"),
    "not_loaded": ("这一局现在读不到。", "This hand cannot be loaded now."),
    "paid_before": ("此前的收付", "Payments before that"),
    "as_lines": ("每行一个事件（NDJSON）", "one event a line (NDJSON)"),
    "as_json": ("整份 JSON", "one JSON file"),
    "embed_not": (
        "俱乐部公开对局后，才能在别的网页里显示它。",
        "A game can be embedded once its club has made its games public.",
    ),
    "colon": ("：", ": "),
    "newer": ("较新的", "Newer games"),
}
