"""How a language model, or people, take certainty words: asked, compared, and kept with the workspace."""

from __future__ import annotations

from dataclasses import astuple
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QProgressBar, QSplitter

from radcal.lab.model_perception import ALL_STATEMENTS, Perceptions
from radcal.lab.perception import Estimate
from ui.kit.action import enable, push_button
from ui.kit.column import Column, RecordModel, count, estimated, measured
from ui.kit.files import ask_open
from ui.kit.form import choice
from ui.kit.layout import FlowLayout, hbox, panel, vbox
from ui.kit.picture import PictureCard
from ui.kit.table import DataTable
from ui.kit.text import caption, show_text, wrapped
from ui.pages.models.tab import ModelsTab
from ui.plots.perception_heatmap import PerceptionHeatmap
from ui.plots.records import Answered, AnswerTable
from ui.sentences import read_only_reason
from ui.tasks import Failure
from ui.widgets import perception_sentences as sentences
from ui.widgets.messages import Message
from ui.words import duration, percent, say, whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from radcal.department import Department
    from radcal.lab.perception import Agreement, Perceived
    from radcal.system.progress import Progress
    from ui.records import Opened
    from ui.shell import Shell
    from ui.tasks import TaskState

ASK, LOOK = "perception", "perception kept"
"""The operations in the worker."""
OTHER_MODEL, PEOPLE, OTHER_REFERENCE = "other model", "people", "other reference"
FEW = 10
"""Statements for a first look."""
_NARROW = 1000


class PerceptionTab(ModelsTab):
    """Chooses who is asked and against whom, asks, and shows the last audit or an earlier one."""

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self._asking = False
        self._kept: tuple[Perceived, ...] = ()
        self._department: object = None
        self._wanted = ""
        self.sentence = wrapped()
        self.note = wrapped(role="muted")
        self.who, self.reference = _box(say("Who is asked")), _box(say("Compared with"))
        self.shots, self.statements, self.kept = (
            _box(say("Worked answers")),
            _box(say("Statements")),
            _box(say("Kept audits")),
        )
        self.ask = push_button(say("Ask &now"), self.start, primary=True)
        self.cancel = push_button(say("Sto&p"), self.stop)
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName(say("Progress of the questions"))
        self.bar_text = wrapped(role="muted")
        self._progress = panel(hbox((self.bar, 1), self.bar_text, self.cancel, spacing=12))
        self.plot = PerceptionHeatmap()
        self.picture = PictureCard(self.plot, shell, say("What certainty words are taken to mean"))
        self.model = RecordModel(_columns(), self)
        self.table = DataTable("perception", say("Certainty words as they are read"), self.model, shell)
        self._split = QSplitter()
        self._split.setChildrenCollapsible(False)
        self._split.addWidget(self.picture)
        self._split.addWidget(self.table)
        self._split.setSizes([520, 560])
        self._lay_out()
        self._fill_choices()
        self.who.activated.connect(self._who_chosen)
        self.reference.activated.connect(self._reference_chosen)
        self.kept.activated.connect(self._kept_chosen)
        shell.tasks.changed.connect(self._show_task)
        self._show(None)
        self._update()

    def _lay_out(self) -> None:
        row = FlowLayout(spacing=12)
        for name, box in (
            (say("W&ho"), self.who),
            (say("Compare&d with"), self.reference),
            (say("Worked ans&wers"), self.shots),
            (say("&Statements"), self.statements),
        ):
            row.addWidget(panel(hbox(caption(name, box), box)))
        row.addWidget(self.ask)
        self._earlier = panel(hbox(caption(say("Kep&t"), self.kept), (self.kept, 1)))
        vbox(
            panel(row),
            self._progress,
            self._earlier,
            self.sentence,
            self.note,
            (self._split, 1),
            (None, 0),
            parent=self,
            margins=(0, 12, 0, 0),
            spacing=8,
        )
        self._progress.hide()

    def _fill_choices(self) -> None:
        self._fill_who()
        self.reference.addItem(say("142 radiologists"), "radiologists")
        self.reference.addItem(say("123 people of the public"), "public")
        self.reference.addItem(say("a file of answers\u2026"), OTHER_REFERENCE)
        self.shots.addItem(say("none"), 0)
        self.shots.addItem(say("two"), 2)
        self.shots.setToolTip(
            say("Two answers that show the model what is asked for, with words that state a number themselves.")
        )
        self.statements.addItem(say("{n}, for a first look", n=FEW), FEW)
        self.statements.addItem(say("all {n}", n=ALL_STATEMENTS), ALL_STATEMENTS)
        self.statements.setToolTip(
            say(
                "So many that nobody but the speaker can know, and as many of which everybody knows whether they are"
                " true."
            )
        )

    def _fill_who(self, chosen: str = "") -> None:
        from radcal.findings.engines import models_at_hand

        known = [str(path) for path in models_at_hand()]
        if chosen and chosen not in known:
            known.append(chosen)
        with QSignalBlocker(self.who):
            self.who.clear()
            for path in known:
                self.who.addItem(sentences.model_name(Path(path).name), path)
            self.who.addItem(say("another model\u2026"), OTHER_MODEL)
            self.who.addItem(say("people, by a file of their answers\u2026"), PEOPLE)
            self.who.setCurrentIndex(max(self.who.findData(chosen), 0))

    # --- what the page tells -----------------------------------------------------------------------

    def show_department(self, opened: Opened) -> None:
        """Look up the audits that are kept."""
        if opened.department is not self._department:
            self._department, self._kept = opened.department, ()
            self._show(None)
        self.shell.run(LOOK, lambda department, _: Perceptions(department).all(), self._looked)
        self._update()

    def arrive(self, **where: Any) -> None:
        """``model``: path of a model to be chosen, '' for the shipped one."""
        if "model" in where:
            self._fill_who(str(where["model"]))
            self.ask.setFocus(Qt.FocusReason.OtherFocusReason)

    # --- choosing ----------------------------------------------------------------------------------

    @Slot()
    def _who_chosen(self, *_: object) -> None:
        chosen = self.who.currentData()
        if chosen == OTHER_MODEL:
            self.who.setCurrentIndex(0)
            ask_open(self, say("Choose the model file"), (say("Models (*.gguf)"),), self.take_model)
        elif chosen == PEOPLE:
            self.who.setCurrentIndex(0)
            kinds = (say("Tables (*.csv *.tsv *.txt)"), say("All files (*)"))
            ask_open(self, say("Choose a file of answers"), kinds, self.read_people)

    @Slot(str)
    def take_model(self, path: str) -> None:
        """Choose a model file."""
        self._fill_who(path)

    @Slot()
    def _reference_chosen(self, *_: object) -> None:
        if self.reference.currentData() == OTHER_REFERENCE:
            self.reference.setCurrentIndex(0)
            kinds = (say("Tables (*.csv *.tsv *.txt)"), say("All files (*)"))
            ask_open(self, say("Choose the answers to compare with"), kinds, self.take_reference)

    @Slot(str)
    def take_reference(self, path: str) -> None:
        """Compare with a file of answers."""
        place = self.reference.findData(path)
        if place < 0:
            place = self.reference.count() - 1
            self.reference.insertItem(place, Path(path).name, path)
        self.reference.setCurrentIndex(place)

    @Slot()
    def _kept_chosen(self, *_: object) -> None:
        self._show(self.kept.currentData())

    # --- asking ------------------------------------------------------------------------------------

    @Slot()
    def start(self) -> None:
        """Ask the chosen model."""
        path, reference = Path(str(self.who.currentData())), str(self.reference.currentData())
        shots, most = int(self.shots.currentData()), int(self.statements.currentData())

        def work(department: Department, progress: Progress) -> Perceived:
            return Perceptions(department).ask_model(path, reference, shots, most, progress)

        self._run(work, say("Asking what words mean"))

    @Slot(str)
    def read_people(self, path: str) -> None:
        """Compare a file of people's answers."""
        reference = str(self.reference.currentData())

        def work(department: Department, progress: Progress) -> Perceived:
            return Perceptions(department).read_people(Path(path), reference, progress)

        self._run(work, say("Reading {file}", file=Path(path).name))

    def _run(self, work: Any, title: str) -> None:
        self._asking = True
        self.bar.setRange(0, 0)
        self.bar_text.setText("")
        self._update()
        self.shell.run(
            ASK, work, self._asked, title=title, failed=self._failed, stopped=self._ended, keeps=True, long=True
        )

    @Slot()
    def stop(self) -> None:
        """Ask no further; nothing is kept of what was answered."""
        self.shell.tasks.cancel(ASK)

    @Slot(object)
    def _show_task(self, state: TaskState | None) -> None:
        if not self._asking or state is None or state.operation != ASK or state.advance is None:
            return
        advance = state.advance
        if advance.total:
            self.bar.setRange(0, advance.total)
            self.bar.setValue(advance.done)
            told = say("{done} of {n} questions", done=whole(advance.done), n=whole(advance.total))
            if advance.left:
                told = say("{done}, {time} left", done=told, time=duration(advance.left))
            self.bar_text.setText(told)

    def _ended(self) -> None:
        self._asking = False
        self._update()

    @Slot(object)
    def _failed(self, failure: Failure) -> None:
        self._ended()
        self.shell.messages.show_failure(Message.WORK_FAILED, failure, self.start)

    @Slot(object)
    def _asked(self, made: Perceived) -> None:
        self._ended()
        self._kept = (made, *(k for k in self._kept if _key(k) != _key(made)))
        self._fill_kept(made)
        self._show(made)
        self.shell.run(LOOK, lambda department, _: Perceptions(department).all(), partial(self._looked, made))

    # --- showing -----------------------------------------------------------------------------------

    def _looked(self, *found: Any) -> None:
        """Show what is kept: the audit on show, or else the latest."""
        *shown, kept = found
        on_show = shown[0] if shown else self.kept.currentData()
        if kept:  # a workspace that is open to read only keeps nothing
            self._kept = kept
        same = [k for k in self._kept if on_show is not None and _key(k) == _key(on_show)]
        chosen = same[0] if same else self._kept[0] if self._kept else None
        self._fill_kept(chosen)
        self._show(chosen)
        if chosen is not None:
            self.filled.emit(self)

    def _fill_kept(self, chosen: Perceived | None) -> None:
        with QSignalBlocker(self.kept):
            self.kept.clear()
            for kept in self._kept:
                self.kept.addItem(sentences.kept_name(kept), kept)
            place = next((i for i, k in enumerate(self._kept) if k is chosen), 0)
            self.kept.setCurrentIndex(place)
        self._earlier.setVisible(len(self._kept) > 1)

    def _show(self, kept: Perceived | None) -> None:
        there = kept is not None
        self._split.setVisible(there)
        if kept is None:
            self.plot.set_table(None)
            self.model.set_rows(())
            self.sentence.setText(sentences.what_is_asked())
            show_text(self.note, "")
            return
        self.sentence.setText(sentences.in_a_sentence(kept))
        show_text(self.note, sentences.figures(kept))
        strongest = kept.perception.expressions[::-1]
        self.model.set_rows(strongest)
        panels = (
            sentences.reference_name(kept.reference),
            sentences.model_name(kept.who) if kept.model_hash else kept.who,
        )
        self.plot.set_table(AnswerTable(panels, tuple((a.expression, _read(a)) for a in strongest)))

    def _update(self) -> None:
        opened = self.shell.opened
        why = ""
        if opened is None:
            why = say("Open a workspace first.")
        elif opened.read_only:
            why = read_only_reason()
        elif self._asking:
            why = say("Wait until all is answered, or stop.")
        enable(self.ask, why)
        for box in (self.who, self.reference, self.shots, self.statements):
            box.setEnabled(not why)
        self._progress.setVisible(self._asking)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = event.size().width() < _NARROW
        self._split.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)


def _box(name: str) -> QComboBox:
    box = choice(name)
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    return box


def _key(kept: Perceived) -> tuple[str, int, str]:
    return kept.model_hash or kept.who, kept.shots, kept.reference


def _read(agreement: Agreement) -> tuple[Answered, Answered]:
    return (
        Answered(agreement.reference_histogram, agreement.reference_mean, agreement.reference_n),
        Answered(agreement.histogram, agreement.mean.value or 0.0, agreement.n),
    )


def _columns() -> tuple[Column, ...]:
    def figure(name: str, *, width: int) -> Column:
        return estimated(
            sentences.HEADERS[name](),
            lambda a: astuple(getattr(a, name))[:3],
            lambda *ends: sentences.estimate(Estimate(*ends), share=name == "pa"),
            missing=say("not enough data"),
            meaning=sentences.MEANINGS[name](),
            width=width,
        )

    def mean(header: str, of: Callable[[Agreement], float | None], *, width: int) -> Column:
        return measured(header, of, lambda share: percent(share / 100), width=width)

    return (
        Column(say("word"), lambda a: str(a.expression), width=140),
        mean(say("read as"), lambda a: a.mean.value, width=72),
        mean(say("meant as"), lambda a: a.reference_mean, width=76),
        figure("mae", width=132),
        figure("pa", width=112),
        figure("w1", width=124),
        count(say("n"), lambda a: a.n, say("Answers, or statements that a model was asked about")),
        count(say("answers behind the reference"), lambda a: a.reference_n),
    )
