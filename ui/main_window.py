"""The window, put together: head with selectors, stages, messages, pages, and what is under way at the foot."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeySequence, QPaintEvent, QShortcut
from PySide6.QtWidgets import QHBoxLayout, QMainWindow, QMessageBox, QSizePolicy, QStackedWidget, QVBoxLayout, QWidget

from ui import session as operation
from ui.entrance import Entrance
from ui.messages import Message, MessageBar
from ui.operations import LoadWorkflow
from ui.pages.evidence import EvidencePage
from ui.pages.help import HelpPage
from ui.pages.imports import ImportPage, left_out
from ui.pages.reliability import ReliabilityPage
from ui.pages.start import StartPage
from ui.rail import StageRail
from ui.recent import RecentWorkspaces
from ui.records import Evidence, Group, Imported, Opened
from ui.saving import Saving
from ui.session import Session
from ui.task_bar import TaskBar
from ui.tasks import Tasks, TaskState
from ui.theme import Theme
from ui.top_bar import TopBar, window_title
from ui.words import counted, listed, quoted, translate, typographic, whole

START, IMPORT, RELIABILITY, EVIDENCE, HELP = "start", "import", "reliability", "evidence", "help"


class MainWindow(QMainWindow):
    """RadCal's window.  ``painted`` comes once, after the window was first drawn."""

    painted = Signal()

    def __init__(self, load_workflow: LoadWorkflow, theme: Theme | None = None) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._painted = self._may_close = False
        self.question: QMessageBox | None = None
        self.recent = RecentWorkspaces()
        self.tasks = Tasks(self)
        self.session = Session(self.tasks, load_workflow, self)
        self._build()
        self.entrance = Entrance(self, self.session, self.messages)
        self.saving = Saving(
            self, self.tasks, self.session, self.messages, self.selectors.current, self.reliability.save_diagram
        )
        self._connect()
        self._shortcuts()
        if theme is not None:
            self._use(theme)
        self.resize(self._first_size())
        self._show_department(None)
        self._show_recent()
        self.show_page(START)
        self.start.buttons[0].setFocus()

    # --- building ----------------------------------------------------------------------------------

    def _build(self) -> None:
        self.messages = MessageBar()
        self.top_bar = TopBar()
        self.selectors = self.top_bar.selectors
        self.task_bar = TaskBar()
        self.rail = StageRail()
        self.start, self.imports, self.reliability = StartPage(), ImportPage(), ReliabilityPage()
        self.evidence, self.help = EvidencePage(), HelpPage()
        self._pages: dict[str, QWidget] = {
            START: self.start,
            IMPORT: self.imports,
            RELIABILITY: self.reliability,
            EVIDENCE: self.evidence,
            HELP: self.help,
        }
        self.pages = QStackedWidget()
        # Messages take their room from the page, not from the screen.
        self.pages.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.setMinimumSize(880, 480)  # half of a usual screen, as one at 200 % has it
        for page in self._pages.values():
            self.pages.addWidget(page)
        self.rail.add(IMPORT, translate("window", "Import"))
        self.rail.add(RELIABILITY, translate("window", "Reliability"))
        self.rail.add(HELP, translate("window", "Help"), at_foot=True)

        right = QVBoxLayout()
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(0)
        right.addWidget(self.messages)
        right.addWidget(self.pages, 1)
        middle = QHBoxLayout()
        middle.setContentsMargins(0, 0, 0, 0)
        middle.setSpacing(0)
        middle.addWidget(self.rail)
        middle.addLayout(right, 1)
        whole_window = QWidget()
        layout = QVBoxLayout(whole_window)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(self.top_bar)
        layout.addLayout(middle, 1)
        layout.addWidget(self.task_bar)
        self.setCentralWidget(whole_window)
        self._everything = whole_window

    def _connect(self) -> None:
        self.tasks.changed.connect(self._show_task)
        self.task_bar.cancel.connect(self.tasks.cancel)
        self.session.opened.connect(self._opened)
        self.session.evidence.connect(self._show_evidence)
        self.rail.chosen.connect(self.show_page)
        self.selectors.changed.connect(self._chosen)
        for ways_in in (self.top_bar, self.start):
            ways_in.open_workspace.connect(self.entrance.ask_open)
            ways_in.new_from_files.connect(self.entrance.ask_new)
            ways_in.open_sample.connect(self.entrance.open_sample)
        self.start.reopen.connect(self.entrance.ask_passphrase)
        self.start.forget.connect(self._forget)
        self.entrance.open_already.connect(self._show_results)
        self.imports.import_wanted.connect(self.entrance.ask_import)
        self.reliability.evidence_wanted.connect(self.find_evidence)
        self.reliability.save_wanted.connect(self.saving.ask_page)
        self.reliability.export_wanted.connect(self.saving.ask_diagram)
        self.reliability.explain_wanted.connect(partial(self.show_help, "luck"))
        self.evidence.back.connect(self.back)

    def _shortcuts(self) -> None:
        for keys, call in (
            (QKeySequence.StandardKey.Save, self.saving.ask_page),
            (QKeySequence("Ctrl+1"), partial(self._press_stage, IMPORT)),
            (QKeySequence("Ctrl+2"), partial(self._press_stage, RELIABILITY)),
            (QKeySequence.StandardKey.HelpContents, partial(self.show_help, "diagram")),
            (Qt.Key.Key_Escape, self.back),
            (QKeySequence.StandardKey.Back, self.back),
        ):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.activated.connect(call)
        self.addActions(self.top_bar.shortcuts)

    def _press_stage(self, key: str) -> None:
        if self.rail.is_enabled(key):
            self.show_page(key)

    def _use(self, theme: Theme) -> None:
        for page in (self.reliability, self.evidence):
            page.set_colours(theme.colours)
            theme.changed.connect(page.set_colours)

    def _first_size(self) -> QSize:
        screen = QGuiApplication.primaryScreen().availableSize()
        return QSize(1280, 800).boundedTo(screen)

    @Slot(object)
    def _opened(self, opened: Opened) -> None:
        self._show_department(opened)
        self.imports.show_department(opened)
        if opened.imported is not None:
            self._tell_imported(opened.imported)
        self.rail.set_state(IMPORT, whole(opened.n_pairs) if opened.n_pairs else "")
        before = self.selectors.current()
        self.selectors.set_groups((group, view.reliability.n) for group, view in opened.groups.items())
        if opened.groups and before not in opened.groups:
            self.selectors.choose(_telling(opened))
        if not opened.sample:
            self.recent.add(opened.path)
            self._show_recent()
        if opened.read_only:
            self.messages.show_message(Message.READ_ONLY, name=opened.path.name)
            if opened.groups and not opened.up_to_date:
                self.messages.show_message(Message.OUT_OF_DATE)
        if not opened.groups:
            self.messages.show_message(Message.NOTHING_TO_SHOW, what=typographic(opened.reason))
        self._show_results()

    @Slot()
    def _show_results(self) -> None:
        current = self.session.current
        if current is not None and current.groups:
            self.show_page(RELIABILITY)
            self.reliability.focus_table()
        else:
            self.show_page(IMPORT)

    @Slot(object)
    def _forget(self, path: object) -> None:
        self.recent.forget(Path(str(path)))
        self._show_recent()

    def _show_recent(self) -> None:
        paths = self.recent.paths()
        self.start.show_recent(paths)
        if paths:
            self.session.find_there(paths, lambda there: self.start.show_missing(frozenset(paths) - there))

    def _tell_imported(self, imported: Imported) -> None:
        if imported.rejected:
            self.messages.show_message(Message.ROWS_LEFT_OUT, partial(self.show_page, IMPORT), what=left_out(imported))
        if imported.n_failed:
            self.messages.show_message(
                Message.REPORTS_FAILED, failed=whole(imported.n_failed), total=whole(imported.n_reports)
            )
        if imported.unknown_phrases:
            n = sum(count for _, count in imported.unknown_phrases)
            self.messages.show_message(
                Message.UNKNOWN_PHRASES,
                what=counted(n, translate("window", "hedge is"), translate("window", "hedges are")),
                examples=listed([quoted(words) for words, _ in imported.unknown_phrases[:3]]),
            )

    # --- showing -----------------------------------------------------------------------------------

    @Slot(object)
    def show_page(self, key: str) -> None:
        """Turn to a page."""
        self.pages.setCurrentWidget(self._pages[key])
        self.rail.set_current(RELIABILITY if key == EVIDENCE else key)

    def show_help(self, section: str) -> None:
        """Turn to a section of the help."""
        self.show_page(HELP)
        self.help.show_section(section)

    @Slot()
    def back(self) -> None:
        """From the findings or the help back to the diagram."""
        if self.pages.currentWidget() in (self.evidence, self.help) and self.session.current is not None:
            self.show_page(RELIABILITY)
            self.reliability.focus_table()
        elif self.pages.currentWidget() is self.help:
            self.show_page(START)

    def _show_department(self, opened: Opened | None) -> None:
        self.setWindowTitle(window_title(opened))
        self.top_bar.show_department(opened)
        ready = opened is not None and bool(opened.groups)
        self.rail.set_state(IMPORT, enabled=opened is not None)
        self.rail.set_state(RELIABILITY, enabled=ready)
        if opened is None:
            idle = translate("window", "Nothing leaves this computer.")
        elif opened.sample:
            idle = translate("window", "Sample: invented radiologists and reports.")
        else:
            idle = translate("window", "{path} \u2013 nothing leaves this computer.").format(path=opened.path)
        self.task_bar.set_idle(idle)

    @Slot(object)
    def _show_task(self, state: TaskState | None) -> None:
        self.task_bar.show_task(state)
        opening = self.tasks.is_running(operation.OPEN)
        self.start.set_busy(opening)
        self.top_bar.set_busy(opening)
        self.imports.set_busy(opening)
        self.reliability.save.setEnabled(not self.tasks.is_running(operation.SAVE))

    @Slot(object)
    def _chosen(self, group: Group) -> None:
        if self.session.current is None:
            return
        self.reliability.show_group(self.session.current, group)
        if self.pages.currentWidget() is self.evidence:
            self.show_page(RELIABILITY)

    @Slot(object)
    def find_evidence(self, phrase: str) -> None:
        """Look up the findings behind a phrase of the group on show."""
        group = self.selectors.current()
        if group is not None:
            again = partial(self.find_evidence, phrase)
            self.session.find_evidence(
                group,
                phrase,
                lambda failure: self.messages.show_failure(Message.EVIDENCE_FAILED, failure, again),
            )

    @Slot(object)
    def _show_evidence(self, evidence: Evidence) -> None:
        if evidence.group != self.selectors.current():
            return
        self.evidence.show_evidence(evidence)
        model = self.reliability.model
        row = model.row_of(evidence.phrase)
        self.evidence.set_sentence(model.sentence(model.rate_at(row)) if row >= 0 else "")
        self.show_page(EVIDENCE)
        self.evidence.focus_table()

    # --- first and last ----------------------------------------------------------------------------

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if not self._painted:
            self._painted = True
            QTimer.singleShot(0, self.painted.emit)

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._may_close:
            super().closeEvent(event)
            return
        event.ignore()
        title = self.tasks.keeping()
        if not title:
            self.finish()
        elif self.question is None:
            self._ask_to_stop(title)

    def _ask_to_stop(self, title: str) -> None:
        box = self.question = QMessageBox(self)
        box.setWindowTitle("RadCal")
        box.setText(translate("window", "RadCal is still at work: {what}.").format(what=title[:1].lower() + title[1:]))
        box.setInformativeText(
            translate("window", "If you stop now, what is done so far is kept, and the same import goes on from there.")
        )
        keep = box.addButton(translate("window", "&Keep working"), QMessageBox.ButtonRole.RejectRole)
        stop = box.addButton(translate("window", "&Stop and close"), QMessageBox.ButtonRole.AcceptRole)
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)
        box.finished.connect(lambda: self._answered(box.clickedButton() is stop))
        box.open()

    def _answered(self, stop: bool) -> None:
        if self.question is not None:
            self.question.deleteLater()
            self.question = None
        if stop:
            self.finish()

    def finish(self) -> None:
        """Stop what is under way, close the workspace, then the window; without waiting in the GUI thread."""
        self._everything.setEnabled(False)
        self.session.close(self._end)

    def _end(self) -> None:
        self._may_close = True
        self.close()


def _telling(opened: Opened) -> Group:
    """The group to begin with: one with advice before one without, then the one with most findings."""

    def rank(group: Group) -> tuple[bool, float]:
        view = opened.groups[group]
        return view.advice is not None and bool(view.advice.recommendations), view.reliability.n

    return max(opened.groups, key=rank)
