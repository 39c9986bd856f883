"""Which group is seen first: hedged words of a diagnosis, enough of them, of which something clear is said."""

from __future__ import annotations

import itertools
from typing import Any, cast

from hypothesis import given
from hypothesis import strategies as st

from radcal.advice.first_to_show import most_to_say
from radcal.advice.records import Advice, Recommendation
from radcal.calibration.records import ALL_AUTHORS, PhraseRate, Reliability
from radcal.system.selection import Group
from radcal.system.settings import ALL_TOPICS
from radcal.system.text import EMPTY

CURVE = cast("Any", "a curve")
PLAIN = {"absent": 0.0, "present": 1.0}
Word = tuple[str, float, str]
"""A word, its uses, and the verdict on it or "advised"; "closer" is advice on a word that is undecided."""
Measured = tuple[Reliability, Advice | None]


def group(author: str, topic: str, *words: Word, n: float = 0.0, curve: bool = True) -> Measured:
    """A group whose words are said so often, with advice where it is named; n: of statements besides."""
    rates = tuple(
        PhraseRate(
            word, uses, uses / 2, 0.5, 0.4, 0.6, PLAIN.get(word, 0.75), verdict=cast("Any", _verdict(said)),
        )
        for word, uses, said in words
    )  # fmt: skip
    r = Reliability(author, topic, n + sum(uses for _, uses, _ in words), rates, curve=CURVE if curve else None)
    told = tuple(
        Recommendation(rate.phrase, "possibly", 1.0, 0.99, rate, EMPTY)
        for rate, (_, _, said) in zip(rates, words, strict=True)
        if said in ("advised", "closer")
    )
    return r, Advice(author, topic, r.n, "ordered", (), (), (), recommendations=told) if told else None


def _verdict(said: str) -> str:
    return {"advised": "stronger", "closer": "undecided"}.get(said, said)


def first(*groups: Measured, **options: Any) -> Group:
    return most_to_say(groups, **options)[0]


def test_advice_on_a_hedged_word_comes_before_a_difference_and_that_before_a_match() -> None:
    advised = group("A", "edema", ("likely", 12, "advised"))
    closer = group("B", "edema", ("likely", 20, "closer"))
    differs = group("C", "edema", ("likely", 40, "weaker"))
    matches = group("D", "edema", ("likely", 90, "matches"))
    plain = group("E", "edema", ("present", 300, "advised"))
    nothing = group("F", "edema", ("likely", 500, "undecided"))
    expected = ("A", "B", "C", "D", "E", "F")
    for order in itertools.permutations((advised, closer, differs, matches, plain, nothing)):
        assert tuple(g.author for g in most_to_say(order)) == expected


def test_of_groups_that_say_alike_the_most_findings_decide_that_the_sentences_are_about() -> None:
    many = group("A", "edema", ("likely", 20, "advised"), n=400)
    more = group("B", "edema", ("likely", 15, "advised"), ("possibly", 10, "advised"))
    assert first(many, more) == Group("B", "edema")
    assert first(group("A", "edema", n=40), group("B", "edema", n=50)) == Group("B", "edema")


def test_a_descriptor_comes_behind_every_diagnosis_with_enough_findings() -> None:
    shadow = group("A", "opacity", ("likely", 80, "advised"))
    silent = group("B", "edema", ("likely", 30, "undecided"))
    assert first(shadow, silent) == Group("A", "opacity")
    assert first(shadow, silent, descriptors={"opacity"}) == Group("B", "edema")
    few = group("B", "edema", ("likely", 30, "undecided"), curve=False)
    assert first(shadow, few, descriptors={"opacity"}) == Group("A", "opacity"), "an empty page is worse"


def test_a_word_of_too_few_uses_says_nothing() -> None:
    rare = group("A", "edema", ("likely", 9, "stronger"), n=60)
    often = group("B", "edema", ("likely", 40, "matches"))
    assert first(rare, often, least=10) == Group("B", "edema")
    assert first(rare, often, least=9) == Group("A", "edema")


def test_groups_put_together_come_first_where_none_alone_is_clear() -> None:
    everybody = group(ALL_AUTHORS, "edema", ("likely", 80, "advised"))
    unclear = group("A", "edema", ("likely", 40, "undecided"))
    clear = group("B", "edema", ("likely", 20, "stronger"))
    assert first(everybody, unclear) == Group(ALL_AUTHORS, "edema")
    assert first(everybody, unclear, clear) == Group("B", "edema")
    assert first(group("A", ALL_TOPICS, n=60), group("A", "edema", n=20, curve=False)) == Group("A", ALL_TOPICS)
    whole = group("A", ALL_TOPICS, ("likely", 90, "advised"))
    assert first(whole, everybody, unclear) == Group(ALL_AUTHORS, "edema"), "a diagnosis says more"
    assert first(whole, group("A", "opacity", n=60), descriptors={"opacity"}) == Group("A", ALL_TOPICS)


SAID = st.lists(
    st.tuples(
        st.sampled_from(["likely", "possibly", "present"]), st.integers(1, 60),
        st.sampled_from(["advised", "stronger", "weaker", "matches", "undecided"]),
    ),
    max_size=3, unique_by=lambda word: word[0],
)  # fmt: skip


@given(
    st.dictionaries(
        st.tuples(st.sampled_from(["A", "B", ALL_AUTHORS]), st.sampled_from(["edema", "opacity"])),
        st.tuples(SAID, st.booleans()),
        min_size=1,
    )
)
def test_no_empty_page_while_another_group_has_something(groups: dict[Any, Any]) -> None:
    made = [group(*names, *words, n=1, curve=curve) for names, (words, curve) in groups.items()]
    ranked = most_to_say(made, descriptors={"opacity"}, least=5)
    assert {Group(*names) for names in groups} == set(ranked)
    assert ranked == most_to_say(made[::-1], descriptors={"opacity"}, least=5)
    curves = {Group(r.author, r.topic): r.curve is not None for r, _ in made}
    assert curves[ranked[0]] or not any(curves.values())
