"""A draft against the signed text."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from radcal.calibration.cases import ChangedPhrase, changed_phrases, changes
from radcal.findings.records import Finding
from radcal.reports.records import Section

TEXT = st.lists(st.sampled_from(["edema", "likely", " ", "\n", "no ", ".", "ö"]), max_size=12).map("".join)


@given(TEXT, TEXT)
def test_both_texts_can_be_made_of_the_pieces_again(draft: str, signed: str) -> None:
    found = changes(draft, signed)
    for text, other in ((draft, "added"), (signed, "removed")):
        again = "".join(change.text for change in found if change.kind != other)
        assert " ".join(again.split()) == " ".join(text.split())
    assert "".join(change.text for change in found if change.kind != "removed") == signed


def test_other_line_breaks_are_no_changes() -> None:
    assert {change.kind for change in changes("No edema.\nClear.", "No  edema. Clear.")} == {""}


def finding(pathology: str, phrase: str) -> Finding:
    return Finding("x", pathology, phrase, phrase, "", Section.FINDINGS, 0, 0, 0, 0, 0, 0, "rules")


def test_each_pathology_has_the_phrases_of_both_texts() -> None:
    draft = [finding("edema", "possible"), finding("mass", "present")]
    signed = [finding("effusion", "absent"), finding("edema", "likely")]
    found = changed_phrases(draft, signed)
    assert found == (
        ChangedPhrase("effusion", "", "absent"),
        ChangedPhrase("edema", "possible", "likely"),
        ChangedPhrase("mass", "present", ""),
    )
    assert all(row.changed for row in found)
    assert not ChangedPhrase("edema", "likely", "likely").changed
