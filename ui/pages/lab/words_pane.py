"""How a language model, or people, take certainty words: asked, compared, and kept with the workspace."""

from __future__ import annotations

from dataclasses import astuple
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter

from radcal.lab.model_perception import ALL_STATEMENTS, Perceptions
from radcal.lab.perception import Estimate
from ui.kit.action import push_button
from ui.kit.column import Column, RecordModel, count, estimated, measured
from ui.kit.files import ask_open
from ui.kit.form import choice, labelled
from ui.kit.layout import FlowLayout, panel, vbox
from ui.kit.opening import Opening
from ui.kit.picture import PictureCard
from ui.kit.table import DataTable
from ui.kit.text import show_text, wrapped
from ui.pages.lab.pane import TABLES, Pane
from ui.plots.perception_heatmap import PerceptionHeatmap
from ui.plots.records import Answered, AnswerTable
from ui.widgets import perception_sentences as sentences
from ui.widgets.messages import Message
from ui.words import percent, say

if TYPE_CHECKING:
    from collections.abc import Callable

    from radcal.department import Department
    from radcal.lab.perception import Agreement, Perceived
    from radcal.system.progress import Progress
    from ui.records import Opened
    from ui.shell import Shell
    from ui.tasks import Failure

ASK, LOOK = "perception", "perception kept"
"""The operations in the worker."""
OTHER_REFERENCE = "other reference"
FEW = 10
"""Statements for a first look."""
_NARROW = 1000


class WordsPane(Pane):
    """Chooses against whom, asks, and shows the last audit or an earlier one."""

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell)
        self._kept: tuple[Perceived, ...] = ()
        self._department: object = None
        self.reference = choice(
            "",
            (say("142 radiologists"), "radiologists"),
            (say("123 people of the public"), "public"),
            (say("choose a file\u2026"), OTHER_REFERENCE),
        )
        self.people = push_button(say("Read &people\u2019s answers\u2026"), self.ask_people)
        self.shots = choice("", ("0", 0), ("2", 2))
        self.statements = choice("", (f"{FEW}", FEW), (f"{ALL_STATEMENTS}", ALL_STATEMENTS))
        self.kept = choice("")
        self.sentence = wrapped(role="strong")
        self.note = wrapped(role="muted")
        self.plot = PerceptionHeatmap()
        name = say("What certainty words are taken to mean")
        self.picture = PictureCard(self.plot, shell, name)
        self.model = RecordModel(_columns(), self)
        self.table = DataTable("perception", name, self.model, shell)
        self.results = QSplitter()
        self.results.setChildrenCollapsible(False)
        self.results.addWidget(self.picture)
        self.results.addWidget(self.table)
        self.results.setSizes([520, 560])
        self._lay_out()
        self.reference.activated.connect(self._reference_chosen)
        self.kept.activated.connect(self._kept_chosen)
        self._show(None)

    def _lay_out(self) -> None:
        def row(*parts: tuple[str, Any]) -> FlowLayout:
            made = FlowLayout(spacing=12)
            for name, box in parts:
                box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
                made.addWidget(panel(labelled(name, box)))
            return made

        first = row((say("&Compared with"), self.reference))
        first.addWidget(self.people)
        more = row((say("Worked ans&wers"), self.shots), (say("&Statements"), self.statements))
        self._earlier = panel(row((say("K&ept"), self.kept)))
        self.how = Opening(say("&How it is asked"), panel(more))
        vbox(
            first,
            self.how,
            self._earlier,
            self.sentence,
            self.note,
            (self.results, 1000),
            (None, 1),
            parent=self,
        )

    def show_department(self, opened: Opened) -> None:
        """Look up the audits that are kept."""
        if opened.department is not self._department:
            self._department, self._kept = opened.department, ()
            self._show(None)
        self.people.setEnabled(not opened.read_only)
        self._look()

    def ask(self, model: Path) -> None:
        """Ask a model; of an asking that was stopped nothing is kept."""
        reference = str(self.reference.currentData())
        shots, most = int(self.shots.currentData()), int(self.statements.currentData())

        def work(department: Department, progress: Progress) -> Perceived:
            return Perceptions(department).ask_model(model, reference, shots, most, progress)

        self._run(work, say("Asking the model"))

    @Slot()
    def ask_people(self) -> None:
        """Ask for a file of people's answers."""
        ask_open(self, say("Choose a file of answers"), (TABLES,), self.read_people)

    @Slot(str)
    def read_people(self, path: str) -> None:
        """Compare a file of people's answers."""
        reference = str(self.reference.currentData())

        def work(department: Department, progress: Progress) -> Perceived:
            return Perceptions(department).read_people(Path(path), reference, progress)

        self._run(work, say("Reading the answers"))

    def _run(self, work: Callable[[Department, Progress], Perceived], title: str) -> None:
        self.begin()
        again = partial(self._run, work, title)
        self.shell.run(
            ASK, work, self._asked, title=title, failed=partial(self._failed, again), stopped=self.end,
            keeps=True, long=True,
        )  # fmt: skip

    def _failed(self, again: Callable[[], None], failure: Failure) -> None:
        self.end()
        self.shell.messages.show_failure(Message.WORK_FAILED, failure, again)

    def _asked(self, made: Perceived) -> None:
        self.end()
        self._kept = (made, *(k for k in self._kept if _key(k) != _key(made)))
        self._fill_kept(made)
        self._show(made)
        self._look(made)

    @Slot()
    def _reference_chosen(self, *_: object) -> None:
        if self.reference.currentData() == OTHER_REFERENCE:
            self.reference.setCurrentIndex(0)
            ask_open(self, say("Choose a file of answers"), (TABLES,), self.take_reference)

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

    def _look(self, shown: Perceived | None = None) -> None:
        look = partial(self._looked, shown)
        self.shell.run(LOOK, lambda department, _: Perceptions(department).all(), look)

    def _looked(self, shown: Perceived | None, kept: tuple[Perceived, ...]) -> None:
        """Show what is kept: the audit on show, or else the latest."""
        on_show = shown or self.kept.currentData()
        if kept:  # a workspace that is open to read only keeps nothing
            self._kept = kept
        same = [k for k in self._kept if on_show is not None and _key(k) == _key(on_show)]
        chosen = same[0] if same else self._kept[0] if self._kept else None
        self._fill_kept(chosen)
        self._show(chosen)

    def _fill_kept(self, chosen: Perceived | None) -> None:
        with QSignalBlocker(self.kept):
            self.kept.clear()
            for kept in self._kept:
                self.kept.addItem(sentences.kept_name(kept), kept)
            place = next((i for i, k in enumerate(self._kept) if k is chosen), 0)
            self.kept.setCurrentIndex(place)
        self._earlier.setVisible(len(self._kept) > 1)

    def _show(self, kept: Perceived | None) -> None:
        self.results.setVisible(kept is not None)
        self._earlier.setVisible(len(self._kept) > 1)
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
        who = sentences.model_name(kept.who) if kept.model_hash else kept.who
        panels = sentences.reference_name(kept.reference), who
        self.plot.set_table(AnswerTable(panels, tuple((a.expression, _read(a)) for a in strongest)))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = event.size().width() < _NARROW
        self.results.setOrientation(Qt.Orientation.Vertical if narrow else Qt.Orientation.Horizontal)


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
        count(say("n"), lambda a: a.n),
        count(say("answers behind the reference"), lambda a: a.reference_n),
    )
