"""The table used on every page: search, sorting, copy, export, column choice, and a persistent layout."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol, cast

from PySide6.QtCore import (
    QAbstractItemModel,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    QPoint,
    QSortFilterProxyModel,
    Qt,
    QTimer,
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

from radcal import exports
from ui.preferences import preferences
from ui.widgets.buttons import menu_button
from ui.widgets.column_fit import ColumnFit, visible_columns
from ui.widgets.labels import label
from ui.widgets.layouts import hbox, vbox
from ui.words import counted, say, whole

if TYPE_CHECKING:
    from ui.widgets.file_dialogs import FileSaver

Index = QModelIndex | QPersistentModelIndex
SORT = Qt.ItemDataRole.UserRole + 100
"""A cell's sort key, if not its text: a number or a string, never None."""
EXPORT = Qt.ItemDataRole.UserRole + 101
"""A cell's exported value, if not its text: a number, a date or a string, or a tuple of them.

A column of tuples has as many names under this role in its header.
"""

_WIDTHS = " widths"
"""Suffix of the key of the preferred widths, which a narrow window does not change."""
_ROW = 28
_WAIT_MS = 150


class CoarseModel(Protocol):
    """A model of people under pseudonyms whose exact figures stay on the screen."""

    def may_leave(self, number: int) -> bool: ...

    def columns_that_leave(self) -> list[int]: ...


class DataTable(QWidget):
    """A table view on a model, with a bar above it: search, row count, further actions.

    key: name of the stored layout, the same in every language
    name: accessible name and suggested file name
    widths: of the first columns; the last one is stretched
    activated: a row of the source model, by Enter or double click
    current_changed: a row of the source model, -1 for none
    """

    activated = Signal(object)
    current_changed = Signal(object)

    def __init__(
        self,
        key: str,
        name: str,
        model: QAbstractItemModel,
        files: FileSaver,
        *,
        widths: Sequence[int] = (),
        searchable: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._key, self._name, self._files, self._model = f"tables/{key}", name, files, model
        self._withheld = ""
        self.proxy = _Proxy(self)
        self.proxy.setSourceModel(model)
        self.view = _View(self)
        self.view.setModel(self.proxy)
        self.view.setAccessibleName(name)
        self.view.copy_wanted.connect(self.copy)
        self.view.activated.connect(self._activate)
        self.view.selectionModel().currentRowChanged.connect(self._current_row_changed)
        self._build_header(widths)
        self._build_bar(searchable)
        vbox(self._bar, (self.view, 1), parent=self, spacing=4)
        # Tab order: the bar, then the rows.
        for before, after in itertools.pairwise((self.search, self.more, self.view)):
            self.setTabOrder(before, after)
        self._last: QWidget = self.search
        self._waiting = QTimer(self)
        self._waiting.setSingleShot(True)
        self._waiting.setInterval(_WAIT_MS)
        self._waiting.timeout.connect(self._search)
        for signal in (self.proxy.modelReset, self.proxy.rowsInserted, self.proxy.rowsRemoved):
            signal.connect(self._count)
        self._count()

    # --- building ----------------------------------------------------------------------------------

    def _build_header(self, widths: Sequence[int]) -> None:
        header = self.view.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsMovable(True)
        header.setStretchLastSection(True)
        header.setMinimumSectionSize(48)
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._header_menu)
        for column, width in enumerate(widths):
            header.resizeSection(column, max(width, header.sectionSizeHint(column)))
        state, kept = preferences().value(self._key), preferences().value(self._key + _WIDTHS)
        # A stored layout with other columns would leave new ones unpainted.
        same = isinstance(kept, list) and len(kept) == header.count()
        if state is not None and same:
            header.restoreState(state)
            # The layout may stem from a language with shorter headers.
            for column in range(header.count()):
                if not header.isSectionHidden(column):
                    header.resizeSection(column, max(header.sectionSize(column), header.sectionSizeHint(column)))
        # Initially in the model's order.
        header.setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        header.setSortIndicatorClearable(True)
        header.sortIndicatorChanged.connect(self._sort)
        header.setSectionsClickable(True)
        header.setSortIndicatorShown(True)
        self._fit = ColumnFit(self.view)
        if same:
            self._fit.wanted = [max(int(width), header.sectionSizeHint(c)) for c, width in enumerate(kept)]
        self._storing = QTimer(self)  # writing takes a while: once for all that changes together
        self._storing.setSingleShot(True)
        self._storing.timeout.connect(self._store)
        for signal in (header.sectionResized, header.sectionMoved):
            signal.connect(self._remember)

    def _build_bar(self, searchable: bool) -> None:
        self.search = QLineEdit()
        self.search.setPlaceholderText(say("Search"))
        self.search.setAccessibleName(say("Search in {table}", table=self._name))
        self.search.setClearButtonEnabled(True)
        self.search.setMaximumWidth(280)
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
        index = self.proxy.mapFromSource(self._model.index(row, 0))
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
        shown, total = self.proxy.rowCount(), self._model.rowCount()
        rows = counted(total, "{n} row", "{n} rows")
        self.count.setText(rows if shown == total else say("{shown} of {rows}", shown=whole(shown), rows=rows))

    @Slot(int, object)
    def _sort(self, column: int, order: Qt.SortOrder) -> None:
        # Sorted by Qt, so by a role that every cell of the column has.
        first = self._model.index(0, column)
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
        if self._people is not None:
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
        of_rows: Callable[[], str] | None = getattr(self._model, "why_kept", None)
        return self._withheld or ("" if of_rows is None else of_rows())

    def _say_why_kept(self) -> None:
        QToolTip.showText(self.more.mapToGlobal(QPoint(0, self.more.height())), self.why_kept, self.more)

    @property
    def _people(self) -> CoarseModel | None:
        """The model, where it must not tell people's exact figures."""
        return cast("CoarseModel", self._model) if getattr(self._model, "coarse", False) else None

    def _exported(self, numbers: Sequence[int]) -> list[list[Any]]:
        """The header and rows as they are exported; coarse ones by name, since an order by n would tell of n."""
        people = self._people
        if people is None:
            return [self._export_header(), *(_flat(self._row(r, EXPORT)) for r in numbers)]
        leave = [r for r in numbers if people.may_leave(self.proxy.mapToSource(self.proxy.index(r, 0)).row())]
        rows = [_flat(self._row(r, EXPORT)) for r in leave]
        return [self._export_header(), *sorted(rows, key=lambda row: str(row[0]).casefold())]

    def _columns(self) -> list[int]:
        return visible_columns(self.view.horizontalHeader())

    def _columns_exported(self) -> list[int]:
        people = self._people
        return [c for c in self._columns() if people is None or c in people.columns_that_leave()]

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


def with_ends(name: str) -> tuple[str, str, str]:
    """The names of three columns: an estimate and its two interval limits."""
    return name, say("{column}: low", column=name), say("{column}: high", column=name)


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
        super().__init__(_ROW, parent)
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
