"""The audit log page, and what of looking at results is entered."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from datetime import date, datetime, timedelta
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
from ui.pages.audit_log.page import AuditLogPage, Entry, entries, shown
from ui.shell import Shell
from ui.stages import ADVICE, COMPARE, RELIABILITY
from ui.widgets.messages import Message
from ui.window.main_window import MainWindow

PASSPHRASE = "correct horse battery"


@pytest.fixture
def page(qtbot: QtBot, shell: Shell, show_page: Callable[..., Any]) -> AuditLogPage:
    made: AuditLogPage = show_page(AuditLogPage, shell)
    made.arrive()
    qtbot.waitUntil(lambda: made.model.rowCount() > 0)
    return made


def whats(department: Department) -> list[str]:
    return department._workspace.audit()["what"].tolist()


def test_entries_are_shown_newest_first_and_chosen_by_kind_and_day(page: AuditLogPage, department: Department) -> None:
    rows = page.model.rows
    assert [row.number for row in rows] == list(range(len(rows), 0, -1))
    assert [row.what for row in reversed(rows)] == whats(department)
    page.kind.setCurrentIndex(page.kind.findData("looked"))
    assert {row.what for row in page.model.rows} == {"workspace opened", "workspace closed"}
    page.kind.setCurrentIndex(page.kind.findData("changed"))
    assert "reports imported" in {row.what for row in page.model.rows}
    page.kind.setCurrentIndex(0)
    page.table.search.setText("reports imported")
    page.table._search()
    assert 0 < page.table.proxy.rowCount() < len(rows)


def test_only_the_last_days_are_shown() -> None:
    noon = datetime(2026, 11, 26, 12).astimezone()  # of this place, whose days count
    made = [Entry(n, noon - timedelta(days=9 - n), "u", "1", "w", (), "out") for n in range(10)]
    assert [e.number for e in shown(made, "", 7, date(2026, 11, 26))] == [9, 8, 7, 6, 5, 4, 3]
    assert [e.number for e in shown(made, "", 1, date(2026, 11, 26))] == [9]
    assert shown(made, "kept", None, date(2026, 11, 26)) == ()


def test_the_log_is_verified_with_what_is_at_hand_and_with_files(
    qtbot: QtBot, page: AuditLogPage, department: Department, tmp_path: Path
) -> None:
    page.verify.click()
    qtbot.waitUntil(lambda: "The log holds" in page.outcome.text())
    assert "Nothing outside the workspace was at hand to vouch for it" in page.outcome.text()
    department.backup(tmp_path / "a copy.radcal")
    page.verify_against((tmp_path / "a copy.radcal", tmp_path / "not there.radcal"))
    qtbot.waitUntil(lambda: "One file outside of it fits it" in page.outcome.text())
    assert "not there.radcal could not be asked: There is no file" in page.outcome.text()
    assert "Nothing outside the workspace knows the entries after number" in page.outcome.text()


def test_a_changed_log_is_said_to_be(qtbot: QtBot, make_shell: Any, chest: Path, show_page: Any) -> None:
    with closing(Database(chest, PASSPHRASE)) as database:
        database.execute("DROP TRIGGER audit_is_not_changed")
        database.execute("UPDATE audit SET user = 'nobody' WHERE entry = 2")
    page = show_page(AuditLogPage, make_shell(chest))
    page.verify.click()
    qtbot.waitUntil(lambda: "The log was changed" in page.outcome.text())
    assert "Entry 2 does not fit what is before it" in page.outcome.text()
    assert page.outcome.property("role") == "error"


def test_an_export_has_the_hashes(page: AuditLogPage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    out = tmp_path / "log.csv"
    monkeypatch.setattr(page.shell, "save_file", lambda _t, _n, _k, make: Exports().write(out, make(".csv")))
    page.export.click()
    lines = out.read_text(encoding="utf-8").splitlines()
    assert lines[0] == "entry,at,user,radcal,what,counts,hash"
    assert len(lines) == page.model.rowCount() + 1
    assert len(lines[1].rpartition(",")[2]) == 64


def test_whose_results_were_looked_at_is_entered_once_for_each_page(
    qtbot: QtBot, open_window: Callable[..., MainWindow], chest: Path
) -> None:
    window = open_window(chest)
    assert window.session.current is not None
    department, names = window.session.current.department, window.session.current.pseudonyms
    for key in (RELIABILITY, ADVICE, RELIABILITY, COMPARE):
        window.show_page(key)
    assert window.shell.selection is not None
    pseudonym = names[window.shell.selection.author]
    window.viewing.enter()
    expected = {
        f"viewed reliability of {pseudonym}",
        f"viewed advice of {pseudonym}",
        "viewed compare of all radiologists",
    }
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
        window.show_page(ADVICE)
        window.viewing.enter()
        qtbot.waitUntil(lambda: window.tasks.is_idle)
        assert not any(what.startswith("viewed") for what in whats(other))
        assert window.messages.text(Message.WORK_FAILED) in ("", None)


def test_what_is_copied_is_entered(qtbot: QtBot, page: AuditLogPage, department: Department) -> None:
    page.table.copy()
    assert QGuiApplication.clipboard().text()
    qtbot.waitUntil(lambda: "copied table of audit log to the clipboard" in whats(department))


def test_digests_of_tables_are_not_shown_as_counts() -> None:
    counts = '{"up_to_entry": 7, "digest_of_texts": 9216141840504830354}'
    made = LogEntry(8, "2026-03-01T08:00:00+00:00", "u", "0.1.0", "backup made", counts, b"")
    department: Any = SimpleNamespace(audit_log=SimpleNamespace(entries=lambda: iter([made])))
    [entry] = entries(department, SILENT)
    assert entry.counts == (("up_to_entry", 7),)
