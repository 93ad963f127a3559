"""What the bao game adds to the log and to the table: its event, and its state of a hand."""

from collections.abc import Mapping
from typing import Final

import msgspec

from rules_engine.events import Event
from rules_engine.facts import Seat, TileName
from rules_engine.table import NOTHING, Sign

ALL_WILDS: Final = 4


class JieBao(Event, frozen=True):
    """接宝: a seat that has drawn three bao catches the one just discarded (JX-56)."""

    seat: Seat
    tile: TileName
    from_: Seat = msgspec.field(name="from")


class JiangxiTable(msgspec.Struct, frozen=True):
    """State of a hand that only this variant has; seats as bits ``1 << seat``.

    ``wilds``: how many each seat was dealt or has drawn, flown ones included. ``tail_draws``: tiles
    taken from the tail. ``diao``: stands in bao_diao_tou; ``stealing``: stands in it and has
    declined a win (JX-65). ``locked``: may not win on another seat's tile before the own next draw.
    ``no_peng``: the kinds each seat may not peng before it. ``caught_by``, ``caught_from``,
    ``caught_seq``: who caught a bao, from whom, and by which event. ``fourth_seq``: the draw that
    gave a seat its fourth wild; 0 where it was dealt all of them.
    """

    wilds: tuple[int, int, int, int] = (0, 0, 0, 0)
    tail_draws: int = 0
    diao: int = 0
    stealing: int = 0
    locked: int = 0
    no_peng: tuple[str, str, str, str] = ("", "", "", "")
    caught_by: int = NOTHING
    caught_from: int = NOTHING
    caught_seq: int = 0
    fourth_seq: int = 0


RULES: Mapping[str, str] = {
    "bad_dice": "JX-12",
    "bad_indicator": "JX-12",
    "bad_meld": "JX-42",
    "bad_tiles": "JX-10",
    "claim_forbidden": "JX-42",
    "commitment_broken": "JX-11",
    "discard_win_off": "JX-50",
    "drawn_mismatch": "JX-31",
    "event_out_of_place": "JX-31",
    "gang_after_claim": "JX-43",
    "gang_needs_four": "JX-42",
    "gang_needs_peng": "JX-42",
    "hand_not_over": "JX-79",
    "hand_over": "JX-31",
    "hu_after_claim": "JX-43",
    "indicator_out_of_play": "JX-14",
    "jie_bao_declared": "JX-56",
    "jie_bao_not_three": "JX-56",
    "jie_bao_off": "JX-56",
    "jie_bao_too_late": "JX-56",
    "last_tile_claim": "JX-34",
    "no_draw_due": "JX-15",
    "no_replacement_tile": "JX-33",
    "no_such_win": "JX-78",
    "no_ting": "JX-70",
    "not_a_win": "JX-77",
    "not_your_turn": "JX-31",
    "nothing_to_pass": "JX-52",
    "one_winner_per_discard": "JX-48",
    "one_winner_per_gang": "JX-49",
    "pass_hu_locked": "JX-52",
    "pass_peng_locked": "JX-52",
    "player_twice": "JX-20",
    "replacement_due": "JX-33",
    "rob_not_allowed": "JX-58",
    "tile_not_held": "JX-31",
    "too_many_tiles": "JX-10",
    "wall_differs": "JX-11",
    "wild_needs_self_draw": "JX-50",
    "wild_not_claimable": "JX-46",
    "wrong_deal": "JX-30",
    "wrong_dealer": "JX-22",
    "wrong_roster": "JX-24",
    "wrong_source": "JX-33",
    "wrong_streak": "JX-23",
    "wrong_tile": "JX-40",
}
"""Refusal code to the id of the rule it rests on."""


SENTENCES: Final[Mapping[str, tuple[str, str]]] = {
    "jie_bao": (
        "{seat} 接 {from:seat} 打出的宝 {tile}",
        "{seat} catches the bao {tile} of {from:seat}",
    ),
}
"""The own events in words (``rules_engine.sentences``)."""


def signs(extra: JiangxiTable) -> tuple[Sign, ...]:
    """What of the state is to be seen on the table."""
    if extra.caught_by == NOTHING:
        return ()
    return (Sign("接宝", "caught the bao", seat=extra.caught_by),)
