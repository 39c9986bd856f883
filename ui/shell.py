"""Services of the window for pages: open department, background work, navigation, files, undo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QObject, QTimer, QUrl, Signal, Slot
from PySide6.QtGui import QDesktopServices, QUndoGroup, QUndoStack
from PySide6.QtWidgets import QWidget

from radcal.system.exports import Exports
from radcal.system.files import file_name as safe_name
from ui.kit.files import ask_open, ask_save
from ui.kit.undoing import Edit
from ui.widgets.messages import Message, MessageBar
from ui.words import say, typographic

if TYPE_CHECKING:
    from radcal.department import Department
    from radcal.system.exports import Export
    from radcal.system.progress import Progress
    from radcal.system.selection import Selection
    from ui.records import Opened
    from ui.session import Session
    from ui.tasks import Failure, Tasks

T = TypeVar("T")
USE = "extraction run"
_AT_LEISURE_MS = 500
"""By then a page that was opened together with the work has been painted."""


class Shell(QObject):
    """The services of the window; pages know this and not the window itself.

    opened_changed: Opened or None, after opening, importing, analysing anew
    selection_changed: Selection or None
    served_changed: the server that reads reports, '' for none
    go_wanted, explain_wanted, choose_wanted, tour_wanted: for the window, which knows the pages
    """

    opened_changed = Signal(object)
    selection_changed = Signal(object)
    served_changed = Signal(object)
    go_wanted = Signal(object, object)
    explain_wanted = Signal(object)
    choose_wanted = Signal(object)
    tour_wanted = Signal()

    def __init__(self, tasks: Tasks, session: Session, messages: MessageBar, window: QWidget | None = None) -> None:
        super().__init__(window)
        self.tasks = tasks
        self.session = session
        self.messages = messages
        self.undo = QUndoGroup(self)
        self.selection: Selection | None = None
        self.served = ""
        """The server to which the engine in the settings sends reports, '' if they stay on this computer."""
        self._window = window
        self._copies = 0
        session.opened.connect(self._opened)
        session.closed.connect(partial(self._opened, None))

    # --- the department ----------------------------------------------------------------------------

    @property
    def opened(self) -> Opened | None:
        """The open department with its results, None while none is open."""
        return self.session.current

    @Slot(object)
    def _opened(self, opened: Opened | None) -> None:
        self.set_served("" if opened is None else opened.served)
        self.opened_changed.emit(opened)

    def run(
        self,
        operation: str,
        work: Callable[[Department, Progress], T],
        done: Callable[[T], None],
        *,
        title: str = "",
        failed: Callable[[Failure], None] | None = None,
        stopped: Callable[[], None] | None = None,
        keeps: bool = False,
        shares: bool = False,
        long: bool = False,
        at_leisure: bool = False,
        discard: Callable[[Any], None] | None = None,
    ) -> None:
        """Run ``work(department, progress)`` in the worker, ``done(result)`` in the GUI thread.

        A newer run of the same ``operation`` cancels and disconnects the older.  Without ``failed``, a failure
        is shown in the message bar with a button that tries again, and without ``stopped`` what cancelling it
        means.  Nothing happens while no department is open.

        title: shown in the status bar; '' for work too short to be shown
        keeps: it writes, so that closing asks first
        shares: work that lets other operations run between its parts, and can be paused
        long: it may take minutes, so that others run beside it; other long work waits for it
        at_leisure: nobody waits for it: it begins when the window has been painted, if the department is still open
        """
        opened = self.opened
        if opened is None:
            return
        again = partial(
            self.run, operation, work, done,
            title=title, failed=failed, stopped=stopped, keeps=keeps, shares=shares, long=long, discard=discard,
        )  # fmt: skip
        if at_leisure:
            QTimer.singleShot(_AT_LEISURE_MS, self, lambda: again() if self.opened is opened else None)
            return
        self.tasks.start(
            operation,
            partial(work, opened.department),
            done=done,
            failed=failed or (lambda failure: self.messages.show_failure(Message.WORK_FAILED, failure, again)),
            title=title,
            stopped=stopped or (partial(self._tell_stopped, title, again) if title else None),
            discard=discard,
            keeps=keeps,
            shares=shares,
            guest=not (shares or long),
            long=long,
        )

    def _tell_stopped(self, what: str, again: Callable[[], None]) -> None:
        self.messages.show_message(Message.WORK_STOPPED, again, what=what)

    def reload(self, title: str = "") -> None:
        """Words, settings, engine or data have changed: analyse again in the background, then show it everywhere."""
        again = partial(self.reload, title)
        self.messages.clear(Message.NOT_RENEWED)
        self.session.reload(
            title,
            lambda failure: self.messages.show_failure(Message.WORK_FAILED, failure, again),
            partial(self.messages.show_message, Message.NOT_RENEWED, again),
        )

    # --- the names of radiologists, where they are kept apart --------------------------------------

    def tell_names_missing(self) -> None:
        """Say why names are not known, and offer to look for their file."""
        if self.opened is not None and self.opened.names_missing:
            what = typographic(self.opened.names_missing)
            self.messages.show_message(Message.NAMES_MISSING, self.ask_names_key, what=what)

    @Slot()
    def ask_names_key(self) -> None:
        """Ask for the file of the names."""
        if self._window is not None:
            kinds = [say("Names keys (*.names)"), say("All files (*)")]
            ask_open(self._window, say("Names of radiologists"), kinds, self.choose_names_key)

    @Slot(str)
    def choose_names_key(self, name: str) -> None:
        """Use this file of the names."""
        self.session.change_names(Path(name), self._names_found, self._names_not_found)

    def _names_found(self) -> None:
        self.messages.clear(Message.NAMES_MISSING)

    def _names_not_found(self, failure: Failure) -> None:
        self.messages.show_failure(Message.NAMES_MISSING, failure, self.ask_names_key)

    @Slot()
    def ask_names_copy(self) -> None:
        """Ask where to save a copy of the names key."""
        if self.opened is not None and self.opened.names_key is not None:
            suggested = say("{name} copy{ending}", name=self.opened.names_key.stem, ending=".names")
            kinds = [say("Names keys (*.names)")]
            ask_save(self._window, say("Save a copy of the names key"), suggested, kinds, self.copy_names)

    @Slot(str)
    def copy_names(self, name: str) -> None:
        """Save a copy of the names key."""
        path = Path(name)
        self.run(
            "copy names",
            lambda department, _: department.names.copy(path),
            lambda _: self.messages.show_message(Message.FILE_SAVED, partial(open_file, path.parent), file=path.name),
            failed=lambda failure: self.messages.show_failure(Message.FILE_FAILED, failure, self.ask_names_copy),
            keeps=True,
        )

    # --- the extraction run that results are made from ---------------------------------------------

    @Slot(object)
    def choose_run(self, run_id: int) -> None:
        """Make all results from this run: an edit of the page on show, which a message offers to take back."""
        opened = self.opened
        before = opened.shown_run if opened is not None else None
        if opened is None or opened.read_only or run_id == before:
            return
        text = say("make results from another reading")
        command = Edit(text, before, run_id, partial(self._use_run, opened.department))
        stack = self.undo.activeStack()
        if stack is None:
            command.redo()
        else:
            stack.push(command)
        if before is not None:
            self.messages.show_message(Message.READING_CHOSEN, partial(self.choose_run, before))

    def _use_run(self, department: Department, run_id: int | None) -> None:
        """Has no effect once another department is open."""
        if self.opened is not None and self.opened.department is department:
            self.run(USE, partial(use_run, run_id=run_id), self._run_used, keeps=True)

    @Slot(object)
    def _run_used(self, _nothing: None) -> None:
        self.reload(say("Making results from another run"))

    # --- the window --------------------------------------------------------------------------------

    def go(self, stage: str, **where: Any) -> None:
        """Open a page; ``where`` is passed to its ``arrive``."""
        self.go_wanted.emit(stage, where)

    def explain(self, section: str) -> None:
        """Turn to a section of the help."""
        self.explain_wanted.emit(section)

    def choose(self, selection: Selection) -> None:
        """Set the selector bar, and with it all analysis pages."""
        self.choose_wanted.emit(selection)

    def set_selection(self, selection: Selection | None) -> None:
        """The selection changed."""
        if selection != self.selection:
            self.selection = selection
            self.selection_changed.emit(selection)

    def set_served(self, host: str) -> None:
        """The engine in the settings sends reports to this server from now on; '' if they stay on this computer."""
        if host != self.served:
            self.served = host
            self.served_changed.emit(host)

    def undo_stack(self, parent: QObject) -> QUndoStack:
        """A stack for a page's edits; the window's undo and redo act on the stack of the page on show."""
        stack = QUndoStack(parent)
        self.undo.addStack(stack)
        return stack

    # --- files -------------------------------------------------------------------------------------

    def save_file(self, title: str, file_name: str, kinds: Sequence[str], make: Callable[[str], Export]) -> None:
        """Ask where to and write a file there, whole or not at all; both outcomes are told in the message bar.

        file_name: suggested, with its ending;  kinds: as file dialogs list them, 'CSV (*.csv)'
        make: what to write, by the ending that the user chose, '.csv'; called in the GUI thread
        """
        ask_save(self._window, title, safe_name(file_name), kinds, partial(self.write_file, make=make))

    def write_file(self, name: str, make: Callable[[str], Export]) -> None:
        """Write the file in the worker, and enter it in the audit log of the department, if one is open."""
        path = Path(name)
        title = say("Writing {file}", file=path.name)
        again = partial(self.write_file, name, make)
        export = make(path.suffix.lower())
        exports = Exports() if self.opened is None else self.opened.department.exports
        self.tasks.start(
            f"write {path}",
            lambda _progress: exports.write(path, export),
            done=self._file_written,
            failed=partial(self._file_not_written, again),
            stopped=partial(self._tell_stopped, title, again),
            title=title,
            keeps=True,
            guest=True,
        )

    def copied(self, what: str, **counts: int) -> None:
        """Enter in the audit log of the department, if one is open, what was copied to the clipboard."""
        self._copies += 1
        self.run(
            f"copied {self._copies}",
            lambda department, _progress: department.exports.copied(what, **counts),
            lambda _: None,
            failed=lambda _: None,
        )

    def _file_written(self, path: Path) -> None:
        self.messages.show_message(Message.FILE_SAVED, partial(open_file, path), file=path.name)

    def _file_not_written(self, again: Callable[[], None], failure: Failure) -> None:
        self.messages.show_failure(Message.FILE_FAILED, failure, again)


def open_file(path: Path) -> None:
    """Show a file in the program that the system has for it."""
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(path)))


def open_link(link: str) -> bool:
    """Open a link in the program that the system has for its scheme; whether it has one."""
    return QDesktopServices.openUrl(QUrl(link, QUrl.ParsingMode.StrictMode))


def use_run(department: Department, _progress: Progress, *, run_id: int | None) -> None:
    """Have results made from a run; None, or the run of the settings' engine, for that engine's, whichever it is."""
    followed = any(run.run_id == run_id and run.chosen for run in department.runs.all())
    department.runs.use(None if followed else run_id)
