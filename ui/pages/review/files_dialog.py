"""Review files: handing out the gold set to a reader without the workspace, and what was handed out before."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QWidget

from ui.kit.action import enable, push_button
from ui.kit.column import Column, RecordModel
from ui.kit.dialog import Dialog
from ui.kit.files import ask_save
from ui.kit.layout import hbox
from ui.kit.table import DataTable
from ui.kit.text import caption, label, tell, wrapped
from ui.words import moment, say, typographic, whole

if TYPE_CHECKING:
    from radcal.feedback.hand_outs import HandOut
    from radcal.review.records import GoldSet
    from ui.kit.files import FileSaver

_WIDTH, _HEIGHT = 860, 520


class FilesDialog(Dialog):
    """Makes review files, and lists those that were made with their passphrases.

    make_wanted: the reader, whether blind, and the file;  merge_wanted: merge one that came back
    """

    make_wanted = Signal(str, bool, object)
    merge_wanted = Signal()

    def __init__(
        self, files: FileSaver, readers: Sequence[str], gold: GoldSet, *, read_only: bool, parent: QWidget | None = None
    ) -> None:
        super().__init__(say("Review files"), parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._why_not = (
            say(
                "This workspace is open to read only and can keep no passphrases, so no review files are written"
                " from it."
            )
            if read_only
            else ""
        )
        self.name = QComboBox(editable=True, insertPolicy=QComboBox.InsertPolicy.NoInsert, minimumContentsLength=20)
        self.name.addItems(list(readers))
        self.name.setCurrentIndex(-1)
        self._field = self.name.lineEdit() or QLineEdit()
        self._field.setPlaceholderText(say("Name or initials"))
        self._field.returnPressed.connect(self.ask_file)
        self.name.editTextChanged.connect(self._changed)
        self.blind = QCheckBox(say("&Blind: leave the engine\u2019s findings out of the file"))
        self.blind.setChecked(True)
        self.make = push_button(say("&Save a review file\u2026"), self.ask_file, primary=True)
        self.make.setAutoDefault(False)
        self.merge = push_button(say("&Merge a review file\u2026"), self.merge_wanted)
        self.merge.setAutoDefault(False)
        enable(self.merge, self._why_not)
        self.outcome = wrapped()
        self.outcome.hide()
        self.model = _model()
        self.table = DataTable("review-files", say("Review files"), self.model, files, searchable=False)
        introduction = say(
            "For a reader who has no access to this workspace: the {n} reports of the gold set under numbers, without"
            " accession numbers, patients, times, authors or results, and without what other readers say."
            " Radiologists\u2019 names within the texts are covered; what else the texts say of people is as the"
            " import left it.",
            n=whole(len(gold.report_ids)),
        )
        self.lay_out(
            wrapped(introduction),
            hbox(caption(say("&Who reads?"), self.name), (self.name, 1), self.make),
            self.blind,
            self.outcome,
            8,
            hbox(label(say("Handed out"), role="strong"), None, self.merge),
            (self.table, 1),
        )
        self.resize(_WIDTH, _HEIGHT)
        self._changed("")

    def show_files(self, handed: Sequence[HandOut]) -> None:
        """List what was handed out."""
        self.model.set_rows(handed)

    def show_made(self, made: HandOut) -> None:
        """Say what to do with the file that was made."""
        text = say(
            "{file} is ready. Its passphrase stands in the table, and this workspace keeps it: give it to {reader}"
            " apart from the file.",
            file=made.file.name,
            reader=made.person,
        )
        tell(self.outcome, text)

    def show_failed(self, reason: str) -> None:
        """Say why no file was made."""
        tell(self.outcome, typographic(reason), error=True)

    @Slot(str)
    def _changed(self, text: str) -> None:
        enable(self.make, self._why_not)
        if not text.strip():
            self.make.setEnabled(False)

    @Slot()
    def ask_file(self) -> None:
        """Ask where to save the file for the reader named."""
        from radcal.feedback.review_files import file_name

        reader = self.name.currentText().strip()
        if reader and self.make.isEnabled():
            kinds = (say("Workspaces (*.radcal)"),)
            chosen = partial(self._chosen, reader)
            ask_save(self, say("Save a review file"), file_name(reader), kinds, chosen, may_replace=False)

    def _chosen(self, reader: str, name: str) -> None:
        self.make_wanted.emit(reader, self.blind.isChecked(), Path(name))


def _model() -> RecordModel:
    return RecordModel(
        (
            Column(say("reader"), lambda h: h.person, width=120),
            Column(say("file"), lambda h: h.file.name, tip=lambda h: str(h.file), width=200),
            Column(say("reports"), lambda h: whole(len(h.reports)), True, sort=lambda h: len(h.reports), width=64),
            Column(say("read blind"), lambda h: say("yes") if h.blind else say("no"), width=64),
            Column(say("made"), lambda h: _at(h.made), sort=lambda h: h.made, width=132),
            Column(say("merged"), lambda h: _at(h.returned) or say("not yet"), sort=lambda h: h.returned, width=132),
            Column(say("passphrase"), lambda h: h.key),
        )
    )


def _at(time: str) -> str:
    return moment(datetime.fromisoformat(time).astimezone()) if time else ""
