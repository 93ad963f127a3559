"""The quick answer the table asks for after every discard, held to the exact one."""

import random

import msgspec

from rules_engine.facts import WinFacts
from rules_engine.groups import STANDING_KINDS
from rules_engine.tiles import KIND, ONE, count, parse
from rules_engine.variants.jiangxi.hands import is_win_without_bao, make_hand, may_complete
from rules_engine.variants.jiangxi.melds import melded
from rules_engine.variants.jiangxi.options import JiangxiOptions
from tests.rules_engine.variants.jiangxi.hands import random_win


def test_no_kind_that_completes_a_hand_without_bao_is_left_out():
    chance = random.Random(52)
    answers = set()
    for _ in range(400):
        body, name = random_win(chance, chance.choice((0, 0, 1)))
        win = msgspec.convert(body, WinFacts)
        concealed, melds = parse(win.concealed), melded(win.melds)
        quick = may_complete(concealed, melds.size)
        for kind in STANDING_KINDS:
            hand = make_hand(concealed, kind, KIND[name], melds, own=False)
            wins = is_win_without_bao(hand, JiangxiOptions())
            answers.add((wins, bool(quick & ONE[kind])))
            assert quick & ONE[kind] or not wins, (body, kind)
    assert answers == {(True, True), (False, False), (False, True)}


def test_a_hand_far_from_complete_takes_nothing():
    assert not may_complete(parse("147m258p369s1123z"), 0)
    assert count(may_complete(parse("123456m789p1119s"), 0), KIND["9s"]) == 1
