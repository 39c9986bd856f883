"""Drawing a gold set, and choosing the reader."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFrame,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QScrollArea,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from radcal.records.gold import DEFAULT_SIZE, Draw
from ui.widgets.labels import label, wrapped
from ui.words import say

_MOST = 5000
_WIDTH = 560


class DrawPanel(QScrollArea):
    """The options for drawing.

    draw_wanted: size, order, seed, blind;  import_wanted: a file instead;  left: back without drawing
    """

    draw_wanted = Signal(int, object, int, bool)
    import_wanted = Signal()
    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.size_field = QSpinBox()
        self.size_field.setRange(1, _MOST)
        self.size_field.setValue(DEFAULT_SIZE)
        self.size_field.setGroupSeparatorShown(True)
        self.size_field.setToolTip(say("150 give an interval of about 4 points; fewer a wider one"))
        self.at_random = QRadioButton(say("At &random: says how well the engine reads your reports"))
        self.worst_first = QRadioButton(
            say("&Worst first: where engines disagree or are unsure; finds faults, measures nothing")
        )
        self.at_random.setChecked(True)
        self.seed = QSpinBox()
        self.seed.setRange(0, 2**31 - 1)
        self.seed.setToolTip(say("The same seed draws the same reports again"))
        self.blind = QCheckBox(say("&Blind: hide the engine\u2019s findings until a report is done"))
        self.draw = QPushButton(say("&Draw the reports"))
        self.draw.setProperty("primary", True)
        self.draw.clicked.connect(self._draw)
        self.bring = QPushButton(say("&Import a gold set\u2026"))
        self._about_files = say("A tab-separated file as \u201cradcal gold\u201d reads it")
        self.bring.setToolTip(self._about_files)
        self.bring.clicked.connect(self.import_wanted)
        self.back = QPushButton(say("Bac&k"))
        self.back.clicked.connect(self.left)
        form = QGridLayout()
        form.setHorizontalSpacing(16)
        form.setVerticalSpacing(12)
        form.setColumnStretch(2, 1)
        fields = (
            (say("&Number of reports"), self.size_field),
            (say("&Seed"), self.seed),
        )
        for row, (text, field) in enumerate(fields):
            caption = label(text)
            caption.setTextFormat(Qt.TextFormat.AutoText)
            caption.setBuddy(field)
            form.addWidget(caption, row, 0, Qt.AlignmentFlag.AlignVCenter)
            form.addWidget(field, row, 1)
        order = QVBoxLayout()
        order.setSpacing(4)
        order.addWidget(label(say("Drawn")))
        order.addWidget(self.at_random)
        order.addWidget(self.worst_first)
        form.addLayout(order, len(fields), 0, 1, 3)
        form.addWidget(self.blind, len(fields) + 1, 0, 1, 3)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.draw)
        buttons.addWidget(self.bring)
        buttons.addWidget(self.back)
        buttons.addStretch(1)
        inner = _column(
            wrapped(
                say(
                    "People read some reports and say what each states. What they find is the gold that the engine is"
                    " measured by, on your own reports. A random draw takes X-ray and CT reports in proportion."
                )
            ),
            form,
            buttons,
        )
        _hold(self, inner)

    def set_possible(self, why_not: str, *, may_leave: bool) -> None:
        """Whether a set can be drawn, and whether there is one to go back to."""
        for button, about in ((self.draw, ""), (self.bring, self._about_files)):
            button.setEnabled(not why_not)
            button.setToolTip(why_not or about)
        self.back.setVisible(may_leave)

    @Slot()
    def _draw(self) -> None:
        order = Draw.WORST_FIRST if self.worst_first.isChecked() else Draw.RANDOM
        self.draw_wanted.emit(self.size_field.value(), order, self.seed.value(), self.blind.isChecked())


class ReaderPanel(QScrollArea):
    """Who is reading; ``chosen`` carries the name."""

    chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.summary = wrapped()
        self.name = QComboBox()
        self.name.setEditable(True)
        self.name.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.name.setMinimumContentsLength(20)
        edit = self.name.lineEdit() or QLineEdit()
        edit.setPlaceholderText(say("Name or initials"))
        edit.returnPressed.connect(self._begin)
        self.name.editTextChanged.connect(self._changed)
        self.begin = QPushButton(say("&Begin reading"))
        self.begin.setProperty("primary", True)
        self.begin.clicked.connect(self._begin)
        who = label(say("&Who is reading?"), role="strong")
        who.setTextFormat(Qt.TextFormat.PlainText)
        who.setBuddy(self.name)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.name, 1)
        row.addWidget(self.begin)
        note = wrapped(
            say(
                "Each reader\u2019s answers are kept apart: nobody sees another\u2019s while reading. Two readers can"
                " be compared, and what they differ on can be decided, once both have finished a report."
            ),
            role="muted",
        )
        _hold(self, _column(self.summary, who, row, note))
        self._changed("")

    def show_readers(self, summary: str, readers: Sequence[str]) -> None:
        """Offer earlier readers."""
        self.summary.setText(summary)
        self.name.clear()
        self.name.addItems(list(readers))
        self.name.setCurrentIndex(-1)
        self.name.setEditText("")
        if self.isVisible():  # a page that is not on show would take the keyboard from the one that is
            self.name.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(str)
    def _changed(self, text: str) -> None:
        self.begin.setEnabled(bool(text.strip()))

    @Slot()
    def _begin(self) -> None:
        if name := self.name.currentText().strip():
            self.chosen.emit(name)


def _column(*parts: QWidget | QGridLayout | QHBoxLayout) -> QWidget:
    inner = QWidget()
    inner.setMaximumWidth(_WIDTH)
    layout = QVBoxLayout(inner)
    layout.setContentsMargins(0, 8, 0, 8)
    layout.setSpacing(16)
    for part in parts:
        if isinstance(part, QWidget):
            layout.addWidget(part)
        else:
            layout.addLayout(part)
    layout.addStretch(1)
    return inner


def _hold(area: QScrollArea, inner: QWidget) -> None:
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(inner)
    area.viewport().setAutoFillBackground(False)
    inner.setAutoFillBackground(False)
