"""Language models' answers: how certain they say they are, whether they are right, and what mends it."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QSplitter, QWidget

from radcal.system.selection import Selection
from ui.kit.action import enable, push_button
from ui.kit.files import ask_open_many
from ui.kit.form import choice
from ui.kit.layout import hbox, vbox
from ui.kit.picture import PictureView
from ui.kit.table import DataTable
from ui.kit.text import caption, show_text, wrapped
from ui.pages.lab import sentences, work
from ui.pages.lab.models import SCORES, Row, columns, score_name, score_of
from ui.pages.lab.pane import TABLES
from ui.plots.records import SetSizes, SizePoint
from ui.sentences import method_name, read_only_reason
from ui.widgets.empty import EmptyState
from ui.words import say

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from radcal.department import Department
    from radcal.lab.speakers import Speaker
    from radcal.system.progress import Progress
    from ui.pages.lab.work import Measured
    from ui.plots.set_sizes_plot import SetSizesPlot
    from ui.records import Opened
    from ui.shell import Shell

MEASURE, TAKEN, TAKE = "models measure", "models taken", "models take"
_LEAST = 290
"""Least height in pixels of the picture with its sentence and readout."""


class AnswersTab(QWidget):
    """Answers of models from files: measured, recalibrated, and taken into the workspace."""

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self.shell = shell
        self.measured: Measured | None = None
        self.taken: Mapping[str, int] = {}
        self._department: object = None
        self._asked = False
        self.nothing = EmptyState()
        self.nothing.pressed.connect(self.ask_files)
        self.content = QWidget()
        self._build()
        vbox((self.nothing, 1), (self.content, 1), parent=self, margins=(0, 12, 0, 0))
        self.content.hide()

    def _build(self) -> None:
        self.overview = wrapped(role="strong")
        self.left_out = wrapped(role="muted")
        self.open = push_button(say("&Open answers\u2026"), self.ask_files, tip=sentences.formats())
        self.take = push_button(say("&Take into the workspace"), self.take_in)
        self.give = push_button(say("Take o&ut again"), self.take_out)
        self.score = choice("", *((score_name(score), score) for score in SCORES))
        self.score.currentIndexChanged.connect(self._fill)
        self.table = DataTable("models", say("Models"), columns(), self.shell)
        self.model = self.table.model
        self.table.current_changed.connect(self._chosen)
        self.table.activated.connect(self._see)
        self.table.add_to_bar(caption(say("&Score"), self.score))
        self.table.add_to_bar(self.score)
        self.picture = PictureView(self.shell, _plot, "")
        self.picture.setMinimumHeight(_LEAST)
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.setChildrenCollapsible(False)
        for part in (self.table, self.picture):
            self.splitter.addWidget(part)
        buttons = hbox(self.open, self.take, self.give, None)
        vbox(self.overview, self.left_out, buttons, (self.splitter, 1), parent=self.content)

    def show_department(self, opened: Opened) -> None:
        """A workspace was opened, or its results changed."""
        if opened.department is not self._department:
            self._department, self._asked, self.measured, self.taken = opened.department, False, None, {}
            self._fill()
        self.shell.run(TAKEN, work.taken, self._taken_known)

    def arrive(self) -> None:
        """Measure what is in the workspace, once, unless a file was opened."""
        self._asked, asked = True, self._asked
        if not asked and self.taken and self.measured is None:
            self._measure_taken()

    @Slot()
    def ask_files(self) -> None:
        """Ask for files of answers."""
        ask_open_many(self, say("Choose a file of answers"), (TABLES,), self.open_files)

    def open_files(self, names: Sequence[str]) -> None:
        """Measure the answers of these files."""
        files = tuple(map(Path, names))
        title = say("Measuring models")
        self.shell.run(
            MEASURE, partial(work.measure_files, files), self._measured, stopped=self._fill, title=title, long=True
        )

    @Slot()
    def take_in(self) -> None:
        """Take the answers that were opened into the workspace."""
        if self.measured is not None and self.measured.answers is not None:
            self._change(partial(work.take_in, self.measured.answers))

    @Slot()
    def take_out(self) -> None:
        """Take the answers of the models chosen in the table out again; of all, if none is chosen."""
        chosen = {self.model.row(r).speaker.author for r in self.table.selected_rows()} or set(self.taken)
        self._change(partial(work.take_out, frozenset(chosen)))

    def _change(self, change: Callable[[Department, Progress], Mapping[str, int]]) -> None:
        title = say("Changing the models of the workspace")
        self.shell.run(TAKE, change, partial(self._changed, title), title=title, keeps=True)

    def _changed(self, title: str, taken: Mapping[str, int]) -> None:
        self._taken_known(taken)
        self.shell.reload(title)

    @Slot(object)
    def _see(self, row: int) -> None:
        """The page of a model that is in the workspace."""
        speaker: Speaker = self.model.row(row).speaker
        chosen, opened = Selection(speaker.author, speaker.topic), self.shell.opened
        if opened is not None and opened.view(chosen.group) is not None:
            self.shell.choose(chosen)
            self.shell.go("results")

    def _measure_taken(self) -> None:
        title = say("Measuring models")
        self.shell.run(MEASURE, work.measure_taken, self._measured, stopped=self._not_measured, title=title, long=True)

    def _not_measured(self) -> None:
        """Stopped: the next visit asks again."""
        self._asked = False
        self._fill()

    def _measured(self, measured: Measured | None) -> None:
        self.measured = measured
        self._fill()
        if measured is not None and self.model.rowCount():
            self.table.select_row(0)

    def _taken_known(self, taken: Mapping[str, int]) -> None:
        before, self.taken = self.taken, taken
        if self._asked and self.measured is None and taken and not before:
            self._measure_taken()
        elif self.measured is not None and self.measured.answers is None and set(taken) != set(before):
            self.measured = None
            if taken:
                self._measure_taken()
        self._fill()

    @Slot()
    def _fill(self, *_: object) -> None:
        measured, opened = self.measured, self.shell.opened
        self.nothing.setVisible(measured is None)
        self.content.setVisible(measured is not None)
        if measured is None:
            text = say("Open a file of a model\u2019s answers: how sure it was of each, and whether it was right.")
            self.nothing.show_text(f"{text}\n\n{sentences.formats()}", say("&Open answers\u2026"))
            return
        made = measured.made
        self.overview.setText(sentences.overview(made))
        show_text(self.left_out, sentences.left_out(made))
        chosen = self.table.current_row()
        self.model.set_table(columns(self.score.currentData()), [Row(s, s.author in self.taken) for s in made.speakers])
        self.table.select_row(max(chosen, 0))
        read_only = opened is not None and opened.read_only
        why = read_only_reason() if read_only else ""
        of_files = measured.answers is not None
        enable(self.take, why)
        self.take.setVisible(of_files)
        enable(self.give, why)
        self.give.setVisible(bool(self.taken))

    @Slot(object)
    def _chosen(self, row: int) -> None:
        if not 0 <= row < self.model.rowCount():
            return
        speaker: Speaker = self.model.row(row).speaker
        about, record = sentences.about(speaker), _sizes(speaker, self.score.currentData())
        if record is None:
            self.picture.show_text(about)
            return
        self.picture.picture().set_record(record)
        self.picture.show_picture(say("How many words are enough"), about)


def _sizes(speaker: Speaker, score: str) -> SetSizes | None:
    """The picture of one model; None where it was not recalibrated."""
    if speaker.recalibrated is None:
        return None
    points = [
        SizePoint(len(s.words), s.choice == "best", s.words, v.value, v.low, v.high)
        for choice in ("best", "even")
        for s in speaker.recalibrated.sizes
        if s.choice == choice and (v := getattr(s.scores, score))
    ]
    levels = [
        (method_name(method), found.value)
        for method in ("none", "platt")
        if (found := score_of(speaker, method, score)) is not None
    ]
    return SetSizes(score_name(score), score == "accuracy", tuple(points), tuple(levels))


def _plot() -> SetSizesPlot:
    from ui.plots.set_sizes_plot import SetSizesPlot

    return SetSizesPlot()
