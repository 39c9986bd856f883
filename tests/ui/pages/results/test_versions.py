"""A case whose X-ray report has several versions: what is shown, and what is said not to count."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from radcal.chain import run_chain
from radcal.opening import open_department
from radcal.reports.importing import as_files
from radcal.system.settings import Settings
from ui.pages.results.cases.panel import CasesPanel
from ui.pages.results.page import ResultsPage
from ui.shell import Shell
from ui.theme import DARK, Colours

HEADER = (
    "Accession,MRN,Exam Description,Modality,Exam Time,Report Text,Dictated By,Signing Radiologist,Status,Report Time"
)
PASSPHRASE = "correct horse battery"


def _rows(i: int) -> list[str]:
    head, signed = f"X{i},P{i},XR CHEST,CR,2024-03-01 08:00", "2024-03-01 08:40"
    draft = [f"{head},Possible edema. No effusion.,Doe,,Preliminary,2024-03-01 08:20"] if i == 0 else []
    added = [f"{head},Edema as on CT.,Doe,Avery,Addendum,2024-03-01 15:00"] if i == 1 else []
    return [
        *draft,
        f"{head},Likely edema. No effusion.,Doe,Avery,Final,{signed}",
        *added,
        f"C{i},P{i},CT CHEST,CT,2024-03-01 10:00,There is edema.,,Poe,Final,2024-03-01 12:00",
    ]


@pytest.fixture
def results(
    qtbot: QtBot, show_page: Callable[..., Any], make_shell: Callable[..., Shell], tmp_path: Path
) -> ResultsPage:
    """The findings worded "likely", with a draft of the first report and an addendum to the second."""
    path, file = tmp_path / "w.radcal", tmp_path / "reports.csv"
    file.write_text("\n".join([HEADER, *(row for i in range(12) for row in _rows(i))]), encoding="utf-8")
    settings = Settings(bootstrap=20, min_group_n=5, min_phrase_n=5)
    with open_department(path, PASSPHRASE, create=True, settings=settings) as department:
        run_chain(department, as_files([file]))
    made: ResultsPage = show_page(ResultsPage, make_shell(path))
    made.arrive(phrase="likely")
    qtbot.waitUntil(lambda: made.cases.model.rowCount() == 12)
    return made


@pytest.fixture
def page(results: ResultsPage) -> CasesPanel:
    return results.cases


def look(qtbot: QtBot, page: CasesPanel, xray_id: str) -> None:
    """Open the reports of a finding."""
    page.list.select_row(next(i for i in range(12) if page._rows[page._shown[i]].xray_id == xray_id))
    QTest.keyClick(page.table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.shows_case and page.shell.tasks.is_idle)


def test_what_was_written_after_the_ct_stands_below_and_is_said_not_to_count(qtbot: QtBot, page: CasesPanel) -> None:
    look(qtbot, page, "xray:X1")
    text = page.case.xray.text.toPlainText()
    report, _, below = text.partition("\n\n")
    assert report == "Likely edema. No effusion."
    assert below.startswith("Addendum, written after the CT: not counted \u00b7 ")
    assert below.endswith(" \u00b7 Doe / Avery\nEdema as on CT.")
    assert page.case.xray.note.text().startswith("The report counts as it stood before the CT")
    marks = page.case.xray.text.extraSelections()
    assert (marks[0].cursor.selectionStart(), marks[0].cursor.selectionEnd()) == (text.index("Addendum"), len(text))
    assert page.case.compare.isHidden()
    page.show_list()
    look(qtbot, page, "xray:X2")
    assert page.case.xray.text.toPlainText() == report
    assert page.case.xray.note.isHidden()


def test_a_trainee_sees_the_draft_against_the_signed_wording(
    qtbot: QtBot, page: CasesPanel, wear: Callable[[Colours], None]
) -> None:
    look(qtbot, page, "xray:X0")
    assert not page.case.compare.isHidden()
    QTest.keyClick(page.case.xray.text, Qt.Key.Key_D)
    view = page.case.draft
    assert page.case.views.currentWidget() is view
    assert [text.toPlainText() for text in view.texts] == ["Possible edema. No effusion.", "Likely edema. No effusion."]
    assert view.summary.text() == "What changed: edema from \u201cpossibly\u201d to \u201clikely\u201d."
    assert [h.text().split(" \u00b7 ")[0::2] for h in view.heads] == [["Draft", "Doe"], ["Signed", "Doe / Avery"]]
    wear(DARK)
    marked = view.texts[1].textCursor()
    marked.setPosition(1)
    assert marked.charFormat().fontUnderline()
    QTest.keyClick(page.case, Qt.Key.Key_D)
    assert page.case.views.currentWidget() is not view
    page.case.compare.click()
    page.show_list()
    look(qtbot, page, "xray:X5")
    assert page.case.views.currentWidget() is not view, "a report without a draft is shown itself"
