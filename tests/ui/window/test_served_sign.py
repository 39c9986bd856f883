"""The sign that reports are read at a server: on every page while that is on, livelier while texts are sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from radcal.findings.readers.trial import Trial
from radcal.findings.runs import Runs
from radcal.findings.served import agreed
from radcal.opening import open_department
from radcal.system.sending import note_sending
from ui.pages.reports.reading import work
from ui.stages import HELP, REPORTS, RESULTS, SETTINGS
from ui.tasks import Advance, TaskState
from ui.widgets.server_question import ServerQuestion
from ui.window.main_window import MainWindow
from ui.window.served_sign import ServedSign
from ui.window.task_bar import TaskBar

Open = Callable[..., MainWindow]
PASSPHRASE = "correct horse battery"
HOST = "llm.hospital.example:8443"
SERVED = {"engine": "served", "served_url": f"https://{HOST}/v1", "served_model": "tiny"}


@pytest.fixture
def served(chest: Path) -> Path:
    """A workspace in which a server is to read, and the results are those of the rules."""
    with open_department(chest, PASSPHRASE) as department:
        shown = department.runs.shown()
        department.runs.choose(SERVED)
        department.runs.use(shown)
    return chest


@pytest.fixture
def sending() -> Iterator[Callable[[str], None]]:
    """Has somebody send report texts to a host, '' for not any more."""
    who = object()
    yield lambda host: note_sending(who, host)
    note_sending(who, "")


def test_it_stands_on_every_page_while_a_server_reads(qtbot: QtBot, open_window: Open, served: Path) -> None:
    window = open_window()
    sign = window.task_bar.served
    assert not sign.isVisible()
    assert window.task_bar.label.text() == "Nothing leaves this computer."
    window.entrance.open_workspace(served, PASSPHRASE)
    qtbot.waitUntil(lambda: window.session.current is not None and window.tasks.is_idle)
    for key in (REPORTS, RESULTS, SETTINGS, HELP):
        window.show_page(key)
        assert sign.isVisible()
        assert sign.accessibleName() == f"Reports are read at {HOST}"
        assert HOST in sign.toolTip()
        assert "\u25cf Reports are read at llm." in sign.text()
        assert window.task_bar.label.text() == str(served)
    qtbot.waitUntil(lambda: window.tasks.is_idle)
    sign.setFocus()
    qtbot.keyClick(sign, Qt.Key.Key_Space)
    assert window.current_key == REPORTS
    window.shell.set_served("")
    qtbot.waitUntil(lambda: not sign.isVisible() and window.tasks.is_idle)
    assert window.task_bar.label.text().endswith("nothing leaves this computer.")


def test_it_says_when_texts_are_sent(
    qtbot: QtBot, open_window: Open, chest: Path, sending: Callable[[str], None]
) -> None:
    """Whoever sends them: also a workspace that is only being opened, and goes on reading."""
    window = open_window(chest)
    sign = window.task_bar.served
    assert not sign.isVisible()
    sending(HOST)
    window.tasks.changed.emit(None)
    assert sign.isVisible()
    assert sign.is_sending
    assert sign.accessibleName() == f"Report texts are being sent to {HOST}"
    first = sign.text()[0]
    qtbot.waitUntil(lambda: sign.text()[0] != first)
    qtbot.waitUntil(lambda: sign.text()[0] == first)
    sending("")
    window.tasks.changed.emit(None)
    assert not sign.isVisible()


def test_it_is_switched_on_where_settings_lead_after_the_question(
    qtbot: QtBot, open_window: Open, chest: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[object] = []
    monkeypatch.setattr(Runs, "read", lambda *_: read.append(True))
    monkeypatch.setattr(work, "tried", lambda *_: Trial("", "tiny", 30, 36, 36, 21, 0.5, 1.0))
    window = open_window(chest)
    window.show_page(SETTINGS)
    window.page(SETTINGS).engine.click()
    assert window.current_key == REPORTS
    page = window.page(REPORTS)
    monkeypatch.setattr(page.shell, "reload", lambda _title: None)

    def ask() -> ServerQuestion:
        qtbot.waitUntil(lambda: page.engine is not None and page.engine.isVisible() and window.tasks.is_idle)
        dialog = page.engine
        dialog.choice.engines["served"].click()
        dialog.server.url.setText(SERVED["served_url"])
        dialog.server.model.setCurrentText(SERVED["served_model"])
        dialog.server.changed.emit()
        qtbot.waitUntil(lambda: dialog.read.isEnabled() and window.tasks.is_idle)
        page.reading.question = None
        dialog.read.click()
        qtbot.waitUntil(lambda: page.reading.question is not None)
        found: ServerQuestion = page.reading.question
        return found

    question = ask()
    assert HOST in question.text.text()
    question.reject()
    qtbot.waitUntil(lambda: window.tasks.is_idle)
    assert not window.task_bar.served.isVisible()
    assert window.session.current is not None
    department = window.session.current.department
    assert department.settings.engine == "rules"
    assert read == []
    page.show_engine()
    ask().send.click()
    qtbot.waitUntil(lambda: window.task_bar.served.isVisible() and window.tasks.is_idle)
    assert department.settings.engine == "served"
    assert read == [True]
    entries = [entry.what for entry in department.audit_log.entries()]
    assert f"reports are sent to a server from now on: {HOST}" in entries


def test_undoing_a_change_agrees_to_no_server_that_came_with_the_file(
    qtbot: QtBot, open_window: Open, served: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "theirs"))
    monkeypatch.setattr(agreed, "_in_this_process", set())
    window = open_window(served)
    sign, department = window.task_bar.served, window.session.current.department
    window.show_page(SETTINGS)
    page = window.page(SETTINGS)
    qtbot.waitUntil(lambda: page._draft is not None and window.tasks.is_idle)
    monkeypatch.setattr(page.shell, "reload", lambda _title: None)
    before = department.settings.window_hours
    page.set_draft("window_hours", before + 1)
    page.apply.click()
    qtbot.waitUntil(lambda: department.settings.window_hours == before + 1 and window.tasks.is_idle)
    page.undo_stack.undo()
    qtbot.waitUntil(lambda: department.settings.window_hours == before and window.tasks.is_idle)
    assert department.settings.engine == "served"
    assert sign.isVisible()
    assert not agreed.is_agreed(HOST)

    # Once it is switched off, no undoing switches it on.
    window.page(REPORTS).reading.switch_off()
    qtbot.waitUntil(lambda: not sign.isVisible() and window.tasks.is_idle)
    page.undo_stack.redo()
    page.undo_stack.undo()
    qtbot.waitUntil(lambda: window.tasks.is_idle)
    assert department.settings.engine == "rules"
    assert not sign.isVisible()
    assert not agreed.is_agreed(HOST)


def test_a_file_of_another_kind_never_shows_it(qtbot: QtBot, open_window: Open, served: Path, tmp_path: Path) -> None:
    with open_department(served, PASSPHRASE) as department:
        packet = department.personal_files.write("Avery", tmp_path / "own.radcal", "own words of hers")
    window = open_window()
    window.session.open_workspace(packet, "own words of hers", pytest.fail)
    qtbot.waitUntil(lambda: window.session.current is not None and window.tasks.is_idle)
    assert window.session.current is not None
    assert window.session.current.served == ""
    assert not window.task_bar.served.isVisible()


def test_a_long_name_is_cut_in_the_middle_and_whole_in_the_tooltip(qtbot: QtBot) -> None:
    sign = ServedSign()
    qtbot.addWidget(sign)
    host = f"llm.{'very-' * 20}long.hospital.example:8443"
    sign.show_host(host)
    assert host not in sign.text()
    assert "\u2026" in sign.text()
    assert host in sign.toolTip()
    sign.show_host("")
    assert not sign.isVisibleTo(None)


def test_there_is_room_for_it_beside_what_is_under_way(qtbot: QtBot, german: Any) -> None:
    """In the least width of the window, 880 pixels."""
    bar = TaskBar()
    qtbot.addWidget(bar)
    bar.show_served(f"llm.{'very-' * 20}long.hospital.example", sending=False)
    bar.show_task(TaskState("Bericht", "read", Advance(1, "Sehr lange Arbeit " * 9, 1, 2), stopping=False, shares=True))
    bar.resize(880, bar.height())
    bar.show()
    assert bar.minimumSizeHint().width() <= 880
    bar.show_served(f"llm.{'very-' * 20}long.hospital.example", sending=True)
    assert bar.minimumSizeHint().width() <= 880
