"""A reader's session on a gold set: what is marked where."""

from __future__ import annotations

from radcal.findings.records import Finding
from radcal.reports.records import Modality, Section, Sentence
from radcal.review.records import Draw, GoldReport, GoldSet, Reading, Verdict
from radcal.review.session import ReviewSession
from radcal.words.records import Phrase

PHRASES = (
    Phrase("may represent", 5, 5, 0.25, 0.75, ("may", "cannot be excluded")),
    Phrase("likely", 8, 2, 0.75, 0.9, ("probable",)),
)
TEXT = "Likely edema. A mass cannot be excluded."
REPORT = GoldReport(
    "xray:1",
    Modality.XRAY,
    TEXT,
    (Sentence(Section.FINDINGS, 0, 13, TEXT[:13]), Sentence(Section.FINDINGS, 14, 40, TEXT[14:])),
    (
        Finding("xray:1", "edema", "likely", "Likely", TEXT[:13], Section.FINDINGS, 0, 13, 7, 12, 0, 6),
        Finding(
            "xray:1", "mass", "may represent", "cannot be excluded", TEXT[14:], Section.FINDINGS, 14, 40, 16, 20, 21, 39
        ),
    ),
)
GOLD = GoldSet(1, "2026-01-02T00:00:00+00:00", Draw.RANDOM, 0, "rules", "1", ("xray:1",))


def make_session(*pathologies: str, **synonyms: tuple[str, ...]) -> ReviewSession:
    return ReviewSession(Reading(GOLD, "AB", (REPORT,), (), pathologies, PHRASES, synonyms), blind=False)


def test_a_pathology_added_by_another_word_is_marked_at_that_word():
    session = make_session("edema", "infection", infection=("a mass", "mass"))
    f = session.added(1, "infection", "may represent").marks[0].finding
    assert REPORT.text[f.term_start : f.term_end] == "A mass"
    renamed = session.renamed(session.items(REPORT)[1], "infection").marks[0].finding
    assert (renamed.pathology, renamed.term_start, renamed.term_end) == ("infection", f.term_start, f.term_end)


def test_a_correction_moves_the_marks_to_the_words_of_the_new_phrase():
    session = make_session("edema", "mass")
    item = session.items(REPORT)[1]
    corrected = session.reworded(item, "likely")
    (mark,) = corrected.marks
    assert (mark.verdict, mark.finding.phrase, mark.finding.cue_start) == (Verdict.CORRECTED, "likely", 21)
    session.apply(corrected)
    back = session.reworded(session.items(REPORT)[1], "may represent").marks[0]
    assert (back.verdict, back.finding) == (Verdict.ACCEPTED, item.finding)
