"""Where things stand on the printed pages: nothing covers a word, nothing leaves the page."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import pypdfium2
import pytest
from pypdfium2 import raw

from radcal.advice.records import Advice
from radcal.feedback.content import personal_content
from radcal.feedback.pdf import Print, feedback_pdf, said
from radcal.feedback.records import FeedbackInput
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
    content = personal_content(avery, Settings(), w=speech(language))
    texts = said(Settings(), speech(language))
    with opened(feedback_pdf(avery, Print(paper, language=language))) as pages:
        shown = [" ".join(page.get_textpage().get_text_bounded().split()) for page in pages]
    for head, last in (
        (texts["How to read this"], content["reading"][-1]["head"]),
        (texts["What these numbers cannot say"], content["limits"][-1]),
        (texts["Where the numbers come from"], content["provenance"][-1][1].replace("\N{NO-BREAK SPACE}", " ")),
    ):
        (page,) = (k for k, words in enumerate(shown) if head in words)
        assert last in shown[page].split(head)[1]
