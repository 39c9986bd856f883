"""Preview of a survey or another list before it replaces the department's words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QRadioButton, QWidget

from radcal.system.errors import InputError
from radcal.words import editing
from ui.kit.action import push_button
from ui.kit.dialog import Dialog
from ui.kit.text import label, wrapped
from ui.pages.words.comparison import ComparedView
from ui.words import listed, quoted, say, typographic

if TYPE_CHECKING:
    from radcal.words.phrases import Lexicon
    from ui.pages.words.work import ReadList
    from ui.shell import Shell

_MOST_NAMED = 6


class TakeOverDialog(Dialog):
    """Shows the changes; ``wanted`` carries the resulting lexicon."""

    wanted = Signal(object)

    def __init__(self, shell: Shell, now: Lexicon, read: ReadList, parent: QWidget | None = None) -> None:
        super().__init__(say("Take over {name}", name=read.name), parent)
        self._now, self._read = now, read
        self._made: Lexicon | None = None
        view = ComparedView(shell, "words taken over")
        view.show_lists(now, read.lexicon, (say("the words of now"), read.name))
        self.keep = QRadioButton(say("&Keep the phrases that it does not have"))
        self.only = QRadioButton(say("&Only its phrases; all others go"))
        self.keep.setChecked(True)
        self.keep.toggled.connect(self._show_outcome)
        self.what = wrapped()
        self.take = push_button(say("&Take over"), primary=True)
        self.lay_out(
            (view, 1),
            label(say("Synonyms stay with their phrases."), role="muted"),
            self.keep,
            self.only,
            self.what,
            accept=self.take,
        )
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
        changes = made.version != self._now.version
        self.take.setEnabled(changes)
        before, after = ([p.name for p in lexicon.phrases] for lexicon in (self._now, made))
        parts = [say("{n} phrases then.", n=len(after)) if changes else say("Nothing would change.")]
        if new := [quoted(name) for name in after if name not in before]:
            parts.append(say("New: {words}.", words=listed(new, _MOST_NAMED)))
        if gone := [quoted(name) for name in before if name not in after]:
            parts.append(say("Gone: {words}.", words=listed(gone, _MOST_NAMED)))
        self.what.setText(" ".join(parts))

    def accept(self) -> None:
        """Hand over the resulting lexicon and close."""
        if self._made is not None:
            self.wanted.emit(self._made)
        super().accept()
