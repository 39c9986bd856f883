"""Editing the lexicon: current state, undo and redo, and saving every change."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from radcal.system.errors import InputError
from radcal.words import editing
from radcal.words.scales import belongs
from ui.kit.undoing import Step
from ui.pages.words import work
from ui.words import quoted, say, typographic

if TYPE_CHECKING:
    from PySide6.QtGui import QUndoStack

    from radcal.words.phrases import Lexicon
    from radcal.words.records import Scale
    from ui.pages.words.work import WordList
    from ui.shell import Shell

SAVE = "words save"


class WordsDesk(QObject):
    """The lexicon being edited.

    changed: the WordList, after every edit, undo and redo;  refused: why an edit is impossible, '' after one succeeded
    kept: all stored versions, after each change
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
        """The current words, None before any are loaded."""
        return self._words

    @property
    def lexicon(self) -> Lexicon:
        """The current lexicon.

        Raises:
            RuntimeError: no words are loaded.
        """
        if self._words is None:
            raise RuntimeError("no words are loaded")
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

    def edit(self, change: Callable[[Lexicon], Lexicon], about: str, *, merge: str = "") -> bool:
        """Change the lexicon; False, with a message, if impossible.

        about: the words that are changed
        merge: consecutive edits of the same name are undone together, '' for none
        """
        words = self._words
        if words is None or not self.editable:
            return False
        try:
            lexicon = change(words.lexicon)
        except InputError as error:
            self.refused.emit(typographic(str(error)))
            return False
        return self._push(words.with_lexicon(lexicon, words.origin), _change_of(about), merge)

    def move(self, name: str, mean: float, spread: float, *, step: bool = False) -> bool:
        """Change a phrase's mean and spread; consecutive steps on one phrase are merged."""

        def change(lexicon: Lexicon) -> Lexicon:
            return editing.replaced(lexicon, editing.with_moments(editing.named(lexicon, name), mean, spread))

        return self.edit(change, name, merge=f"move {name}" if step else "")

    def allow(self, name: str, allowed: bool) -> bool:
        """Set whether advice may propose the phrase."""
        words = self._words
        if words is None or not self.editable or words.allows(name) == allowed:
            return False
        if words.scale is not None and not belongs(words.scale, name):
            text = say(
                "{phrase} is not a word of the {scale} scale.",
                phrase=quoted(name),
                scale=words.scale.name,
            )
            self.refused.emit(text)
            return False
        names = [p.name for p in words.lexicon.phrases]
        chosen = tuple(n for n in names if (allowed if n == name else words.ticks(n)))
        changed = replace(words, allowed=() if chosen == words.usual else chosen)
        if not chosen or not changed.is_usable:
            self.refused.emit(say("Advice needs at least one word to propose."))
            return False
        return self._push(changed, _change_of(name))

    def choose_scale(self, scale: Scale | None) -> bool:
        """Make a scale the vocabulary, None for all words of the list."""
        words = self._words
        if words is None or not self.editable:
            return False
        changed = replace(words, scale=scale)
        if scale is not None and not changed.is_usable:
            text = say(
                "Advice could propose none of the words of the {scale} scale. Tick one of them in Meanings first.",
                scale=scale.name,
            )
            self.refused.emit(text)
            return False
        return self._push(changed, say("choosing a scale"))

    def take_over(self, lexicon: Lexicon, origin: Lexicon, text: str) -> bool:
        """Replace the whole list; resetting a meaning now restores that of ``origin``."""
        words = self._words
        if words is None or not self.editable:
            return False
        return self._push(words.with_lexicon(lexicon, origin), text)

    def _push(self, words: WordList, text: str, merge: str = "") -> bool:
        if self._words is None or words.key == self._words.key:
            return False
        self.refused.emit("")
        self._stack.push(Step(text, self._words, words, partial(self._apply, text), merge))
        return True

    def _apply(self, text: str, words: WordList) -> None:
        self._words = words
        self.changed.emit(words)
        self._shell.run(SAVE, partial(work.save, words, text), self.kept.emit, keeps=True)


def _change_of(words: str) -> str:
    """The name of an edit, among those to undo and among the versions of the list."""
    return say("changing \u201c{words}\u201d", words=words)
