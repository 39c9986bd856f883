"""The audit log, and what of looking at results is entered."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from radcal.department import Department
from radcal.opening import open_department
from radcal.system.exports import Exports
from radcal.system.progress import SILENT
from radcal.workspace.database import Database
from radcal.workspace.log_records import LogEntry
from ui.pages.settings.audit_log import AuditLog, entries
from ui.pages.settings.page import SettingsPage
from ui.shell import Shell
from ui.stages import DEPARTMENT, RESULTS
from ui.widgets.messages import Message
from ui.window.main_window import MainWindow

PASSPHRASE = "correct horse battery"


def log_of(qtbot: QtBot, page: SettingsPage) -> AuditLog:
    page.arrive(section="audit")
    qtbot.waitUntil(lambda: page.audit.model.rowCount() > 0)
    return page.audit


@pytest.fixture
def page(shell: Shell, show_page: Callable[..., Any]) -> SettingsPage:
    made: SettingsPage = show_page(SettingsPage, shell)
    return made


@pytest.fixture
def log(qtbot: QtBot, page: SettingsPage) -> AuditLog:
    return log_of(qtbot, page)


def whats(department: Department) -> list[str]:
    return department._workspace.audit()["what"].tolist()


def test_entries_are_shown_newest_first_and_searched(log: AuditLog, department: Department) -> None:
    rows = log.model.rows
    assert [row.number for row in rows] == list(range(len(rows), 0, -1))
    assert [row.what for row in reversed(rows)] == whats(department)
    log.table.search.setText("reports imported")
    log.table._search()
    assert 0 < log.table.proxy.rowCount() < len(rows)


def test_the_log_is_verified_with_what_is_at_hand_and_with_files(
    qtbot: QtBot, log: AuditLog, department: Department, tmp_path: Path
) -> None:
    log.verify.click()
    qtbot.waitUntil(lambda: "The log holds" in log.outcome.text())
    assert "Nothing outside the workspace was at hand to vouch for it" in log.outcome.text()
    department.backup(tmp_path / "a copy.radcal")
    log.verify_against((tmp_path / "a copy.radcal", tmp_path / "not there.radcal"))
    qtbot.waitUntil(lambda: "One file outside of it fits it" in log.outcome.text())
    assert "not there.radcal could not be asked: There is no file" in log.outcome.text()
    assert "Nothing outside the workspace knows the entries after number" in log.outcome.text()


def test_a_changed_log_is_said_to_be(qtbot: QtBot, make_shell: Any, chest: Path, show_page: Any) -> None:
    with closing(Database(chest, PASSPHRASE)) as database:
        database.execute("DROP TRIGGER audit_is_not_changed")
        database.execute("UPDATE audit SET user = 'nobody' WHERE entry = 2")
    page = show_page(SettingsPage, make_shell(chest))
    log = log_of(qtbot, page)
    log.verify.click()
    qtbot.waitUntil(lambda: "The log was changed" in log.outcome.text())
    assert "Entry 2 does not fit what is before it" in log.outcome.text()
    assert log.outcome.property("role") == "error"


def test_an_export_has_the_hashes(log: AuditLog, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    out = tmp_path / "log.csv"
    monkeypatch.setattr(log._shell, "save_file", lambda _t, _n, _k, make: Exports().write(out, make(".csv")))
    log.export.click()
    lines = out.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "entry,at,user,radcal,what,counts,hash"
    assert len(lines) == log.model.rowCount() + 1
    assert len(lines[1].rpartition(",")[2]) == 64


def test_whose_results_were_looked_at_is_entered_once_for_each_page(
    qtbot: QtBot, open_window: Callable[..., MainWindow], chest: Path
) -> None:
    window = open_window(chest)
    assert window.session.current is not None
    department, names = window.session.current.department, window.session.current.pseudonyms
    for key in (RESULTS, DEPARTMENT, RESULTS):
        window.show_page(key)
    assert window.shell.selection is not None
    pseudonym = names[window.shell.selection.author]
    window.viewing.enter()
    expected = {f"viewed results of {pseudonym}", "viewed department of all radiologists"}
    qtbot.waitUntil(lambda: expected <= set(whats(department)))
    window.viewing.enter()
    qtbot.waitUntil(lambda: window.tasks.is_idle)
    seen = [what for what in whats(department) if what.startswith("viewed ")]
    assert len(seen) == len(set(seen))
    said = json.dumps(whats(department))
    assert not any(name in said for name in names if name not in names.values())


def test_looking_at_a_file_that_cannot_be_written_enters_nothing_and_does_not_fail(
    qtbot: QtBot, open_window: Callable[..., MainWindow], chest: Path
) -> None:
    with open_department(chest, PASSPHRASE) as other:
        window = open_window()
        window.session.open_workspace(chest, PASSPHRASE, pytest.fail, read_only=True)
        qtbot.waitUntil(lambda: window.session.current is not None)
        window.show_page(RESULTS)
        window.viewing.enter()
        qtbot.waitUntil(lambda: window.tasks.is_idle)
        assert not any(what.startswith("viewed") for what in whats(other))
        assert window.messages.text(Message.WORK_FAILED) in ("", None)


def test_what_is_copied_is_entered(qtbot: QtBot, log: AuditLog, department: Department) -> None:
    log.table.copy()
    assert QGuiApplication.clipboard().text()
    qtbot.waitUntil(lambda: "copied table of audit log to the clipboard" in whats(department))


def test_digests_of_tables_are_not_shown_as_counts() -> None:
    counts = '{"up_to_entry": 7, "digest_of_texts": 9216141840504830354}'
    made = LogEntry(8, "2026-03-01T08:00:00+00:00", "u", "0.1.0", "backup made", counts, b"")
    department: Any = SimpleNamespace(audit_log=SimpleNamespace(entries=lambda: iter([made])))
    [entry] = entries(department, SILENT)
    assert entry.counts == (("up_to_entry", 7),)
