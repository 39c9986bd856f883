"""What counts as a match, and the sentence that sums it up."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from radcal.feedback.judging import Judged, Verdict, deviations, judge, sentences, summary, verdict
from radcal.language import language
from radcal.records import FeedbackInput, Phrase, PhraseRate, Reliability

Uses = Mapping[str, Mapping[str, tuple[float, float]]]
LIKELY = Phrase("likely", 10, 4, 0.75, 0.90)
ENGLISH = language()
PLAIN = {0x2018: "'", 0x2019: "'"}
UNLIKELY = Phrase("unlikely", 2, 14, 0.05, 0.25)
PRESENT = Phrase("present", 1, 0, 1.0, 1.0)
ABSENT = Phrase("absent", 0, 1, 0.0, 0.0)


def rate(low: float, high: float, n: float = 50, phrase: str = "likely") -> PhraseRate:
    middle = (low + high) / 2
    return PhraseRate(phrase, n, n * middle, middle, low, high, 0.7)


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.37, 0.57, Verdict.BELOW),
        (0.60, 0.749, Verdict.BELOW),
        (0.60, 0.75, Verdict.MATCH),
        (0.80, 0.85, Verdict.MATCH),
        (0.10, 0.99, Verdict.MATCH),
        (0.90, 0.99, Verdict.MATCH),
        (0.901, 0.99, Verdict.ABOVE),
    ],
)
def test_only_an_interval_outside_the_range_deviates(low: float, high: float, expected: Verdict) -> None:
    assert verdict(rate(low, high), LIKELY, 10) is expected


def test_few_uses_and_unknown_words_are_not_judged() -> None:
    assert verdict(rate(0.1, 0.2, n=9), LIKELY, 10) is Verdict.FEW
    assert verdict(rate(0.1, 0.2, n=10), LIKELY, 10) is Verdict.BELOW
    assert verdict(rate(0.1, 0.2), None, 10) is Verdict.UNKNOWN


def test_plain_statements_may_have_exceptions() -> None:
    assert verdict(rate(0.88, 0.97), PRESENT, 10) is Verdict.MATCH
    assert verdict(rate(0.70, 0.94), PRESENT, 10) is Verdict.BELOW
    assert verdict(rate(0.01, 0.07), ABSENT, 10) is Verdict.MATCH
    certain = Phrase("consistent with", 4.2, 0.15, 1.0, 1.0)
    assert verdict(rate(0.88, 0.98), certain, 10) is Verdict.MATCH
    assert verdict(rate(0.70, 0.94), certain, 10) is Verdict.BELOW
    assert verdict(rate(0.06, 0.15), ABSENT, 10) is Verdict.ABOVE


@pytest.mark.parametrize(
    ("phrase", "low", "high", "printed"),
    [
        (LIKELY, 0.37, 0.57, "(37-57)"),
        (LIKELY, 0.65, 0.746, "(65-74.6)"),
        (LIKELY, 0.65, 0.7497, "(65-74.97)"),
        (LIKELY, 0.65, 0.75, "(65-75)"),  # a match
        (LIKELY, 0.904, 0.99, "(90.4-99)"),
        (ABSENT, 0.0513, 0.161, "(5.1-16)"),
        (ABSENT, 0.062, 0.161, "(6-16)"),
        (PRESENT, 0.84, 0.9496, "(84-94.96)"),
    ],
)
def test_an_interval_is_printed_as_finely_as_it_takes_to_see_why_it_deviates(
    phrase: Phrase, low: float, high: float, printed: str
) -> None:
    p = rate(low, high, phrase=phrase.name)
    j = Judged("edema", p, phrase, verdict(p, phrase, 10))
    assert ENGLISH.spread(p.low, p.high, j.decimals).replace("\N{EN DASH}", "-") == printed


@settings(deadline=None)
@given(st.floats(0, 1), st.floats(0, 1), st.floats(0, 1), st.floats(0, 1))
def test_a_wider_interval_never_makes_a_deviation(a: float, b: float, c: float, d: float) -> None:
    low, high = sorted((a, b))
    wide = rate(min(low, c, d), max(high, c, d))
    if verdict(rate(low, high), LIKELY, 10) is Verdict.MATCH:
        assert verdict(wide, LIKELY, 10) is Verdict.MATCH


def test_words_against_a_finding_are_not_called_strong_or_weak() -> None:
    against = Judged("effusion", rate(0.3, 0.5, phrase="unlikely"), UNLIKELY, Verdict.ABOVE)
    assert against.against
    assert sentences([against], ENGLISH)[0].endswith(": CT found it more often than the word says.")
    less = Judged("effusion", rate(0.0, 0.01, phrase="unlikely"), UNLIKELY, Verdict.BELOW)
    assert sentences([less], ENGLISH)[0].endswith(": CT found it less often than the word says.")
    assert deviations([less], ENGLISH).endswith(" for effusion, which CT found less often than the word says")
    for_it = Judged("edema", rate(0.95, 0.99), LIKELY, Verdict.ABOVE)
    assert deviations([for_it], ENGLISH).endswith(" for edema, which was weaker than CT supported")
    assert not for_it.against
    also = Judged("edema", rate(0.95, 0.99, phrase="probably"), LIKELY, Verdict.ABOVE)
    assert [s.translate(PLAIN) for s in sentences([for_it, against, also], ENGLISH)] == [
        "'likely' and 'probably' were weaker than CT supported.",
        "'unlikely': CT found it more often than the word says.",
    ]


@pytest.mark.parametrize(
    ("word", "way", "of_one", "of_two", "named"),
    [
        (LIKELY, Verdict.BELOW, " was stronger than CT supported.", " were stronger than CT supported.",
         ", which were stronger than CT supported"),
        (LIKELY, Verdict.ABOVE, " was weaker than CT supported.", " were weaker than CT supported.",
         ", which were weaker than CT supported"),
        (UNLIKELY, Verdict.BELOW, ": CT found it less often than the word says.",
         ": CT found it less often than the word says.", ", which CT found less often than the words say"),
        (UNLIKELY, Verdict.ABOVE, ": CT found it more often than the word says.",
         ": CT found it more often than the word says.", ", which CT found more often than the words say"),
    ],
)  # fmt: skip
def test_words_of_one_kind_share_a_sentence(word: Phrase, way: Verdict, of_one: str, of_two: str, named: str) -> None:
    one, two = (Judged("edema", rate(0.4, 0.5, phrase=name), word, way) for name in ("x", "y"))
    assert [s.translate(PLAIN) for s in sentences([one], ENGLISH)] == [f"'x'{of_one}"]
    assert [s.translate(PLAIN) for s in sentences([one, two], ENGLISH)] == [f"'x' and 'y'{of_two}"]
    assert deviations([one, two], ENGLISH).translate(PLAIN) == f"'x' and 'y' for edema{named}"


@pytest.mark.parametrize(("high", "against"), [(0.45, True), (0.5, True), (0.51, False)])
def test_a_word_speaks_against_a_finding_while_its_range_stays_in_the_lower_half(high: float, against: bool) -> None:
    word = Phrase("maybe", 4, 6, 0.25, high)
    assert Judged("edema", rate(0.6, 0.8, phrase="maybe"), word, Verdict.ABOVE).against is against


def said(data: FeedbackInput) -> str:
    judged = judge(data.reliabilities, {p.name: p for p in data.phrases}, 10)
    shown = summary(data.reliabilities, judged, 10, ENGLISH)
    return shown.translate(PLAIN)


@pytest.mark.parametrize(
    ("uses", "expected"),
    [
        ({}, "No statement could be compared with a CT yet."),
        (
            {"edema": {"likely": (1, 0)}},
            "Not enough data yet to judge a word: 1 statement in 1 pathology, and no word was used 10 times "
            "for one pathology.",
        ),
        (
            {"edema": {"likely": (40, 33)}},
            "Across 40 statements in 1 pathology, the one word used often enough to judge, 'likely' for "
            "edema, matched what CT showed.",
        ),
        (
            {"edema": {"likely": (40, 33), "absent": (50, 1)}},
            "Across 90 statements in 1 pathology, all 2 words used often enough to judge matched what CT showed.",
        ),
        (
            {"edema": {"likely": (87, 41), "may represent": (60, 22), "absent": (50, 1), "unlikely": (3, 3)}},
            "Across 200 statements in 1 pathology, the words used often enough to judge matched "
            "what CT showed, except 'likely' for "
            "edema, which was stronger than CT supported.",
        ),
        (
            {
                "edema": {"likely": (87, 41), "may represent": (60, 22), "absent": (50, 1), "present": (50, 50)},
                "pneumonia": {"likely": (50, 20), "unlikely": (50, 25), "absent": (50, 1), "may represent": (50, 25)},
            },
            "Across 447 statements in 2 pathologies, the words used often enough to judge matched "
            "what CT showed, except 'likely' for edema "
            "and pneumonia, which was stronger than CT supported, "
            "and 'unlikely' for pneumonia, which CT found more often than the word says.",
        ),
        (
            {
                "edema": {"likely": (87, 41), "may represent": (60, 22), "absent": (50, 1)},
                "pneumonia": {"highly suggestive of": (50, 10), "absent": (50, 1), "may represent": (50, 25)},
            },
            "Across 347 statements in 2 pathologies, the words used often enough to judge matched "
            "what CT showed, except 'likely' for edema "
            "and 'highly suggestive of' for pneumonia, which were stronger than CT supported.",
        ),
        (
            {
                "edema": {"likely": (87, 41), "may represent": (60, 22), "absent": (50, 1), "present": (50, 50)},
                "pneumonia": {"likely": (50, 10), "highly suggestive of": (50, 10), "absent": (50, 1)},
            },
            "Across 397 statements in 2 pathologies, the words used often enough to judge matched "
            "what CT showed, except 'likely' for edema "
            "and pneumonia, and 'highly suggestive of' for pneumonia, which were stronger than CT supported.",
        ),
        (
            {
                "edema": {"likely": (87, 41), "highly suggestive of": (50, 10), "absent": (50, 1)},
                "pneumonia": {"absent": (50, 1), "may represent": (50, 25)},
            },
            "Across 287 statements in 2 pathologies, the words used often enough to judge matched "
            "what CT showed, except 'likely' and "
            "'highly suggestive of' for edema, which were stronger than CT supported.",
        ),
        (
            {"edema": {"likely": (87, 41), "highly suggestive of": (40, 10), "unlikely": (90, 60)}},
            "Across 217 statements in 1 pathology, none of 3 words matched what CT showed: 'likely' and 'highly "
            "suggestive of' for edema, which were stronger than CT supported, and 'unlikely' for edema, which CT found "
            "more often than the word says.",
        ),
        (
            {"edema": {"likely": (15, 6), "absent": (16, 1)}},
            "Across 31 statements in 1 pathology, 1 of 2 words matched what CT showed, but not 'likely' for edema, "
            "which was stronger than CT supported.",
        ),
        (
            {t: {"likely": (60, 6), "unlikely": (60, 50)} for t in ("edema", "pneumonia")},
            "Across 240 statements in 2 pathologies, none of 4 words matched what CT showed; 2 were stronger than CT "
            "supported; for 2 words, CT found the pathology more often than the word says.",
        ),
        (
            {
                "edema": {"likely": (50, 20), "unlikely": (50, 25), "may represent": (50, 49), "absent": (50, 1)},
                "pneumonia": {"likely": (40, 33), "may represent": (50, 25), "present": (50, 50)},
            },
            "Across 340 statements in 2 pathologies, the words used often enough to judge matched what CT showed, "
            "except 'likely' for edema, which was stronger than CT supported; 'unlikely' for edema, which CT found "
            "more often than the word says; and 'may represent' for edema, which was weaker than CT supported.",
        ),
        (
            {
                "edema": {"likely": (50, 20), "unlikely": (50, 25), "may represent": (50, 49), "absent": (50, 20)},
                "pneumonia": {"likely": (40, 33), "may represent": (50, 25), "present": (50, 50), "absent": (50, 1)},
                "effusion": {"likely": (40, 33)},
            },
            "Across 430 statements in 3 pathologies, 5 of 9 words matched what CT showed; 1 was stronger than CT "
            "supported and 1 was weaker; for 2 words, CT found the pathology more often than the word says.",
        ),
        (
            {"edema": {"likely": (50, 20), "absent": (50, 20), "present": (50, 50), "may represent": (50, 25)}},
            "Across 200 statements in 1 pathology, 2 of 4 words matched what CT showed, but not 'likely' for edema, "
            "which was stronger than CT supported, and 'absent' for edema, which CT found more often than the word "
            "says.",
        ),
        (
            {"edema": {"likely": (87, 41)}},
            "Across 87 statements in 1 pathology, one word was used often enough to judge: 'likely' for "
            "edema, which was stronger than CT supported.",
        ),
        (
            {
                "edema": {"likely": (87, 41), "unlikely": (60, 40), "absent": (50, 20), "may represent": (60, 59)},
                "pneumonia": {
                    "likely": (87, 41),
                    "very unlikely": (900, 200),
                    "absent": (50, 1),
                    "question of": (200, 1),
                },
            },
            "Across 1,494 statements in 2 pathologies, 1 of 8 words matched what CT showed; 2 were stronger than CT "
            "supported and 1 was weaker; for 3 words, CT found the pathology more often than the word says "
            "and for 1 less often.",
        ),
    ],
)
def test_the_summary_is_one_true_sentence(make: Callable[..., FeedbackInput], uses: Uses, expected: str) -> None:
    assert said(make(uses)) == expected


def test_pathologies_without_statements_are_not_counted(make: Callable[..., FeedbackInput]) -> None:
    data = make({"edema": {"likely": (40, 33)}})
    empty = Reliability("", "fracture", 0, (), reason="no statements")
    judged = judge(data.reliabilities, {p.name: p for p in data.phrases}, 10)
    assert "in 1 pathology" in summary((*data.reliabilities, empty), judged, 10, ENGLISH)
