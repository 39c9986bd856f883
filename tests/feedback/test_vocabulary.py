"""What a radiologist reads of the department's vocabulary."""

from __future__ import annotations

from dataclasses import replace

from radcal.calibration.vocabulary_use import about_vocabulary
from radcal.feedback.content import personal_content
from radcal.feedback.pages import FeedbackPages
from radcal.feedback.pdf import feedback_pdf
from radcal.feedback.records import FeedbackInput, PageChoice
from radcal.system.language.catalogue import language
from radcal.system.settings import Settings
from radcal.words.records import VocabularyUse

USED = VocabularyUse(
    scale="Brigham",
    author="Avery",
    n=212,
    within=119,
    established=12,
    outside=81,
    avoided=51,
    outside_low=0.32,
    outside_high=0.45,
    avoided_low=0.19,
    avoided_high=0.30,
    words=(("possibly", 30), ("suggestive of", 21), ("favored", 20), ("perhaps", 10)),
)


def said(use: VocabularyUse | None, code: str = "en") -> str:
    return about_vocabulary(use, language(code)).translate({0x2018: "'", 0x2019: "'", 0x2013: "-", 0xA0: " "})


def test_shares_come_with_their_n_and_interval_and_the_most_frequent_words() -> None:
    assert said(USED) == (
        "Of your 212 hedged findings, 81 used a word outside the Brigham scale: 38 % (32-45), most often "
        "'possibly' (30), 'suggestive of' (21) and 'favored' (20). "
        "A word that the scale says to avoid stood in 51 of the 212: 24 % (19-30). "
        "12 further findings used a word that the scale keeps for an established diagnosis. "
        "Counted in all your X-ray reports with a CT, as they were written, also where CT did not decide."
    )


def test_little_and_nothing_are_said_as_such() -> None:
    few = replace(USED, words=(("possibly", 1),), outside=1, avoided=0, established=1)
    assert "outside the Brigham scale: <1 % (32-45), namely 'possibly' (1). 1 further finding used" in said(few)
    assert "to avoid" not in said(few)
    assert said(replace(few, outside=0, words=(), established=0)).startswith("Of your 212 hedged findings, none used")
    assert said(replace(USED, n=0)).startswith("None of your findings was hedged")
    assert said(None) == ""


def test_it_stands_on_the_second_page_and_only_with_all_pathologies(avery: FeedbackInput) -> None:
    data = replace(avery, vocabulary=USED)
    with_it, without = (feedback_pdf(d) for d in (data, avery))
    first, second, *_ = (page.text for page in FeedbackPages.pdf_pages(with_it))
    assert "outside the Brigham scale" not in first
    assert "outside the Brigham scale" in " ".join(second.split())
    assert "Brigham" not in " ".join(page.text for page in FeedbackPages.pdf_pages(without))
    topic = data.reliabilities[0].topic
    assert personal_content(data, Settings(), PageChoice(without=(topic,)))["vocabulary"] == ""
