"""The main window: head with selectors, stages, messages, pages, and task bar."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize, Qt, Signal, Slot
from PySide6.QtGui import QCloseEvent, QGuiApplication, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QApplication, QMainWindow, QTabBar, QWidget

from radcal.system import faults
from radcal.system.exports import CONTESTS_SUFFIX, WORKSPACE_SUFFIX
from radcal.system.kinds import FileKind
from radcal.system.sending import sending_to
from ui import language
from ui import session as operation
from ui.first_paint import FirstPaint
from ui.kit import keyboard
from ui.kit.action import later
from ui.kit.layout import hbox, vbox
from ui.operations import still_there
from ui.pages.feedback.saving import SAVE, Saving
from ui.preferences import changes, lab_is_on, preferences, tour_answered
from ui.records import Opened
from ui.sentences import restored_words
from ui.session import Session
from ui.shell import Shell
from ui.stages import FIRST, HELP, HOME, LAB, REPORTS, RESULTS, SETTINGS, WORDS, stages
from ui.tasks import Tasks, TaskState
from ui.theme import Theme, px
from ui.widgets.messages import Message, MessageBar
from ui.window.building import Building
from ui.window.closing import Question, lose_question, stop_question
from ui.window.entrance import Entrance
from ui.window.keeping import Keeping
from ui.window.locking import Locking
from ui.window.notices import tell_imported, tell_not_copied, tell_renewed
from ui.window.page_stack import PageStack
from ui.window.rail import StageRail
from ui.window.recent import RecentWorkspaces
from ui.window.task_bar import TaskBar
from ui.window.top_bar import TopBar, window_title
from ui.window.tour.tour import Tour
from ui.window.viewing import Viewing
from ui.window.viewport import Viewport
from ui.window.welcome import Welcome
from ui.words import say, typographic

if TYPE_CHECKING:
    from radcal.reports.importing import ReportFile
    from radcal.system.selection import Selection
    from ui.pages.home.page import HomePage
    from ui.pages.home.ways_in import WaysIn

_GEOMETRY = "window/geometry"
_FRAME = QSize(16, 48)
"""Reserved for the window's frame and title, unknown before the window is shown."""


class MainWindow(QMainWindow):
    """RadCal's window.  ``painted`` is emitted once, after the first paint.

    Pages are created on first use, and the others one by one after the first paint.  Another language or text size
    replaces all that is in the window (``renew``); what is open, what is at work and what is on show stay.
    """

    painted = Signal()

    def __init__(self, theme: Theme | None = None) -> None:
        super().__init__()
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._may_close = False
        self._shown: Opened | None = None
        self.question: Question | None = None
        self.recent = RecentWorkspaces()
        self.tasks = Tasks(self)
        self.session = Session(self.tasks, self)
        self._theme = theme
        self.messages = MessageBar()
        self.messages.rescue = partial(self.show_page, SETTINGS, {"back_up": True})
        self.shell = Shell(self.tasks, self.session, self.messages, self)
        self.viewing = Viewing(self.shell)
        self._key = self._before_help = self._opened_from = HOME
        self._opening = False
        self._past: list[QWidget] = []
        """Contents that were replaced while work for them was under way."""
        self.entrance = Entrance(self, self.tasks, self.session, self.messages, self.recent.backup_folders)
        self.keeping = Keeping(
            self.shell,
            self.entrance.ask_restore,
            partial(self.show_page, SETTINGS, {"backup_folder": True}),
            partial(self.show_page, SETTINGS, {"check": True}),
        )
        self.saving = Saving(self.shell, self)
        self.locking = Locking(self, self._open_for_locking)
        self._build()
        self.building = Building(lambda: self.task_bar, self.messages, self.show_page, self)
        self._connect()
        # After the window has shown what was opened.
        self.tour = Tour(
            self, self.shell, self.session, self.page, lambda: self._key, self.entrance.open_sample, self._dock
        )
        self._connect_tour()
        self._shortcuts()
        self.welcome = Welcome(self, self.take_files)
        FirstPaint(self).painted.connect(self.painted)
        if theme is not None:
            self.destroyed.connect(theme.forget_widgets, Qt.ConnectionType.QueuedConnection)
        self._restore()
        self._show_department(None)
        self._show_recent()
        self.show_page(HOME)
        self.ways.setFocus()

    # --- building ----------------------------------------------------------------------------------

    def _build(self) -> None:
        """Make all that is in the window, in its language and text size."""
        self.stages = {stage.key: stage for stage in stages()}
        self.pages = PageStack(self.shell, self.stages)
        self.top_bar, self.task_bar, self.rail = TopBar(), TaskBar(), StageRail()
        self.selectors = self.top_bar.selectors
        self.pages.made.connect(self._wire)
        for stage in self.stages.values():
            self.rail.add(stage.key, stage.name, at_foot=stage.at_foot)
        self.task_bar.cancel.connect(self.tasks.cancel)
        self.task_bar.pause.connect(self.tasks.pause)
        self.task_bar.resume.connect(self.tasks.resume)
        self.task_bar.served.clicked.connect(self._go_to_engine)
        self.task_bar.left.connect(self._focus_page)
        self.rail.chosen.connect(self.show_page)
        self.selectors.run_wanted.connect(self.shell.choose_run)
        bar = self.top_bar
        self._offer_ways_in(bar)
        bar.keys_wanted.connect(self.show_keys)
        bar.about_wanted.connect(self.show_about)
        bar.faults_wanted.connect(self.show_faults)
        bar.lock_wanted.connect(self.locking.lock)
        bar.quit_wanted.connect(self.close)
        bar.tour_wanted.connect(self.shell.tour_wanted)
        self.addActions(bar.shortcuts)
        whole_window = self._everything = QWidget()
        self._column = vbox(
            bar,
            (hbox(self.rail, (vbox(self.messages, (self.pages, 1), spacing=0), 1), spacing=0), 1),
            self.task_bar,
            parent=whole_window,
            spacing=0,
        )
        # Half of a usual screen, as at a scale of 200 %; a smaller window shows a part.
        self._contents = Viewport(whole_window, QSize(px(880), px(480)))
        self.setCentralWidget(self._contents)
        self.setMinimumSize(320, 240)
        if self.session.current is not None:
            self.selectors.show_department(self.session.current)
        if self.shell.selection is not None:
            self.selectors.choose(self.shell.selection)
        self.selectors.changed.connect(self.shell.set_selection)

    def _dock(self, strip: QWidget) -> None:
        """Put the text of the tour above the foot."""
        self._column.insertWidget(self._column.count() - 1, strip)

    def _offer_ways_in(self, ways_in: Any) -> None:
        ways_in.open_workspace.connect(self.entrance.ask_open)
        ways_in.new_from_files.connect(self.entrance.ask_new)
        ways_in.open_sample.connect(self.entrance.open_sample)

    @Slot(object)
    def speak(self, code: str) -> None:
        """Speak another language from now on, '' for the system's."""
        language.choose(code)
        app = QApplication.instance()
        if app is not None and language.preferred() != language.spoken().code:
            language.use(app, language.preferred())
            self._soon.start()

    @Slot(object)
    def resize_text(self, per_cent: int) -> None:
        """Show everything in another size from now on, 100-300 per cent of the usual one."""
        if self._theme is not None:
            self._theme.resize(per_cent)
            self._soon.start()

    @Slot()
    def renew(self) -> None:
        """Make all that is in the window anew, on the same page; work under way goes on."""
        self.tour.drop()
        self.pages.stop_making()
        before, key, old = self.pages, self._key, self._contents
        tab = self.page(key).findChild(QTabBar)
        place = -1 if tab is None else tab.currentIndex()
        self.takeCentralWidget()
        for action in self.top_bar.shortcuts:
            self.removeAction(action)
        self._build()
        for page in before.made_pages():
            page.retire()
        old.setParent(self)
        old.hide()
        self._past.append(old)
        self._show_department(self.session.current)
        self._show_sending()
        self._show_recent()
        self.tasks.tell()
        self._key = HOME
        self.show_page(key)
        for made in before.made_pages():
            self.page(made.property("key")).take_over(made)
        if (tab := self.page(key).findChild(QTabBar)) is not None:
            tab.setCurrentIndex(place)
        self.pages.make_the_rest()
        self._forget_the_past()

    @Slot()
    def _forget_the_past(self) -> None:
        """Delete contents that were replaced, once no work is under way that may be for them."""
        while self._past and self.tasks.is_idle:
            self._past.pop().deleteLater()

    def page(self, key: str) -> Any:
        """The page of a stage, created on demand."""
        return self.pages.page(key)

    @property
    def home(self) -> HomePage:
        """The page that the window begins with."""
        found: HomePage = self.page(HOME)
        return found

    @property
    def ways(self) -> WaysIn:
        """What can be opened, on Home."""
        return self.home.ways

    @Slot(object, object)
    def _wire(self, key: str, page: Any) -> None:
        """Connect a page's signals to the rail and to window services outside the shell."""
        page.selects_changed.connect(self._offer_selectors)
        page.state_changed.connect(partial(self.rail.set_state, key))
        if key == HOME:
            ways = page.ways
            self._offer_ways_in(ways)
            ways.reopen.connect(self.entrance.ask_passphrase)
            ways.forget.connect(self._forget)
            ways.restore.connect(self.entrance.ask_restore)
            ways.tour_wanted.connect(self.shell.tour_wanted)
            ways.tour_unwanted.connect(self._turn_down_tour)
        elif key == REPORTS:
            page.import_wanted.connect(self._import)
            page.workspace_wanted.connect(self.entrance.ask_new)
            page.open_wanted.connect(self.entrance.ask_passphrase)
        elif key == RESULTS:
            page.save_wanted.connect(self.saving.ask_page)
        elif key == SETTINGS:
            if self._theme is not None:
                page.appearance_changed.connect(self._theme.choose)
            page.scale_changed.connect(self.resize_text)
            page.language_changed.connect(self.speak)
            page.file.restore_wanted.connect(self.entrance.ask_restore)
            page.file.folder_chosen.connect(self.recent.add_backup_folder)

    def _connect(self) -> None:
        self._soon = later(self, self.renew)
        self.tasks.changed.connect(self._show_task)
        self.session.opened.connect(self._opened)
        self.shell.go_wanted.connect(self.show_page)
        self.shell.explain_wanted.connect(self.show_help)
        self.shell.choose_wanted.connect(self._choose)
        self.shell.served_changed.connect(self._show_served)
        self.messages.left.connect(self._focus_page)
        self.session.closed.connect(self._closed)
        self.entrance.open_already.connect(self._show_results)
        changes.lab_switched.connect(self._offer_pages)

    @Slot(object)
    def _choose(self, selection: Selection) -> None:
        self.selectors.choose(selection)

    def _connect_tour(self) -> None:
        self.shell.tour_wanted.connect(self.tour.start)
        self.tour.answered.connect(self._offer_tour)

    @Slot()
    def _turn_down_tour(self) -> None:
        self.tour.turn_down()

    @Slot()
    def _offer_tour(self) -> None:
        """On the start page, to whoever has opened nothing of their own yet."""
        self.ways.offer_tour(not tour_answered() and not self.recent.paths())

    def _shortcuts(self) -> None:
        # Listed in ui.window.dialogs.keys.
        calls: list[tuple[QKeySequence.StandardKey | Qt.Key | str, Callable[[], object]]] = [
            (QKeySequence.StandardKey.Save, self.saving.ask_page),
            (QKeySequence.StandardKey.HelpContents, self._help_here),
            (QKeySequence.StandardKey.Undo, self.shell.undo.undo),
            (QKeySequence.StandardKey.Redo, self.shell.undo.redo),
            ("Ctrl+/", self.show_keys),
            ("F6", self._to_message),
            (Qt.Key.Key_Escape, self.back),
            (QKeySequence.StandardKey.Back, self.back),
            (QKeySequence.StandardKey.Find, self._find),
        ]
        calls += [(f"Ctrl+{n}", partial(self._press_stage, n - 1)) for n in range(1, 10)]
        keyboard.add_shortcuts(self, calls)

    def _press_stage(self, place: int) -> None:
        offered = self.rail.offered()
        if place < len(offered):
            self.show_page(offered[place])
            self._focus_page()

    def _restore(self) -> None:
        geometry = preferences().value(_GEOMETRY)
        if geometry is None or not self.restoreGeometry(geometry):
            available = QGuiApplication.primaryScreen().availableSize()
            self.resize(QSize(1280, 800).boundedTo(available - _FRAME))

    # --- the open department -----------------------------------------------------------------------

    @Slot(object)
    def _opened(self, opened: Opened) -> None:
        if language.about(opened.study):
            self._soon.start()
        self._show_department(opened)
        if opened.fresh:
            self.messages.unsaved = False
        self.selectors.show_department(opened)
        if opened.imported is not None:
            see, choose = (partial(self.show_page, REPORTS, {"show": show}) for show in ("rows", "columns"))
            failed = partial(self.show_page, REPORTS, {"failed": True})
            words = partial(self.show_page, WORDS, {"tab": "unknown"})
            tell_imported(self.messages, opened.imported, see, choose, failed, words)
            if self._shown is not None and self._shown.department is opened.department:
                tell_renewed(self.messages, self._shown, opened)
        self._shown = opened
        if not opened.sample:
            self.recent.add(opened.path)
            self._show_recent()
        if opened.read_only and opened.kind is FileKind.DEPARTMENT:
            self.messages.show_message(Message.READ_ONLY, name=opened.path.name)
            if opened.groups and not opened.up_to_date:
                self.messages.show_message(Message.OUT_OF_DATE)
        if opened.names_made and opened.names_key is not None:
            self.messages.show_message(Message.NAMES_MADE, self.shell.ask_names_copy, file=opened.names_key.name)
        elif opened.fresh:
            self.shell.tell_names_missing()
        if opened.reason:
            self.messages.show_message(Message.NOTHING_TO_SHOW, what=typographic(opened.reason))
        if opened.restored is not None:
            what = restored_words(opened.restored)
            self.messages.show_message(Message.RESTORED, name=opened.path.name, what=what)
        if opened.updated is not None:
            copy = opened.updated.copy.name
            self.messages.show_message(Message.UPDATED, name=opened.path.name, copy=copy)
        if opened.copied is not None and opened.copied.chosen is not None:
            self.recent.add_backup_folder(opened.copied.chosen)
        if opened.copied is not None and not opened.sample and opened.fresh:
            back_up = partial(self.show_page, SETTINGS, {"back_up": True})
            tell_not_copied(self.messages, opened.path.name, opened.copied, back_up)
        # Whoever went to another page meanwhile stays there.
        if opened.fresh and self._key == self._opened_from:
            self._show_results()
        self.keeping.look_after()

    @Slot()
    def _closed(self) -> None:
        """The workspace was closed."""
        if language.about(""):
            self._soon.start()
        self._shown = None
        self._show_department(None)
        self.show_page(HOME)

    @Slot()
    def _show_results(self) -> None:
        current = self.session.current
        if current is None or (current.kind is FileKind.DEPARTMENT and not current.groups):
            self.show_page(REPORTS)
        else:
            self.show_page(FIRST[current.kind])

    @Slot(object)
    def _import(self, files: Sequence[ReportFile]) -> None:
        """Import the files listed on the page; on failure they stay listed."""
        self.entrance.import_reports(files, partial(self.show_page, REPORTS, {"show": "files"}))

    @Slot(object)
    def _forget(self, path: object) -> None:
        taken = Path(str(path))
        place = self.recent.forget(taken)
        self._show_recent()
        self.messages.show_message(Message.FORGOTTEN, partial(self._put_back, taken, place), name=taken.name)

    def _put_back(self, path: Path, place: int) -> None:
        self.recent.put_back(path, place)
        self._show_recent()

    def _show_recent(self) -> None:
        paths = self.recent.paths()
        self.ways.show_recent(paths)
        self._offer_tour()
        if paths:
            self.tasks.start(
                "there",
                partial(still_there, paths),
                done=lambda there: self.ways.show_missing(frozenset(paths) - there),
                failed=lambda _: None,
            )

    # --- showing -----------------------------------------------------------------------------------

    @Slot()
    def _offer_selectors(self) -> None:
        page, opened = self.page(self._key), self.session.current
        uses = page.uses_selection
        self.selectors.offer(page.selects if uses else ())
        self.selectors.setVisible(uses and opened is not None and bool(opened.groups))

    @Slot(object, object)
    def show_page(self, key: str, where: dict[str, Any] | None = None) -> None:
        """Open a page; ``where`` is passed to it."""
        page = self.page(key)
        before = QApplication.focusWidget()  # changes as soon as its page is hidden
        if self._key != key:
            self.page(self._key).leave()
        if key == HELP and self._key != HELP:
            self._before_help = self._key
        self._key = key
        faults.on_page(key)
        self.pages.setCurrentWidget(page)
        self.rail.set_current(key if key in self.stages else "")
        self._offer_selectors()
        self.shell.undo.setActiveStack(page.undo_stack)
        page.arrive(**(where or {}))
        self.viewing.show_page(key, selects=page.uses_selection)
        if before is None or not any(place.isAncestorOf(before) for place in (self.rail, self.top_bar)):
            self._focus_page()  # else it stays in the navigation

    @Slot()
    def _focus_page(self) -> None:
        """Focus the page."""
        keyboard.focus(self.pages.currentWidget())

    @Slot()
    def _to_message(self) -> None:
        """Move the focus from page to the tour, the latest message, the task bar, then page."""
        if self.tour.take_keyboard():
            return
        if not ((not keyboard.is_in(self.task_bar) and self.messages.focus_latest()) or self.task_bar.take_keyboard()):
            self._focus_page()

    @property
    def current_key(self) -> str:
        """The stage of the current page."""
        return self._key

    @Slot(object)
    def show_help(self, section: str) -> None:
        """Open a section of the help."""
        self.show_page(HELP, {"section": section})

    @Slot()
    def _help_here(self) -> None:
        """Open the help on the current page."""
        if self._key != HELP:
            self.show_help(self._key)

    @Slot()
    def show_keys(self) -> None:
        """Show the keyboard shortcuts."""
        from ui.window.dialogs.keys import KeysDialog

        _open(KeysDialog(self.rail_names(), self))

    @Slot()
    def show_about(self) -> None:
        """Show the RadCal version, its components, and their licences."""
        from ui.window.dialogs.about import AboutDialog

        _open(AboutDialog(self))

    @Slot()
    def show_faults(self) -> None:
        """Show the log of faults."""
        from ui.window.dialogs.faults import FaultsDialog

        _open(FaultsDialog(self.shell, self))

    def rail_names(self) -> list[str]:
        """The names of the visible stages, in order of their keys."""
        return [self.stages[key].name for key in self.rail.offered()]

    @Slot()
    def back(self) -> None:
        """End the tour or turn it down, or return to the page from which this one, or the help, was opened."""
        if self.tour.is_on:
            self.tour.end()
            return
        if self._key == HOME and self.ways.offers_tour:
            self.tour.turn_down()
            return
        if self._key == HELP:
            self.show_page(self._before_help if self._before_help in self.stages else HOME)

    @Slot()
    def _find(self) -> None:
        """Focus the page's own search field, or that of its first table."""
        from ui.kit.table import DataTable

        page: QWidget = self.page(self._key)
        fields = (getattr(page, "search", None), *(t.search for t in page.findChildren(DataTable)))
        search = next((field for field in fields if field is not None and field.isVisible()), None)
        if search is not None:
            search.setFocus()
            search.selectAll()

    def _show_department(self, opened: Opened | None) -> None:
        self.setWindowTitle(window_title(opened))
        self.top_bar.show_department(opened)
        self._offer_pages()
        self._show_idle(opened)

    @Slot()
    def _offer_pages(self, *_: object) -> None:
        """Show in the rail what the open file has; the lab where it is switched on or the workspace has models."""
        opened = self.session.current
        for key, stage in self.stages.items():
            has = opened is None or opened.kind in stage.kinds
            self.rail.set_offered(key, has and (key != LAB or lab_is_on() or bool(opened and opened.models)))

    def _show_idle(self, opened: Opened | None) -> None:
        """Say in the foot what is open, and that nothing leaves the computer where that is so."""
        if opened is None:
            idle = say("Nothing leaves this computer.")
        elif opened.sample:
            idle = say("Sample: invented radiologists and reports.")
        elif self.shell.served:
            idle = str(opened.place)
        else:
            idle = say("{path} \u2013 nothing leaves this computer.", path=opened.place)
        self.task_bar.set_idle(idle)

    @Slot(object)
    def _show_served(self, _host: str) -> None:
        """Reports are read at a server, or again on this computer alone."""
        self._show_sending()
        self._show_idle(self.session.current)

    @Slot()
    def _go_to_engine(self) -> None:
        self.show_page(REPORTS, {"engine": True})

    def _show_sending(self) -> None:
        """Say so while texts are being sent: also by a workspace that is only being opened, and goes on reading."""
        to = sending_to()
        self.task_bar.show_served(to or self.shell.served, sending=bool(to))

    @Slot(object)
    def _show_task(self, state: TaskState | None) -> None:
        self.task_bar.show_task(state)
        self._show_sending()
        opening = self.tasks.is_running(operation.OPEN)
        if opening and not self._opening:
            self._opened_from = self._key
        self._opening = opening
        self.ways.set_busy(opening)
        self.top_bar.set_busy(opening)
        if state is None:
            self._forget_the_past()
        if self.pages.is_made(RESULTS):
            self.page(RESULTS).save.setEnabled(not self.tasks.is_running(SAVE))

    # --- files dropped on the window ---------------------------------------------------------------

    def take_files(self, paths: list[Path]) -> None:
        """Open the workspace among the files, or import the files."""
        workspace = next((p for p in paths if p.suffix.lower() == WORKSPACE_SUFFIX), None)
        if workspace is not None:
            self.entrance.ask_passphrase(workspace)
        elif paths and self._shown is not None and all(p.suffix.lower() == CONTESTS_SUFFIX for p in paths):
            self.show_page(RESULTS, {"take": tuple(paths)})
        elif paths:
            self.show_page(REPORTS, {"files": tuple(paths)})

    # --- the window itself -------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """A key not handled by the page."""
        if not keyboard.press_by_enter(event):
            super().keyPressEvent(event)

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._may_close:
            super().closeEvent(event)
            return
        event.ignore()
        title = self.tasks.keeping()
        if not title and not self.messages.unsaved:
            self.finish()
        elif self.question is None:
            self.question = stop_question(self, title, self._answered) if title else lose_question(self, self._answered)
            self.question.open()

    def _answered(self, stop: bool) -> None:
        if self.question is not None:
            self.question.deleteLater()
            self.question = None
        if stop:
            self.finish()

    def finish(self) -> None:
        """Stop running tasks, close the workspace, then the window; does not block the GUI thread."""
        self.pages.stop_making()
        self.tour.drop()
        preferences().setValue(_GEOMETRY, self.saveGeometry())
        self._everything.setEnabled(False)
        self.session.close(self._end)

    def _open_for_locking(self) -> Opened | None:
        """What is open and worth locking: the sample is made up, and has no passphrase."""
        opened = self.session.current
        return None if opened is None or opened.sample else opened

    def _end(self) -> None:
        self.locking.end()
        self._may_close = True
        self.close()


def _open(dialog: Any) -> None:
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    dialog.open()
