"""Verifying an audit log: within itself, and against the backups that know how it once was.

A backup, or a file put aside by a restore, has the log as it was then, and tells the first entry that no longer fits.
A restore makes a log go on from an older state: its entry names the head of the log that it took the place of, so that
a backup of the replaced line is told apart from a changed log.  Whoever has the passphrase could make such an entry up:
it excuses nothing unless a file at hand is the backup that was restored, or tells that this backup was made.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text
from radcal.workspace.copies import BACKED_UP, RESTORED, TOOK_PLACE, UP_TO_DATE
from radcal.workspace.database import Database
from radcal.workspace.errors import WorkspaceError
from radcal.workspace.log_chain import Chain, guards, origin
from radcal.workspace.log_records import Fit, LogEntry, LogHead, LogVerified, LogWitness
from radcal.workspace.pages import Key
from radcal.workspace.store import Workspace


@dataclass(frozen=True, slots=True)
class Known:
    """A copy of a workspace, with the head of the log in it.

    identity: of which workspace it is a copy, as :attr:`Workspace.identity` says
    expected: whether it is said to be of this log, so that a log of another name speaks against it
    """

    file: Path
    key: Key
    head: LogHead
    identity: str
    expected: bool = False

    @contextmanager
    def entries(self) -> Iterator[Iterator[LogEntry]]:
        """Open the log in it."""
        with closing(Database(self.file, self.key, read_only=True)) as database:
            yield Workspace(database, None).entries()


@dataclass(frozen=True, slots=True)
class _Restore:
    """A restore: from ``entry`` on the log goes on in place of another.

    since: the last entry of the backup that was restored
    until: the last entry of the log that was replaced, 0 if there was none or it could not be read
    """

    entry: int
    since: int
    until: int
    at: str

    def explains(self, first: int, last: int) -> bool:
        """Whether a copy of the replaced log may differ from its entry ``first`` on, and go on to ``last``."""
        return self.since < first and (not self.until or last <= self.until)


def known_by(path: Path, keys: Sequence[Key | str]) -> Known:
    """What a backup knows of the log; the keys are tried in order.

    Raises:
        WorkspaceError: it cannot be opened; the class says why.
    """
    for number, key in enumerate(keys, 1):
        try:
            with closing(Database(path, key, read_only=True)) as database:
                workspace = Workspace(database, None)
                workspace.schema()
                return Known(path, database.key, workspace.log_head(), workspace.identity)
        except WorkspaceError:
            if number == len(keys):
                raise
    raise ValueError("no key")


def verify(workspace: Workspace, backups: Sequence[Known], progress: Progress = SILENT) -> LogVerified:
    """Verify the log of an open workspace, in steps between which others may use it.

    Args:
        backups: what is known of it elsewhere.
    """
    chain = Chain(workspace.log_name)
    own = [known for known in backups if known.head.log == chain.log]
    wanted = {known.head.entry for known in own}
    present: dict[int, bytes] = {0: origin(chain.log)}
    restores: list[_Restore] = []
    since = 0
    progress.start(workspace.entries_made(), Text("Verifying the audit log"))
    for entry in chain.follow(workspace.entries()):
        if entry.entry in wanted:
            present[entry.entry] = entry.hash
        if entry.what.startswith(TOOK_PLACE):
            restores.append(_Restore(entry.entry, since, _count(entry, "entry") or 0, entry.at))
        elif entry.what == RESTORED and not (restores and restores[-1].entry == entry.entry - 1):
            restores.append(_Restore(entry.entry, since, 0, entry.at))
        if entry.what != UP_TO_DATE:  # which the backup of an older RadCal is brought before it takes a place
            since = entry.entry
        progress.advance()
        progress.raise_if_cancelled()
    chain.end(workspace.entries_made())
    faults = [*chain.faults, *_unguarded(workspace)]
    if not workspace.has_log:
        faults = [Text("The file has no table of the log any more: it was removed, or has another name.")]
    check = _Against(workspace, chain, present, restores, own)
    witnesses = tuple(check.look_at(known) for known in backups)
    fitting = [w.entry for w in witnesses if w.fit is Fit.FITS and (chain.first is None or w.entry < chain.first)]
    return LogVerified(
        entries=chain.entries,
        head=LogHead(chain.log, chain.last, chain.head),
        faults=tuple(faults),
        remarks=tuple(_remarks(chain, restores)),
        witnesses=witnesses,
        first=chain.first if workspace.has_log else 1,
        vouched=max(fitting, default=0),
    )


def _count(entry: LogEntry, name: str) -> int | None:
    """A count of an entry; None if it has none, as one of another tool's making."""
    try:
        return int(json.loads(entry.counts)[name])
    except (ValueError, KeyError, TypeError):
        return None


def _unguarded(workspace: Workspace) -> Iterator[Text]:
    """A fault if the file's rules for its log are not those that RadCal made."""
    made = workspace.triggers("audit")
    known = guards()
    if any(made.get(name) != sql for name, sql in known.items()):
        yield Text("The rules by which the file refuses changes to its log were taken out or changed.")
    if made.keys() - known.keys():
        yield Text("The file has rules of another tool for its log, which may swallow or change entries.")


def _remarks(chain: Chain, restores: Sequence[_Restore]) -> Iterator[Text]:
    for back in restores:
        said = Text("Entry {n}: a backup was restored on {day}, and the log goes on from it.")
        if back.until:
            said = Text(
                "Entry {n}: a backup was restored on {day}. The log goes on from it, in place of one of {until:,} "
                "entries."
            )
        yield said.with_values(n=back.entry, day=back.at[:10], until=back.until)
    if chain.set_back:
        yield Text(
            "Entry {first} says an earlier time than the one before it: the clock was set back.",
            many="{n} entries, the first of them number {first}, say an earlier time than the one before: the clock "
            "was set back.",
            n=len(chain.set_back),
            first=chain.set_back[0],
        )


@dataclass(frozen=True, slots=True)
class _Against:
    """Compares a log, whose entries have been read, with copies of it.

    present: hashes of its entries up to which copies know it
    own: the copies that are of this log
    """

    workspace: Workspace
    chain: Chain
    present: dict[int, bytes]
    restores: Sequence[_Restore]
    own: Sequence[Known]

    def look_at(self, known: Known) -> LogWitness:
        """How the log goes with one copy."""
        file, n = known.file, known.head.entry
        if known.head.log != self.chain.log:
            return self._of_another_name(known)
        sound = self.chain.first is None or self.chain.first > n
        first = None if sound and self.present.get(n) == known.head.hash else self._first_difference(known)
        if first is None:
            said = Text("The log fits {file}, which knows it up to entry {n:,}.", file=file.name, n=n)
            if not sound:
                said = Text(
                    "The log fits {file}, which knows it up to entry {n:,}; that copy has the same faults.",
                    file=file.name,
                    n=n,
                )
            return LogWitness(file, Fit.FITS, said, n)
        back = next((back for back in reversed(self.restores) if back.explains(first, n)), None)
        if back is not None:
            return self._replaced(known, back)
        if first > self.chain.last:
            said = Text(
                "{file} knows the log up to entry {n:,}: everything from entry {first:,} on is missing.",
                file=file.name,
                n=n,
                first=first,
            )
            return LogWitness(file, Fit.MISSING, said, n, first)
        said = Text(
            "Entry {first:,} is the first that is no longer as in {file}, which knows the log up to entry {n:,}.",
            first=first,
            file=file.name,
            n=n,
        )
        return LogWitness(file, Fit.CHANGED, said, n, first)

    def _first_difference(self, known: Known) -> int | None:
        """The first entry of a copy that the log has otherwise or not at all, None if it has all of them."""
        with known.entries() as copy:
            mine = self.workspace.entries()
            for their in copy:
                own = next(mine, None)
                if own != their:
                    return their.entry if own is None else min(own.entry, their.entry)
        return None

    def _of_another_name(self, known: Known) -> LogWitness:
        """A copy of the same workspace, or what should know the same log, must not know one of another name."""
        file, n = known.file, known.head.entry
        if known.identity == self.workspace.identity:
            said = Text(
                "{file} is a copy of this workspace, but its log has another name: the log was rewritten under a new "
                "one.",
                file=file.name,
            )
            return LogWitness(file, Fit.CHANGED, said, n, 1)
        if known.expected:
            said = Text(
                "{file} knows a log of another name: this one was rewritten under a new name, or the file is of "
                "another workspace.",
                file=file.name,
            )
            return LogWitness(file, Fit.RENAMED, said, n, 1)
        return LogWitness(file, Fit.OF_ANOTHER, Text("{file} belongs to the log of another workspace.", file=file), n)

    def _replaced(self, known: Known, back: _Restore) -> LogWitness:
        """Of a line that a restore replaced, if a copy at hand bears the restore out."""
        if self._is_attested(back):
            said = Text(
                "{file} is from after the backup that was restored (entry {n:,}), so it knows the log that was "
                "replaced then.",
                file=known.file.name,
                n=back.entry,
            )
            return LogWitness(known.file, Fit.REPLACED, said, known.head.entry)
        said = Text(
            "{file} knows entries from {first:,} on that the log does not have. The log says that a backup was "
            "restored (entry {n:,}), but no file at hand is that backup or tells of it: give that backup as well.",
            file=known.file.name,
            first=back.since + 1,
            n=back.entry,
        )
        return LogWitness(known.file, Fit.UNATTESTED, said, known.head.entry, back.since + 1)

    def _is_attested(self, back: _Restore) -> bool:
        """Whether a copy at hand is the backup that was restored, or has the entry that it was made."""
        for copy in self.own:
            if copy.head.entry == back.since and self.present.get(back.since) == copy.head.hash:
                return True
            with copy.entries() as entries:
                if any(e.what == BACKED_UP and _count(e, "up_to_entry") == back.since for e in entries):
                    return True
        return False
