"""What pages on drafts quote of a report: whole words around the changes."""

from __future__ import annotations

from datetime import date

from radcal.calibration.cases import ChangedPhrase, DraftAndSigned, OwnDrafts, changes
from radcal.feedback.pdf import drafts_content
from radcal.reports.records import ReportVersion, Use

_BEFORE = "The heart is normal in size and the mediastinum unremarkable. " * 4
_BETWEEN = "No effusion, no pneumothorax, no fracture of any of the ribs that are seen. " * 4


def quoted(draft: str, signed: str) -> str:
    before, after = (ReportVersion("", None, "", text, Use.COUNTED) for text in (draft, signed))
    compared = DraftAndSigned(before, after, changes(draft, signed), (ChangedPhrase("edema", "likely", "possibly"),))
    examples = drafts_content(OwnDrafts("Doe, Jane", ((date(2025, 3, 1), compared),)))["examples"]
    return "".join(text for kind, text in examples[0]["pieces"] if kind != "removed")


def test_words_around_a_change_are_whole_and_the_rest_is_left_out() -> None:
    text = _BEFORE + "{} edema. " + _BETWEEN + "{} edema again. " + _BEFORE
    one = quoted(text.format("Likely", "Likely"), text.format("Possible", "Possible"))
    pieces = one.split("\u2026")
    assert [len(p) <= 170 for p in pieces] == [True] * 4
    assert pieces[0] == ""
    assert pieces[3] == ""
    signed = text.format("Possible", "Possible").split()
    assert set(one.replace("\u2026", " ").split()) <= set(signed)
    assert "Possible edema. No effusion" in one


def test_a_little_text_between_changes_stays_whole() -> None:
    text = "{} edema. " + "No effusion. " * 14 + "{} nodule."
    assert "\u2026" not in quoted(text.format("Likely", "Likely"), text.format("Possible", "Possible"))
