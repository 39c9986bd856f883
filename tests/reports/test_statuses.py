"""The words of systems for the status of a report, alone and several together."""

from __future__ import annotations

from radcal.reports.statuses import STATUSES, is_of_report, status_of
from tests.cases import cases_of

cases = cases_of(__file__)


@cases("statuses")
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
