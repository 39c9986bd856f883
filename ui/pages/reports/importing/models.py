"""Tables of an import: listed files, a file's first rows, and earlier imports."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont

from ui.kit.column import Column, RecordModel, count
from ui.words import moment, say

if TYPE_CHECKING:
    from radcal.reports.preview import Preview


def history_table() -> RecordModel:
    """The imports of the workspace: PastImport."""
    return RecordModel(
        (
            Column(say("when"), lambda p: moment(p.at), value=lambda p: p.at.isoformat(), width=152),
            count(say("read"), lambda p: p.rows_read, width=88),
            count(say("new reports"), lambda p: p.new, width=104),
            count(say("changed"), lambda p: p.changed, width=80),
            count(say("left out"), lambda p: p.rejected, width=104),
            Column(say("files"), lambda p: ", ".join(p.files)),
        )
    )


class FirstRowsModel(RecordModel):
    """The first rows of a report file; the header shows each column's name and field, bold if it has one."""

    def __init__(self) -> None:
        super().__init__(())
        self._mapped: tuple[bool, ...] = ()

    def set_preview(self, preview: Preview | None, mapping: Mapping[str, str]) -> None:
        """Show a file's rows; ``mapping`` maps fields to columns."""
        self.beginResetModel()
        self._map(preview, mapping)
        self._rows = preview.rows if preview else ()
        self.endResetModel()

    def set_mapping(self, preview: Preview, mapping: Mapping[str, str]) -> None:
        """Show another mapping of the same file."""
        self._map(preview, mapping)
        if self._columns:
            self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, len(self._columns) - 1)

    def _map(self, preview: Preview | None, mapping: Mapping[str, str]) -> None:
        meanings = dict(preview.fields) if preview else {}
        taken_for = {column: meanings.get(field, field) for field, column in mapping.items()}
        names = preview.columns if preview else ()
        self._columns = tuple(_first_rows(place, name, taken_for.get(name, "")) for place, name in enumerate(names))
        self._mapped = tuple(name in taken_for for name in names)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        mapped = orientation is Qt.Orientation.Horizontal and section in range(len(self._mapped))
        if role == Qt.ItemDataRole.FontRole and mapped and self._mapped[section]:
            font = QFont()
            font.setWeight(QFont.Weight.DemiBold)
            return font
        return super().headerData(section, orientation, role)


def _first_rows(place: int, name: str, meaning: str) -> Column:
    return Column(
        f"{name}\n{meaning or chr(0x2013)}",
        lambda row: " ".join(row[place].split()),
        tip=lambda row: row[place],
        meaning=f"{name}: {meaning}" if meaning else name,
    )


class FilesModel(RecordModel):
    """The listed files: draft.Line."""

    def __init__(self) -> None:
        super().__init__(
            (
                Column(say("file"), lambda line: line.name, width=240),
                Column(say("state"), lambda line: line.state, tip=lambda line: line.why, width=176),
                count(say("found"), lambda line: line.counted and line.counted.rows, width=72),
                count(say("X-ray reports"), lambda line: line.counted and line.counted.xray, width=112),
                count(say("CT reports"), lambda line: line.counted and line.counted.ct, width=104),
                count(say("left out"), lambda line: line.counted and line.counted.rejected, width=80),
                Column(say("holds"), lambda line: line.holds),
            )
        )
