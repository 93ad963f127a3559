"""Random hands of Huaiyuan mahjong under random options."""

from collections import Counter
from random import Random
from typing import Any

import msgspec

from rules_engine import registry
from rules_engine.errors import Violation
from rules_engine.ruleset import Options, make_options, options_schema
from tests.rules_engine.variants.huaiyuan.oracle import ALL, step, tiles_of

RULESET = registry.get("huaiyuan")
Body = dict[str, Any]
BASES = {"xuanfeng_gang": "1234z", "xi_gang": "567z", "yao_dan": "1m1p1s", "jiu_dan": "9m9p9s"}


def made(given: Body) -> tuple[Options, Body]:
    """The options, and the same as a plain mapping."""
    options = make_options(RULESET.options, given)
    assert not isinstance(options, Violation), options
    return options, msgspec.structs.asdict(options)


def random_options(chance: Random) -> Body:
    """Some options with any values they may have."""
    given: Body = {}
    for name, field in options_schema(RULESET.options)["properties"].items():
        if name.startswith("enable_") or name in ("bao_enabled", "ting_required", "multi_win"):
            continue
        if name in ("qiang_gang_enabled", "chi_from") or chance.random() < 0.7:
            continue
        if "enum" in field:
            given[name] = chance.choice(field["enum"])
        elif field.get("type") == "boolean":
            given[name] = chance.random() < 0.5
        else:
            given[name] = chance.randint(field["minimum"], min(field["maximum"], 9))
    return given


def random_group(chance: Random) -> list[str]:
    """A run or a triplet."""
    if chance.random() < 0.5:
        return [chance.choice(ALL)] * 3
    low = chance.choice([tile for tile in ALL if tile[1] != "z" and tile[0] < "8"])
    return [low, step(low, 1), step(low, 2)]


def random_meld(chance: Random, seat: int, group: list[str]) -> Body:
    """A meld made of a group, or a special gang."""
    if len(set(group)) == 3:
        return {"kind": "chi", "tiles": "".join(group), "from": (seat - 1) % 4}
    if chance.random() < 0.3:
        kind = chance.choice(list(BASES))
        base = BASES[kind]
        more = {"xuanfeng_gang": "2z", "xi_gang": "5z", "yao_dan": "1p", "jiu_dan": "9s"}[kind]
        return {"kind": kind, "tiles": base + (more if chance.random() < 0.3 else "")}
    kind = chance.choice(["peng", "peng", "ming_gang", "bu_gang", "an_gang"])
    tiles = "".join(group if kind == "peng" else [*group, group[0]])
    if kind == "an_gang":
        return {"kind": kind, "tiles": tiles}
    return {"kind": kind, "tiles": tiles, "from": chance.choice([s for s in range(4) if s != seat])}


def random_case(chance: Random, *, wild: bool) -> Body:
    """A result with one winner, mostly complete; ``wild``: it drew the bao after ting."""
    while True:
        body = _attempt(chance, wild=wild)
        if body is not None:
            return body


def _attempt(chance: Random, *, wild: bool) -> Body | None:
    """One try; None when there would be more tiles than the game has."""
    seat, dealer = chance.randrange(4), chance.randrange(4)
    number = chance.choice([0, 0, 1, 2, 3, 4])
    melds = [random_meld(chance, seat, random_group(chance)) for _ in range(number)]
    tiles = [tile for _ in range(4 - number) for tile in random_group(chance)]
    tiles += [chance.choice(ALL)] * 2
    if chance.random() < 0.15:
        tiles[chance.randrange(len(tiles))] = chance.choice(ALL)
    chance.shuffle(tiles)
    tile = tiles.pop()
    bao = chance.choice(ALL) if wild or chance.random() < 0.3 else None
    flags = []
    if wild:
        assert bao is not None
        tile, flags = bao, ["ting"]
    elif bao is not None and chance.random() < 0.5:
        tile, flags = chance.choice([(bao, ["ting", "dui_bao"]), (tile, ["ting"])])
    by = "zimo" if wild or "dui_bao" in flags or chance.random() < 0.5 else "dianpao"
    if by == "dianpao" and chance.random() < 0.3:
        by = "qiang_gang"
    giver = None if by == "zimo" else chance.choice([s for s in range(4) if s != seat])
    written = "".join(sorted(tiles, key=ALL.index))
    special = [meld["kind"] for meld in melds if meld["kind"] in BASES]
    held = Counter([*tiles, *([] if "dui_bao" in flags else [tile])])
    for meld in melds:
        held.update(tiles_of(meld["tiles"]))
    if max(held.values()) > 4 or len(set(special)) < len(special):
        return None
    if bao is not None and held[bao] > 3:
        return None
    win = {"seat": seat, "by": by, "from": giver, "tile": tile, "concealed": written,
           "melds": [{**meld, "tiles": _compact(meld["tiles"])} for meld in melds],
           "flags": flags}  # fmt: skip
    return {"dealer": dealer, "wild": bao, "result": "hu", "wins": [win], "table": []}


def _compact(text: str) -> str:
    """The text with its tiles in order."""
    return "".join(sorted(tiles_of(text), key=ALL.index))
