"""The sprite ``tiles.svg``: a symbol for each tile, 60 wide and 80 high, and one for its back.

Colours are custom properties, so that a page can change them; a face differs from every other by
its shape too, so that colours are never needed to tell them apart. The rank as a small numeral, or
an honour's initial, is drawn where ``--numerals`` is 1.

``python -m replays.tiles_drawn.faces`` writes the file again
(``test_the_sprite_is_what_its_drawing_gives``).
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from replays.tiles_drawn.strokes import STROKES
from rules_engine.tiles import NAMES

FILE: Final = Path(__file__).parents[1] / "static" / "replays" / "tiles.svg"
INK, RED, GREEN, BLUE = (f"var(--tile-{name})" for name in ("ink", "red", "green", "blue"))

Point = tuple[float, float]

NUMBERS: Final = "一二三四五六七八九"
HONOURS: Final = (
    ("东", INK, "E"),
    ("南", INK, "S"),
    ("西", INK, "W"),
    ("北", INK, "N"),
    ("白", BLUE, "P"),
    ("发", GREEN, "F"),
    ("中", RED, "C"),
)
"""In the order of the suit z: 5z is white, 6z green, 7z red."""
FLOWERS: Final = "梅兰竹菊春夏秋冬"
ROUNDS: Final[Mapping[int, tuple[tuple[Point, str], ...]]] = {
    2: (((30, 22), GREEN), ((30, 58), BLUE)),
    3: (((16, 18), BLUE), ((30, 40), RED), ((44, 62), GREEN)),
    4: (((18, 22), BLUE), ((42, 22), GREEN), ((18, 58), GREEN), ((42, 58), BLUE)),
    5: (
        ((17, 19), BLUE),
        ((43, 19), GREEN),
        ((30, 40), RED),
        ((17, 61), GREEN),
        ((43, 61), BLUE),
    ),
    6: tuple(((x, y), GREEN if y < 30 else RED) for y in (18, 42, 62) for x in (19, 41)),
    7: (
        *(((x, y), GREEN) for x, y in ((14, 13), (30, 21), (46, 29))),
        *(((x, y), RED) for y in (48, 66) for x in (20, 40)),
    ),
    8: tuple(((x, y), BLUE) for y in (14, 31.5, 49, 66.5) for x in (20, 40)),
    9: tuple(
        ((x, y), colour) for y, colour in ((16, GREEN), (40, RED), (64, BLUE)) for x in (13, 30, 47)
    ),
}
"""Where the rounds of a bing lie, and in which colour."""
RADIUS: Final[Mapping[int, float]] = {2: 13, 3: 10.5, 4: 11, 5: 10, 6: 9.5, 7: 7.6, 8: 7.8, 9: 7.6}
STICKS: Final[Mapping[int, tuple[tuple[Point, str], ...]]] = {
    2: (((30, 22), GREEN), ((30, 58), BLUE)),
    3: (((30, 22), RED), ((18, 58), GREEN), ((42, 58), GREEN)),
    4: (((18, 22), GREEN), ((42, 22), BLUE), ((18, 58), BLUE), ((42, 58), GREEN)),
    5: (
        ((15, 22), GREEN),
        ((45, 22), BLUE),
        ((30, 40), RED),
        ((15, 58), BLUE),
        ((45, 58), GREEN),
    ),
    6: tuple(((x, y), GREEN if y < 30 else BLUE) for y in (22, 58) for x in (14, 30, 46)),
    7: (
        ((30, 15), RED),
        *(((x, y), GREEN if x != 30 else BLUE) for y in (40, 65) for x in (14, 30, 46)),
    ),
    8: tuple(
        ((x, y), GREEN if y < 30 else BLUE) for y in (22, 58) for x in (10.5, 23.5, 36.5, 49.5)
    ),
    9: tuple(
        ((x, y), colour) for x, colour in ((14, GREEN), (30, RED), (46, BLUE)) for y in (15, 40, 65)
    ),
}
"""Where the sticks of a tiao stand."""
STICK_HEIGHT: Final[Mapping[int, float]] = {2: 27, 3: 27, 4: 27, 5: 22, 6: 28, 7: 20, 8: 28, 9: 20}


def sprite() -> str:
    """The whole file."""
    faces = [_symbol(f"t{name}", _face(name)) for name in NAMES]
    back = (
        '<g fill="none" stroke="var(--tile-lattice)" stroke-width="2.5"><rect x="9" y="9" '
        'width="42" height="62" rx="4"/><path d="M30 20 42 40 30 60 18 40Z"/></g>'
    )
    return (
        '<svg xmlns="http://www.w3.org/2000/svg">\n'
        + "\n".join([*faces, _symbol("back", back, body="var(--tile-back)")])
        + "\n</svg>\n"
    )


def _symbol(name: str, drawing: str, body: str = "var(--tile-face)") -> str:
    edge = 'stroke="var(--tile-edge)" stroke-width="1.5"'
    return (
        f'<symbol id="{name}" viewBox="0 0 60 80">'
        f'<rect x="1" y="1" width="58" height="78" rx="7" fill="{body}" {edge}/>'
        f"{drawing}</symbol>"
    )


def _face(name: str) -> str:
    rank, suit = int(name[0]), name[1]
    if suit == "m":
        number = _character(NUMBERS[rank - 1], INK, x=13, y=6, size=34, width=11)
        drawing = number + _character("万", RED, x=14, y=43, size=31, width=11)
    elif suit == "p":
        drawing = _big_round() if rank == 1 else _rounds(rank)
    elif suit == "s":
        drawing = _bird() if rank == 1 else _sticks(rank)
    elif suit == "z":
        drawing = _honour(*HONOURS[rank - 1][:2])
    else:
        drawing = _flower(rank)
    return drawing + _numeral(HONOURS[rank - 1][2] if suit == "z" else str(rank))


def _character(character: str, colour: str, *, x: float, y: float, size: float, width: int) -> str:
    """A character in a square; ``width`` is that of its strokes, in hundredths of ``size``."""
    return (
        f'<path transform="translate({x} {y}) scale({size / 100:g})" d="{STROKES[character]}" '
        f'fill="none" stroke="{colour}" stroke-width="{width}" '
        'stroke-linecap="round" stroke-linejoin="round"/>'
    )


def _honour(character: str, colour: str) -> str:
    if character == "白":
        return (
            f'<g fill="none" stroke="{colour}"><rect x="12" y="13" width="36" height="54" rx="3" '
            'stroke-width="4"/><rect x="19" y="20" width="22" height="40" rx="2" '
            'stroke-width="2"/></g>'
        )
    return _character(character, colour, x=8, y=18, size=44, width=11)


def _flower(rank: int) -> str:
    colour = GREEN if rank <= 4 else RED
    petals = "".join(
        f'<circle cx="{x}" cy="{y}" r="3.4"/>'
        for x, y in ((45, 9), (50.5, 13), (48.4, 19.3), (41.6, 19.3), (39.5, 13))
    )
    drawn = _character(FLOWERS[rank - 1], colour, x=9, y=29, size=42, width=8)
    return f'{drawn}<g fill="{RED if rank <= 4 else BLUE}">{petals}</g>'


def _ring(at: Point, radius: float, colour: str) -> str:
    return (
        f'<circle cx="{at[0]:g}" cy="{at[1]:g}" r="{radius - 1.5:g}" fill="none" '
        f'stroke="{colour}" stroke-width="3"/>'
        f'<circle cx="{at[0]:g}" cy="{at[1]:g}" r="{radius * 0.36:g}" fill="{colour}"/>'
    )


def _rounds(rank: int) -> str:
    return "".join(_ring(at, RADIUS[rank], colour) for at, colour in ROUNDS[rank])


def _big_round() -> str:
    return (
        f'<g fill="none"><circle cx="30" cy="40" r="21" stroke="{BLUE}" stroke-width="4"/>'
        f'<circle cx="30" cy="40" r="13.5" stroke="{GREEN}" stroke-width="3.5" '
        'stroke-dasharray="5 3.48"/></g>'
        f'<circle cx="30" cy="40" r="7" fill="{RED}"/>'
    )


def _sticks(rank: int) -> str:
    height = STICK_HEIGHT[rank]
    return "".join(_stick(at, height, colour) for at, colour in STICKS[rank])


def _stick(at: Point, height: float, colour: str) -> str:
    x, top, half = at[0], at[1] - height / 2, height / 2
    return (
        f'<rect x="{x - 4.2:g}" y="{top:g}" width="8.4" height="{half - 1:g}" rx="3" '
        f'fill="{colour}"/><rect x="{x - 4.2:g}" y="{top + half + 1:g}" width="8.4" '
        f'height="{half - 1:g}" rx="3" fill="{colour}"/>'
    )


def _bird() -> str:
    """The first of the tiao is a bird, as everywhere."""
    tail = (
        f'<g fill="none" stroke-width="4.5" stroke-linecap="round"><path d="M31 50L14 71" '
        f'stroke="{RED}"/><path d="M35 52L27 73" stroke="{BLUE}"/><path d="M39 52L40 73" '
        f'stroke="{RED}"/></g>'
    )
    body = (
        f'<path d="M20 30C20 24 24 19 30 19S40 23 40 29C47 33 50 43 44 51S28 56 24 46C22 41 25 37 '
        f'27 35C23 35 20 33 20 30Z" fill="{GREEN}"/>'
        f'<path d="M20 27L10 30L20 32Z" fill="{RED}"/>'
        f'<path d="M30 19C29 13 32 9 36 8C36 12 36 16 34 20Z" fill="{RED}"/>'
        '<circle cx="28" cy="26" r="2.6" fill="var(--tile-face)"/>'
        f'<path d="M33 40C37 38 42 40 43 46" fill="none" stroke="var(--tile-face)" '
        'stroke-width="2.5" stroke-linecap="round"/>'
    )
    return tail + body


def _numeral(text: str) -> str:
    return (
        '<g opacity="var(--numerals)"><path d="M1 8Q1 1 8 1H27V22Q27 27 22 27H1Z" '
        f'fill="var(--tile-edge)"/><text x="14" y="22.5" font-size="24" font-weight="700" '
        f'font-family="system-ui, sans-serif" text-anchor="middle" fill="{INK}">{text}</text></g>'
    )


if __name__ == "__main__":
    FILE.write_text(sprite(), encoding="utf-8")
