"""Asks for report files, and for a new workspace where to keep it and under which passphrase."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QStandardPaths, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QHeaderView,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ui.pages.page import label
from ui.records import PlanOfImport
from ui.words import translate

SUFFIX = ".radcal"
MIN_PASSPHRASE = 8
_FILTER = "CSV, TSV, Excel (*.csv *.tsv *.txt *.xlsx *.xls);;* (*)"
BOTH, XRAY, CT = range(3)


class ImportDialog(QDialog):
    """``planned`` carries a PlanOfImport.  With ``new_workspace`` it asks for its place and passphrase too."""

    planned = Signal(object)

    def __init__(self, parent: QWidget | None = None, *, new_workspace: bool) -> None:
        super().__init__(parent)
        self._new = new_workspace
        self.setWindowTitle(
            translate("new", "New from report files") if new_workspace else translate("new", "Import reports")
        )
        self.setModal(True)
        self.setMinimumWidth(680)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(8)
        layout.addWidget(label(translate("new", "Report files"), role="strong"))
        layout.addLayout(self._build_files())
        self.path, self.first, self.second = QLineEdit(), _secret(), _secret()
        if new_workspace:
            layout.addSpacing(8)
            layout.addWidget(label(translate("new", "Workspace"), role="strong"))
            layout.addLayout(self._build_workspace())
        self.reason = label(role="muted")
        self.reason.setWordWrap(True)
        self.reason.setMinimumHeight(20)
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
        self.files = QTableWidget(0, 2)
        self.files.setAccessibleName(translate("new", "Report files"))
        self.files.setHorizontalHeaderLabels([translate("new", "file"), translate("new", "holds")])
        self.files.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.files.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.files.setTabKeyNavigation(False)
        self.files.setShowGrid(False)
        self.files.verticalHeader().hide()
        self.files.verticalHeader().setDefaultSectionSize(36)
        header = self.files.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        for column in (0, 1):
            item = self.files.horizontalHeaderItem(column)
            if item is not None:
                item.setTextAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        header.resizeSection(1, 216)
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

    def _build_workspace(self) -> QGridLayout:
        folder = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
        there = Path(folder) if folder and Path(folder).is_dir() else Path.home()
        self.path.setText(str(there / f"{translate('new', 'Department')}{SUFFIX}"))
        browse = QPushButton(translate("new", "&Choose\u2026"))
        browse.clicked.connect(self._choose_place)
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(8)
        for row, (text, field) in enumerate(
            (
                (translate("new", "&Keep it in"), self.path),
                (translate("new", "&Passphrase"), self.first),
                (translate("new", "Passphrase a&gain"), self.second),
            )
        ):
            name = label(text)
            name.setBuddy(field)
            field.setAccessibleName(text.replace("&", ""))
            field.textChanged.connect(self._check)
            grid.addWidget(name, row, 0)
            grid.addWidget(field, row, 1)
        grid.addWidget(browse, 0, 2)
        grid.addWidget(
            label(translate("new", "Keep the passphrase safe: without it nobody can read the file."), role="muted"),
            3,
            1,
        )
        return grid

    # --- files -------------------------------------------------------------------------------------

    def add_files(self, paths: list[Path]) -> None:
        """Put files on the list; a file that is there already is not put twice."""
        there = {p for p, _ in self._listed()}
        for path in paths:
            if path in there:
                continue
            there.add(path)
            row = self.files.rowCount()
            self.files.insertRow(row)
            item = QTableWidgetItem(path.name)
            item.setData(Qt.ItemDataRole.UserRole, str(path))
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
            self.files.setCellWidget(row, 1, holds)
            self.files.selectRow(row)
        self._check()

    def set_holds(self, row: int, what: int) -> None:
        """Say that the file of a row holds BOTH, XRAY or CT."""
        box = self.files.cellWidget(row, 1)
        if isinstance(box, QComboBox):
            box.setCurrentIndex(what)

    def plan(self) -> PlanOfImport:
        """What was asked for so far."""
        kinds: dict[int, list[Path]] = {BOTH: [], XRAY: [], CT: []}
        for path, kind in self._listed():
            kinds[kind].append(path)
        return PlanOfImport(
            tuple(kinds[BOTH]),
            tuple(kinds[XRAY]),
            tuple(kinds[CT]),
            self._place() if self._new else None,
            self.first.text() if self._new else "",
        )

    def missing(self) -> str:
        """What is still to be done before the import can begin; '' if nothing."""
        if not self.files.rowCount():
            return translate("new", "Add the files that hold your X-ray and CT reports.")
        if not self._new:
            return ""
        place = self._place()
        if not self.path.text().strip():
            return translate("new", "Choose where to keep the workspace.")
        if place.exists():
            return translate(
                "new", "{name} is there already. Choose another name, or open it and import there."
            ).format(name=place.name)
        if not place.parent.is_dir():
            return translate("new", "There is no folder {name}. Choose another place.").format(name=place.parent)
        if len(self.first.text()) < MIN_PASSPHRASE:
            return translate("new", "Choose a passphrase of {n} characters or more.").format(n=MIN_PASSPHRASE)
        if self.first.text() != self.second.text():
            return translate("new", "Type the passphrase a second time; the two are not the same yet.")
        return ""

    def accept(self) -> None:
        """Hand the plan over and forget the passphrase."""
        if self.missing():
            return
        plan = self.plan()
        self.first.clear()
        self.second.clear()
        super().accept()
        self.planned.emit(plan)

    def _listed(self) -> list[tuple[Path, int]]:
        found = []
        for row in range(self.files.rowCount()):
            box = self.files.cellWidget(row, 1)
            kind = box.currentIndex() if isinstance(box, QComboBox) else BOTH
            path = self.files.model().index(row, 0).data(Qt.ItemDataRole.UserRole)
            found.append((Path(path), kind))
        return found

    def _place(self) -> Path:
        path = Path(self.path.text().strip())
        return path if path.suffix else path.with_name(path.name + SUFFIX) if path.name else path

    @Slot()
    def _check(self, *_: object) -> None:
        missing = self.missing()
        self.reason.setText(missing)
        self.go.setEnabled(not missing)
        self.remove.setEnabled(self.files.rowCount() > 0)

    @Slot()
    def _choose_files(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(self, translate("new", "Report files"), "", _FILTER)
        self.add_files([Path(n) for n in names])

    @Slot()
    def _choose_folder(self) -> None:
        if name := QFileDialog.getExistingDirectory(self, translate("new", "A folder of text files with a manifest")):
            self.add_files([Path(name)])

    @Slot()
    def _choose_place(self) -> None:
        name, _ = QFileDialog.getSaveFileName(
            self, translate("new", "Keep the workspace in"), self.path.text(), f"RadCal (*{SUFFIX})"
        )
        if name:
            self.path.setText(name)

    @Slot()
    def _remove(self) -> None:
        rows = {i.row() for i in self.files.selectedIndexes()} or {self.files.rowCount() - 1}
        for row in sorted(rows, reverse=True):
            self.files.removeRow(row)
        self._check()


def _secret() -> QLineEdit:
    field = QLineEdit()
    field.setEchoMode(QLineEdit.EchoMode.Password)
    return field
