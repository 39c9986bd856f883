"""The selected phrase: mean and spread, synonyms, and whether advice may propose it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QCheckBox,
    QDoubleSpinBox,
    QFrame,
    QGridLayout,
    QLineEdit,
    QListWidget,
    QSizePolicy,
    QWidget,
)

from radcal.words import editing
from radcal.words.phrases import has_few_answers, mean_of, spread_of
from ui.kit.action import menu_button, push_button
from ui.kit.layout import hbox, vbox
from ui.kit.text import caption, label, show_text, wrapped
from ui.kit.undoing import UndoOnward
from ui.words import percent, percent_range, quoted, say

if TYPE_CHECKING:
    from radcal.words.records import Phrase
    from ui.pages.words.desk import WordsDesk
    from ui.pages.words.work import ReadList, WordList


class PhraseEditor(QFrame):
    """A card with all editable properties of a phrase."""

    def __init__(self, desk: WordsDesk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._desk = desk
        self._name = ""
        self.title = label(role="strong")
        self.meaning = wrapped(role="muted")
        self._figures = QGridLayout()
        self.mean = self._add_figure(say("&Mean"), "%")
        self.spread = self._add_figure(say("S&pread"), say("points"))
        self.spread.setToolTip(say("How far readers differ: the standard deviation, in percentage points."))
        self.sources = wrapped(role="muted")
        self._sources: tuple[ReadList, ...] = ()
        self.take = menu_button(say("Take meanin&g from \u25be"), say("Take the meaning from another source"))
        self.reset = push_button(say("&Reset to the survey"), self._reset)
        self.allowed = QCheckBox(say("Ad&vice may propose this word"))
        self.remove_phrase = push_button(say("Remove the p&hrase"), self._remove_phrase)
        self.synonyms = QListWidget()
        self.synonyms.setAccessibleName(say("Synonyms"))
        self.synonyms.setMinimumHeight(72)
        self.synonyms.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        for key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            shortcut = QShortcut(QKeySequence(key), self.synonyms, context=Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(self._remove)
        self.new_words = QLineEdit()
        self.new_words.setPlaceholderText(say("Further words that mean the same"))
        self.new_words.setAccessibleName(say("New synonym"))
        self.add = push_button(say("&Add"), self._add)
        self.remove = push_button(say("R&emove"), self._remove)
        self.move_to = menu_button(say("Move &to \u25be"), say("Move to"))
        self.move_to.setToolTip(say("Let these words stand for another phrase"))
        self._targets = self.move_to.menu()
        self._targets.aboutToShow.connect(self._fill_targets)
        self.why = wrapped(role="error")
        self.why.hide()
        self._lay_out()
        self.mean.valueChanged.connect(self._mean_changed)
        self.spread.valueChanged.connect(self._spread_changed)
        self.allowed.clicked.connect(self._allow)
        self.new_words.returnPressed.connect(self._add)
        UndoOnward(self, self.mean, self.spread, self.new_words)
        self.synonyms.currentRowChanged.connect(self._synonym_chosen)
        desk.changed.connect(self._show_words)
        desk.refused.connect(self._show_reason)

    def _add_figure(self, name: str, unit: str) -> QDoubleSpinBox:
        spin = QDoubleSpinBox()
        spin.setDecimals(1)
        spin.setSingleStep(1.0)
        spin.setSuffix(f"\u00a0{unit}")
        spin.setKeyboardTracking(False)
        spin.setAccelerated(True)
        spin.setAccessibleName(name.replace("&", ""))
        row = self._figures.count() // 2
        self._figures.addWidget(caption(name, spin), row, 0)
        self._figures.addWidget(spin, row, 1)
        return spin

    def _lay_out(self) -> None:
        self._figures.setHorizontalSpacing(8)
        self._figures.setVerticalSpacing(6)
        self._figures.setColumnStretch(2, 1)
        left = Qt.AlignmentFlag.AlignLeft
        figures = vbox(
            self._figures,
            (self.take, 0, left),
            (self.reset, 0, left),
            (self.allowed, 0, left),
            (self.remove_phrase, 0, left),
            None,
            spacing=6,
        )
        heading = caption(say("S&ynonyms"), self.synonyms)
        words = vbox(
            hbox((heading, 1), self.remove, self.move_to),
            (self.synonyms, 1),
            hbox((self.new_words, 1), self.add),
            spacing=6,
        )
        vbox(
            self.title,
            self.meaning,
            self.sources,
            (hbox(figures, (words, 1), spacing=16), 1),
            self.why,
            parent=self,
            margins=(12, 8, 12, 12),
            spacing=6,
        )

    # --- showing -----------------------------------------------------------------------------------

    def show_phrase(self, name: str) -> None:
        """Show the phrase of that name."""
        if name != self._name:
            self._name = name
            self.why.hide()
            self.new_words.setText("")  # clear() could be undone
        self._show_words(self._desk.words)

    def _phrase(self) -> Phrase | None:
        words = self._desk.words
        return editing.by_name(words.lexicon, self._name) if words is not None else None

    def set_sources(self, sources: tuple[ReadList, ...]) -> None:
        """Where the meaning of a phrase can be taken from."""
        self._sources = sources
        self._show_words(self._desk.words)

    def _show_sources(self, phrase: Phrase | None) -> None:
        """What the other sources take the phrase to mean, side by side, each to be taken."""
        menu = self.take.menu()
        menu.clear()
        found = []
        for source in self._sources if phrase is not None and not editing.is_plain(phrase.name) else ():
            there = editing.by_name(source.lexicon, self._name)
            if there is not None:
                found.append(_told(source, there))
                menu.addAction(found[-1].replace("&", "&&"), partial(self.take_from, source))
        self.sources.setText(" \u00b7 ".join(found))
        self.sources.setVisible(bool(found))
        self.take.setEnabled(bool(found) and self._desk.editable)

    def take_from(self, source: ReadList) -> None:
        """Give the phrase the meaning that a source has for it."""
        text = say("taking the meaning of \u201c{phrase}\u201d from {source}", phrase=self._name, source=source.name)
        self._desk.edit(lambda lx: editing.reset_meaning(lx, self._name, source.lexicon), text)

    @Slot(object)
    def _show_words(self, words: WordList | None) -> None:
        phrase = self._phrase()
        self.setEnabled(phrase is not None)
        self._show_sources(phrase)
        if phrase is None or words is None:
            self.title.setText(say("Choose a phrase"))
            self.meaning.setText("")
            self.synonyms.clear()
            return
        plain, can = editing.is_plain(phrase.name), self._desk.editable
        self.title.setText(quoted(phrase.name))
        self.show_figures(phrase)
        for spin in (self.mean, self.spread):
            spin.setEnabled(can and not plain)
        first = editing.by_name(words.origin, phrase.name)
        differs = first is not None and (first.alpha, first.beta) != (phrase.alpha, phrase.beta)
        self.reset.setEnabled(can and differs)
        self.reset.setToolTip(
            say(
                "Readers take it as {range} there, mean {mean}.",
                range=percent_range(first.low, first.high),
                mean=percent(mean_of(first)),
            )
            if first is not None
            else say("No survey that this list was made from has this phrase.")
        )
        with QSignalBlocker(self.allowed):
            self.allowed.setChecked(words.allows(phrase.name))
        for control in (self.allowed, self.add, self.new_words):
            control.setEnabled(can)
        self.remove_phrase.setEnabled(can and not plain)
        self._show_synonyms(phrase)

    def _show_synonyms(self, phrase: Phrase) -> None:
        shown = [self.synonyms.item(i).text() for i in range(self.synonyms.count())]
        if shown != list(phrase.synonyms):
            row = self.synonyms.currentRow()
            with QSignalBlocker(self.synonyms):
                self.synonyms.clear()
                self.synonyms.addItems(list(phrase.synonyms))
                self.synonyms.setCurrentRow(min(row, len(phrase.synonyms) - 1))
        self._synonym_chosen(self.synonyms.currentRow())

    def show_figures(self, phrase: Phrase) -> None:
        """Show mean and spread, also while the phrase is dragged."""
        mean, spread = mean_of(phrase), spread_of(phrase)
        widest = 100 * editing.widest_spread(min(max(mean, editing.LEAST_MEAN), editing.MOST_MEAN))
        plain = spread == 0
        with QSignalBlocker(self.mean), QSignalBlocker(self.spread):
            self.mean.setRange(0 if plain else 100 * editing.LEAST_MEAN, 100 if plain else 100 * editing.MOST_MEAN)
            self.spread.setRange(0 if plain else 100 * editing.LEAST_SPREAD, max(widest, 100 * spread))
            self.mean.setValue(100 * mean)
            self.spread.setValue(100 * spread)
        self.meaning.setText(meaning_text(phrase))
        self.meaning.setToolTip(phrase.source)

    @Slot(object)
    def _show_reason(self, reason: str) -> None:
        show_text(self.why, reason)

    @Slot(int)
    def _synonym_chosen(self, row: int) -> None:
        chosen = row >= 0 and self._desk.editable
        self.remove.setEnabled(chosen)
        self.move_to.setEnabled(chosen)

    # --- changing ----------------------------------------------------------------------------------

    @Slot(float)
    def _mean_changed(self, value: float) -> None:
        phrase = self._phrase()
        if phrase is not None:
            self._desk.move(phrase.name, value / 100, spread_of(phrase), step=True)

    @Slot(float)
    def _spread_changed(self, value: float) -> None:
        phrase = self._phrase()
        if phrase is not None:
            self._desk.move(phrase.name, mean_of(phrase), value / 100, step=True)

    @Slot()
    def _reset(self) -> None:
        words = self._desk.words
        if words is not None:
            text = say("resetting \u201c{phrase}\u201d", phrase=self._name)
            self._desk.edit(lambda lx: editing.reset_meaning(lx, self._name, words.origin), text)

    @Slot(bool)
    def _allow(self, allowed: bool) -> None:
        if not self._desk.allow(self._name, allowed):
            self._show_words(self._desk.words)

    @Slot()
    def _remove_phrase(self) -> None:
        text = say("removing \u201c{phrase}\u201d", phrase=self._name)
        self._desk.edit(lambda lx: editing.remove_phrase(lx, self._name), text)

    @Slot()
    def _add(self) -> None:
        words = self.new_words.text()
        if not words.strip():
            self.new_words.setFocus()
            return
        text = say("adding \u201c{words}\u201d", words=words.strip())
        if self._desk.edit(lambda lx: editing.add_synonym(lx, self._name, words), text):
            self.new_words.setText("")  # clear() could be undone

    @Slot()
    def _remove(self) -> None:
        item = self.synonyms.currentItem()
        if item is not None and self._desk.editable:
            words = item.text()
            text = say("removing \u201c{phrase}\u201d", phrase=words)
            self._desk.edit(lambda lx: editing.remove_synonym(lx, self._name, words), text)

    @Slot()
    def _fill_targets(self) -> None:
        self._targets.clear()
        words = self._desk.words
        for phrase in reversed(words.lexicon.phrases) if words is not None else ():
            if phrase.name != self._name:
                self._targets.addAction(phrase.name.replace("&", "&&"), partial(self.move_synonym, phrase.name))

    def move_synonym(self, target: str) -> None:
        """Assign the selected synonym to another phrase."""
        item = self.synonyms.currentItem()
        if item is not None:
            words = item.text()
            text = say("moving \u201c{words}\u201d", words=words)
            self._desk.edit(lambda lx: editing.move_synonym(lx, words, target), text)


def _told(source: ReadList, phrase: Phrase) -> str:
    """What a source takes a phrase to mean."""
    return say(
        "{source}: {mean}, spread {spread} points",
        source=source.name,
        mean=percent(mean_of(phrase)),
        spread=f"{100 * spread_of(phrase):.0f}",
    )


def meaning_text(phrase: Phrase) -> str:
    """What readers understand by a phrase, in a sentence."""
    if editing.is_plain(phrase.name):
        return say("A plain statement: it means {mean}, and cannot be moved.", mean=percent(mean_of(phrase)))
    if spread_of(phrase) == 0:
        return say("All readers take it as {mean}.", mean=percent(mean_of(phrase)))
    meaning = say(
        "Readers take it as {range}, mean {mean}; they differ by {spread} points.",
        range=percent_range(phrase.low, phrase.high),
        mean=percent(mean_of(phrase)),
        spread=f"{100 * spread_of(phrase):.0f}",
    )
    if not phrase.answers:
        return meaning
    answers = say(
        "Of {n} choices of the word, {within} were for this range.",
        n=phrase.answers,
        within=phrase.within,
    )
    if phrase.asked > phrase.answers:
        answers = say(
            "Of {n} choices of the word by {asked} people, {within} were for this range.",
            n=phrase.answers,
            asked=phrase.asked,
            within=phrase.within,
        )
    few = say("Few answers: what it means is uncertain.") if has_few_answers(phrase) else ""
    return " ".join(filter(None, (meaning, answers, few)))
