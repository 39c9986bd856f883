"""Where words stand, and the sentence that sums it up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import pytest

from radcal.feedback.judging import (
    Judged,
    Standing,
    differences,
    judge,
    sentences,
    standing,
    summary,
    with_errors,
    word_error,
)
from radcal.language import language
from radcal.records import FeedbackInput, Phrase, PhraseRate, Reliability, Verdict

Uses = Mapping[str, Mapping[str, tuple[float, float]]]
LIKELY = Phrase("likely", 10, 4, 0.75, 0.90)
ENGLISH = language()
PLAIN = {0x2018: "'", 0x2019: "'"}
UNLIKELY = Phrase("unlikely", 2, 14, 0.05, 0.25)
PRESENT = Phrase("present", 1, 0, 1.0, 1.0)
ABSENT = Phrase("absent", 0, 1, 0.0, 0.0)


def rate(low: float, high: float, n: float = 50, word: Phrase = LIKELY, name: str = "") -> PhraseRate:
    middle, mean = (low + high) / 2, word.alpha / (word.alpha + word.beta)
    apart = 0.05 if word.low == word.high else 0.0
    meant = (max(word.low - apart, 0.0), min(word.high + apart, 1.0))
    verdict: Verdict = "undecided"
    if high < meant[0] or low > meant[1]:
        verdict = "differs"
    elif meant[0] <= low and high <= meant[1]:
        verdict = "agrees"
    return PhraseRate(name or word.name, n, n * middle, middle, low, high, mean, *meant, verdict)


def judged(p: PhraseRate, word: Phrase, topic: str = "edema") -> Judged:
    return Judged(topic, p, word, standing(p, word, 10))


@pytest.mark.parametrize(
    ("low", "high", "word", "expected"),
    [
        (0.37, 0.57, LIKELY, Standing.BELOW),
        (0.60, 0.749, LIKELY, Standing.BELOW),
        (0.60, 0.75, LIKELY, Standing.UNDECIDED),
        (0.80, 0.85, LIKELY, Standing.AGREES),
        (0.10, 0.99, LIKELY, Standing.UNDECIDED),
        (0.901, 0.99, LIKELY, Standing.ABOVE),
        (0.88, 0.97, PRESENT, Standing.UNDECIDED),
        (0.96, 1.0, PRESENT, Standing.AGREES),
        (0.70, 0.94, PRESENT, Standing.BELOW),
        (0.0, 0.04, ABSENT, Standing.AGREES),
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


def test_words_against_a_finding_are_not_called_strong_or_weak() -> None:
    against = judged(rate(0.3, 0.5, word=UNLIKELY), UNLIKELY, "effusion")
    less = judged(rate(0.0, 0.01, word=UNLIKELY), UNLIKELY, "effusion")
    for_it, also = (judged(rate(0.95, 0.99, name=name), LIKELY) for name in ("likely", "probably"))
    assert against.against
    assert not for_it.against
    assert [s.translate(PLAIN) for s in sentences([for_it, against, also, less], ENGLISH)] == [
        "'likely' and 'probably' were weaker than CT supported.",
        "CT found it more often than 'unlikely' says.",
        "CT found it less often than 'unlikely' says.",
    ]
    assert differences([less, for_it], ENGLISH).translate(PLAIN) == (
        "'likely' for edema was weaker than CT supported, and CT found effusion less often than 'unlikely' says"
    )


@pytest.mark.parametrize(("high", "against"), [(0.45, True), (0.5, True), (0.51, False)])
def test_a_word_speaks_against_a_finding_while_its_range_stays_in_the_lower_half(high: float, against: bool) -> None:
    word = Phrase("maybe", 4, 6, 0.25, high)
    assert judged(rate(0.6, 0.8, word=word), word).against is against


def said(data: FeedbackInput) -> str:
    words = judge(data.reliabilities, {p.name: p for p in data.phrases}, 10)
    return summary(data.reliabilities, words, (), 10, ENGLISH).translate(PLAIN)


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
            "Across 40 statements in 1 pathology, no single word was shown to differ from CT; 1 word is undecided.",
        ),
        (
            {"edema": {"likely": (400, 330), "absent": (500, 5)}},
            "Across 900 statements in 1 pathology, no single word was shown to differ from CT; 2 words agree with CT.",
        ),
        (
            {"edema": {"likely": (87, 41), "may represent": (60, 14), "absent": (500, 1), "unlikely": (3, 3)}},
            "Across 650 statements in 1 pathology, 'likely' for edema was stronger than CT supported; 1 word agrees "
            "with CT and 1 is undecided.",
        ),
        (
            {
                "edema": {"likely": (87, 41), "absent": (500, 1)},
                "pneumonia": {"highly suggestive of": (50, 10), "unlikely": (50, 25)},
            },
            "Across 687 statements in 2 pathologies, 'likely' for edema and 'highly "
            "suggestive of' for pneumonia were stronger than CT supported, and CT found pneumonia more often than "
            "'unlikely' says; 1 word agrees with CT.",
        ),
        (
            {"edema": {"likely": (87, 41), "highly suggestive of": (40, 10), "unlikely": (90, 60)}},
            "Across 217 statements in 1 pathology, 'likely' for edema and 'highly suggestive of' for edema were "
            "stronger than CT supported, and CT found edema more often than 'unlikely' says.",
        ),
        (
            {t: {"likely": (60, 6), "unlikely": (60, 50)} for t in ("edema", "pneumonia")},
            "Across 240 statements in 2 pathologies, 4 of 4 words used often enough to judge differ from CT.",
        ),
    ],
)
def test_the_summary_is_one_true_sentence(make: Callable[..., FeedbackInput], uses: Uses, expected: str) -> None:
    assert said(make(uses)) == expected


@pytest.mark.parametrize(
    ("advised", "rest"),
    [
        ((), "3 words agree with CT and 1 is undecided"),
        (("absent",), "2 words agree with CT, 1 agrees though a closer one is suggested, and 1 is undecided"),
        (("absent", "present", "likely"), "3 words agree with CT though closer ones are suggested and 1 is undecided"),
        # One that is undecided is suggested away without having agreed.
        (("unlikely",), "3 words agree with CT and 1 is undecided"),
    ],
)
def test_words_that_agree_and_have_a_suggestion_are_counted_as_such(
    make: Callable[..., FeedbackInput], advised: tuple[str, ...], rest: str
) -> None:
    data = make({"edema": {"absent": (500, 1), "present": (500, 499), "likely": (400, 330), "unlikely": (12, 3)}})
    words = judge(data.reliabilities, {p.name: p for p in data.phrases}, 10)
    told = summary(data.reliabilities, words, {("edema", word) for word in advised}, 10, ENGLISH)
    assert told == f"Across 1,412 statements in 1 pathology, no single word was shown to differ from CT; {rest}."


def test_pathologies_without_statements_are_not_counted(make: Callable[..., FeedbackInput]) -> None:
    data = make({"edema": {"likely": (40, 33)}})
    empty = Reliability("", "fracture", 0, (), reason="no statements")
    words = judge(data.reliabilities, {p.name: p for p in data.phrases}, 10)
    assert "in 1 pathology" in summary((*data.reliabilities, empty), words, (), 10, ENGLISH)


def test_figures_stand_with_and_without_reading_errors(reliability_of: Callable[..., Reliability]) -> None:
    plain = rate(0.37, 0.57)
    assert with_errors(plain, ENGLISH) == ""
    carried = plain._replace(read_rate=0.45, read_low=0.3, read_high=0.61)
    assert with_errors(carried, ENGLISH).translate(PLAIN) == "With reading errors 45\N{NO-BREAK SPACE}% (30\u201361)."
    r = replace(
        reliability_of("edema", {"likely": (100, 50)}),
        word_error=0.3,
        luck_word_mean=0.1,
        luck_word_p95=0.2,
        p_value_word=0.2,
        q_value_word=0.2,
        plain_p_value_word=0.001,
        read_word_error=0.2,
        read_word_error_low=0.0,
        read_word_error_high=0.4,
    )
    told = word_error(r, ENGLISH)
    assert "(with reading errors 0.20 (0.00\u20130.40))" in told
    assert told.endswith("not shown to differ, allowing for reading errors.")
