"""Review files: handing out the gold set to a reader without the workspace, and what was handed out before."""

from __future__ import annotations

from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QCheckBox, QLineEdit, QWidget

from ui.kit.action import enable, push_button
from ui.kit.column import Column, RecordModel
from ui.kit.dialog import Dialog
from ui.kit.files import ask_save
from ui.kit.layout import hbox
from ui.kit.table import DataTable
from ui.kit.text import caption, tell, wrapped
from ui.pages.review.sentences import read_only_text
from ui.pages.review.setup import name_field
from ui.words import moment, say, typographic, whole

if TYPE_CHECKING:
    from radcal.feedback.hand_outs import HandOut
    from ui.pages.review.work import Standing
    from ui.shell import Shell
    from ui.tasks import Failure

_WIDTH, _HEIGHT = 860, 520
_FILES, _MAKE = "review files", "review make"


class FilesDialog(Dialog):
    """Makes review files, and lists those that were made with their passphrases; ``made``: one was."""

    made = Signal()

    def __init__(self, shell: Shell, standing: Standing, parent: QWidget) -> None:
        super().__init__(say("Review files"), parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._shell = shell
        read_only = shell.opened is not None and shell.opened.read_only
        self._why_not = read_only_text() if read_only else ""
        self.name = name_field()
        self.name.addItems(list(standing.readers))
        self.name.setCurrentIndex(-1)
        (self.name.lineEdit() or QLineEdit()).returnPressed.connect(self.ask_file)
        self.name.editTextChanged.connect(self._changed)
        self.blind = QCheckBox(say("&Blind: leave out what the software found"))
        self.blind.setChecked(True)
        self.make = push_button(say("&Save a review file\u2026"), self.ask_file, primary=True)
        self.make.setAutoDefault(False)
        self.outcome = wrapped()
        self.outcome.hide()
        self.model = _model()
        self.table = DataTable("review-files", say("Review files"), self.model, shell, searchable=False)
        introduction = say(
            "For a reader who has no access to this workspace: the {n} reports under numbers, without accession"
            " numbers, patients, times, authors or results. Radiologists\u2019 names within the texts are covered; what"
            " else the texts say of people is as the import left it. Merge the file when it comes back.",
            n=whole(len(standing.gold.report_ids) if standing.gold else 0),
        )
        self.lay_out(
            wrapped(introduction),
            hbox(caption(say("&Who is reading?"), self.name), (self.name, 1), self.make),
            self.blind,
            self.outcome,
            8,
            (self.table, 1),
        )
        self.resize(_WIDTH, _HEIGHT)
        self._changed("")
        self._list()

    def _list(self) -> None:
        self._shell.run(_FILES, lambda department, _: department.review_files.handed_out(), self.model.set_rows)

    def _is_made(self, made: HandOut) -> None:
        text = say(
            "{file} is ready. Its passphrase is in the table: give it to {reader} apart from the file.",
            file=made.file.name,
            reader=made.person,
        )
        tell(self.outcome, text)
        self._list()
        self.made.emit()

    def _failed(self, failure: Failure) -> None:
        tell(self.outcome, typographic(failure.text) or failure.technical, error=True)

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
            kinds = ("RadCal (*.radcal)",)
            chosen = partial(self._chosen, reader)
            ask_save(self, self.windowTitle(), file_name(reader), kinds, chosen, may_replace=False)

    def _chosen(self, reader: str, name: str) -> None:
        blind, out = self.blind.isChecked(), Path(name)
        self._shell.run(
            _MAKE,
            lambda department, progress: department.review_files.make(reader, out, blind=blind, progress=progress),
            self._is_made,
            title=self.windowTitle(),
            keeps=True,
            failed=self._failed,
        )


def _model() -> RecordModel:
    return RecordModel(
        (
            Column(say("reader"), lambda h: h.person, width=120),
            Column(say("file"), lambda h: h.file.name, tip=lambda h: str(h.file), width=200),
            Column(say("merged"), lambda h: _at(h.returned) or "\u2013", sort=lambda h: h.returned, width=132),
            Column(say("passphrase"), lambda h: h.key),
        )
    )


def _at(time: str) -> str:
    return moment(datetime.fromisoformat(time).astimezone()) if time else ""
