"""Statements of readers mark the words where they stand in the sentence."""

from __future__ import annotations

import pytest

from radcal.reports.records import Modality, Section, Sentence
from radcal.review.records import GoldReport
from radcal.review.statements import new_statement, sentence_of, with_phrase
from radcal.words.records import ABSENT, PRESENT

REPORT = GoldReport(
    "r",
    Modality.XRAY,
    "Clear. A small  pleural effusion cannot be excluded.",
    (
        Sentence(Section.FINDINGS, 0, 6, "Clear."),
        Sentence(Section.FINDINGS, 7, 53, "A small  pleural effusion cannot be excluded."),
    ),
    (),
)


def test_a_statement_of_a_reader_marks_the_words_where_they_stand():
    f = new_statement(REPORT, 1, "pleural effusion", "possibly", ("possible", "cannot be excluded"))
    assert REPORT.text[f.term_start : f.term_end] == "pleural effusion"
    assert REPORT.text[f.cue_start : f.cue_end] == f.verbatim == "cannot be excluded"
    assert (f.section, f.start, f.sentence) == (Section.FINDINGS, 7, REPORT.sentences[1].text)
    g = new_statement(REPORT, 0, "mass", ABSENT)
    assert (g.term_start, g.term_end, g.cue_start, g.verbatim) == (0, 6, -1, "")
    h = with_phrase(f, "likely", ("probable",))
    assert (h.phrase, h.verbatim) == ("likely", "cannot be excluded")
    for plain in (PRESENT, ABSENT):
        k = with_phrase(f, plain)
        assert (k.phrase, k.verbatim, k.cue_start, k.cue_end) == (plain, "", -1, -1)


@pytest.mark.parametrize(
    ("number", "cue", "found"),
    [(1, "", 0), (2, "cannot be excluded", 1), (1, "cannot be excluded", 1), (9, "", 1), (0, "clear", 0), (9, "?", 1)],
)
def test_a_row_is_placed_by_its_words_where_its_number_is_of_other_sentences(number, cue, found):
    assert sentence_of(REPORT, number, cue) == found
