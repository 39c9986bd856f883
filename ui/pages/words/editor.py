"""The selected phrase: what it means in a sentence and, below a heading that opens, all that can be changed of it."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
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
from ui.kit.layout import hbox, panel, vbox
from ui.kit.opening import Opening
from ui.kit.text import caption, label, show_text, wrapped
from ui.kit.undoing import UndoOnward
from ui.pages.words.work import ReadList
from ui.words import percent, percent_range, quoted, say

if TYPE_CHECKING:
    from radcal.words.records import Phrase
    from ui.pages.words.desk import WordsDesk
    from ui.pages.words.work import WordList


class PhraseEditor(QFrame):
    """A card with all properties of a phrase.  ``resized``: its heading was opened or closed."""

    resized = Signal()

    def __init__(self, desk: WordsDesk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self._desk = desk
        self._name = ""
        self._sources: tuple[ReadList, ...] = ()
        self.title = label(role="strong")
        self.meaning = wrapped(role="muted")
        self.why = wrapped(role="error")
        self.why.hide()
        self.opening = Opening(say("Change this &word"), self._build(), name="words/change")
        self.opening.opened_changed.connect(self.resized)
        vbox(self.title, self.meaning, self.opening, self.why, parent=self, margins=(12, 8, 12, 12), spacing=6)
        UndoOnward(self, self.mean, self.spread, self.new_words)
        desk.changed.connect(self._show_words)
        desk.refused.connect(self._show_reason)

    def _build(self) -> QWidget:
        self._figures = QGridLayout()
        self._figures.setHorizontalSpacing(8)
        self._figures.setVerticalSpacing(6)
        self.mean = self._add_figure(say("&Mean"), "%", self._mean_changed)
        self.spread = self._add_figure(say("S&pread"), say("points"), self._spread_changed)
        self.take = menu_button(say("Take meanin&g from \u25be"), say("Take the meaning from another source"))
        self.allowed = QCheckBox(say("Ad&vice may propose it"))
        self.allowed.clicked.connect(self._allow)
        self.remove_phrase = push_button(say("Remove the word"), self._remove_phrase)
        self.synonyms = QListWidget()
        self.synonyms.setMinimumHeight(72)
        self.synonyms.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Ignored)
        for key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            shortcut = QShortcut(QKeySequence(key), self.synonyms, context=Qt.ShortcutContext.WidgetShortcut)
            shortcut.activated.connect(self._remove)
        self.synonyms.currentRowChanged.connect(self._synonym_chosen)
        self.new_words = QLineEdit()
        self.new_words.setPlaceholderText(say("Another wording that means the same"))
        self.new_words.setAccessibleName(say("New wording"))
        self.new_words.returnPressed.connect(self._add)
        self.add = push_button(say("&Add"), self._add)
        self.remove = push_button(say("R&emove"), self._remove)
        left = Qt.AlignmentFlag.AlignLeft
        buttons = [(widget, 0, left) for widget in (self.take, self.allowed, self.remove_phrase)]
        heading = caption(say("Also written as"), self.synonyms)
        wordings = vbox(
            hbox((heading, 1), self.remove),
            (self.synonyms, 1),
            hbox((self.new_words, 1), self.add),
            spacing=6,
        )
        return panel(hbox(vbox(self._figures, *buttons, None, spacing=6), (wordings, 1), spacing=16))

    def _add_figure(self, name: str, unit: str, changed: object) -> QDoubleSpinBox:
        spin = QDoubleSpinBox()
        spin.setDecimals(1)
        spin.setSingleStep(1.0)
        spin.setSuffix(f"\u00a0{unit}")
        spin.setKeyboardTracking(False)
        spin.setAccelerated(True)
        spin.valueChanged.connect(changed)
        row = self._figures.rowCount()
        self._figures.addWidget(caption(name, spin), row, 0)
        self._figures.addWidget(spin, row, 1)
        return spin

    # --- showing -----------------------------------------------------------------------------------

    def show_phrase(self, name: str) -> None:
        """Show the phrase of that name."""
        if name != self._name:
            self._name = name
            self.why.hide()
            self.new_words.setText("")  # clear() could be undone
        self._show_words(self._desk.words)

    def begin(self) -> None:
        """Open the heading, with the keyboard on what can be changed first."""
        self.opening.unfold()
        (self.mean if self.mean.isEnabled() else self.new_words).setFocus()

    def _phrase(self) -> Phrase | None:
        words = self._desk.words
        return editing.by_name(words.lexicon, self._name) if words is not None else None

    def set_sources(self, sources: tuple[ReadList, ...]) -> None:
        """Where the meaning of a phrase can be taken from."""
        self._sources = sources
        self._show_words(self._desk.words)

    def _show_sources(self, phrase: Phrase, words: WordList) -> None:
        """What the other sources take the phrase to mean, each to be taken; what the list was made from is one."""
        menu = self.take.menu()
        menu.clear()
        sources = self._sources
        if all(source.lexicon.version != words.origin.version for source in sources):
            sources += (ReadList(words.origin, words.origin.name),)
        for source in sources if not editing.is_plain(phrase.name) else ():
            there = editing.by_name(source.lexicon, self._name)
            if there is not None:
                menu.addAction(_told(source, there).replace("&", "&&"), partial(self.take_from, source))
        self.take.setEnabled(not menu.isEmpty() and self._desk.editable)

    def take_from(self, source: ReadList) -> None:
        """Give the phrase the meaning that a source has for it."""
        self._desk.edit(lambda lx: editing.reset_meaning(lx, self._name, source.lexicon), self._name)

    @Slot(object)
    def _show_words(self, words: WordList | None) -> None:
        phrase = self._phrase()
        self.setEnabled(phrase is not None)
        if phrase is None or words is None:
            return
        plain, can = editing.is_plain(phrase.name), self._desk.editable
        self._show_sources(phrase, words)
        self.title.setText(quoted(phrase.name))
        self.show_figures(phrase)
        with QSignalBlocker(self.allowed):
            self.allowed.setChecked(words.allows(phrase.name))
        controls: dict[QWidget, bool] = dict.fromkeys((self.allowed, self.add, self.new_words), can)
        controls |= dict.fromkeys((self.mean, self.spread, self.remove_phrase), can and not plain)
        for control, may in controls.items():
            control.setEnabled(may)
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
        self.remove.setEnabled(row >= 0 and self._desk.editable)

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

    @Slot(bool)
    def _allow(self, allowed: bool) -> None:
        if not self._desk.allow(self._name, allowed):
            self._show_words(self._desk.words)

    @Slot()
    def _remove_phrase(self) -> None:
        self._desk.edit(lambda lx: editing.remove_phrase(lx, self._name), self._name)

    @Slot()
    def _add(self) -> None:
        words = self.new_words.text()
        if not words.strip():
            self.new_words.setFocus()
            return
        if self._desk.edit(lambda lx: editing.add_synonym(lx, self._name, words), words.strip()):
            self.new_words.setText("")  # clear() could be undone

    @Slot()
    def _remove(self) -> None:
        item = self.synonyms.currentItem()
        if item is not None and self._desk.editable:
            words = item.text()
            self._desk.edit(lambda lx: editing.remove_synonym(lx, self._name, words), words)


def _told(source: ReadList, phrase: Phrase) -> str:
    """What a source takes a phrase to mean."""
    mean, spread = percent(mean_of(phrase)), f"{100 * spread_of(phrase):.0f}"
    return say("{source}: {mean}, spread {spread} points", source=source.name, mean=mean, spread=spread)


def meaning_text(phrase: Phrase) -> str:
    """What readers understand by a phrase, in a sentence."""
    mean = percent(mean_of(phrase))
    if editing.is_plain(phrase.name):
        return say("A plain statement: {mean}. It cannot be moved.", mean=mean)
    if spread_of(phrase) == 0:
        return say("All readers take it as {mean}.", mean=mean)
    meaning = say(
        "Readers take it as {range}, on average {mean}.", range=percent_range(phrase.low, phrase.high), mean=mean
    )
    if not phrase.answers:
        return meaning
    answers = say("{within} of {n} answers chose this range.", n=phrase.answers, within=phrase.within)
    few = say("Few answers, so its meaning is uncertain.") if has_few_answers(phrase) else ""
    return " ".join(filter(None, (meaning, answers, few)))
