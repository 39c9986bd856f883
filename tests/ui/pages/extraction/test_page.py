"""The extraction page: an engine is chosen, reads, waits, stops; what failed, what was read, what changed."""

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
from radcal.opening import open_department
from radcal.reports.importing import as_files
from radcal.system.errors import EngineError
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text
from radcal.words.editing import move_synonym
from ui.kit.column import EXPORT
from ui.kit.dialog import Dialog
from ui.pages.extraction.cards import FitCard, Pace, memory
from ui.pages.extraction.choice import MODEL, RULES, SERVED
from ui.pages.extraction.models import accuracy_words
from ui.pages.extraction.page import READ, ExtractionPage
from ui.pages.extraction.sentences import progress_so_far
from ui.shell import Shell
from ui.tasks import Advance, TaskState
from ui.theme import DARK
from ui.widgets.messages import Message

Page = tuple[ExtractionPage, Shell, Department]


@pytest.fixture
def begin(qtbot: QtBot) -> Callable[..., ExtractionPage]:
    """Makes the page; ``tell`` hears its state."""

    def make(shell: Shell, tell: Callable[[str, str], object] = lambda _state, _why: None) -> ExtractionPage:
        page = ExtractionPage(shell)
        qtbot.addWidget(page)
        page.state_changed.connect(tell)
        page.begin()
        return page

    return make


@pytest.fixture
def show(qtbot: QtBot, shell: Shell, show_page: Callable[..., ExtractionPage]) -> Callable[..., Page]:
    """Shows the page over the prepared department, once it knows the state of the engines."""

    def make(over: Shell = shell) -> Page:
        page = show_page(ExtractionPage, over)
        qtbot.waitUntil(lambda: over.tasks.is_idle)
        assert over.opened is not None
        return page, over, over.opened.department

    return make


def run_of(department: Department, engine: str) -> int:
    return next(run.run_id for run in department.runs.choices() if run.engine == engine)


def select_run(page: ExtractionPage, engine: str) -> None:
    """Select an engine's run in the table of runs."""
    page.runs.table.select_row(next(r for r, run in enumerate(page.runs.model.rows) if run.engine == engine))


def fails(message: str) -> Callable[..., None]:
    def fail(*_: Any, **__: Any) -> None:
        raise EngineError(message)

    return fail


@pytest.fixture
def changed(show: Callable[..., Page], department: Department) -> Page:
    """The page over a department whose words have changed, so that all reports wait to be read again."""
    department.words.save(move_synonym(department.lexicon, "presumed", "likely"))
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

    monkeypatch.setattr("ui.pages.extraction.work.pair_reader", reader)
    monkeypatch.setattr("radcal.findings.readers.trial.try_reader", try_reader)
    return story


# --- the main story -------------------------------------------------------------------------------------


def test_it_says_how_far_the_engine_is_and_what_is_known_of_it(qtbot, show):
    page, _, department = show()
    n = department.runs.status().n_findings
    assert page.sentence.text().startswith(f"The rules have read 846 of 848 paired reports: {n:,} findings.")
    assert page.choice.known.text().startswith("Faster, but what the rules misread")
    page.choice.set_known({"rules": "F1 0.97 (0.95-0.98)"})
    choose_second(page, "bundled")
    assert page.choice.known.text() == "How well it reads, from 0 to 1: F1 0.97 (0.95\u20130.98)."
    choose_second(page, "none")
    assert "no model" in page.fit_card.verdict.text()
    assert page.tabs.tabText(1) == "Not read (2)"
    assert page.unknown.text() == "15 findings are worded with 2 phrases in no list, and left out of every figure."
    with qtbot.waitSignal(page.shell.go_wanted) as asked:
        qtbot.mouseClick(page.place, Qt.MouseButton.LeftButton)
    assert asked.args == ["words", {"part": "unknown"}]
    assert not page.read.isEnabled()
    assert "has read all" in page.read.toolTip()


def test_the_rail_learns_the_share_and_what_needs_attention(qtbot, begin, shell, department):
    said: list[tuple[str, str]] = []
    page = begin(shell, lambda state, why: said.append((state, why)))
    qtbot.waitUntil(lambda: bool(said) and said[-1] == (">99\u00a0%", "2 reports could not be read."))
    department.runs.retry()
    page.refresh()
    qtbot.waitUntil(lambda: said[-1] == (">99\u00a0%", "2 reports have not been read yet."))
    department.runs.extract()
    page.refresh()
    qtbot.waitUntil(lambda: said[-1] == ("100\u00a0%", ""))


@pytest.mark.usefixtures("llama", "tried")
def test_an_engine_is_chosen_and_reads_by_keyboard_alone(qtbot, show, texts):
    page, shell, department = show()
    assert not page.choice.engines[MODEL].isVisible()
    qtbot.keyClick(page.choice.others, Qt.Key.Key_Space)
    qtbot.keyClick(page.choice.engines[MODEL], Qt.Key.Key_Space)
    assert page.choice.values()["engine"] == "llama"
    page.choice.take_model("tiny.gguf")
    qtbot.waitUntil(lambda: page.gate.begin.isVisible())
    page.gate.begin.click()
    assert department.settings.engine == "rules"  # nothing is stored yet
    qtbot.waitUntil(lambda: "In main memory: 54 MiB of 20.0 GiB free" in texts(page.fit_card))
    assert "no GPU support" in page.fit_card.reasons.text()
    qtbot.keyClick(page.read, Qt.Key.Key_Space)
    assert page.progress.isVisible()
    assert not page.read.isEnabled()
    qtbot.waitUntil(lambda: Message.READING_ENDED in shell.messages.shown() and shell.tasks.is_idle)
    assert department.settings.engine == "llama"
    assert not page.progress.isVisible()
    assert page.sentence.text().startswith("tiny.gguf has read 848 of 848")
    assert page.runs.model.rowCount() == 2


def test_reading_is_paused_resumed_and_cancelled(qtbot, changed, hold):
    page, shell, department = changed
    assert page.sentence.text() == (
        "The rules or the words have changed since they read. All 848 paired reports wait to be read again."
        f" Results on show are those of Rules {department.runs.all()[0].version}."
    )
    assert page.read.text() == "&Read 848 reports"
    states: list[str] = []
    page.state_changed.connect(lambda state, _why: states.append(state))
    tasks: list[TaskState] = []
    shell.tasks.changed.connect(tasks.append)
    qtbot.mouseClick(page.read, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: " reports" in page.progress.text.text())
    assert page.sentence.text().startswith("The reports are being read.")
    assert page.progress.pause_button.hasFocus()  # the button that was pressed waits now
    shell.tasks.changed.emit(replace(tasks[-1], advance=Advance(1, "", 103, 206)))
    assert states[-1] == "50\u00a0%"
    assert page.progress.pause_button.text() == "Pau&se"
    qtbot.mouseClick(page.progress.pause_button, Qt.MouseButton.LeftButton)
    assert shell.tasks.is_paused(READ)
    assert page.progress.text.text().endswith("paused")
    assert page.progress.pause_button.text() == "Re&sume"
    qtbot.mouseClick(page.progress.pause_button, Qt.MouseButton.LeftButton)
    assert not shell.tasks.is_paused(READ)
    shell.tasks.pause(READ)  # as the status bar does
    shell.tasks.resume(READ)
    page.progress.cancel_button.setFocus()
    qtbot.keyClick(page.progress.cancel_button, Qt.Key.Key_Space)
    assert not page.progress.cancel_button.isEnabled()
    qtbot.waitUntil(lambda: not page.progress.isVisible() and shell.tasks.is_idle)
    assert page.read.isEnabled()
    assert not page.sentence.text().startswith("The reports are being read.")
    qtbot.waitUntil(page.read.hasFocus)  # to go on with a key
    assert shell.messages.shown() == ()


# --- failures -------------------------------------------------------------------------------------------


def test_failed_reports_are_tried_again_by_choice_and_all(qtbot, show, department):
    page, shell, _ = show()
    page.arrive(tab="failures")
    assert page.tabs.currentWidget() is page.failures
    assert page.failures.model.index(0, 1).data() == "The report took too long."
    assert not page.failures.retry_selected.isEnabled()
    first, second = (failure.report_id for failure in department.runs.failures())
    before = shell.opened
    page.failures.table.select_row(1)
    assert page.failures.retry_selected.isEnabled()
    qtbot.mouseClick(page.failures.retry_selected, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: shell.tasks.is_idle and page.failures.model.rowCount() == 1)
    assert {page.failures.model.row(0).report_id} < {first, second}
    qtbot.mouseClick(page.failures.retry_all, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: shell.tasks.is_idle and page.failures.model.rowCount() == 0)
    assert department.runs.status().n_read == 848
    assert shell.opened is not before, "results are made anew of what was read"
    assert page.tabs.tabText(1) == "Not read"
    assert page.failures.otherwise.isVisible()


def test_an_engine_that_breaks_is_told_and_can_be_tried_again(qtbot, changed, monkeypatch):
    page, shell, _ = changed
    with monkeypatch.context() as patch:
        patch.setattr(Runs, "read", fails("The Llama process crashes on every report."))
        page.start_reading()
        qtbot.waitUntil(lambda: Message.WORK_FAILED in shell.messages.shown())
    assert "crashes on every report" in shell.messages.text(Message.WORK_FAILED)
    assert not page.progress.isVisible()
    qtbot.waitUntil(lambda: shell.tasks.is_idle)
    shell.messages.press(Message.WORK_FAILED)
    qtbot.waitUntil(lambda: shell.tasks.is_idle and page.sentence.text().startswith("The rules have read 848 of 848"))


# --- choosing -------------------------------------------------------------------------------------------


def choose_second(page: ExtractionPage, which: str) -> None:
    """Choose a second reader."""
    page.choice.second.setCurrentIndex(page.choice.second.findData(which))
    page.choice.second.activated.emit(page.choice.second.currentIndex())


def test_a_model_file_is_asked_for_and_must_fit(qtbot, show, fits, texts):
    page, _, _ = show()
    choose_second(page, "file")
    assert page.choice.model.isVisible()
    assert not page.read.isEnabled()
    assert "Choose a model file" in page.read.toolTip()
    qtbot.waitUntil(lambda: "Choose a model file" in page.fit_card.verdict.text())
    page.choice.take_model("/models/huge.gguf")
    qtbot.waitUntil(lambda: "40.0 GiB" in page.fit_card.verdict.text())
    assert page.choice.values()["second"] == "/models/huge.gguf"
    assert "Weights" not in texts(page.fit_card)
    assert not page.read.isEnabled()


def test_a_model_that_passes_its_trial_may_read(qtbot, show, tried):
    page, _, department = show()
    assert page.gate.isHidden()
    choose_second(page, "file")
    page.choice.take_model("/models/tiny.gguf")
    qtbot.waitUntil(lambda: page.gate.begin.isVisible())
    assert "Not tried yet" in page.gate.answer.text()
    assert page.read.toolTip() == "Try the model first."
    with qtbot.waitSignal(page.shell.tasks.changed):
        page.gate.begin.click()
    assert page.gate.stop.isVisible()
    qtbot.waitUntil(lambda: page.read.isEnabled())
    assert page.gate.answer.text() == (
        "tiny.gguf read 30 sentences of RadCal's own in 12 s and got 27 of 36 answers right. RadCal's word lists"
        " alone get 21; a model must do better."
    )
    assert page.gate.head.text() == "This model passed its trial and may read reports"
    assert not page.gate.pass_by.isVisible()
    # What came of it is remembered.
    choose_second(page, "bundled")
    assert page.gate.isHidden()
    choose_second(page, "file")
    qtbot.waitUntil(lambda: page.read.isEnabled() and "27 of 36" in page.gate.answer.text())
    assert not page.gate.begin.isVisible()
    assert "language model tried" in [entry.what for entry in department.audit_log.entries()]


@pytest.mark.usefixtures("llama")
def test_a_model_that_fails_its_trial_reads_after_a_confirmation_alone(qtbot, show, tried):
    page, shell, department = show()
    tried.right = 20
    choose_second(page, "file")
    page.choice.take_model("/models/tiny.gguf")
    qtbot.waitUntil(lambda: page.gate.begin.isVisible())
    page.gate.begin.click()
    qtbot.waitUntil(lambda: page.gate.head.text() == "This model failed its trial and may not read reports")
    assert page.read.toolTip() == "The model failed its trial."
    page.gate.pass_by.click()
    dialog = page.gate.findChild(Dialog)
    assert "Review some of what it reads" in dialog.findChild(QLabel).text()
    dialog.reject()
    assert not page.read.isEnabled()
    page.gate.pass_by.click()
    page.gate.findChildren(Dialog)[-1].accept()
    assert page.read.isEnabled()
    assert page.gate.answer.text().endswith("It is used untested.")
    page.read.click()
    qtbot.waitUntil(lambda: department.settings.untested == "allowed" and shell.tasks.is_idle)
    # Of another file nothing was confirmed.
    page.choice.take_model("/models/other.gguf")
    qtbot.waitUntil(lambda: page.gate.begin.isVisible())
    assert not page.read.isEnabled()


def test_a_trial_is_cancelled_or_says_why_it_was_not_made(qtbot, show, tried):
    page, shell, _ = show()
    choose_second(page, "file")
    page.choice.take_model("/models/tiny.gguf")
    qtbot.waitUntil(lambda: page.gate.begin.isVisible())
    tried.waits = True
    page.gate.begin.click()
    qtbot.waitUntil(lambda: page.gate.answer.text() == "It has read 3 of 30 sentences.")
    assert page.gate.bar.value() == 3
    page.gate.stop.click()
    qtbot.waitUntil(lambda: shell.tasks.is_idle and page.gate.begin.isVisible())
    tried.waits, tried.why = False, "tiny.gguf cannot answer: out of memory"
    page.gate.begin.click()
    qtbot.waitUntil(lambda: page.gate.answer.text() == tried.why)
    assert page.gate.begin.isVisible()
    assert not page.read.isEnabled()


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
    box = page.choice.second
    items = {f"beside {box.itemData(n)}": box.model().item(n) for n in range(box.count())}
    offered = page.choice.engines | items
    assert {name for name, shown in offered.items() if not shown.isEnabled()} == greyed
    assert all(str(file) in offered[name].toolTip() for name in greyed)


@pytest.mark.usefixtures("llama", "fits")
def test_what_the_second_reader_doubts_is_left_unread_and_leads_to_review(qtbot, show):
    page, shell, department = show()
    assert page.choice.values()["second"] == "none"
    assert not page.review.isVisible()
    choose_second(page, "bundled")
    page.undo_stack.undo()
    assert page.choice.second.currentText() == "none: nothing is checked"
    page.undo_stack.redo()
    qtbot.waitUntil(lambda: page.read.isEnabled())
    page.read.click()
    qtbot.waitUntil(lambda: department.settings.second == "bundled" and shell.tasks.is_idle)
    assert not page.choice.is_changed
    status = department.runs.status()
    assert status.n_unread >= 14
    assert page.sentence.text().startswith(
        f"The rules and tiny.gguf have read 848 of 848 paired reports: {status.n_findings:,} findings."
    )
    assert [run.model for run in page.runs.model.rows] == ["tiny.gguf", ""]
    assert page.runs.model.index(0, 0).data() == "Rules and tiny.gguf"
    shell.choose_run(run_of(department, "rules"))
    qtbot.waitUntil(lambda: shell.tasks.is_idle and page.review.isVisible())
    assert page.unknown.text() == (
        f"{status.n_unread} findings were left unread, because they may have been misread, and are left out of every"
        " figure."
    )
    with qtbot.waitSignal(shell.go_wanted) as asked:
        page.review.click()
    assert asked.args == ["review", {"tab": "unread"}]
    department.runs.choose({"second": "none"})
    department.words.save(move_synonym(department.lexicon, "presumed", "likely"))
    said = progress_so_far(department.runs.status(), department.runs.all(), None)
    assert said.startswith("The rules or the words have changed since they read. All 848")


def test_other_ways_are_open_where_one_is_in_use(show, department):
    department.save_settings(department.settings.changed(engine="served"))
    page, _, _ = show()
    assert page.choice.engines[SERVED].isChecked()
    assert page.choice.engines[SERVED].isVisible()
    assert page.choice.values()["second"] == "none"  # as it was


@pytest.mark.usefixtures("llama", "fits")
def test_options_are_shown_on_request_and_stored_with_the_reading(qtbot, show, tmp_path):
    page, shell, department = show()
    choose_second(page, "bundled")
    assert not page.choice.options.isVisible()
    page.choice.expand.click()
    assert page.choice.options.gpu_layers.text() == "all that fit"
    options = page.choice.options
    for field, value in ((options.context, 2048), (options.gpu_layers, 0), (options.seconds, 30)):
        field.setValue(value)
    options.take_prompts(str(tmp_path))
    qtbot.waitUntil(lambda: page.read.isEnabled())
    page.read.click()
    qtbot.waitUntil(lambda: department.settings.second == "bundled" and shell.tasks.is_idle)
    stored = department.settings
    assert (stored.llama_context, stored.llama_gpu_layers, stored.llama_report_seconds) == (2048, 0, 30.0)
    assert stored.llama_prompts == str(tmp_path)
    assert not page.choice.is_changed


def test_a_workspace_that_is_only_read_changes_nothing(show, make_shell, chest):
    page, _, _ = show(make_shell(chest, read_only=True))
    page.failures.table.select_row(0)
    page.runs.table.select_row(0)
    for button in (page.read, page.failures.retry_selected, page.failures.retry_all, page.runs.use):
        assert not button.isEnabled()
        assert "read only" in button.toolTip()
    assert not page.choice.engines[RULES].isEnabled()
    assert not page.choice.second.isEnabled()
    assert not page.choice.served.isEnabled()
    assert not page.choice.engines[SERVED].isEnabled()
    assert "read only" in page.choice.toolTip()


# --- runs -----------------------------------------------------------------------------------------------


def test_the_findings_of_a_run_are_saved(qtbot, twice, tmp_path):
    page, shell, _department = twice
    page.runs.table.view.clearSelection()
    assert page.runs.hand_on.isEnabled(), "of the run on show"
    shown = next(run.run_id for run in page.runs.model.rows if run.shown)
    for numbers, action in enumerate(page.runs.hand_on.menu().actions()):
        with qtbot.waitSignal(page.runs.hand_on_wanted) as wanted:
            action.trigger()
        assert wanted.args == [shown, bool(numbers)]
        dialog = page.window().findChildren(QFileDialog)[-1]
        dialog.fileSelected.emit(str(tmp_path / "out" / f"{numbers}.csv"))
        dialog.close()
        qtbot.waitUntil(lambda: Message.FILE_SAVED in shell.messages.shown())
        shell.messages.clear()
        assert (tmp_path / "out" / f"{numbers}.csv").read_bytes()


def test_the_choice_of_a_reading_is_undone(qtbot, twice):
    page, shell, department = twice
    rules, llama = run_of(department, "rules"), run_of(department, "llama")
    shell.undo.setActiveStack(page.undo_stack)
    assert not page.runs.use.isEnabled()
    select_run(page, "rules")
    assert "on show already" in page.runs.use.toolTip()
    select_run(page, "llama")
    page.runs.use.click()
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
    # Of another workspace nothing is undone in this one.
    page.show_department(None)
    assert not page.undo_stack.canUndo()


@pytest.mark.usefixtures("fits")
def test_the_draft_of_an_engine_is_undone_step_by_step(qtbot, show):
    page, _, department = show()
    choice, undo = page.choice, page.undo_stack
    choose_second(page, "file")
    choice.take_model("/models/tiny.gguf")
    choice.expand.click()
    for value in (20, 30, 40):
        choice.options.seconds.setValue(value)
    choice.options.threads.setValue(3)
    assert undo.count() == 4  # the steps of one number are one
    undo.undo()
    assert (choice.options.threads.value(), choice.options.seconds.value()) == (0, 40)
    undo.undo()
    assert choice.options.seconds.value() == round(department.settings.llama_report_seconds)
    undo.undo()
    assert choice.misses_model
    undo.undo()
    assert choice.second.currentText() == "none: nothing is checked"
    assert not choice.is_changed
    for _ in range(4):
        undo.redo()
    assert choice.values()["second"] == "/models/tiny.gguf"
    assert (choice.options.threads.value(), choice.options.seconds.value()) == (3, 40)
    qtbot.waitUntil(lambda: "tiny.gguf" in page.fit_card.verdict.text())
    assert department.settings.engine == "rules"  # nothing is stored


@pytest.fixture
def asked(qtbot: QtBot, show: Callable[..., Page], llama: Any, fits: Any) -> Page:
    """The page when another engine has read everything."""
    page, shell, department = show()
    page.choice.engines[MODEL].click()
    qtbot.waitUntil(lambda: page.read.isEnabled())
    page.read.click()
    qtbot.waitUntil(lambda: shell.tasks.is_idle and Message.READING_ENDED in shell.messages.shown())
    return page, shell, department


def test_another_engines_results_are_shown_when_somebody_says_so(qtbot, asked):
    page, shell, department = asked
    before = shell.opened
    assert before.engine == "rules"
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
    page, shell, department = asked
    shown = department.runs.used()
    shell.messages._rows[Message.READING_ENDED].buttons[1].click()
    assert shell.messages.shown() == ()
    shell.reload()
    qtbot.waitUntil(lambda: shell.tasks.is_idle)
    assert (shell.opened.engine, department.runs.used()) == ("rules", shown)
    page.refresh()
    qtbot.waitUntil(lambda: shell.tasks.is_idle)
    assert not page.read.isEnabled()  # all is read; the table of runs shows the other results later


def test_the_question_goes_once_its_results_are_on_show_or_the_workspace_is_left(qtbot, asked):
    page, shell, department = asked
    shell.choose_run(run_of(department, "llama"))
    qtbot.waitUntil(lambda: shell.tasks.is_idle and shell.opened.engine == "llama")
    assert Message.READING_ENDED not in shell.messages.shown()
    page.show_department(None)
    assert page._asked is None


def test_two_runs_are_compared(qtbot, twice, show):
    alone, _, _ = show()
    assert alone.comparison.otherwise.isVisibleTo(alone.comparison)
    page, _, department = twice
    assert page.comparison.before.count() == 2
    department.save_settings(department.settings.changed(min_group_n=1))
    page.arrive(tab="differences")
    model = page.comparison.difference_model
    qtbot.waitUntil(lambda: model.rowCount() > 0)
    before, after = page.comparison.before.currentData(), page.comparison.after.currentData()
    made = department.runs.compare(before, after)
    assert (before, after) == (run_of(department, "rules"), run_of(department, "llama"))
    assert page.comparison.compared.text() == (
        f"In {made.n_reports:,} reports that both have read, {made.n_same:,} findings are the same."
        f" Added: 0; removed: 15; read as another phrase: {made.n_changed:,}. Where"
        " they differ, at least one of the two is wrong: on average at least 1\u00a0% of these findings."
    )
    assert model.rowCount() == 15 + made.n_changed
    rows = [[model.index(r, c).data() for c in range(7)] for r in range(model.rowCount())]
    changed = next(r for r, row in enumerate(rows) if row[3] == "possibly")
    assert rows[changed][0] == "other phrase"
    assert rows[changed][1].startswith("X-ray X0")
    assert rows[changed][2:5] == ["fracture", "possibly", "present"]
    assert rows[changed][6] == "Possible rib fracture."
    effects = [d.effect for d in made.differences]
    assert [row[5] for row in rows] == [f"{100 * e:.1f}" if e else "\u2013" for e in effects]
    assert effects[0] > effects[-1]
    assert model.index(changed, 1).data(EXPORT).number.startswith("xray:")  # a file keeps the id
    assert any(row[4] == "\u2013" for row in rows)
    page.comparison.differences.search.setText("rib fracture")
    qtbot.waitUntil(lambda: page.comparison.differences.proxy.rowCount() == made.n_changed)
    qtbot.keyClick(page.comparison.before, Qt.Key.Key_Up)
    qtbot.waitUntil(lambda: "same run" in page.comparison.compared.text())
    assert model.rowCount() == 0


# --- what is missing ------------------------------------------------------------------------------------


def test_without_a_department_or_pairs_it_leads_there(qtbot, begin, make_shell, fits, march, tmp_path):
    page = begin(make_shell())
    assert page.is_empty
    assert "Open a workspace to let" in page.empty_text
    assert not page.read.isVisible()
    open_department(tmp_path / "new.radcal", "correct horse battery", create=True).close()
    shell = make_shell(tmp_path / "new.radcal")
    page = begin(shell)
    qtbot.waitUntil(lambda: "no pairs" in page.empty_text)
    with qtbot.waitSignal(shell.go_wanted) as asked:
        page.empty_button.click()
    assert asked.args[0] == "import"
    importing = shell.opened.department.importing
    importing.import_reports(as_files(reports=[march]))
    importing.pair()
    page.refresh()
    qtbot.waitUntil(lambda: not page.is_empty and shell.tasks.is_idle)
    assert page.choice.engines["rules"].isChecked()
    assert page.fit_card.verdict.text()


def test_a_damaged_workspace_is_told_on_the_page(qtbot, begin, shell, monkeypatch):
    monkeypatch.setattr(Runs, "status", fails("The workspace is damaged."))
    page = begin(shell)
    qtbot.waitUntil(lambda: "The workspace is damaged." in page.empty_text)


def test_an_engine_that_cannot_be_used_is_told(show, department):
    department.save_settings(department.settings.changed(engine="llama", model="/models/none.gguf"))
    page, _, _ = show()
    assert page.sentence.text().startswith("The engine cannot be used as it is set. ")
    assert "none.gguf" in page.sentence.text()


# --- size, colours, leaving -----------------------------------------------------------------------------


def test_nothing_is_clipped_in_a_narrow_window_or_in_the_dark(qtbot, show, wear):
    page, _, _ = show()
    wear(DARK)
    page.resize(700, 440)
    page.progress.show()
    inner = page.area.widget()
    assert inner is not None
    # Layouts settle in steps, each through the event loop.
    qtbot.waitUntil(lambda: page.choice.width() == page.fit_card.width())
    qtbot.waitUntil(lambda: page.choice.y() + page.choice.height() <= page.fit_card.y())
    qtbot.waitUntil(lambda: inner.width() <= page.area.viewport().width())


# --- pace -----------------------------------------------------------------------------------------------


def test_the_pace_is_of_the_last_seconds_and_pauses_do_not_count():
    pace = Pace()
    assert pace.rate is None
    for second in range(20):
        pace.take(5 * second, paused=False, now=float(second))
    assert pace.rate == pytest.approx(300)
    for second in range(20, 60):
        pace.take(95, paused=True, now=float(second))
    assert pace.rate == pytest.approx(300)
    for second in range(60, 80):
        pace.take(95 + 10 * (second - 60), paused=False, now=float(second))
    assert pace.rate == pytest.approx(600)
    assert pace.points[-1][0] == pytest.approx(19 + 19)
    pace.restart()
    assert pace.points == []


def test_memory_and_accuracy_are_read_easily():
    assert [memory(n) for n in (54 << 20, 5 << 30, 1)] == ["54 MiB", "5.0 GiB", "1 MiB"]
    assert accuracy_words("") == "not measured"
    assert accuracy_words("F1 0.97 (0.95-0.98)") == "F1 0.97 (0.95\u20130.98)"


def test_what_fits_is_worded_for_each_kind_of_machine(qtbot, texts):
    card = FitCard()
    qtbot.addWidget(card)
    fit = EngineFit("llama", "m.gguf", weights=5 << 30, main=1 << 30, gpu=5 << 30, gpu_free=8 << 30, gpu_name="RTX")
    card.show_fit(replace(fit, layers=33, gpu_layers=33))
    assert "m.gguf fits, all of it on the GPU RTX." in texts(card)
    assert "On the GPU: 5.0 GiB of 8.0 GiB free" in texts(card)
    assert "In main memory: 1.0 GiB" in texts(card)  # how much is free is unknown
    card.show_fit(replace(fit, layers=33, gpu_layers=12))
    assert "m.gguf fits, 12 of 33 layers on the GPU RTX." in texts(card)


def test_a_model_that_nobody_vouches_for_is_called_unverified(qtbot, texts):
    card = FitCard()
    qtbot.addWidget(card)
    said = "m.gguf is unverified: no checksum of it is known."
    for show in (lambda: card.show_text("Looking"), lambda: card.show_fit(EngineFit("llama", "mini.gguf"))):
        card.show_fit(EngineFit("llama", "m.gguf", unverified=said))
        assert said in texts(card)
        show()
        assert said not in texts(card)
