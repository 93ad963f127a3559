"""The forms of a moment: every event that people may write down now and that no seat chooses.

What a seat chooses, ``moves`` offers whole. Here is the rest: what is due by itself (a deal, a
draw, a throw), and what may be recorded at any time (somebody leaves, the hand is given up).
"""

from collections.abc import Iterator

from rules_engine.errors import IllegalEvent
from rules_engine.event_forms import Choice, EventField, EventForm, seat_choices
from rules_engine.game import Game
from rules_engine.moves import Due, moves
from rules_engine.table import SEATS
from rules_engine.tiles import write


def forms(game: Game) -> tuple[EventForm, ...]:
    """The forms of this moment, what is due first."""
    if game.ended:
        return ()
    due = moves(game).due
    if game.table is None:
        return (*_between_hands(game, due), *game.play.own_forms(None, game.memory))
    return (*_in_a_hand(game, due), *game.play.own_forms(game.table, game.memory))


def _between_hands(game: Game, due: Due | None) -> Iterator[EventForm]:
    assert due is not None, "between two hands something is always due"
    if due.type == "player_left":
        assert due.seat is not None, "a due change names its seat"
        yield EventForm(
            type="player_left",
            zh="换人",
            en="Makes room",
            values={"seat": due.seat, "player": game.players[due.seat]},
            seat=due.seat,
            due=True,
        )
    elif due.type == "player_seated":
        assert due.seat is not None, "a due change names its seat"
        player = EventField(
            name="player", kind="player", players=game.substitutes[:1], zh="谁坐下", en="Who sits"
        )
        yield EventForm(
            type="player_seated",
            zh="入座",
            en="Takes the seat",
            values={"seat": due.seat},
            fields=(player,),
            due=True,
        )
    else:
        yield _deal(game)
    yield from _leaving(game)


def _deal(game: Game) -> EventForm:
    """The next hand: each seat's tiles, the dealer's last, and what else is seen at the deal."""
    play = game.play
    tiles = write(play.tiles)
    dealt = [
        EventField(
            name="dealt",
            kind="tiles",
            place=seat,
            seat=seat,
            tiles=tiles,
            count=play.hand_size,
            zh="发到的牌",
            en="Dealt",
        )
        for seat in SEATS
    ]
    last = EventField(
        name="last",
        kind="tile",
        also_in="dealt",
        tiles=tiles,
        zh="庄家最后一张",
        en="The dealer's last tile",
    )
    dealer = EventField(
        name="dealer", kind="choice", choices=seat_choices("dealer"), zh="庄家", en="Dealer"
    )
    known = {"hand": game.hand + 1, "streak": game.streak}
    if game.dealer is not None:
        known["dealer"] = game.dealer
    return EventForm(
        type="hand_started",
        zh="发牌",
        en="The deal",
        values=known,
        fields=(
            *([dealer] if game.dealer is None else []),
            *dealt,
            last,
            *play.deal_fields(),
        ),
        due=True,
    )


def _leaving(game: Game) -> Iterator[EventForm]:
    """Anybody at the table may leave."""
    people = tuple(
        Choice(seat=seat, values={"seat": seat, "player": player})
        for seat, player in enumerate(game.players)
        if player is not None
    )
    if people:
        who = EventField(name="player", kind="choice", choices=people, zh="谁离开", en="Who leaves")
        yield EventForm(type="player_left", zh="有人离开", en="Somebody leaves", fields=(who,))


def _in_a_hand(game: Game, due: Due | None) -> Iterator[EventForm]:
    table = game.table
    assert table is not None, "asked of a live hand"
    if due is not None and due.type == "draw":
        tile = EventField(name="tile", kind="tile", tiles=write(table.unseen), zh="牌", en="Tile")
        yield EventForm(
            type="draw",
            zh="摸牌",
            en="Draw",
            values={"seat": due.seat, "source": due.source},
            fields=(tile,),
            due=True,
            seat=due.seat,
        )
    elif due is not None and due.type == "hand_ended":
        yield EventForm(
            type="hand_ended",
            zh="本局结束",
            en="The hand ends",
            values={"reason": due.reason},
            due=True,
        )
    elif due is not None:
        yield game.play.due_form(table)
    yield from _leaving(game)
    try:
        game.play.end(table, "abandoned")
    except IllegalEvent:
        return
    yield EventForm(
        type="hand_ended", zh="本局作废", en="Give the hand up", values={"reason": "abandoned"}
    )
