"""Both studies of a case are opened in the viewer that IT has set, and nowhere without one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from radcal.department import Department
from radcal.opening import open_department
from radcal.system import policy
from ui.pages.results.cases.panel import CasesPanel
from ui.pages.results.page import ResultsPage
from ui.shell import Shell
from ui.widgets.messages import Message

Show = Callable[..., Any]
ENTRY = "study opened in PACS"
LINK = '[locked]\nviewer_url = "https://pacs.example.org/open?a={accession}"\n'
BOTH = '[locked]\nviewer_url = "https://pacs.example.org/open?a={accession}&u={study_uid}"\n'


@pytest.fixture
def look(qtbot: QtBot, show_page: Show) -> Callable[[Shell], CasesPanel]:
    """Shows the reports of a case."""
    kept = []

    def shown(shell: Shell) -> CasesPanel:
        page: ResultsPage = show_page(ResultsPage, shell)
        kept.append(page)
        page.arrive(phrase="likely")
        qtbot.waitUntil(lambda: page.cases.model.rowCount() > 80)
        page.cases.show_case()
        qtbot.waitUntil(lambda: shell.tasks.is_idle and page.cases.case.xray.number.text() != "")
        return page.cases

    return shown


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The links that were opened."""
    made: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: made.append(bytes(url.toEncoded()).decode()) or True)
    return made


def give_uids(department: Department) -> dict[str, str]:
    """Give every report the UID of a study; by report_id."""
    department.workspace._db.execute("UPDATE reports SET study_uid = '1.2.840.' || (900000 + seq)")
    reports = department.workspace.reports(("report_id", "study_uid"))
    return dict(zip(reports["report_id"], reports["study_uid"], strict=True))


def entries(department: Department) -> list[str]:
    return [entry.what for entry in department.workspace.entries() if "study" in entry.what]


def test_without_a_policy_nothing_is_offered(
    qtbot: QtBot, look: Callable[[Shell], CasesPanel], shell: Shell, opened: list[str], set_policy: Any
) -> None:
    cases = look(shell)
    for panel, key in ((cases.case.xray, Qt.Key.Key_X), (cases.case.ct, Qt.Key.Key_T)):
        assert not panel.study.isVisible()
        QTest.keyClick(panel.text, key)
    qtbot.waitUntil(lambda: shell.tasks.is_idle)
    assert opened == []


def test_a_link_opens_the_study_of_either_report_and_is_entered_without_its_number(
    qtbot: QtBot, look: Callable[[Shell], CasesPanel], shell: Shell, department: Department, opened: list[str],
    set_policy: Callable[[str], Path],
) -> None:  # fmt: skip
    set_policy(LINK)
    cases = look(shell)
    row = cases.model.row(0)
    numbers = [name.partition(":")[2] for name in (row.xray_id, row.ct_id)]
    assert cases.case.xray.study.text() == "Open X-ray in PACS"
    cases.case.xray.study.click()
    qtbot.waitUntil(lambda: len(opened) == 1)
    QTest.keyClick(cases.case.ct.text, Qt.Key.Key_T)
    qtbot.waitUntil(lambda: len(opened) == 2)
    assert opened == [f"https://pacs.example.org/open?a={number}" for number in numbers]
    assert entries(department) == [ENTRY, ENTRY]


def test_a_link_gets_the_uid_of_either_study(
    qtbot: QtBot, look: Callable[[Shell], CasesPanel], shell: Shell, department: Department, opened: list[str],
    set_policy: Callable[[str], Path],
) -> None:  # fmt: skip
    set_policy(BOTH)
    uids = give_uids(department)
    cases = look(shell)
    row = cases.model.row(0)
    cases.case.xray.study.click()
    qtbot.waitUntil(lambda: len(opened) == 1)
    cases.case.ct.study.click()
    qtbot.waitUntil(lambda: len(opened) == 2)
    of_case = [(name.partition(":")[2], uids[name]) for name in (row.xray_id, row.ct_id)]
    assert opened == [f"https://pacs.example.org/open?a={number}&u={uid}" for number, uid in of_case]
    assert len(set(opened)) == 2


def test_a_link_of_the_uid_alone_says_where_a_report_has_none(
    qtbot: QtBot, look: Callable[[Shell], CasesPanel], shell: Shell, department: Department, opened: list[str],
    set_policy: Callable[[str], Path],
) -> None:  # fmt: skip
    set_policy(BOTH.replace("a={accession}&", ""))
    cases = look(shell)
    cases.case.xray.study.click()
    qtbot.waitUntil(lambda: Message.WORK_FAILED in shell.messages.shown())
    assert "UID of the study, which this report does not have" in shell.messages.text(Message.WORK_FAILED)
    assert (opened, entries(department)) == ([], [])


def test_a_scheme_that_nothing_opens_is_told(
    qtbot: QtBot, look: Callable[[Shell], CasesPanel], shell: Shell, set_policy: Callable[[str], Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda _url: False)
    set_policy('[locked]\nviewer_schemes = ["weasis"]\nviewer_url = "weasis:{accession}"\n')
    cases = look(shell)
    cases.case.xray.study.click()
    qtbot.waitUntil(lambda: Message.NOTHING_TO_SHOW in shell.messages.shown())
    assert "begin with weasis:" in shell.messages.text(Message.NOTHING_TO_SHOW)


@pytest.mark.skipif(sys.platform == "win32", reason="a program by its first line")
def test_a_program_is_started_and_says_when_it_does_not(
    qtbot: QtBot, look: Callable[[Shell], CasesPanel], shell: Shell, department: Department, tmp_path: Path,
    set_policy: Callable[[str], Path],
) -> None:  # fmt: skip
    program = tmp_path / "pacs"
    program.write_text(
        f"#!{sys.executable} -I\nimport sys\nopen(sys.argv[0] + '.told', 'a').write(repr(sys.argv[1:]))\n"
    )
    program.chmod(0o755)
    set_policy(f'[locked]\nviewer_command = ["{program}", "--study", "{{accession}}", "{{study_uid}}"]\n')
    uid = give_uids(department)
    cases = look(shell)
    number = cases.model.row(0).xray_id.partition(":")[2]
    cases.case.xray.study.click()
    qtbot.waitUntil(lambda: shell.tasks.is_idle and program.with_suffix(".told").exists())
    assert program.with_suffix(".told").read_text() == repr(["--study", number, uid[f"xray:{number}"]])
    assert entries(department) == [ENTRY]
    program.unlink()
    cases.case.xray.study.click()
    qtbot.waitUntil(lambda: Message.WORK_FAILED in shell.messages.shown())
    assert "pacs cannot be started" in shell.messages.text(Message.WORK_FAILED)
    assert entries(department) == [ENTRY]


def test_a_radiologist_opens_studies_from_a_personal_file(
    qtbot: QtBot, make_shell: Callable[..., Shell], show_page: Show, chest: Path, tmp_path: Path, opened: list[str],
    set_policy: Callable[[str], Path],
) -> None:  # fmt: skip
    set_policy(BOTH)
    passphrase = "correct horse battery"
    with open_department(chest, passphrase) as department:
        uids = give_uids(department)
        own = department.personal_files.write("Avery", tmp_path / "own.radcal", passphrase)
    page: ResultsPage = show_page(ResultsPage, make_shell(own))
    page.arrive(phrase="likely")
    qtbot.waitUntil(lambda: page.cases.model.rowCount() > 80)
    page.cases.show_case()
    qtbot.waitUntil(lambda: page.cases.case.ct.number.text() != "")
    assert not page.cases.case.meeting.isVisibleTo(page.cases.case)
    QTest.keyClick(page.cases.case.ct.text, Qt.Key.Key_M)  # a personal file has no meeting
    page.cases.case.ct.study.click()
    qtbot.waitUntil(lambda: len(opened) == 1)
    ct_id = page.cases.model.row(0).ct_id
    assert opened[0].endswith(f"?a={ct_id.partition(':')[2]}&u={uids[ct_id]}")
    assert QUrl(opened[0]).host() == "pacs.example.org"
    assert policy.in_use().viewer.is_set
