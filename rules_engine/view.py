"""A game as a person or a program looks at it: plain JSON values, tiles written out.

Nothing is hidden here. What a viewer may see is decided by whoever shows it.
"""

from typing import Any

import msgspec

from rules_engine.game import Game, HandRecord
from rules_engine.play import Play
from rules_engine.table import NOTHING, Seat, Table
from rules_engine.tiles import NAMES, write


def view(game: Game) -> dict[str, Any]:
    """The whole state. ``table`` is None between hands; ``next`` is the hand to come."""
    return {
        "seq": game.seq,
        "ruleset": {"slug": game.ruleset.slug, "version": game.ruleset.version},
        "players": list(game.players),
        "substitutes": list(game.substitutes),
        "stake": game.stake,
        "hand": game.hand,
        "next": None if game.table else {"dealer": game.dealer, "streak": game.streak},
        "table": None if game.table is None else view_table(game.table, game.play),
        "last_hand": None if game.last is None else view_last(game, game.last),
        "voided": list(game.voided),
        "ended": game.ended,
    }


def view_last(game: Game, last: HandRecord) -> dict[str, Any]:
    """The hand that ended last, while no other has begun."""
    abandoned = last.facts is None and last.hand not in game.voided
    return {"hand": last.hand, "seq": last.seq, "abandoned": abandoned}


def name(kind: int) -> str | None:
    """A kind's tile name, None for no tile."""
    return None if kind == NOTHING else NAMES[kind]


def plain(value: Any) -> Any:
    """A value of the engine as JSON would have it: no tuples, no structs."""
    return msgspec.json.decode(msgspec.json.encode(value))


def view_melds(seat: Seat, play: Play) -> list[dict[str, Any]]:
    """A seat's melds; ``covered`` marks one whose tiles the others do not see."""
    melds: list[dict[str, Any]] = plain(seat.melds)
    return [{**meld, "covered": True} if meld["kind"] in play.covered else meld for meld in melds]


def view_table(table: Table, play: Play) -> dict[str, Any]:
    """The live hand."""
    offer = table.offer
    return {
        "hand": table.hand,
        "dealer": table.dealer,
        "streak": table.streak,
        "phase": table.phase,
        "turn": table.turn,
        "drawn": name(table.drawn),
        "source": table.source,
        "remaining": table.remaining,
        "wild": name(table.wild),
        "indicator": name(table.indicator),
        "dice": list(table.dice),
        "offer": offer
        and {
            "seat": offer.seat,
            "tile": NAMES[offer.kind],
            "seq": offer.seq,
            "gang": offer.gang or None,
        },
        "wins": [{"seat": win.seat, "by": win.by, "tile": win.tile} for win in table.wins],
        "seats": [
            {
                "concealed": write(seat.concealed),
                "melds": view_melds(seat, play),
                "pond": [
                    {
                        "tile": NAMES[tile.kind],
                        "seq": tile.seq,
                        "drawn": tile.drawn,
                        "taken": tile.taken,
                    }
                    for tile in seat.pond
                ],
                "flowers": write(seat.flowers),
                "ting": seat.ting > 0,
                "open": play.lies_open(table, number),
            }
            for number, seat in enumerate(table.seats)
        ],
        "variant": plain(table.extra),
    }
