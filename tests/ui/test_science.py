"""Sentences of the science in German: recognised, with the same numbers, names as they stand in the reports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields
from inspect import getmembers

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication

from radcal.advise import wording
from radcal.ingest import reasons
from radcal.records import Phrase, PhraseRate
from ui import language, science
from ui.pages.import_parts.wording import REASONS, REMEDIES, reason_text
from ui.words import typographic

_NAMES = ("absent", "present", "likely", "may represent", "cannot exclude", "consistent with")
_ENGLISH = re.compile(
    r"\b(?:the|of|for|were|matched|advice|needs|word|words|readers|confirmed|showed|about|supported)\b"
)
_FEW = settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])

_names = st.sampled_from(_NAMES)
_topics = st.sampled_from(("edema", "pleural effusion", "enlarged heart"))
_references = st.just("CT")
_shares = st.floats(0, 1)


@pytest.fixture(autouse=True)
def _german(qapp: QApplication) -> Iterator[None]:
    language.choose("de")
    language.use(qapp, "de")
    yield
    language.choose("")
    language.use(qapp, "en")


@st.composite
def _rates(draw: st.DrawFn) -> PhraseRate:
    n = draw(st.integers(1, 3000))
    positives = draw(st.one_of(st.integers(0, n).map(float), st.floats(0, n)))
    low, high = sorted((draw(_shares), draw(_shares)))
    return PhraseRate(draw(_names), n, positives, positives / n, low, high, draw(_shares))


@st.composite
def _phrases(draw: st.DrawFn) -> Phrase:
    low, high = sorted((draw(_shares), draw(_shares)))
    return Phrase(draw(_names), 2.0, 2.0, low, high)


def _numbers(text: str) -> list[str]:
    """The numbers of a text in either way of writing them, in any order."""
    return sorted(re.sub(r"[.,]", "", number) for number in re.findall(r"\d[\d.,]*\d|\d", text))


def _check(text: str) -> None:
    german = science.translated(text)
    assert german != text
    unquoted = re.sub(r"'[^']*'", "", german)
    assert _ENGLISH.search(unquoted) is None, german
    assert _numbers(german) == _numbers(text)
    assert set(re.findall(r"'([^']*)'", german.lower())) == set(re.findall(r"'([^']*)'", text.lower()))
    assert "{" not in german


@_FEW
@given(
    _rates(),
    _phrases(),
    st.lists(st.tuples(_phrases(), st.floats(0.05, 1)), min_size=1, max_size=2),
    _topics,
    st.booleans(),
)
def test_recommendations(
    rate: PhraseRate, source: Phrase, targets: list[tuple[Phrase, float]], topic: str, fits: bool
) -> None:
    _check(wording.recommendation(rate, source, targets, topic, fits))


@_FEW
@given(_rates(), _topics)
def test_words_that_matched(rate: PhraseRate, topic: str) -> None:
    _check(wording.matched(rate, topic))


@_FEW
@given(_topics, st.lists(_rates(), min_size=1, max_size=9), st.lists(_names, max_size=4))
def test_summaries(topic: str, recommended: list[PhraseRate], matching: list[str]) -> None:
    _check(wording.summary(topic, recommended, matching, ""))


@_FEW
@given(st.integers(0, 20_000), st.integers(1, 500), st.integers(1, 9), _shares, _shares)
def test_reasons_of_no_advice(n: int, needed: int, words: int, before: float, after: float) -> None:
    _check(wording.too_few_uses(n, needed))
    _check(wording.too_few_findings(n, needed))
    _check(wording.rarely_used(needed))
    _check(wording.all_matched(words))
    _check(wording.no_gain(before, after))
    _check(wording.no_better_word())


def test_every_template_is_translated() -> None:
    for text in [*science._SENTENCES, *(part for parts in science._PARTS.values() for part in parts)]:
        german = QCoreApplication.translate("science", str(text))
        assert sorted(re.findall(r"\{\w+\}", german)) == sorted(re.findall(r"\{\w+\}", str(text))), text


def test_a_recommendation_reads_as_it_should() -> None:
    text = (
        "When you wrote 'likely' for edema, CT confirmed it in 41 of 1,087 (47 %, 37-57 %). "
        "Readers take 'likely' as 75-90 %. 'May represent' would have matched."
    )
    assert typographic(text) == (
        "Zu edema schrieben Sie \u201elikely\u201c; die CT best\u00e4tigte es in 41 von 1.087 (47\u00a0%, "
        "37\u201357\u00a0%). Verstanden wird \u201elikely\u201c als 75\u201390\u00a0%. "
        "\u201eMay represent\u201c h\u00e4tte gepasst."
    )


def test_decimals_are_written_as_in_german() -> None:
    assert "0,123 ohne sie, 0,200 mit ihr" in typographic(wording.no_gain(0.123, 0.2))


@pytest.mark.parametrize(
    "text", ["", "Something unheard of.", "Something unheard of. Try again.", "rate {n}", "Try again. {", "Lunge"]
)
def test_what_is_not_recognised_stays(text: str) -> None:
    assert science.translated(text) == text


def test_notes_of_an_import_keep_names_and_numbers() -> None:
    text = "Left out because they do not show the chest: XR ABDOMEN (1,007), CT HEAD (1) and 3 more."
    assert science.translated(text) == (
        "Ausgelassen, weil sie nicht den Thorax zeigen: XR ABDOMEN (1,007), CT HEAD (1) und 3 weitere."
    )


def test_nothing_changes_in_english(qapp: QApplication) -> None:
    language.use(qapp, "en")
    text = wording.all_matched(3)
    assert science.translated(text) == text


def test_every_reason_of_the_import_is_translated() -> None:
    told = [reason for _, reason in getmembers(reasons) if isinstance(reason, reasons.Reason)]
    assert len(told) > 15
    assert [field.name for field in fields(reasons.Reason)] == ["sentence", "remedy"]
    known = {*REASONS, *REMEDIES}
    for reason in told:
        for text in (reason.sentence, reason.remedy):
            assert text in known or science.translated(text) != text
            assert reason_text(text) != typographic(text) or science.translated(text) != text
