"""A slow scorer of Huaiyuan hands, written from the rule page alone; it shares no code with ours.

Tiles are names, hands are lists of them, options a plain mapping. Everything is tried out.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

ALL = [rank + suit for suit in "mps" for rank in "123456789"] + [f"{rank}z" for rank in "1234567"]
GANGS = ("ming_gang", "bu_gang", "an_gang")
SPECIAL = {"xuanfeng_gang": 4, "xi_gang": 3, "yao_dan": 3, "jiu_dan": 3}
BIG = ("1s", "1p", "5z", "6z", "7z")
Groups = tuple[tuple[str, ...], ...]


def tiles_of(text: str) -> list[str]:
    """The tiles of a compact text."""
    found: list[str] = []
    ranks = ""
    for letter in text:
        if letter.isdigit():
            ranks += letter
        else:
            found += [rank + letter for rank in ranks]
            ranks = ""
    return found


def step(tile: str, by: int) -> str:
    """The tile so many ranks higher, or a text that is no tile."""
    return f"{int(tile[0]) + by}{tile[1]}"


def splits(tiles: list[str], sets: int) -> Iterator[Groups]:
    """Every way to split sorted tiles into so many sets and a pair, the pair last."""
    for pair in sorted(set(tiles)):
        if tiles.count(pair) < 2:
            continue
        rest = tiles.copy()
        rest.remove(pair)
        rest.remove(pair)
        for found in sets_of(rest, sets):
            yield (*found, (pair, pair))


def sets_of(tiles: list[str], sets: int) -> Iterator[Groups]:
    """Every way to split tiles into so many runs and triplets."""
    if not tiles:
        if sets == 0:
            yield ()
        return
    if sets == 0:
        return
    first = min(tiles, key=ALL.index)
    options = [(first,) * 3]
    if first[1] != "z" and first[0] < "8":
        options.append((first, step(first, 1), step(first, 2)))
    for group in options:
        rest = Counter(tiles)
        rest.subtract(group)
        if min(rest.values()) >= 0:
            for found in sets_of(list(rest.elements()), sets - 1):
                yield (group, *found)


def melded(win: dict[str, Any]) -> list[str]:
    """All tiles in a winner's melds."""
    return [tile for meld in win["melds"] for tile in tiles_of(meld["tiles"])]


def kinds_of(win: dict[str, Any]) -> list[str]:
    """The kinds of a winner's melds."""
    return [meld["kind"] for meld in win["melds"]]


def is_piao(win: dict[str, Any], groups: Groups, options: dict[str, Any]) -> bool:
    """Whether a hand is all triplets."""
    runs = any(len(set(group)) == 3 for group in groups)
    barred = not options["special_gang_in_piao"] and any(k in SPECIAL for k in kinds_of(win))
    return not runs and "chi" not in kinds_of(win) and not barred


def closed(win: dict[str, Any], options: dict[str, Any]) -> bool:
    """Whether a hand is closed."""
    allowed = {"an_gang"} | (set(SPECIAL) if options["special_gang_keeps_li_hu"] else set())
    return set(kinds_of(win)) <= allowed


def fault(win: dict[str, Any], tile: str, groups: Groups, options: dict[str, Any]) -> int:
    """0 for a reading that may win, else the number of the check it fails (HY-56)."""
    everything = [*tiles_of(win["concealed"]), tile, *melded(win)]
    piao = is_piao(win, groups, options)
    exempt = piao and options["piao_exempt_suits_yaojiu"]
    suited = everything.copy()
    if not options["yao_jiu_dan_counts_suits"]:
        suited = [*tiles_of(win["concealed"]), tile]
        for meld in win["melds"]:
            suited += tiles_of(meld["tiles"]) if meld["kind"] not in ("yao_dan", "jiu_dan") else []
    if options["require_three_suits"] and not exempt and not set("mps") <= {t[1] for t in suited}:
        return 8
    ones = any(t[0] == "1" and t[1] != "z" for t in everything)
    nines = any(t[0] == "9" for t in everything)
    good = {"any": ones or nines, "both": ones and nines, "off": True}[options["require_yaojiu"]]
    if not good and not exempt and not any(t[1] == "z" for t in everything):
        return 9
    triplet = any(len(group) == 3 and len(set(group)) == 1 for group in groups)
    gang = any(kind in GANGS or kind in SPECIAL for kind in kinds_of(win))
    dragons = options["kezi_exempt_dragon_pair"] and groups[-1][0] in ("5z", "6z", "7z")
    has_triplet = triplet or "peng" in kinds_of(win) or gang or dragons
    if options["require_kezi"] and not has_triplet:
        return 10
    held = len(tiles_of(win["concealed"]))
    if options["shou_ba_yi_counts_an_gang"]:
        held += 4 * kinds_of(win).count("an_gang")
    if options["shou_ba_yi_only_piao"] and held == 1 and not piao:
        return 11
    if closed(win, options) and not options["allow_li_hu"]:
        return 12
    return 0


def readings(win: dict[str, Any], tile: str) -> list[Groups]:
    """Every reading with this tile."""
    tiles = sorted([*tiles_of(win["concealed"]), tile], key=ALL.index)
    sets = 4 - len(win["melds"])
    return list(splits(tiles, sets)) if len(tiles) == 3 * sets + 2 else []


def free_kinds(win: dict[str, Any]) -> list[str]:
    """The kinds of which the winner does not hold all four."""
    held = Counter([*tiles_of(win["concealed"]), *melded(win)])
    return [kind for kind in ALL if held[kind] < 4]


def waits(win: dict[str, Any], options: dict[str, Any]) -> list[str]:
    """HY-50."""
    return [
        kind
        for kind in free_kinds(win)
        if any(not fault(win, kind, groups, options) for groups in readings(win, kind))
    ]


def narrow_form(tile: str, groups: Groups) -> bool:
    """HY-81: a gap, an edge or the pair."""
    for group in groups:
        if len(group) == 2 and group[0] == tile:
            return True
        if len(set(group)) == 3:
            gap, ranks = group[1] == tile, "".join(each[0] for each in group)
            edge = (ranks == "123" and tile == group[2]) or (ranks == "789" and tile == group[0])
            if gap or edge:
                return True
    return False


def jia_hu(
    win: dict[str, Any], tile: str, groups: Groups, options: dict[str, Any], *, bao: bool
) -> bool:
    """Whether the reading has jia_hu."""
    if "last_in_gang" in win["flags"] or (bao and not options["jia_hu_with_bao"]):
        return False
    if is_piao(win, groups, options) and options["piao_excludes_jia"]:
        return False
    form = narrow_form(tile, groups)
    rule = options["jia_hu_rule"]
    if rule == "form":
        return form
    sole = len(waits(win, options)) == 1
    return {"sole": sole, "both": form and sole, "either": form or sole}[rule]


def items_of(
    win: dict[str, Any], tile: str, groups: Groups, dealer: int, options: dict[str, Any], *,
    bao: bool,
) -> dict[str, int]:  # fmt: skip
    """The items of one reading with their fan."""
    dui_bao = "dui_bao" in win["flags"]
    has = {
        "base": True,
        "dianpao": win["by"] != "zimo",
        "zimo": win["by"] == "zimo",
        "jia_hu": jia_hu(win, tile, groups, options, bao=bao),
        "bao": bao or (dui_bao and options["dui_bao_includes_bao"]),
        "dui_bao": dui_bao,
        "piao_hu": is_piao(win, groups, options),
        "zhuang_hu": win["seat"] == dealer,
        "li_hu": closed(win, options),
    }
    return {name: options[f"fan_{name}"] for name in has if has[name] and options[f"fan_{name}"]}


def best_items(
    win: dict[str, Any], dealer: int, wild: str | None, options: dict[str, Any]
) -> dict[str, int] | int:
    """The items of the best reading, or the number of the check of HY-56 that none passes."""
    drawn = win["by"] == "zimo" and "ting" in win["flags"] and "dui_bao" not in win["flags"]
    bao = drawn and win["tile"] == wild
    kinds = free_kinds(win) if bao else [win["tile"]]
    pairs = [(kind, groups) for kind in kinds for groups in readings(win, kind)]
    if not pairs:
        return 7
    for number in range(8, 13):
        kept = [
            (kind, groups) for kind, groups in pairs if fault(win, kind, groups, options) != number
        ]
        if not kept:
            return number
        pairs = kept
    found = [items_of(win, kind, groups, dealer, options, bao=bao) for kind, groups in pairs]
    return max(
        found, key=lambda items: (sum(items.values()), "piao_hu" in items, "jia_hu" in items)
    )


def conv(fan: int, options: dict[str, Any]) -> int:
    """HY-93."""
    if options["fan_cap"] > 0:
        fan = min(fan, options["fan_cap"])
    return fan if options["fan_mode"] == "additive" else 2 ** (fan - 1)


def hand_points(
    win: dict[str, Any], items: dict[str, int], dealer: int, options: dict[str, Any]
) -> list[int]:
    """HY-90 to HY-94, by seat."""
    points = [0, 0, 0, 0]
    total = sum(items.values())
    for seat in range(4):
        if seat == win["seat"]:
            continue
        fan = total
        if options["dealer_pays_extra"] and seat == dealer:
            fan += options["fan_zhuang_hu"]
        payer = seat
        if win["by"] != "zimo" and seat != win["from"]:
            fan -= items.get("dianpao", 0)
            robbed = win["by"] == "qiang_gang" and options["qiang_gang_payers"] == "cover"
            if robbed or options["dianpao_payers"] == "cover":
                payer = win["from"]
            elif options["dianpao_payers"] == "discarder":
                continue
        points[payer] -= conv(fan, options)
        points[win["seat"]] += conv(fan, options)
    return points


def gang_points(holders: list[dict[str, Any]], options: dict[str, Any], *, won: bool) -> list[int]:
    """HY-100 to HY-106, by seat."""
    points = [0, 0, 0, 0]
    if not won and not options["gang_on_huang_zhuang"]:
        return points
    for holder in holders:
        for meld in holder["melds"]:
            kind, tiles = meld["kind"], tiles_of(meld["tiles"])
            if kind in SPECIAL:
                price = options["gang_special"] * (len(tiles) - SPECIAL[kind] + 1)
            elif kind not in GANGS:
                continue
            elif options["da_dan_enabled"] and tiles[0] in BIG:
                price = options["gang_da_dan_an" if kind == "an_gang" else "gang_da_dan_ming"]
            else:
                price = options["gang_an" if kind == "an_gang" else "gang_ming"]
            for seat in range(4):
                alone = kind == "ming_gang" and options["ming_gang_payer"] == "discarder"
                if seat != holder["seat"] and (not alone or seat == meld["from"]):
                    points[seat] -= price
                    points[holder["seat"]] += price
    return points
