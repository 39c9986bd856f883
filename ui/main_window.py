"""The window, put together: head with selectors, stages, messages, pages, and what is under way at the foot."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QLocale, QSize, Qt, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QCloseEvent, QDesktopServices, QGuiApplication, QKeySequence, QPaintEvent, QShortcut
from PySide6.QtWidgets import (
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QMainWindow,
    QMenu,
    QMessageBox,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ui import session as operation
from ui.dialogs.new_department import SUFFIX, ImportDialog
from ui.dialogs.passphrase import PassphraseDialog
from ui.messages import Message, MessageBar
from ui.operations import LoadWorkflow
from ui.pages.evidence import EvidencePage
from ui.pages.help import HelpPage
from ui.pages.imports import ImportPage
from ui.pages.reliability import ReliabilityPage
from ui.pages.start import StartPage
from ui.rail import StageRail
from ui.records import Evidence, Group, Imported, Opened, PlanOfImport
from ui.selector_bar import SelectorBar
from ui.session import Session
from ui.task_bar import TaskBar
from ui.tasks import Failure, Tasks, TaskState
from ui.theme import Theme
from ui.words import counted, listed, quoted, translate, whole

START, IMPORT, RELIABILITY, EVIDENCE, HELP = "start", "import", "reliability", "evidence", "help"


class MainWindow(QMainWindow):
    """RadCal's window.  ``painted`` comes once, after the window was first drawn."""

    painted = Signal()

    def __init__(self, load_workflow: LoadWorkflow, theme: Theme | None = None) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._painted = self._may_close = False
        self._plan: PlanOfImport | None = None
        self._saving = ""
        self.question: QMessageBox | None = None
        self.tasks = Tasks(self)
        self.session = Session(self.tasks, load_workflow, self)
        self._build()
        self._connect()
        self._shortcuts()
        if theme is not None:
            self._use(theme)
        self.resize(self._first_size())
        self.show_page(START)
        self._show_department(None)

    # --- building ----------------------------------------------------------------------------------

    def _build(self) -> None:
        self.messages = MessageBar()
        self.selectors = SelectorBar()
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
        self.setMinimumSize(960, 600)
        for page in self._pages.values():
            self.pages.addWidget(page)
        self.rail.add(IMPORT, translate("window", "Import"))
        self.rail.add(RELIABILITY, translate("window", "Reliability"))
        self.rail.add(HELP, translate("window", "Help"), at_foot=True)

        self.department = QToolButton()
        self.department.setAutoRaise(True)
        self.department.setProperty("autoRaise", True)
        self.department.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.department)
        for text, keys, call in (
            (translate("window", "&Open a workspace\u2026"), QKeySequence.StandardKey.Open, self.ask_open),
            (translate("window", "&New from report files\u2026"), QKeySequence.StandardKey.New, self.ask_new),
            (translate("window", "Open the &sample"), None, self.open_sample),
        ):
            action = menu.addAction(text, call)
            if keys is not None:
                action.setShortcut(keys)
                self.addAction(action)
        self.department.setMenu(menu)

        top = QFrame()
        top.setObjectName("topBar")
        top.setFixedHeight(48)
        head = QHBoxLayout(top)
        head.setContentsMargins(8, 8, 8, 8)
        head.addWidget(self.department)
        head.addStretch(1)
        head.addWidget(self.selectors)

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
        layout.addWidget(top)
        layout.addLayout(middle, 1)
        layout.addWidget(self.task_bar)
        self.setCentralWidget(whole_window)
        self._everything = whole_window

    def _connect(self) -> None:
        self.tasks.changed.connect(self._show_task)
        self.task_bar.cancel.connect(self.tasks.cancel)
        self.session.opened.connect(self._opened)
        self.session.evidence.connect(self._show_evidence)
        self.session.saved.connect(self._saved)
        self.session.stopped.connect(self._stopped)
        self.rail.chosen.connect(self.show_page)
        self.selectors.changed.connect(self._chosen)
        self.start.open_workspace.connect(self.ask_open)
        self.start.new_from_files.connect(self.ask_new)
        self.start.open_sample.connect(self.open_sample)
        self.imports.import_wanted.connect(self.ask_import)
        self.reliability.evidence_wanted.connect(self.find_evidence)
        self.reliability.save_wanted.connect(self.ask_save)
        self.reliability.export_wanted.connect(self.ask_export)
        self.reliability.explain_wanted.connect(partial(self.show_help, "luck"))
        self.evidence.back.connect(self.back)

    def _shortcuts(self) -> None:
        for keys, call in (
            (QKeySequence.StandardKey.Save, self.ask_save),
            (QKeySequence.StandardKey.HelpContents, partial(self.show_help, "diagram")),
            (Qt.Key.Key_Escape, self.back),
            (QKeySequence.StandardKey.Back, self.back),
        ):
            shortcut = QShortcut(QKeySequence(keys), self)
            shortcut.activated.connect(call)

    def _use(self, theme: Theme) -> None:
        for page in (self.reliability, self.evidence):
            page.set_colours(theme.colours)
            theme.changed.connect(page.set_colours)

    def _first_size(self) -> QSize:
        screen = QGuiApplication.primaryScreen().availableSize()
        return QSize(1280, 800).boundedTo(screen)

    # --- opening -----------------------------------------------------------------------------------

    @Slot()
    def open_sample(self) -> None:
        """Open the shipped sample."""
        self.messages.clear()
        self.session.open_sample(partial(self._failed, Message.SAMPLE_FAILED, self.open_sample))

    @Slot()
    def ask_open(self) -> None:
        """Ask which workspace to open."""
        name, _ = QFileDialog.getOpenFileName(
            self, translate("window", "Open a workspace"), "", f"RadCal (*{SUFFIX});;* (*)"
        )
        if name:
            self.ask_passphrase(Path(name))

    def ask_passphrase(self, path: Path) -> None:
        """Ask for the passphrase of a workspace, then open it."""
        self.messages.clear(Message.OPEN_FAILED)
        dialog = PassphraseDialog(path, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.given.connect(partial(self.open_workspace, path))
        dialog.open()

    def open_workspace(self, path: Path, passphrase: str) -> None:
        """Open a workspace; one that is open already is shown."""
        if self.session.current is not None and self.session.current.path == path:
            self.show_page(RELIABILITY)
            return
        self.messages.clear()
        again = partial(self.ask_passphrase, path)
        self.session.open_workspace(path, passphrase, partial(self._failed, Message.OPEN_FAILED, again))

    @Slot()
    def ask_new(self) -> None:
        """Ask for report files and a place for a new workspace."""
        dialog = ImportDialog(self, new_workspace=True)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.planned.connect(self.import_reports)
        dialog.open()

    @Slot()
    def ask_import(self) -> None:
        """Ask for further report files."""
        dialog = ImportDialog(self, new_workspace=False)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.planned.connect(self.import_reports)
        dialog.open()

    @Slot(object)
    def import_reports(self, plan: PlanOfImport) -> None:
        """Import into a new workspace or the open one."""
        self.messages.clear()
        self._plan = plan
        if plan.workspace is not None:
            self.session.create(plan, partial(self._failed, Message.IMPORT_FAILED, self.ask_new))
        else:
            self.session.import_files(plan, partial(self._failed, Message.IMPORT_FAILED, self.ask_import))

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
        if opened.groups:
            self.show_page(RELIABILITY)
            self.reliability.focus_table()
        else:
            self.messages.show_message(Message.NOTHING_TO_SHOW, what=opened.reason)
            self.show_page(IMPORT)

    def _tell_imported(self, imported: Imported) -> None:
        if imported.rejected:
            self.messages.show_message(Message.ROWS_LEFT_OUT, partial(self.show_page, IMPORT), what=_left_out(imported))
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
        name = ""
        if opened is not None:
            name = (
                opened.title if opened.sample else translate("window", "{name} (encrypted)").format(name=opened.title)
            )
        title = f"RadCal \u2013 {name}" if name else "RadCal"
        self.setWindowTitle(title)
        self.department.setText(f"{title}  \u25be")
        self.department.setAccessibleName(translate("window", "{title}, menu").format(title=title))
        ready = opened is not None and bool(opened.groups)
        self.selectors.setVisible(ready)
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
        self.start.set_busy(self.tasks.is_running(operation.OPEN))
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
            self.session.find_evidence(group, phrase, partial(self._failed, Message.EVIDENCE_FAILED, again))

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

    # --- saving ------------------------------------------------------------------------------------

    @Slot()
    def ask_save(self) -> None:
        """Ask where to save the author's page."""
        group = self.selectors.current()
        if group is None or self.session.current is None or self.tasks.is_running(operation.SAVE):
            return
        name, _ = QFileDialog.getSaveFileName(
            self, translate("window", "Save the page as PDF"), f"{_file_name(group.author)}.pdf", "PDF (*.pdf)"
        )
        if name:
            self.save_feedback(group.author, Path(name))

    def save_feedback(self, author: str, out: Path) -> None:
        """Write the author's page as a PDF."""
        self.messages.clear(Message.SAVED, Message.SAVE_FAILED)
        failed = partial(self._failed, Message.SAVE_FAILED, self.ask_save, author=author)
        self._saving = author
        self.session.save_feedback(author, out, _paper(), failed)

    @Slot(object)
    def _saved(self, path: Path) -> None:
        self.messages.show_message(
            Message.SAVED,
            partial(_open, path),
            author=quoted(self._saving),
            file=path.name,
        )

    @Slot()
    def ask_export(self) -> None:
        """Ask where to save the diagram."""
        group = self.selectors.current()
        if group is None:
            return
        stem = _file_name(f"{group.author} {group.topic}")
        name, _ = QFileDialog.getSaveFileName(
            self, translate("window", "Save the diagram"), f"{stem}.svg", "SVG (*.svg);;PNG (*.png)"
        )
        if name and not self.reliability.save_diagram(Path(name)):
            self.messages.show_message(Message.EXPORT_FAILED, self.ask_export, file=Path(name).name)

    # --- what goes wrong ---------------------------------------------------------------------------

    def _failed(self, message: Message, mend: Callable[[], None], failure: Failure, **fields: str) -> None:
        if failure.text:
            self.messages.show_message(message, mend, what=failure.text, **fields)
        else:
            self.show_bug(failure.technical)

    def show_bug(self, technical: str) -> None:
        """Tell of an error of RadCal's own; ``technical`` names places in the program."""
        self.messages.show_message(Message.BUG, partial(QGuiApplication.clipboard().setText, technical))

    @Slot(object)
    def _stopped(self, what: str) -> None:
        plan, self._plan = self._plan, None
        if what == operation.OPEN and plan is not None:
            self.messages.show_message(Message.STOPPED, partial(self._go_on, plan))

    def _go_on(self, plan: PlanOfImport) -> None:
        self.import_reports(replace(plan, resume=plan.workspace is not None and plan.workspace.exists()))

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


def _left_out(imported: Imported) -> str:
    """'12 rows of march.csv were left out: the exam time is missing.', or for how many reasons."""
    files = {r.file for r in imported.rejected}
    reasons = {r.reason.rstrip(".") for r in imported.rejected}
    rows = counted(len(imported.rejected), translate("window", "row"), translate("window", "rows"))
    where = files.pop() if len(files) == 1 else translate("window", "{n} files").format(n=len(files))
    if len(reasons) > 1:
        text = translate("window", "{rows} of {where} were left out, for {n} different reasons.")
        return text.format(rows=rows, where=where, n=len(reasons))
    reason = reasons.pop()
    one = translate("window", "{rows} of {where} was left out: {reason}.")
    many = translate("window", "{rows} of {where} were left out: {reason}.")
    text = one if len(imported.rejected) == 1 else many
    return text.format(rows=rows, where=where, reason=reason[:1].lower() + reason[1:])


def _open(path: Path) -> None:
    """Show a file in the program that the system has for it."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


def _file_name(text: str) -> str:
    """The text as a file name."""
    return "".join(c if c.isalnum() or c in " -_" else "_" for c in text).strip() or "radcal"


def _paper() -> str:
    imperial = QLocale.system().measurementSystem() == QLocale.MeasurementSystem.ImperialUSSystem
    return "letter" if imperial else "a4"
