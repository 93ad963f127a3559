"""Random Shangrao hands and options for the tests; all chance is in the ``random.Random`` given."""

import random
from collections import Counter
from typing import Any

from tests.rules_engine.variants.jiangxi.oracle import EDGES, HONOURS, KINDS

FOLLOWERS = dict(
    pair
    for cycle in ("123456789m", "123456789p", "123456789s", "1234z", "765z")
    for pair in [
        (a + cycle[-1], b + cycle[-1])
        for a, b in zip(cycle[:-1], cycle[1:-1] + cycle[0], strict=True)
    ]
)
"""The wild by the indicator, under the default cycles."""


def written(tiles: list[str]) -> str:
    """Tiles as one compact text."""
    return "".join(
        "".join(sorted(tile[0] for tile in tiles if tile[1] == suit)) + suit
        for suit in "mpsz"
        if any(tile[1] == suit for tile in tiles)
    )


def shape(chance: random.Random) -> tuple[list[str], list[dict[str, Any]]]:
    """Concealed tiles of a winning hand, mostly, and melds (without ``from``)."""
    kind = chance.random()
    if kind < 0.12:
        pairs = chance.choices(KINDS if chance.random() < 0.6 else sorted(EDGES), k=7)
        return [tile for tile in pairs for _ in range(2)], []
    if kind < 0.22:
        ranks = [f"{low + 3 * step}{s}" for s in "mps" for low in [chance.choice((1, 2, 3))]
                 for step in range(3)]  # fmt: skip
        honours = sorted(HONOURS)
        chance.shuffle(honours)
        fill = honours + chance.sample(ranks, len(ranks))
        return fill[:14], []
    edges = kind < 0.34
    melds: list[dict[str, Any]] = []
    for _ in range(chance.choices((0, 1, 2, 3, 4), (55, 20, 12, 7, 6))[0]):
        name = chance.choice(("chi", "peng", "peng", "ming_gang", "bu_gang", "an_gang"))
        low = chance.choice(sorted(EDGES)) if edges else chance.choice(KINDS)
        if name == "chi" and not edges:
            first = chance.randrange(1, 8)
            suit = chance.choice("mps")
            tiles = [f"{first + step}{suit}" for step in range(3)]
        else:
            name = "peng" if name == "chi" else name
            tiles = [low] * (3 if name == "peng" else 4)
        melds.append({"kind": name, "tiles": written(tiles)})
    if edges and chance.random() < 0.5:
        size = 14 - 3 * len(melds)
        return chance.choices(sorted(EDGES), k=size), melds
    return sets(chance, 4 - len(melds), edges=edges), melds


def sets(chance: random.Random, number: int, *, edges: bool) -> list[str]:
    """So many sets and a pair."""
    tiles: list[str] = []
    triplets = chance.choice((0.2, 0.5, 1.0))
    kinds = sorted(EDGES) if edges else KINDS
    for _ in range(number):
        if edges or chance.random() < triplets:
            tiles += [chance.choice(kinds)] * 3
        else:
            first, suit = chance.randrange(1, 8), chance.choice("mps")
            tiles += [f"{first + step}{suit}" for step in range(3)]
    return tiles + [chance.choice(kinds)] * 2


def tiles_in(melds: list[dict[str, Any]]) -> list[str]:
    """All tiles of melds."""
    return [rank + meld["tiles"][-1] for meld in melds for rank in meld["tiles"][:-1]]


def possible(
    tiles: list[str], tile: str, melds: list[dict[str, Any]], indicator: str, by: str
) -> bool:
    """Whether a seat can have these tiles when ``indicator`` lies face up."""
    wild = FOLLOWERS[indicator]
    everything = Counter([*tiles, tile, *tiles_in(melds)])
    if max(everything.values()) > 4 or everything[indicator] > 3:
        return False
    if any(wild in tiles_in([meld]) for meld in melds if meld["kind"] not in ("chi", "an_gang")):
        return False
    if by == "qiang_gang":
        return everything[tile] == 1 and tile != indicator
    return True


def random_win(chance: random.Random, wilds: int) -> tuple[dict[str, Any], str]:
    """A win with so many free wilds, and the wild; the tiles are possible, the hand mostly wins."""
    while True:
        tiles, melds = shape(chance)
        indicator = chance.choice(KINDS)
        wild = FOLLOWERS[indicator]
        tiles = [tile for tile in tiles if tile != wild]
        chance.shuffle(tiles)
        size = 14 - 3 * len(melds)
        tiles = tiles[: max(0, size - wilds)] + [wild] * wilds
        if len(tiles) != size:
            continue
        chance.shuffle(tiles)
        by = chance.choice(("zimo", "zimo", "dianpao", "qiang_gang"))
        tile = tiles.pop()
        if possible(tiles, tile, melds, indicator, by):
            break
    seat = chance.randrange(4)
    others = [other for other in range(4) if other != seat]
    for meld in melds:
        if meld["kind"] != "an_gang":
            meld["from"] = (seat - 1) % 4 if meld["kind"] == "chi" else chance.choice(others)
    win = {
        "seat": seat,
        "by": by,
        "from": None if by == "zimo" else chance.choice(others),
        "tile": tile,
        "concealed": written(tiles),
        "melds": melds,
        "flags": [],
    }
    return win, wild


def random_case(chance: random.Random, wilds: int) -> dict[str, Any]:
    """One winner's hand with dealer and flags that may be."""
    win, wild = random_win(chance, wilds)
    dealer = chance.randrange(4)
    gangs = any(meld["kind"].endswith("gang") for meld in win["melds"])
    flags = win["flags"]
    first = not win["melds"] and chance.random() < 0.25
    if first and win["by"] == "zimo":
        dealer = win["seat"]
        flags.append("tian_hu")
    elif first and win["by"] == "dianpao":
        dealer = win["from"]
        flags.append("di_hu")
    else:
        if win["by"] == "zimo" and gangs and chance.random() < 0.5:
            flags.append("gang_kai")
        if chance.random() < 0.4:
            flags.append("tou_ji")
        owned = wilds + tiles_in(win["melds"]).count(wild)
        if owned < 4 and chance.random() < 0.3:
            flags.append(f"fei_bao:{chance.randint(1, 4 - owned)}")
    return {"dealer": dealer, "wild": wild, "result": "hu", "wins": [win]}


def random_options(chance: random.Random) -> dict[str, Any]:
    """Scoring options that differ from the defaults in about half of their values."""
    choices: dict[str, list[Any]] = {
        "discard_win": ["no_wild", "all", "di_hu_only"],
        "qing_strict": [True],
        "wild_in_special": [False],
        "jiu_yao_melds": [False],
        "jiu_yao_stack": [True],
        "hao_hua_wild": [False],
        "peng_peng_in_diao": [True],
        "tou_ji_required": [False],
        "dian_pao_shares": [1, 2, 3],
        "qiang_gang_shares": [1, 2, 3],
        "cap": [0, 7, 20, 64],
        "gang_an": [0, 5],
        "gang_ming": [0, 4],
        "gang_bu": [0, 2],
        "ming_gang_payer": ["discarder"],
    }
    names = "tian_hu di_hu qing_hao_hua_qi_dui hao_hua_qi_dui qing_qi_dui qi_dui qing_peng_peng_hu"
    names += " peng_peng_hu qi_xing_shi_san_lang shi_san_lang bao_diao_tou ping_hu_zi_mo ping_hu"
    choices |= {
        f"value_{n}": [0, 1, 4, 8, 16, 30] for n in (names + " qi_xing_jiu_yao jiu_yao").split()
    }
    names = "gang_kai qiang_gang tou_ji bao_diao_bao bao_diao_wu_bao fei_bao dan_diao jiu_yao_jia"
    choices |= {f"factor_{n}": [1, 2, 3, 8] for n in names.split()}
    return {name: chance.choice(found) for name, found in choices.items() if chance.random() < 0.4}
