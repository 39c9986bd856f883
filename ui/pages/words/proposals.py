"""Making unknown words a word of the list: the meanings that are proposed for it, each to be taken with a click."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QToolButton, QWidget

from radcal.words import editing
from ui.kit.action import enable, menu_button
from ui.kit.layout import vbox
from ui.kit.text import show_text, wrapped
from ui.sentences import read_only_reason
from ui.tasks import Failure
from ui.widgets.messages import Message
from ui.widgets.perception_sentences import model_name
from ui.words import percent, say, typographic

if TYPE_CHECKING:
    from radcal.calibration.department_words import UnknownWords
    from radcal.department import Department
    from radcal.lab.proposed_meanings import Proposal, Proposed
    from radcal.system.progress import Progress
    from ui.shell import Shell

LOOK, ASK = "words proposals", "words asked of a model"
"""The operations in the worker."""


class ProposalsPart(QWidget):
    """What the words on show may mean, and ``button``, whose menu takes a meaning or asks a language model for one.

    taken: (mean, spread), each 0-1
    """

    taken = Signal(object)

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell = shell
        self._unknown: UnknownWords | None = None
        self._editable = self._asking = False
        self._like = 0.5
        self.proposals: tuple[Proposal, ...] = ()
        self.text = wrapped(role="muted")
        self.button: QToolButton = menu_button(
            say("Make it a word of its &own \u25be"), say("Make it a word of its own")
        )
        self.button.menu().aboutToShow.connect(self.fill)
        vbox(self.text, parent=self)

    def show_words(self, unknown: UnknownWords | None, *, editable: bool) -> None:
        """Propose meanings for other words."""
        self._editable = editable
        self._update()
        if unknown == self._unknown:
            return
        self._unknown = unknown
        self._show(())
        if unknown is not None:
            self._look(unknown)

    def set_like(self, mean: float) -> None:
        """The mean certainty of the word that they are likened to, which is proposed, too."""
        self._like = mean

    def _look(self, unknown: UnknownWords) -> None:
        def work(department: Department, _progress: Progress) -> Proposed:
            from radcal.lab.proposed_meanings import ProposedMeanings

            return ProposedMeanings(department).of(unknown.words, unknown.examples)

        self._shell.run(LOOK, work, partial(self._looked, unknown))

    def _looked(self, unknown: UnknownWords, found: Proposed) -> None:
        if unknown == self._unknown:
            self._show(found.proposals, typographic(found.why_none))

    def _show(self, proposals: tuple[Proposal, ...], why_none: str = "") -> None:
        self.proposals = proposals
        none = say("No meaning to propose: {reason}", reason=why_none) if why_none else ""
        show_text(self.text, none or "\n".join(map(_told, proposals)))

    @Slot()
    def fill(self) -> None:
        """Offer the meanings, and the language models at hand."""
        from radcal.findings.engines import models_at_hand

        menu = self.button.menu()
        menu.clear()
        for p in self.proposals:
            menu.addAction(_told(p).replace("&", "&&"), partial(self.taken.emit, (p.mean, p.spread)))
        plain = say("{mean}, to be changed in Meanings", mean=percent(self._like))
        menu.addAction(plain, partial(self.taken.emit, (self._like, editing.NEW_SPREAD)))
        menu.addSeparator()
        for path in map(str, models_at_hand()):
            name = model_name(Path(path).name).replace("&", "&&")
            menu.addAction(say("Ask {model} what it means", model=name), partial(self.start, path))

    @Slot(str)
    def start(self, path: str) -> None:
        """Ask a model, in a file, what the words mean."""
        unknown = self._unknown
        if unknown is None:
            return

        def work(department: Department, progress: Progress) -> Proposed:
            from radcal.lab.proposed_meanings import ProposedMeanings

            proposals = ProposedMeanings(department)
            made = proposals.ask_model(unknown.words, Path(path), progress)
            return proposals.of(unknown.words, unknown.examples).with_these(made)

        self._asking = True
        self._update()
        self._shell.run(
            ASK, work, partial(self._asked, unknown), title=say("Asking what words mean"),
            failed=partial(self._failed, path), stopped=self._ended, keeps=True, long=True,
        )  # fmt: skip

    def _asked(self, unknown: UnknownWords, found: Proposed) -> None:
        self._ended()
        self._looked(unknown, found)

    def _failed(self, path: str, failure: Failure) -> None:
        self._ended()
        self._shell.messages.show_failure(Message.WORK_FAILED, failure, partial(self.start, path))

    def _ended(self) -> None:
        self._asking = False
        self._update()

    def _update(self) -> None:
        why = say("The model is still answering.") if self._asking else "" if self._editable else read_only_reason()
        enable(self.button, why)


def _told(p: Proposal) -> str:
    """A proposal in words: 'about 62 %: readers of such words. 10 statements'."""
    return say("About {mean}: {note}", mean=percent(p.mean), note=typographic(p.note))
