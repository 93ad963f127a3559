"""A slow scorer of Shangrao hands, written from the rule page and sharing no code with the engine.

Tiles are texts such as ``"5m"``, options a plain dictionary. Every wild is tried as every one of
the 34 kinds; what is then left is a hand without wilds, whose shapes are looked at one by one.
"""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, pairwise
from typing import Any

KINDS = [f"{rank}{suit}" for suit in "mps" for rank in range(1, 10)] + [
    f"{rank}z" for rank in range(1, 8)
]
BY_SUIT = {suit: [f"{rank}{suit}" for rank in range(1, 10)] for suit in "mpsz"}
HONOURS = {f"{rank}z" for rank in range(1, 8)}
EDGES = {f"{rank}{suit}" for suit in "mps" for rank in (1, 9)} | HONOURS
ORDER = [
    "tian_hu",
    "di_hu",
    "qing_hao_hua_qi_dui",
    "hao_hua_qi_dui",
    "qing_qi_dui",
    "qing_peng_peng_hu",
    "qi_dui",
    "peng_peng_hu",
    "qi_xing_shi_san_lang",
    "bao_diao_tou",
    "ping_hu_zi_mo",
    "shi_san_lang",
    "qi_xing_jiu_yao",
    "ping_hu",
    "jiu_yao",
]
STACKED = ORDER[2:8]
Items = list[tuple[str, int]]


def tiles_of(text: str) -> list[str]:
    """``"23m4p"`` as single tiles."""
    found: list[str] = []
    ranks: list[str] = []
    for letter in text:
        if letter.isdigit():
            ranks.append(letter)
        else:
            found += [rank + letter for rank in ranks]
            ranks = []
    return found


@cache
def suit_splits(counts: tuple[int, ...], suit: str) -> frozenset[tuple[int, bool]]:
    """How many pairs (0 or 1) and whether runs: for each way to split one suit completely."""
    low = next((rank for rank, number in enumerate(counts) if number), None)
    if low is None:
        return frozenset({(0, False)})
    found: set[tuple[int, bool]] = set()

    def without(*ranks: int) -> tuple[int, ...]:
        left = list(counts)
        for rank in ranks:
            left[rank] -= 1
        return tuple(left)

    if counts[low] >= 3:
        found |= suit_splits(without(low, low, low), suit)
    if counts[low] >= 2:
        found |= {(1, run) for pairs, run in suit_splits(without(low, low), suit) if not pairs}
    if suit != "z" and low < 7 and counts[low + 1] and counts[low + 2]:
        rest = suit_splits(without(low, low + 1, low + 2), suit)
        found |= {(pairs, True) for pairs, _ in rest}
    return frozenset(found)


def splits(counts: Counter[str]) -> set[tuple[int, bool]]:
    """The same for a whole hand: pairs in all, and whether there is a run."""
    found = {(0, False)}
    for suit in "mpsz":
        numbers = tuple([counts[name] for name in BY_SUIT[suit]])
        ways = suit_splits(numbers, suit)
        found = {
            (pairs + more, run or other)
            for pairs, run in found
            for more, other in ways
            if pairs + more < 2
        }
    return found


def guesses(natural: list[str], wilds: int) -> Iterator[tuple[str, ...]]:
    """Everything the wilds can stand for."""
    return combinations_with_replacement(KINDS, wilds)


def in_diao(concealed: list[str], melds: int, wild: str) -> bool:
    """JX-60."""
    wilds = concealed.count(wild)
    natural = [tile for tile in concealed if tile != wild]
    if not wilds or len(concealed) != 13 - 3 * melds:
        return False
    return any(
        (0, True) in found or (0, False) in found
        for guess in guesses(natural, wilds - 1)
        for found in [splits(Counter([*natural, *guess]))]
    )


def mains(
    tiles: list[str], guess: tuple[str, ...], win: dict[str, Any], facts: dict[str, Any]
) -> Iterator[str]:
    """The main items that a hand fulfils whose wilds stand for ``guess`` (JX-103 to JX-115)."""
    replaced = sum(tile != facts["wild"] for tile in guess)
    with_bao = replaced > 0 or (facts["options"]["qing_strict"] and facts["holds"])
    counts = Counter(tiles)
    if len(tiles) == 14 and not win["melds"]:
        natural = tiles[: len(tiles) - len(guess)]
        itself = Counter([*natural, *[tile for tile in guess if tile == facts["wild"]]])
        yield from pair_mains(counts, itself, facts["options"], with_bao=with_bao)
    if facts["options"]["wild_in_special"] or not replaced:
        yield from special_mains(counts, win, facts["options"])
    chi = any(meld["kind"] == "chi" for meld in win["melds"])
    for pairs, concealed_run in splits(counts):
        if pairs == 1:
            yield from set_mains(win, facts, run=concealed_run or chi, with_bao=with_bao)


def pair_mains(
    counts: Counter[str], itself: Counter[str], options: dict[str, Any], *, with_bao: bool
) -> Iterator[str]:
    """JX-103 to JX-105 and JX-107; ``itself`` counts the tiles that are what they show."""
    if any(number % 2 for number in counts.values()):
        return
    quads = [kind for kind, number in counts.items() if number >= 4]
    yield "qi_dui" if with_bao else "qing_qi_dui"
    if quads and not with_bao:
        yield "qing_hao_hua_qi_dui"
    if not options["hao_hua_wild"]:
        quads = [kind for kind in quads if itself[kind] >= 4]
    if quads and with_bao:
        yield "hao_hua_qi_dui"


def special_mains(
    counts: Counter[str], win: dict[str, Any], options: dict[str, Any]
) -> Iterator[str]:
    """JX-74 and JX-75."""
    melds = win["melds"]
    if not melds and sum(counts.values()) == 14 and apart(counts):
        yield "shi_san_lang"
        if set(counts) >= HONOURS:
            yield "qi_xing_shi_san_lang"
    everything = set(counts) | {tile for meld in melds for tile in tiles_of(meld["tiles"])}
    if (not melds or options["jiu_yao_melds"]) and everything <= EDGES:
        yield "jiu_yao"
        if everything >= HONOURS:
            yield "qi_xing_jiu_yao"


def set_mains(
    win: dict[str, Any], facts: dict[str, Any], *, run: bool, with_bao: bool
) -> Iterator[str]:
    """The main items of four sets and a pair."""
    yield "ping_hu"
    if run and win["by"] == "zimo" and not with_bao:
        yield "ping_hu_zi_mo"
    if facts["diao"] and win["by"] != "dianpao":
        yield "bao_diao_tou"
    if not run and not with_bao:
        yield "qing_peng_peng_hu"
    if not run and with_bao and (not facts["diao"] or facts["options"]["peng_peng_in_diao"]):
        yield "peng_peng_hu"


def apart(counts: Counter[str]) -> bool:
    """JX-74."""
    if max(counts.values()) > 1:
        return False
    for suit in "mps":
        ranks = sorted(int(tile[0]) for tile in counts if tile[1] == suit)
        if any(high - low < 3 for low, high in pairwise(ranks)):
            return False
    return True


def is_standard(main: str) -> bool:
    """Whether a main item is four sets and a pair."""
    return main in {
        "qing_peng_peng_hu",
        "peng_peng_hu",
        "bao_diao_tou",
        "ping_hu_zi_mo",
        "ping_hu",
    }


def factors_of(
    main: str, tiles: list[str], replaced: int, win: dict[str, Any], facts: dict[str, Any]
) -> Iterator[tuple[str, int]]:
    """The multipliers that apply, in their order, with how often each does (JX-116 to JX-123)."""
    flags, options = win["flags"], facts["options"]
    if "gang_kai" in flags:
        yield "gang_kai", 1
    if win["by"] == "qiang_gang":
        yield "qiang_gang", 1
    if is_standard(main) and facts["diao"]:
        stealing = "tou_ji" in flags or not options["tou_ji_required"]
        if win["by"] == "zimo" and stealing and not replaced:
            yield "bao_diao_wu_bao", 1
        elif win["by"] == "zimo" and stealing and win["tile"] == facts["wild"]:
            yield "bao_diao_bao", 1
        elif "tou_ji" in flags and win["by"] != "dianpao":
            yield "tou_ji", 1
    for flag in flags:
        if flag.startswith("fei_bao:"):
            yield "fei_bao", int(flag[-1])
    if len(win["melds"]) == 4:
        yield "dan_diao", 1
    everything = tiles + [t for meld in win["melds"] for t in tiles_of(meld["tiles"])]
    if options["jiu_yao_stack"] and main in STACKED and set(everything) <= EDGES:
        yield "jiu_yao_jia", 1


def listing(
    main: str, tiles: list[str], replaced: int, win: dict[str, Any], facts: dict[str, Any]
) -> tuple[Items, int, int]:
    """The items of one reading in their order, the product and the total (JX-82, JX-83)."""
    options = facts["options"]
    product = options[f"value_{main}"]
    items: Items = [(main, product)]
    if main not in ("tian_hu", "di_hu"):
        for name, times in factors_of(main, tiles, replaced, win, facts):
            factor = options[f"factor_{name}"] ** times
            if factor > 1:
                items.append((name, product * (factor - 1)))
                product *= factor
    total = product
    if options["cap"] and product > options["cap"]:
        total = options["cap"]
        items.append(("cap", total - product))
    return items, product, total


def answer(win: dict[str, Any], *, wild: str, options: dict[str, Any]) -> tuple[str, Items]:
    """The reason a single win is refused, or ``""`` and the items of its best reading.

    Flags that the hand refutes are not looked for.
    """
    concealed = tiles_of(win["concealed"])
    own = win["by"] == "zimo"
    free = concealed.count(wild) + (own and win["tile"] == wild)
    natural = [tile for tile in [*concealed, win["tile"]] if tile != wild]
    natural += [wild] * (not own and win["tile"] == wild)
    melds = win["melds"]
    held = [*concealed, win["tile"], *[t for m in melds for t in tiles_of(m["tiles"])]]
    facts = {
        "options": options,
        "wild": wild,
        "holds": wild in held,
        "diao": in_diao(concealed, len(melds), wild),
    }
    if len(natural) + free != 14 - 3 * len(melds):
        return "not_a_win", []
    found: list[tuple[tuple[int, int, int, int], bool, Items]] = []
    for guess in guesses(natural, free):
        tiles = [*natural, *guess]
        replaced = sum(tile != wild for tile in guess)
        with_bao = replaced > 0 or (options["qing_strict"] and facts["holds"])
        for main in set(mains(tiles, guess, win, facts)):
            items, product, total = listing(main, tiles, replaced, win, facts)
            found.append(((-total, replaced, ORDER.index(main), -product), with_bao, items))
    if not found:
        return "not_a_win", []
    di_hu = "di_hu" in win["flags"]
    if win["by"] == "dianpao" and options["discard_win"] != "all":
        if options["discard_win"] == "di_hu_only" and not di_hu:
            return "discard_win_off", []
        found = [each for each in found if not each[1]]
        if not found and not di_hu:
            return "wild_needs_self_draw", []
    for name in ("tian_hu", "di_hu"):
        if name in win["flags"]:
            items, product, total = listing(name, natural, 0, win, facts)
            found.append(((-total, 0, ORDER.index(name), -product), False, items))
    return "", min(found, key=lambda each: each[0])[2]


def payments(
    win: dict[str, Any], total: int, *, options: dict[str, Any]
) -> tuple[list[int], list[int]]:
    """Points by seat from one win, and from the winner's own gangs (JX-85, JX-90)."""
    hand, gangs = [0] * 4, [0] * 4
    seat = win["seat"]
    if win["by"] == "zimo":
        dues = [(other, total) for other in range(4) if other != seat]
    else:
        name = "dian_pao_shares" if win["by"] == "dianpao" else "qiang_gang_shares"
        dues = [(win["from"], total * options[name])]
    for payer, points in dues:
        hand[payer] -= points
        hand[seat] += points
    for meld in win["melds"]:
        if not meld["kind"].endswith("gang"):
            continue
        price = options["gang_" + meld["kind"].removesuffix("_gang")]
        alone = meld["kind"] == "ming_gang" and options["ming_gang_payer"] == "discarder"
        for other in range(4):
            if other != seat:
                gangs[meld["from"] if alone else other] -= price
                gangs[seat] += price
    return hand, gangs
