"""Tables of the Import page: listed files, a file's first rows, and rejected rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont

from radcal.exports import ReportNumber
from ui.pages.imports.sentences import position_text
from ui.sentences import modality_text
from ui.widgets.lists import ListColumn, ListTableModel, count
from ui.words import moment, report_name, say, typographic

if TYPE_CHECKING:
    from radcal.records import RejectedRow
    from radcal.workflow.imports.preview import Preview


def rejected_table() -> ListTableModel:
    """Rejected rows: records.RejectedRow."""
    return ListTableModel(
        (
            ListColumn(say("file"), lambda r: r.file),
            ListColumn(say("position"), _position, value=lambda r: r.row),
            ListColumn(
                say("accession number"),
                lambda r: r.accession,
                export=lambda r: r.accession and ReportNumber(r.accession),
            ),
            ListColumn(say("why it was left out"), lambda r: typographic(r.reason)),
            ListColumn(say("what you can do"), lambda r: typographic(r.remedy)),
        )
    )


def _position(rejected: RejectedRow) -> str:
    from radcal.workflow import unit_of

    return position_text(unit_of(rejected.reason, rejected.unit), rejected.row)


def suspects_table() -> ListTableModel:
    """Words left in reports that may be identifiers: imports.suspects.Suspicion."""
    kinds = {"name": say("a name?"), "number": say("a number?")}
    return ListTableModel(
        (
            ListColumn(say("report"), lambda s: report_name(s.report_id)),
            ListColumn(say("may be"), lambda s: kinds.get(s.kind, s.kind)),
            ListColumn(say("words"), lambda s: s.words),
            count(say("in reports"), lambda s: s.reports, say("Reports of the list that have the same words")),
            ListColumn(say("where they stand"), lambda s: " ".join(s.sentence.split()), tip=lambda s: s.sentence),
        )
    )


def steps_table() -> ListTableModel:
    """The steps from rows to pairs: records.AttritionStep."""
    return ListTableModel(
        (
            ListColumn(say("step"), lambda s: typographic(s.step)),
            ListColumn(say("reports"), lambda s: modality_text(s.modality)),
            count(say("kept"), lambda s: s.kept),
            count(say("dropped"), lambda s: s.dropped),
            ListColumn(say("why"), lambda s: typographic(s.reason) if s.reason else ""),
        )
    )


def history_table() -> ListTableModel:
    """The imports of the workspace: PastImport."""
    return ListTableModel(
        (
            ListColumn(say("when"), lambda p: moment(p.at), value=lambda p: p.at.isoformat()),
            count(say("read"), lambda p: p.rows_read),
            count(say("new reports"), lambda p: p.new),
            count(say("changed"), lambda p: p.changed),
            count(say("as before"), lambda p: p.unchanged),
            count(say("left out"), lambda p: p.rejected),
            ListColumn(say("files"), lambda p: ", ".join(p.files)),
        )
    )


class FirstRowsModel(ListTableModel):
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


def _first_rows(place: int, name: str, meaning: str) -> ListColumn:
    if meaning:
        use = say("{column} is read as {meaning}.", column=name, meaning=meaning)
    else:
        use = say("{column} is not used.", column=name)
    return ListColumn(
        f"{name}\n{meaning or chr(0x2013)}",
        lambda row: " ".join(row[place].split()),
        tip=lambda row: row[place],
        meaning=use,
    )


class FilesModel(ListTableModel):
    """The listed files: draft.Line."""

    def __init__(self) -> None:
        super().__init__(
            (
                ListColumn(say("file"), lambda line: line.name),
                ListColumn(say("state"), lambda line: line.state, tip=lambda line: line.why),
                count(
                    say("found"), lambda line: line.counted and line.counted.rows, say("Rows of a table, or messages")
                ),
                count(say("X-ray reports"), lambda line: line.counted and line.counted.xray),
                count(say("CT reports"), lambda line: line.counted and line.counted.ct),
                count(
                    say("others"),
                    lambda line: line.others,
                    say("Examinations of other parts of the body, earlier versions, addenda"),
                ),
                count(
                    say("left out"),
                    lambda line: line.counted and line.counted.rejected,
                    say("Rows or messages that cannot be used; the reasons stand above"),
                ),
                ListColumn(say("holds"), lambda line: line.holds),
            )
        )

    def update_rows(self, lines: Sequence[Any]) -> None:
        """Show these lines; the selection is kept if their number is unchanged."""
        if len(lines) != self.rowCount():
            self.set_rows(lines)
            return
        self._rows = tuple(lines)
        if lines:
            self.dataChanged.emit(self.index(0, 0), self.index(len(lines) - 1, self.columnCount() - 1))
