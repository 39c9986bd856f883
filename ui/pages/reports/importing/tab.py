"""Import: the files listed, looked into and counted before anything is imported; earlier imports below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from radcal.system.exports import WORKSPACE_SUFFIX
from ui.kit.action import later
from ui.kit.layout import panel, vbox
from ui.kit.table import DataTable
from ui.kit.text import label
from ui.pages.reports.importing import work
from ui.pages.reports.importing.draft import Draft, Looked
from ui.pages.reports.importing.files_panel import FilesPanel
from ui.pages.reports.importing.models import history_table
from ui.pages.reports.importing.work import Counting
from ui.sentences import pairs_text, rows_text
from ui.widgets.messages import Message
from ui.words import counted, say

if TYPE_CHECKING:
    from PySide6.QtGui import QUndoStack

    from radcal.reports.dry_run import ImportPreview
    from radcal.reports.importing import PastImport, ReportFile
    from radcal.reports.preview import Preview
    from ui.records import Opened
    from ui.shell import Shell
    from ui.tasks import Failure

COUNT = "import count"
_WAIT_MS = 120


class ImportTab(QWidget):
    """Puts an import together.

    import_wanted: import these files, a tuple of ReportFile, into the open workspace
    workspace_wanted: create a workspace for the listed files; carries a description of it
    open_wanted: open this workspace, which was chosen among the report files
    files_taken: files were put on the list
    """

    import_wanted, workspace_wanted, open_wanted = Signal(object), Signal(object), Signal(object)
    files_taken = Signal()

    def __init__(self, shell: Shell, undo: QUndoStack) -> None:
        super().__init__()
        self.shell = shell
        self._opened: Opened | None = None
        self._looking: set[Path] = set()
        self._asked: tuple[ReportFile, ...] = ()
        """The files of the import that is running, or that was stopped and may be resumed."""
        self._last: tuple[ReportFile, ...] = ()
        """The files imported last, which may be read again in another way."""
        self._counting = Counting()
        self.draft = Draft(undo, self)
        self.files = FilesPanel(self.draft, shell)
        self.history = history_table()
        self.table = DataTable("imports", say("Earlier imports"), self.history, shell, searchable=False)
        self._earlier = panel(vbox(label(say("Earlier imports"), role="strong"), (self.table, 1), spacing=4))
        vbox((self.files, 3), (self._earlier, 2), parent=self, margins=(0, 8, 0, 0), spacing=12)
        self._recount: QTimer = later(self, self._count, _WAIT_MS)
        self.draft.files_changed.connect(self._files_changed)
        self.draft.changed.connect(self._show_parts)
        self.files.files_wanted.connect(self.take_files)
        self.files.recount_wanted.connect(self._count)
        self.files.stop_wanted.connect(partial(shell.tasks.cancel, COUNT))
        remove = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.files.table.view)
        remove.setContext(Qt.ShortcutContext.WidgetShortcut)
        remove.activated.connect(self.files.remove_selected)
        self._show_parts()

    def retire(self) -> None:
        """Another tab has taken its place: count no more."""
        self._recount.stop()

    def show_department(self, opened: Opened | None, *, imported: bool) -> None:
        """Another workspace is open, or files were ``imported``; the listed ones are recounted against it."""
        before, self._opened = self._opened, opened
        if (before.study if before else "") != (opened.study if opened else ""):
            self.draft.looks.clear()  # what a file is depends on the study
            self._files_changed()
        if imported:
            if self._asked and self._asked == self.draft.files:
                self._last = self._asked
                self.draft.clear()
                self.shell.tasks.tidy(self._counting.forget)
            self._asked = ()
        elif opened is None or opened.imported is None:
            self._last = ()
        self.files.set_invitation(self._invitation(), may_add=not self.why_not())
        if self.draft.files:
            self._recount.start()

    def show_history(self, imports: Sequence[PastImport]) -> None:
        """List earlier imports."""
        self.history.set_rows(imports)
        self._show_parts()

    @Slot()
    def _show_parts(self) -> None:
        self._earlier.setVisible(not self.draft.files and self.history.rowCount() > 0)

    @property
    def may_choose_columns(self) -> bool:
        """Whether the files imported last can be listed again."""
        return bool(self._last) and not self.why_not()

    @property
    def makes_workspace(self) -> bool:
        """True if a workspace must be created first: none is open, or only the sample."""
        return self._opened is None or self._opened.sample

    def why_not(self) -> str:
        """Why nothing can be imported at all; '' if something can."""
        if self._opened is not None and self._opened.read_only and not self._opened.sample:
            return say("Nothing can be imported while the workspace is open to read only.")
        return ""

    def _invitation(self) -> str:
        if why_not := self.why_not():
            return why_not
        kinds = say(
            "X-ray and CT reports as CSV, TSV or Excel, as HL7, FHIR or DICOM files or a folder of them, or a folder"
            " of text files with a manifest. You see what would be read before anything is imported."
        )
        where = say("Nothing leaves this computer.")
        if self.shell.served:
            where = say("Paired reports are then read at {host}; nothing else leaves.", host=self.shell.served)
        return f"{kinds} {where}"

    @Slot(object)
    def take_files(self, paths: Iterable[Path]) -> None:
        """Add report files to the list; a workspace among them is opened instead."""
        reports = []
        for path in paths:
            if path.suffix.lower() == WORKSPACE_SUFFIX:
                self.open_wanted.emit(path)
            else:
                reports.append(path)
        if reports and not self.why_not():
            new = self.draft.add(reports)
            self.shell.messages.clear(Message.IMPORT_FAILED)
            self.files_taken.emit()
            if new:
                self.files.show_file(new[-1])

    @Slot()
    def choose_columns(self) -> None:
        """List the last imported files again to choose other columns."""
        if self._last and not self.draft.files:
            self.draft.put(self._last)
        self.files_taken.emit()
        self.files.form.setFocus()

    @Slot()
    def _files_changed(self) -> None:
        self.draft.count = None
        for file in self.draft.files:
            if file.path not in self.draft.looks and file.path not in self._looking:
                self._looking.add(file.path)
                self.shell.tasks.start(
                    f"import look {file.path}",
                    partial(work.look, file.path, "" if self._opened is None else self._opened.study),
                    done=partial(self._looked, file.path),
                    failed=partial(self._failed, file.path),
                    guest=True,
                )
        self._recount.start()

    def _looked(self, path: Path, preview: Preview) -> None:
        self._looking.discard(path)
        self.draft.set_look(Looked(path, preview))
        self._recount.start()

    def _failed(self, path: Path, failure: Failure) -> None:
        self._looking.discard(path)
        self.draft.set_look(Looked(path, None, failure.text))

    @Slot()
    def _count(self) -> None:
        files = self.draft.to_count()
        if not files:
            self.shell.tasks.cancel(COUNT)
            self.files.strip.end()
            self.draft.set_count(None)
            return
        self.files.strip.begin()
        department = None if self.makes_workspace or self._opened is None else self._opened.department
        self.shell.tasks.start(
            COUNT,
            partial(self._counting.count, files, department),
            done=self._counted,
            failed=self._not_counted,
            stopped=self._count_stopped,
            guest=True,
        )

    def _counted(self, count: ImportPreview) -> None:
        self.files.strip.end()
        self.draft.set_count(count)

    def _not_counted(self, failure: Failure) -> None:
        self._count_stopped()
        self.shell.messages.tell_bug(failure)

    def _count_stopped(self) -> None:
        self.files.strip.end(stopped=True)
        self.draft.set_count(None)

    def import_files(self) -> None:
        """Import the listed files; without a workspace of the user's own, create one first."""
        if self.makes_workspace:
            self.workspace_wanted.emit(self._about_new())
        else:
            self._recount.stop()
            self.shell.tasks.forget(COUNT)
            self.files.strip.end()
            self._asked = self.draft.files
            self.import_wanted.emit(self.draft.files)

    def _about_new(self) -> str:
        count, held = self.draft.count, [counted(len(self.draft.files), "{n} file", "{n} files")]
        if count is not None:
            held += [rows_text(count.rows), pairs_text(count.pairs)]
        return say("A workspace for {what}.", what=", ".join(held))
