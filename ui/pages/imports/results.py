"""The outcome of imports: flow from rows to pairs, rejected rows, assumptions, and history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QScrollArea, QStackedLayout, QVBoxLayout, QWidget

from ui.pages.imports.models import history_table, rejected_table, steps_table
from ui.plots.attrition_flow import AttritionFlow
from ui.widgets.labels import label, wrapped
from ui.widgets.pictures import PictureCard
from ui.widgets.tables import DataTable
from ui.words import listed, moment, say, typographic

if TYPE_CHECKING:
    from radcal.records import AttritionStep, RejectedRow
    from radcal.workflow.imports.importing import PastImport
    from ui.shell import Shell
    from ui.theme import Colours

_HIGHEST = 680
"""Of the picture: on a large screen it is not read better for being larger."""


class FlowPanel(QWidget):
    """The flow from rows to pairs, as a diagram or a table."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.flow = AttritionFlow()
        self.card = PictureCard(self.flow, shell, say("From reports to pairs"))
        self.readout = label(role="muted")
        self.readout.setMinimumHeight(self.readout.fontMetrics().height())
        self.flow.hovered.connect(self._read_out)
        self.model = steps_table(self)
        self.table = DataTable(
            "import steps", say("From reports to pairs"), self.model, shell, widths=(320, 120, 88, 88)
        )
        self.as_table = QPushButton(say("Show as a &table"))
        self.as_table.setCheckable(True)
        self.as_table.toggled.connect(self._turn)
        picture = QWidget()
        layout = QVBoxLayout(picture)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        self.card.setMaximumHeight(_HIGHEST)
        layout.addWidget(self.card, 1)
        layout.addWidget(self.readout)
        layout.addStretch(0)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(picture)
        self._stack = QStackedLayout()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 8, 0, 0)
        whole.setSpacing(8)
        whole.addLayout(self._stack, 1)
        # Once the stack is part of the panel: without a parent it shows what it is given as a window.
        self._stack.addWidget(scroll)
        self._stack.addWidget(self.table)
        whole.addWidget(self.as_table, 0, Qt.AlignmentFlag.AlignLeft)

    def set_steps(self, steps: Sequence[AttritionStep]) -> None:
        """Show these steps."""
        self.flow.set_steps(steps)
        self.model.set_rows(steps)
        self._read_out("")

    def set_colours(self, colours: Colours) -> None:
        self.flow.set_colours(colours)

    @Slot(bool)
    def _turn(self, as_table: bool) -> None:
        self._stack.setCurrentIndex(1 if as_table else 0)

    @Slot(object)
    def _read_out(self, text: str) -> None:
        resting = say("Point at a flow to read its numbers.")
        self.readout.setText(" \u00b7 ".join(text.splitlines()) or resting)


class RejectedPanel(QWidget):
    """Rejected rows with remedies; the button leads back to the columns."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = rejected_table(self)
        self.table = DataTable("rows left out", say("Rows left out"), self.model, shell, widths=(200, 72, 400))
        self.choose_columns = QPushButton(say("Choose another &column"))
        self.choose_columns.setToolTip(say("Put the files imported last back on the list, to read them otherwise"))
        self.table.add_to_bar(self.choose_columns)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 8, 0, 0)
        layout.addWidget(self.table)

    def set_rows(self, rows: Sequence[RejectedRow], *, may_choose: bool) -> None:
        """Show these rows."""
        self.model.set_rows(rows)
        self.choose_columns.setVisible(may_choose)


class NotesPanel(QScrollArea):
    """The assumptions made in reading the files, in sentences."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setAccessibleName(say("What was assumed"))
        inner = QFrame()
        inner.setObjectName("card")
        self._layout = QVBoxLayout(inner)
        self._layout.setContentsMargins(16, 12, 16, 12)
        self._layout.setSpacing(12)
        self._layout.addStretch(1)
        self._labels: list[QLabel] = []
        outer = QWidget()
        around = QVBoxLayout(outer)
        around.setContentsMargins(0, 8, 0, 0)
        around.addWidget(inner)
        self.setWidget(outer)

    def set_history(self, imports: Sequence[PastImport]) -> None:
        """Show the assumptions of each of these imports."""
        while self._labels:
            gone = self._labels.pop()
            self._layout.removeWidget(gone)
            gone.deleteLater()
        for past in imports:
            if past.notes:
                head = say("{files}, imported {when}")
                self._add(label(head.format(files=listed(past.files), when=moment(past.at)), role="strong"))
                for note in past.notes:
                    self._add(wrapped(typographic(note)))

    def _add(self, made: QLabel) -> None:
        self._layout.insertWidget(len(self._labels), made)
        self._labels.append(made)

    def texts(self) -> list[str]:
        """The sentences shown."""
        return [made.text() for made in self._labels if not made.property("role")]


class HistoryPanel(QWidget):
    """The imports of the workspace, latest first."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = history_table(self)
        self.table = DataTable("imports", say("Earlier imports"), self.model, shell, widths=(152, 88, 104, 80, 80, 104))
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 8, 0, 0)
        layout.addWidget(self.table)

    def set_rows(self, rows: Sequence[PastImport]) -> None:
        """Show these imports."""
        self.model.set_rows(rows)
