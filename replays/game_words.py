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
    "no_such_games": ("没有符合条件的对局。", "There is no game like that."),
    "pages": ("翻页", "Pages"),
    "newer": ("较新的", "Newer games"),
}
