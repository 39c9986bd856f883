"""Questions put to a language model on this computer, its answers, and what its certainty is worth."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QSplitter

from radcal.lab.asking.run import AskedModels, as_lines
from ui.kit.action import enable, push_button
from ui.kit.layout import hbox, panel, vbox
from ui.kit.table import DataTable
from ui.kit.text import show_text, wrapped
from ui.kit.undoing import Edit
from ui.pages.models.asking_form import AskingForm
from ui.pages.models.asking_models import AnswersModel, figures_model
from ui.pages.models.tab import ModelsTab
from ui.sentences import read_only_reason
from ui.widgets.messages import Message
from ui.words import say, typographic, whole

if TYPE_CHECKING:
    from radcal.lab.asking.run import Asked
    from ui.records import Opened
    from ui.shell import Shell
    from ui.tasks import Failure

ASK, LOOK, DECIDE = "ask a model", "look at a model's answers", "decide about an answer"
_MOST_REASONS = 3


class AskingTab(ModelsTab):
    """A form on the left; on the right the figures of each way of asking, and below them every answer."""

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self.asked: Asked | None = None
        """What is on show; None before anything was asked."""
        self._department: object = None
        self._asking = False
        self.form = AskingForm()
        self.form.changed.connect(self._show_state)
        self.start = push_button(say("Ask the m&odel"), self.ask, primary=True)
        self.stop = push_button(
            say("&Stop"),
            partial(shell.tasks.cancel, ASK),
            tip=say("What was answered is kept; asking again goes on there"),
        )
        self.save = push_button(
            say("Save as JSON &lines\u2026"),
            self.ask_save,
            tip=say("A file that the tab Answers and radcal models read"),
        )
        self.about = wrapped()
        self.failures = wrapped(role="muted")
        self.figures_model, self.answers_model = figures_model(), AnswersModel(self)
        self.answers_model.decided.connect(self._decided)
        self.figures = DataTable(
            "asked figures", say("How sure, and how often right"), self.figures_model, shell, searchable=False
        )
        self.answers = DataTable("asked answers", say("Answers of the model"), self.answers_model, shell)
        tables = QSplitter(Qt.Orientation.Vertical)
        tables.addWidget(self.figures)
        tables.addWidget(self.answers)
        tables.setChildrenCollapsible(False)
        tables.setSizes([240, 320])
        tables.setStretchFactor(1, 1)
        left = vbox((self.form, 1), hbox((self.start, 1), self.stop))
        about = hbox((self.about, 1), (self.save, 0, Qt.AlignmentFlag.AlignTop))
        right = vbox(about, self.failures, (tables, 1), margins=(8, 0, 0, 0))
        whole_width = QSplitter(Qt.Orientation.Horizontal)
        whole_width.addWidget(panel(left))
        whole_width.addWidget(panel(right))
        whole_width.setChildrenCollapsible(False)
        whole_width.setSizes([290, 900])
        whole_width.setStretchFactor(1, 1)
        vbox(whole_width, parent=self, margins=(0, 8, 0, 0))
        self._show_state()

    def show_department(self, opened: Opened) -> None:
        """Show what was asked last in this workspace."""
        if opened.department is not self._department:
            self._department = opened.department
            self._show_asked(None)
        self.answers_model.set_editable(not opened.read_only)
        self._look()

    def _look(self) -> None:
        self.shell.run(LOOK, lambda department, _progress: AskedModels(department).stored(), self._show_asked)

    # --- asking ------------------------------------------------------------------------------------

    @Slot()
    def ask(self) -> None:
        """Ask the model; answers of the same kind from before are kept."""
        if self._asking or self.form.why_not():
            return
        questions, how = self.form.chosen()
        self._asking = True
        self._show_state()
        self.shell.run(
            ASK,
            lambda department, progress: AskedModels(department).ask(questions, how, progress),
            self._answered,
            title=say("Asking the model"),
            failed=self._failed,
            stopped=self._stopped,
            keeps=True,
            long=True,
        )

    def _answered(self, asked: Asked) -> None:
        self._asking = False
        self._show_asked(asked)

    @Slot()
    def _stopped(self) -> None:
        self._asking = False
        self._show_state()
        self._look()

    def _failed(self, failure: Failure) -> None:
        self._stopped()
        self.shell.messages.show_failure(Message.WORK_FAILED, failure, self.ask)

    # --- what was answered -------------------------------------------------------------------------

    def _show_asked(self, asked: Asked | None) -> None:
        self.asked = asked
        self.figures_model.set_rows(asked.asking.figures if asked else ())
        self.answers_model.set_rows(asked.asking.answers if asked else ())
        self._show_state()
        if asked is not None:
            self.filled.emit(self)

    @Slot()
    def _show_state(self) -> None:
        self.form.set_locked(self._asking)
        read_only = self.shell.opened is not None and self.shell.opened.read_only
        why_not = read_only_reason() if read_only else self.form.why_not()
        enable(self.start, say("The model is being asked.") if self._asking else why_not)
        self.stop.setEnabled(self._asking)
        self.save.setEnabled(self.asked is not None)
        self.about.setText(_about(self.asked))
        show_text(self.failures, _failures(self.asked))

    @Slot(object)
    def _decided(self, choice: tuple[int, bool]) -> None:
        """An edit of the page: to be taken back by undo."""
        row, correct = choice
        before = self.answers_model.row(row).correct
        if before == correct:
            return
        edit = Edit(say("decide about an answer"), before, correct, partial(self._decide, row))
        stack = self.shell.undo.activeStack()
        if stack is None:
            edit.redo()
        else:
            stack.push(edit)

    def _decide(self, row: int, correct: bool) -> None:
        self.shell.run(
            DECIDE,
            lambda department, _progress: AskedModels(department).decide(row, correct=correct),
            self._show_asked,
            keeps=True,
        )

    @Slot()
    def ask_save(self) -> None:
        """Save the answers as a file for ``radcal models``."""
        if (asked := self.asked) is not None:
            kinds = (say("JSON lines (*.jsonl)"),)
            self.shell.save_file(
                say("Save the answers"), f"{asked.asking.model}.jsonl", kinds, lambda _suffix: as_lines(asked)
            )


def _about(asked: Asked | None) -> str:
    if asked is None:
        return say(
            "Questions of your own, put to a language model on this computer: how sure it says it is, and how often it"
            " is right. Nothing leaves the machine."
        )
    told = say(
        "{model} answered {file}: {n} answers to {questions} questions.",
        model=asked.asking.model,
        file=asked.file,
        n=whole(len(asked.asking.answers)),
        questions=whole(asked.questions),
    )
    if not asked.complete:
        told += " " + say("It was stopped; ask again to go on.")
    return told


def _failures(asked: Asked | None) -> str:
    """The rows that are no questions, and the questions without an answer, with the first reasons."""
    if asked is None:
        return ""
    told = []
    if asked.rejected:
        told.append(
            say("{n} row of the file is no question.", many="{n} rows of the file are no questions.", n=asked.rejected)
        )
    failed = asked.asking.unanswered
    if failed:
        told.append(say("{n} answer failed.", many="{n} answers failed.", n=len(failed)))
        reasons = dict.fromkeys(typographic(f.reason) for f in failed)
        told += list(reasons)[:_MOST_REASONS]
    return " ".join(told)
