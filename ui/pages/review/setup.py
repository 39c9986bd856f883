"""Drawing a gold set, and choosing the reader."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QGridLayout,
    QLineEdit,
    QRadioButton,
    QSpinBox,
    QWidget,
)

from radcal.review.records import DEFAULT_SIZE, Draw
from ui.kit.action import enable, push_button
from ui.kit.layout import Item, ScrollArea, hbox, panel, scrolled, vbox
from ui.kit.text import caption, label, wrapped
from ui.words import say

_MOST = 5000
_WIDTH = 560


class DrawPanel(ScrollArea):
    """The options for drawing a gold set.

    draw_wanted: size, order, seed;  import_wanted: import a file instead;  left: go back without drawing
    """

    draw_wanted = Signal(int, object, int)
    import_wanted = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.size_field = QSpinBox(minimum=1, maximum=_MOST, value=DEFAULT_SIZE)
        self.size_field.setGroupSeparatorShown(True)
        self.size_field.setToolTip(say("150 give an interval of about 4 points; fewer a wider one"))
        self.at_random = QRadioButton(say("At &random: says how well the engine reads your reports"))
        self.worst_first = QRadioButton(
            say("&Worst first: where engines disagree or are unsure; finds faults, measures nothing")
        )
        self.at_random.setChecked(True)
        self.seed = QSpinBox(minimum=0, maximum=2**31 - 1)
        self.seed.setToolTip(say("The same seed draws the same reports again"))
        self._about_files = say("A tab-separated file as \u201cradcal gold\u201d reads it")
        self.draw = push_button(say("&Draw the reports"), self._draw, primary=True)
        self.bring = push_button(say("&Import a gold set\u2026"), self.import_wanted, tip=self._about_files)
        self.back = push_button(say("Bac&k"), self.left)
        form = QGridLayout()
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(12)
        form.setColumnStretch(2, 1)
        fields = ((say("&Number of reports"), self.size_field), (say("&Seed"), self.seed))
        for place, (text, field) in enumerate(fields):
            form.addWidget(caption(text, field), place, 0, Qt.AlignmentFlag.AlignVCenter)
            form.addWidget(field, place, 1)
        order = vbox(label(say("Drawn")), self.at_random, self.worst_first, spacing=4)
        form.addLayout(order, len(fields), 0, 1, 3)
        introduction = say(
            "People read some reports and say what each states. What they find is the gold that the engine is"
            " measured by, on your own reports. A random draw takes X-ray and CT reports in proportion."
        )
        _lay_out(self, wrapped(introduction), form, hbox(self.draw, self.bring, self.back, None))

    def set_possible(self, why_not: str, *, may_leave: bool) -> None:
        """Enable drawing unless ``why_not`` gives a reason; ``may_leave``: there is a gold set to return to."""
        enable(self.draw, why_not)
        enable(self.bring, why_not, self._about_files)
        self.back.setVisible(may_leave)

    @Slot()
    def _draw(self) -> None:
        order = Draw.WORST_FIRST if self.worst_first.isChecked() else Draw.RANDOM
        self.draw_wanted.emit(self.size_field.value(), order, self.seed.value())


class ReaderPanel(ScrollArea):
    """Asks who is reading, and how; ``chosen`` carries the name, and whether the reading is blind."""

    chosen = Signal(str, bool)

    def __init__(self) -> None:
        super().__init__()
        self.summary = wrapped()
        self.name = QComboBox(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert, minimumContentsLength=20)
        edit = self.name.lineEdit() or QLineEdit()
        edit.setPlaceholderText(say("Name or initials"))
        edit.returnPressed.connect(self._begin)
        self.name.editTextChanged.connect(self._changed)
        self.begin = push_button(say("&Begin reading"), self._begin, primary=True)
        who = caption(say("&Who is reading?"), self.name)
        who.setProperty("role", "strong")
        self.blind = QCheckBox(say("B&lind: hide the engine\u2019s findings until a report is done"))
        self.in_sight = wrapped(
            say(
                "With the engine\u2019s answers in sight, people agree with it more than they would alone. What is read"
                " so is counted and marked, and does not replace the published accuracy."
            ),
            role="muted",
        )
        self.in_sight.hide()
        self.blind.setChecked(True)
        self.blind.toggled.connect(self.in_sight.setHidden)
        note = say(
            "Each reader\u2019s answers are kept apart: nobody sees another\u2019s while reading. Two readers can"
            " be compared, and what they differ on can be decided, once both have finished a report."
        )
        _lay_out(
            self,
            self.summary,
            who,
            hbox((self.name, 1), self.begin),
            self.blind,
            self.in_sight,
            wrapped(note, role="muted"),
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
