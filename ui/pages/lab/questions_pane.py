"""Questions put to a language model, its answers, and what its certainty is worth."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QCheckBox, QLineEdit, QSpinBox, QSplitter, QWidget

from radcal.lab.asking.run import FEWEST_SAMPLES, MOST_SAMPLES, SAMPLES, WAYS, AskedModels, HowToAsk, as_lines
from ui.kit.action import push_button, tool_button
from ui.kit.files import ask_open
from ui.kit.layout import FlowLayout, hbox, panel, vbox
from ui.kit.opening import Opening
from ui.kit.table import DataTable
from ui.kit.text import caption, show_text, wrapped
from ui.kit.undoing import Edit
from ui.pages.lab.pane import MODELS, TABLES, Pane, which_model
from ui.pages.lab.question_models import AnswersModel, figures_model, way_name
from ui.widgets.messages import Message
from ui.words import say, typographic, whole

if TYPE_CHECKING:
    from radcal.lab.asking.asker import Way
    from radcal.lab.asking.run import Asked
    from ui.records import Opened
    from ui.shell import Shell
    from ui.tasks import Failure

ASK, LOOK, DECIDE = "ask a model", "look at a model's answers", "decide about an answer"
_USUAL: tuple[Way, ...] = ("phrase", "probability")
_MOST_REASONS = 3


class QuestionsPane(Pane):
    """A file of questions and how they are put; below, the figures of each way of asking, and every answer."""

    with_shipped = False

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self.asked: Asked | None = None
        """What is on show; None before anything was asked."""
        self._department: object = None
        self._build_form()
        self.about = wrapped(role="strong")
        self.failures = wrapped(role="muted")
        self.save = push_button(say("Save as JSON &lines\u2026"), self.ask_save)
        self.figures_model, self.answers_model = figures_model(), AnswersModel(self)
        self.answers_model.decided.connect(self._decided)
        self.figures = DataTable(
            "asked figures", say("How sure, and how often right"), self.figures_model, shell, searchable=False
        )
        self.answers = DataTable("asked answers", say("Answers of the model"), self.answers_model, shell)
        self.answers.add_to_bar(self.save)
        self.results = QSplitter(Qt.Orientation.Vertical)
        self.results.addWidget(self.figures)
        self.results.addWidget(self.answers)
        self.results.setChildrenCollapsible(False)
        self.results.setSizes([200, 320])
        self.results.setStretchFactor(1, 1)
        vbox(self.file, self.how, self.about, self.failures, (self.results, 1000), (None, 1), parent=self)
        self._show_asked(None)

    def _build_form(self) -> None:
        self.questions, self.judge = QLineEdit(), QLineEdit()
        self.ways: dict[Way, QCheckBox] = {way: QCheckBox(way_name(way)) for way in WAYS}
        self.samples = QSpinBox(minimum=FEWEST_SAMPLES, maximum=MOST_SAMPLES, value=SAMPLES)
        self.samples.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        for way, box in self.ways.items():
            box.setChecked(way in _USUAL)
            box.toggled.connect(self.changed)
        for field in (self.questions, self.judge):
            field.textChanged.connect(self.changed)
        self.file = self._file(say("&Questions"), self.questions, _which(), TABLES)
        ways = FlowLayout(spacing=12)
        for box in self.ways.values():
            ways.addWidget(box)
        judge = self._file(say("&Judge"), self.judge, which_model(), MODELS)
        self.judge.setToolTip(
            say("Another model that says whether answers mean the same and are right. Without one, their words decide.")
        )
        random = hbox(caption(say("Answers at &random"), self.samples), self.samples, None)
        self.how = Opening(say("&How it is asked"), panel(vbox(ways, random, judge)))

    def _file(self, name: str, field: QLineEdit, title: str, kind: str) -> QWidget:
        """A field for a file with its caption and its button."""
        browse = tool_button("\u2026", lambda: ask_open(self, title, (kind,), field.setText), tip=title)
        field.setPlaceholderText(title)
        return panel(hbox(caption(name, field), (field, 1), browse))

    def show_department(self, opened: Opened) -> None:
        """Show what was asked last in this workspace."""
        if opened.department is not self._department:
            self._department = opened.department
            self._show_asked(None)
        self.answers_model.set_editable(not opened.read_only)
        self._look()

    def why_not(self) -> str:
        if not self.questions.text().strip():
            return _which()
        return "" if self._ways() else say("Tick at least one way of asking.")

    def _ways(self) -> tuple[Way, ...]:
        return tuple(way for way, box in self.ways.items() if box.isChecked())

    def ask(self, model: Path) -> None:
        """Ask the model; answers of the same kind from before are kept, and stopping keeps what was answered."""
        judge, questions = self.judge.text().strip(), Path(self.questions.text().strip())
        how = HowToAsk(model, self._ways(), samples=self.samples.value(), judge=Path(judge) if judge else None)
        self.begin()
        self.shell.run(
            ASK,
            lambda department, progress: AskedModels(department).ask(questions, how, progress),
            self._answered,
            title=say("Asking the model"),
            failed=partial(self._failed, model),
            stopped=self._stopped,
            keeps=True,
            long=True,
        )

    def _look(self) -> None:
        self.shell.run(LOOK, lambda department, _progress: AskedModels(department).stored(), self._show_asked)

    def _answered(self, asked: Asked) -> None:
        self.end()
        self._show_asked(asked)

    @Slot()
    def _stopped(self) -> None:
        self.end()
        self._look()

    def _failed(self, model: Path, failure: Failure) -> None:
        self._stopped()
        self.shell.messages.show_failure(Message.WORK_FAILED, failure, partial(self.ask, model))

    def _show_asked(self, asked: Asked | None) -> None:
        self.asked = asked
        self.figures_model.set_rows(asked.asking.figures if asked else ())
        self.answers_model.set_rows(asked.asking.answers if asked else ())
        self.results.setVisible(asked is not None)
        self.about.setText(_about(asked))
        show_text(self.failures, _failures(asked))
        self.changed.emit()

    @Slot(object)
    def _decided(self, chosen: tuple[int, bool]) -> None:
        """An edit of the page: to be taken back by undo."""
        row, correct = chosen
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
        """Save the answers as a file for the tab Answers and ``radcal models``."""
        if (asked := self.asked) is not None:
            name = f"{asked.asking.model}.jsonl"
            self.shell.save_file(say("Save the answers"), name, ("JSON (*.jsonl)",), lambda _suffix: as_lines(asked))


def _which() -> str:
    return say("Choose a file of questions, with the columns question, answer and topic.")


def _about(asked: Asked | None) -> str:
    if asked is None:
        return say(
            "Put your own questions to a language model on this computer: how sure is it, and how often is it right? "
            "Nothing leaves the machine."
        )
    told = say(
        "{model} answered {file}: {n} answers to {questions} questions.",
        model=asked.asking.model,
        file=asked.file,
        n=whole(len(asked.asking.answers)),
        questions=whole(asked.questions),
    )
    return told if asked.complete else f"{told} {say('It was stopped; ask again to go on.')}"


def _failures(asked: Asked | None) -> str:
    """The rows that are no questions, and the questions without an answer, with the first reasons."""
    if asked is None:
        return ""
    told = []
    if asked.rejected:
        told.append(
            say("{n} row of the file is no question.", many="{n} rows of the file are no questions.", n=asked.rejected)
        )
    if failed := asked.asking.unanswered:
        told.append(say("{n} answer failed.", many="{n} answers failed.", n=len(failed)))
        told += list(dict.fromkeys(typographic(f.reason) for f in failed))[:_MOST_REASONS]
    return " ".join(told)
