"""A server as the reader: chosen, asked what it offers, confirmed, reading, stopped, switched off; and its key."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QFileDialog, QLabel, QLineEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from radcal.department import Department
from radcal.findings.readers.trial import Trial
from radcal.findings.served import agreed, trial
from radcal.findings.served import keys as server_keys
from radcal.reports.deidentify.stored import Deidentifying
from radcal.system import key_store
from radcal.system.key_store import KeyStoreUnavailable
from radcal.system.sending import sending_to
from ui.pages.reports.page import ReportsPage
from ui.pages.reports.reading import work
from ui.pages.reports.reading.choice import RULES, SERVED
from ui.pages.reports.reading.control import READ
from ui.pages.reports.reading.engine import EngineDialog
from ui.sentences import engine_called, engine_name
from ui.shell import Shell
from ui.widgets.messages import Message
from ui.widgets.server_question import ServerQuestion
from ui.window.selector_bar import _named

Page = tuple[ReportsPage, Shell, Department]
KEY = "sk-not-to-be-seen"
TRIED, FAILED = work.tried, "The model failed its trial."


@pytest.fixture(autouse=True)
def _own_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys given to this process are of this test alone."""
    monkeypatch.setattr(server_keys, "_given", {})


@pytest.fixture
def no_store(monkeypatch: pytest.MonkeyPatch) -> None:
    """No key store."""

    def refuse(*_: object) -> None:
        raise KeyStoreUnavailable("There is none.")

    for name in ("name", "remember", "remembered", "forget"):
        monkeypatch.setattr(key_store, name, refuse)


@pytest.fixture
def going() -> threading.Event:
    """Cleared, the server keeps reports waiting."""
    event = threading.Event()
    event.set()
    return event


@pytest.fixture
def server(loopback: ModuleType, serve: Callable[..., Any], going: threading.Event) -> Iterator[Any]:
    """A server that finds nothing in any report."""

    def answer(_asked: object) -> dict[str, str]:
        going.wait(60)
        return {}

    yield serve(loopback.usual(answer))
    going.set()


@pytest.fixture
def page(qtbot: QtBot, shell: Shell, show_page: Callable[..., ReportsPage], monkeypatch: pytest.MonkeyPatch) -> Page:
    """The page over the prepared department, where every served model has passed its trial."""
    monkeypatch.setattr("radcal.findings.runs.foreign_reader", lambda _extractor: None)
    monkeypatch.setattr(work, "tried", lambda *_: Trial("", "tiny", 30, 36, 36, 21, 0.5, 1.0))
    made = show_page(ReportsPage, shell)
    qtbot.waitUntil(lambda: shell.tasks.is_idle)
    assert shell.opened is not None
    return made, shell, shell.opened.department


def host_of(server: Any) -> str:
    return f"localhost:{server.port}"


def engine(qtbot: QtBot, page: Page) -> EngineDialog:
    """The dialog of what reads, opened if it is not."""
    reports, shell, _ = page
    qtbot.waitUntil(lambda: shell.tasks.is_idle)
    if reports.engine is None or reports.engine.isHidden():
        reports.show_engine()
        qtbot.waitUntil(lambda: shell.tasks.is_idle)
    assert reports.engine is not None
    return reports.engine


def choose(qtbot: QtBot, page: Page, url: str, model: str = "") -> EngineDialog:
    """Choose the server of this address, and wait until it was looked at."""
    engine(qtbot, page).choice.engines[SERVED].click()
    return fill(qtbot, page, url, model)


def fill(qtbot: QtBot, page: Page, url: str, model: str = "") -> EngineDialog:
    """Enter the server, and wait until it was looked at."""
    dialog, shell = engine(qtbot, page), page[1]
    form = dialog.server
    form.url.setText(url)
    form.model.setCurrentText(model)
    form.changed.emit()
    values = dialog.choice.values()
    qtbot.waitUntil(lambda: shell.tasks.is_idle and "Checking the server" not in form.why_not(values))
    return dialog


def ask(qtbot: QtBot, page: Page) -> ServerQuestion:
    """Press Read, and wait for the question."""
    reading = page[0].reading
    reading.question = None
    dialog = engine(qtbot, page)
    qtbot.waitUntil(dialog.read.isEnabled)
    dialog.read.click()
    qtbot.waitUntil(lambda: reading.question is not None)
    assert reading.question is not None
    return reading.question


def read_all(qtbot: QtBot, page: Page) -> None:
    """Let the server read everything."""
    shell = page[1]
    ask(qtbot, page).send.click()
    qtbot.waitUntil(lambda: Message.READING_ENDED in shell.messages.shown() and shell.tasks.is_idle)


def said(widget: QWidget) -> str:
    """All that any label or field of a widget holds, seen or not."""
    labels = [label.text() for label in widget.findChildren(QLabel)]
    fields = [field.text() for field in widget.findChildren(QLineEdit)]
    return "\n".join([*labels, *fields, *(w.toolTip() for w in widget.findChildren(QWidget))])


# --- the main story -------------------------------------------------------------------------------------


def test_a_server_is_checked_confirmed_and_reads(qtbot, page, server, texts):
    reports, shell, department = page
    served: list[str] = []
    shell.served_changed.connect(served.append)
    dialog = choose(qtbot, page, server.url)
    form, verdict = dialog.server, dialog.verdict
    assert form.where.text() == f"Reports are sent to {host_of(server)} and nowhere else."
    assert dialog.gate.isHidden()
    assert not dialog.read.isEnabled()
    assert dialog.read.toolTip() == "Name the model that reads, as the server calls it."
    assert server.asked == []  # nothing was asked before somebody wanted that

    form.check.click()
    qtbot.waitUntil(lambda: form.model.count() == 1 and shell.tasks.is_idle)
    assert "Choose one of its models" in texts(verdict)
    form.model.setCurrentIndex(0)
    form.model.activated.emit(0)
    qtbot.waitUntil(lambda: dialog.read.isEnabled() and shell.tasks.is_idle)
    form.check.click()
    qtbot.waitUntil(lambda: "and tiny reads there" in verdict.text.text() and shell.tasks.is_idle)
    assert "JSON schema" in texts(verdict)
    assert server.reports == []
    assert served == []
    assert department.settings.engine == "rules"

    question = ask(qtbot, page)
    assert host_of(server) in question.text.text()
    assert not question.send.isDefault()
    question.reject()
    assert not reports.reading.is_running
    assert department.settings.engine == "rules"
    assert server.reports == []
    choose(qtbot, page, server.url, "tiny")
    read_all(qtbot, page)
    assert served == [host_of(server)]
    assert shell.served == host_of(server)
    assert len(server.reports) > 20
    assert department.settings.engine == "served"
    assert reports.meta.text() == f"Read by tiny at {host_of(server)}"
    entries = [entry.what for entry in department.audit_log.entries()]
    assert f"reports are sent to a server from now on: {host_of(server)}" in entries
    assert sending_to() == ""

    # It is switched off with one button, and results stay those of the rules.
    shown = department.runs.shown()
    dialog = engine(qtbot, page)
    dialog.server.off.click()
    qtbot.waitUntil(lambda: shell.served == "" and shell.tasks.is_idle and dialog.choice.engines[RULES].isChecked())
    assert department.settings.engine == "rules"
    assert department.runs.current().run_id == shown
    assert dialog.server.off.isHidden()
    entries = [entry.what for entry in department.audit_log.entries()]
    assert f"reports are not sent to {host_of(server)} any more" in entries


def test_reading_there_is_paused_resumed_and_cancelled_and_goes_on_without_being_asked_again(
    qtbot, page, server, going
):
    reports, shell, department = page
    going.clear()
    choose(qtbot, page, server.url, "tiny")
    ask(qtbot, page).send.click()
    qtbot.waitUntil(lambda: bool(server.reports))
    assert sending_to() == host_of(server)
    assert shell.served == host_of(server)
    shell.tasks.pause(READ)
    qtbot.waitUntil(lambda: sending_to() == "")
    shell.tasks.resume(READ)
    qtbot.waitUntil(lambda: sending_to() == host_of(server))
    shell.tasks.cancel(READ)
    qtbot.waitUntil(lambda: shell.tasks.is_idle)
    assert sending_to() == ""
    assert department.runs.status().n_pending > 0
    assert shell.served == host_of(server)  # it is still switched on
    going.set()
    reports.reading.question = None
    assert reports.primary.text().startswith("&Read ")
    reports.primary.click()
    qtbot.waitUntil(lambda: Message.READING_ENDED in shell.messages.shown() and shell.tasks.is_idle)
    assert reports.reading.question is None
    assert department.runs.status().n_pending == 0


def test_somebody_else_is_asked_again(qtbot, page, server, tmp_path, monkeypatch):
    reports, shell, department = page
    department.runs.choose({"engine": "served", "served_url": server.url, "served_model": "tiny"})
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setattr(agreed, "_in_this_process", set())
    reports.reading.look()
    qtbot.waitUntil(lambda: shell.tasks.is_idle)
    ask(qtbot, page).reject()
    assert server.reports == []
    reports.reading.retry(None)  # another way to read is none without it
    qtbot.waitUntil(lambda: Message.WORK_FAILED in shell.messages.shown() and shell.tasks.is_idle)
    assert "you have not agreed to that" in shell.messages.text(Message.WORK_FAILED)
    assert server.reports == []
    read_all(qtbot, page)
    assert agreed.is_agreed(host_of(server))


# --- beside the rules ------------------------------------------------------------------------------------


def test_a_server_is_the_second_reader_of_the_rules(qtbot, page, server):
    reports, shell, department = page
    dialog, host = engine(qtbot, page), host_of(server)
    choice = dialog.choice
    choice.second.setCurrentIndex(choice.second.findData("served"))
    choice.second.activated.emit(choice.second.currentIndex())
    assert choice.served.isVisible()
    fill(qtbot, page, server.url, "tiny")
    values = choice.values()
    assert (values["engine"], values["second"]) == ("rules", "served")
    ask(qtbot, page).send.click()
    qtbot.waitUntil(lambda: Message.READING_ENDED in shell.messages.shown() and shell.tasks.is_idle)
    settings = department.settings
    assert (settings.engine, settings.second, settings.model) == ("rules", "served", "")
    assert shell.served == host
    assert reports.meta.text() == f"Read by the rules, checked by tiny at {host}"
    assert department.runs.status().n_unread > 0
    assert f"rules and tiny at {host}, today" in [_named(run, "today") for run in department.runs.choices()]
    dialog = engine(qtbot, page)
    dialog.server.off.click()
    qtbot.waitUntil(lambda: shell.served == "" and shell.tasks.is_idle and not dialog.choice.is_served)
    assert not department.settings.reads_at_server


def test_a_served_model_is_tried_when_it_is_chosen(qtbot, page, server, monkeypatch):
    monkeypatch.setattr(work, "tried", TRIED)
    _, shell, department = page
    host = host_of(server)
    dialog = choose(qtbot, page, server.url, "tiny")
    gate = dialog.gate
    qtbot.waitUntil(lambda: gate.begin.isVisible() and shell.tasks.is_idle)
    assert gate.answer.text().endswith("which takes up to a minute. No report is sent.")
    assert dialog.read.toolTip() == "Try the model first."
    assert server.asked == []
    gate.begin.click()
    qtbot.waitUntil(lambda: gate.head.text() == FAILED)
    assert gate.answer.text().startswith(f"tiny at {host} read 30 sentences of RadCal's own in ")
    assert dialog.read.toolTip() == "The model failed its trial."
    asked = len(server.asked)
    assert asked >= 30
    assert not agreed.is_agreed(host), "no report was sent"
    assert department.settings.engine == "rules"
    # What came of it is remembered with the server and the model.
    fill(qtbot, page, server.url, "other")
    qtbot.waitUntil(lambda: gate.begin.isVisible() and shell.tasks.is_idle)
    fill(qtbot, page, server.url, "tiny")
    qtbot.waitUntil(lambda: gate.head.text() == FAILED)
    assert len(server.asked) == asked


# --- what is wrong --------------------------------------------------------------------------------------


def test_what_is_wrong_stands_below_its_field(qtbot, page, tmp_path):
    dialog = choose(qtbot, page, "")
    form = dialog.server
    assert not any(problem.isVisibleTo(form) for problem in form.problems.values())
    assert "No server is named" in dialog.read.toolTip()
    choose(qtbot, page, "http://llm.hospital.example/v1", "tiny")
    assert "in the clear" in form.problems["served_url"].text()
    assert form.problems["served_url"].isVisibleTo(form)
    assert not dialog.read.isEnabled()
    assert form.where.isHidden()
    empty = tmp_path / "authority.pem"
    empty.write_text("nothing")
    form.browse.click()
    chooser = form.findChild(QFileDialog)
    chooser.fileSelected.emit(str(empty))
    chooser.reject()
    choose(qtbot, page, "https://llm.hospital.example/v1", "tiny")
    assert not form.problems["served_url"].isVisibleTo(form)
    assert "holds no certificate" in form.problems["served_ca"].text()


def test_a_server_that_is_not_there_is_told(qtbot, page, monkeypatch):
    shell = page[1]
    monkeypatch.setattr(trial, "UNREACHABLE_SECONDS", 0.1)
    with socket.socket() as gone:  # nobody listens there, and nobody else can
        gone.bind(("127.0.0.1", 0))
        dialog = choose(qtbot, page, f"http://localhost:{gone.getsockname()[1]}/v1", "tiny")
        dialog.server.check.click()
        verdict = dialog.verdict.text
        qtbot.waitUntil(lambda: "cannot be reached" in verdict.text() and shell.tasks.is_idle)
    assert verdict.property("role") == "error"
    assert dialog.server.check.isEnabled()
    assert not dialog.read.isEnabled()
    assert "cannot be reached" in dialog.read.toolTip()
    dialog.server.model.setCurrentText("other")
    dialog.server.changed.emit()
    qtbot.waitUntil(lambda: dialog.read.isEnabled())  # that is to be found out anew


def test_reports_that_are_stored_as_they_were_read_are_counted_in_the_question(qtbot, page, server, monkeypatch):
    choose(qtbot, page, server.url, "tiny")
    before = ask(qtbot, page)
    assert "names, numbers, addresses and dates were taken out" in before.text.text()
    before.reject()
    monkeypatch.setattr(Deidentifying, "as_read", lambda _self: 12)
    choose(qtbot, page, server.url, "tiny")
    asked = ask(qtbot, page)
    assert "12 reports are stored as they were read" in asked.text.text()
    box = asked.findChild(QDialogButtonBox)
    leave = next(button for button in box.buttons() if button is not asked.send)
    assert isinstance(leave, QPushButton)
    assert leave.isDefault()
    leave.click()
    assert server.reports == []


# --- the key --------------------------------------------------------------------------------------------


def test_a_key_is_kept_in_the_key_store_and_nowhere_else(qtbot, page, server, kept_keys):
    reports, shell, department = page
    form = choose(qtbot, page, server.url, "tiny").server
    assert form.key.echoMode() == QLineEdit.EchoMode.Password
    assert not form.keep.isEnabled()
    qtbot.keyClicks(form.key, KEY)
    assert form.keep.isEnabled()
    qtbot.keyClick(form.keep, Qt.Key.Key_Space)
    assert form.key.text() == ""
    qtbot.waitUntil(lambda: form.kept.text() == "The key is kept in Secret Service." and shell.tasks.is_idle)
    assert list(kept_keys.values()) == [KEY]
    assert not form.keep.isVisibleTo(form)
    assert not form.key.isUndoAvailable()
    assert KEY not in said(reports)
    read_all(qtbot, page)
    assert server.asked[-1].headers["authorization"] == f"Bearer {KEY}"
    assert KEY not in str(department.settings.to_dict())
    assert KEY not in "".join(entry.what for entry in department.audit_log.entries())
    form = engine(qtbot, page).server
    assert KEY not in said(reports)
    form.forget.click()
    qtbot.waitUntil(lambda: form.key.isVisibleTo(form) and form.key.isEnabled())
    assert kept_keys == {}


def test_a_key_is_for_one_server_alone(qtbot, page, kept_keys):
    shell = page[1]
    form = choose(qtbot, page, "https://one.example/v1", "tiny").server
    form.key.setText(KEY)
    form.keep.click()
    qtbot.waitUntil(lambda: "is kept" in form.kept.text())
    choose(qtbot, page, "https://other.example/v1", "tiny")
    qtbot.waitUntil(lambda: form.key.isVisibleTo(form) and form.key.isEnabled() and shell.tasks.is_idle)
    choose(qtbot, page, "https://one.example/v1", "tiny")
    qtbot.waitUntil(lambda: "is kept" in form.kept.text())
    form.url.setText("https://third.example/v1")  # which nobody has looked at yet
    form.key.setText(KEY)
    form.keep.click()
    assert "for one server alone" in form.kept.text()
    assert form.key.text() == ""
    assert len(kept_keys) == 1


@pytest.mark.usefixtures("no_store")
def test_without_a_key_store_a_key_is_used_until_the_end(qtbot, page):
    shell = page[1]
    form = choose(qtbot, page, "https://one.example/v1", "tiny").server
    qtbot.waitUntil(lambda: "has no key store" in form.kept.text() and shell.tasks.is_idle)
    form.key.setText(KEY)
    form.keep.click()
    qtbot.waitUntil(lambda: form.forget.isVisibleTo(form) and shell.tasks.is_idle)
    assert server_keys.server_key("https://one.example/v1") == KEY
    form.forget.click()
    qtbot.waitUntil(lambda: form.key.isVisibleTo(form) and form.key.isEnabled() and shell.tasks.is_idle)
    assert server_keys.server_key("https://one.example/v1") == ""
    form.key.setText("with a space")
    form.keep.click()
    qtbot.waitUntil(lambda: "That is no key" in form.kept.text())
    assert "with a space" not in said(page[0])


# --- names ----------------------------------------------------------------------------------------------


def test_a_served_model_is_named_with_its_host(german: None) -> None:
    assert engine_called("served", "1.0", "qwen at llm.example:8443") == "qwen auf llm.example:8443"
    assert engine_called("served: a at b at llm.example", "1.0") == "a at b auf llm.example"
    assert engine_name("served: qwen at llm.example") == "qwen auf llm.example"
    model = "qwen at llm.example"
    assert engine_called("rules", "1.0+rules.1.6+served.1.0", model) == "Regeln und qwen auf llm.example"
    assert engine_name(f"rules and {model}") == "Regeln und qwen auf llm.example"
    assert engine_called("rules", "1.0+rules.1.6+llama.1.0", "a.gguf") == "Regeln und a.gguf"
    assert engine_called("llama", "1.0+4", "a.gguf") == "Sprachmodell 1.0, a.gguf"
    assert engine_name("served") == "Das Modell eines Servers"
    assert engine_called("rules", "1.2+3") == "Regeln 1.2"
