"""Drawing a gold set, and choosing the reader."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QRadioButton, QSpinBox, QWidget

from radcal.review.records import ENOUGH, Draw
from ui.kit.action import enable, push_button
from ui.kit.layout import Item, ScrollArea, hbox, panel, scrolled, vbox
from ui.kit.text import caption, wrapped
from ui.words import say

_MOST = 5000
_WIDTH = 560


class DrawPanel(ScrollArea):
    """The options for drawing a gold set; ``draw_wanted``: size and order."""

    draw_wanted = Signal(int, object)

    def __init__(self) -> None:
        super().__init__()
        self.size_field = QSpinBox(minimum=1, maximum=_MOST, value=ENOUGH)
        self.size_field.setGroupSeparatorShown(True)
        self.at_random = QRadioButton(say("At &random: says how well RadCal reads yours"))
        self.worst_first = QRadioButton(say("Most doubtful &first: finds faults, measures nothing"))
        self.at_random.setChecked(True)
        self.draw = push_button(say("&Draw the reports"), self._draw, primary=True)
        introduction = say(
            "You read some reports and say what each states, by keyboard, without seeing what the software found. 30"
            " reports are enough for a first figure; 150 give it to within about 4 points."
        )
        _lay_out(
            self,
            wrapped(introduction),
            hbox(caption(say("&Number of reports"), self.size_field), self.size_field, None),
            vbox(self.at_random, self.worst_first, spacing=4),
            hbox(self.draw, None),
        )

    def set_possible(self, why_not: str) -> None:
        """Enable drawing unless ``why_not`` gives a reason."""
        enable(self.draw, why_not)

    @Slot()
    def _draw(self) -> None:
        order = Draw.WORST_FIRST if self.worst_first.isChecked() else Draw.RANDOM
        self.draw_wanted.emit(self.size_field.value(), order)


class ReaderPanel(ScrollArea):
    """Asks who is reading, and how; ``chosen`` carries the name, and whether the reading is blind."""

    chosen = Signal(str, bool)

    def __init__(self) -> None:
        super().__init__()
        self.summary = wrapped()
        self.name = name_field()
        (self.name.lineEdit() or QLineEdit()).returnPressed.connect(self._begin)
        self.name.editTextChanged.connect(self._changed)
        self.begin = push_button(say("&Begin reading"), self._begin, primary=True)
        who = caption(say("&Who is reading?"), self.name)
        who.setProperty("role", "strong")
        self.blind = QCheckBox(say("B&lind: hide what the software found until a report is done"))
        self.in_sight = wrapped(
            say(
                "With the answers in sight, people agree with them more than they would alone. What is read so is"
                " marked, and does not replace the published figure."
            ),
            role="muted",
        )
        self.in_sight.hide()
        self.blind.setChecked(True)
        self.blind.toggled.connect(self.in_sight.setHidden)
        _lay_out(
            self,
            self.summary,
            who,
            hbox((self.name, 1), self.begin),
            self.blind,
            self.in_sight,
        )
        self._changed("")

    def show_readers(self, summary: str, readers: Sequence[str]) -> None:
        """Offer the readers who have read before."""
        self.summary.setText(summary)
        self.name.clear()
        self.name.addItems(list(readers))
        self.name.setCurrentIndex(-1)
        self.name.setEditText("")
        self.blind.setChecked(True)
        if self.isVisible():  # a hidden page would take the keyboard focus from the visible one
            self.name.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(str)
    def _changed(self, text: str) -> None:
        self.begin.setEnabled(bool(text.strip()))

    @Slot()
    def _begin(self) -> None:
        if name := self.name.currentText().strip():
            self.chosen.emit(name, self.blind.isChecked())


def name_field() -> QComboBox:
    """A field for a reader's name, which offers those who have read before."""
    made = QComboBox(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert, minimumContentsLength=20)
    (made.lineEdit() or QLineEdit()).setPlaceholderText(say("Name or initials"))
    return made


def _lay_out(area: ScrollArea, *parts: Item) -> None:
    """Show the parts in a column no wider than a readable line."""
    content = panel(vbox(*parts, None, margins=(0, 8, 0, 8), spacing=16))
    content.setMaximumWidth(_WIDTH)
    scrolled(content, area, sideways=True)


class EarlyKeys(QWidget):
    """Stands in the place of the report while the reports are fetched, and keeps what is typed meanwhile."""

    def __init__(self) -> None:
        super().__init__()
        self._keys: list[QKeyEvent] = []
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(say("Fetching the reports"))
        vbox(wrapped(say("Fetching the reports"), role="muted"), None, parent=self)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._keys.append(event.clone())

    def take(self) -> list[QKeyEvent]:
        """The keys typed since they were last taken."""
        keys, self._keys = self._keys, []
        return keys
