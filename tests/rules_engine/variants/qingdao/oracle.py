"""A slow scorer of Qingdao hands, written from the rule page and sharing no code with the engine.

Tiles are texts such as ``"5m"``, hun a number beside them, readings found by trying everything. It
gives the items of the best reading by id, and the payments.
"""

from collections import Counter
from collections.abc import Iterator
from math import prod
from typing import Any

Group = tuple[str, str, int]
"""Shape, lowest tile, number of hun in it; a group of hun only has no tile."""
Options = dict[str, Any]
Body = dict[str, Any]

SUITS = "mps"
ALL = [f"{rank}{suit}" for suit in SUITS for rank in range(1, 10)] + [f"{n}z" for n in range(1, 8)]
ORPHANS = [f"{rank}{suit}" for suit in SUITS for rank in (1, 9)] + [f"{n}z" for n in range(1, 8)]
TYPES = [
    "base",
    "qi_dui",
    "hao_hua_qi_dui",
    "chao_hao_hua_qi_dui",
    "dui_dao",
    "dui_dao_di_ba_yi",
    "hui_shou_tao",
    "shou_ba_yi",
    "ba_yi_gang_kai",
    "tian_hu",
    "di_hu",
    "hun_jiang",
    "hun_fu",
    "ming_long",
    "an_long",
    "hua_long",
    "feng_pai",
    "shi_san_yao",
    "da_san_yuan",
    "da_si_xi",
    "qing_yi_se",
    "hun_yi_se",
    "hai_di_lao_yue",
]
BONUSES = [
    "gang_kai",
    "niu_gang_kai",
    "qiang_gang",
    "kou_ting",
    "ming_lou",
    "zimo",
    "ming_hua",
    "an_hua",
]
ORDER = [*TYPES, "cheng", *BONUSES, "huang_fan_bei", "feng_ding"]
ONLY_FULL = set(TYPES[13:])
ONLY_HUN = {"hui_shou_tao", "hun_jiang", "hun_fu"}
DI_BA_YI = {"dui_dao_di_ba_yi", "hui_shou_tao"}
EXCLUDED_BY = {
    "qi_dui": {"hao_hua_qi_dui", "chao_hao_hua_qi_dui"},
    "hao_hua_qi_dui": {"chao_hao_hua_qi_dui"},
    "dui_dao": {*DI_BA_YI, "da_si_xi"},
    "dui_dao_di_ba_yi": {"hui_shou_tao"},
    "shou_ba_yi": {*DI_BA_YI, "dui_dao", "ba_yi_gang_kai"},
    "ba_yi_gang_kai": {*DI_BA_YI, "dui_dao"},
    "gang_kai": {"ba_yi_gang_kai"},
}


def tiles_of(text: str) -> list[str]:
    """``"23m4p"`` as a list of tiles."""
    found: list[str] = []
    ranks = ""
    for letter in text:
        if letter.isdigit():
            ranks += letter
        else:
            found += [rank + letter for rank in ranks]
            ranks = ""
    return found


def run_from(low: int, suit: str) -> list[str]:
    """The three tiles of a run."""
    return [f"{low + step}{suit}" for step in range(3)]


def splits(tiles: Counter[str], hun: int, sets: int, pairs: int) -> Iterator[list[Group]]:
    """Every way to split the tiles and so many hun; each lowest tile goes somewhere."""
    left = [tile for tile in ALL if tiles[tile]]
    if not left:
        if hun == 3 * sets + 2 * pairs:
            yield [("triplet", "", 3)] * sets + [("pair", "", 2)] * pairs
        return
    first = left[0]
    tries: list[tuple[str, str, list[str]]] = [("pair", first, [first] * 2)] if pairs else []
    if sets:
        tries.append(("triplet", first, [first] * 3))
        rank, suit = int(first[0]), first[1]
        lows = range(max(1, rank - 2), min(7, rank) + 1) if suit in SUITS else ()
        tries += [("run", f"{low}{suit}", run_from(low, suit)) for low in lows]
    for shape, low, wanted in tries:
        for used in ways_to_fill(tiles, first, wanted):
            wilds = len(wanted) - sum(used.values())
            if wilds <= hun:
                rest = tiles - used
                is_pair = shape == "pair"
                for more in splits(rest, hun - wilds, sets - (not is_pair), pairs - is_pair):
                    yield [(shape, low, wilds), *more]


def ways_to_fill(tiles: Counter[str], first: str, wanted: list[str]) -> Iterator[Counter[str]]:
    """The natural tiles a group may be filled with, the lowest tile at hand among them."""
    need = Counter(wanted)
    choices: list[Counter[str]] = [Counter()]
    for tile, number in need.items():
        least = 1 if tile == first else 0
        most = min(number, tiles[tile])
        choices = [
            one + Counter({tile: taken}) for one in choices for taken in range(least, most + 1)
        ]
    yield from choices


def readings(win: Body, options: Options, wild: str | None) -> Iterator[Body]:
    """Every reading: its shape, groups and number of doubled kinds."""
    held = [*tiles_of(win["concealed"]), win["tile"]]
    hun = held.count(wild) if wild else 0
    natural = Counter(tile for tile in held if tile != wild)
    melds = len(win["melds"])
    for groups in splits(natural, hun, 4 - melds, 1):
        yield {"shape": "standard", "groups": groups, "doubled": 0}
    if not melds and len(held) == 14:
        spare = hun - sum(number % 2 for number in natural.values())
        if spare >= 0:
            own = sum((number + 1) // 2 == 2 for number in natural.values())
            for doubled in range(own, min(3, own + spare // 2) + 1):
                yield {"shape": "seven_pairs", "groups": [], "doubled": doubled}
        orphans = all(tile in ORPHANS for tile in held)
        if options["shi_san_yao"] == "classic":
            orphans = orphans and len(set(held)) == 13
        full = options["mode"] == "quan_dai_jiang"
        if orphans and full and not hun and options["values"]["shi_san_yao"]:
            yield {"shape": "shi_san_yao", "groups": [], "doubled": 0}


def best_items(win: Body, options: Options, wild: str | None) -> dict[str, int] | None:
    """The items of the best reading, adjusting lines included, or None for no winning shape."""
    sheets = [sheet(win, reading, options, wild) for reading in readings(win, options, wild)]
    if not sheets:
        return None

    def rank(items: dict[str, int]) -> tuple[int, int, list[int]]:
        places = [place for place, name in enumerate(ORDER) if name in items]
        unit = sum(p for name, p in items.items() if name not in ("huang_fan_bei", "feng_ding"))
        return -unit, len(places), places

    return min(sheets, key=rank)


def sheet(win: Body, reading: Body, options: Options, wild: str | None) -> dict[str, int]:
    """The items of one reading with their points."""
    held = conditions(win, reading, options, wild)
    full = options["mode"] == "quan_dai_jiang"
    there = {
        name: times * options["values"][name]
        for name, times in held.items()
        if times * options["values"][name]
        and (full or name not in ONLY_FULL)
        and (options["hun"] or name not in ONLY_HUN)
    }
    # What is excluded by something that counts is struck out, the excluders settled before.
    counted = dict(there)
    for name in ("dui_dao_di_ba_yi", "hao_hua_qi_dui", "qi_dui", "dui_dao", "ba_yi_gang_kai",
                 "shou_ba_yi", "gang_kai"):  # fmt: skip
        if EXCLUDED_BY[name] & set(counted):
            counted.pop(name, None)
    types = [counted[name] for name in TYPES if name in counted]
    if not types and options["values"]["base"]:
        counted["base"] = options["values"]["base"]
        types = [counted["base"]]
    if options["combine"] == "multiply" and types and prod(types) != sum(types):
        counted["cheng"] = prod(types) - sum(types)
    unit = sum(counted.values())
    factor = huang_factor(win["flags"], options)
    if unit * factor != unit:
        counted["huang_fan_bei"] = unit * (factor - 1)
    if options["cap"] and unit * factor > options["cap"]:
        counted["feng_ding"] = options["cap"] - unit * factor
    return {name: counted[name] for name in ORDER if name in counted}


def conditions(win: Body, reading: Body, options: Options, wild: str | None) -> dict[str, int]:
    """How often each item's condition holds, exclusions aside."""
    flags, by, melds = win["flags"], win["by"], win["melds"]
    held = [*tiles_of(win["concealed"]), win["tile"]]
    owned = [tile for tile in held if tile != wild]
    owned += [tile for meld in melds for tile in tiles_of(meld["tiles"])]
    groups = reading["groups"]
    standard = reading["shape"] == "standard"
    niu = sum(meld["kind"] == "niu" for meld in melds)
    chis = [tiles_of(meld["tiles"])[0] for meld in melds if meld["kind"] == "chi"]
    runs = [low for shape, low, _ in groups if shape == "run"]
    triplets = [low for shape, low, hun in groups if shape == "triplet" and hun < 3]
    triplets += [tiles_of(m["tiles"])[0] for m in melds if m["kind"] not in ("chi", "niu")]
    gang_kai = "gang_kai" in flags
    four = len(melds) == 4
    dui_dao = standard and not runs and not chis and not niu
    di_ba_yi = dui_dao and four and (by == "zimo" or not options["di_ba_yi_zimo_only"])
    shou = four and bool(chis or not options["shou_ba_yi_needs_chi"])
    suits = {tile[1] for tile in owned}
    dragons = any(tile in ("5z", "6z", "7z") for tile in owned)
    lou = options["lou"]
    ming, an = flower_pairs(win, options)
    yao = reading["shape"] == "shi_san_yao"
    return {
        "qi_dui": reading["shape"] == "seven_pairs",
        "hao_hua_qi_dui": reading["doubled"] > 0,
        "chao_hao_hua_qi_dui": reading["doubled"] > 1,
        "dui_dao": dui_dao,
        "dui_dao_di_ba_yi": di_ba_yi,
        "hui_shou_tao": di_ba_yi and win["tile"] == wild,
        "shou_ba_yi": shou,
        "ba_yi_gang_kai": shou and gang_kai,
        "tian_hu": "tian_hu" in flags,
        "di_hu": "di_hu" in flags,
        "hun_jiang": standard and any(g[0] == "pair" and g[2] == 2 for g in groups),
        "hun_fu": any(g[0] != "pair" and g[2] == 3 for g in groups),
        **dragon(runs, chis, options),
        "hua_long": hua_long(runs + chis, options),
        "feng_pai": any(all(low[0] + suit in runs + chis for suit in SUITS) for low in runs + chis),
        "shi_san_yao": yao,
        "da_san_yuan": {"5z", "6z", "7z"} <= set(triplets),
        "da_si_xi": {"1z", "2z", "3z", "4z"} <= set(triplets),
        "qing_yi_se": not yao and len(suits) == 1,
        "hun_yi_se": not yao and not melds and len(suits) == 2 and "z" in suits
        and (not dragons or options["hun_yi_se_honours"] == "all"),
        "hai_di_lao_yue": "hai_di" in flags,
        "gang_kai": gang_kai,
        "niu_gang_kai": "niu_kai" in flags or ("hua_kai" in flags and options["hua_kai"]),
        "qiang_gang": by == "qiang_gang",
        "kou_ting": "kou_ting" in flags and lou in ("an", "both"),
        "ming_lou": "ming_lou" in flags and lou in ("ming", "both"),
        "zimo": by == "zimo",
        "ming_hua": ming,
        "an_hua": an,
    }  # fmt: skip


def dragon(runs: list[str], chis: list[str], options: Options) -> dict[str, int]:
    """QD-87, QD-88, QD-109."""
    an = ming = False
    for suit in SUITS:
        parts = [f"{rank}{suit}" for rank in (1, 4, 7)]
        if all(part in runs + chis for part in parts):
            an = an or all(part in runs for part in parts)
            ming = ming or any(part in chis for part in parts)
    if an and ming:
        an = options["values"]["an_long"] > options["values"]["ming_long"]
        ming = not an
    return {"ming_long": ming, "an_long": an}


def hua_long(runs: list[str], options: Options) -> bool:
    """QD-89."""
    if options["hua_long"] == "fixed":
        return {"1s", "4m", "7p"} <= set(runs)
    return any(
        {f"1{a}", f"4{b}", f"7{c}"} <= set(runs)
        for a in SUITS
        for b in SUITS
        for c in SUITS
        if len({a, b, c}) == 3
    )


def flower_pairs(win: Body, options: Options) -> tuple[int, int]:
    """QD-53: open and hidden pairs."""
    flowers = tiles_of(win["flowers"])
    pairs = [["1f", "2f"], ["3f", "4f"]][: options["flowers"] // 2]
    whole = [all(tile in flowers for tile in pair) for pair in pairs]
    hidden = [f"an_hua_{number + 1}" in win["flags"] for number in range(len(pairs))]
    if options["flower_set"] == "all":
        if not pairs or not all(whole):
            return 0, 0
        return (0, 1) if all(hidden) else (1, 0)
    an = sum(w and h for w, h in zip(whole, hidden, strict=True))
    return sum(whole) - an, an


def huang_factor(flags: list[str], options: Options) -> int:
    """QD-118."""
    run = 0
    for flag in flags:
        if flag.startswith("after_huang"):
            run = int(flag.removeprefix("after_huang").lstrip("_") or 1)
    if not run:
        return 1
    if options["huang_cumulative"]:
        if options["huang_multiplier"] == 1:
            return 1
        return min(options["huang_multiplier"] ** run, options["huang_max"])
    return int(options["huang_multiplier"])


def payments(
    wins: list[Body], totals: dict[int, int], table: list[Body], options: Options
) -> tuple[list[int], list[int]]:
    """Points by seat from the wins and from the gangs (QD-119 to QD-128)."""
    hand, gang = [0] * 4, [0] * 4
    winners = [win["seat"] for win in wins]
    for win in wins:
        shares = {
            other: (options["discarder_factor"] if other == win["from"] else 1, 1)
            for other in range(4)
            if other != win["seat"] and (other not in winners or options["winners_pay_each_other"])
        }
        others = dict.fromkeys(shares, (1, 1))
        if win["by"] == "qiang_gang" and options["qiang_gang_payer"] != "as_dianpao":
            shares = {win["from"]: (3, 3)}
        elif win["by"] != "zimo" and options["mode"] == "dian_pao":
            shares = {win["from"]: (1, 1)}
        for payer, (times, _) in shares.items():
            pay(hand, payer, win["seat"], totals[win["seat"]] * times)
        if options["gang_scope"] == "winner":
            paying = others if options["gang_payers"] == "all" else shares
            worth = sum(options["values"].get(m["kind"], 0) for m in win["melds"])
            worth *= huang_factor(win["flags"], options)
            for payer, (_, times) in paying.items():
                pay(gang, payer, win["seat"], worth * times)
    if options["gang_scope"] == "all" and (wins or options["huang_gang"] == "pay"):
        everybodys_gangs(gang, wins, table, options)
    return hand, gang


def everybodys_gangs(
    gang: list[int], wins: list[Body], table: list[Body], options: Options
) -> None:
    """QD-127."""
    factor = huang_factor(wins[0]["flags"], options) if wins else 1
    for holder in [*wins, *table]:
        for meld in holder["melds"]:
            if meld["kind"] in ("ming_gang", "bu_gang", "an_gang"):
                feeder = meld.get("from")
                for payer in range(4) if feeder is None else [feeder]:
                    worth = options["values"][meld["kind"]] * factor
                    pay(gang, payer, holder["seat"], worth)


def pay(points: list[int], payer: int, payee: int, worth: int) -> None:
    """One payment; to oneself it is none."""
    points[payer] -= worth
    points[payee] += worth
