"""Where words stand, and what is shared over pathologies."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from radcal.advice.judged_records import JudgedWord, Standing
from radcal.advice.judging import judge, judge_all, judged_group, may_be_shared, standing, word_of
from radcal.advice.records import Advice, Recommendation, Withheld
from radcal.calibration.records import ALL_AUTHORS, Part, PhraseRate, Reliability
from radcal.system.language.catalogue import language
from radcal.system.settings import ALL_TOPICS
from radcal.words.phrases import mean_of
from radcal.words.records import Phrase
from tests.means import rate_of, seen

LIKELY = Phrase("likely", 10, 4, 0.75, 0.90)
ENGLISH = language()
UNLIKELY = Phrase("unlikely", 2, 14, 0.05, 0.25)
PRESENT = Phrase("present", 1, 0, 1.0, 1.0)
ABSENT = Phrase("absent", 0, 1, 0.0, 0.0)


def rate(low: float, high: float, n: float = 50, word: Phrase = LIKELY, name: str = "") -> PhraseRate:
    return rate_of(word, n * (low + high) / 2, n, low, high)._replace(phrase=name or word.name)


def judged(p: PhraseRate, word: Phrase, topic: str = "edema") -> JudgedWord:
    return JudgedWord(topic, p, word, standing(p, word, 10))


@pytest.mark.parametrize(
    ("low", "high", "word", "expected"),
    [
        (0.37, 0.57, LIKELY, Standing.BELOW),
        (0.60, 0.749, LIKELY, Standing.BELOW),
        (0.60, 0.75, LIKELY, Standing.UNDECIDED),
        (0.80, 0.85, LIKELY, Standing.MATCHES),
        (0.10, 0.99, LIKELY, Standing.UNDECIDED),
        (0.901, 0.99, LIKELY, Standing.ABOVE),
        (0.88, 0.97, PRESENT, Standing.UNDECIDED),
        (0.96, 1.0, PRESENT, Standing.MATCHES),
        (0.70, 0.94, PRESENT, Standing.BELOW),
        (0.0, 0.04, ABSENT, Standing.MATCHES),
        (0.06, 0.15, ABSENT, Standing.ABOVE),
    ],
)
def test_a_verdict_has_its_direction(low: float, high: float, word: Phrase, expected: Standing) -> None:
    assert standing(rate(low, high, word=word), word, 10) is expected


def test_few_uses_and_unknown_words_are_not_judged() -> None:
    assert standing(rate(0.1, 0.2, n=9), LIKELY, 10) is Standing.FEW
    assert standing(rate(0.1, 0.2, n=10), LIKELY, 10) is Standing.BELOW
    assert standing(rate(0.1, 0.2), None, 10) is Standing.UNKNOWN


@pytest.mark.parametrize(
    ("word", "low", "high", "printed"),
    [
        (LIKELY, 0.37, 0.57, "(37-57)"),
        (LIKELY, 0.65, 0.746, "(65-74.6)"),
        (LIKELY, 0.65, 0.7497, "(65-74.97)"),
        (LIKELY, 0.65, 0.75, "(65-75)"),  # undecided
        (LIKELY, 0.904, 0.99, "(90.4-99)"),
        (ABSENT, 0.0513, 0.161, "(5.1-16)"),
        (ABSENT, 0.062, 0.161, "(6-16)"),
        (PRESENT, 0.84, 0.9496, "(84-94.96)"),
    ],
)
def test_an_interval_is_printed_as_finely_as_it_takes_to_see_why_it_differs(
    word: Phrase, low: float, high: float, printed: str
) -> None:
    j = judged(rate(low, high, word=word), word)
    assert ENGLISH.spread(low, high, j.decimals).replace("\N{EN DASH}", "-") == printed


@pytest.mark.parametrize(("high", "against"), [(0.45, True), (0.5, True), (0.51, False)])
def test_a_word_speaks_against_a_finding_while_its_range_stays_in_the_lower_half(high: float, against: bool) -> None:
    word = Phrase("maybe", 4, 6, 0.25, high)
    assert judged(rate(0.6, 0.8, word=word), word).against is against


MAY = Phrase("may represent", 2.0, 2.6, 0.25, 0.75)
POSSIBLY = Phrase("possibly", 0.9, 2.2, 0.05, 0.25)
WORDS = (ABSENT, UNLIKELY, POSSIBLY, MAY, LIKELY, PRESENT)


def group(topic: str, *rates: PhraseRate, parts: tuple[str, ...] = ()) -> Reliability:
    n = sum(p.n for p in rates)
    return Reliability("a", topic, n, rates, parts=tuple(Part(name, n, 0.5, False) for name in parts))


def advice(topic: str, *changes: tuple[PhraseRate, str], **more: object) -> Advice:
    made = tuple(Recommendation(r.phrase, target, 1.0, 0.97, r, f"{r.phrase} to {target}") for r, target in changes)
    return replace(Advice("a", topic, 100.0, "ordered", (), (), (), made), **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rate_there", "target", "shared"),
    [
        (seen(LIKELY, 20, 40), None, True),  # nearer to 'may represent' there, too
        (seen(LIKELY, 20, 40), "may represent", True),
        (seen(LIKELY, 20, 40), "possibly", False),
        (seen(LIKELY, 330, 400), None, False),  # matches there
        (seen(LIKELY, 8, 11), None, False),  # nearer to 'likely' there
        (seen(ABSENT, 1, 40), None, False),  # a plain word that is right stays
    ],
)
def test_a_suggestion_over_all_pathologies_contradicts_none_of_them(
    rate_there: PhraseRate, target: str | None, shared: bool
) -> None:
    found = may_be_shared(rate_there, target, ["may represent"], np.array([mean_of(MAY)]))
    assert found.tolist() == [shared]
    word = next(p for p in WORDS if p.name == rate_there.phrase)
    everywhere = seen(word, 40, 90)
    own = advice("edema", *([(rate_there, target)] if target else []))
    judged = judge(
        [group("edema", rate_there), group("mass", seen(word, 3, 6)), group("nodule", seen(word, 4, 5))],
        [own, advice("mass")],
        WORDS,
        10,
        group(ALL_TOPICS, everywhere, parts=("edema", "mass")),
        advice(ALL_TOPICS, (everywhere, "may represent")),
    )
    [pooled] = judged.in_all
    assert bool(pooled.closer) is shared
    # A pathology of too few uses has what holds over all; so has one in which the word was never said.
    assert word_of(judged, "mass", word.name).closer == ("may represent" if shared else "")
    assert word_of(judged, "fracture", word.name).closer == ("may represent" if shared else "")
    # Where its few uses lie nearer to the word itself, it is not said.
    if word is LIKELY:
        assert not word_of(judged, "nodule", word.name).closer
    said = word_of(judged, "edema", word.name)
    assert said.closer == (target or ("may represent" if shared else ""))
    assert said.pooled == (shared and target is None)


def test_where_no_advice_is_given_whatever_the_numbers_none_is_shared() -> None:
    likely = seen(LIKELY, 20, 40)
    judged = judge(
        [group("edema", likely), group("opacity", likely)],
        [advice("edema"), advice("opacity", closed=True, reason="It is no diagnosis.")],
        WORDS,
        10,
        group(ALL_TOPICS, seen(LIKELY, 40, 80), parts=("edema", "opacity")),
        advice(ALL_TOPICS, (seen(LIKELY, 40, 80), "may represent")),
    )
    assert word_of(judged, "edema", "likely").closer == "may represent"
    assert word_of(judged, "opacity", "likely").closer == ""
    assert word_of(judged, "opacity", "likely").why == "It is no diagnosis."
    assert word_of(judged, "opacity", "unlikely").standing is Standing.NEVER


def test_one_pathology_is_not_put_together_and_what_is_left_out_is_in_no_sum() -> None:
    likely = seen(LIKELY, 20, 40)
    whole = group(ALL_TOPICS, likely, parts=("edema",))
    assert judge([group("edema", likely)], (), WORDS, 10, whole).pooled is None
    two = group(ALL_TOPICS, seen(LIKELY, 40, 80), parts=("edema", "mass"))
    every = [group("edema", likely), group("mass", likely)]
    assert judge(every, (), WORDS, 10, two).pooled is not None
    part = judge(every, (), WORDS, 10, two, without=("mass",))
    assert (part.pooled, [g.topic for g in part.groups]) == (None, ["edema"])


def test_reasons_are_those_of_the_word_before_those_of_the_group() -> None:
    likely, absent, may = seen(LIKELY, 20, 40), seen(ABSENT, 9, 40), seen(MAY, 200, 400)
    held = advice("edema", withheld=(Withheld("likely", "No nearer word."),), reason="None at all.")
    made = judged_group(group("edema", likely, absent, may), held, WORDS, 10)
    assert {j.name: j.why for j in made.words} == {
        "likely": "No nearer word.",
        "absent": "None at all.",
        "may represent": "",
    }


def test_all_groups_are_judged_at_once_each_by_its_own_words() -> None:
    likely = seen(LIKELY, 20, 40)
    groups = [
        group("edema", likely),
        group("mass", likely),
        group(ALL_TOPICS, seen(LIKELY, 40, 80), parts=("edema", "mass")),
        replace(group("edema", likely), author=ALL_AUTHORS),
        replace(group("quiz", likely), author="model"),
    ]
    found = judge_all(groups, [advice("edema", (likely, "may represent"))], {"model": (MAY,)}, WORDS, 10)
    assert set(found) == {(r.author, r.topic) for r in groups}
    assert found["a", "edema"].words[0].closer == "may represent"
    assert found[ALL_AUTHORS, "edema"].words[0].closer == ""
    assert found["model", "quiz"].words[0].standing is Standing.UNKNOWN
