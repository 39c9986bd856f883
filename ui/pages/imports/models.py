"""Tables of the Import page: listed files, a file's first rows, and rejected rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from ui.sentences import modality_text
from ui.widgets.lists import ListColumn, ListTableModel
from ui.words import moment, say, typographic, whole

if TYPE_CHECKING:
    from radcal.workflow.imports.preview import Preview

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()


def rejected_table(parent: QObject) -> ListTableModel:
    """Rejected rows: records.RejectedRow."""
    return ListTableModel(
        (
            ListColumn(say("file"), lambda r: r.file),
            # A report may fill many lines: what stands here is where an editor finds the row.
            ListColumn(say("line"), lambda r: whole(r.row), number=True, value=lambda r: r.row),
            ListColumn(say("why it was left out"), lambda r: typographic(r.reason)),
            ListColumn(say("what you can do"), lambda r: typographic(r.remedy)),
        ),
        parent,
    )


def steps_table(parent: QObject) -> ListTableModel:
    """The steps from rows to pairs: records.AttritionStep."""
    return ListTableModel(
        (
            ListColumn(say("step"), lambda s: typographic(s.step)),
            ListColumn(say("reports"), lambda s: modality_text(s.modality)),
            ListColumn(say("kept"), lambda s: whole(s.kept), number=True, value=lambda s: s.kept),
            ListColumn(say("dropped"), lambda s: whole(s.dropped), number=True, value=lambda s: s.dropped),
            ListColumn(say("why"), lambda s: typographic(s.reason) if s.reason else ""),
        ),
        parent,
    )


def history_table(parent: QObject) -> ListTableModel:
    """The imports of the workspace: PastImport."""

    def number(header: str, field: str) -> ListColumn:
        return ListColumn(header, lambda p: whole(getattr(p, field)), number=True, value=lambda p: getattr(p, field))

    return ListTableModel(
        (
            ListColumn(say("when"), lambda p: moment(p.at), value=lambda p: p.at.isoformat()),
            number(say("rows read"), "rows_read"),
            number(say("new reports"), "new"),
            number(say("changed"), "changed"),
            number(say("as before"), "unchanged"),
            number(say("rows left out"), "rejected"),
            ListColumn(say("files"), lambda p: ", ".join(p.files)),
        ),
        parent,
    )


class FirstRowsModel(QAbstractTableModel):
    """The first rows of a report file; the header shows each column's name and field."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._columns: tuple[str, ...] = ()
        self._rows: tuple[tuple[str, ...], ...] = ()
        self._taken_for: dict[str, str] = {}

    def set_preview(self, preview: Preview | None, mapping: Mapping[str, str]) -> None:
        """Show a file's rows; ``mapping`` maps fields to columns."""
        self.beginResetModel()
        self._columns = preview.columns if preview else ()
        self._rows = preview.rows if preview else ()
        self._taken_for = _taken_for(preview, mapping)
        self.endResetModel()

    def set_mapping(self, preview: Preview, mapping: Mapping[str, str]) -> None:
        """Show the current mapping."""
        self._taken_for = _taken_for(preview, mapping)
        if self._columns:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self._columns) - 1)

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self._columns):
            return None
        name = self._columns[section]
        meaning = self._taken_for.get(name, "")
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{name}\n{meaning or chr(0x2013)}"
        if role == Qt.ItemDataRole.ToolTipRole:
            if not meaning:
                return say("{column} is not used.", column=name)
            return say("{column} is read as {meaning}.", column=name, meaning=meaning)
        if role == Qt.ItemDataRole.FontRole and meaning:
            font = QFont()
            font.setWeight(QFont.Weight.DemiBold)
            return font
        return _LEFT if role == Qt.ItemDataRole.TextAlignmentRole else None

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return " ".join(self._rows[index.row()][index.column()].split())
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._rows[index.row()][index.column()]
        return _LEFT if role == Qt.ItemDataRole.TextAlignmentRole else None


_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


def _taken_for(preview: Preview | None, mapping: Mapping[str, str]) -> dict[str, str]:
    meanings = dict(preview.fields) if preview else {}
    return {column: meanings.get(field, field) for field, column in mapping.items()}


class FilesModel(ListTableModel):
    """The listed files: draft.Line."""

    def __init__(self, parent: QObject | None = None) -> None:
        def number(header: str, text: str, meaning: str = "") -> ListColumn:
            return ListColumn(
                header, lambda line: "" if getattr(line, text) is None else whole(getattr(line, text)), number=True,
                value=lambda line: -1 if getattr(line, text) is None else getattr(line, text), meaning=meaning,
            )  # fmt: skip

        super().__init__(
            (
                ListColumn(say("file"), lambda line: line.name),
                ListColumn(say("state"), lambda line: line.state, tip=lambda line: line.why),
                number(say("rows"), "rows"),
                number(say("X-ray reports"), "xray"),
                number(say("CT reports"), "ct"),
                number(
                    say("others"),
                    "others",
                    say("Examinations of other parts of the body, earlier versions, addenda"),
                ),
                number(
                    say("left out"),
                    "rejected",
                    say("Rows that cannot be used; the reasons stand above"),
                ),
                ListColumn(say("holds"), lambda line: line.holds),
            ),
            parent,
        )

    def update_rows(self, lines: Sequence[Any]) -> None:
        """Show these records; the selection is kept if their number is unchanged."""
        if len(lines) != self.rowCount():
            self.set_rows(lines)
            return
        self._rows = tuple(lines)
        if lines:
            self.dataChanged.emit(self.index(0, 0), self.index(len(lines) - 1, self.columnCount() - 1))
