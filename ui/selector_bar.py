"""Chooses the radiologist, the pathology and the dates, once for all pages."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QWidget

from ui.dates import DatesButton
from ui.records import Group, Opened, Selection
from ui.words import translate, whole


class SelectorBar(QWidget):
    """Lists over the groups of a department, and the dates.  ``changed`` carries the Selection."""

    changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._counts: dict[str, list[tuple[str, float]]] = {}
        self.author = _list(translate("selector", "Radiologist"), 168)
        self.topic = _list(translate("selector", "Pathology"), 208)
        self.dates = DatesButton()
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        for text, box in (
            (translate("selector", "&Radiologist"), self.author),
            (translate("selector", "&Pathology"), self.topic),
        ):
            label = QLabel(text)
            label.setBuddy(box)
            layout.addWidget(label)
            layout.addWidget(box)
        layout.addWidget(self.dates)
        self.author.currentIndexChanged.connect(self._author_changed)
        self.topic.currentIndexChanged.connect(self._topic_changed)
        self.dates.changed.connect(self._topic_changed)

    def show_department(self, opened: Opened | None) -> None:
        """Offer what the department has; a choice that is still there is kept."""
        days = [d.date() for ends in (opened.exams.values() if opened else ()) for d in ends if d is not None]
        self.dates.set_known(min(days, default=None), max(days, default=None))
        groups = opened.groups if opened else {}
        self.set_groups((group, view.reliability.n) for group, view in groups.items())

    def set_groups(self, groups: Iterable[tuple[Group, float]]) -> None:
        """Offer these groups with their number of findings; keeps the choice where it is still there."""
        before = self.current()
        self._counts = {}
        for group, n in groups:
            self._counts.setdefault(group.author, []).append((group.topic, n))
        for topics in self._counts.values():
            topics.sort(key=lambda t: (-t[1], t[0]))
        with QSignalBlocker(self.author):
            self.author.clear()
            for author in sorted(self._counts, key=str.casefold):
                self.author.addItem(author, author)
            if before is not None:
                self.author.setCurrentIndex(max(0, self.author.findData(before.author)))
        self._fill_topics(before.topic if before else None)
        self._topic_changed()

    def current(self) -> Selection | None:
        """What is chosen, None while there is nothing to choose."""
        author, topic = self.author.currentData(), self.topic.currentData()
        return None if author is None or topic is None else Selection(author, topic, *self.dates.span())

    def choose(self, chosen: Selection | Group) -> None:
        """Choose a group that is on offer, and dates where the choice names them."""
        before = self.current()
        with QSignalBlocker(self.author), QSignalBlocker(self.topic):
            self.author.setCurrentIndex(self.author.findData(chosen.author))
            self._fill_topics(chosen.topic)
            if isinstance(chosen, Selection):
                self.dates.set_span((chosen.first, chosen.last))
        if self.current() != before:
            self._topic_changed()

    def _fill_topics(self, keep: str | None) -> None:
        author = self.author.currentData()
        with QSignalBlocker(self.topic):
            self.topic.clear()
            for topic, n in self._counts.get(author, []):
                self.topic.addItem(f"{topic} ({whole(n)})", topic)
            if keep is not None:
                self.topic.setCurrentIndex(max(0, self.topic.findData(keep)))

    @Slot()
    def _author_changed(self) -> None:
        self._fill_topics(self.topic.currentData())
        self._topic_changed()

    @Slot()
    def _topic_changed(self, *_: object) -> None:
        for box in (self.author, self.topic):
            box.setToolTip(box.currentText())
        self.changed.emit(self.current())


def _list(name: str, width: int) -> QComboBox:
    box = QComboBox()
    box.setAccessibleName(name)
    # The same for every department, so that the bar keeps its shape; the list itself is as wide as its names.
    box.setMinimumWidth(width // 2)
    box.setMaximumWidth(width)
    box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
    box.setMinimumContentsLength(16)
    box.view().setTextElideMode(Qt.TextElideMode.ElideMiddle)
    return box
