"""The faces of the tiles."""

import re
from xml.etree import ElementTree as ET

from replays.tiles_drawn.faces import FILE, HONOURS, sprite
from replays.viewer.tiles import EN_HONOURS, ZH_HONOURS
from rules_engine.tiles import NAMES

SVG = "{http://www.w3.org/2000/svg}"


def test_the_sprite_is_what_its_drawing_gives() -> None:
    assert FILE.read_text(encoding="utf-8") == sprite()


def test_every_tile_and_the_back_have_a_face_and_no_two_faces_have_the_same_shape() -> None:
    symbols = ET.fromstring(sprite()).findall(f"{SVG}symbol")
    assert [each.get("id") for each in symbols] == [*(f"t{name}" for name in NAMES), "back"]
    drawn = [ET.tostring(each, encoding="unicode") for each in symbols]
    # Neither colours nor numerals are needed to tell two faces apart.
    shapes = [re.sub(r"var\([^)]*\)|id=\"\w+\"|<\w*:?text.*?text>", "", each) for each in drawn]
    assert len(set(shapes)) == len(symbols)


def test_faces_take_their_colours_from_the_page() -> None:
    colours = set(re.findall(r'(?:fill|stroke|opacity)="([^"]+)"', sprite())) - {"none"}
    assert all(colour.startswith("var(--") for colour in colours), colours


def test_honours_are_drawn_and_called_what_the_rules_call_them() -> None:
    """White is 5z, green 6z and red 7z: the other order of the dragons is common elsewhere."""
    assert "".join(face for face, _, _ in HONOURS) == "东南西北白发中"
    assert ZH_HONOURS == ("东", "南", "西", "北", "白板", "发财", "红中")
    assert EN_HONOURS == ("East", "South", "West", "North", "white", "green", "red")
    symbols = ET.fromstring(sprite()).findall(f"{SVG}symbol")
    frames = [each.get("id") for each in symbols if len(each.findall(f".//{SVG}rect")) == 3]
    assert "t5z" in frames
    assert "t7z" not in frames
