"""Whatever facts the form allows, the answer is a score or a refusal, and never an accident."""

from hypothesis import given, settings
from hypothesis import strategies as st

from rules_engine.errors import Violation
from rules_engine.facts import HandFacts, Holding, Meld, WinFacts
from rules_engine.score import HandScore
from rules_engine.variants.hefei.explain import explain
from rules_engine.variants.hefei.legality import IMPOSSIBLE_FLAGS
from rules_engine.variants.hefei.options import HefeiOptions
from rules_engine.variants.hefei.score import score
from tests.rules_engine.variants.hefei.results import PLAIN

SEATS = st.integers(0, 3)
NAMES = st.from_regex(r"\A([1-9][mps]|[1-7]z|[1-8]f)\Z") | st.sampled_from(["5p", "5p", "2m", "8s"])
TEXTS = st.from_regex(r"\A([1-9]{1,4}[mps]|[1-7]z|[1-8]f){0,5}\Z") | st.sampled_from(
    [PLAIN, "22334488m5566p7s"]
)
MELDS = st.builds(
    Meld,
    kind=st.sampled_from(["an_gang", "an_gang", "peng", "chi", "ming_gang", "odd"]),
    tiles=st.sampled_from(["7777s", "2222m", "7777s7s", ""]) | TEXTS,
    from_=st.none() | SEATS,
)
WINS = st.builds(
    WinFacts,
    seat=SEATS,
    by=st.sampled_from(["zimo", "dianpao", "qiang_gang"]),
    tile=NAMES,
    concealed=TEXTS,
    from_=st.none() | SEATS,
    melds=st.lists(MELDS, max_size=5).map(tuple),
    flowers=st.sampled_from(["", "", "", "1f"]),
    flags=st.lists(st.sampled_from([*IMPOSSIBLE_FLAGS, "odd"]), max_size=3).map(tuple),
)
GOOD_WINS = st.builds(
    WinFacts,
    seat=st.just(2),
    by=st.just("zimo"),
    tile=NAMES,
    concealed=TEXTS,
    melds=st.lists(MELDS, max_size=2).map(tuple),
)
FACTS = st.builds(
    HandFacts,
    dealer=SEATS,
    result=st.sampled_from(["hu", "hu", "huang_zhuang"]),
    streak=st.integers(-1, 5),
    wild=st.none() | st.none() | NAMES,
    wins=st.lists(WINS, max_size=3).map(tuple) | GOOD_WINS.map(lambda win: (win,)),
    table=st.lists(
        st.builds(Holding, seat=SEATS, melds=st.lists(MELDS, max_size=5).map(tuple)), max_size=2
    ).map(tuple),
)


@given(FACTS, st.sampled_from([HefeiOptions(), HefeiOptions(room="bao_ting", min_suit=0)]))
@settings(max_examples=600, deadline=None)
def test_any_facts_are_scored_or_refused(facts, options):
    answer = score(facts, options)
    if isinstance(answer, Violation):
        assert answer.code
        assert answer.message
        assert explain(facts, options) == answer
    else:
        assert isinstance(answer, HandScore)
        assert sum(answer.total_points) == 0
        assert explain(facts, options).transfers == answer.transfers
