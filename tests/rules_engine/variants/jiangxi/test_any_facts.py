"""Whatever facts the form allows, the answer is a score or a refusal, and never an accident."""

from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine.errors import Violation
from rules_engine.facts import HandFacts, Holding, Meld, WinFacts
from rules_engine.score import HandScore
from rules_engine.variants.jiangxi.explain import explain
from rules_engine.variants.jiangxi.flags import SIMPLE
from rules_engine.variants.jiangxi.options import JiangxiOptions
from rules_engine.variants.jiangxi.score import score
from tests.rules_engine.variants.jiangxi.results import PLAIN

SEATS = st.integers(0, 3)
NAMES = st.from_regex(r"\A([1-9][mps]|[1-7]z|[1-8]f)\Z") | st.sampled_from(["8s", "5s", "9p", "7z"])
TEXTS = st.from_regex(r"\A([1-9]{1,4}[mps]|[1-7]{1,3}z|[1-8]f){0,5}\Z") | st.sampled_from(
    [PLAIN, "1133m5577p22s446z", "123456m789p1119p", "147m25p36s123456z"]
)
MELDS = st.builds(
    Meld,
    kind=st.sampled_from(["an_gang", "peng", "chi", "ming_gang", "bu_gang", "odd"]),
    tiles=st.sampled_from(["7777s", "222m", "123m", ""]) | TEXTS,
    from_=st.none() | SEATS,
)
FLAGS = st.lists(
    st.sampled_from([*SIMPLE, "fei_bao:1", "fei_bao:9", "rob:an_gang", "jie_bao:2", "odd"]),
    max_size=3,
).map(tuple)
WINS = st.builds(
    WinFacts,
    seat=SEATS,
    by=st.sampled_from(["zimo", "dianpao", "qiang_gang"]),
    tile=NAMES,
    concealed=TEXTS,
    from_=st.none() | SEATS,
    melds=st.lists(MELDS, max_size=5).map(tuple),
    flowers=st.sampled_from(["", "", "", "1f"]),
    flags=FLAGS,
)
GOOD_WINS = st.builds(
    WinFacts, seat=st.just(2), by=st.just("zimo"), tile=NAMES, concealed=TEXTS, flags=FLAGS
)
FACTS = st.builds(
    HandFacts,
    dealer=SEATS,
    result=st.sampled_from(["hu", "hu", "huang_zhuang"]),
    streak=st.integers(-1, 5),
    wild=st.just("9p") | st.none() | NAMES,
    wins=st.lists(WINS, max_size=3).map(tuple) | GOOD_WINS.map(lambda win: (win,)),
    table=st.lists(
        st.builds(Holding, seat=SEATS, melds=st.lists(MELDS, max_size=5).map(tuple), flags=FLAGS),
        max_size=2,
    ).map(tuple),
)


@given(FACTS, st.sampled_from([JiangxiOptions(), JiangxiOptions(discard_win="all", jie_bao=0)]))
@settings(max_examples=500, deadline=None)
def test_any_facts_are_scored_or_refused(facts: HandFacts, options: JiangxiOptions):
    answer = score(facts, options)
    if isinstance(answer, Violation):
        assert answer.code
        assert answer.message
        assert explain(facts, options) == answer
    else:
        assert isinstance(answer, HandScore)
        assert sum(answer.total_points) == 0
        explained = explain(facts, options)
        assert not isinstance(explained, Violation)
        assert explained.transfers == answer.transfers
