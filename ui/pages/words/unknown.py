"""Certainty words found in reports but in no list: each can be assigned with one key."""

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
    from radcal.reliability.department_words import UnknownWords, Uses
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
                Column(say("words"), lambda u: str(u.words), width=180),
                Column(say("found"), lambda u: whole(u.n), number=True, value=lambda u: u.n, width=72),
                Column(say("for example"), lambda u: u.examples[0] if u.examples else ""),
            ),
            self,
        )
        self.note = wrapped(role="muted")
        self.table = DataTable("unknown words", say("Unknown words"), self.model, shell)
        self.table.setMinimumHeight(140)
        self._build_card()
        vbox(self.note, (self.table, 1), self.card, parent=self, margins=(0, 8, 0, 0))
        self.table.current_changed.connect(self._row_chosen)
        self.table.activated.connect(self.place_chosen)
        self.target.currentIndexChanged.connect(self._target_chosen)
        desk.changed.connect(self._words_changed)
        desk.refused.connect(self._show_reason)

    def _build_card(self) -> None:
        self.title = label(role="strong")
        self.examples = wrapped()
        self.target = choice(say("Phrase that these words stand for"))
        self.target.setPlaceholderText(say("Choose a phrase"))
        self.place = push_button(
            say("&Place them there"), self.place_chosen, tip=say("Enter in the table does the same."), primary=True
        )
        tip = say("With the meaning that is selected above; else with that of the phrase beside, or 50 %.")
        self.own = push_button(say("Make them a phrase of their &own"), self.make_phrase, tip=tip)
        self.proposals = ProposalsPart(self._shell)
        self.why = wrapped(role="error")
        self.why.hide()
        placing = hbox(caption(say("They mean the &same as"), self.target), self.target, self.place, self.own, None)
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
        self._show_note()
        self._row_chosen(self.table.current_row())

    def _show_note(self) -> None:
        if not self._read:
            text = say("No reports were read yet. Words that are in no list are shown here then.")
        elif not self._found:
            text = say("Every word of certainty that was found in the reports is in the list.")
        elif not self.n:
            text = say("Every word that was found is placed now. Analyse again to count them.")
        else:
            text = say(
                "These words express certainty and are in no list. Their findings are counted, but have no meaning"
                " that could be compared with CT, until you place them."
            )
        self.note.setText(text)

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
        self.examples.setText("\n".join(f"\u2022 {' '.join(e.split())}" for e in unknown.examples))
        self.examples.setVisible(bool(unknown.examples))
        guess = suggest(words.lexicon, unknown.words)
        self.target.setCurrentIndex(self.target.findData(guess) if guess else -1)
        self.target.setEnabled(self._desk.editable)
        self.own.setEnabled(self._desk.editable)
        self._target_chosen()

    @Slot()
    def _target_chosen(self, *_: object) -> None:
        self.place.setEnabled(self._desk.editable and self.target.currentIndex() >= 0)

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
            self._desk.edit(change, say("placing \u201c{words}\u201d", words=unknown.words))

    @Slot()
    def make_phrase(self) -> None:
        """Make the selected words a phrase: as proposed, else with the mean of the one beside them, else 0.5."""
        unknown, words, proposal = self.current(), self._desk.words, self.proposals.chosen()
        if unknown is not None and words is not None:
            like = editing.by_name(words.lexicon, str(self.target.currentData() or ""))
            mean, spread = mean_of(like) if like is not None else 0.5, editing.NEW_SPREAD
            if proposal is not None:
                mean, spread = proposal.mean, proposal.spread
            change = partial(editing.add_phrase, name=unknown.words, mean=mean, spread=spread)
            self._desk.edit(change, say("adding \u201c{words}\u201d", words=unknown.words))
