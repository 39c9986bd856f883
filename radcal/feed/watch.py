"""Takes in what a department is sent: files dropped into a folder, and messages that were received.

One pass opens the workspace, imports what waits, moves or removes it, and goes on as ``radcal run`` does (pair, read,
analyse, and make a backup if one is due).  It may be killed anywhere: what was imported is known by its fingerprint and
only moved by the next pass, and the later steps go on where they were.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.chain import import_files, run_chain
from radcal.feed.inbox import Inbox
from radcal.feed.spool import Spool, make_key, spool_folder, waiting
from radcal.feed.status import Failed, keep
from radcal.reports.importing import ReportFile
from radcal.reports.readers import told_of
from radcal.system import faults, inputs
from radcal.system.errors import Cancelled, DataError, InputError, RadcalError, reason_of
from radcal.system.progress import Progress
from radcal.system.text import Text
from radcal.workspace.errors import WorkspaceBusy, WorkspaceError, WorkspaceInUse
from radcal.workspace.names import NoNames

if TYPE_CHECKING:
    from radcal.department import Department
    from radcal.reports.records import Import

LOOK_SECONDS = 1.0
"""Seconds between two looks at what waits."""
RETRY_SECONDS = 60.0
"""Seconds until what could not be done, as the disk was full or a server did not answer, is tried again."""
_MOST_NOTES = 500
"""That are kept of all passes, the latest; the log has them all."""
_NOT_OF_FILES = (WorkspaceError, NoNames, OSError, MemoryError)
"""What is no file's fault, nor is what was raised from it: of files that cannot be read, the import tells itself."""
_FEED, _BATCH = "feed", "messages"
_FAULT = Text(
    "RadCal failed over this, which is a fault of RadCal. `radcal faults` says where; report that, and import the "
    "reports from another file."
)


@dataclass
class Told:
    """What a feed did.

    files, messages: taken in;  failed: what could not be read
    counts: reports "new" and "changed", rows "rejected" and, these among them, "left_out", and the "total" of reports
        in the workspace
    notes: what else the user is to know, in sentences
    """

    files: int = 0
    messages: int = 0
    failed: list[Failed] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)

    def add(self, other: Told) -> None:
        """Add what a later pass did."""
        self.files += other.files
        self.messages += other.messages
        self.failed += other.failed
        self.counts = self.counts + other.counts
        self.counts["total"] = other.counts["total"]
        self.notes = [*dict.fromkeys([*self.notes, *other.notes])][-_MOST_NOTES:]

    @property
    def sentence(self) -> Text:
        """In one line."""
        return Text(
            "Taken in: {files:,} files, {messages:,} messages; not readable: {failed:,}. Reports: {new:,} new, "
            "{changed:,} changed, {total:,} in all; rows left out: {rejected:,}.",
            files=self.files,
            messages=self.messages,
            failed=len(self.failed),
            new=self.counts["new"],
            changed=self.counts["changed"],
            total=self.counts["total"],
            rejected=self.counts["left_out"],
        )


@dataclass
class Feed:
    """The feed of one workspace.

    workspace: its file, links resolved;  opened: opens it for writing
    inbox: the folder that files are dropped into, None for messages alone
    way: how a file is read: a ReportFile of its path
    tell: is told in sentences what happens
    stays: what fails in the first pass is told and tried again, too
    """

    workspace: Path
    opened: Callable[[], Department]
    tell: Callable[[str], None]
    inbox: Inbox | None = None
    way: Callable[[Path], ReportFile] = ReportFile
    stays: bool = False

    def run(self, progress: Progress, *, once: bool = False) -> Told:
        """Take in what waits, again and again, until ``progress`` is cancelled, which ends it between two passes.

        While another program has the workspace, what comes waits; that is said once.

        Args:
            once: only what waits now, files once their time of settling is over.

        Raises:
            InputError, EngineError: of the first pass; what fails in later ones is told, and tried again.
        """
        told, said, first = Told(), False, True
        rest = 0.0
        if self.inbox is not None:
            self.inbox.whole()  # the time of settling begins
            rest = self.inbox.settle if once else 0.0
        while _sleeps(rest, progress):
            rest, began = LOOK_SECONDS, time.monotonic()
            try:
                files = self.inbox.whole() if self.inbox is not None else ()
                if not (first or files or waiting(self.workspace)):
                    continue
                done = self._pass(files)
            except (WorkspaceInUse, WorkspaceBusy):
                if not said:
                    self.tell(Text("Another program has the workspace; what comes waits until then."))
                said = True
                continue
            except (RadcalError, OSError) as error:
                if once or (first and not self.stays):
                    raise
                self.tell(str(error) if isinstance(error, RadcalError) else reason_of(error))
                rest = RETRY_SECONDS
                continue
            why = (f.reason if f.file in f.reason else f"{f.file}: {f.reason}" for f in done.failed)
            for line in (done.sentence, *why, *dict.fromkeys(done.notes)):
                self.tell(line)
            told.add(done)
            said = first = False
            if once:
                break
            rest = max(rest, time.monotonic() - began)  # so that others get to open it
        return told

    def _pass(self, files: Sequence[Path]) -> Told:
        """Take in these files and the messages that wait, and go on with the later steps."""
        told = Told()
        with self.opened() as department:
            if department.names.kept_apart:
                department.names.required()  # without which no file can be read, whatever is in it
            if self.inbox is not None:
                self._take_files(department, self.inbox, files, told)
            self._take_messages(department, told)
            try:
                told.notes += filter(None, [run_chain(department).reason])
            except DataError as error:  # nothing was imported yet
                told.notes.append(str(error))
            try:
                department.backups.back_up_if_due()
            except InputError as error:
                told.notes.append(Text("No backup was made. {error}", error=error))
            told.counts["total"] = department.workspace.count_reports()
        return told

    def _take_files(self, department: Department, inbox: Inbox, files: Sequence[Path], told: Told) -> None:
        failed: dict[Path, str] = {path: why for path in files if (why := inbox.refused(path))}

        def imported(paths: Sequence[Path]) -> Import:
            return import_files(department, [self.way(path) for path in paths], leave_out=True)

        for paths, made in _each_apart([path for path in files if path not in failed], imported):
            if isinstance(made, str):
                failed[paths[0]] = made
                continue
            _count(department, inbox.folder, told)
            told.notes += made.notes
            unread = {file.file: file.reason for file in (*made.unread, *made.empty)}
            failed |= {path: unread[path.name] for path in paths if path.name in unread}
        for path in filter(inbox.is_unchanged, files):
            if path not in failed:
                told.notes += filter(None, [inbox.done(path)])
                told.files += 1
                continue
            place = inbox.place_of_failed(path)
            told.failed.append(Failed(place.name, failed[path]))
            keep(department, inbox.folder, failed=told.failed[-1:])
            told.notes += filter(None, [inbox.failed(path, place, failed[path], department.exports)])

    def _take_messages(self, department: Department, told: Told) -> None:
        """Import the messages that wait.

        Which are imported together is stored before, and that they were, after: a pass that was killed between is
        repeated with the same, whose fingerprint is known then.
        """
        workspace = department.workspace
        begun = workspace.load_result(_FEED, _BATCH)
        came = waiting(self.workspace)  # not what comes meanwhile, which need not ever end
        spool = Spool(self.workspace, make_key(workspace)) if came or begun else None
        while spool is not None and (begun or (left := [path for path in came if path.exists()])):
            batch = begun or {"names": [path.name for path in spool.batch(left)], "done": False}
            paths = [path for name in batch["names"] if (path := spool_folder(self.workspace) / name).exists()]
            if paths and not batch["done"]:
                workspace.save_result(_FEED, _BATCH, batch, {})
                paths = self._import_messages(department, spool, paths, told)
                workspace.save_result(_FEED, _BATCH, batch | {"done": True}, {})
            spool.remove(paths)
            workspace.delete_result(_FEED, _BATCH)
            begun = None

    def _import_messages(self, department: Department, spool: Spool, paths: Sequence[Path], told: Told) -> list[Path]:
        """Import messages as one file, which is in memory alone; returns those that could be, and puts others aside."""
        damaged = Text("A message is damaged, or was stored for another workspace. Have it sent again.")
        failed: dict[Path, str] = {path: damaged for path in paths if not spool.is_sound(path)}
        name = f"Messages {datetime.now().astimezone():%Y-%m-%d %H.%M.%S}.hl7"

        def imported(some: Sequence[Path]) -> Import:
            with inputs.holding(file := spool_folder(self.workspace) / name, spool.content(some)):
                return import_files(department, [ReportFile(file)])

        for some, made in _each_apart([path for path in paths if path not in failed], imported):
            if isinstance(made, str):
                failed[some[0]] = made
            else:
                _count(department, None, told)
                told.notes += made.notes
        for path in failed:
            if control := spool.control_id(path):
                failed[path] = Text("{reason} Its control ID is {control}.", reason=failed[path], control=control)
        lost = [Failed(path.name, reason) for path, reason in failed.items()]
        keep(department, None, failed=lost)
        spool.put_aside(failed)
        told.failed += lost
        kept = [path for path in paths if path not in failed]
        told.messages += len(kept)
        return kept


def _count(department: Department, folder: Path | None, told: Told) -> None:
    """Count what the last import brought, unless that was counted before it was stopped."""
    for past in keep(department, folder, came=department.importing.asked_for()):
        left_out = max(past.rejected, sum(past.left_out.values()))
        told.counts.update(new=past.new, changed=past.changed, rejected=past.rejected, left_out=left_out)
        told.notes += (*past.notes, *told_of(past.left_out))


def _each_apart(
    paths: Sequence[Path], imported: Callable[[Sequence[Path]], Import]
) -> Iterator[tuple[Sequence[Path], Import | str]]:
    """What is imported together, all if possible, and what came of it; of one that cannot be imported, why.

    Where some of them cannot be imported together, each half is tried alone, so that one keeps no other from it.

    Raises:
        RadcalError, OSError, MemoryError: it is not for the files that they cannot be imported.
    """
    if not paths:
        return
    try:
        made: Import | str = imported(paths)
    except Exception as error:
        if any(isinstance(each, _NOT_OF_FILES) for each in _with_causes(error)):
            raise
        if len(paths) > 1:
            middle = len(paths) // 2
            yield from _each_apart(paths[:middle], imported)
            yield from _each_apart(paths[middle:], imported)
            return
        if not isinstance(error, RadcalError):
            faults.record(error, "radcal watch")
        made = str(error) if isinstance(error, RadcalError) else _FAULT
    yield paths, made


def _with_causes(error: BaseException | None) -> Iterator[BaseException]:
    """An error, and what it was raised from."""
    while error is not None:
        yield error
        error = error.__cause__


def _sleeps(seconds: float, progress: Progress) -> bool:
    """Wait; False as soon as the user wants to stop."""
    ends = time.monotonic() + seconds
    try:
        progress.raise_if_cancelled()
        while (left := ends - time.monotonic()) > 0:
            time.sleep(min(left, 0.2))
            progress.raise_if_cancelled()
    except Cancelled:
        return False
    return True
