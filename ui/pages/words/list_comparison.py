"""Select two lexicons to compare; the second can become the department's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QComboBox, QGridLayout, QWidget

from ui.kit.action import push_button
from ui.kit.form import choice, offer
from ui.kit.layout import hbox, vbox
from ui.kit.text import caption
from ui.pages.words.comparison import ComparedView
from ui.pages.words.work import MODEL, SHIPPED, SHIPPED_PUBLIC, SURVEY, SURVEYS, ReadList
from ui.words import moment, say

if TYPE_CHECKING:
    from radcal.reliability.department_words import LexiconVersion
    from radcal.words.responses import Surveyed
    from ui.pages.words.desk import WordsDesk
    from ui.shell import Shell

_NOW = "now"
_LISTS = "words lists"


class ComparingPart(QWidget):
    """Two selected lists and their comparison.

    take_over_wanted: a ReadList to become the department's words
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
        self.take = push_button(
            say("&Take over the second\u2026"),
            self._take_over,
            tip=say("See what would change, then make it the department\u2019s words."),
        )
        self.view = ComparedView(shell, "words compared")
        choosing = QGridLayout()
        choosing.setHorizontalSpacing(8)
        choosing.setVerticalSpacing(4)
        for column, (name, box) in enumerate(((say("&First"), self.first), (say("&Second"), self.second))):
            choosing.addWidget(caption(name, box), 0, column)
            choosing.addWidget(box, 1, column)
            choosing.setColumnStretch(column, 1)
        choosing.addWidget(self.take, 1, 2)
        vbox(hbox(choosing), (self.view, 1), parent=self, margins=(0, 8, 0, 0))
        self._fill()
        self.second.setCurrentIndex(self.second.findData(SHIPPED_PUBLIC))
        for box in (self.first, self.second):
            box.currentIndexChanged.connect(self.show_lists)
        desk.changed.connect(self._words_changed)

    def _box(self, name: str) -> QComboBox:
        box = choice(name)
        box.setMinimumContentsLength(16)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        return box

    def set_history(self, history: tuple[LexiconVersion, ...]) -> None:
        """Offer the department's earlier versions."""
        self._history = history
        self._fill()

    @Slot(object)
    def set_surveyed(self, surveyed: Surveyed) -> None:
        """Offer the department's own survey once it has a result."""
        self._has_survey = surveyed.lexicon is not None
        self._known.pop(SURVEY, None)
        self._fill()

    def set_sources(self, sources: tuple[ReadList, ...]) -> None:
        """Offer what language models take the words to mean."""
        kept = {key: read for key, read in self._known.items() if not key.startswith(MODEL)}
        self._known = {**{s.key: s for s in sources if s.key.startswith(MODEL)}, **kept}
        self._fill()

    def add(self, read: ReadList) -> None:
        """Add a list read from a file and select it as the second."""
        self._files += 1
        key = f"file {self._files}"
        self._known[key] = ReadList(read.lexicon, read.name, key)
        self._fill()
        self.second.setCurrentIndex(self.second.findData(key))

    def _fill(self) -> None:
        offered = [
            (say("The department\u2019s words, now"), _NOW),
            *((name(), key) for key, name in SURVEYS),
        ]
        if self._has_survey:
            offered.append((say("The department\u2019s own survey"), SURVEY))
        offered += [(read.name, key) for key, read in self._known.items() if key.startswith((MODEL, "file "))]
        offered += [
            (say("Version of {when}: {what}", when=moment(v.when), what=v.what), v.key) for v in self._history[1:]
        ]
        for box, first in ((self.first, _NOW), (self.second, SHIPPED)):
            offer(box, offered, box.currentData() or first)

    @Slot()
    def _words_changed(self, *_: object) -> None:
        if _NOW in (self.first.currentData(), self.second.currentData()) and self.isVisible():
            self.show_lists()

    @Slot()
    def show_lists(self, *_: object) -> None:
        """Compare the selected lists."""
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
                self._load(key, name)
                return
        first, second = lists
        self.view.show_lists(first.lexicon, second.lexicon, (first.name, second.name))
        self.take.setEnabled(self._desk.editable and second.key != _NOW)

    def _load(self, key: str, name: str) -> None:
        self._shell.run(
            f"{_LISTS} {key}", lambda department, _: ReadList(department.words.of(key), name, key), self._loaded
        )

    def _loaded(self, read: ReadList) -> None:
        self._known[read.key] = read
        self.show_lists()

    @Slot()
    def _take_over(self) -> None:
        read = self._known.get(str(self.second.currentData()))
        if read is not None:
            self.take_over_wanted.emit(read)
