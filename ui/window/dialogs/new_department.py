"""Asks for report files, and for a new workspace where to keep it and under which passphrase.

Each file is looked into in the background as soon as it is on the list, so that a column that is not recognised
can be chosen before the import begins.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from dataclasses import field as made_with
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QHeaderView,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ui.pages.imports.sentences import translated_fields
from ui.records import BOTH, CT, XRAY, ChosenFile, PlanOfImport
from ui.widgets.file_dialogs import ask_folder, ask_open_many
from ui.widgets.labels import label, wrapped
from ui.window.dialogs.columns import ColumnsDialog, meant, missing_groups
from ui.window.dialogs.new_workspace import PlaceForm
from ui.words import quoted, translate, typographic

if TYPE_CHECKING:
    from radcal.workflow.imports.preview import Preview
    from ui.tasks import Failure

Look = Callable[[Path, Callable[["Preview"], None], Callable[["Failure"], None]], None]
"""Looks into a report file in the background and calls the one or the other."""

_KINDS = ("CSV, TSV, Excel (*.csv *.tsv *.txt *.xlsx *.xls)", "* (*)")
_HOLDS = (BOTH, XRAY, CT)


@dataclass(slots=True)
class _File:
    """A file on the list; ``preview`` is None until it was looked into, and the rest as in ChosenFile."""

    path: Path
    holds: QComboBox
    columns: QPushButton
    preview: Preview | None = None
    failure: str = ""
    mapping: Mapping[str, str] = made_with(default_factory=dict)
    day_first: bool | None = None
    replaces: bool = False

    @property
    def read_as(self) -> Mapping[str, str]:
        """What each field is read from, chosen or recognised."""
        return self.mapping or (self.preview.mapping if self.preview else {})

    @property
    def needed(self) -> list[tuple[str, ...]]:
        """Groups of fields of which the file needs at least one."""
        if self.preview is None:
            return []
        kind, p = _HOLDS[self.holds.currentIndex()], self.preview
        return [*p.needed, *(p.needed_of_both if kind == BOTH else ()), *(p.needed_of_xray if kind != CT else ())]


class ImportDialog(QDialog):
    """``planned`` carries a PlanOfImport.  With ``new_workspace`` it asks for its place and passphrase too."""

    planned = Signal(object)

    def __init__(self, look: Look, parent: QWidget | None = None, *, new_workspace: bool) -> None:
        super().__init__(parent)
        self._new, self._look = new_workspace, look
        self._files: list[_File] = []
        self.setWindowTitle(
            translate("new", "New from report files") if new_workspace else translate("new", "Import reports")
        )
        self.setModal(True)
        self.setMinimumWidth(820)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(8)
        layout.addWidget(label(translate("new", "Report files"), role="strong"))
        layout.addLayout(self._build_files())
        self.place = PlaceForm(self)
        self.place.setVisible(new_workspace)
        self.place.changed.connect(self._check)
        self.path, self.first, self.second = self.place.path, self.place.first, self.place.second
        if new_workspace:
            layout.addSpacing(8)
            layout.addWidget(label(translate("new", "Workspace"), role="strong"))
            layout.addWidget(self.place)
        self.reason = wrapped(role="muted")
        self.reason.setMinimumHeight(36)
        layout.addWidget(self.reason)
        self.buttons = QDialogButtonBox()
        self.go = QPushButton(translate("new", "&Import reports"))
        self.go.setProperty("primary", True)
        self.buttons.addButton(self.go, QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.addButton(QPushButton(translate("new", "Cancel")), QDialogButtonBox.ButtonRole.RejectRole)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout.addWidget(self.buttons)
        self._check()

    def _build_files(self) -> QHBoxLayout:
        self.files = QTableWidget(0, 3)
        self.files.setAccessibleName(translate("new", "Report files"))
        self.files.setHorizontalHeaderLabels(
            [translate("new", "file"), translate("new", "holds"), translate("new", "columns")]
        )
        self.files.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.files.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.files.setTabKeyNavigation(False)
        self.files.setShowGrid(False)
        self.files.verticalHeader().hide()
        self.files.verticalHeader().setDefaultSectionSize(36)
        header = self.files.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        for column in range(3):
            item = self.files.horizontalHeaderItem(column)
            if item is not None:
                item.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        for column, width in ((1, 200), (2, 168)):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            header.resizeSection(column, width)
        self.files.setMinimumHeight(148)
        self.add = QPushButton(translate("new", "&Add files\u2026"))
        self.add.clicked.connect(self._choose_files)
        self.add_folder = QPushButton(translate("new", "Add a &folder\u2026"))
        self.add_folder.setToolTip(translate("new", "A folder of text files with a manifest"))
        self.add_folder.clicked.connect(self._choose_folder)
        self.remove = QPushButton(translate("new", "&Remove"))
        self.remove.clicked.connect(self._remove)
        side = QVBoxLayout()
        side.setSpacing(8)
        for button in (self.add, self.add_folder, self.remove):
            side.addWidget(button)
        side.addStretch(1)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self.files, 1)
        line.addLayout(side)
        return line

    # --- files -------------------------------------------------------------------------------------

    def add_files(self, paths: list[Path]) -> None:
        """Put files on the list; a file that is there already is not put twice."""
        there = {f.path for f in self._files}
        for path in paths:
            if path in there:
                continue
            there.add(path)
            row = self.files.rowCount()
            self.files.insertRow(row)
            item = QTableWidgetItem(path.name)
            item.setToolTip(str(path))
            self.files.setItem(row, 0, item)
            holds = QComboBox()
            holds.addItems(
                [
                    translate("new", "X-ray and CT reports"),
                    translate("new", "X-ray reports"),
                    translate("new", "CT reports"),
                ]
            )
            holds.setAccessibleName(translate("new", "What {name} holds").format(name=path.name))
            holds.currentIndexChanged.connect(self._check)
            columns = QPushButton()
            file = _File(path, holds, columns)
            columns.clicked.connect(partial(self.choose_columns, file))
            self._files.append(file)
            self.files.setCellWidget(row, 1, holds)
            width = max(self.files.columnWidth(1), holds.sizeHint().width() + 8)  # its words differ by language
            self.files.horizontalHeader().resizeSection(1, width)
            self.files.setCellWidget(row, 2, columns)
            self.files.selectRow(row)
            self._look(path, partial(self._seen, file), partial(self._unreadable, file))
        self._check()

    def fill(self, plan: PlanOfImport) -> None:
        """Put on the list what was asked for before, passphrase excepted."""
        for chosen in plan.files:
            self.add_files([chosen.path])
            file = self._files[-1]
            file.mapping, file.day_first, file.replaces = chosen.mapping, chosen.day_first, chosen.replaces
            self.set_holds(len(self._files) - 1, chosen.holds)
        if plan.workspace is not None:
            self.path.setText(str(plan.workspace))
        self._check()

    def set_holds(self, row: int, what: str) -> None:
        """Say that the file of a row holds BOTH, XRAY or CT."""
        self._files[row].holds.setCurrentIndex(_HOLDS.index(what))

    def choose_columns(self, file: _File, *_: object) -> None:
        """Ask which column of a file holds what."""
        if file.preview is None:
            return
        dialog = ColumnsDialog(file.path, file.preview, file.read_as, file.needed, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.chosen.connect(partial(self._map, file))
        dialog.open()

    def _map(self, file: _File, mapping: Mapping[str, str]) -> None:
        recognised = dict(file.preview.mapping) if file.preview else {}
        file.mapping = {} if mapping == recognised else mapping
        self._check()

    def _seen(self, file: _File, preview: Preview) -> None:
        file.preview = translated_fields(preview)
        self._check()

    def _unreadable(self, file: _File, why: Failure) -> None:
        file.failure = typographic(why.text) or translate("new", "{name} cannot be read.").format(name=file.path.name)
        self._check()

    def plan(self) -> PlanOfImport:
        """What was asked for so far."""
        return PlanOfImport(
            tuple(
                ChosenFile(f.path, _HOLDS[f.holds.currentIndex()], f.mapping, f.day_first, f.replaces)
                for f in self._files
            ),
            self.place.place if self._new else None,
            self.first.text() if self._new else "",
        )

    def missing(self) -> str:
        """What is still to be done before the import can begin; '' if nothing."""
        if not self._files:
            return translate("new", "Add the files that hold your X-ray and CT reports.")
        for file in self._files:
            if why := _missing_in(file):
                return why
        return self.place.missing() if self._new else ""

    def accept(self) -> None:
        """Hand the plan over and forget the passphrase."""
        if self.missing():
            return
        plan = self.plan()
        self.first.clear()
        self.second.clear()
        super().accept()
        self.planned.emit(plan)

    @Slot()
    def _check(self, *_: object) -> None:
        missing = self.missing()
        self.reason.setText(missing)
        self.go.setEnabled(not missing)
        self.remove.setEnabled(bool(self._files))
        for file in self._files:
            file.columns.setText(_state(file))
            file.columns.setEnabled(file.preview is not None)
            file.columns.setToolTip(file.failure)
            file.columns.setAccessibleName(f"{file.path.name}: {file.columns.text()}")

    @Slot()
    def _choose_files(self) -> None:
        ask_open_many(self, translate("new", "Report files"), _KINDS, self._add_named)

    @Slot()
    def _choose_folder(self) -> None:
        ask_folder(self, translate("new", "A folder of text files with a manifest"), self._add_folder)

    @Slot(list)
    def _add_named(self, names: list[str]) -> None:
        self.add_files([Path(name) for name in names])

    @Slot(str)
    def _add_folder(self, name: str) -> None:
        self.add_files([Path(name)])

    @Slot()
    def _remove(self) -> None:
        rows = {i.row() for i in self.files.selectedIndexes()} or {self.files.rowCount() - 1}
        for row in sorted(rows, reverse=True):
            self.files.removeRow(row)
            del self._files[row]
        self._check()


def _missing_in(file: _File) -> str:
    """What keeps a file from being imported; '' if nothing."""
    if file.failure:
        return file.failure
    if file.preview is None:
        return translate("new", "Looking into {name}\u2026").format(name=file.path.name)
    missing = missing_groups(file.needed, file.read_as)
    if not missing:
        return ""
    what = meant(file.preview, missing)
    return translate("new", "{name}: no column was recognised for {what}. Press {button} and say which it is.").format(
        name=file.path.name, what=what, button=quoted(translate("new", "Choose columns\u2026"))
    )


def _state(file: _File) -> str:
    """What is known of a file's columns, in two words."""
    if file.failure:
        return translate("new", "Cannot be read")
    if file.preview is None:
        return translate("new", "Looking\u2026")
    if missing_groups(file.needed, file.read_as):
        return translate("new", "Choose columns\u2026")
    return translate("new", "Chosen\u2026") if file.mapping else translate("new", "Recognised\u2026")
