"""What unknown words may mean: proposals beside each other, of which the user takes one or none."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QProgressBar, QWidget

from ui.kit.action import enable, push_button
from ui.kit.column import Column, RecordModel
from ui.kit.files import ask_open
from ui.kit.form import choice, offer
from ui.kit.layout import hbox, panel, vbox
from ui.kit.table import DataTable
from ui.kit.text import caption, show_text, wrapped
from ui.sentences import read_only_reason
from ui.tasks import Failure
from ui.widgets.messages import Message
from ui.widgets.perception_sentences import model_name
from ui.words import percent, percent_range, say, typographic, whole

if TYPE_CHECKING:
    from radcal.department import Department
    from radcal.lab.proposed_meanings import Proposal, Proposed
    from radcal.reliability.department_words import UnknownWords
    from radcal.system.progress import Progress
    from ui.sentences import read_only_reason
    from ui.shell import Shell
from ui.tasks import TaskState

LOOK, ASK = "words proposals", "words asked of a model"
"""The operations in the worker."""
_OTHER = "other model"


class ProposalsPart(QWidget):
    """Proposals for the words on show; a language model is asked only on a click."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell = shell
        self._unknown: UnknownWords | None = None
        self._asking = ""
        self.model = RecordModel(
            (
                Column(say("proposed by"), _source, width=190),
                Column(say("mean"), lambda p: percent(p.mean), number=True, value=lambda p: p.mean, width=64),
                Column(
                    say("range"),
                    lambda p: percent_range(max(p.mean - p.spread, 0), min(p.mean + p.spread, 1)),
                    value=lambda p: p.spread,
                    meaning=say("The mean, and one standard deviation below and above it."),
                    width=92,
                ),
                Column(say("from"), lambda p: typographic(p.note)),
            ),
            self,
        )
        self.table = DataTable("proposals", say("Proposed meanings"), self.model, shell, searchable=False)
        self.table.setFixedHeight(168)
        self.none = wrapped(role="muted")
        self.who = choice(say("Language model that is asked"))
        self.ask = push_button(say("As&k the model too"), self.start)
        self.cancel = push_button(say("Ca&ncel"), self.stop)
        self.bar = QProgressBar(textVisible=False)
        self.bar.setAccessibleName(say("Progress of the questions"))
        self.bar_text = wrapped(role="muted")
        self._progress = panel(hbox((self.bar, 1), self.bar_text, self.cancel, spacing=12))
        self._progress.hide()
        asking = hbox(caption(say("Lang&uage model"), self.who), self.who, self.ask, None)
        vbox(self.table, self.none, asking, self._progress, parent=self, margins=(0, 0, 0, 0))
        self._fill_who()
        self.who.activated.connect(self._who_chosen)
        shell.tasks.changed.connect(self._show_task)
        self._show(())

    def chosen(self) -> Proposal | None:
        """The proposal that is selected."""
        found: Proposal | None = self.table.current_record()
        return found

    def show_words(self, unknown: UnknownWords | None, *, editable: bool) -> None:
        """Propose meanings for other words; the same ones keep what is selected."""
        self._update(editable)
        if unknown == self._unknown:
            return
        self._unknown = unknown
        self._show(())
        if unknown is not None:
            self._look(unknown)

    def _look(self, unknown: UnknownWords) -> None:
        def work(department: Department, _progress: Progress) -> Proposed:
            from radcal.lab.proposed_meanings import ProposedMeanings

            return ProposedMeanings(department).of(unknown.words, unknown.examples)

        self._shell.run(LOOK, work, partial(self._looked, unknown))

    def _looked(self, unknown: UnknownWords, found: Proposed) -> None:
        if unknown == self._unknown:
            self._show(found.proposals, typographic(found.why_none))

    def _show(self, proposals: tuple[Proposal, ...], why_none: str = "") -> None:
        self.model.set_rows(proposals)
        self.table.setVisible(bool(proposals))
        if proposals:
            self.table.select_row(0)
        told = say("Their sentences propose no meaning: {reason}", reason=why_none) if why_none else ""
        show_text(self.none, told)

    # --- asking a model ----------------------------------------------------------------------------

    def _fill_who(self, chosen: str = "") -> None:
        from radcal.findings.engines import models_at_hand

        paths = dict.fromkeys([*map(str, models_at_hand()), *filter(None, [chosen])])
        models = [(model_name(Path(path).name), path) for path in paths]
        offer(self.who, [*models, (say("another model\u2026"), _OTHER)], chosen)

    @Slot()
    def _who_chosen(self, *_: object) -> None:
        if self.who.currentData() == _OTHER:
            self.who.setCurrentIndex(0)
            ask_open(self, say("Choose the model file"), (say("Models (*.gguf)"),), self.take_model)

    @Slot(str)
    def take_model(self, path: str) -> None:
        """Choose a model file."""
        self._fill_who(path)

    @Slot()
    def start(self) -> None:
        """Ask the chosen model what the words mean."""
        unknown, path = self._unknown, str(self.who.currentData() or "")
        if path == _OTHER:
            ask_open(self, say("Choose the model file"), (say("Models (*.gguf)"),), self.take_model)
            return
        if unknown is None or not path:
            return

        def work(department: Department, progress: Progress) -> Proposed:
            from radcal.lab.proposed_meanings import ProposedMeanings

            proposals = ProposedMeanings(department)
            made = proposals.ask_model(unknown.words, Path(path), progress)
            found = proposals.of(unknown.words, unknown.examples)
            return found.with_these(made)

        self._asking = unknown.words
        self.bar.setRange(0, 0)
        self.bar_text.setText("")
        self._update(editable=True)
        self._shell.run(
            ASK, work, partial(self._asked, unknown), title=say("Asking what words mean"),
            failed=self._failed, stopped=self._ended, keeps=True, long=True,
        )  # fmt: skip

    @Slot()
    def stop(self) -> None:
        """Ask no further; nothing is kept."""
        self._shell.tasks.cancel(ASK)

    def _asked(self, unknown: UnknownWords, found: Proposed) -> None:
        self._ended()
        self._looked(unknown, found)

    @Slot(object)
    def _failed(self, failure: Failure) -> None:
        self._ended()
        self._shell.messages.show_failure(Message.WORK_FAILED, failure, self.start)

    def _ended(self) -> None:
        self._asking = ""
        self._update(editable=True)

    @Slot(object)
    def _show_task(self, state: TaskState | None) -> None:
        if not self._asking or state is None or state.operation != ASK or state.advance is None:
            return
        if state.advance.total:
            self.bar.setRange(0, state.advance.total)
            self.bar.setValue(state.advance.done)
            n = whole(state.advance.total)
            self.bar_text.setText(say("{done} of {n} questions", done=whole(state.advance.done), n=n))

    def _update(self, editable: bool) -> None:
        why = "" if editable else read_only_reason()
        if self._asking:
            why = say("Wait until all is answered, or cancel.")
        enable(self.ask, why, say("Takes a minute or more; the model stays on this computer."))
        self.who.setEnabled(not self._asking)
        self._progress.setVisible(bool(self._asking))


def _source(proposal: Proposal) -> str:
    names = {
        "hedges": say("readers of such words"),
        "model": say("the model, in numbers"),
        "neighbours": say("the model, by likeness"),
    }
    return names[proposal.source]
