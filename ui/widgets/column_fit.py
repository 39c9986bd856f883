"""Columns that shrink before a table scrolls horizontally."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QTimer, Slot
from PySide6.QtWidgets import QHeaderView, QTableView

_AROUND_NAME = 20
_LAST = 80
"""Pixels reserved for the last, stretched column at the expense of the others, if it cannot show its contents whole."""


class ColumnFit(QObject):
    """Shrinks columns to their contents when the table is too narrow for the preferred widths.

    The preferred widths are those last set, by the program or by hand.  No column becomes narrower than its header and
    its contents in the visible rows; if that is still too wide, the table scrolls horizontally.  Tables with a
    stretched column between others are left alone.

    wanted: preferred widths in pixels, by logical column
    is_fitting: the fit itself is changing widths
    """

    def __init__(self, view: QTableView) -> None:
        super().__init__(view)
        self._view, self._header = view, view.horizontalHeader()
        self._header.setResizeContentsPrecision(0)  # the rows in sight
        self.wanted = [self._header.sectionSize(column) for column in range(self._header.count())]
        self.is_fitting = False
        self._soon = QTimer(self)
        self._soon.setSingleShot(True)
        self._soon.timeout.connect(self.fit)
        view.viewport().installEventFilter(self)
        self._header.sectionResized.connect(self._resized)
        self._header.sectionMoved.connect(self._later)
        self._header.sectionCountChanged.connect(self._later)
        for signal in (view.model().modelReset, view.model().rowsInserted, view.model().dataChanged):
            signal.connect(self._later)

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Show):
            self.fit()
        return False

    @Slot()
    def _later(self, *_: object) -> None:
        self._soon.start()

    @Slot(int, int, int)
    def _resized(self, column: int, before: int, now: int) -> None:
        """Keep a width set by others, except on hiding a column or stretching the last one."""
        if self.is_fitting:
            return
        if not before or not now:
            self._later()  # a column was hidden, or is there again
        elif not (self._header.stretchLastSection() and column == visible_columns(self._header)[-1]):
            self._know()
            self.wanted[column] = now

    def _know(self) -> None:
        """Record new columns' widths as preferred."""
        self.wanted += [self._header.sectionSize(c) for c in range(len(self.wanted), self._header.count())]

    def _name_width(self, column: int) -> int:
        """The width of the header text; with room for the sort arrow where shown."""
        header = self._header
        if header.sortIndicatorSection() == column:
            return header.sectionSizeHint(column)
        name = str(self._view.model().headerData(column, header.orientation()) or "")
        width = header.fontMetrics().horizontalAdvance(name) + _AROUND_NAME
        return min(width, header.sectionSizeHint(column))

    @Slot()
    def fit(self) -> None:
        """Set all column widths."""
        header, columns = self._header, visible_columns(self._header)
        modes = {header.sectionResizeMode(column) for column in columns}
        if self.is_fitting or not self._view.isVisible() or modes != {QHeaderView.ResizeMode.Interactive}:
            return
        self._know()
        room = self._view.viewport().width()
        least = header.minimumSectionSize()
        needed = [max(self._name_width(c), self._view.sizeHintForColumn(c), least) for c in columns]
        wanted = [self.wanted[c] for c in columns]
        if header.stretchLastSection():
            if sum(map(min, wanted[:-1], needed[:-1])) + needed[-1] > room:
                needed[-1] = min(needed[-1], max(_LAST, self._name_width(columns[-1])))
            wanted[-1] = needed[-1]
        widths = shares(wanted, needed, room)
        if header.stretchLastSection():
            widths[-1] = max(widths[-1], room - sum(widths[:-1]))
        self.is_fitting = True
        try:
            for column, width in zip(columns, widths, strict=True):
                header.resizeSection(column, width)
        finally:
            self.is_fitting = False


def visible_columns(header: QHeaderView) -> list[int]:
    """The visible columns, left to right."""
    order = (header.logicalIndex(place) for place in range(header.count()))
    return [column for column in order if not header.isSectionHidden(column)]


def shares(wanted: Sequence[int], needed: Sequence[int], room: int) -> list[int]:
    """Column widths: the preferred ones if they fit, else each shrinks in proportion to its slack.

    Args:
        wanted: pixels, by column.
        needed: pixels below which a column is not narrowed; one that was wanted narrower stays so.
        room: pixels for all.

    Returns:
        Pixels by column: never more than wanted; together at most ``room``, unless that would take what is needed.
    """
    spare = [max(0, want - need) for want, need in zip(wanted, needed, strict=True)]
    over, left = sum(wanted) - room, sum(spare)
    if over <= 0:
        return list(wanted)
    if over >= left:
        return [want - give for want, give in zip(wanted, spare, strict=True)]
    # Rounded up, so that together they give enough.
    return [want - -(-give * over // left) for want, give in zip(wanted, spare, strict=True)]
