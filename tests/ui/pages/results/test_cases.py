"""Findings with what was really written for them, and the reports behind each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QInputDialog, QLabel
from pytestqt.qtbot import QtBot

from radcal.opening import open_department
from radcal.system import policy
from radcal.system.selection import Days, Selection
from radcal.system.settings import Settings
from radcal.workspace.store import Workspace
from ui.pages.results.cases.models import FindingColumn
from ui.pages.results.cases.panel import CasesPanel
from ui.pages.results.cases.report_panel import ReportPanel
from ui.pages.results.page import ResultsPage
from ui.shell import Shell
from ui.theme import DARK, Colours
from ui.widgets.messages import Message
from ui.widgets.why import WhyDialog
from ui.window.main_window import MainWindow

Show = Callable[..., Any]
EDEMA = Selection("Avery", "edema")
PASSPHRASE, OWN = "correct horse battery", "own words of hers"
WRITTEN = {"Edema is possible.": (20, 18), "Edema cannot be excluded.": (20, 2), "There is edema.": (20, 17)}
"""Sentences with how often each was written, and confirmed by CT."""


def _pairs() -> list[tuple[str, str, str]]:
    return [
        ("Avery", f"INDICATION: Cough.\n\n{sentence} No pneumothorax.", "There is edema." if i < y else "No edema.")
        for sentence, (n, y) in WRITTEN.items()
        for i in range(n)
    ]


@pytest.fixture(scope="module")
def prepared_words(tmp_path_factory: pytest.TempPathFactory, prepare: Callable[..., Path]) -> Path:
    path = tmp_path_factory.mktemp("words") / "w.radcal"
    return prepare(path, Settings(bootstrap=50, min_group_n=10), pairs=_pairs())


@pytest.fixture
def own_words(tmp_path: Path, prepared_words: Path) -> Path:
    """A workspace in which "possibly" is written in two ways that CT confirms unlike."""
    path = tmp_path / "words.radcal"
    path.write_bytes(prepared_words.read_bytes())
    return path


@pytest.fixture
def results(qtbot: QtBot, show_page: Show, make_shell: Callable[..., Shell], own_words: Path) -> ResultsPage:
    """The cases worded "possibly"."""
    made: ResultsPage = show_page(ResultsPage, make_shell(own_words))
    made.arrive(phrase="possibly")
    qtbot.waitUntil(lambda: made.cases.model.rowCount() == 40)
    return made


@pytest.fixture
def page(results: ResultsPage) -> CasesPanel:
    return results.cases


def look(qtbot: QtBot, page: CasesPanel) -> None:
    """Open the reports of the current finding with the keyboard, and wait for them."""
    QTest.keyClick(page.table, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.shows_case and page.shell.tasks.is_idle)


def marked(panel: ReportPanel) -> list[str]:
    return [s.cursor.selectedText() for s in panel.text.extraSelections()]


# --- what was written ------------------------------------------------------------------------------


def test_words_that_were_not_confirmed_alike_are_said_to_and_can_be_listed(
    qtbot: QtBot, page: CasesPanel, results: ResultsPage
) -> None:
    assert page.heading.text() == "\u201cpossibly\u201d for edema: CT confirmed 20 of 40"
    assert page.about.text() == (
        "The wordings of \u201cpossibly\u201d were not confirmed equally often: "
        "\u201ccannot be excluded\u201d 2\u00a0of\u00a020 and \u201cis possible\u201d 18\u00a0of\u00a020."
    )
    offered = [page.filter.itemText(i) for i in range(page.filter.count())]
    assert offered[:3] == ["All (40)", "Confirmed (20)", "Not confirmed (20)"]
    assert offered[5:] == ["\u201cis possible\u201d (20)", "\u201ccannot be excluded\u201d (20)"]
    page.filter.setCurrentIndex(6)
    assert {r.verbatim.lower() for r in page.model.rows} == {"cannot be excluded"}
    page.filter.setCurrentIndex(page.filter.findData("confirmed"))
    assert page.model.rowCount() == 20
    qtbot.keyClicks(page.list.search, "possible")
    qtbot.waitUntil(lambda: page.list.proxy.rowCount() == 18)
    page.list.search.clear()
    results.arrive(phrase="present", show="not confirmed")
    qtbot.waitUntil(lambda: page.model.rowCount() == 3)
    assert page.filter.count() == 5
    assert not page.about.isVisible()


def test_the_cases_of_some_days_are_of_these_days(qtbot: QtBot, page: CasesPanel, results: ResultsPage) -> None:
    days = Days(date(2026, 1, 1), date(2026, 4, 30))
    page.shell.set_selection(replace(EDEMA, days=days))
    qtbot.waitUntil(lambda: 0 < page.model.rowCount() < 40)
    n, y = page.model.rowCount(), sum(r.confirmed for r in page.model.rows)
    assert f"CT confirmed {y} of {n}" in page.heading.text()


def test_findings_that_do_not_count_are_explained_beside_the_figures(
    qtbot: QtBot, page: CasesPanel, results: ResultsPage
) -> None:
    shell = page.shell
    assert shell.opened is not None
    department = shell.opened.department
    row = page.model.row(3)
    department.save_settings(department.settings.changed(contested="left out"))
    department.contests.add(row.xray_id, row.topic, row.author, row.phrase, "misread")
    shell.reload()
    qtbot.waitUntil(lambda: "of 39" in page.heading.text())
    assert page.model.rowCount() == 40
    assert "1 of the cases listed does not count: it was contested." in page.about.text()
    assert results.meta.text().startswith("59 findings, 1 more contested and left out")
    qtbot.waitUntil(lambda: shell.tasks.is_idle)


# --- the reports -----------------------------------------------------------------------------------


def test_a_finding_opens_both_whole_reports_with_what_was_read_marked(
    qtbot: QtBot, page: CasesPanel, wear: Callable[[Colours], None]
) -> None:
    row = page.model.row(0)
    look(qtbot, page)
    assert page.case.xray.text.toPlainText() == f"INDICATION: Cough.\n\n{row.xray_sentence} No pneumothorax."
    assert page.case.ct.text.toPlainText() == row.ct_sentence
    assert set(marked(page.case.xray)) == {"Edema", row.verbatim, "pneumothorax", "No"}
    xray = page.case.xray.current
    assert xray is not None
    assert (xray.asked, xray.finding.pathology, xray.finding.phrase) == (True, "edema", "possibly")
    ct = page.case.ct.current
    assert ct is not None
    assert (ct.finding.pathology, ct.finding.phrase) == ("edema", "present" if row.confirmed else "absent")
    rows = page.case.xray.model.rows
    assert [(r.finding.pathology, r.finding.phrase, r.asked) for r in rows] == [
        ("edema", "possibly", True),
        ("pneumothorax", "absent", False),
    ]
    accession = row.xray_id.partition(":")[2]
    assert page.case.xray.head.text().startswith("X-ray \u00b7 ")
    assert f"{row.time.day}/26" in page.case.xray.head.text()
    assert "2 h later" in page.case.ct.head.text()
    assert page.case.xray.number.text() == f"Accession number {accession}"
    page.case.xray.copy.click()
    assert QApplication.clipboard().text() == accession
    assert page.case.xray.copy.text() == "Copied"
    assert page.case.summary.text().startswith(
        f"Written \u201c{row.verbatim}\u201d, read as \u201cpossibly\u201d for edema."
    )
    wear(DARK)


def test_cases_are_gone_through_in_the_order_of_the_list_by_key_and_button(qtbot: QtBot, page: CasesPanel) -> None:
    page.filter.setCurrentIndex(page.filter.findData("not confirmed"))
    page.table.sortByColumn(0, Qt.SortOrder.AscendingOrder)
    shown = [page.model.row(i).xray_id for i in page.list.shown_rows()]
    page.list.select_row(page.list.shown_rows()[0])
    page.open_case.click()
    qtbot.waitUntil(lambda: page.shell.tasks.is_idle)
    assert page.case.isVisible()
    assert not page.list.isVisible()
    assert page.case.place.text() == "1 of 20"
    assert not page.case.previous.isEnabled()

    def seen() -> str:
        qtbot.waitUntil(lambda: page.shell.tasks.is_idle)
        return "xray:" + page.case.xray.number.text().rpartition(" ")[2]

    assert seen() == shown[0]
    page.window().activateWindow()
    qtbot.waitUntil(page.window().isActiveWindow)
    page.case.setFocus()
    for step, key in enumerate((Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Left)):
        QTest.keyClick(page.case.xray.text, key)
        assert seen() == shown[(1, 2, 1)[step]]
    page.case.next.click()
    assert seen() == shown[2]
    assert page.case.place.text() == "3 of 20"
    QTest.keyClick(page.case.xray.text, Qt.Key.Key_Escape)
    assert not page.shows_case
    assert page.model.row(page.list.current_row()).xray_id == shown[2]


def answer(qtbot: QtBot, page: CasesPanel, key: Qt.Key, note: str) -> None:
    """Press a key at the reports and give a reason."""
    page.window().activateWindow()
    qtbot.waitUntil(page.window().isActiveWindow)
    QTest.keyClick(page.case.xray.text, key)
    dialog = next(d for d in page.window().findChildren(QInputDialog) if d.isVisible())
    dialog.setTextValue(note)
    dialog.accept()


def test_a_case_is_agreed_with_disagreed_with_or_not_comparable(
    qtbot: QtBot, page: CasesPanel, results: ResultsPage
) -> None:
    assert page.shell.opened is not None
    contests = page.shell.opened.department.contests
    look(qtbot, page)
    first = page.model.row(0)
    answer(qtbot, page, Qt.Key.Key_C, "says the opposite")
    qtbot.waitUntil(lambda: page.case.contest.text() == "contested, counted: says the opposite")
    assert [(c.xray_id, c.note) for c in contests.all()] == [(first.xray_id, "says the opposite")]
    answer(qtbot, page, Qt.Key.Key_N, "another day")
    qtbot.waitUntil(lambda: page.case.contest.text() == "not comparable, counted: another day")
    assert [c.note for c in contests.all()] == ["Not comparable: another day"]
    results.undo_stack.undo()
    qtbot.waitUntil(lambda: page.case.contest.text() == "contested, counted: says the opposite")
    page.window().activateWindow()
    qtbot.waitUntil(page.window().isActiveWindow)
    QTest.keyClick(page.case.xray.text, Qt.Key.Key_A)
    qtbot.waitUntil(lambda: contests.all() == () and page.shell.tasks.is_idle)
    assert page.case.place.text() == "2 of 40", "the next one follows"
    assert page.model.row(0).contest is None
    page.case.left.emit()
    assert not page.table.isColumnHidden(FindingColumn.CONTEST)
    results.undo_stack.undo()
    qtbot.waitUntil(lambda: page.model.row(0).contest == "says the opposite")
    results.arrive(contested=True)
    qtbot.waitUntil(lambda: page.heading.text() == "Contested cases" and page.model.rowCount() == 1)
    assert not page.table.isColumnHidden(FindingColumn.AUTHOR)
    assert page.model.index(0, FindingColumn.CONTEST).data() == "contested, counted"


@pytest.mark.parametrize("changed", [{"read_only": True}, {"personal": "Avery", "read_only": True}])
def test_who_may_not_contest_is_told_why(
    qtbot: QtBot, results: ResultsPage, page: CasesPanel, changed: dict[str, Any]
) -> None:
    page.shell.session.current = replace(page.shell.opened, **changed)
    look(qtbot, page)
    for button in (page.case.agree, page.case.disagree, page.case.apart):
        assert not button.isEnabled()
        assert button.toolTip()
    QTest.keyClick(page.table, Qt.Key.Key_C)
    assert not any(d.isVisible() for d in page.window().findChildren(QInputDialog))


def test_another_finding_of_the_report_is_outlined_where_it_is_clicked(qtbot: QtBot, page: CasesPanel) -> None:
    look(qtbot, page)
    panel = page.case.xray
    panel.text.pressed.emit(panel.text.toPlainText().index("pneumothorax") + 2)
    assert panel.current is not None
    assert panel.current.finding.pathology == "pneumothorax"
    panel.text.pressed.emit(0)  # the indication says nothing
    assert panel.current.finding.pathology == "pneumothorax"


def test_another_list_or_department_leaves_the_case(qtbot: QtBot, page: CasesPanel, results: ResultsPage) -> None:
    look(qtbot, page)
    results.arrive(phrase="present")
    assert not page.shows_case
    qtbot.waitUntil(lambda: page.model.rowCount() == 20)
    look(qtbot, page)
    page.shell.opened_changed.emit(None)
    assert not page.shows_case
    assert not page.open_case.isEnabled()


def test_a_report_that_is_gone_is_said_to_be_and_its_sentence_shown(qtbot: QtBot, page: CasesPanel) -> None:
    shell = page.shell
    assert shell.opened is not None
    row = page.model.row(0)
    shell.opened.department._workspace.remove_reports([row.xray_id, row.ct_id])
    look(qtbot, page)
    assert "not in the workspace any more" in page.case.xray.note.text()
    assert page.case.xray.text.toPlainText() == row.xray_sentence
    assert page.case.ct.text.toPlainText() == row.ct_sentence


def test_a_list_of_findings_with_names_stays_where_it_refuses_them(
    page: CasesPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert page.list.why_kept == ""
    rules = policy.Policy(Path("/etc/radcal/policy.toml"), locked={"exports_with_names": "refused"})
    monkeypatch.setattr(policy, "in_use", lambda: rules)
    assert page.list.why_kept.startswith("Your IT department allows no files and lists with the names of radiologists")


def test_a_personal_file_shows_the_sentences_and_says_why(
    qtbot: QtBot, open_window: Callable[..., MainWindow], own_words: Path, tmp_path: Path
) -> None:
    with open_department(own_words, PASSPHRASE) as department:
        packet = department.personal_files.write("Avery", tmp_path / "own.radcal", OWN)
    window = open_window()
    window.session.open_workspace(packet, OWN, lambda failure: pytest.fail(failure.text))
    qtbot.waitUntil(lambda: window.session.current is not None)
    window.show_page("results", {"phrase": "possibly"})
    results = window.page("results")
    page = results.cases
    qtbot.waitUntil(lambda: page.model.rowCount() == 40)
    assert not page.model.named, "only the owner could be named"
    look(qtbot, page)
    row = page.model.row(0)
    assert page.case.xray.text.toPlainText() == row.xray_sentence
    assert row.verbatim in marked(page.case.xray)
    assert "A personal file holds no whole reports" in page.case.xray.note.text()
    assert page.case.xray.number.text().endswith(row.xray_id.partition(":")[2])
    QTest.keyClick(page.case.xray.text, Qt.Key.Key_Escape)
    assert not page.shows_case  # the window has not taken the key
    assert window.pages.currentWidget() is results
    assert window.messages.shown() == ()


# --- contests of a personal file -------------------------------------------------------------------


def open_cases(qtbot: QtBot, window: MainWindow, path: Path, passphrase: str) -> CasesPanel:
    window.session.open_workspace(path, passphrase, lambda failure: pytest.fail(failure.text))
    qtbot.waitUntil(lambda: window.session.current is not None and window.session.current.path == path.resolve())
    window.show_page("results", {"phrase": "possibly"})
    page: CasesPanel = window.page("results").cases
    qtbot.waitUntil(lambda: page.model.rowCount() == 40 and page.shell.tasks.is_idle)
    return page


def test_what_a_radiologist_contests_comes_back_to_the_department(
    qtbot: QtBot, open_window: Callable[..., MainWindow], own_words: Path, tmp_path: Path
) -> None:
    with open_department(own_words, PASSPHRASE) as department:
        packet = department.personal_files.write("Avery", tmp_path / "personal-avery.radcal", OWN)
    before = packet.read_bytes()
    window = open_window()
    page = open_cases(qtbot, window, packet, OWN)
    assert not page.save.isVisible()
    assert not window.page("results").take.isVisible()
    for row, note in ((0, "Not said."), (1, "Neither.")):
        page.list.select_row(row)
        page.ask_contest()
        dialog = page.findChild(QInputDialog)
        assert "goes to your department" in dialog.labelText()
        dialog.setTextValue(note)
        dialog.accept()
        qtbot.waitUntil(lambda row=row: page.model.row(row).contest is not None and page.shell.tasks.is_idle)  # type: ignore[misc]
    assert "personal-avery.radcal-contests" in page.note.text()
    assert page.save.isVisible()
    window.page("results").undo_stack.undo()  # the second contest
    qtbot.waitUntil(lambda: page.model.row(1).contest is None and page.shell.tasks.is_idle)
    out = tmp_path / "contests-avery.radcal-contests"
    page.save_contests(str(out))
    qtbot.waitUntil(lambda: window.messages.text(Message.TAKEN_IN) != "")
    assert out.name in window.messages.text(Message.TAKEN_IN)
    assert packet.read_bytes() == before
    finding = page.model.row(0)

    page = open_cases(qtbot, window, own_words, PASSPHRASE)
    assert window.page("results").take.isVisible()
    assert not page.save.isVisible()
    window.take_files([out])  # dropped on it
    qtbot.waitUntil(lambda: page.model.rowCount() == 1 and page.shell.tasks.is_idle)
    assert "1 new, 0 withdrawn, 0 known before" in window.messages.text(Message.TAKEN_IN)
    assert Message.NOT_TAKEN_IN not in window.messages.shown()
    page.take_files([str(out), str(tmp_path / "missing.radcal-contests")])
    qtbot.waitUntil(lambda: Message.NOT_TAKEN_IN in window.messages.shown() and page.shell.tasks.is_idle)
    assert "0 new, 0 withdrawn, 2 known before" in window.messages.text(Message.TAKEN_IN)
    assert "missing.radcal-contests" in window.messages.text(Message.NOT_TAKEN_IN)
    taken = page.model.row(0)
    assert (taken.xray_id, taken.topic, taken.contest) == (finding.xray_id, finding.topic, "Not said.")


def test_a_personal_file_without_a_key_says_why_nothing_can_be_contested(
    qtbot: QtBot, open_window: Callable[..., MainWindow], own_words: Path, tmp_path: Path
) -> None:
    with open_department(own_words, PASSPHRASE) as department:
        packet = department.personal_files.write("Avery", tmp_path / "own.radcal", OWN)
    with Workspace.open(packet, OWN) as file:
        file._db.execute("DELETE FROM meta WHERE key IN ('number of the hand-out', 'key of its contests')")
    page = open_cases(qtbot, open_window(), packet, OWN)
    look(qtbot, page)
    assert not page.case.disagree.isEnabled()
    assert not page.save.isVisible()
    assert "has no key for contests" in page.case.disagree.toolTip()


def test_a_radiologists_file_opens_on_the_one_sentence_and_its_cases(
    qtbot: QtBot, open_window: Callable[..., MainWindow], own_words: Path, tmp_path: Path, texts: Callable[[Any], str]
) -> None:
    with open_department(own_words, PASSPHRASE) as department:
        packet = department.personal_files.write("Avery", tmp_path / "own.radcal", OWN)
    window = open_window()
    window.session.open_workspace(packet, OWN, lambda failure: pytest.fail(failure.text))
    qtbot.waitUntil(lambda: window.session.current is not None and window.current_key == "results")
    page: ResultsPage = window.page("results")
    qtbot.waitUntil(lambda: page.cases.found is not None and page.shell.tasks.is_idle)
    assert page.title.text() == "Your one sentence"
    assert page.sentence.text()
    assert page.cases.table.isVisible()
    assert not page.tabs.tabBar().isVisible()
    assert not page.card.isVisible()
    assert not window.selectors.author.isVisible(), "there is but one name"
    assert not any(word in texts(window) for word in ("Brier", "ECE"))
    page.all.click()
    assert page.title.text() == "Edema"
    assert page.tabs.tabBar().isVisible()
    qtbot.waitUntil(page.card.isVisible)
    assert not page.all.isVisible()
    assert [page.tabs.isTabVisible(tab) for tab in range(4)] == [True, True, False, True]


def test_a_finding_of_a_case_is_explained(qtbot: QtBot, page: CasesPanel) -> None:
    look(qtbot, page)
    panel = page.case.xray
    panel.why.click()
    dialog = page.window().findChild(WhyDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: dialog.part.record is not None)
    said = [text.text() for text in dialog.findChildren(QLabel)]
    assert panel.current is not None
    assert f"\u201c{panel.current.finding.sentence}\u201d" in said
    assert "Edema: read as \u201cpossibly\u201d." in said
    dialog.close()


def test_rows_in_sight_are_as_high_as_what_they_show(page: CasesPanel, qtbot: QtBot) -> None:
    def fits() -> bool:
        table = page.table
        seen = range(table.rowAt(0), table.rowAt(table.viewport().height() - 1) + 1 or page.model.rowCount())
        return len(seen) > 1 and all(table.rowHeight(row) == table.sizeHintForRow(row) for row in seen)

    qtbot.waitUntil(fits)
    few = page.found
    long = [replace(row, ct_sentence=f"{row.ct_sentence} " * (4 + k % 9)) for k, row in enumerate(few.rows * 5)]
    page.show_findings(replace(few, rows=tuple(long)))
    qtbot.waitUntil(fits)
    for change in (
        page.table.scrollToBottom,
        lambda: page.table.sortByColumn(FindingColumn.CT, Qt.SortOrder.DescendingOrder),
        lambda: page.list.show_column(FindingColumn.TOPIC, True),
        lambda: page.show_findings(few),
    ):
        change()
        qtbot.waitUntil(fits)
    date = page.model.index(0, FindingColumn.DATE).data()
    room = page.table.columnWidth(FindingColumn.DATE) - 16
    assert page.table.fontMetrics().horizontalAdvance(date) <= room
