"""Choosing a phrase by one key, and phrases and pathologies by typing part of a name."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListView,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from radcal.words.name_search import Names
from ui.kit.column import Index
from ui.kit.keyboard import takes_escape
from ui.kit.layout import vbox
from ui.pages.review.keys import SEARCH
from ui.theme import SMALL, certainty_colour, in_use, sized
from ui.words import quoted, say

_KEY, _MEAN = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 1
_NAME = Qt.ItemDataRole.UserRole
_CELL_HEIGHT, _CAP = 26, 20


class _PhraseDelegate(QStyledItemDelegate):
    """A key cap, a chip coloured by certainty, and the phrase."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(option.fontMetrics.horizontalAdvance(index.data()) + _CAP + 30, _CELL_HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        c, rect = in_use(), option.rect.adjusted(2, 1, -2, -1)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(c.selection))
            painter.drawRoundedRect(rect, 4, 4)
        if option.state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(QPen(QColor(c.accent), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), 4, 4)
        cap = QRectF(rect.left() + 4, rect.center().y() - 8, _CAP - 2, 17)
        if key := index.data(_KEY):
            painter.setPen(QPen(QColor(c.line), 1))
            painter.setBrush(QColor(c.raised))
            painter.drawRoundedRect(cap, 3, 3)
            painter.setPen(QColor(c.text))
            painter.setFont(sized(option.font, SMALL))
            painter.drawText(cap, Qt.AlignmentFlag.AlignCenter, str(key).upper())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(certainty_colour(c, float(index.data(_MEAN))))
        painter.drawRoundedRect(QRectF(cap.right() + 6, rect.center().y() - 5, 4, 11), 2, 2)
        painter.setPen(QColor(c.text))
        painter.setFont(option.font)
        painter.drawText(rect.adjusted(_CAP + 18, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, index.data())
        painter.restore()


class PhraseList(QListWidget):
    """All phrases with their keys, weakest first.

    chosen: the phrase;  left: the user went back without choosing;  search_wanted: search for a phrase instead
    """

    chosen = Signal(str)
    left = Signal()
    search_wanted = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(say("Phrases"))
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(False)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._delegate = _PhraseDelegate(self)
        self.setItemDelegate(self._delegate)
        self.itemClicked.connect(self._choose)
        self._by_key: dict[str, str] = {}

    def set_phrases(self, means: Mapping[str, float], keys: Mapping[str, str]) -> None:
        """Set the phrases with their certainties and keys."""
        self.clear()
        self._by_key = {key: name for name, key in keys.items()}
        for name, mean in means.items():
            item = QListWidgetItem(name, self)
            item.setData(_MEAN, mean)
            if key := keys.get(name):
                item.setData(_KEY, key)

    def of_key(self, text: str) -> str:
        """The phrase of a key, '' for none."""
        return self._by_key.get(text.lower(), "")

    def point_at(self, phrase: str) -> None:
        """Make a phrase current; none if it is not on the list."""
        found = self.findItems(phrase, Qt.MatchFlag.MatchExactly)
        self.setCurrentRow(self.row(found[0]) if found else -1)

    @Slot(object)
    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None:
            self.chosen.emit(item.text())

    def event(self, event: QEvent) -> bool:
        return takes_escape(event) or super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.modifiers():
            self._choose(self.currentItem())
        elif event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.text() == SEARCH:
            self.search_wanted.emit()
        elif not event.modifiers() and (phrase := self.of_key(event.text())):
            self.chosen.emit(phrase)
        else:
            super().keyPressEvent(event)


class NameChooser(QWidget):
    """A field that filters a list of names as the user types.

    chosen: the name;  left: the user went back without choosing
    prompt: shown in the empty field, and the accessible name of both
    no_match: the text shown if no name matches what was typed, which it is given in quotation marks
    """

    chosen = Signal(str)
    left = Signal()

    def __init__(self, prompt: str, no_match: Callable[[str], str]) -> None:
        super().__init__()
        self._no_match = no_match
        self._names = Names(())
        self.field = QLineEdit(placeholderText=prompt)
        self.field.setAccessibleName(prompt)
        self.field.textChanged.connect(self._narrow)
        self.field.installEventFilter(self)
        self.list = QListWidget()
        self.list.setMinimumHeight(48)
        self.list.setAccessibleName(prompt)
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.itemClicked.connect(self._choose)
        vbox(self.field, (self.list, 1), parent=self, spacing=4)

    def set_names(self, names: Names) -> None:
        """Offer these names."""
        self._names = names
        self._narrow("")

    def begin(self, current: str = "") -> None:
        """Start choosing."""
        self.field.clear()
        self._narrow("")
        found = self.list.findItems(current, Qt.MatchFlag.MatchExactly)
        self.list.setCurrentItem(found[0] if found else self.list.item(0))
        self.field.setFocus(Qt.FocusReason.ShortcutFocusReason)

    @Slot(str)
    def _narrow(self, text: str) -> None:
        self.list.clear()
        found = self._names.find(text)
        for one in found:
            shown = f"{one.name} ({quoted(one.words)})" if one.words else one.name
            item = QListWidgetItem(shown, self.list)
            item.setData(_NAME, one.name)
        if found:
            self.list.setCurrentRow(0)
        elif text.strip():
            item = QListWidgetItem(self._no_match(quoted(text.strip())), self.list)
            item.setFlags(Qt.ItemFlag.ItemIsEnabled)  # cannot be chosen

    @Slot(object)
    def _choose(self, item: QListWidgetItem | None) -> None:
        if item is not None and (name := item.data(_NAME)):
            self.chosen.emit(name)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if takes_escape(event):
            return True
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            match event.key():
                case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                    self._choose(self.list.currentItem())
                    return True
                case Qt.Key.Key_Escape:
                    self.left.emit()
                    return True
                case Qt.Key.Key_Down | Qt.Key.Key_Up if self.list.count():
                    step = 1 if event.key() == Qt.Key.Key_Down else -1
                    self.list.setCurrentRow((self.list.currentRow() + step) % self.list.count())
                    return True
        return False


def pathology_chooser() -> NameChooser:
    """A chooser of pathologies."""
    return NameChooser(
        say("Pathology: type a few letters of any word for it, Enter to choose"),
        lambda text: say("No pathology of the list is called {text}.", text=text),
    )


def phrase_chooser() -> NameChooser:
    """A chooser of phrases."""
    return NameChooser(
        say("Phrase: type a few letters of the report\u2019s words, Enter to choose"),
        lambda text: say("No phrase of the list is called {text}. Z marks a hedge that is in no list.", text=text),
    )
