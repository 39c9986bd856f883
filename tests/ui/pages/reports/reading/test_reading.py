"""Reading: an engine is chosen, tried, reads, waits, stops; what failed, what was read, what changed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from radcal.department import Department
from radcal.findings.engines import EngineFit
from radcal.findings.readers.trial import Trial
from radcal.findings.runs import Runs
from radcal.system.errors import EngineError
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text
from tests.means import moved
from ui.kit.column import EXPORT
from ui.kit.dialog import Dialog
from ui.pages.reports.page import ReportsPage
from ui.pages.reports.reading.choice import MODEL, RULES, SERVED
from ui.pages.reports.reading.control import READ
from ui.pages.reports.reading.engine import EngineDialog
from ui.pages.reports.reading.readings import ReadingsDialog
from ui.pages.reports.reading.verdict import Verdict
from ui.shell import Shell
from ui.tasks import Advance, TaskState
from ui.widgets.messages import Message

Page = tuple[ReportsPage, Shell, Department]


@pytest.fixture
def show(qtbot: QtBot, shell: Shell, show_page: Callable[..., ReportsPage]) -> Callable[..., Page]:
    """Shows the page over the prepared department, once it knows the state of the engines."""

    def make(over: Shell = shell) -> Page:
        page = show_page(ReportsPage, over)
        qtbot.waitUntil(lambda: over.tasks.is_idle)
        assert over.opened is not None
        return page, over, over.opened.department

    return make


def run_of(department: Department, engine: str) -> int:
    return next(run.run_id for run in department.runs.choices() if run.engine == engine)


def engine(page: ReportsPage) -> EngineDialog:
    """The dialog of what reads, opened if it is not."""
    if page.engine is None or page.engine.isHidden():
        page.show_engine()
    assert page.engine is not None
    return page.engine


def choose_second(dialog: EngineDialog, which: str) -> None:
    """Choose a second reader."""
    second = dialog.choice.second
    second.setCurrentIndex(second.findData(which))
    second.activated.emit(second.currentIndex())


def choose_file(qtbot: QtBot, dialog: EngineDialog, path: str = "/models/tiny.gguf") -> None:
    """Choose a model file as the second reader, and wait until it can be tried."""
    choose_second(dialog, "file")
    dialog.choice.take_model(path)
    qtbot.waitUntil(lambda: dialog.gate.begin.isVisible())


def readings(page: ReportsPage, *, select: str = "") -> ReadingsDialog:
    """The dialog of readings, with one selected by its engine."""
    page.show_readings()
    assert page.readings is not None
    dialog = page.readings
    if select:
        dialog.table.select_row(next(r for r, run in enumerate(dialog.model.rows) if run.engine == select))
    return dialog


def fails(message: str) -> Callable[..., None]:
    def fail(*_: Any, **__: Any) -> None:
        raise EngineError(message)

    return fail


@pytest.fixture
def changed(show: Callable[..., Page], department: Department) -> Page:
    """The page over a department whose words have changed, so that all reports wait to be read again."""
    department.words.save(moved(department.lexicon, "presumed", "likely"))
    return show()


@pytest.fixture
def twice(show: Callable[..., Page], make_shell: Callable[..., Shell], read_twice: Path) -> Page:
    """The page over a department that two engines have read."""
    return show(make_shell(read_twice))


@pytest.fixture
def fits(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What is known of a model without looking into it; the models that were asked for."""
    asked: list[str] = []

    def fit(runs: Runs, values: Any = None, _progress: Progress = SILENT) -> EngineFit:
        settings = runs._context.settings.changed(**values)
        file = settings.model_file
        if settings.engine == "rules" and settings.second == "none":
            return EngineFit("rules")
        asked.append(file)
        if file.endswith("huge.gguf"):
            return EngineFit("llama", "huge.gguf", problem="The model needs about 40.0 GiB of main memory.")
        return EngineFit(
            *("llama", "tiny.gguf", "", "", 9 << 20, 18 << 20, 27 << 20, 54 << 20, 20 << 30),
            reasons=("This build of llama.cpp has no GPU support, so the CPU is used.", "Sentences at a time: 8."),
        )

    monkeypatch.setattr(Runs, "fit", fit)
    return asked


@pytest.fixture
def tried(fits: list[str], monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """Any model file gets ``right`` of 36 answers right; ``why``: why it cannot be tried;  ``waits``: until stopped."""
    story = SimpleNamespace(right=27, why="", waits=False)

    def try_reader(reader: Any, model: str, progress: Progress) -> Trial:
        progress.start(30, Text("Trying {model}", model=model))
        progress.advance(3)
        while story.waits:
            progress.advance(0)
            progress.raise_if_cancelled()
            time.sleep(0.005)
        if story.why:
            raise EngineError(story.why)
        return Trial(reader.settings_hash, model, 30, 36, story.right, 21, 0.5, 12.0)

    def reader(path: str, *_: object) -> SimpleNamespace:
        return SimpleNamespace(settings_hash=path, close=lambda: None)

    monkeypatch.setattr("ui.pages.reports.reading.work.pair_reader", reader)
    monkeypatch.setattr("radcal.findings.readers.trial.try_reader", try_reader)
    return story


# --- the main story -------------------------------------------------------------------------------------


def test_it_says_what_is_read_and_how_well(show):
    page, _, _ = show()
    assert page.sentence.text().startswith("424 pairs from 873 rows; 2 failed reports. 2 words may be names.")
    assert page.meta.text() == "Read by the rules alone"
    dialog = engine(page)
    assert dialog.choice.known.text().startswith("Nobody has measured")
    dialog.choice.set_known({"rules": "F1 0.97 (0.95-0.98)"})
    choose_second(dialog, "bundled")
    assert dialog.choice.known.text() == "How well it reads, from 0 to 1: F1 0.97 (0.95\u20130.98)."
    choose_second(dialog, "none")
    assert not dialog.read.isEnabled()
    assert "has read all" in dialog.read.toolTip()


def test_the_rail_learns_what_is_left_and_more_leads_on(qtbot, show, department):
    page, shell, _ = show()
    said: list[tuple[str, str]] = []
    page.state_changed.connect(lambda state, why: said.append((state, why)))
    page.reading.look()
    qtbot.waitUntil(lambda: bool(said) and said[-1] == ("2 failed", "2 failed reports"))
    department.runs.retry()
    page.reading.look()
    qtbot.waitUntil(lambda: said[-1] == ("2 unread", "2 unread reports"))
    assert page.primary.text() == "&Read 2 reports"
    department.runs.extract()
    page.reading.look()
    qtbot.waitUntil(lambda: said[-1] == ("", ""))
    assert page.primary.text() == "&Import reports\u2026"
    page.more.menu().aboutToShow.emit()
    place = next(a for a in page.more.menu().actions() if "unknown" in a.text())
    assert place.text() == "&Place 2 unknown words in Words"
    with qtbot.waitSignal(shell.go_wanted) as asked:
        place.trigger()
    assert asked.args == ["words", {"tab": "unknown"}]


@pytest.mark.usefixtures("llama", "tried")
def test_an_engine_is_chosen_and_reads_by_keyboard_alone(qtbot, show):
    page, shell, department = show()
    dialog = engine(page)
    qtbot.keyClick(dialog.choice.engines[MODEL], Qt.Key.Key_Space)
    assert dialog.choice.values()["engine"] == "llama"
    dialog.choice.take_model("tiny.gguf")
    qtbot.waitUntil(lambda: dialog.gate.begin.isVisible())
    dialog.gate.begin.click()
    assert department.settings.engine == "rules"  # nothing is stored yet
    qtbot.waitUntil(dialog.read.isEnabled)
    qtbot.keyClick(dialog.read, Qt.Key.Key_Space)
    qtbot.waitUntil(lambda: Message.READING_ENDED in shell.messages.shown() and shell.tasks.is_idle)
    assert department.settings.engine == "llama"
    assert page.meta.text() == "Read by tiny.gguf"
    assert readings(page).model.rowCount() == 2


def test_reading_is_paused_resumed_and_cancelled(qtbot, changed, hold):
    page, shell, department = changed
    run = department.runs.all()[0]
    assert page.sentence.text().endswith(
        "848 unread reports. 2 words may be names. The engine or its words have changed since they were read. Results"
        f" on show are those of Rules {run.version}."
    )
    assert page.primary.text() == "&Read 848 reports"
    states: list[str] = []
    page.state_changed.connect(lambda state, _why: states.append(state))
    tasks: list[TaskState] = []
    shell.tasks.changed.connect(tasks.append)
    qtbot.mouseClick(page.primary, Qt.MouseButton.LeftButton)
    assert page.sentence.text().startswith("Reports are being read")
    assert page.reading.why_locked().startswith("Wait until the reading")
    qtbot.waitUntil(lambda: any(t is not None and t.operation == READ and t.advance for t in tasks))
    state = next(t for t in reversed(tasks) if t is not None and t.operation == READ and t.advance)
    shell.tasks.changed.emit(replace(state, advance=Advance(1, "", 103, 206)))
    assert states[-1] == "50\u00a0% read"
    runs = department.runs
    shell.tasks.pause(READ)
    qtbot.waitUntil(lambda: runs._paused)
    shell.tasks.resume(READ)
    qtbot.waitUntil(lambda: not runs._paused)
    shell.tasks.cancel(READ)
    qtbot.waitUntil(lambda: shell.tasks.is_idle and page.primary.text().startswith("&Read "))
    assert page.primary.isEnabled()
    assert shell.messages.shown() == ()


# --- failures -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_failed_reports_are_tried_again_by_choice_and_all(qtbot, show, department):
    page, shell, _ = show()
    page.arrive(failed=True)
    listing = page.listing
    qtbot.waitUntil(lambda: shell.tasks.is_idle and listing.model.rowCount() == 2)
    assert listing.model.row(0).why == "The report took too long."
    assert listing.retry.text() == "&Try 2 again"
    first, second = (failure.report_id for failure in department.runs.failures())
    before = shell.opened
    listing.table.select_row(1)
    assert listing.retry.text() == "&Try 1 again"
    listing.retry.click()
    qtbot.waitUntil(lambda: shell.tasks.is_idle and listing.model.rowCount() == 1)
    assert {listing.model.row(0).report_id} < {first, second}
    listing.retry.click()
    qtbot.waitUntil(lambda: shell.tasks.is_idle and listing.model.rowCount() == 0)
    assert department.runs.status().n_read == 848
    assert shell.opened is not before, "results are made anew of what was read"
    assert not listing.retry.isVisible()


def test_an_engine_that_breaks_is_told_and_can_be_tried_again(qtbot, changed, monkeypatch):
    page, shell, _ = changed
    with monkeypatch.context() as patch:
        patch.setattr(Runs, "read", fails("The Llama process crashes on every report."))
        page.primary.click()
        qtbot.waitUntil(lambda: Message.WORK_FAILED in shell.messages.shown())
    assert "crashes on every report" in shell.messages.text(Message.WORK_FAILED)
    qtbot.waitUntil(lambda: shell.tasks.is_idle)
    shell.messages.press(Message.WORK_FAILED)
    qtbot.waitUntil(lambda: shell.tasks.is_idle and "all read." in page.sentence.text())


# --- choosing -------------------------------------------------------------------------------------------


def test_a_model_file_is_asked_for_and_must_fit(qtbot, show, fits):
    page, _, _ = show()
    dialog = engine(page)
    choose_second(dialog, "file")
    assert dialog.choice.model.isVisible()
    assert not dialog.read.isEnabled()
    assert "Choose a model file" in dialog.read.toolTip()
    dialog.choice.take_model("/models/huge.gguf")
    qtbot.waitUntil(lambda: "40.0 GiB" in dialog.verdict.text.text())
    assert dialog.choice.values()["second"] == "/models/huge.gguf"
    assert not dialog.read.isEnabled()
    dialog.reject()
    assert engine(page).choice.values()["second"] == "none", "nothing was stored"


def test_a_model_that_passes_its_trial_may_read(qtbot, show, tried):
    page, _, department = show()
    dialog = engine(page)
    assert dialog.gate.isHidden()
    choose_file(qtbot, dialog)
    assert dialog.read.toolTip() == "Try the model first."
    dialog.gate.begin.click()
    assert dialog.gate.stop.isVisible()
    qtbot.waitUntil(lambda: dialog.read.isEnabled())
    assert dialog.gate.answer.text() == (
        "tiny.gguf read 30 sentences of RadCal's own in 12 s and got 27 of 36 answers right. RadCal's word lists"
        " alone get 21; a model must do better."
    )
    assert dialog.gate.head.text() == "The model passed its trial."
    assert not dialog.gate.pass_by.isVisible()
    # What came of it is remembered.
    choose_second(dialog, "bundled")
    assert dialog.gate.isHidden()
    choose_second(dialog, "file")
    qtbot.waitUntil(lambda: dialog.read.isEnabled() and "27 of 36" in dialog.gate.answer.text())
    assert not dialog.gate.begin.isVisible()
    assert "language model tried" in [entry.what for entry in department.audit_log.entries()]


@pytest.mark.usefixtures("llama")
def test_a_model_that_fails_its_trial_reads_after_a_confirmation_alone(qtbot, show, tried):
    page, shell, department = show()
    tried.right = 20
    dialog = engine(page)
    choose_file(qtbot, dialog)
    dialog.gate.begin.click()
    qtbot.waitUntil(lambda: dialog.gate.head.text() == "The model failed its trial.")
    assert dialog.read.toolTip() == "The model failed its trial."
    dialog.gate.pass_by.click()
    question = dialog.gate.findChild(Dialog)
    assert "Review some of what it reads" in question.findChild(QLabel).text()
    question.reject()
    assert not dialog.read.isEnabled()
    dialog.gate.pass_by.click()
    dialog.gate.findChildren(Dialog)[-1].accept()
    assert dialog.read.isEnabled()
    dialog.read.click()
    qtbot.waitUntil(lambda: department.settings.untested == "allowed" and shell.tasks.is_idle)
    # Of another file nothing was confirmed.
    dialog = engine(page)
    choose_file(qtbot, dialog, "/models/other.gguf")
    assert not dialog.read.isEnabled()


def test_a_trial_is_cancelled_or_says_why_it_was_not_made(qtbot, show, tried):
    page, shell, _ = show()
    dialog = engine(page)
    choose_file(qtbot, dialog)
    tried.waits = True
    dialog.gate.begin.click()
    qtbot.waitUntil(lambda: dialog.gate.bar.value() == 3)
    dialog.gate.stop.click()
    qtbot.waitUntil(lambda: shell.tasks.is_idle and dialog.gate.begin.isVisible())
    tried.waits, tried.why = False, "tiny.gguf cannot answer: out of memory"
    dialog.gate.begin.click()
    qtbot.waitUntil(lambda: dialog.gate.answer.text() == tried.why)
    assert dialog.gate.begin.isVisible()
    assert not dialog.read.isEnabled()


@pytest.mark.parametrize(
    ("text", "greyed"),
    [
        ('engines = ["rules"]', {"llama", "served", "beside file", "beside served"}),
        ('engines = ["rules", "llama"]', {"served", "beside served"}),
        ('engines = ["rules", "llama"]\nmodels_folder = "/m"', {"served", "beside served"}),
        ('second = "bundled"', {"beside file", "beside served", "beside none"}),
    ],
)
def test_what_it_forbids_cannot_be_chosen_alone_or_beside_the_rules(show, set_policy, text, greyed):
    file = set_policy(f"[locked]\n{text}\n")
    page, _, _ = show()
    choice = engine(page).choice
    box = choice.second
    items = {f"beside {box.itemData(n)}": box.model().item(n) for n in range(box.count())}
    offered = choice.engines | items
    assert {name for name, shown in offered.items() if not shown.isEnabled()} == greyed
    assert all(str(file) in offered[name].toolTip() for name in greyed)


@pytest.mark.usefixtures("llama", "fits")
def test_what_the_second_reader_doubts_leads_to_review(qtbot, show):
    page, shell, department = show()
    dialog = engine(page)
    choose_second(dialog, "bundled")
    qtbot.waitUntil(dialog.read.isEnabled)
    dialog.read.click()
    qtbot.waitUntil(lambda: department.settings.second == "bundled" and shell.tasks.is_idle)
    status = department.runs.status()
    assert status.n_unread >= 14
    assert page.meta.text() == "Read by the rules, checked by tiny.gguf"
    assert [run.model for run in readings(page).model.rows] == ["tiny.gguf", ""]
    page.more.menu().aboutToShow.emit()
    decide = next(a for a in page.more.menu().actions() if "in Review" in a.text())
    assert decide.text() == f"&Decide on {status.n_unread} unread findings in Review"
    with qtbot.waitSignal(shell.go_wanted) as asked:
        decide.trigger()
    assert asked.args == ["review", {"tab": "unread"}]


def test_a_workspace_that_is_only_read_changes_nothing(show, make_shell, chest):
    page, _, _ = show(make_shell(chest, read_only=True))
    dialog = engine(page)
    for button in (page.primary, dialog.read, dialog.choice.engines[RULES], readings(page).use):
        assert not button.isEnabled()
        assert "read only" in button.toolTip()
    assert not dialog.choice.second.isEnabled()
    assert not dialog.server.isEnabled()
    assert not dialog.choice.engines[SERVED].isEnabled()


# --- runs -----------------------------------------------------------------------------------------------


def test_the_findings_of_a_run_are_saved(twice, qtbot, tmp_path):
    page, shell, _department = twice
    dialog = readings(page)
    assert dialog.hand_on.isEnabled(), "of the run on show"
    for numbers, action in enumerate(dialog.hand_on.menu().actions()):
        action.trigger()
        asked = dialog.findChildren(QFileDialog)[-1]
        asked.fileSelected.emit(str(tmp_path / "out" / f"{numbers}.csv"))
        asked.close()
        qtbot.waitUntil(lambda: Message.FILE_SAVED in shell.messages.shown())
        shell.messages.clear()
        assert (tmp_path / "out" / f"{numbers}.csv").read_bytes()


@pytest.mark.slow
def test_the_choice_of_a_reading_is_undone(qtbot, twice):
    page, shell, department = twice
    rules, llama = run_of(department, "rules"), run_of(department, "llama")
    shell.undo.setActiveStack(page.undo_stack)
    dialog = readings(page, select="rules")
    assert "on show already" in dialog.use.toolTip()
    dialog = readings(page, select="llama")
    dialog.use.click()
    qtbot.waitUntil(lambda: shell.tasks.is_idle and shell.opened.shown_run == llama)
    assert page.sentence.text().endswith("Results on show are those of Language model 9, tiny.gguf.")
    assert page.undo_stack.undoText() == "make results from another reading"
    shell.undo.undo()
    qtbot.waitUntil(lambda: shell.tasks.is_idle and shell.opened.shown_run == rules)
    # Results follow the engine of the settings again, as they did before.
    assert department.runs.used() is None
    shell.undo.redo()
    qtbot.waitUntil(lambda: shell.tasks.is_idle and shell.opened.shown_run == llama)
    # The message offers the way back without the keyboard: an edit like any other.
    shell.messages.press(Message.READING_CHOSEN)
    qtbot.waitUntil(lambda: shell.tasks.is_idle and shell.opened.shown_run == rules)
    assert page.undo_stack.count() == 2
    shell.choose_run(rules)  # on show already
    assert page.undo_stack.count() == 2
    shell.session.current = replace(shell.opened, department=object())
    page.undo_stack.undo()  # of a department that is open no more
    assert shell.tasks.is_idle
    shell.session.current = replace(shell.opened, department=department, read_only=True)
    shell.choose_run(llama)
    assert shell.tasks.is_idle
    assert department.runs.used() is None


@pytest.fixture
def asked(qtbot: QtBot, show: Callable[..., Page], llama: Any, fits: Any) -> Page:
    """The page when another engine has read everything."""
    page, shell, department = show()
    dialog = engine(page)
    dialog.choice.engines[MODEL].click()
    qtbot.waitUntil(lambda: dialog.read.isEnabled())
    dialog.read.click()
    qtbot.waitUntil(lambda: shell.tasks.is_idle and Message.READING_ENDED in shell.messages.shown())
    return page, shell, department


@pytest.mark.slow
def test_another_engines_results_are_shown_when_somebody_says_so(qtbot, asked):
    page, shell, department = asked
    assert shell.opened.engine == "rules"
    said = shell.messages.text(Message.READING_ENDED)
    version = department.runs.all()[-1].version
    assert said == (
        "Language model 9, tiny.gguf has read 848 reports. All results are still made from what"
        f" Rules {version} has read. Show those of Language model 9, tiny.gguf instead?"
    )
    assert page.sentence.text().endswith(f"Results on show are those of Rules {version}.")
    shell.messages.press(Message.READING_ENDED)
    qtbot.waitUntil(lambda: shell.tasks.is_idle and shell.opened.engine == "llama")
    assert department.runs.used() is None
    assert Message.READING_ENDED not in shell.messages.shown()
    shell.messages.press(Message.READING_CHOSEN)  # the way back
    qtbot.waitUntil(lambda: shell.tasks.is_idle and shell.opened.engine == "rules")


def test_the_present_results_are_kept_when_somebody_says_so(qtbot, asked):
    _, shell, department = asked
    shown = department.runs.used()
    shell.messages._rows[Message.READING_ENDED].buttons[1].click()
    assert shell.messages.shown() == ()
    shell.reload()
    qtbot.waitUntil(lambda: shell.tasks.is_idle)
    assert (shell.opened.engine, department.runs.used()) == ("rules", shown)


def test_the_question_goes_once_its_results_are_on_show(qtbot, asked):
    _, shell, department = asked
    shell.choose_run(run_of(department, "llama"))
    qtbot.waitUntil(lambda: shell.tasks.is_idle and shell.opened.engine == "llama")
    assert Message.READING_ENDED not in shell.messages.shown()


def test_two_runs_are_compared(qtbot, twice, show):
    alone, _, _ = show()
    assert not readings(alone)._two.isVisible()
    page, _, department = twice
    page.arrive(tab="reading")
    dialog = page.readings
    model = dialog.difference_model
    qtbot.waitUntil(lambda: model.rowCount() > 0)
    before, after = dialog.before.currentData(), dialog.after.currentData()
    made = department.runs.compare(before, after)
    assert (before, after) == (run_of(department, "rules"), run_of(department, "llama"))
    assert dialog.compared.text() == (
        f"In {made.n_reports:,} reports that both have read, {made.n_same:,} findings are the same; 0 were added,"
        f" 15 removed, and {made.n_changed:,} have another phrase."
    )
    assert model.rowCount() == 15 + made.n_changed
    rows = [[model.index(r, c).data() for c in range(6)] for r in range(model.rowCount())]
    changed = next(r for r, row in enumerate(rows) if row[3] == "possibly")
    assert rows[changed][0] == "other phrase"
    assert rows[changed][1].startswith("X-ray X0")
    assert rows[changed][2:] == ["fracture", "possibly", "present", "Possible rib fracture."]
    assert model.index(changed, 1).data(EXPORT).number.startswith("xray:")  # a file keeps the id
    assert any(row[4] == "\u2013" for row in rows)
    dialog.differences.search.setText("rib fracture")
    qtbot.waitUntil(lambda: dialog.differences.proxy.rowCount() == made.n_changed)
    qtbot.keyClick(dialog.before, Qt.Key.Key_Up)
    qtbot.waitUntil(lambda: "same reading" in dialog.compared.text())
    assert model.rowCount() == 0


# --- what is wrong --------------------------------------------------------------------------------------


def test_a_damaged_workspace_is_told_on_the_page(qtbot, shell, show, monkeypatch):
    monkeypatch.setattr(Runs, "status", fails("The workspace is damaged."))
    page, _, _ = show()
    assert "The workspace is damaged." in page.sentence.text()


def test_an_engine_that_cannot_be_used_is_told(show, department):
    department.save_settings(department.settings.changed(engine="llama", model="/models/none.gguf"))
    page, _, _ = show()
    assert "The engine cannot be used as it is set. " in page.sentence.text()
    assert "none.gguf" in page.sentence.text()


def test_what_fits_and_what_is_unverified_is_said(qtbot, texts):
    verdict = Verdict()
    qtbot.addWidget(verdict)
    said = "m.gguf is unverified: no checksum of it is known."
    verdict.show_fit(EngineFit("llama", "m.gguf", unverified=said, reasons=("GPU RTX: 12 of 33 layers.",)))
    assert "m.gguf fits this computer." in texts(verdict)
    assert said in texts(verdict)
    assert "12 of 33 layers" in texts(verdict)
    verdict.show_fit(EngineFit("llama", "mini.gguf"))
    assert said not in texts(verdict)
    verdict.show_fit(EngineFit("rules"))
    assert "no model" in texts(verdict)
