"""What of a variant's own state of a hand is to be seen on the table."""

from typing import Any

import pytest

from rules_engine import registry
from rules_engine.table import Sign
from rules_engine.tiles import KIND
from rules_engine.variants.hefei.state import HefeiTable
from rules_engine.variants.huaiyuan.state import HuaiyuanTable
from rules_engine.variants.jiangxi.state import JiangxiTable
from rules_engine.variants.qingdao.state import QingdaoTable
from rules_engine.variants.ruian.state import RuianTable

DEALT = ("", "", "", "")


@pytest.mark.parametrize(
    ("slug", "extra"),
    [
        ("hefei", HefeiTable()),
        ("huaiyuan", HuaiyuanTable(DEALT)),
        ("jiangxi", JiangxiTable()),
        ("qingdao", QingdaoTable()),
        ("ruian", RuianTable()),
    ],
)
def test_where_nothing_has_happened_there_is_no_sign(slug: str, extra: Any) -> None:
    assert registry.get(slug).signs(extra) == ()


@pytest.mark.parametrize(
    ("slug", "extra", "signs"),
    [
        (
            "hefei",
            HefeiTable(automatic=0b0101, zone=True),
            [("automatic", 0, None), ("automatic", 2, None), ("hai lao", None, None)],
        ),
        ("huaiyuan", HuaiyuanTable(DEALT, bao=KIND["5m"]), [("bao", None, "5m")]),
        ("huaiyuan", HuaiyuanTable(DEALT, exhausted=True), [("no bao left", None, None)]),
        ("jiangxi", JiangxiTable(caught_by=2), [("caught the bao", 2, None)]),
        (
            "qingdao",
            QingdaoTable(lou=("kou_ting", "", "", "ming_lou"), zone=True),
            [("ting, closed", 0, None), ("ting, shown", 3, None), ("hai di", None, None)],
        ),
        (
            "ruian",
            RuianTable(flower=KIND["5z"], left=3),
            [("flower", None, "5z"), ("hai di", None, None)],
        ),
    ],
)
def test_a_sign_says_what_is_seen_at_which_seat_and_on_which_tile(
    slug: str, extra: Any, signs: list[tuple[str, int | None, str | None]]
) -> None:
    told = registry.get(slug).signs(extra)
    assert [(sign.en, sign.seat, sign.tile) for sign in told] == signs
    assert all(isinstance(sign, Sign) and sign.zh for sign in told)
