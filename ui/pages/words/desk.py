"""Editing the lexicon: current state, undo and redo, and saving every change."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QUndoCommand, QUndoStack

from radcal.errors import InputError
from radcal.lexicon import editing
from ui.pages.words import work
from ui.widgets.undoing import Edit
from ui.words import say, typographic

if TYPE_CHECKING:
    from radcal.lexicon.phrases import Lexicon
    from radcal.workflow.words.words import LexiconVersion
    from ui.pages.words.work import WordList
    from ui.shell import Shell

SAVE = "words save"


class WordsDesk(QObject):
    """The lexicon being edited.

    changed: the WordList, after every edit, undo and redo;  refused: why an edit is not possible, '' when one was
    kept: all versions, after a change was stored
    """

    changed = Signal(object)
    refused = Signal(object)
    kept = Signal(object)

    def __init__(self, shell: Shell, stack: QUndoStack, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._shell = shell
        self._stack = stack
        self._words: WordList | None = None
        self.editable = False

    @property
    def words(self) -> WordList | None:
        """The current words, None before any were shown."""
        return self._words

    @property
    def lexicon(self) -> Lexicon:
        """The current lexicon.

        Raises:
            RuntimeError: none were shown yet.
        """
        if self._words is None:
            raise RuntimeError("no words are shown yet")
        return self._words.lexicon

    def show(self, words: WordList | None, *, editable: bool) -> None:
        """Load the stored words; the undo history is kept only if they are unchanged."""
        self.editable = editable and words is not None
        if words is None or self._words is None or words.key != self._words.key:
            self._stack.clear()
            self._words = words
        if self._words is not None:
            self.changed.emit(self._words)

    # --- edits -------------------------------------------------------------------------------------

    def edit(self, change: Callable[[Lexicon], Lexicon], text: str, *, merge: str = "") -> bool:
        """Change the lexicon; False, with a message, if impossible.

        text: what is done, as the undo menu names it
        merge: edits in a row with the same name are undone together, '' for none
        """
        words = self._words
        if words is None or not self.editable:
            return False
        try:
            lexicon = change(words.lexicon)
        except InputError as error:
            self.refused.emit(typographic(str(error)))
            return False
        names = {p.name for p in lexicon.phrases}
        allowed = tuple(n for n in words.allowed if n in names)
        return self._push(replace(words, lexicon=lexicon, allowed=allowed), text, merge)

    def move(self, name: str, mean: float, spread: float, *, step: bool = False) -> bool:
        """Change a phrase's mean and spread; consecutive steps on one phrase are merged."""

        def change(lexicon: Lexicon) -> Lexicon:
            return editing.replaced(lexicon, editing.with_moments(editing.named(lexicon, name), mean, spread))

        text = say("what \u201c{phrase}\u201d means", phrase=name)
        return self.edit(change, text, merge=f"move {name}" if step else "")

    def allow(self, name: str, allowed: bool) -> bool:
        """Set whether advice may propose the phrase."""
        words = self._words
        if words is None or not self.editable or words.allows(name) == allowed:
            return False
        names = [p.name for p in words.lexicon.phrases]
        chosen = tuple(n for n in names if (allowed if n == name else words.allows(n)))
        if not chosen:
            self.refused.emit(say("Advice needs at least one word that it may propose."))
            return False
        text = say("whether advice may propose \u201c{phrase}\u201d", phrase=name)
        return self._push(replace(words, allowed=() if len(chosen) == len(names) else chosen), text)

    def take_over(self, lexicon: Lexicon, origin: Lexicon, text: str) -> bool:
        """Replace the whole list; from now on meanings are reset to ``origin``."""
        words = self._words
        if words is None or not self.editable:
            return False
        names = {p.name for p in lexicon.phrases}
        kept = tuple(n for n in words.allowed if n in names)
        return self._push(replace(words, lexicon=lexicon, origin=origin, allowed=kept), text)

    def _push(self, words: WordList, text: str, merge: str = "") -> bool:
        if self._words is None or words.key == self._words.key:
            return False
        self.refused.emit("")
        self._stack.push(_EditWords(text, self._words, words, partial(self.apply, text), merge))
        return True

    def apply(self, text: str, words: WordList) -> None:
        """Show and save the words, described by ``text``; for the undo commands."""
        self._words = words
        self.changed.emit(words)
        self._shell.run(SAVE, partial(work.save, words, text), self._saved, keeps=True)

    def _saved(self, history: tuple[LexiconVersion, ...]) -> None:
        self.kept.emit(history)


class _EditWords(Edit["WordList"]):
    """Replace one lexicon by another."""

    def __init__(
        self, text: str, before: WordList, after: WordList, show: Callable[[WordList], None], merge: str
    ) -> None:
        super().__init__(text, before, after, show)
        self._id = zlib.crc32(merge.encode()) & 0x7FFFFFFF if merge else -1

    def id(self) -> int:
        return self._id

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _EditWords):
            return False
        self.after = other.after
        return True
