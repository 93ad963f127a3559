"""In every game a winner with a tile too many or too few is refused, seven pairs included."""

import pytest

from rules_engine.errors import Violation
from rules_engine.facts import HandFacts, WinFacts
from rules_engine.ruleset import make_options
from rules_engine.variants.hefei.options import HefeiOptions
from rules_engine.variants.hefei.score import score as hefei
from rules_engine.variants.jiangxi.options import JiangxiOptions
from rules_engine.variants.jiangxi.score import score as jiangxi
from rules_engine.variants.qingdao.options import QingdaoOptions
from rules_engine.variants.qingdao.score import score as qingdao

GAMES = {
    "hefei": (hefei, HefeiOptions, {}, None, "not_winning_shape"),
    "jiangxi": (jiangxi, JiangxiOptions, {}, "7z", "not_a_win"),
    "qingdao": (qingdao, QingdaoOptions, {"mode": "dian_pao"}, None, "shape"),
}


@pytest.mark.parametrize("concealed", ["22334455667788m", "223344556677m", "233445566778m"])
@pytest.mark.parametrize("game", GAMES)
def test_a_winner_has_fourteen_tiles(game: str, concealed: str):
    score, options, given, wild, code = GAMES[game]
    win = WinFacts(seat=1, by="zimo", tile="8m", concealed=concealed)
    facts = HandFacts(dealer=0, result="hu", wild=wild, wins=(win,))
    answer = score(facts, make_options(options, given))
    assert isinstance(answer, Violation)
    assert answer.code == code
