"""A wall that was committed to before the hand, and shown after it."""

import hashlib
from random import Random

import msgspec
import pytest

from api.simulation.walls import Wall, shuffled
from rules_engine.events import (
    Event,
    WallRevealed,
)
from rules_engine.tiles import KIND, NAMES
from tests.rules_engine.log import Log


def committed_hand(seed: int, *, draws: int = 8) -> tuple[Log, Wall]:
    """A hand from a committed wall, abandoned after some draws."""
    log = Log()
    wall = shuffled(log.game.play, Random(seed))
    log.add(
        log.game.play.deal_from(
            wall.tiles, hand=1, dealer=2, streak=1, dice=(1, 2), commitment=wall.commitment
        )
    )
    head = 53
    for step in range(draws):
        seat = (2 + step) % 4
        log.add(log.actions(seat)[-1])
        log.play(f"{(seat + 1) % 4}+{NAMES[wall.tiles[head + step]]}")
    return log.end("abandoned"), wall


def reveal(wall: Wall, *, tiles: list[int] | None = None, salt: str = "", hand: int = 1) -> Event:
    """The wall, or another one, shown."""
    names = wall.names if tiles is None else tuple(NAMES[kind] for kind in tiles)
    return WallRevealed(hand=hand, wall=names, salt=salt or wall.salt)


def test_a_wall_that_was_committed_to_may_be_revealed_once() -> None:
    log, wall = committed_hand(1)
    log.add(reveal(wall))
    assert log.code(reveal(wall)) == "no_commitment"


def test_the_tail_of_the_wall_is_where_replacements_come_from() -> None:
    log = Log()
    tiles = [KIND[name] for name in stacked_wall()]
    wall = Wall(tiles=tuple(tiles), salt="ab" * 16)
    log.add(log.game.play.deal_from(tiles, hand=1, dealer=0, streak=1, commitment=wall.commitment))
    log.gang(0, "2m").play(f"0^{NAMES[tiles[-1]]}").gang(0, "3m").play(f"0^{NAMES[tiles[-2]]}")
    log.end("abandoned").add(reveal(wall))


def stacked_wall() -> list[str]:
    """A wall that deals the dealer eight tiles of two kinds."""
    names = [name for name in NAMES if name[1] in "mps" and name[0] in "2345678"]
    rest = [name for name in names if name not in ("2m", "3m") for _ in range(4)]
    return ["2m"] * 4 + rest[:12] + ["3m"] * 4 + rest[12:]


def test_a_wall_or_salt_that_was_not_committed_to_is_refused() -> None:
    log, wall = committed_hand(1)
    swapped = list(wall.tiles)
    place = next(i for i in range(60, 84) if swapped[i] != swapped[83])
    swapped[place], swapped[83] = swapped[83], swapped[place]
    for event in (reveal(wall, tiles=swapped), reveal(wall, salt="00" * 16)):
        violation = log.refusal(event)
        assert (violation.code, violation.rule) == ("commitment_broken", "HF-6")
        assert violation.expected == wall.commitment
    assert log.code(reveal(wall, hand=2)) == "no_commitment"


def committed_to(tiles: list[int], seed: int) -> tuple[Log, Wall]:
    """A hand dealt from one wall while the commitment is to another."""
    log = Log()
    true = shuffled(log.game.play, Random(seed))
    other = Wall(tiles=tuple(tiles), salt="cd" * 16)
    log.add(
        log.game.play.deal_from(true.tiles, hand=1, dealer=0, streak=1, commitment=other.commitment)
    )
    log.add(log.actions()[-1]).play(f"1+{NAMES[true.tiles[53]]}").end("abandoned")
    return log, other


def test_a_committed_wall_that_is_not_the_one_dealt_from_is_refused() -> None:
    play = Log().game.play
    true = list(shuffled(play, Random(3)).tiles)
    dealt_otherwise = [true[-1], *true[1:-1], true[0]]
    assert true[0] != true[-1]
    log, wall = committed_to(dealt_otherwise, 3)
    violation = log.refusal(reveal(wall))
    assert (violation.code, violation.rule) == ("wall_differs", "HF-6")
    assert "seat 0 would have been dealt" in violation.message
    last = next(i for i in range(83, 53, -1) if true[i] != true[53])
    drawn_otherwise = list(true)
    drawn_otherwise[53], drawn_otherwise[last] = true[last], true[53]
    log, wall = committed_to(drawn_otherwise, 3)
    violation = log.refusal(reveal(wall))
    assert "draw 1 of the hand would have been" in violation.message
    assert (violation.expected, violation.actual) == (NAMES[true[last]], NAMES[true[53]])


def test_a_committed_wall_must_hold_the_tiles_of_the_game() -> None:
    true = list(shuffled(Log().game.play, Random(3)).tiles)
    two = [KIND["2m"]] * 16
    three = [kind for kind in true if kind != KIND["3m"]] + [KIND["3m"]] * 3
    for tiles in (true[:-1], [*true[:-1], KIND["9m"]], three + two):
        log, wall = committed_to(tiles, 3)
        assert "exactly the tiles" in log.refusal(reveal(wall)).message


def test_a_hand_without_a_commitment_has_no_wall_to_reveal() -> None:
    log = Log().deal({}, last="2m").end("abandoned")
    assert log.code(WallRevealed(hand=1, wall=(), salt="00" * 16)) == "no_commitment"


def test_the_commitment_is_sha_256_of_the_salt_and_the_names() -> None:
    wall = shuffled(Log().game.play, Random(5))
    text = bytes.fromhex(wall.salt) + "".join(wall.names).encode()
    assert wall.commitment == hashlib.sha256(text).hexdigest()


@pytest.mark.usefixtures("toy")
def test_a_tile_that_was_turned_up_must_lie_in_the_wall() -> None:
    log = Log("toy", turned=True)
    play = log.game.play
    true = shuffled(play, Random(3))
    dealt = play.deal_from(true.tiles, hand=1, dealer=0, streak=1, commitment=true.commitment)
    log.add(dealt).end("abandoned").add(reveal(true))
    other = next(name for name in NAMES[:27] if name != dealt.indicator)
    log = Log("toy", turned=True)
    log.add(msgspec.structs.replace(dealt, indicator=other)).end("abandoned")
    violation = log.refusal(reveal(true))
    assert (violation.code, violation.actual) == ("wall_differs", other)
    assert violation.expected == dealt.indicator
