"""Random Rui'an hands and options for the tests. All chance comes from the ``Random`` given."""

from collections import Counter
from random import Random
from typing import Any

from rules_engine.facts import WinFacts
from rules_engine.ruleset import dump_options, make_options
from rules_engine.tiles import ONE, kind_of, parse, write
from rules_engine.variants.ruian.hands import Hand, make_hand
from rules_engine.variants.ruian.melds import melded, own_wind
from rules_engine.variants.ruian.options import RuianOptions
from tests.rules_engine.variants.ruian.oracle import ALL, GANGS, RUNS, flower_of

Body = dict[str, Any]


def made(given: dict[str, Any]) -> tuple[RuianOptions, dict[str, Any]]:
    """The options with these overrides, as the engine has them and as plain values."""
    options = make_options(RuianOptions, given)
    assert isinstance(options, RuianOptions), options
    return options, dump_options(options)


def hand_of(win: WinFacts, wild: int, dealer: int, options: RuianOptions) -> Hand:
    """The hand of a winner as the engine reads it."""
    tile = kind_of(win.tile)
    concealed = parse(win.concealed) + ONE[tile]
    return make_hand(concealed, tile, wild, own_wind(win.seat, dealer), melded(win.melds), options)


CHOICES: dict[str, list[Any]] = {
    "value_mode": ["tai_hu"] * 5 + ["flat"],
    "base_hu": [0, 20, 50],
    "lazhi_value": [300, 500],
    "lazhi_tai": [0, 2, 3, 4],
    "lazhi_step": [0, 0, 200],
    "hu_cap": [0, 105, 500],
    "round_to": [1, 10],
    "half_between_xian": [True, False],
    "ji_shu": [[1], [1, 2], [1, 2, 3, 4]],
    "ji_shu_scope": ["dealer_pairs", "all"],
    "ying_pai_times": [1, 2, 3],
    "special_times": [1, 2],
    "times_on_lazhi": [True, False],
    "zimo_is_hard": [True, False],
    "ying_ba_dui": [True, True, False],
    "ruan_ba_dui": [True, False],
    "san_cai_shen_bare_low": [0, 250, 500],
    "dan_zhang_diao_tai": [0, 3],
    "he_di_tai": [0, 1, 2],
    "flower_when_white_wild": ["7z", "none"],
    "dianpao_pays": ["all", "discarder_all"],
    "side_settlement": ["full", "melds", "off"],
}


def random_options(chance: Random) -> dict[str, Any]:
    """Overrides of some of the options that change an answer."""
    names = chance.sample(list(CHOICES), chance.randint(1, 8))
    return {name: chance.choice(CHOICES[name]) for name in names}


def text(tiles: list[str]) -> str:
    """Tiles written compactly."""
    return write(parse("".join(tiles)))


class Bag:
    """The tiles that can still be dealt."""

    def __init__(self, wild: str, flower: str) -> None:
        self.left = Counter({tile: 4 for tile in ALL if tile != flower})
        self.left[wild] -= 1

    def take(self, tiles: list[str]) -> bool:
        """Take these, if they are all there."""
        if Counter(tiles) - self.left:
            return False
        self.left -= Counter(tiles)
        return True


def random_group(chance: Random, suit: str, wild: str) -> list[str]:
    """A set in which the wild kind does not occur; of one suit or of any (``""``)."""
    while True:
        if chance.random() < 0.55:
            tiles = list(chance.choice([run for run in RUNS if run[0][1] in (suit or "mps")]))
        else:
            pool = [tile for tile in ALL if not suit or tile[1] in suit + "z"]
            tiles = [chance.choice(pool)] * 3
        if wild not in tiles:
            return tiles


def random_case(chance: Random, options: dict[str, Any], wilds: int) -> Body:
    """A won or nearly won hand with so many wilds, the other seats' tiles, all at random."""
    while True:
        body = _try(chance, options, wilds)
        if body is not None:
            return body


def _try(chance: Random, options: dict[str, Any], wilds: int) -> Body | None:
    wild = chance.choice(ALL)
    flower = flower_of(wild, options)
    bag = Bag(wild, flower)
    suit = chance.choice(["", "", "m", "p", "s"])
    seat, dealer = chance.randrange(4), chance.randrange(4)
    melds = []
    concealed: list[str] = []
    pairs = chance.random() < 0.15
    if pairs:
        pool = [t for t in ALL if not suit or t[1] in suit + "z"]
        for _ in range(8):
            concealed += [chance.choice(pool)] * 2
        concealed.append(chance.choice(ALL))
    else:
        for _ in range(5):
            tiles = random_group(chance, suit, wild)
            if chance.random() < 0.3:
                melds.append(random_meld(chance, tiles, seat))
            else:
                concealed += tiles
        concealed += [chance.choice([t for t in ALL if not suit or t[1] in suit + "z"])] * 2
    if chance.random() < 0.1:
        concealed[chance.randrange(len(concealed))] = chance.choice(ALL)
    natural = [tile for tile in concealed if tile != wild]
    keep = len(concealed) - wilds
    if len(natural) < keep or keep < 1:
        return None
    chance.shuffle(natural)
    melded = [tile for meld in melds for tile in _tiles(meld)]
    if not bag.take(natural[:keep] + melded) or not bag.take([wild] * wilds):
        return None
    by = chance.choice(["zimo", "zimo", "dianpao", "qiang_gang"])
    held = natural[:keep] + [wild] * wilds
    tile = chance.choice(held if by == "zimo" else natural[:keep])
    held.remove(tile)
    win: Body = {
        "seat": seat,
        "by": by,
        "from": None if by == "zimo" else (seat + chance.randint(1, 3)) % 4,
        "tile": tile,
        "concealed": text(held),
        "melds": melds,
        "flowers": text([flower] * chance.choice([0, 0, 0, 1, 2])) if flower else "",
        "flags": [],
    }
    win["flags"] = random_flags(chance, win, dealer)
    others = [each for each in range(4) if each != seat]
    return {
        "dealer": dealer,
        "streak": chance.randint(1, 5),
        "wild": wild,
        "result": "hu",
        "wins": [win],
        "table": [random_holding(chance, bag, each, wild) for each in others],
    }


def _tiles(meld: Body) -> list[str]:
    suit = meld["tiles"][-1]
    return [rank + suit for rank in meld["tiles"][:-1]]


def random_meld(chance: Random, tiles: list[str], seat: int) -> Body:
    """The set as a meld."""
    if tiles[0] != tiles[1]:
        return {"kind": "chi", "tiles": text(tiles), "from": (seat - 1) % 4}
    kind = chance.choice(["peng", *GANGS])
    whole = tiles if kind == "peng" else [*tiles, tiles[0]]
    giver = None if kind == "an_gang" else (seat + 1) % 4
    return {"kind": kind, "tiles": text(whole), "from": giver}


def random_flags(chance: Random, win: Body, dealer: int) -> list[str]:
    """Facts of the moment that do not contradict the hand."""
    possible = []
    if win["by"] == "zimo":
        possible += [["hai_di"], ["he_di"]]
        if any(meld["kind"] in GANGS for meld in win["melds"]):
            possible += [["gang_kai"]] * 3
        if not win["melds"] and win["seat"] == dealer:
            possible += [["tian_hu"]]
    if win["by"] == "dianpao":
        possible += [["last_discard"]]
        if not win["melds"] and win["from"] == dealer:
            possible += [["di_hu"]]
    return chance.choice(possible) if possible and chance.random() < 0.3 else []


def random_holding(chance: Random, bag: Bag, seat: int, wild: str) -> Body:
    """A seat that did not win: a meld or two, tiles in hand, no flowers but some."""
    melds = []
    for _ in range(chance.randint(0, 2)):
        tiles = random_group(chance, "", wild)
        meld = random_meld(chance, tiles, seat)
        if bag.take(_tiles(meld)):
            melds.append(meld)
    concealed: list[str] = []
    while len(concealed) < 16 - 3 * len(melds):
        tiles = [chance.choice(ALL)] * chance.randint(1, 3)
        if len(concealed) + len(tiles) <= 16 - 3 * len(melds) and bag.take(tiles):
            concealed += tiles
    return {"seat": seat, "melds": melds, "concealed": text(concealed), "flowers": ""}
