"""The words of systems for the status of a report, alone and several together."""

from __future__ import annotations

import pytest

from radcal.reports.statuses import STATUSES, is_of_report, status_of


@pytest.mark.parametrize(
    ("cell", "status", "of_report"),
    [
        ("Final", "final", True),
        ("F", "final", False),
        ("Final Report", "final", True),
        ("Auth (Verified)", "final", True),
        ("Completed", "final", False),
        ("Final with addendum", "addendum", True),
        ("Final Report - Addended", "addendum", True),
        ("Preliminary report", "preliminary", True),
        ("In Progress", "preliminary", False),
        ("Dictated", "preliminary", True),
        ("Corrected final", "corrected", True),
        ("Cancelled", "cancelled", False),
        ("Final cancelled", "cancelled", True),
        ("vorläufiger Befund", "preliminary", True),
        ("Befund freigegeben", "final", True),
        ("Nachtrag", "addendum", True),
        ("", "", False),
        ("Not final", None, False),
        ("No report", None, False),
        ("Final F", None, False),
        ("Final final final final final", None, False),
        ("STAT", None, False),
    ],
)
def test_statuses(cell: str, status: str | None, of_report: bool) -> None:
    assert status_of(cell) == status
    assert is_of_report(cell) == of_report
    assert status in (None, "", *STATUSES)


def test_own_words_come_first_and_count_in_sentences() -> None:
    own = {"fertig": "final", "final": "preliminary"}
    assert status_of("fertig", own) == "final"
    assert status_of("Final", own) == "preliminary"
    assert status_of("Befund fertig", own) == "final"
    assert status_of("Befund fertig") is None
