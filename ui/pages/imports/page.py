"""Import: inspect and import report files; then show the outcome."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QWidget

from radcal.system.exports import WORKSPACE_SUFFIX
from ui import session as operation
from ui.kit.action import enable, push_button
from ui.kit.layout import Tabs
from ui.pages.imports import work
from ui.pages.imports.attribution import AttributionPanel
from ui.pages.imports.draft import Draft, Looked
from ui.pages.imports.files_panel import FilesPanel
from ui.pages.imports.results import FlowPanel, HistoryPanel, NotesPanel, RejectedPanel, SuspectsPanel
from ui.pages.imports.work import Counting, Told
from ui.pages.stage import StagePage
from ui.sentences import pairs_text, rows_text
from ui.widgets.messages import Message
from ui.words import counted, say, typographic, whole

if TYPE_CHECKING:
    from radcal.reports.deidentify.suspects import Suspicion
    from radcal.reports.dry_run import ImportPreview
    from radcal.reports.importing import ReportFile
    from radcal.reports.preview import Preview
    from ui.records import Imported, Opened
    from ui.shell import Shell
    from ui.tasks import Failure

COUNT, HISTORY, SETTLE = "import count", "import history", "suspected identifiers"
_WAIT_MS = 120
FILES, FLOW, ROWS, SUSPECTS, WHOSE, NOTES, PAST = range(7)
"""The tabs of the page."""
_TAB_OF = {"files": FILES, "flow": FLOW, "rows": ROWS, "suspects": SUSPECTS, "whose": WHOSE, "history": PAST}


class ImportStage(StagePage):
    """The Import page.

    import_wanted: import these files, a tuple of ReportFile, into the open workspace
    workspace_wanted: create a workspace for the listed files; carries a description of it
    open_wanted: open this workspace, which was chosen among the report files
    """

    import_wanted = Signal(object)
    workspace_wanted = Signal(object)
    open_wanted = Signal(object)

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._opened: Opened | None = None
        self._imported: Imported | None = None
        self._busy = False
        self._looking: set[Path] = set()
        self._asked: tuple[ReportFile, ...] = ()
        """The files of the import that is running, or that was stopped and may be resumed."""
        self._last: tuple[ReportFile, ...] = ()
        """The files imported last, which may be read again in another way."""
        self._counting = Counting()
        self.draft = Draft(self.undo_stack, self)
        self.title.setText(say("Import"))
        self._n_notes = 0
        self.button = push_button("", self.import_reports, primary=True)
        self.head.addWidget(self.button, 0, 2)
        self.files = FilesPanel(self.draft, shell)
        self.flow, self.rows = FlowPanel(shell), RejectedPanel(shell)
        self.suspects = SuspectsPanel(shell)
        self.whose = AttributionPanel(shell)
        self.notes, self.history = NotesPanel(), HistoryPanel(shell)
        self.tabs = Tabs(say("Views of the import"))
        # From the outside in: Qt styles widgets anew with every parent that they are moved to.
        self.body.addWidget(self.tabs, 1)
        panels = (self.files, self.flow, self.rows, self.suspects, self.whose, self.notes, self.history)
        for panel in panels:
            self.tabs.addTab(panel, "")
        self._recount = QTimer(self, singleShot=True, interval=_WAIT_MS)
        self._recount.timeout.connect(self._count)
        self._connect()
        self._show_tabs()
        self._refresh()

    def _connect(self) -> None:
        self.draft.files_changed.connect(self._files_changed)
        self.draft.changed.connect(self._refresh)
        self.files.files_wanted.connect(self.take_files)
        self.files.recount_wanted.connect(self._count)
        self.files.stop_wanted.connect(self._stop_counting)
        self.rows.choose_columns.clicked.connect(self.choose_columns)
        self.suspects.remove_wanted.connect(partial(self._settle, True))
        self.suspects.leave_wanted.connect(partial(self._settle, False))
        self.tabs.currentChanged.connect(self._refresh)
        remove = QShortcut(QKeySequence(QKeySequence.StandardKey.Delete), self.files.table.view)
        remove.setContext(Qt.ShortcutContext.WidgetShortcut)
        remove.activated.connect(self.files.remove_selected)
        self.shell.tasks.changed.connect(self._tasks_changed)

    # --- the open workspace ------------------------------------------------------------------------

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        """Show the outcome of the workspace's imports; listed files are recounted against it."""
        self._opened = opened
        steps = opened.attrition if opened else ()
        if opened is not None and opened.imported is not None and opened.imported is not self._imported:
            self._imported = opened.imported
            if self._asked and self._asked == self.draft.files:
                self._last = self._asked
                self.draft.clear()
                self.shell.tasks.tidy(self._counting.forget)
            self._asked = ()
            self.tabs.setCurrentIndex(FLOW)
        elif opened is None or opened.imported is None:
            self._imported, self._last = None, ()
        self.flow.set_steps(steps)
        self.rows.set_rows(opened.rejected if opened else (), may_choose=bool(self._last) and not self._why_not())
        self._show_tabs()
        if steps and not self.draft.files and self.tabs.currentIndex() == FILES:
            self.tabs.setCurrentIndex(FLOW)
        self._tell_rail()
        self._refresh()
        if self._has_imports():
            self.shell.run(HISTORY, work.told, self._show_history)
        else:
            self._show_history(Told())
        if self.draft.files:
            self._recount.start()

    def arrive(self, **where: Any) -> None:
        """``files``: paths to add;  ``show``: 'files', 'flow', 'rows', 'columns', 'whose' or 'history'."""
        if where.get("files"):
            self.take_files(where["files"])
        match where.get("show"):
            case "columns":
                self.choose_columns()
            case str() as what if what in _TAB_OF and self.tabs.isTabVisible(_TAB_OF[what]):
                self.tabs.setCurrentIndex(_TAB_OF[what])

    def landmark(self, name: str, phrase: str = "") -> QWidget | None:
        """Besides: 'flow', the picture from reports to pairs."""
        return self.flow.card if name == "flow" else super().landmark(name, phrase)

    def set_busy(self, busy: bool) -> None:
        """Block imports while a workspace is being opened or imported into."""
        self._busy = busy
        self._refresh()

    def _tell_rail(self) -> None:
        n = pairs_of(self._opened)
        left_out = len(self._opened.rejected) if self._opened else 0
        attention = counted(left_out, "{n} row was left out", "{n} rows were left out") if left_out else ""
        if self._is_unfinished():
            attention = say("Not all that was imported is paired, read and analysed.")
        meaning = counted(n, "{n} pair of an X-ray and a CT", "{n} pairs of an X-ray and a CT")
        self.state_changed.emit(*(whole(n), attention, meaning) if n else ("", attention, ""))

    def _show_tabs(self) -> None:
        imported, paired = self._has_imports(), self._opened is not None and bool(self._opened.attrition)
        n_rejected = len(self._opened.rejected) if self._opened else 0
        names = {
            FILES: (say("Files"), len(self.draft.files), True),
            FLOW: (say("From reports to pairs"), 0, paired),
            ROWS: (say("Left out"), n_rejected, n_rejected > 0),
            SUSPECTS: (say("May be names"), self.suspects.model.rowCount(), self.suspects.model.rowCount() > 0),
            WHOSE: (say("Whose reports"), 0, self.whose.model.rowCount() > 0),
            NOTES: (say("Notes"), self._n_notes, self._n_notes > 0),
            PAST: (say("History"), 0, imported),
        }
        for place, (name, n, visible) in names.items():
            self.tabs.setTabText(place, say("{name} ({n})", name=name, n=whole(n)) if n else name)
            self.tabs.setTabVisible(place, visible)
        self.tabs.tabBar().setVisible(imported)

    # --- files -------------------------------------------------------------------------------------

    @Slot(object)
    def take_files(self, paths: Iterable[Path]) -> None:
        """Add report files to the list; a workspace among them is opened instead."""
        reports = []
        for path in paths:
            if path.suffix.lower() == WORKSPACE_SUFFIX:
                self.open_wanted.emit(path)
            else:
                reports.append(path)
        if reports and not self._read_only():
            new = self.draft.add(reports)
            self.shell.messages.clear(Message.IMPORT_FAILED)
            self.tabs.setCurrentIndex(FILES)
            if new:
                self.files.show_file(new[-1])

    @Slot()
    def choose_columns(self) -> None:
        """List the last imported files again to choose other columns."""
        if self._last and not self.draft.files:
            self.draft.put(self._last)
        self.tabs.setCurrentIndex(FILES)
        self.files.form.setFocus()

    @Slot()
    def _files_changed(self) -> None:
        self.draft.count = None
        for file in self.draft.files:
            if file.path not in self.draft.looks and file.path not in self._looking:
                self._looking.add(file.path)
                self.shell.tasks.start(
                    f"import look {file.path}",
                    partial(work.look, file.path),
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

    # --- the count ---------------------------------------------------------------------------------

    @Slot()
    def _count(self) -> None:
        files = self.draft.to_count()
        if not files:
            self._stop_counting()
            self.files.strip.end()
            self.draft.set_count(None)
            return
        self.files.strip.begin()
        department = None if self._into_new() or self._opened is None else self._opened.department
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

    @Slot()
    def _stop_counting(self) -> None:
        self.shell.tasks.cancel(COUNT)

    # --- the import --------------------------------------------------------------------------------

    @Slot()
    def import_reports(self) -> None:
        """Import the listed files; without a workspace of the user's own, create one first."""
        if not self.button.isEnabled():
            return
        if not self.draft.files:
            self.tabs.setCurrentIndex(FILES)
            self.files.ask_files()
        elif self._into_new():
            self.workspace_wanted.emit(self._about_new())
        else:
            self._recount.stop()
            self.shell.tasks.forget(COUNT)
            self.files.strip.end()
            self._asked = self.draft.files
            self.import_wanted.emit(self.draft.files)

    def _about_new(self) -> str:
        count = self.draft.count
        files = counted(len(self.draft.files), "{n} file", "{n} files")
        if count is None:
            return say("A workspace for {files}.", files=files)
        return say(
            "A workspace for {files}: {rows}, {pairs}.",
            files=files,
            rows=rows_text(count.rows),
            pairs=pairs_text(count.pairs),
        )

    def _into_new(self) -> bool:
        """True if a workspace must be created first: none is open, or only the sample."""
        return self._opened is None or self._opened.sample

    def _has_imports(self) -> bool:
        return self._opened is not None and (self._opened.n_imports > 0 or bool(self._opened.attrition))

    def _is_unfinished(self) -> bool:
        """True if work on what was imported was stopped."""
        return self._opened is not None and self._opened.halted is not None and self._opened.halted.unfinished

    def _read_only(self) -> bool:
        return self._opened is not None and self._opened.read_only and not self._opened.sample

    def _why_not(self) -> str:
        if self._read_only():
            return say("Nothing can be imported while the workspace is open to read only.")
        return ""

    # --- in words ----------------------------------------------------------------------------------

    @Slot()
    def _refresh(self, *_: object) -> None:
        """Update head, tabs and button for the files and the workspace."""
        why_not = self._why_not() or (self.draft.why_not() if self.draft.files else "")
        if not self.draft.files:
            text = say("&Add report files\u2026")
        elif self._into_new():
            text = say("&Make a workspace for these files\u2026")
        else:
            text = say("&Import reports")
        self.button.setText(text)
        # An empty list has its own buttons for adding files.
        self.button.setVisible(bool(self.draft.files) or self.tabs.currentIndex() != FILES)
        busy = say("Wait until what is under way has ended, or cancel it.") if self._busy else ""
        for_good = say(
            "What was imported stays in the workspace: the list of files can be undone, an import cannot. To be able to"
            " go back, make a copy of the workspace under Settings first."
        )
        enable(self.button, why_not or busy, "" if self._into_new() or not self.draft.files else for_good)
        self.sentence.setText(self._sentence())
        self.files.set_invitation(self._invitation(), may_add=not self._read_only())
        self._show_tabs()

    def _sentence(self) -> str:
        opened = self._opened
        if opened is None:
            return say("No workspace is open. RadCal makes one from the files that you choose.")
        if opened.sample and self.draft.files:
            return say("The sample stays as it is: a workspace of your own is made from these files.")
        if why_not := self._why_not():
            return f"{self._held(opened)} {why_not}"
        return self._held(opened)

    def _held(self, opened: Opened) -> str:
        held, n = self._held_pairs(opened), self.suspects.model.rowCount()
        if not n:
            return held
        may = say(
            "Words left in the reports that may identify somebody: {n}.",
            n=whole(n),
        )
        return f"{held} {may}"

    def _held_pairs(self, opened: Opened) -> str:
        if not self._has_imports():
            return say("Nothing has been imported into this workspace yet.")
        if self._is_unfinished():
            return say("Reports are imported that are not all paired, read and analysed yet: that was stopped.")
        pairs = pairs_text(pairs_of(opened))
        if opened.imported is not None and opened.imported.rows_read:
            return say(
                "Read: {read}, of which {n} were left out. The workspace holds {pairs} of X-ray and CT reports.",
                read=whole(opened.imported.rows_read),
                n=whole(len(opened.imported.rejected)),
                pairs=pairs,
            )
        if not opened.rejected:
            return say("The workspace holds {pairs} of X-ray and CT reports.", pairs=pairs)
        return say(
            "The workspace holds {pairs} of X-ray and CT reports; of what was read, {n} were left out.",
            pairs=pairs,
            n=whole(len(opened.rejected)),
        )

    def _invitation(self) -> str:
        if why_not := self._why_not():
            return why_not
        kinds = say(
            "X-ray and CT reports as CSV, TSV or Excel, as HL7, FHIR or DICOM files or a folder of them, or a folder"
            " of text files with a manifest. Before anything is imported you see what would be read."
        )
        if self.shell.served:
            kinds += " " + say(
                "The texts of paired reports are then read at {host}; nothing else leaves this computer.",
                host=self.shell.served,
            )
        else:
            kinds += " " + say("Nothing leaves this computer.")
        if self._opened is not None and self._opened.sample:
            sample = say("The sample stays as it is: a workspace of your own is made from your files.")
            return f"{kinds}\n{sample}"
        return kinds

    # --- the rest ----------------------------------------------------------------------------------

    @Slot(object)
    def _tasks_changed(self, _state: object) -> None:
        busy = self.shell.tasks.is_running(operation.OPEN)
        if busy != self._busy:
            self.set_busy(busy)

    def _settle(self, remove: bool, found: Suspicion) -> None:
        self.shell.run(
            SETTLE,
            partial(work.settle, found, remove),
            self._show_suspects,
            failed=self._not_settled,
            keeps=True,
        )

    def _not_settled(self, failure: Failure) -> None:
        self._show_suspects(self.suspects.model.rows)
        self.sentence.setText(typographic(failure.text))

    def _show_suspects(self, rows: Sequence[Suspicion]) -> None:
        self.suspects.set_rows(rows, may_change=self._opened is not None and not self._opened.read_only)
        self._refresh()

    def _show_history(self, found: Told) -> None:
        rows = found.history
        self.whose.set_attribution(found.whose)
        self._show_suspects(found.suspects)
        self.history.model.set_rows(rows)
        self.notes.set_history(rows)
        self._n_notes = sum(len(past.notes) for past in rows)
        self._show_tabs()


def pairs_of(opened: Opened | None) -> int:
    """Number of pairs in the workspace, analysed or not: the last step of the X-ray reports."""
    if opened is None:
        return 0
    ends = [s.kept for s in opened.attrition if s.modality == "xray"]
    return ends[-1] if ends else opened.n_pairs
