"""Certainty words found in reports but in no list: each with its sentences, and placed with one key."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from radcal.words import editing
from radcal.words.phrases import mean_of, suggest
from ui.kit.action import push_button
from ui.kit.column import Column, RecordModel
from ui.kit.form import choice, offer
from ui.kit.layout import card, hbox, vbox
from ui.kit.table import DataTable
from ui.kit.text import caption, label, show_text, wrapped
from ui.pages.words.proposals import ProposalsPart
from ui.words import percent, quoted, say, whole

if TYPE_CHECKING:
    from radcal.calibration.department_words import UnknownWords, Uses
    from radcal.words.phrases import Lexicon
    from ui.pages.words.desk import WordsDesk
    from ui.pages.words.work import WordList
    from ui.shell import Shell


class UnknownPart(QWidget):
    """The unknown words, their sentences, and the phrases to assign them to."""

    def __init__(self, shell: Shell, desk: WordsDesk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell, self._desk = shell, desk
        self._found: tuple[UnknownWords, ...] = ()
        self._read = False
        self.model = RecordModel(
            (
                Column(say("word"), lambda u: str(u.words), width=180),
                Column(say("found"), lambda u: whole(u.n), number=True, value=lambda u: u.n, width=72),
                Column(say("for example"), lambda u: u.examples[0] if u.examples else ""),
            ),
            self,
        )
        self.note = wrapped()
        self.table = DataTable("unknown words", say("Unknown words"), self.model, shell)
        self.table.setMinimumHeight(140)
        self._build_card()
        vbox(self.note, (self.table, 1), self.card, (None, 0), parent=self, margins=(0, 8, 0, 0))
        self.table.current_changed.connect(self._row_chosen)
        self.table.activated.connect(self.place_chosen)
        self.target.currentIndexChanged.connect(self._target_chosen)
        desk.changed.connect(self._words_changed)
        desk.refused.connect(self._show_reason)

    def _build_card(self) -> None:
        self.title = label(role="strong")
        self.examples = wrapped()
        self.target = choice(say("Word that means the same"))
        self.target.setPlaceholderText(say("Choose a word"))
        self.place = push_button(
            say("&Place it there"), self.place_chosen, tip=say("Enter in the table does the same."), primary=True
        )
        self.proposals = ProposalsPart(self._shell)
        self.proposals.taken.connect(self.make_phrase)
        self.why = wrapped(role="error")
        self.why.hide()
        placing = hbox(
            caption(say("Means the &same as"), self.target), self.target, self.place, self.proposals.button, None
        )
        parts = (self.title, self.examples, self.proposals, placing, self.why)
        self.card = card(vbox(*parts, margins=(12, 8, 12, 12)))

    # --- showing -----------------------------------------------------------------------------------

    @property
    def n(self) -> int:
        """The number of unassigned words."""
        return self.model.rowCount()

    def set_uses(self, uses: Uses) -> None:
        """Show the words found in the reports."""
        self._found, self._read = uses.unknown, bool(uses.engine)
        if self._desk.words is not None:
            self._words_changed(self._desk.words)

    @Slot(object)
    def _words_changed(self, words: WordList) -> None:
        chosen = self.current()
        left = tuple(u for u in self._found if words.lexicon.find(u.words) is None)
        row = self.table.current_row()
        if left != self.model.rows:
            self.model.set_rows(left)
            if left:
                kept = next((i for i, u in enumerate(left) if chosen is not None and u.words == chosen.words), None)
                self.table.select_row(min(max(row, 0), len(left) - 1) if kept is None else kept)
        self._fill_targets(words.lexicon)
        self.note.setText(self._told())
        self.table.setVisible(bool(left))
        self._row_chosen(self.table.current_row())

    def _told(self) -> str:
        if not self._read:
            return say("No report has been read yet. Words that are in no list will be shown here.")
        if not self._found:
            return say("Nothing to do: the list has every word found in the reports.")
        if not self.n:
            return say("Done: every word is placed. Analyse again to count them.")
        return say("Say what these words mean: choose a word that means the same and press Enter.")

    def _fill_targets(self, lexicon: Lexicon) -> None:
        names = [p.name for p in reversed(lexicon.phrases)]
        if [self.target.itemData(i) for i in range(self.target.count())] != names:
            offer(self.target, ((f"{p.name} ({percent(mean_of(p))})", p.name) for p in reversed(lexicon.phrases)))

    def current(self) -> UnknownWords | None:
        """The selected words."""
        found: UnknownWords | None = self.table.current_record()
        return found

    @Slot(object)
    def _row_chosen(self, _row: int) -> None:
        unknown, words = self.current(), self._desk.words
        self.card.setVisible(unknown is not None)
        self.proposals.show_words(unknown if words is not None else None, editable=self._desk.editable)
        if unknown is None or words is None:
            return
        self.why.hide()
        found = say("found once", many="found {n:,} times", n=unknown.n)
        self.title.setText(f"{quoted(unknown.words)} \u00b7 {found}")
        show_text(self.examples, "\n".join(f"\u2022 {' '.join(e.split())}" for e in unknown.examples))
        guess = suggest(words.lexicon, unknown.words)
        self.target.setCurrentIndex(self.target.findData(guess) if guess else -1)
        self.target.setEnabled(self._desk.editable)
        self._target_chosen()

    @Slot()
    def _target_chosen(self, *_: object) -> None:
        self.place.setEnabled(self._desk.editable and self.target.currentIndex() >= 0)
        words = self._desk.words
        like = editing.by_name(words.lexicon, str(self.target.currentData() or "")) if words is not None else None
        self.proposals.set_like(0.5 if like is None else mean_of(like))

    @Slot(object)
    def _show_reason(self, reason: str) -> None:
        show_text(self.why, reason)

    # --- placing -----------------------------------------------------------------------------------

    @Slot()
    def place_chosen(self, *_: object) -> None:
        """Assign the selected words to the phrase beside them."""
        unknown = self.current()
        if unknown is not None and self.target.currentIndex() < 0:
            self.target.setFocus()
            self.target.showPopup()
        elif unknown is not None:
            change = partial(editing.add_synonym, name=str(self.target.currentData()), words=unknown.words)
            self._desk.edit(change, unknown.words)

    @Slot(object)
    def make_phrase(self, meaning: tuple[float, float]) -> None:
        """Make the selected words a phrase with this mean and spread, each 0-1."""
        unknown = self.current()
        if unknown is not None:
            change = partial(editing.add_phrase, name=unknown.words, mean=meaning[0], spread=meaning[1])
            self._desk.edit(change, unknown.words)
