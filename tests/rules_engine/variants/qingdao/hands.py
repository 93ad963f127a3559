"""Random Qingdao hands and options for the tests. All chance comes from the ``Random`` given."""

from collections import Counter
from random import Random
from typing import Any

from rules_engine.errors import Violation
from rules_engine.ruleset import dump_options, make_options
from rules_engine.tiles import parse, write
from rules_engine.variants.qingdao.options import QingdaoOptions
from tests.rules_engine.variants.qingdao.oracle import ALL, BONUSES, ORPHANS, TYPES, run_from

MODES = ("ping_hu", "dian_pao", "quan_dai_jiang")
NIU = ("567z", "1234z", "1s12z")
CHOICES: dict[str, list[Any]] = {
    "flower_set": ["pair", "all"],
    "lou": ["none", "an", "ming", "both"],
    "combine": ["add", "multiply"],
    "cap": [0, 5, 12],
    "discarder_factor": [1, 2, 3],
    "winners_pay_each_other": [True, False],
    "qiang_gang_payer": ["as_dianpao", "robbed_pays_all"],
    "gang_scope": ["winner", "all"],
    "gang_payers": ["as_win", "all"],
    "huang_multiplier": [1, 2, 3],
    "huang_cumulative": [True, False],
    "huang_max": [1, 4, 64],
    "hai_di_zone": ["draw_only", "normal"],
    "hua_long": ["fixed", "any"],
    "shi_san_yao": ["any", "classic"],
    "hun_yi_se_honours": ["winds", "all"],
    "shou_ba_yi_needs_chi": [True, False],
    "di_ba_yi_zimo_only": [True, False],
    "bare_hun_ron": [True],
    "hua_kai": [True, False],
    "niu_kou_ting": ["never", "not_while"],
}


def random_options(chance: Random, *, hun: bool = False) -> dict[str, Any]:
    """Options that differ from the defaults in about a third of their values."""
    mode = chance.choice(MODES[:2] if hun else MODES)
    given = {name: chance.choice(found) for name, found in CHOICES.items() if chance.random() < 0.4}
    flowers = {"ping_hu": [2, 4], "dian_pao": [0], "quan_dai_jiang": [0, 2, 4]}[mode]
    values = {
        name: chance.choice([0, 0, 1, 3, 5, 9])
        for name in (*TYPES, *BONUSES, "ming_gang", "bu_gang", "an_gang")
        if chance.random() < 0.15
    }
    return {**given, "mode": mode, "hun": hun, "bare_hun_ron": True,
            "flowers": chance.choice(flowers), "values": values}  # fmt: skip


def made(given: dict[str, Any]) -> tuple[QingdaoOptions, dict[str, Any]]:
    """The options as a value for the engine and as a dictionary for the oracle."""
    options = make_options(QingdaoOptions, given)
    assert not isinstance(options, Violation), options
    assert isinstance(options, QingdaoOptions)
    return options, dump_options(options)


def random_sets(chance: Random, number: int) -> list[list[str]]:
    """Sets that often have something to do with each other."""
    style = chance.random()
    suits = "mps" if style < 0.5 else chance.choice(["m", "mz", "s", "sz", "p"])
    triplets = chance.choice([0.1, 0.4, 0.9])
    if style > 0.9:
        suits, triplets = "z", 1.0
    low = chance.randrange(1, 8)
    sets = []
    for place in range(number):
        suit = chance.choice(suits)
        if suit == "z" or chance.random() < triplets:
            sets.append([f"{chance.randrange(1, 8 if suit == 'z' else 10)}{suit}"] * 3)
        elif style < 0.15:
            sets.append(run_from(low, "mps"[place % 3]))
        elif style < 0.4:
            sets.append(run_from((1, 4, 7, low)[place], "sm"[place % 2] if style < 0.2 else suit))
        else:
            sets.append(run_from(chance.randrange(1, 8), suit))
    return sets


def random_win(chance: Random, options: dict[str, Any], hun: int) -> dict[str, Any] | None:
    """A winner with so many hun, or None when the tiles do not come out."""
    wild = chance.choice(ALL) if options["hun"] else None
    shape = chance.random()
    melds: list[dict[str, Any]] = []
    if shape < 0.15:
        kinds = chance.sample(ALL, 7) if shape < 0.1 else chance.choices(ALL, k=7)
        hand = [tile for kind in kinds for tile in (kind, kind)]
    elif shape < 0.2 and options["mode"] == "quan_dai_jiang":
        hand = chance.choices(ORPHANS, k=14)
        if options["shi_san_yao"] == "classic":
            hand = [*ORPHANS, chance.choice(ORPHANS)]
    else:
        sets = random_sets(chance, 4)
        number = chance.choice([0, 0, 1, 2, 4])
        melds = [meld for each in sets[:number] if (meld := random_meld(chance, each))]
        hand = [tile for each in sets[len(melds) :] for tile in each]
        hand += [chance.choice(ALL if chance.random() < 0.5 else hand or ALL)] * 2
    if wild:
        hand = [tile for tile in hand if tile != wild]
        chance.shuffle(hand)
        size = 14 - 3 * len(melds)
        if len(hand) < size - hun:
            return None
        hand = hand[: size - hun] + [wild] * hun
    chance.shuffle(hand)
    tile = hand.pop()
    everything = Counter([*hand, tile])
    for meld in melds:
        everything.update(write_list(meld["tiles"]))
    if max(everything.values()) > 4 or (
        wild and any(wild in write_list(m["tiles"]) for m in melds)
    ):
        return None
    return {
        "tile": tile,
        "concealed": write(sum(parse(each) for each in hand)),
        "melds": melds,
        "wild": wild,
    }


def write_list(text: str) -> list[str]:
    """The tiles of a compact text."""
    found, ranks = [], ""
    for letter in text:
        if letter.isdigit():
            ranks += letter
        else:
            found += [rank + letter for rank in ranks]
            ranks = ""
    return found


def random_meld(chance: Random, tiles: list[str]) -> dict[str, Any]:
    """A set laid down by a seat that is yet to be given: ``from`` counts seats back from it."""
    if chance.random() < 0.1:
        return {"kind": "niu", "tiles": chance.choice(NIU), "from": None}
    if len(set(tiles)) == 3:
        return {"kind": "chi", "tiles": write(sum(map(parse, tiles))), "from": 1}
    kind = chance.choice(["peng", "peng", "ming_gang", "bu_gang", "an_gang"])
    rank, suit = tiles[0]
    text = rank * (3 if kind == "peng" else 4) + suit
    return {"kind": kind, "tiles": text, "from": None if kind == "an_gang" else 1 + int(rank) % 3}


def random_case(chance: Random, options: dict[str, Any], hun: int = 0) -> dict[str, Any]:
    """One winner's hand, the way it won and flags that may be."""
    while True:
        win = random_win(chance, options, hun)
        groups = [] if win is None else [m["tiles"] for m in win["melds"] if m["kind"] == "niu"]
        if win is not None and len(groups) == len(set(groups)):
            break
    wild = win.pop("wild")
    seat, dealer = chance.randrange(4), chance.randrange(4)
    for meld in win["melds"]:
        if meld["from"] is not None:
            meld["from"] = (seat - meld["from"]) % 4
    by = chance.choice(["zimo", "zimo", "dianpao", "qiang_gang"])
    if win["tile"] == wild:
        by = "zimo"
    giver = None if by == "zimo" else chance.choice([s for s in range(4) if s != seat])
    flowers = "".join(n for n in "1234"[: options["flowers"]] if chance.random() < 0.5)
    win |= {"seat": seat, "by": by, "from": giver, "flowers": flowers + "f" if flowers else ""}
    win["flags"] = random_flags(chance, win, options, deals=seat == dealer)
    return {"dealer": dealer, "result": "hu", "wild": wild, "wins": [win]}


def random_flags(
    chance: Random, win: dict[str, Any], options: dict[str, Any], *, deals: bool
) -> list[str]:
    """Flags a hand may carry (QD-132)."""
    kinds = {meld["kind"] for meld in win["melds"]}
    flags = []
    kai = [
        flag
        for flag, there in (
            ("gang_kai", kinds & {"ming_gang", "bu_gang", "an_gang"}),
            ("niu_kai", "niu" in kinds),
            ("hua_kai", win["flowers"]),
        )
        if there and win["by"] == "zimo"
    ]
    if kai and chance.random() < 0.5:
        flags.append(chance.choice(kai))
    full = options["mode"] == "quan_dai_jiang"
    late = full and win["by"] == "zimo" and (not flags or options["hai_di_zone"] == "normal")
    if late and chance.random() < 0.2:
        flags.append("hai_di")
    bare = not kinds and not win["flowers"]
    if bare and chance.random() < 0.2 and win["by"] != "qiang_gang":
        if not deals:
            flags.append("di_hu")
        elif win["by"] == "zimo":
            flags.append("tian_hu")
    if ("niu" not in kinds or options["niu_kou_ting"] == "not_while") and chance.random() < 0.3:
        flags.append(chance.choice(["kou_ting", "ming_lou"]))
    for number, pair in enumerate(("12", "34")):
        if all(rank in win["flowers"] for rank in pair) and chance.random() < 0.5:
            flags.append(f"an_hua_{number + 1}")
    flags += chance.choice([[], [], ["after_huang"], ["after_huang_2"], ["after_huang_9"]])
    return flags
