"""Random Hefei hands and options for the tests; all chance is in the ``random.Random`` given."""

import random
from collections import Counter
from typing import Any

from rules_engine.ruleset import dump_options
from rules_engine.tiles import NAMES, of_kinds, write
from rules_engine.variants.hefei.options import HefeiOptions
from tests.rules_engine.variants.hefei import oracle

SUITS = {"m": 0, "p": 9, "s": 18}


def random_win(chance: random.Random, options: dict[str, Any]) -> dict[str, Any]:
    """A random hand that wins under the options, as a case's win without seat, by and flags."""
    while True:
        gangs, tiles = random_tiles(chance)
        everything = tiles + [kind for kind in gangs for _ in range(4)]
        text = write(of_kinds(tiles)) if max(Counter(everything).values()) <= 4 else ""
        gang_tiles = [oracle.tiles_of(NAMES[kind])[0] for kind in gangs]
        if text and oracle.is_win(oracle.tiles_of(text), gang_tiles, options):
            winning = chance.choice(tiles)
            tiles.remove(winning)
            return {
                "tile": NAMES[winning],
                "concealed": write(of_kinds(tiles)),
                "melds": [
                    {"kind": "an_gang", "tiles": NAMES[kind][0] * 4 + NAMES[kind][1]}
                    for kind in gangs
                ],
            }


def random_tiles(chance: random.Random) -> tuple[list[int], list[int]]:
    """Gangs and concealed tiles that are sets and a pair, or seven pairs, mostly of one suit."""
    base = chance.choice(list(SUITS.values()))
    if chance.random() < 0.1:
        kinds = [base + rank for rank in range(1, 8)] * 2
        others = [kind + rank for kind in SUITS.values() for rank in range(1, 8)]
        return [], [kind for kind in chance.sample(kinds + others[:7], 7) for _ in range(2)]
    wins = chance.choices((0, 1, 2, 3, 4), (70, 16, 8, 4, 2))[0]

    def start() -> int:
        return base if chance.random() < 0.6 else chance.choice(list(SUITS.values()))

    gangs = [start() + chance.randrange(1, 8) for _ in range(wins)]
    tiles = []
    for _ in range(4 - wins):
        if chance.random() < 0.35:
            tiles += [start() + chance.randrange(1, 8)] * 3
        else:
            low = start() + chance.randrange(1, 6)
            tiles += [low, low + 1, low + 2]
    return gangs, tiles + [start() + chance.randrange(1, 8)] * 2


def random_case(chance: random.Random, options: dict[str, Any]) -> dict[str, Any]:
    """One winner's hand with dealer, streak, the way of winning, and flags that may be."""
    dealer, seat = chance.randrange(4), chance.randrange(4)
    win = random_win(chance, options)
    zimo = chance.random() < 0.5 or not options["allow_dianpao"]
    payer = chance.choice([other for other in range(4) if other != seat])
    flags = random_flags(
        chance, gangs=bool(win["melds"]), zimo=zimo, deals=seat == dealer, by_dealer=payer == dealer
    )
    if options["room"] == "bao_ting" and not zimo:
        flags = ["ting"]
    win |= {
        "seat": seat,
        "by": "zimo" if zimo else "dianpao",
        "from": None if zimo else payer,
        "flags": flags,
    }
    return {
        "dealer": dealer,
        "streak": chance.randrange(1, 6),
        "result": "hu",
        "wins": [win],
    }


def random_flags(
    chance: random.Random, *, gangs: bool, zimo: bool, deals: bool, by_dealer: bool
) -> list[str]:
    """Flags a hand may carry (HF-74)."""
    choices: list[list[str]] = [[], []]
    if zimo:
        choices += [["hai_lao"]]
        choices += [["gang_kai"], ["di_hu", "gang_kai"][deals:]] if gangs else []
        choices += [] if gangs else [["tian_hu" if deals else "di_hu"]]
    elif by_dealer and not gangs:
        choices += [["dealer_first_discard"]]
    return chance.choice(choices)


def random_options(chance: random.Random) -> dict[str, Any]:
    """Scoring options that differ from the defaults in about a third of their values."""
    figures = [
        name
        for name, default in dump_options(HefeiOptions()).items()
        if name.startswith(("base_", "points_")) and isinstance(default, int)
    ]
    values: dict[str, list[Any]] = {name: [0, 1, 3, 7, 12] for name in figures}
    values |= {
        "room": ["plain", "bao_ting"],
        "min_suit": [0, 6, 9],
        "allow_qi_dui": [True, False],
        "tong_count": ["each", "best"],
        "kan_on_dianpao": [True, False],
        "huo_kan": ["both", "huo_only"],
        "shuang_pu_four_runs": [2, 3, 6],
        "ming_rule": ["dianpao_only", "winning_tile"],
        "ka_rule": ["any_reading", "single_wait"],
        "ka_qi_dui": [True, False],
        "luxury_base": ["all_but_zhuang", "all", "base_only"],
        "tian_di_hu_base": [True, False],
        "tian_di_hu_best": [True, False],
        "di_hu_rule": ["first_turn_zimo", "dealer_first_discard", "either"],
        "di_hu_after_own_gang": [True, False],
        "gang_kai_mult": [1, 2, 3, 4],
        "zhuang_fen_mode": ["both_ways", "dealer_wins"],
        "cap": [0, 20, 45, 1000],
        "cap_split": ["pro_rata", "turn_order"],
    }
    return {name: chance.choice(found) for name, found in values.items() if chance.random() < 0.4}
