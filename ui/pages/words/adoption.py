"""Preview of a survey or another list before it replaces the department's words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPushButton, QRadioButton, QVBoxLayout, QWidget

from radcal.errors import InputError
from radcal.lexicon import editing
from ui.pages.words.comparison import ComparedView
from ui.widgets.labels import label, wrapped
from ui.words import listed, quoted, say, typographic, whole

if TYPE_CHECKING:
    from radcal.lexicon.phrases import Lexicon
    from ui.pages.words.work import ReadList
    from ui.shell import Shell

_MOST_NAMED = 6


class TakeOverDialog(QDialog):
    """Shows the changes; ``wanted`` carries the resulting lexicon."""

    wanted = Signal(object)

    def __init__(self, shell: Shell, now: Lexicon, read: ReadList, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(say("Take over {name}", name=read.name))
        self.setModal(True)
        self._now, self._read = now, read
        self._made: Lexicon | None = None
        self.view = ComparedView(shell, "words taken over")
        self.view.set_colours(shell.colours)
        self.view.show_lists(now, read.lexicon, (say("the words of now"), read.name))
        self.keep = QRadioButton(say("&Keep the phrases that it does not have"))
        self.only = QRadioButton(say("&Only its phrases; all others go"))
        self.keep.setChecked(True)
        self.what = wrapped()
        self.take = QPushButton(say("&Take over"))
        self.take.setProperty("primary", True)
        buttons = QDialogButtonBox()
        buttons.addButton(self.take, QDialogButtonBox.ButtonRole.AcceptRole)
        buttons.addButton(QPushButton(say("Cancel")), QDialogButtonBox.ButtonRole.RejectRole)
        buttons.accepted.connect(self._accept)
        buttons.rejected.connect(self.reject)
        self.keep.toggled.connect(self._show_outcome)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(8)
        layout.addWidget(self.view, 1)
        layout.addWidget(label(say("Synonyms stay with their phrases."), role="muted"))
        layout.addWidget(self.keep)
        layout.addWidget(self.only)
        layout.addWidget(self.what)
        layout.addWidget(buttons)
        self._show_outcome()
        room = self.screen().availableSize()
        self.resize(min(980, room.width() - 40), min(640, room.height() - 80))
        self.take.setFocus()

    @Slot()
    def _show_outcome(self, *_: object) -> None:
        try:
            made = editing.taken_over(self._now, self._read.lexicon, keep_others=self.keep.isChecked())
        except InputError as error:
            self._made = None
            self.take.setEnabled(False)
            self.what.setText(typographic(str(error)))
            return
        self._made = made
        self.take.setEnabled(made.version != self._now.version)
        before, after = {p.name for p in self._now.phrases}, {p.name for p in made.phrases}
        parts = [say("{n} phrases then.", n=whole(len(after)))]
        if made.version == self._now.version:
            parts = [say("Nothing would change.")]
        if new := [p.name for p in made.phrases if p.name not in before]:
            parts.append(say("New: {words}.", words=_named(new)))
        if gone := [p.name for p in self._now.phrases if p.name not in after]:
            parts.append(say("Gone: {words}.", words=_named(gone)))
        self.what.setText(" ".join(parts))

    @Slot()
    def _accept(self) -> None:
        if self._made is not None:
            self.wanted.emit(self._made)
        self.accept()


def _named(names: list[str]) -> str:
    shown = [quoted(n) for n in names[:_MOST_NAMED]]
    more = len(names) - len(shown)
    if more:
        shown.append(say("{n} more", n=whole(more)))
    return listed(shown)
