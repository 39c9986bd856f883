"""Select two lexicons to compare; the second can become the department's."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale, QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QComboBox, QGridLayout, QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from ui.pages.words import work
from ui.pages.words.comparison import ComparedView
from ui.pages.words.work import SHIPPED, SHIPPED_PUBLIC, SURVEY, ReadList
from ui.words import say

if TYPE_CHECKING:
    from radcal.workflow.words.words import LexiconVersion
    from ui.pages.words.desk import WordsDesk
    from ui.pages.words.work import WordList
    from ui.shell import Shell
    from ui.theme import Colours

_NOW = "now"
_LISTS = "words lists"


class ComparingPart(QWidget):
    """Two choices and their comparison.

    take_over_wanted: a ReadList that the user wants to become the department's words
    """

    take_over_wanted = Signal(object)

    def __init__(self, shell: Shell, desk: WordsDesk, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shell, self._desk = shell, desk
        self._history: tuple[LexiconVersion, ...] = ()
        self._has_survey = False
        self._known: dict[str, ReadList] = {}
        self._files = 0
        self.first = self._box(say("First list"))
        self.second = self._box(say("Second list"))
        self.take = QPushButton(say("&Take over the second\u2026"))
        self.take.setToolTip(say("See what would change, then make it the department\u2019s words."))
        self.take.clicked.connect(self._take_over)
        self.view = ComparedView(shell, "words compared")
        choosing = QGridLayout()
        choosing.setHorizontalSpacing(8)
        choosing.setVerticalSpacing(4)
        for column, (name, box) in enumerate(((say("&First"), self.first), (say("&Second"), self.second))):
            text = QLabel(name)
            text.setBuddy(box)
            choosing.addWidget(text, 0, column)
            choosing.addWidget(box, 1, column)
            choosing.setColumnStretch(column, 1)
        choosing.addWidget(self.take, 1, 2)
        row = QHBoxLayout()
        row.addLayout(choosing)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 8, 0, 0)
        layout.setSpacing(8)
        layout.addLayout(row)
        layout.addWidget(self.view, 1)
        self._fill()
        self.second.setCurrentIndex(self.second.findData(SHIPPED_PUBLIC))
        for box in (self.first, self.second):
            box.currentIndexChanged.connect(self._show)
        desk.changed.connect(self._words_changed)

    def _box(self, name: str) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(name)
        box.setMinimumContentsLength(16)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        return box

    def set_colours(self, colours: Colours) -> None:
        self.view.set_colours(colours)

    def set_history(self, history: tuple[LexiconVersion, ...], *, has_survey: bool) -> None:
        """Also offer the department's earlier versions and its own survey."""
        self._history, self._has_survey = history, has_survey
        self._known = {k: r for k, r in self._known.items() if k != SURVEY}
        self._fill()

    def add(self, read: ReadList) -> None:
        """Add a list read from a file and select it as the second."""
        self._files += 1
        key = f"file {self._files}"
        self._known[key] = ReadList(read.lexicon, read.name, key)
        self._fill()
        self.second.setCurrentIndex(self.second.findData(key))

    def _fill(self) -> None:
        locale = QLocale()
        offered = [
            (_NOW, say("The department\u2019s words, now")),
            (SHIPPED, say("Survey of 142 radiologists (shipped)")),
            (SHIPPED_PUBLIC, say("Survey of 123 people of the public (shipped)")),
        ]
        if self._has_survey:
            offered.append((SURVEY, say("The department\u2019s own survey")))
        offered += [(key, read.name) for key, read in self._known.items() if key.startswith("file ")]
        offered += [
            (
                v.key,
                say(
                    "Version of {when}: {what}",
                    when=locale.toString(
                        QDateTime.fromSecsSinceEpoch(int(v.when.timestamp())), QLocale.FormatType.ShortFormat
                    ),
                    what=v.what,
                ),
            )
            for v in self._history[1:]
        ]
        for box, first in ((self.first, _NOW), (self.second, SHIPPED)):
            chosen = box.currentData() or first
            with QSignalBlocker(box):
                box.clear()
                for key, name in offered:
                    box.addItem(name, key)
                box.setCurrentIndex(max(box.findData(chosen), 0))

    @Slot(object)
    def _words_changed(self, _words: WordList) -> None:
        if _NOW in (self.first.currentData(), self.second.currentData()) and self.isVisible():
            self._show()

    def arrive(self) -> None:
        """The part was opened."""
        self._show()

    @Slot()
    def _show(self, *_: object) -> None:
        if self._desk.words is None:
            return
        lists = []
        for box in (self.first, self.second):
            key, name = str(box.currentData()), box.currentText()
            if key == _NOW:
                lists.append(ReadList(self._desk.lexicon, name, key))
            elif key in self._known:
                lists.append(self._known[key])
            else:
                self._shell.run(f"{_LISTS} {key}", partial(work.lexicon_of, key, name), self._came)
                return
        first, second = lists
        self.view.show_lists(first.lexicon, second.lexicon, (first.name, second.name))
        self.take.setEnabled(self._desk.editable and second.key != _NOW)

    def _came(self, read: ReadList) -> None:
        self._known[read.key] = read
        self._show()

    @Slot()
    def _take_over(self) -> None:
        read = self._known.get(str(self.second.currentData()))
        if read is not None:
            self.take_over_wanted.emit(read)
