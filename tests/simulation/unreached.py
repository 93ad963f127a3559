"""Reasons to refuse something that no simulated hand can reach, each with why.

Each is a refusal of a recorded result; the golden cases and the tests of the variants have them.
"""

from collections.abc import Mapping
from typing import Final

UNREACHED: Final[Mapping[str, Mapping[str, str]]] = {
    "huaiyuan": {
        "robbed_gang": "In play a robbed gang is never laid; only a result can list one.",
        "second_winner": "In play the second seat has no chance left; only a result names two.",
    },
    "ruian": {
        "san_jia_hu_he": "In play three winners make a draw; only a result names all three.",
    },
}
