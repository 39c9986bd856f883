"""Tables of the Import page: listed files, a file's first rows, and rejected rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont

from radcal.system.exports import ReportNumber
from ui.kit.column import Column, RecordModel, count
from ui.pages.imports.sentences import position_text
from ui.sentences import modality_text
from ui.words import moment, report_name, say, typographic

if TYPE_CHECKING:
    from radcal.reports.preview import Preview
    from radcal.reports.records import RejectedRow


def rejected_table() -> RecordModel:
    """Rejected rows: records.RejectedRow."""
    return RecordModel(
        (
            Column(say("file"), lambda r: r.file, width=200),
            Column(say("position"), _position, value=lambda r: r.row, width=104),
            Column(
                say("accession number"),
                lambda r: r.accession,
                export=lambda r: r.accession and ReportNumber(r.accession),
                width=128,
            ),
            Column(say("why it was left out"), lambda r: typographic(r.reason), width=400),
            Column(say("what you can do"), lambda r: typographic(r.remedy)),
        )
    )


def _position(rejected: RejectedRow) -> str:
    from radcal.reports.reasons import unit_of

    return position_text(unit_of(rejected.reason, rejected.unit), rejected.row)


def suspects_table() -> RecordModel:
    """Words left in reports that may be identifiers: imports.suspects.Suspicion."""
    kinds = {"name": say("a name?"), "number": say("a number?")}
    return RecordModel(
        (
            Column(say("report"), lambda s: report_name(s.report_id), width=200),
            Column(say("may be"), lambda s: kinds.get(s.kind, s.kind), width=88),
            Column(say("words"), lambda s: s.words, width=160),
            count(
                say("in reports"), lambda s: s.reports, say("Reports of the list that have the same words"), width=88
            ),
            Column(say("where they stand"), lambda s: " ".join(s.sentence.split()), tip=lambda s: s.sentence),
        )
    )


def steps_table() -> RecordModel:
    """The steps from rows to pairs: records.AttritionStep."""
    return RecordModel(
        (
            Column(say("step"), lambda s: typographic(s.step), width=320),
            Column(say("reports"), lambda s: modality_text(s.modality), width=120),
            count(say("kept"), lambda s: s.kept, width=88),
            count(say("dropped"), lambda s: s.dropped, width=88),
            Column(say("why"), lambda s: typographic(s.reason) if s.reason else ""),
        )
    )


def history_table() -> RecordModel:
    """The imports of the workspace: PastImport."""
    return RecordModel(
        (
            Column(say("when"), lambda p: moment(p.at), value=lambda p: p.at.isoformat(), width=152),
            count(say("read"), lambda p: p.rows_read, width=88),
            count(say("new reports"), lambda p: p.new, width=104),
            count(say("changed"), lambda p: p.changed, width=80),
            count(say("as before"), lambda p: p.unchanged, width=80),
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
    if meaning:
        use = say("{column} is read as {meaning}.", column=name, meaning=meaning)
    else:
        use = say("{column} is not used.", column=name)
    return Column(
        f"{name}\n{meaning or chr(0x2013)}",
        lambda row: " ".join(row[place].split()),
        tip=lambda row: row[place],
        meaning=use,
    )


class FilesModel(RecordModel):
    """The listed files: draft.Line."""

    def __init__(self) -> None:
        super().__init__(
            (
                Column(say("file"), lambda line: line.name, width=240),
                Column(say("state"), lambda line: line.state, tip=lambda line: line.why, width=176),
                count(
                    say("found"),
                    lambda line: line.counted and line.counted.rows,
                    say("Rows of a table, or messages"),
                    width=72,
                ),
                count(say("X-ray reports"), lambda line: line.counted and line.counted.xray, width=112),
                count(say("CT reports"), lambda line: line.counted and line.counted.ct, width=104),
                count(
                    say("others"),
                    lambda line: line.others,
                    say("Examinations of other parts of the body, earlier versions, addenda"),
                    width=80,
                ),
                count(
                    say("left out"),
                    lambda line: line.counted and line.counted.rejected,
                    say("Rows or messages that cannot be used; the reasons stand above"),
                    width=80,
                ),
                Column(say("holds"), lambda line: line.holds),
            )
        )
