"""Asks which column of a report file holds what."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from ui.pages.imports.columns_form import ColumnsForm
from ui.widgets.labels import label, wrapped
from ui.words import listed, translate

if TYPE_CHECKING:
    from radcal.workflow.imports.preview import Preview

Groups = Sequence[tuple[str, ...]]


def missing_groups(groups: Groups, mapping: Mapping[str, str]) -> list[tuple[str, ...]]:
    """Groups of which no field has a column."""
    return [group for group in groups if not any(field in mapping for field in group)]


def meant(preview: Preview, groups: Groups) -> str:
    """The groups in words: 'the patient and who signed or who dictated'."""
    meanings = dict(preview.fields)
    either = translate("columns", " or ")
    return listed([either.join(meanings[field] for field in group) for group in groups])


class ColumnsDialog(QDialog):
    """``chosen`` carries a dict: RadCal's fields to the file's columns.  Nothing can be chosen that is not there."""

    chosen = Signal(object)

    def __init__(
        self,
        path: Path,
        preview: Preview,
        mapping: Mapping[str, str],
        needed: Groups,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._preview, self._needed = preview, tuple(needed)
        self.setWindowTitle(translate("columns", "Columns of {name}").format(name=path.name))
        self.setModal(True)
        self.resize(960, 560)
        self.form = ColumnsForm()
        self.form.set_file(preview, mapping, needed)
        self.form.chosen.connect(self._check)
        self.form.setMinimumWidth(360)
        right = QVBoxLayout()
        right.setSpacing(4)
        right.addWidget(label(translate("columns", "How the file begins"), role="strong"))
        right.addWidget(self._build_rows(), 1)
        middle = QHBoxLayout()
        middle.setSpacing(16)
        middle.addWidget(self.form, 3)
        middle.addLayout(right, 4)
        self.reason = wrapped(role="muted")
        self.reason.setMinimumHeight(20)
        self.buttons = QDialogButtonBox()
        self.go = QPushButton(translate("columns", "&Use these columns"))
        self.go.setProperty("primary", True)
        self.buttons.addButton(self.go, QDialogButtonBox.ButtonRole.AcceptRole)
        self.buttons.addButton(QPushButton(translate("columns", "Cancel")), QDialogButtonBox.ButtonRole.RejectRole)
        self.buttons.accepted.connect(self.accept)
        self.buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(20, 16, 20, 16)
        layout.setSpacing(8)
        layout.addWidget(label(translate("columns", "Which column of {name} holds what?").format(name=path.name)))
        layout.addLayout(middle, 1)
        layout.addWidget(self.reason)
        layout.addWidget(self.buttons)
        self._check()

    def _build_rows(self) -> QTableWidget:
        rows = self._preview.rows
        table = QTableWidget(len(rows), len(self._preview.columns))
        table.setAccessibleName(translate("columns", "The first rows of the file"))
        table.setHorizontalHeaderLabels(list(self._preview.columns))
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setTabKeyNavigation(False)
        table.verticalHeader().hide()
        table.setWordWrap(True)
        table.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        for i, row in enumerate(rows):
            for j, cell in enumerate(row):
                table.setItem(i, j, QTableWidgetItem(cell))
        table.resizeColumnsToContents()
        for j in range(table.columnCount()):
            table.setColumnWidth(j, min(table.columnWidth(j) + 8, 240))
        table.resizeRowsToContents()
        return table

    def mapping(self) -> dict[str, str]:
        """The chosen columns."""
        return self.form.mapping()

    @property
    def boxes(self) -> dict[str, QComboBox]:
        """The box of each field."""
        return self.form.boxes

    def accept(self) -> None:
        """Hand the columns over."""
        if not self.go.isEnabled():
            return
        mapping = self.mapping()
        super().accept()
        self.chosen.emit(mapping)

    @Slot(object)
    def _check(self, *_: object) -> None:
        missing = missing_groups(self._needed, self.mapping())
        self.go.setEnabled(not missing)
        self.reason.setText(
            translate("columns", "Still to be chosen: {what}.").format(what=meant(self._preview, missing))
            if missing
            else translate("columns", "All that is needed is there.")
        )
