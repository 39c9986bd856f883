"""Where things stand on the printed pages: nothing covers a word, nothing leaves the page."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import date
from typing import Any

import pypdfium2
import pytest
from pypdfium2 import raw

from radcal.advice.records import Advice
from radcal.calibration.goal_changes import GoalChange, Use
from radcal.calibration.records import Wording
from radcal.feedback.content import personal_content
from radcal.feedback.goals import said_of
from radcal.feedback.pdf import Print, feedback_pdf, said
from radcal.feedback.records import Example, FeedbackInput, Goal, NewCase, NewCases
from radcal.system.estimates import Estimate
from radcal.system.language.catalogue import language as speech
from radcal.system.settings import Settings
from radcal.words.records import Phrase

Make = Callable[..., FeedbackInput]
Rect = tuple[float, float, float, float]
"""Left, bottom, right and top in points."""
RANGE_GREY = 205
LONG = "differential diagnosis includes, with some considerable reservation,"


@contextmanager
def opened(pdf: bytes) -> Iterator[list[pypdfium2.PdfPage]]:
    document = pypdfium2.PdfDocument(pdf)
    pages = [document[k] for k in range(len(document))]
    try:
        yield pages
    finally:
        for page in pages:
            page.close()
        document.close()


def words_of(page: pypdfium2.PdfPage) -> list[Rect]:
    """The boxes of all characters that leave ink."""
    text = page.get_textpage()
    every = text.get_text_range()
    boxes = [text.get_charbox(k) for k in range(text.count_chars()) if k < len(every) and not every[k].isspace()]
    text.close()
    return [box for box in boxes if box[2] > box[0] and box[3] > box[1]]


def filled(page: pypdfium2.PdfPage, grey: int) -> list[Rect]:
    """The shapes filled in this grey."""
    found = []
    for shape in page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH]):
        colours = [ctypes.c_uint() for _ in range(4)]
        raw.FPDFPageObj_GetFillColor(shape.raw, *colours)
        if all(c.value == grey for c in colours[:3]):
            found.append(shape.get_bounds())
    return found


def overlap(a: Rect, b: Rect) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


@pytest.fixture
def long_words(make: Make, advice_of: Callable[..., Advice]) -> FeedbackInput:
    """A department that words its certainty and names its pathologies at length."""
    base = make()
    words = tuple(replace(p, name=LONG) if p.name == "likely" else p for p in base.phrases)
    rates = tuple(p._replace(phrase=LONG) if p.phrase == "likely" else p for p in base.reliabilities[0].phrases)
    r = replace(base.reliabilities[0], topic="lymphangitic carcinomatosis of the left hemithorax", phrases=rates)
    advice = base.advices[0]
    shown = tuple(replace(c, source=LONG, target="highly suggestive of") for c in advice.recommendations)
    return replace(
        base, phrases=words, reliabilities=(r,), advices=(replace(advice, topic=r.topic, recommendations=shown),)
    )


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_range_of_a_long_word_covers_no_words(long_words: FeedbackInput, language: str) -> None:
    assert isinstance(long_words.phrases[6], Phrase)
    with opened(feedback_pdf(long_words, Print(language=language))) as pages:
        bars = [bar for bar in filled(pages[0], RANGE_GREY) if bar[2] - bar[0] > 3]
        assert bars
        assert not [bar for bar in bars for word in words_of(pages[0]) if overlap(bar, word)]


@pytest.mark.parametrize("paper", ["a4", "us-letter"])
def test_every_word_stays_within_the_margins(long_words: FeedbackInput, paper: Any) -> None:
    margin = 17.5 / 25.4 * 72
    with opened(feedback_pdf(long_words, Print(paper))) as pages:
        for page in pages:
            width, height = page.get_size()
            for left, bottom, right, top in words_of(page):
                assert margin < left
                assert right < width - margin + 2  # a trailing zero of an axis may stand half outside
                assert bottom > 20
                assert top < height - 40


@pytest.mark.parametrize("paper", ["a4", "us-letter"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_parts_of_the_last_page_are_never_divided(avery: FeedbackInput, paper: Any, language: str) -> None:
    ending = personal_content(avery, Settings(), w=speech(language), full=True)["ending"]
    texts = said(Settings(), speech(language))
    with opened(feedback_pdf(avery, Print(paper, language=language, pages="full"))) as pages:
        shown = [" ".join(page.get_textpage().get_text_bounded().split()) for page in pages]
    for head, last in (
        (texts["How to read this"], ending["reading"][-1]["head"]),
        (texts["What these numbers cannot say"], ending["limits"][-1]),
        (texts["Where the numbers come from"], ending["provenance"][-1][1].replace("\N{NO-BREAK SPACE}", " ")),
    ):
        page = max(k for k, words in enumerate(shown) if head in words)
        assert last in shown[page].split(head)[1]


@pytest.mark.parametrize("paper", ["a4", "us-letter"])
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_longest_pages_are_two_sheets(
    make: Make, advice_of: Callable[..., Advice], paper: Any, language: str
) -> None:
    """22 pathologies, 14 words, three suggestions with wordings, and sentences as long as reports have them."""
    few: dict[str, tuple[float, float]] = {p.name: (12.0, 4.0) for p in make().phrases}
    far = few | {"likely": (87.0, 41.0), "present": (150.0, 140.4), "absent": (390.0, 8.0)}
    named = [
        *("pleural effusion", "pulmonary hypertension", "lymphadenopathy", "vascular congestion", "pneumomediastinum"),
        *("pericardial effusion", "tracheal deviation", "bronchiectasis", "pleural thickening", "hyperinflation"),
        *(f"pathology {k:02}" for k in range(12)),
    ]
    data = make({topic: far if k < 4 else few for k, topic in enumerate(named)})
    changes = [("likely", "highly suggestive of")]
    advices = tuple(advice_of(topic, changes, far) for topic in named[:4])
    long = "with increased interstitial markings and cephalisation, likely in keeping with what was seen before, " * 3
    sentence = f"The heart is enlarged {long}."
    at = sentence.find("likely")
    seen = tuple(
        Example(topic, "likely", sentence, at, at + 6, f"On CT, {long}", outcome)
        for topic in named[:3]
        for outcome in (0.0, 1.0)
    )
    wordings = tuple(
        Wording(topic, "likely", words, 20, 9, 0.45, 0.2, 0.7)
        for topic in named[:3]
        for words in ("most likely represents", "is likely due to", "favored to represent")
    )
    data = replace(data, advices=advices, examples=seen, wordings=wordings)
    with opened(feedback_pdf(data, Print(paper, "ua-1", language=language))) as pages:
        assert len(pages) == 2
        first = pages[0].get_textpage().get_text_bounded()
    assert language == "de" or "What to do next" in first
    new = tuple(NewCase(f"xray:{k}", e, "missed", 0.1) for k, e in enumerate((*seen, *seen)[:5]))
    plan = "In portable films of the intensive care unit I will write it so, " * 3
    goal = Goal("", named[0], "likely", "highly suggestive of", plan[:200], "2026-03-01T12:00:00+00:00")
    uses = (Use(87, 500), Use(12, 300)), (Use(12, 500), Use(60, 300))
    moved = GoalChange("closer", *uses, 60, 120, 0.3, Estimate(0.04, -0.08, 0.16), Estimate(-0.1, -0.2, -0.05), 90)
    told = replace(data, new=NewCases(new, date(2026, 9, 3), 80), goal=said_of(goal, moved, overstated=False))
    with opened(feedback_pdf(told, Print(paper, "ua-1", language=language))) as pages:
        assert len(pages) == 2
        first, second = (page.get_textpage().get_text_bounded() for page in pages)
    assert plan[:60] in " ".join(first.split())
    assert language == "de" or "New since" in second
    assert language == "de" or "What to do next" in first
