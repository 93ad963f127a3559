"""The facts of a hand: how they are written, and which event each part of them rests on."""

import msgspec

from rules_engine.facts import HandFacts, Holding, Meld, WinFacts, names_events, seq_of_flag

WIN = WinFacts(
    seat=1, by="zimo", tile="3s", concealed="123m", flags=("late", "bold:2"), flag_seqs=(0, 9)
)


def test_a_flag_is_found_by_its_name_whatever_its_value() -> None:
    assert seq_of_flag(WIN, "bold") == 9
    assert seq_of_flag(WIN, "late") == 0
    assert seq_of_flag(WIN, "brave") == 0
    assert seq_of_flag(msgspec.structs.replace(WIN, flag_seqs=()), "bold") == 0


def test_facts_stored_before_flags_named_their_events_are_read_as_they_were() -> None:
    stored = {
        "dealer": 0,
        "result": "hu",
        "seq": 40,
        "wins": [
            {
                "seat": 1,
                "by": "zimo",
                "tile": "3s",
                "concealed": "123m",
                "flags": ["late", "bold:2"],
            }
        ],
        "table": [{"seat": 2, "flags": ["shy"]}],
    }
    facts = msgspec.convert(stored, HandFacts)
    assert facts.wins == (msgspec.structs.replace(WIN, flag_seqs=()),)
    assert facts.table == (Holding(seat=2, flags=("shy",)),)
    assert msgspec.json.decode(msgspec.json.encode(facts)) == stored


def test_a_part_that_names_an_event_is_known_for_it() -> None:
    holding = Holding(seat=2, melds=(Meld(kind="peng", tiles="222m", from_=1),), flags=("shy",))
    assert not names_events(holding)
    assert not names_events(msgspec.structs.replace(WIN, flag_seqs=()))
    assert names_events(WIN)
    assert names_events(msgspec.structs.replace(WIN, flag_seqs=(), seq=3))
    assert names_events(msgspec.structs.replace(holding, flag_seqs=(4,)))
    meld = msgspec.structs.replace(holding.melds[0], seq=5)
    assert names_events(msgspec.structs.replace(holding, melds=(meld,)))
