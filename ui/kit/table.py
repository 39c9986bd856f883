"""The table used on every page: search, sorting, copy, export, column choice, and a persistent layout."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QEvent,
    QIdentityProxyModel,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPoint,
    QSortFilterProxyModel,
    Qt,
    Signal,
    Slot,
)
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QMenu,
    QTableView,
    QToolButton,
    QToolTip,
    QWidget,
)

from radcal.system import exports
from ui.kit.action import later, menu_button
from ui.kit.column import EXPORT, SORT, Column, Index, LongModel, RecordModel
from ui.kit.layout import hbox, vbox
from ui.kit.text import label
from ui.preferences import preferences
from ui.theme import px
from ui.words import counted, say, whole

if TYPE_CHECKING:
    from ui.kit.files import FileSaver

_WIDTHS = " widths"
"""Suffix of the key of the preferred widths, which a narrow window does not change."""
_ROW = 28
_WAIT_MS = 150


class DataTable(QWidget):
    """A table view on a model, with a bar above it: search, row count, further actions.

    key: name of the stored layout, the same in every language
    name: accessible name and suggested file name
    records: the columns, of which the last one is stretched, or the model that has them
    activated: a row of the source model, by Enter or double click
    current_changed: a row of the source model, -1 for none
    """

    activated = Signal(object)
    current_changed = Signal(object)

    def __init__(
        self,
        key: str,
        name: str,
        records: RecordModel | Sequence[Column],
        files: FileSaver,
        *,
        searchable: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._key, self._name, self._files = f"tables/{key}", name, files
        self.model = records if isinstance(records, RecordModel) else RecordModel(records, self)
        self._withheld = ""
        self.proxy: _Proxy | _Through = _Through(self) if isinstance(self.model, LongModel) else _Proxy(self)
        self.proxy.setSourceModel(self.model)
        self.view = _View(self)
        self.view.setModel(self.proxy)
        self.view.setAccessibleName(name)
        self.view.copy_wanted.connect(self.copy)
        self.view.activated.connect(self._activate)
        self.view.selectionModel().currentRowChanged.connect(self._current_row_changed)
        self._build_header()
        self._build_bar(searchable)
        vbox(self._bar, (self.view, 1), parent=self, spacing=4)
        # Tab order: the bar, then the rows.
        for before, after in itertools.pairwise((self.search, self.more, self.view)):
            self.setTabOrder(before, after)
        self._last: QWidget = self.search
        self._waiting = later(self, self._search, _WAIT_MS)
        for signal in (self.proxy.modelReset, self.proxy.rowsInserted, self.proxy.rowsRemoved):
            signal.connect(self._count)
        self._count()

    # --- building ----------------------------------------------------------------------------------

    def _build_header(self) -> None:
        header = self.view.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsMovable(True)
        header.setStretchLastSection(True)
        header.setMinimumSectionSize(px(48))
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._header_menu)
        for place, column in enumerate(self.model.columns):
            if column.width:
                header.resizeSection(place, max(px(column.width), header.sectionSizeHint(place)))
            if column.delegate is not None:
                self.view.setItemDelegateForColumn(place, column.delegate(self.view))
        state, kept = preferences().value(self._key), preferences().value(self._key + _WIDTHS)
        # A stored layout with other columns would leave new ones unpainted.
        same = isinstance(kept, list) and len(kept) == header.count()
        if state is not None and same:
            header.restoreState(state)
            # The layout may stem from a language with shorter headers.
            for place in range(header.count()):
                if not header.isSectionHidden(place):
                    header.resizeSection(place, max(header.sectionSize(place), header.sectionSizeHint(place)))
        for place, column in enumerate(self.model.columns):
            if column.hidden:
                header.hideSection(place)
        # Initially in the model's order.
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setSortIndicatorClearable(True)
        header.sortIndicatorChanged.connect(self._sort)
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        self._fit = ColumnFit(self.view)
        if same:
            self._fit.wanted = [max(int(width), header.sectionSizeHint(c)) for c, width in enumerate(kept)]
        self._storing = later(self, self._store)  # writing takes a while: once for all that changes together
        for signal in (header.sectionResized, header.sectionMoved):
            signal.connect(self._remember)

    def _build_bar(self, searchable: bool) -> None:
        self.search = QLineEdit()
        self.search.setPlaceholderText(say("Search"))
        self.search.setAccessibleName(say("Search in {table}", table=self._name))
        self.search.setClearButtonEnabled(True)
        self.search.setMaximumWidth(px(280))
        if not searchable:
            self.search.hide()
        self.search.textChanged.connect(lambda _text: self._waiting.start())
        self.count = label(role="muted")
        self.more: QToolButton = menu_button(
            say("Table \u25be"), say("{table}: copy, export, columns", table=self._name)
        )
        self.more.menu().aboutToShow.connect(partial(self._fill_menu, self.more.menu()))
        self._bar: QHBoxLayout = hbox((self.search, 1), self.count, None, self.more)

    def add_to_bar(self, widget: QWidget) -> None:
        """Insert a control into the bar, before the menu."""
        self._bar.insertWidget(self._bar.count() - 1, widget)
        for before, after in itertools.pairwise((self._last, widget, self.more)):
            self.setTabOrder(before, after)
        self._last = widget

    # --- rows --------------------------------------------------------------------------------------

    def current_row(self) -> int:
        """The current row in the source model, -1 for none."""
        index = self.view.currentIndex()
        return self.proxy.mapToSource(index).row() if index.isValid() else -1

    def current_record(self) -> Any:
        """The record of the current row, None for none."""
        row = self.current_row()
        return self.model.row(row) if 0 <= row < self.model.rowCount() else None

    def selected_rows(self) -> list[int]:
        """The selected rows in the source model, in view order."""
        rows = sorted(index.row() for index in self.view.selectionModel().selectedRows())
        return [self.proxy.mapToSource(self.proxy.index(row, 0)).row() for row in rows]

    def shown_rows(self) -> list[int]:
        """The visible rows in the source model, in view order."""
        return [self.proxy.mapToSource(self.proxy.index(row, 0)).row() for row in range(self.proxy.rowCount())]

    @Slot()
    def show_all(self) -> None:
        """Clear search and selection."""
        self.search.clear()
        self._search()
        self.view.clearSelection()

    def select_row(self, row: int) -> None:
        """Make a row of the source model current, if visible."""
        index = self.proxy.mapFromSource(self.model.index(row, 0))
        if index.isValid():
            # Not by the view, which considers held modifier keys: Ctrl+Z would deselect the row.
            flags = QItemSelectionModel.SelectionFlag
            self.view.selectionModel().setCurrentIndex(index, flags.ClearAndSelect | flags.Rows)
            self.view.scrollTo(index)

    @Slot(object)
    def _activate(self, index: QModelIndex) -> None:
        self.activated.emit(self.proxy.mapToSource(index).row())

    @Slot(object, object)
    def _current_row_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        self.current_changed.emit(self.proxy.mapToSource(current).row() if current.isValid() else -1)

    @Slot()
    def _search(self) -> None:
        self.proxy.look_for(self.search.text())
        self._count()

    @Slot()
    def _count(self, *_: object) -> None:
        shown, total = self.proxy.rowCount(), self.model.rowCount()
        if isinstance(self.model, LongModel):
            total = self.model.total
        rows = counted(total, "{n} row", "{n} rows")
        self.count.setText(rows if shown == total else say("{shown} of {rows}", shown=whole(shown), rows=rows))

    @Slot(int, object)
    def _sort(self, column: int, order: Qt.SortOrder) -> None:
        if isinstance(self.proxy, _Through):
            self.proxy.sort(column, order)
            return
        # Sorted by Qt, so by a role that every cell of the column has.
        first = self.model.index(0, column)
        has_keys = column >= 0 and first.isValid() and first.data(SORT) is not None
        self.proxy.setSortRole(SORT if has_keys else Qt.ItemDataRole.DisplayRole)
        self.proxy.sort(column, order)

    # --- columns -----------------------------------------------------------------------------------

    @Slot(object)
    def _header_menu(self, at: QPoint) -> None:
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._add_columns(menu)
        menu.popup(self.view.horizontalHeader().mapToGlobal(at))

    def _add_columns(self, menu: QMenu) -> None:
        header = self.view.horizontalHeader()
        shown = visible_columns(header)
        for column in range(self.proxy.columnCount()):
            text = str(self.proxy.headerData(column, Qt.Orientation.Horizontal) or "")
            action = menu.addAction(text.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(column in shown)
            action.setEnabled(shown != [column])
            action.toggled.connect(partial(self.show_column, column))

    def show_column(self, column: int, shown: bool) -> None:
        """Show or hide a column, persistently."""
        self.view.setColumnHidden(column, not shown)
        self._remember()
        if self._storing.isActive():
            self._store()

    @Slot()
    def _remember(self, *_: object) -> None:
        # Changes by the initial layout or by a narrow window are not the user's.
        if self.view.isVisible() and not self._fit.is_fitting:
            self._storing.start()

    @Slot()
    def _store(self) -> None:
        self._storing.stop()
        kept = preferences()
        kept.setValue(self._key, self.view.horizontalHeader().saveState())
        kept.setValue(self._key + _WIDTHS, self._fit.wanted)

    # --- copy and export ---------------------------------------------------------------------------

    @Slot()
    def _fill_menu(self, menu: QMenu) -> None:
        menu.clear()
        copy = QAction(say("&Copy the selected rows"), menu)
        copy.setShortcut(QKeySequence.StandardKey.Copy)
        copy.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        copy.triggered.connect(self.copy)
        menu.addAction(copy)
        export = menu.addAction(say("&Export as CSV or Excel\u2026"), self.ask_export)
        menu.setToolTipsVisible(True)
        for action in (copy, export):
            action.setEnabled(not self.why_kept)
            action.setToolTip(self.why_kept)
        self._add_columns(menu.addMenu(say("C&olumns")))

    @Slot()
    def copy(self) -> None:
        """Copy the selected rows, or all if none is selected, with their header."""
        if self.why_kept:
            self._say_why_kept()
            return
        chosen = sorted(index.row() for index in self.view.selectionModel().selectedRows())
        rows = chosen or range(self.proxy.rowCount())
        if self.model.coarse:
            lines = self._exported(rows)
        else:
            lines = [self._header(), *(self._row(r, Qt.ItemDataRole.DisplayRole) for r in rows)]
        text = "\n".join("\t".join(" ".join(str(cell).split()) for cell in line) for line in lines)
        QGuiApplication.clipboard().setText(text + "\n")
        self._files.copied(self._key.replace("tables/", "table of "), rows=len(rows))

    @Slot()
    def ask_export(self) -> None:
        """Ask for a file and export the table as shown."""
        if self.why_kept:
            self._say_why_kept()
            return
        kinds = (say("CSV (*.csv)"), say("Excel (*.xlsx)"))
        rows = self._exported(range(self.proxy.rowCount()))
        title, make = say("Export the table"), partial(exports.table, rows, marked=True)
        self._files.save_file(title, f"{self._name}.csv", kinds, make)

    def withhold(self, why: str) -> None:
        """Offer neither copying nor exporting, and say why; '' to offer both."""
        self._withheld = why

    @property
    def why_kept(self) -> str:
        """Why the table is neither copied nor exported; '' if it is."""
        return self._withheld or self.model.why_kept()

    def _say_why_kept(self) -> None:
        QToolTip.showText(self.more.mapToGlobal(QPoint(0, self.more.height())), self.why_kept, self.more)

    def _exported(self, numbers: Sequence[int]) -> list[list[Any]]:
        """The header and rows as they are exported; coarse ones by name, since an order by n would tell of n."""
        people = self.model
        if not people.coarse:
            return [self._export_header(), *(_flat(self._row(r, EXPORT)) for r in numbers)]
        leave = [r for r in numbers if people.may_leave(self.proxy.mapToSource(self.proxy.index(r, 0)).row())]
        rows = [_flat(self._row(r, EXPORT)) for r in leave]
        return [self._export_header(), *sorted(rows, key=lambda row: str(row[0]).casefold())]

    def _columns(self) -> list[int]:
        return visible_columns(self.view.horizontalHeader())

    def _columns_exported(self) -> list[int]:
        return [c for c in self._columns() if not self.model.coarse or c in self.model.columns_that_leave()]

    def _header(self) -> list[Any]:
        return [str(self.proxy.headerData(c, Qt.Orientation.Horizontal) or "") for c in self._columns()]

    def _export_header(self) -> list[Any]:
        names = []
        for c in self._columns_exported():
            header = partial(self.proxy.headerData, c, Qt.Orientation.Horizontal)
            names.append(header(EXPORT) or str(header() or ""))
        return _flat(names)

    def _row(self, row: int, role: int) -> list[Any]:
        cells = []
        for column in self._columns_exported() if role == EXPORT else self._columns():
            index = self.proxy.index(row, column)
            value = index.data(role)
            cells.append(index.data() if value is None else value)
        return ["" if cell is None else cell for cell in cells]


def _flat(cells: Sequence[Any]) -> list[Any]:
    return [part for cell in cells for part in (cell if isinstance(cell, tuple) else (cell,))]


class RowsView(QTableView):
    """Whole rows of one height, to be chosen one at a time; Tab leaves the table."""

    def __init__(self, height: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setWordWrap(False)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setDefaultSectionSize(height)


class _View(RowsView):
    """Several rows may be chosen; Enter and double click activate a row; Ctrl+C copies."""

    copy_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(px(_ROW), parent)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the current row visible."""
        seen = self.visualRect(self.currentIndex())
        was_seen = seen.isValid() and seen.bottom() < event.oldSize().height() and seen.top() >= 0
        super().resizeEvent(event)
        if was_seen:
            self.scrollTo(self.currentIndex())

    def keyPressEvent(self, event: Any) -> None:
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_wanted.emit()
            event.accept()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            # Not every platform activates rows on Enter.
            self.activated.emit(self.currentIndex())
            event.accept()
        else:
            super().keyPressEvent(event)


class _Through(QIdentityProxyModel):
    """All rows of a model that searches and sorts by itself."""

    def look_for(self, text: str) -> None:
        """Have the model search."""
        model = self.sourceModel()
        if isinstance(model, LongModel):
            model.look_for(text)


class _Proxy(QSortFilterProxyModel):
    """Keeps rows in which some cell contains every search word."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._wanted: tuple[str, ...] = ()
        self.setSortCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self.setSortLocaleAware(True)
        self.setDynamicSortFilter(True)

    def look_for(self, text: str) -> None:
        """Show the rows with all words of ``text``, in any case and order."""
        self.beginFilterChange()
        self._wanted = tuple(text.casefold().split())
        self.endFilterChange(QSortFilterProxyModel.Direction.Rows)

    def filterAcceptsRow(self, row: int, parent: Index) -> bool:
        if not self._wanted:
            return True
        model = self.sourceModel()
        cells = (model.index(row, c, parent).data() for c in range(model.columnCount(parent)))
        text = "\n".join(str(cell) for cell in cells if cell is not None).casefold()
        return all(word in text for word in self._wanted)


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
        self._soon = later(self, self.fit)
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
