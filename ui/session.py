"""The open department and the operations on it: what the window asks for, and the records that come back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from ui import operations
from ui.operations import LoadWorkflow
from ui.records import Opened, PlanOfImport
from ui.tasks import Failure, Tasks, Work
from ui.words import translate

if TYPE_CHECKING:
    from radcal.records import Backup, Contents, Days, Sheet
    from radcal.workflow.imports.preview import Preview
    from ui.facade import Department

Failed = Callable[[Failure], None]

OPEN, SAVE, WARM_UP, LOOK, THERE, KEEP = "open", "save", "warm up", "look", "there", "keep"
BACKUPS, LOOK_INTO = "backups", "look into a backup"


class Session(QObject):
    """Holds the open department, None before the first is opened.

    opened: an Opened, after opening, creating or importing;  saved: a Path
    stopped: the name of the operation that the user stopped
    closed: the department was closed to have a backup put in its place, and could not be opened again
    """

    closed = Signal()
    opened = Signal(object)
    saved = Signal(object)
    stopped = Signal(object)

    def __init__(self, tasks: Tasks, load_workflow: LoadWorkflow, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._load = load_workflow
        self._looks: set[str] = set()
        self._given_up: Department | None = None
        """What the worker closed to have a backup put in its place."""
        self.current: Opened | None = None

    def warm_up(self) -> None:
        """Import in the background what the first picture needs."""
        self._tasks.start(WARM_UP, operations.warm_up, done=lambda _: None, failed=lambda _: None)

    def open_sample(self, failed: Failed) -> None:
        """Open the shipped sample."""
        self._open(partial(operations.open_sample, self._load), translate("session", "Opening the sample"), failed)

    def open_workspace(self, path: Path, passphrase: str, failed: Failed, *, read_only: bool = False) -> None:
        """Open a workspace file; what a stopped run left undone in it is done."""
        work = partial(operations.open_workspace, self._load, path, passphrase, read_only)
        self._open(work, translate("session", "Opening {name}").format(name=path.stem), failed)

    def create(self, plan: PlanOfImport, failed: Failed) -> None:
        """Make a workspace from report files."""
        work = partial(operations.create_workspace, self._load, plan)
        self._open(work, translate("session", "Importing reports"), failed, keeps=True)

    def import_files(self, plan: PlanOfImport, failed: Failed) -> None:
        """Import further report files into the open department."""
        if self.current is not None:
            work = partial(operations.import_files, self.current.department, plan)
            self._open(work, translate("session", "Importing reports"), failed, keeps=True)

    def reload(self, title: str, failed: Failed) -> None:
        """Analyse the open department again, because something that its results depend on has changed."""
        if self.current is not None:
            work = partial(operations.reload, self.current)
            self._open(work, title or translate("session", "Analysing"), failed, keeps=True)

    def look(self, path: Path, done: Callable[[Preview], None], failed: Failed) -> None:
        """Look into a report file before it is imported."""
        operation = f"{LOOK} {path}"
        self._looks.add(operation)
        self._tasks.start(operation, partial(operations.look, self._load, path), done=done, failed=failed)

    def stop_looking(self) -> None:
        """Nobody waits for looks into files any more."""
        while self._looks:
            self._tasks.forget(self._looks.pop())

    def find_there(self, paths: Sequence[Path], done: Callable[[frozenset[Path]], None]) -> None:
        """Find out which of the files are there."""
        self._tasks.start(THERE, partial(operations.still_there, tuple(paths)), done=done, failed=lambda _: None)

    def find_backups(self, path: Path, folders: Sequence[Path], done: Callable[[list[Backup]], None]) -> None:
        """Find the files that hold an earlier state of a workspace."""
        work = partial(operations.find_backups, self._load, path, tuple(folders))
        self._tasks.start(BACKUPS, work, done=done, failed=lambda _: None)

    def look_into(self, backup: Path, passphrase: str, done: Callable[[Contents], None], failed: Failed) -> None:
        """Read a backup to its last page."""
        work = partial(operations.look_into, self._load, backup, passphrase)
        self._tasks.start(LOOK_INTO, work, done=done, failed=failed)

    def stop_looking_into(self) -> None:
        """Nobody waits for backups any more."""
        self._tasks.forget(BACKUPS)
        self._tasks.forget(LOOK_INTO)

    def restore(self, path: Path, backup: Path, passphrase: str, failed: Failed) -> None:
        """Put a backup in a workspace's place and open it; where the workspace is open, it is closed first."""
        current = self.current
        ours = current is not None and current.path.absolute() == path.absolute()

        def close() -> None:
            if ours and current is not None:
                self._given_up = current.department
                current.department.close()

        work = partial(operations.restore, self._load, path, backup, passphrase, close)
        self._open(work, translate("session", "Restoring {name}").format(name=path.stem), failed, keeps=True)

    def save_feedback(self, author: str, out: Path, days: Days, sheet: Sheet, failed: Failed) -> None:
        """Write an author's pages of these days as a PDF."""
        if self.current is not None:
            work = partial(operations.save_feedback, self.current.department, author, out, days, sheet)
            self._tasks.start(
                SAVE,
                work,
                title=translate("session", "Writing the page for {author}").format(author=author),
                done=self.saved.emit,
                failed=failed,
                stopped=partial(self.stopped.emit, SAVE),
                keeps=True,
            )

    def close(self, then: Callable[[], None]) -> None:
        """Stop what is under way, close the department, and call ``then``."""
        department = self.current.department if self.current else None
        self.current = None
        self._tasks.shut_down(department.close if department else None, then)

    def abandon(self) -> None:
        """Close the department because the program ends, whatever the window is doing."""
        department, self.current = self.current.department if self.current else None, None
        self._tasks.abandon(department.close if department else None)

    def _open(self, work: Work, title: str, failed: Failed, *, keeps: bool = False) -> None:
        self._tasks.forget(KEEP)  # it gives way, and begins anew when this is done
        self._tasks.start(
            OPEN,
            work,
            title=title,
            done=self._opened,
            failed=partial(self._not_opened, failed),
            stopped=partial(self._not_opened, self.stopped.emit, OPEN),
            discard=self._discard,
            keeps=keeps,
        )

    def _opened(self, opened: Opened) -> None:
        before, self.current = self.current, opened
        if before is not None and before.department is not opened.department:
            self._tasks.tidy(before.department.close)
        self.opened.emit(opened)

    def _not_opened(self, tell: Callable[..., None], *what: object) -> None:
        """Nothing took the place of what was open; if a backup was to, in this run or one before it, nothing is."""
        if self.current is not None and self.current.department is self._given_up:
            self.current = None
            self.closed.emit()
        tell(*what)

    def _discard(self, opened: Opened) -> None:
        """In the worker: close a department that nobody waits for any more."""
        if self.current is None or self.current.department is not opened.department:
            opened.department.close()
