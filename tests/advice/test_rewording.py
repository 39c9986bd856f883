"""Certainty words are put in the place of others only near their pathology."""

from __future__ import annotations

import pytest

from radcal.advice.draft_check import Edit, rewordings
from radcal.findings.records import Finding
from radcal.reports.records import Section


def finding(text: str, cue: str, term: str) -> Finding:
    at, cue_at = text.index(term), text.index(cue) if cue else -1
    spans = (at, at + len(term), cue_at, cue_at + len(cue) if cue else -1)
    return Finding("x", "edema", "likely", cue, text, Section.FINDINGS, 0, len(text), *spans)


@pytest.mark.parametrize(
    ("text", "cue", "term"),
    [
        ("Likely, as far as can be told from this single portable view at the bedside, edema.", "Likely", "edema"),
        ("Likely. Edema.", "Likely", "Edema"),
        ("Edema.", "", "Edema"),
    ],
)
def test_words_far_from_their_pathology_are_left_to_the_author(text: str, cue: str, term: str) -> None:
    assert list(rewordings(text, finding(text, cue, term), "possibly")) == []


def test_a_predicate_is_said_as_an_adjective_and_the_first_letter_keeps_its_case() -> None:
    assert list(rewordings("Edema is likely.", finding("Edema is likely.", "likely", "Edema"), "possibly")) == [
        Edit(9, 15, "possible")
    ]
    before = finding("Likely edema.", "Likely", "edema")
    assert list(rewordings("Likely edema.", before, "possibly")) == [Edit(0, 6, "Possible"), Edit(0, 6, "Possibly")]


@pytest.mark.parametrize(
    ("text", "cue", "said"),
    [
        ("Possible small edema.", "Possible", "Findings suggestive of"),
        ("Heart normal. Possible edema.", "Possible", "Findings suggestive of"),
        ("Consistent with edema.", "Consistent with", "Suggestive of"),
        ("Haze, possible edema.", "possible", "suggestive of"),
        ("Haze is possibly edema.", "is possibly", "is suggestive of"),
    ],
)
def test_a_sentence_does_not_begin_with_what_needs_a_noun(text: str, cue: str, said: str) -> None:
    assert [edit.text for edit in rewordings(text, finding(text, cue, "edema"), "suggestive of")] == [said]
