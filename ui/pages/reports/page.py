"""Reports: all that came in, what became of each, the way from rows to pairs, and the import of more."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QMenu, QWidget

from radcal.reports.records import State
from ui import session as operation
from ui.kit.action import enable, menu_button, push_button
from ui.kit.layout import Tabs
from ui.pages.reports import work
from ui.pages.reports.flow import FlowTab
from ui.pages.reports.importing.tab import ImportTab
from ui.pages.reports.listing import AllReports
from ui.pages.reports.reading.control import Reading
from ui.pages.reports.reading.engine import EngineDialog
from ui.pages.reports.reading.readings import ReadingsDialog
from ui.pages.reports.sentences import (
    came_in,
    changed_since,
    failed_text,
    pairs_of,
    read_by,
    unfinished_text,
    unread_text,
)
from ui.pages.reports.work import NAMES, Told
from ui.pages.stage import StagePage
from ui.words import counted, percent, say, typographic, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from radcal.findings.run_records import EngineStatus
    from radcal.reports.deidentify.suspects import Suspicion
    from ui.records import Imported, Opened
    from ui.shell import Shell
    from ui.tasks import Failure

TOLD, SETTLE = "import history", "suspected identifiers"
"""The operations in the worker."""
LIST, FLOW, IMPORT = range(3)
"""The tabs."""


class ReportsPage(StagePage):
    """The Reports page.

    import_wanted: import these files, a tuple of ReportFile, into the open workspace
    workspace_wanted: create a workspace for the listed files; carries a description of it
    open_wanted: open this workspace, which was chosen among the report files
    """

    import_wanted, workspace_wanted, open_wanted = Signal(object), Signal(object), Signal(object)

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._opened: Opened | None = None
        self._imported: Imported | None = None
        self._busy = False
        self._n_suspects = 0
        self._to_engine = False
        self.engine: EngineDialog | None = None
        self.readings: ReadingsDialog | None = None
        self.reading = Reading(self, shell)
        self.title.setText(say("Reports"))
        self.primary = push_button("", self._act, primary=True)
        policy = self.primary.sizePolicy()
        policy.setRetainSizeWhenHidden(True)  # the head stays as it is from tab to tab
        self.primary.setSizePolicy(policy)
        self.more = menu_button(say("More \u25be"), say("More \u25be").rstrip(" \u25be"))
        self.more.menu().aboutToShow.connect(self._fill_more)
        self.head.addWidget(self.primary, 0, 2)
        self.head.addWidget(self.more, 0, 3)
        self.tabs = Tabs(say("Reports"))
        # From the outside in: Qt styles widgets anew with every parent that they are moved to.
        self.body.addWidget(self.tabs, 1)
        self.listing, self.flow = AllReports(shell), FlowTab(shell)
        self.importing = ImportTab(shell, self.undo_stack)
        self.tabs.addTab(self.listing, say("All reports"))
        self.tabs.addTab(self.flow, say("From reports to pairs"))
        self.tabs.addTab(self.importing, say("Import"))
        self._connect()
        self._refresh()

    def _connect(self) -> None:
        for wanted in ("import_wanted", "workspace_wanted", "open_wanted"):
            getattr(self.importing, wanted).connect(getattr(self, wanted))
        self.importing.files_taken.connect(partial(self.tabs.setCurrentIndex, IMPORT))
        self.importing.draft.changed.connect(self._refresh)
        self.flow.reason_wanted.connect(partial(self._list_only, State.LEFT_OUT))
        self.listing.retry_wanted.connect(self.reading.retry)
        self.listing.remove_wanted.connect(partial(self._settle, True))
        self.listing.leave_wanted.connect(partial(self._settle, False))
        self.reading.changed.connect(self._refresh)
        self.reading.ended.connect(self.listing.renew)
        self.tabs.currentChanged.connect(self._refresh)
        self.shell.tasks.changed.connect(self._tasks_changed)

    def retire(self) -> None:
        """As the others; nothing is counted any more."""
        super().retire()
        self.importing.retire()

    def take_over(self, before: ReportsPage) -> None:
        """Take over the files that are listed for an import."""
        if before.importing.draft.files:
            self.importing.draft.put(before.importing.draft.files)

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        """Show the workspace's reports; files that are listed for import are counted against it."""
        before, self._opened = self._opened, opened
        imported = opened is not None and opened.imported is not None and opened.imported is not self._imported
        self._imported = opened.imported if opened is not None else None
        other = opened is None or before is None or opened.department is not before.department
        self.importing.show_department(opened, imported=imported)
        self.flow.set_steps(opened.attrition if opened else ())
        self.reading.show_department(opened)
        if other:
            self.listing.clear()
            self._show_told(Told())
        if self._has_imports():
            self.listing.renew()
            self.shell.run(TOLD, work.told, self._show_told)
        if imported:
            self.tabs.setCurrentIndex(FLOW)
        elif not self._has_imports() or (other and self.importing.draft.files):
            self.tabs.setCurrentIndex(IMPORT)
        elif other:
            self.tabs.setCurrentIndex(LIST)
        self._refresh()

    def _has_imports(self) -> bool:
        return self._opened is not None and (self._opened.n_imports > 0 or bool(self._opened.attrition))

    @Slot(object)
    def _show_told(self, told: Told) -> None:
        self.importing.show_history(told.history)
        self.flow.set_told(told.whose, told.history)
        self._show_suspects(told.suspects)

    def arrive(self, **where: Any) -> None:
        """Show a part.

        files: paths to import;  tab: 'reports', 'pairs', 'import' or 'reading';  engine: what reads, in its dialog
        show: 'rows' left out, 'columns' to choose for the last files, 'files', 'flow', 'names' that may be left
        failed: reports that could not be read;  report: the id of one, to be opened
        """
        if where.get("files"):
            self.importing.take_files(where["files"])
        place = {"reports": LIST, "pairs": FLOW, "import": IMPORT, "files": IMPORT, "flow": FLOW}
        for what in (where.get("tab"), where.get("show")):
            if what in place and (self._has_imports() or place[what] == IMPORT):
                self.tabs.setCurrentIndex(place[what])
        match where.get("show"):
            case "columns":
                self.importing.choose_columns()
            case "rows":
                self._list_only(State.LEFT_OUT, "")
            case "names":
                self._list_only(NAMES, "")
        if where.get("failed"):
            self._list_only(State.FAILED, "")
        if where.get("report"):
            self.tabs.setCurrentIndex(LIST)
            self.listing.show_report(where["report"])
        if where.get("tab") == "reading":
            self.show_readings()
        self._to_engine = bool(where.get("engine"))
        self._lead_to_engine()

    def _list_only(self, which: str, words: str) -> None:
        self.tabs.setCurrentIndex(LIST)
        self.listing.show_only(which, words)

    def landmark(self, name: str, phrase: str = "") -> QWidget | None:
        """Besides: 'flow', the picture from reports to pairs; 'engine', by what reports are read."""
        parts = {"flow": self.flow.card, "engine": self.meta}
        return parts[name] if name in parts else super().landmark(name, phrase)

    def _settle(self, remove: bool, found: Suspicion) -> None:
        job = partial(work.settle, found, remove)
        self.shell.run(SETTLE, job, self._settled, failed=self._not_settled, keeps=True)

    @Slot(object)
    def _settled(self, suspects: Sequence[Suspicion]) -> None:
        self._show_suspects(suspects)
        self.listing.renew()

    @Slot(object)
    def _not_settled(self, failure: Failure) -> None:
        self.shell.run(TOLD, work.told, self._show_told)
        self.sentence.setText(typographic(failure.text))

    def _show_suspects(self, suspects: Sequence[Suspicion]) -> None:
        self._n_suspects = len(suspects)
        self.listing.set_suspects(suspects, may_change=self._opened is not None and not self._opened.read_only)
        self._refresh()

    @Slot()
    def show_engine(self) -> None:
        """Open what reads the reports, once that is known."""
        self._to_engine = True
        self._lead_to_engine()

    def _lead_to_engine(self) -> None:
        if self._to_engine and self.reading.seen is not None:
            self._to_engine = False
            self.engine = self.engine or EngineDialog(self, self.shell, self.reading)
            self.engine.begin()

    @Slot()
    def show_readings(self) -> None:
        """Open what has been read so far, and what changed between two readings."""
        if self.reading.seen is not None and self.reading.seen.runs:
            self.readings = self.readings or ReadingsDialog(self, self.shell, self.reading)
            self.readings.begin()

    @Slot()
    def _act(self) -> None:
        """What the primary button says."""
        if self.importing.draft.files:
            self.importing.import_files()
        elif self._n_pending():
            self.reading.read()
        else:
            self.ask_files()

    @Slot()
    def ask_files(self) -> None:
        """Ask for report files."""
        self.tabs.setCurrentIndex(IMPORT)
        self.importing.files.ask_files()

    def _status(self) -> EngineStatus | None:
        return self.reading.seen.status if self.reading.seen is not None else None

    def _n_pending(self) -> int:
        status = self._status()
        return 0 if status is None or self.reading.is_running else status.n_pending

    @Slot()
    def _fill_more(self) -> None:
        menu = self.more.menu()
        menu.clear()
        status, locked = self._status(), self.reading.why_locked()
        n = self._n_pending()
        if n or self.importing.draft.files:
            self._add(menu, say("&Import reports\u2026"), self.ask_files, self.importing.why_not())
        if n:
            self._add(menu, self._read_text(n), self.reading.read, locked)
        if status is not None and status.n_reports:
            self._add(menu, say("&What reads the reports\u2026"), self.show_engine)
            if self.reading.seen is not None and self.reading.seen.runs:
                self._add(menu, say("Readings, and what &changed between them\u2026"), self.show_readings)
            if status.n_unknown_phrases:
                n = status.n_unknown_phrases
                place = counted(n, "&Place {n} unknown word in Words", "&Place {n} unknown words in Words")
                self._add(menu, place, partial(self.shell.go, "words", tab="unknown"))
            if n := status.n_unread:
                decide = counted(
                    n, "&Decide on {n} unread finding in Review", "&Decide on {n} unread findings in Review"
                )
                self._add(menu, decide, partial(self.shell.go, "review", tab="unread"))
        if self.importing.may_choose_columns:
            self._add(menu, say("Choose &other columns for the last files"), self.importing.choose_columns)

    def _add(self, menu: QMenu, text: str, call: Callable[[], object], why_not: str = "") -> None:
        action = menu.addAction(text)
        action.triggered.connect(lambda _checked=False: call())
        action.setEnabled(not why_not)
        action.setToolTip(why_not)

    def _read_text(self, n: int) -> str:
        return counted(n, "&Read {n} report", "&Read {n} reports")

    @Slot()
    def _refresh(self, *_: object) -> None:
        """Update head, sentence and rail for the files, the workspace and the reading."""
        self._lead_to_engine()
        self.listing.set_locked(self.reading.why_locked())
        has = self._has_imports()
        for tab in (LIST, FLOW):
            self.tabs.setTabVisible(tab, has)
        self.tabs.tabBar().setVisible(has)
        self.sentence.setText(self._sentence())
        status = self._status()
        self.meta.setText(read_by(status) if status is not None and status.n_reports else "")
        self._show_primary()
        self._tell_rail(status)

    def _show_primary(self) -> None:
        draft, n = self.importing.draft, self._n_pending()
        busy = say("Wait until what is under way has ended, or cancel it.") if self._busy else ""
        tip, why = "", self.importing.why_not()
        if draft.files and self.importing.makes_workspace:
            text, why = say("&Make a workspace for these files\u2026"), draft.why_not()
        elif draft.files:
            text, why = say("&Import reports"), why or draft.why_not()
            tip = say("An import cannot be undone: to be able to go back, make a copy under Settings first.")
        elif n:
            text, why = self._read_text(n), self.reading.why_locked()
        else:
            text = say("&Import reports\u2026")
        self.primary.setText(text)
        enable(self.primary, why or busy, tip)
        # An empty list of files has its own buttons for adding some.
        self.primary.setVisible(bool(draft.files or n) or self.tabs.currentIndex() != IMPORT)
        self.more.setEnabled(self._opened is not None)

    def _sentence(self) -> str:
        opened, seen = self._opened, self.reading.seen
        if opened is None:
            return say("No workspace is open. RadCal makes one from the files that you choose.")
        if opened.sample and self.importing.draft.files:
            return say("The sample stays as it is: a workspace of your own is made from these files.")
        said = [say("Nothing has been imported into this workspace yet.")]
        if self._has_imports():
            said = [came_in(opened, seen.status if seen is not None else None, self._n_suspects)]
        if self.reading.is_running:
            said = [say("Reports are being read; what is on show stays as it is meanwhile.")]
        elif self.reading.why_unknown:
            said.append(typographic(self.reading.why_unknown))
        elif seen is not None:
            said.append(changed_since(seen.status, seen.runs))
        said.append(self.importing.why_not())
        return " ".join(filter(None, said))

    def _tell_rail(self, status: EngineStatus | None) -> None:
        opened = self._opened
        state = attention = ""
        if opened is None or not self._has_imports():
            self.state_changed.emit("", "", "")
            return
        n = pairs_of(opened)
        meaning = counted(n, "{n} pair of an X-ray and a CT", "{n} pairs of an X-ray and a CT")
        if opened.halted is not None and opened.halted.unfinished:
            attention = unfinished_text()
        elif status is not None and status.problem:
            attention = typographic(status.problem)
        elif self.reading.share is not None:
            state = meaning = say("{share} read", share=percent(self.reading.share))
        elif n := self._n_pending():
            state = say("{n} unread", n=whole(n))
            meaning = attention = unread_text(n)
        elif status is not None and (n := status.n_failed):
            state = say("{n} failed", n=whole(n))
            meaning = attention = failed_text(n)
        self.state_changed.emit(state, attention, meaning)

    def set_busy(self, busy: bool) -> None:
        """Block imports while a workspace is being opened or imported into."""
        self._busy = busy
        self._refresh()

    @Slot(object)
    def _tasks_changed(self, _state: object) -> None:
        busy = self.shell.tasks.is_running(operation.OPEN)
        if busy != self._busy:
            self.set_busy(busy)
