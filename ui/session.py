"""The open department and its replacement: requested by the window, done in the worker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from ui import operations
from ui.preferences import names_key_of, remember_names_key
from ui.records import Opened
from ui.tasks import Failure, Tasks, Work
from ui.words import say

if TYPE_CHECKING:
    from radcal.department import Department
    from radcal.reports.importing import ReportFile
    from radcal.system.progress import Progress

Failed = Callable[[Failure], None]
Names = Callable[[Opened, Path, "Progress"], Opened]

OPEN, WARM_UP, KEEP, NAMES = "open", "warm up", "keep", "names key"


class Session(QObject):
    """Holds the open department, None before the first is opened.

    opened: an Opened, after opening, creating or importing;  stopped: the user stopped that, and no new analysis
    not_opened: nothing was, whether that failed or was stopped
    closed: the department was closed to have a backup put in its place, and could not be opened again
    """

    closed = Signal()
    opened = Signal(object)
    stopped = Signal()
    not_opened = Signal()

    def __init__(self, tasks: Tasks, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._given_up: Department | None = None
        """What the worker closed to have a backup put in its place."""
        self.current: Opened | None = None

    def warm_up(self, done: Callable[[object], None]) -> None:
        """Import in the background what the first picture needs, then call ``done``."""
        self._tasks.start(WARM_UP, operations.warm_up, done=done, failed=done)

    def open_sample(self, failed: Failed) -> None:
        """Open the shipped sample."""
        self._open(operations.open_sample, say("Opening the sample"), failed)

    def open_workspace(self, path: Path, passphrase: str, failed: Failed, *, read_only: bool = False) -> None:
        """Open a workspace file; what a stopped run left undone in it is done."""
        work = partial(operations.open_workspace, path, passphrase, read_only, names_key=names_key_of(path))
        self._open(work, say("Opening {name}", name=path.stem), failed)

    def create(
        self, path: Path, passphrase: str, failed: Failed, names_key: Path | None = None, study: Path | None = None
    ) -> None:
        """Make an empty workspace and open it; ``names_key`` is the file for its names, None for the workspace.

        study: its study file, None for chest X-ray and CT
        """
        work = partial(operations.create_workspace, path, passphrase, names_key, study)
        self._open(work, say("Making {name}", name=path.stem), failed, keeps=True)

    def import_files(self, files: Sequence[ReportFile], failed: Failed) -> None:
        """Import report files into the open department."""
        if self.current is not None:
            work = partial(operations.import_files, self.current.department, tuple(files))
            self._open(work, say("Importing reports"), failed, keeps=True, changes=self.current, n_files=len(files))

    def change_names(
        self,
        file: Path,
        done: Callable[[], None],
        failed: Failed,
        how: Names = operations.choose_names_key,
        stopped: Callable[[], None] | None = None,
    ) -> None:
        """Look for the names of radiologists in a file from now on, or move them there, as ``how`` does."""
        if self.current is not None:
            self._tasks.start(
                NAMES,
                partial(how, self.current, file),
                done=partial(self._renamed, done),
                failed=failed,
                stopped=stopped,
                title=say("Radiologists\u2019 names"),
                keeps=True,
            )

    def _renamed(self, done: Callable[[], None], opened: Opened) -> None:
        if self.current is not None and self.current.department is opened.department:
            self._opened(opened)
            done()

    def reload(self, title: str, failed: Failed, stopped: Callable[[], None] | None = None) -> None:
        """Analyse the open department again, because something that its results depend on has changed."""
        if self.current is not None:
            work = partial(operations.reload, self.current)
            self._open(work, title or say("Analysing"), failed, stopped, keeps=True, changes=self.current)

    def restore(self, path: Path, backup: Path, passphrase: str, failed: Failed) -> None:
        """Put a backup in a workspace's place and open it; where the workspace is open, it is closed first."""
        current = self.current
        ours = current is not None and current.path.absolute() == path.absolute()

        def close() -> None:
            if ours and current is not None:
                self._given_up = current.department
                current.department.close()

        work = partial(operations.restore, path, backup, passphrase, close, names_key=names_key_of(path))
        self._open(work, say("Restoring {name}", name=path.stem), failed, keeps=True)

    def close(self, then: Callable[[], None]) -> None:
        """Stop what is under way, close the department, and call ``then``."""
        department = self.current.department if self.current else None
        self.current = None
        self._tasks.shut_down(department.close if department else None, then)

    def abandon(self) -> None:
        """Close the department at program exit, whatever the window is doing."""
        department, self.current = self.current.department if self.current else None, None
        self._tasks.abandon(department.close if department else None)

    def _open(
        self,
        work: Work,
        title: str,
        failed: Failed,
        stopped: Callable[[], None] | None = None,
        *,
        keeps: bool = False,
        changes: Opened | None = None,
        n_files: int = 0,
    ) -> None:
        """Start what replaces the open department, or ``changes`` it, by importing ``n_files``."""
        self._tasks.forget(KEEP)  # it gives way, and begins anew when this is done
        again = None if changes is None else partial(operations.as_stored, changes, n_files)
        self._tasks.start(
            OPEN,
            work,
            title=title,
            done=self._opened,
            failed=partial(self._not_opened, again, failed),
            stopped=partial(self._not_opened, again, stopped or self.stopped.emit),
            discard=self._discard,
            keeps=keeps,
            alone=True,
        )

    def _opened(self, opened: Opened) -> None:
        before, self.current = self.current, opened
        if opened.names_key is not None:
            remember_names_key(opened.path, opened.names_key)
        if before is not None and before.department is not opened.department:
            self._tasks.tidy(before.department.close)
        self.opened.emit(opened)

    def _not_opened(self, again: Work | None, tell: Callable[..., None], *what: object) -> None:
        """Nothing was opened; if a restore, this one or an earlier one, closed the workspace, none is open.

        again: looks what is stored of the department that was worked on, which is then shown
        """
        if self.current is not None and self.current.department is self._given_up:
            self.current = None
            self.closed.emit()
        if again is None or self.current is None:
            self._tell(tell, *what)
            return
        told = partial(self._tell, tell, *what)

        def seen(opened: Opened) -> None:
            if self.current is not None and self.current.department is opened.department:
                self._opened(opened)
            told()

        self._tasks.start(OPEN, again, done=seen, failed=lambda _: told(), stopped=told)

    def _tell(self, tell: Callable[..., None], *what: object) -> None:
        self.not_opened.emit()
        tell(*what)

    def _discard(self, opened: Opened) -> None:
        """In the worker: close a department that nobody waits for any more."""
        if self.current is None or self.current.department is not opened.department:
            opened.department.close()
