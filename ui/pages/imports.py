"""What came out of the report files: rows that were left out, and the way from reports to pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QPushButton, QTableView, QWidget

from ui.models.lists import ListColumn, ListTableModel
from ui.pages.page import label, wrapped
from ui.pages.stage import StagePage
from ui.words import counted, translate, typographic, whole

if TYPE_CHECKING:
    from ui.records import Opened
    from ui.shell import Shell


_MODALITIES = {"xray": "X-ray", "ct": "CT", "both": translate("import", "X-ray and CT")}


class ImportPage(StagePage):
    """Lists the rows left out and the steps of pairing; ``import_wanted`` asks for further files."""

    import_wanted = Signal()

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._may_import = False
        self.title.setText(translate("import", "Import"))
        self.button = QPushButton(translate("import", "&Import reports\u2026"))
        self.button.setProperty("primary", True)
        self.button.clicked.connect(self.import_wanted)
        self.head.addWidget(self.button, 0, 2)

        self.rejected = ListTableModel(
            (
                ListColumn(translate("import", "file"), lambda r: r.file),
                ListColumn(translate("import", "row"), lambda r: whole(r.row), number=True),
                ListColumn(translate("import", "why it was left out"), lambda r: typographic(r.reason)),
                ListColumn(translate("import", "what you can do"), lambda r: typographic(r.remedy)),
            ),
            self,
        )
        self.attrition = ListTableModel(
            (
                ListColumn(translate("import", "step"), lambda s: typographic(s.step)),
                ListColumn(translate("import", "reports"), lambda s: _MODALITIES.get(s.modality, s.modality)),
                ListColumn(translate("import", "kept"), lambda s: whole(s.kept), number=True),
                ListColumn(translate("import", "dropped"), lambda s: whole(s.dropped), number=True),
                ListColumn(translate("import", "why"), lambda s: typographic(s.reason)),
            ),
            self,
        )
        self.notes = wrapped(role="muted")
        self.body.addWidget(self.notes)
        self.rejected_title = label(role="strong")
        self.rejected_table = _table(self.rejected, translate("import", "Rows left out"), (200, 72, 320))
        self.attrition_title = label(translate("import", "From reports to pairs"), role="strong")
        self.attrition_table = _table(self.attrition, translate("import", "From reports to pairs"), (320, 136, 88, 88))
        for title, table in (
            (self.rejected_title, self.rejected_table),
            (self.attrition_title, self.attrition_table),
        ):
            self.body.addWidget(title)
            self.body.addWidget(table, 1)
        self.body.addStretch(0)
        self.show_department(None)

    def set_busy(self, busy: bool) -> None:
        """While something is being opened or imported the next import waits."""
        self.button.setEnabled(self._may_import and not busy)

    def show_department(self, opened: Opened | None) -> None:
        """Show what the department's imports came to, the latest in words."""
        rejected = opened.rejected if opened else ()
        attrition = opened.attrition if opened else ()
        why_not = _why_not(opened)
        self._may_import = opened is not None and not why_not
        self.button.setToolTip(why_not)
        self.set_busy(False)
        self.sentence.setText(_sentence(opened) if opened else "")
        self.notes.setText(typographic("\n".join(opened.imported.notes)) if opened and opened.imported else "")
        self.notes.setVisible(bool(self.notes.text()))
        rows = counted(
            len(rejected), translate("import", "row was left out"), translate("import", "rows were left out")
        )
        self.rejected_title.setText(rows)
        self.rejected.set_rows(rejected)
        self.attrition.set_rows(attrition)
        for shown, widgets in (
            (rejected, (self.rejected_title, self.rejected_table)),
            (attrition, (self.attrition_title, self.attrition_table)),
        ):
            for widget in widgets:
                widget.setVisible(bool(shown))


def _why_not(opened: Opened | None) -> str:
    """Why nothing can be imported into the department; '' if it can."""
    if opened is not None and opened.read_only:
        return translate("import", "Nothing can be imported while the workspace is open to read only.")
    if opened is not None and opened.sample:
        return translate("import", "Nothing can be imported into the sample. Make a workspace of your own.")
    return ""


def _sentence(opened: Opened) -> str:
    pairs = counted(opened.n_pairs, translate("import", "pair"), translate("import", "pairs"))
    text = translate("import", "The workspace holds {pairs} of X-ray and CT reports.").format(pairs=pairs)
    if why_not := _why_not(opened):
        text = f"{text} {why_not}"
    if opened.imported is None:
        return text
    rows = counted(opened.imported.rows_read, translate("import", "row"), translate("import", "rows"))
    left_out = whole(len(opened.imported.rejected))
    return translate("import", "{rows} read now, {n} of them left out.").format(rows=rows, n=left_out) + " " + text


def _table(model: ListTableModel, name: str, widths: tuple[int, ...]) -> QTableView:
    table = QTableView()
    table.setModel(model)
    table.setAccessibleName(name)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setShowGrid(False)
    table.setTabKeyNavigation(False)
    table.setTextElideMode(Qt.TextElideMode.ElideRight)
    table.verticalHeader().hide()
    table.verticalHeader().setDefaultSectionSize(28)
    header = table.horizontalHeader()
    header.setHighlightSections(False)
    header.setSectionsClickable(False)
    for column, width in enumerate(widths):
        header.resizeSection(column, width)
    header.setSectionResizeMode(len(widths), QHeaderView.ResizeMode.Stretch)
    return table
