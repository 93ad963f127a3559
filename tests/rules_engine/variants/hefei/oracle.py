"""A slow scorer of Hefei hands, written from the rule page and sharing no code with the engine.

Tiles are ``(suit, rank)`` pairs in lists, options a plain dictionary, readings found by trying
everything. It gives the items of the best reading by id. Two answers agree when all items do, not
only the totals.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

Tile = tuple[str, int]
Group = tuple[str, Tile]
ORDER = [
    "base",
    "zhi",
    "shuang_ba_zhi",
    "que_men",
    "qing_yi_se",
    "tong",
    "kan",
    "gang",
    "huo_ming",
    "huo_an",
    "shuang_pu_ming",
    "shuang_pu_an",
    "ka",
    "qi_dui",
    "hai_lao",
    "tian_hu",
    "di_hu",
    "hao_hua_qi_dui",
    "gang_kai",
    "zhuang_fen",
]


def tiles_of(text: str) -> list[Tile]:
    """``"23m4p"`` as pairs of suit and rank."""
    found: list[Tile] = []
    ranks: list[int] = []
    for letter in text:
        if letter.isdigit():
            ranks.append(int(letter))
        else:
            found += [(letter, rank) for rank in ranks]
            ranks = []
    return found


def splits(tiles: Counter[Tile], sets: int, pairs: int) -> Iterator[list[Group]]:
    """Every way to split the tiles into so many sets and pairs, each once."""
    left = sorted(tile for tile, count in tiles.items() if count)
    if not left:
        if not sets and not pairs:
            yield []
        return
    low = left[0]
    suit, rank = low
    run = [(suit, rank + step) for step in range(3)]
    tries = [("triplet", [low] * 3, 1, 0), ("run", run, 1, 0), ("pair", [low] * 2, 0, 1)]
    for shape, used, takes_set, takes_pair in tries:
        need = Counter(used)
        enough = all(tiles[tile] >= count for tile, count in need.items())
        if enough and sets >= takes_set and pairs >= takes_pair:
            for rest in splits(tiles - need, sets - takes_set, pairs - takes_pair):
                yield [(shape, low), *rest]


def holds(group: Group, tile: Tile) -> bool:
    """Whether a group contains a tile."""
    shape, (suit, rank) = group
    if shape == "run":
        return tile[0] == suit and rank <= tile[1] <= rank + 2
    return group[1] == tile


def is_win(tiles: list[Tile], gangs: list[Tile], options: dict[str, Any]) -> bool:
    """Whether 14 tiles less three for each gang are a legal hand, the suit condition included."""
    owned = Counter(suit for suit, _ in tiles) + Counter(suit for suit, _ in gangs * 4)
    if max(owned.values()) < options["min_suit"]:
        return False
    counts = Counter(tiles)
    pairs = not gangs and all(count in (2, 4) for count in counts.values())
    shape = any(True for _ in splits(counts, 4 - len(gangs), 1))
    return shape or (pairs and len(tiles) == 14 and options["allow_qi_dui"])


def waits(tiles: list[Tile], gangs: list[Tile], options: dict[str, Any]) -> list[Tile]:
    """The kinds the hand waits for, leaving out those it holds four of."""
    owned = Counter(tiles) + Counter(gangs * 4)
    return [
        (suit, rank)
        for suit in "mps"
        for rank in range(2, 9)
        if owned[suit, rank] < 4 and is_win([*tiles, (suit, rank)], gangs, options)
    ]


def best_items(
    win: dict[str, Any], *, dealer: int, streak: int, options: dict[str, Any]
) -> dict[str, int]:
    """The items of a legal win (in the form of the golden cases), those worth 0 left out."""
    tile = tiles_of(win["tile"])[0]
    concealed = tiles_of(win["concealed"])
    gangs = [tiles_of(meld["tiles"])[0] for meld in win["melds"]]
    everything = [*concealed, tile]
    fixed = first_turn(win, gangs, options)
    ordinary = [
        sheet(win, groups, place, tile, gangs, everything, dealer, streak, options, "")
        for groups, place in readings(everything, tile, gangs, options)
    ]
    top = max(ordinary, key=lambda items: (sum(items.values()), [items[name] for name in ORDER]))
    if fixed:
        plain = sheet(win, [], None, tile, gangs, everything, dealer, streak, options, fixed)
        if not options["tian_di_hu_best"] or sum(plain.values()) >= sum(top.values()):
            top = plain
    return {name: points for name, points in top.items() if points}


def readings(
    everything: list[Tile], tile: Tile, gangs: list[Tile], options: dict[str, Any]
) -> Iterator[tuple[list[Group], Group | None]]:
    """Every reading with every place of the winning tile; None is the place in seven pairs."""
    counts = Counter(everything)
    for groups in splits(counts, 4 - len(gangs), 1):
        for group in groups:
            if holds(group, tile):
                yield groups, group
    if not gangs and options["allow_qi_dui"] and all(n in (2, 4) for n in counts.values()):
        yield [], None


def first_turn(win: dict[str, Any], gangs: list[Tile], options: dict[str, Any]) -> str:
    """HF-62 and HF-63."""
    if "tian_hu" in win["flags"]:
        return "tian_hu"
    drawn = options["di_hu_rule"] in ("first_turn_zimo", "either")
    discarded = options["di_hu_rule"] in ("dealer_first_discard", "either")
    if drawn and "di_hu" in win["flags"] and (not gangs or options["di_hu_after_own_gang"]):
        return "di_hu"
    return "di_hu" if discarded and "dealer_first_discard" in win["flags"] else ""


def sheet(
    win: dict[str, Any],
    groups: list[Group],
    place: Group | None,
    tile: Tile,
    gangs: list[Tile],
    everything: list[Tile],
    dealer: int,
    streak: int,
    options: dict[str, Any],
    fixed: str,
) -> dict[str, int]:
    """All items of one reading, 0 included."""
    items = dict.fromkeys(ORDER, 0)
    zimo = win["by"] == "zimo"
    base = options["base_plain"] if options["room"] == "plain" else options["base_bao_ting"]
    if win["seat"] == dealer:
        each = options["points_zhuang_zimo"] if zimo else options["points_zhuang_dianpao"]
        items["zhuang_fen"] = streak * each
    if fixed:
        items["base"] = base if options["tian_di_hu_base"] else 0
        items[fixed] = options[f"points_{fixed}"]
        return items
    items["base"] = base
    count_tiles(items, everything + gangs * 4, options)
    items["gang"] = options["points_gang"] * len(gangs)
    if "hai_lao" in win["flags"]:
        items["hai_lao"] = options["points_hai_lao"]
    tight = place is None and options["ka_qi_dui"]
    if place is not None:
        count_groups(items, groups, place, tile, options, zimo=zimo)
        tight = is_tight(place, tile)
    else:
        items["qi_dui"] = options["points_qi_dui"]
    if tight and (
        options["ka_rule"] == "any_reading"
        or len(waits(tiles_of(win["concealed"]), gangs, options)) == 1
    ):
        items["ka"] = options["points_ka"]
    total = sum(items.values()) - items["zhuang_fen"]
    if place is None:
        quads = list(Counter(everything).values()).count(4)
        extents = {"all_but_zhuang": total, "all": total + items["zhuang_fen"], "base_only": base}
        items["hao_hua_qi_dui"] = quads * extents[options["luxury_base"]]
    if "gang_kai" in win["flags"]:
        items["gang_kai"] = total * (options["gang_kai_mult"] - 1)
    return items


def count_tiles(items: dict[str, int], owned: list[Tile], options: dict[str, Any]) -> None:
    """HF-48 to HF-52."""
    suits = Counter(suit for suit, _ in owned)
    items["zhi"] = options["points_zhi"] * sum(max(0, n - 8) for n in suits.values())
    if sum(n >= 8 for n in suits.values()) == 2:
        items["shuang_ba_zhi"] = options["points_shuang_ba_zhi"]
    if len(suits) == 2:
        items["que_men"] = options["points_que_men"]
    if len(suits) == 1:
        items["qing_yi_se"] = options["points_qing_yi_se"]
    over = [max(0, n - 4) for n in Counter(rank for _, rank in owned).values()]
    items["tong"] = options["points_tong"] * (
        sum(over) if options["tong_count"] == "each" else max(over)
    )


def count_groups(
    items: dict[str, int],
    groups: list[Group],
    place: Group,
    tile: Tile,
    options: dict[str, Any],
    *,
    zimo: bool,
) -> None:
    """HF-53 to HF-57."""
    ming_possible = not zimo or options["ming_rule"] == "winning_tile"
    runs = Counter(low for shape, low in groups if shape == "run")
    for shape, low in groups:
        if shape != "triplet":
            continue
        live = any(holds(("run", run), low) for run in runs)
        if live:
            name = "huo_ming" if ming_possible and low == tile else "huo_an"
            items[name] += options[f"points_{name}"]
        by_discard = not zimo and place == (shape, low) and not options["kan_on_dianpao"]
        if not by_discard and not (live and options["huo_kan"] == "huo_only"):
            items["kan"] += options["points_kan"]
    for low, times in runs.items():
        doubles = {1: 0, 2: 1, 3: 2, 4: options["shuang_pu_four_runs"]}[times]
        ming = 1 if doubles and ming_possible and place == ("run", low) else 0
        items["shuang_pu_ming"] += options["points_shuang_pu_ming"] * ming
        items["shuang_pu_an"] += options["points_shuang_pu_an"] * (doubles - ming)


def is_tight(place: Group, tile: Tile) -> bool:
    """HF-58."""
    shape, (_, rank) = place
    if shape == "pair":
        return True
    if shape == "triplet":
        return False
    at = tile[1] - rank
    return at == 1 or (rank == 2 and at == 2) or (rank == 6 and at == 0)


def payments(
    wins: list[dict[str, Any]],
    totals: dict[int, int],
    *,
    dealer: int,
    streak: int,
    options: dict[str, Any],
) -> list[int]:
    """Points by seat after HF-66 to HF-69."""
    dues: dict[tuple[int, int], int] = {}
    for win in wins:
        seat, zimo = win["seat"], win["by"] == "zimo"
        each = options["points_zhuang_zimo"] if zimo else options["points_zhuang_dianpao"]
        for payer in range(4) if zimo else [win["from"]]:
            if payer != seat:
                extra = streak * each if payer == dealer != seat else 0
                if options["zhuang_fen_mode"] == "dealer_wins":
                    extra = 0
                dues[payer, seat] = totals[seat] + extra
    for payer in range(4):
        keys = [(payer, (payer + k) % 4) for k in (1, 2, 3)]
        share(dues, keys, options, in_turn=options["cap_split"] == "turn_order")
    for winner in range(4):
        keys = [((winner + k) % 4, winner) for k in (1, 2, 3)]
        share(dues, keys, options, in_turn=False)
    points = [0] * 4
    for (payer, winner), due in dues.items():
        points[payer] -= due
        points[winner] += due
    return points


def share(
    dues: dict[tuple[int, int], int],
    keys: list[tuple[int, int]],
    options: dict[str, Any],
    *,
    in_turn: bool,
) -> None:
    """HF-68 for one payer or one winner."""
    keys = [key for key in keys if dues.get(key)]
    cap, whole = options["cap"], sum(dues[key] for key in keys)
    if not cap or whole <= cap:
        return
    left = cap
    if in_turn:
        for key in keys:
            dues[key] = min(left, dues[key])
            left -= dues[key]
        return
    for key in keys:
        dues[key] = cap * dues[key] // whole
        left -= dues[key]
    for key in keys[:left]:
        dues[key] += 1
