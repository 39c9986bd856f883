"""The outcome of imports: the flow from rows to pairs, rejected rows, assumptions, and history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, SignalInstance, Slot
from PySide6.QtWidgets import QPushButton, QStackedWidget, QWidget

from ui.kit.action import push_button
from ui.kit.layout import ScrollArea, card, panel, scrolled, vbox
from ui.kit.picture import PictureCard
from ui.kit.table import DataTable
from ui.kit.text import clear, label, wrapped
from ui.pages.imports.models import history_table, rejected_table, steps_table, suspects_table
from ui.plots.attrition_flow import AttritionFlow
from ui.words import listed, moment, say, typographic

if TYPE_CHECKING:
    from radcal.reports.deidentify.suspects import Suspicion
    from radcal.reports.importing import PastImport
    from radcal.reports.records import AttritionStep, RejectedRow
    from ui.shell import Shell

_HIGHEST = 680
"""Maximum height of the picture: a larger one is no easier to read."""
_BELOW_TABS = (0, 8, 0, 0)


class FlowPanel(QWidget):
    """The flow from rows to pairs, as a diagram or a table."""

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self.flow = AttritionFlow()
        self.card = PictureCard(self.flow, shell, say("From reports to pairs"))
        self.readout = label(role="muted")
        self.readout.setMinimumHeight(self.readout.fontMetrics().height())
        self.flow.hovered.connect(self._read_out)
        self.model = steps_table()
        self.table = DataTable("import steps", say("From reports to pairs"), self.model, shell)
        self.as_table = QPushButton(say("Show as a &table"))
        self.as_table.setCheckable(True)
        self.as_table.toggled.connect(self._turn)
        self.card.setMaximumHeight(_HIGHEST)
        self._stack = QStackedWidget()
        self._stack.addWidget(scrolled(panel(vbox((self.card, 1), self.readout, (None, 0), spacing=4)), sideways=True))
        self._stack.addWidget(self.table)
        vbox((self._stack, 1), (self.as_table, 0, Qt.AlignmentFlag.AlignLeft), parent=self, margins=_BELOW_TABS)

    def set_steps(self, steps: Sequence[AttritionStep]) -> None:
        """Show these steps."""
        self.flow.set_steps(steps)
        self.model.set_rows(steps)
        self._read_out("")

    @Slot(bool)
    def _turn(self, as_table: bool) -> None:
        self._stack.setCurrentIndex(1 if as_table else 0)

    @Slot(object)
    def _read_out(self, text: str) -> None:
        self.readout.setText(" \u00b7 ".join(text.splitlines()) or say("Point at a flow to read its numbers."))


class RejectedPanel(QWidget):
    """Rejected rows with remedies; a button leads back to the columns."""

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self.model = rejected_table()
        self.table = DataTable("rows left out", say("Left out"), self.model, shell)
        self.choose_columns = QPushButton(say("Choose another &column"))
        self.choose_columns.setToolTip(say("Put the files imported last back on the list, to read them otherwise"))
        self.table.add_to_bar(self.choose_columns)
        vbox(self.table, parent=self, margins=_BELOW_TABS)

    def set_rows(self, rows: Sequence[RejectedRow], *, may_choose: bool) -> None:
        """Show these rows."""
        self.model.set_rows(rows)
        self.choose_columns.setVisible(may_choose)


class SuspectsPanel(QWidget):
    """Words left in the reports that may be names or numbers of people; each is removed or left.

    remove_wanted, leave_wanted: a Suspicion
    """

    remove_wanted = Signal(object)
    leave_wanted = Signal(object)

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self.model = suspects_table()
        name = say("What may identify somebody")
        self.table = DataTable("suspected identifiers", name, self.model, shell)
        self.table.more.hide()  # the list never leaves the workspace
        self.remove = push_button(say("It is one: re&move it"), self._remove)
        self.remove.setToolTip(say("Takes the words out of every text of this report; what was read in it stays"))
        self.leave = push_button(say("&Leave it"), self._leave)
        self.leave.setToolTip(say("The words stay in the report and are not listed again"))
        for button in (self.remove, self.leave):
            self.table.add_to_bar(button)
        self.table.current_changed.connect(self._refresh)
        about = say(
            "De-identification left these words because they may as well be ordinary ones. The most suspicious"
            " come first."
        )
        vbox(wrapped(about, role="muted"), (self.table, 1), parent=self, margins=_BELOW_TABS)
        self._busy = False
        self._refresh()

    def set_rows(self, rows: Sequence[Suspicion], *, may_change: bool) -> None:
        """Show these."""
        place = self.table.current_row()
        self._busy = not may_change
        self.model.set_rows(rows)
        if rows and place >= 0:
            self.table.select_row(min(place, len(rows) - 1))
        self._refresh()

    @Slot()
    def _refresh(self, *_: object) -> None:
        for button in (self.remove, self.leave):
            button.setEnabled(self.table.current_row() >= 0 and not self._busy)

    @Slot()
    def _remove(self) -> None:
        self._ask(self.remove_wanted)

    @Slot()
    def _leave(self) -> None:
        self._ask(self.leave_wanted)

    def _ask(self, wanted: SignalInstance) -> None:
        row = self.table.current_row()
        if row >= 0:
            self._busy = True
            self._refresh()
            wanted.emit(self.model.row(row))


class NotesPanel(ScrollArea):
    """The assumptions made in reading the files, in sentences."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(say("What was assumed"))
        self._notes = vbox(spacing=12)
        notes = card(vbox(self._notes, None, margins=(16, 12, 16, 12), spacing=12))
        scrolled(panel(vbox(notes, margins=_BELOW_TABS)), self, focusable=True, sideways=True)

    def set_history(self, imports: Sequence[PastImport]) -> None:
        """Show the assumptions of each of these imports."""
        clear(self._notes)
        for past in imports:
            if past.notes:
                head = say("{files}, imported {when}", files=listed(past.files), when=moment(past.at))
                self._notes.addWidget(label(head, role="strong"))
                for note in past.notes:
                    self._notes.addWidget(wrapped(typographic(note)))


class HistoryPanel(QWidget):
    """The imports of the workspace, latest first."""

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self.model = history_table()
        self.table = DataTable("imports", say("Earlier imports"), self.model, shell)
        vbox(self.table, parent=self, margins=_BELOW_TABS)
