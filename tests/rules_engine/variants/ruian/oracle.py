"""A slow scorer of Rui'an hands, written from the rule page and sharing no code with the engine.

Tiles are texts such as ``"5m"``. A group is a tuple of (kind it stands for, whether it is a wild).
Readings are found by trying everything. It gives the items of the best reading by id, its total,
and the payments.
"""

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import Any

Group = tuple[tuple[str, bool], ...]
Options = dict[str, Any]
Body = dict[str, Any]

SUITS = "mps"
ALL = [f"{rank}{suit}" for suit in SUITS for rank in range(1, 10)] + [f"{n}z" for n in range(1, 8)]
RUNS = [tuple(f"{low + step}{suit}" for step in range(3)) for suit in SUITS for low in range(1, 8)]
WINDS = ["1z", "2z", "3z", "4z"]
YAO = {f"{rank}{suit}" for suit in SUITS for rank in (1, 9)} | {f"{n}z" for n in range(1, 8)}
GANGS = ("ming_gang", "bu_gang", "an_gang")
HU = [
    "base_hu",
    "zi_mo",
    "bai_ban_hu",
    "bian_dang",
    "qian_dang",
    "dan_diao",
    "peng",
    "peng_yao",
    "an_ke",
    "an_ke_yao",
    "ming_gang",
    "ming_gang_yao",
    "an_gang",
    "an_gang_yao",
    "dui_zhong",
    "dui_fa",
    "dui_zi_feng",
]
TAI = [
    "bai_ban",
    "gang_shang_kai_hua",
    "hai_di_lao_yue",
    "he_di_lao_yue",
    "qiang_gang",
    "ping_hu",
    "shuang_cai_shen_za_hu",
    "shuang_cai_shen",
    "zi_feng_ke",
    "hong_zhong_ke",
    "fa_cai_ke",
    "peng_peng_hu",
    "gang_gang_hu",
    "hun_yi_se",
    "dan_zhang_diao",
]
LIMITS = ["qing_yi_se", "si_feng_qi", "tian_hu", "di_hu", "san_cai_shen"]
TIMES = ["ying_pai", "fan_bei_ying_ba_dui", "fan_bei_san_cai_shen", "fan_bei_peng_peng_hu"]
ORDER = [*HU, *TAI, *LIMITS, "la_zhi", "la_zhi_extra", "di", *TIMES]


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


def flower_of(wild: str, options: Options) -> str:
    """RA-9."""
    if wild != "5z":
        return "5z"
    return "7z" if options["flower_when_white_wild"] == "7z" else ""


def shapes_with(tile: str) -> list[tuple[str, ...]]:
    """Every group of three or two that holds the tile."""
    return [(tile,) * 3, (tile,) * 2, *[run for run in RUNS if tile in run]]


@lru_cache(maxsize=1 << 14)
def splits(
    tiles: tuple[str, ...], wilds: int, sets: int, pairs: int, flower: str
) -> tuple[Any, ...]:
    """Every way to split the naturals and so many wilds; the lowest natural goes somewhere."""
    if not tiles and not wilds:
        return () if sets or pairs else ((),)
    found = []
    every = [(t,) * 3 for t in ALL] + [(t,) * 2 for t in ALL] + list(RUNS)
    for shape in shapes_with(tiles[0]) if tiles else every:
        pair = len(shape) == 2
        if (pair and not pairs) or (not pair and not sets):
            continue
        for number in range(min(wilds, len(shape)) + 1):
            for places in combinations(range(len(shape)), number):
                group = tuple((tile, at in places) for at, tile in enumerate(shape))
                used = [tile for tile, wild in group if not wild]
                if (tiles and tiles[0] not in used) or Counter(used) - Counter(tiles):
                    continue
                if any(wild and tile == flower for tile, wild in group):
                    continue
                rest = tuple(sorted((Counter(tiles) - Counter(used)).elements()))
                more = splits(rest, wilds - number, sets - (not pair), pairs - pair, flower)
                found.extend((group, *groups) for groups in more)
    return tuple(found)


def looks(group: Group, wild: str) -> Any:
    """What the rule page looks at in a group."""
    tile = group[0][0]
    missing = sum(is_wild and kind != wild for kind, is_wild in group)
    name = tile if tile[1] == "z" else (tile[1], tile in YAO)
    natural_wilds = any(is_wild for _, is_wild in group)
    return len(group), tile != group[1][0] or name, tile[1], missing, natural_wilds


def readings(win: Body, wild: str, options: Options) -> Iterator[Body]:
    """Every reading: its shape, groups, and the group and place of the winning tile."""
    held = [*tiles_of(win["concealed"]), win["tile"]]
    natural = Counter(tile for tile in held if tile != wild)
    wilds = held.count(wild)
    if len(held) + 3 * len(win["melds"]) != 17:
        return
    flower = flower_of(wild, options)
    seen = set()
    tiles = tuple(sorted(natural.elements()))
    for groups in splits(tiles, wilds, 5 - len(win["melds"]), 1, flower):
        for group in set(groups):
            for at, (tile, is_wild) in enumerate(group):
                if is_wild if win["tile"] == wild else (tile == win["tile"] and not is_wild):
                    reading = {"shape": "standard", "groups": groups, "won": group, "at": at}
                    seen_as = sorted([repr(looks(each, wild)) for each in groups])
                    key = (tuple(seen_as), looks(group, wild), wait_of(reading))
                    if key not in seen:
                        seen.add(key)
                        yield reading
    if not win["melds"] and options["ying_ba_dui"]:
        yield from eight_pairs(held, natural, wilds, options)


def eight_pairs(
    held: list[str], natural: Counter[str], wilds: int, options: Options
) -> Iterator[Body]:
    """RA-44."""
    if sum(n // 2 for n in Counter(held).values()) >= 8:
        yield {"shape": "eight_pairs", "groups": [], "soft": False, "kinds": held}
    odd = sum(n % 2 for n in natural.values())
    pairs = sum(n // 2 for n in natural.values())
    mended = min(odd, wilds)
    if options["ruan_ba_dui"] and wilds and pairs + mended + (wilds - mended) // 2 >= 8:
        kinds = list(natural.elements())
        yield {"shape": "eight_pairs", "groups": [], "soft": True, "kinds": kinds}


def best(win: Body, wild: str, dealer: int, options: Options) -> tuple[Body, int] | None:
    """The items of the best reading and its total, or None when the hand may not win."""
    sheets = [
        sheet(win, reading, wild, dealer, options) for reading in readings(win, wild, options)
    ]
    if not sheets:
        return bare(win, wild, dealer, options)
    _, items, total = min(sheets, key=lambda each: each[0])
    return items, total


def bare(win: Body, wild: str, dealer: int, options: Options) -> tuple[Body, int] | None:
    """RA-46: three wilds after an own draw."""
    held = [*tiles_of(win["concealed"]), win["tile"]]
    whole = len(held) + 3 * len(win["melds"]) == 17
    if held.count(wild) < 3 or win["by"] != "zimo" or not options["san_cai_shen_bare"] or not whole:
        return None
    if options["value_mode"] == "flat":
        return {"di": 1}, 1
    valued = ["6z", "7z", WINDS[(win["seat"] - dealer) % 4]]
    worth = win["flowers"] or any(held.count(tile) > 1 for tile in valued)
    worth = worth or any(tiles_of(meld["tiles"])[0] in valued for meld in win["melds"])
    items = {}
    if "tian_hu" in win["flags"]:
        items["tian_hu"] = options["lazhi_value"]
        worth = True
    items["san_cai_shen"] = options["lazhi_value" if worth else "san_cai_shen_bare_low"]
    items = {name: points for name, points in items.items() if points}
    return items, up(max(items.values(), default=0), options["round_to"])


def up(amount: int, to: int) -> int:
    """Rounded up."""
    return (amount + to - 1) // to * to


def times_of(
    win: Body, reading: Body, counts: Counter[str], wild: str, options: Options
) -> dict[str, int]:
    """The factor and the item it comes from (RA-74, RA-75)."""
    substitutes = reading.get("soft", False) or any(
        is_wild and tile != wild for group in reading["groups"] for tile, is_wild in group
    )
    special = ""
    if options["special_times"] > 1:
        if reading["shape"] == "eight_pairs" and not substitutes:
            special = "fan_bei_ying_ba_dui"
        elif counts["san_cai_shen"]:
            special = "fan_bei_san_cai_shen"
        elif counts["peng_peng_hu"]:
            special = "fan_bei_peng_peng_hu"
    hard = not substitutes or (options["zimo_is_hard"] and win["by"] != "dianpao")
    times = {}
    if special:
        times = {special: options["ying_pai_times"] * options["special_times"]}
    elif hard:
        times = {"ying_pai": options["ying_pai_times"]}
    return {name: factor for name, factor in times.items() if factor > 1}


def sheet(
    win: Body, reading: Body, wild: str, dealer: int, options: Options
) -> tuple[Any, Body, int]:
    """The rank (the least is scored), the items and the total of one reading."""
    counts = Counter(conditions(win, reading, wild, dealer, options))
    times = times_of(win, reading, counts, wild, options)
    factor = next(iter(times.values()), 1)
    if options["value_mode"] == "flat":
        items = {"di": 1, **times}
        return (-factor, 0, 0, 0, [*items]), items, factor
    hu = {name: counts[name] for name in HU if counts[name]}
    tai = {name: counts[name] for name in TAI if counts[name]}
    limits = {name: options["lazhi_value"] for name in LIMITS if counts[name]}
    h, t = sum(hu.values()), sum(tai.values())
    value = h * 2**t
    items = {**hu, **tai}
    if limits or (options["lazhi_tai"] and t >= options["lazhi_tai"]):
        value = options["lazhi_value"]
        items = dict(limits)
        if not limits:
            items = {**tai, "la_zhi": value}
        elif options["lazhi_step"]:
            items = {**tai, **limits}
        count = t + 3 * len(limits) - ("si_feng_qi" in limits and "zi_feng_ke" in tai)
        extra = options["lazhi_step"] * max(0, count - 3)
        if extra:
            items["la_zhi_extra"] = extra
            value += extra
        if not options["times_on_lazhi"]:
            times, factor = {}, 1
    elif options["hu_cap"]:
        value = min(value, options["hu_cap"])
    total = up(value, options["round_to"]) * factor
    items = {**items, **times}
    items = {name: items[name] for name in ORDER if name in items}
    return (-total, -len(limits), -t, -h, [*items]), items, total


def conditions(
    win: Body, reading: Body, wild: str, dealer: int, options: Options
) -> dict[str, int]:
    """The numbers of the items, and what they rest on; those of the same id add up."""
    by, melds = win["by"], win["melds"]
    own = WINDS[(win["seat"] - dealer) % 4]
    flowers = len(tiles_of(win["flowers"]))
    found = Counter({"base_hu": options["base_hu"]})
    found["zi_mo"] = 2 * (by != "dianpao")
    found["bai_ban_hu"], found["bai_ban"] = 4 * flowers, flowers
    tai_of = {own: "zi_feng_ke", "7z": "hong_zhong_ke", "6z": "fa_cai_ke"}
    winds = set()
    kinds = list(reading.get("kinds", []))
    for meld in melds:
        tile = tiles_of(meld["tiles"])[0]
        kinds += tiles_of(meld["tiles"])
        if meld["kind"] == "chi":
            continue
        name = "ming_gang" if meld["kind"] == "bu_gang" else meld["kind"]
        value = {"peng": 2, "ming_gang": 8, "an_gang": 16}[name]
        found[name + ("_yao" if tile in YAO else "")] += value * (1 + (tile in YAO))
        found[tai_of.get(tile, "none")] += 1
        winds.add(tile)
    runs = sum(meld["kind"] == "chi" for meld in melds)
    crowded = False
    pair_wild = False
    flat_pair = True
    claimed = by != "zimo"
    for group in reading["groups"]:
        tiles = [tile for tile, _ in group]
        kinds += tiles
        missing = sum(is_wild and tile != wild for tile, is_wild in group)
        if len(group) == 2:
            pair_wild = any(is_wild for _, is_wild in group)
            flat_pair = tiles[0] not in tai_of
            dui = {own: "dui_zi_feng", "7z": "dui_zhong", "6z": "dui_fa"}.get(tiles[0])
            if dui and missing <= 1:
                found[dui] = 2
        elif tiles[0] != tiles[1]:
            runs += 1
            crowded = crowded or missing >= 2
        elif missing <= 1:
            yao = tiles[0] in YAO
            if claimed and group == reading["won"]:
                found["peng" + "_yao" * yao] += 2 * (1 + yao)
                claimed = False
            else:
                found["an_ke" + "_yao" * yao] += 4 * (1 + yao)
            found[tai_of.get(tiles[0], "none")] += 1
            winds.add(tiles[0])
    found["runs"], found["crowded"] = runs, crowded
    found["flat_pair"], found["pair_wild"] = flat_pair, pair_wild
    finish(found, kinds, winds, win, reading, wild, options)
    return {name: int(value) for name, value in found.items()}


def finish(
    found: Counter[str],
    kinds: list[str],
    winds: set[str],
    win: Body,
    reading: Body,
    wild: str,
    options: Options,
) -> None:
    """The numbers of the items that look at the whole hand."""
    by, flags, melds = win["by"], win["flags"], win["melds"]
    held = [*tiles_of(win["concealed"]), win["tile"]]
    standard = reading["shape"] == "standard"
    runs = found["runs"]
    wait = wait_of(reading) if standard else ""
    if wait in ("bian_dang", "qian_dang", "dan_diao"):
        found[wait] = 2
    found["gang_shang_kai_hua"] = "gang_kai" in flags
    found["hai_di_lao_yue"] = "hai_di" in flags or "last_discard" in flags
    found["he_di_lao_yue"] = options["he_di_tai"] * ("he_di" in flags)
    found["qiang_gang"] = by == "qiang_gang"
    flat = runs == 5 and wait == "end" and found["flat_pair"] and not found["crowded"]
    wilds = held.count(wild)
    mixed = flat and wilds == 2 and not found["pair_wild"]
    found["ping_hu"] = flat and not mixed
    found["shuang_cai_shen_za_hu"] = 2 * mixed
    found["shuang_cai_shen"] = wilds == 2 and not mixed
    found["peng_peng_hu"] = 2 * (standard and runs == 0)
    found["gang_gang_hu"] = [meld["kind"] in GANGS for meld in melds] == [True] * 5
    suits = {tile[1] for tile in kinds}
    found["hun_yi_se"] = 2 * ("z" in suits and len(suits) <= 2)
    found["dan_zhang_diao"] = options["dan_zhang_diao_tai"] * (len(melds) == 5)
    found["qing_yi_se"] = len(suits) == 1 and "z" not in suits
    found["si_feng_qi"] = winds >= set(WINDS)
    found["tian_hu"], found["di_hu"] = "tian_hu" in flags, "di_hu" in flags
    found["san_cai_shen"] = wilds == 3


def wait_of(reading: Body) -> str:
    """RA-55: which wait the winning tile makes in its group."""
    tiles = [tile for tile, _ in reading["won"]]
    at = reading["at"]
    if len(tiles) == 2:
        return "dan_diao"
    if tiles[0] == tiles[1]:
        return "triplet"
    if at == 1:
        return "qian_dang"
    if (at == 2 and tiles[0][0] == "1") or (at == 0 and tiles[0][0] == "7"):
        return "bian_dang"
    return "end"


# --- payments -------------------------------------------------------------------------------------


def payments(body: Body, win: Body | None, total: int, options: Options) -> tuple[Any, Any]:
    """Points by seat of the win, and of what the others compare."""
    hand, side = [0] * 4, [0] * 4
    dealer, streak = body["dealer"], body.get("streak", 1)
    flat = options["value_mode"] == "flat"
    ladder = options["ji_shu"]
    base = ladder[min(streak, len(ladder)) - 1]
    per_point = 1 if flat else options["hu_per_point"]
    if win is not None:
        for seat in {0, 1, 2, 3} - {win["seat"]}:
            with_dealer = dealer in (seat, win["seat"])
            due = total if flat or with_dealer else halved(total, options)
            if with_dealer or options["ji_shu_scope"] == "all":
                due *= base
            alone = options["dianpao_pays"] == "discarder_all" and win["from"] is not None
            hand[win["from"] if alone else seat] -= due // per_point
            hand[win["seat"]] += due // per_point
    if flat or options["side_settlement"] == "off":
        return hand, side
    if win is None and not options["draw_side_settlement"]:
        return hand, side
    seats = [seat for seat in range(4) if win is None or seat != win["seat"]]
    values = {seat: own_value(body, seat, options) for seat in seats}
    for one, other in combinations(seats, 2):
        gap = values[one] - values[other]
        due = abs(gap) if dealer in (one, other) else halved(abs(gap), options)
        rich, poor = (one, other) if gap > 0 else (other, one)
        side[rich] += due // per_point
        side[poor] -= due // per_point
    return hand, side


def halved(amount: int, options: Options) -> int:
    """RA-80: half, rounded up."""
    if not options["half_between_xian"]:
        return amount
    return up((amount + 1) // 2, options["round_to"])


def own_value(body: Body, seat: int, options: Options) -> int:
    """RA-90."""
    told = [each for each in [*body["wins"], *body["table"]] if each["seat"] == seat]
    if not told:
        return 0
    each = told[0]
    wind = WINDS[(seat - body["dealer"]) % 4]
    flowers = len(tiles_of(each.get("flowers", "")))
    h, t = 4 * flowers, flowers
    for meld in each["melds"]:
        tile = tiles_of(meld["tiles"])[0]
        if meld["kind"] == "chi":
            continue
        value = {"peng": 2, "ming_gang": 8, "bu_gang": 8, "an_gang": 16}[meld["kind"]]
        h += value * 2 if tile in YAO else value
        t += tile in (wind, "6z", "7z")
    if options["side_settlement"] == "full":
        flower = flower_of(body["wild"], options)
        for tile, number in Counter(tiles_of(each.get("concealed", ""))).items():
            if tile == flower:
                continue
            if number >= 3:
                h += 8 if tile in YAO else 4
                t += tile in (wind, "6z", "7z")
            elif number == 2 and tile in (wind, "6z", "7z"):
                h += 2
    return up(min(h * 2**t, options["lazhi_value"]), options["round_to"])
