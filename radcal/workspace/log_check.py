"""Verifying an audit log: within itself, and against whatever outside of it knows how it once was.

What is outside is a copy of the log (a backup, a file put aside by a restore, an audit file) or a head of it (a
receipt, a personal file).  A copy tells the first entry that no longer fits; a head only that one up to it does not.
A restore makes a log go on from an older state: its entry names the head of the log that it took the place of, so that
what is from the replaced line is told apart from a changed log.  Whoever has the passphrase could make such an entry
up: it excuses nothing unless a file outside is the backup that was restored, or tells that this backup was made.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from radcal.progress import SILENT, Progress
from radcal.records.log import Fit, LogEntry, LogHead, LogVerified, LogWitness
from radcal.text import Text
from radcal.workspace.copies import BACKED_UP, RESTORED, TOOK_PLACE, UP_TO_DATE
from radcal.workspace.database import Database
from radcal.workspace.errors import WorkspaceError
from radcal.workspace.log_chain import Chain, guards, link_of, origin
from radcal.workspace.pages import Key
from radcal.workspace.store import Workspace

HEAD_KEY = "audit log of the department"
"""In a file that was handed out: the head of the department's log, as :func:`head_text` writes it."""

Entries = Callable[[], AbstractContextManager[Iterator[LogEntry]]]


@dataclass(frozen=True, slots=True)
class Known:
    """What something outside of a log knows of it.

    entries: opens the copy of the log, None where only the head is known
    identity: of which workspace it is a copy, as :attr:`Workspace.identity` says; '' for what is no copy
    expected: whether it is said to be of this log, so that a log of another name speaks against it
    """

    file: Path
    head: LogHead
    entries: Entries | None = None
    identity: str = ""
    expected: bool = False


@dataclass(frozen=True, slots=True)
class _Replaced:
    """A restore: from ``entry`` on the log goes on in place of one that ended in ``hash`` at entry ``until``.

    These are 0 and b'' where that log could not be read, or there was none.

    since: the last entry of the backup that was restored
    """

    entry: int
    since: int
    until: int
    hash: bytes
    at: str

    def reaches(self, entry: int) -> bool:
        """Whether the replaced log may have had this entry, and the present one not."""
        return self.since < entry and (not self.until or entry <= self.until)


def head_text(head: LogHead) -> str:
    """A head in one line of plain text."""
    return f"{head.log} {head.entry} {head.hash.hex()}"


def head_from(text: str) -> LogHead:
    """The head of :func:`head_text`.

    Raises:
        ValueError: it is none.
    """
    log, entry, hashed = text.split()
    head = LogHead(log, int(entry), bytes.fromhex(hashed))
    if len(head.hash) != len(origin("")) or head.entry < 0 or len(log) != 32:
        raise ValueError(text)
    return head


def known_by(path: Path, keys: Sequence[Key | str], log: str) -> Known:
    """What a file that was made like a workspace knows of a log; the keys are tried in order.

    Args:
        log: the name of the log, which files of a RadCal without chains do not say.

    Raises:
        WorkspaceError: it cannot be opened; the class says why.
    """
    key = _fitting(path, keys)

    @contextmanager
    def entries() -> Iterator[Iterator[LogEntry]]:
        with closing(Database(path, key, read_only=True)) as database:
            yield _hashed(Workspace(database, None), log)

    with closing(Database(path, key, read_only=True)) as database:
        workspace = Workspace(database, None)
        workspace.schema()
        told = workspace.get_meta(HEAD_KEY)
        if told is not None:
            return Known(path, head_from(told))
        head, identity = workspace.log_head(), workspace.identity
        if head.log:
            return Known(path, head, entries, identity)
    with entries() as found:
        last = max(found, key=lambda entry: entry.entry, default=None)
    head = LogHead(log, last.entry, last.hash) if last else LogHead(log, 0, origin(log))
    return Known(path, head, entries, identity)


def _fitting(path: Path, keys: Sequence[Key | str]) -> Key:
    """The key of a file, by the first of ``keys`` that opens it."""
    for number, key in enumerate(keys, 1):
        try:
            with closing(Database(path, key, read_only=True)) as database:
                return database.key
        except WorkspaceError:
            if number == len(keys):
                raise
    raise ValueError("no key")


def _hashed(workspace: Workspace, log: str) -> Iterator[LogEntry]:
    """The entries of a copy; those of a RadCal without chains get the hashes that bringing it up to date gives them."""
    if workspace.log_name:
        yield from workspace.entries()
        return
    before = origin(log)
    for entry in workspace.entries():
        before = link_of(before, entry)
        yield LogEntry(entry.entry, entry.at, entry.user, entry.radcal, entry.what, entry.counts, before)


def verify(workspace: Workspace, outside: Sequence[Known], progress: Progress = SILENT) -> LogVerified:
    """Verify the log of an open workspace, in steps between which others may use it.

    Args:
        outside: what is known of it elsewhere.

    Raises:
        Cancelled: by ``progress``.
    """
    chain = Chain(workspace.log_name)
    own = [known for known in outside if known.head.log == chain.log]
    wanted = {known.head.entry for known in own}
    present: dict[int, bytes] = {0: origin(chain.log)}
    replaced: list[_Replaced] = []
    since = 0
    progress.start(workspace.entries_made(), Text("Verifying the audit log"))
    for entry in chain.follow(workspace.entries()):
        if entry.entry in wanted:
            present[entry.entry] = entry.hash
        if entry.what.startswith(TOOK_PLACE):
            replaced.append(_replaced_by(entry, since))
        elif entry.what == RESTORED and not (replaced and replaced[-1].entry == entry.entry - 1):
            replaced.append(_Replaced(entry.entry, since, 0, b"", entry.at))
        if entry.what != UP_TO_DATE:  # which the backup of an older RadCal is brought before it takes a place
            since = entry.entry
        progress.advance()
        progress.raise_if_cancelled()
    chain.end(workspace.entries_made())
    faults = [*chain.faults, *_unguarded(workspace)]
    if not workspace.has_log:
        faults = [Text("The file has no table of the log any more: it was removed, or has another name.")]
    check = _Against(workspace, chain, present, replaced, own)
    witnesses = tuple(check.look_at(known) for known in outside)
    fitting = [w.entry for w in witnesses if w.fit is Fit.FITS and (chain.first is None or w.entry < chain.first)]
    return LogVerified(
        entries=chain.entries,
        head=LogHead(chain.log, chain.last, chain.head),
        faults=tuple(faults),
        remarks=tuple(_remarks(chain, replaced)),
        witnesses=tuple(check.narrowed(witness, max(fitting, default=0)) for witness in witnesses),
        first=chain.first if workspace.has_log else 1,
        vouched=max(fitting, default=0),
    )


def _replaced_by(entry: LogEntry, since: int) -> _Replaced:
    try:
        until = int(json.loads(entry.counts)["entry"])
        hashed = bytes.fromhex(entry.what.removeprefix(TOOK_PLACE))
    except (ValueError, KeyError, TypeError):  # of somebody else's making
        until, hashed = 0, b""
    return _Replaced(entry.entry, since, until, hashed, entry.at)


def _up_to(entry: LogEntry) -> int:
    """The last entry of the backup whose making this entry tells, -1 if it does not say."""
    try:
        return int(json.loads(entry.counts)["up_to_entry"])
    except (ValueError, KeyError, TypeError):
        return -1


def _unguarded(workspace: Workspace) -> Iterator[Text]:
    """A fault if the file's rules for its log are not those that RadCal made."""
    made = workspace.triggers("audit")
    known = guards()
    if any(made.get(name) != sql for name, sql in known.items()):
        yield Text("The rules by which the file refuses changes to its log were taken out or changed.")
    if made.keys() - known.keys():
        yield Text("The file has rules of another tool for its log, which may swallow or change entries.")


def _remarks(chain: Chain, replaced: Sequence[_Replaced]) -> Iterator[Text]:
    for back in replaced:
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


class _Against:
    """Compares a log, whose entries have been read, with what is known of it outside."""

    def __init__(
        self,
        workspace: Workspace,
        chain: Chain,
        present: dict[int, bytes],
        replaced: Sequence[_Replaced],
        own: Sequence[Known],
    ) -> None:
        self._workspace, self._chain, self._present = workspace, chain, present
        self._replaced, self._own = replaced, own

    def look_at(self, known: Known) -> LogWitness:
        """How the log goes with what one file knows of it."""
        head = known.head
        if head.log != self._chain.log:
            return self._of_another_name(known)
        if self._present.get(head.entry) == head.hash:
            if self._chain.first is not None and self._chain.first <= head.entry and known.entries is not None:
                return self._differing(known, known.entries)
            said = Text("The log fits {file}, which knows it up to entry {n:,}.", file=known.file.name, n=head.entry)
            return LogWitness(known.file, Fit.FITS, said, head.entry)
        for back in reversed(self._replaced):
            if back.reaches(head.entry) and self._is_of(known, back):
                return self._of_replaced(known, back) if self._is_attested(back) else self._unattested(known, back)
        if known.entries is not None:
            return self._differing(known, known.entries)
        if head.entry > self._chain.last:
            return self._missing(known, self._chain.last + 1, exact=False)
        said = Text("")  # see narrowed
        return LogWitness(known.file, Fit.CHANGED, said, head.entry, 1, exact=False)

    def _of_another_name(self, known: Known) -> LogWitness:
        """A copy of the same workspace, or what should know the same log, must not know one of another name."""
        if known.identity and known.identity == self._workspace.identity:
            said = Text(
                "{file} is a copy of this workspace, but its log has another name: the log was rewritten under a new "
                "one.",
                file=known.file.name,
            )
            return LogWitness(known.file, Fit.CHANGED, said, known.head.entry, 1, exact=False)
        if known.expected:
            said = Text(
                "{file} knows a log of another name: this one was rewritten under a new name, or the file is of "
                "another workspace.",
                file=known.file.name,
            )
            return LogWitness(known.file, Fit.RENAMED, said, known.head.entry, 1, exact=False)
        said = Text("{file} belongs to the log of another workspace.", file=known.file)
        return LogWitness(known.file, Fit.OF_ANOTHER, said, known.head.entry)

    def _differing(self, known: Known, entries: Entries) -> LogWitness:
        """Compared entry by entry, with the first that differs."""
        with entries() as copy:
            mine, theirs = self._workspace.entries(), copy
            for their in theirs:
                own = next(mine, None)
                if own == their:
                    continue
                if own is None:
                    return self._missing(known, their.entry, exact=True)
                first = min(own.entry, their.entry)
                said = Text(
                    "Entry {first:,} is the first that is no longer as in {file}, which knows the log up to entry "
                    "{n:,}.",
                    first=first,
                    file=known.file.name,
                    n=known.head.entry,
                )
                return LogWitness(known.file, Fit.CHANGED, said, known.head.entry, first)
        said = Text(
            "The log fits {file}, which knows it up to entry {n:,}; that copy has the same faults.",
            file=known.file.name,
            n=known.head.entry,
        )
        return LogWitness(known.file, Fit.FITS, said, known.head.entry)

    def _missing(self, known: Known, first: int, *, exact: bool) -> LogWitness:
        said = Text(
            "{file} knows the log up to entry {n:,}: everything from entry {first:,} on is missing.",
            file=known.file.name,
            n=known.head.entry,
            first=first,
        )
        return LogWitness(known.file, Fit.MISSING, said, known.head.entry, first, exact)

    def _is_of(self, known: Known, back: _Replaced) -> bool:
        """Whether a file can be of the line that a restore replaced: a copy must not differ before it."""
        if known.entries is None:
            return True
        with known.entries() as copy:
            mine = self._workspace.entries()
            for their in copy:
                own = next(mine, None)
                if own != their:
                    return their.entry > back.since  # entries of an update may lie between
        return False

    def _is_attested(self, back: _Replaced) -> bool:
        """Whether a copy at hand is the backup that was restored, or has the entry that it was made."""
        for copy in self._own:
            if copy.entries is None:
                continue
            if copy.head.entry == back.since and self._present.get(back.since) == copy.head.hash:
                return True
            with copy.entries() as entries:
                if any(entry.what == BACKED_UP and _up_to(entry) == back.since for entry in entries):
                    return True
        return False

    @staticmethod
    def _unattested(known: Known, back: _Replaced) -> LogWitness:
        said = Text(
            "{file} knows entries from {first:,} on that the log does not have. The log says that a backup was "
            "restored (entry {n:,}), but no file at hand is that backup or tells of it: give that backup as well.",
            file=known.file.name,
            first=back.since + 1,
            n=back.entry,
        )
        return LogWitness(known.file, Fit.UNATTESTED, said, known.head.entry, back.since + 1)

    def _of_replaced(self, known: Known, back: _Replaced) -> LogWitness:
        """Of a line that a restore replaced: confirmed by a copy at hand that has all of that line."""
        for other in self._own:
            if other.entries is None:
                continue
            with other.entries() as copy:
                hashes = {e.entry: e.hash for e in copy if e.entry in (back.until, known.head.entry)}
            if hashes.get(back.until) != back.hash:
                continue
            if hashes.get(known.head.entry) == known.head.hash:
                said = Text(
                    "{file} knows the log that was replaced when a backup was restored (entry {n:,}), and fits it: "
                    "{other} has that log.",
                    file=known.file.name,
                    n=back.entry,
                    other=other.file.name,
                )
                return LogWitness(known.file, Fit.REPLACED, said, known.head.entry)
            said = Text(
                "{file} should know the log that was replaced when a backup was restored (entry {n:,}), but does not "
                "fit it: {other} has that log.",
                file=known.file.name,
                n=back.entry,
                other=other.file.name,
            )
            return LogWitness(known.file, Fit.CHANGED, said, known.head.entry, back.entry, exact=False)
        said = Text(
            "{file} is from after the backup that was restored (entry {n:,}), so it knows the log that was replaced "
            "then. Whether it fits that one can be told only with the file that was put aside: give that as well.",
            file=known.file.name,
            n=back.entry,
        )
        return LogWitness(known.file, Fit.UNCONFIRMED, said, known.head.entry)

    @staticmethod
    def narrowed(witness: LogWitness, fits: int) -> LogWitness:
        """A head that the log does not fit, with what others say of where the change may begin."""
        if witness.said or witness.fit is not Fit.CHANGED:
            return witness
        after = fits + 1 if fits < witness.entry else 1
        said = Text(
            "The log is no longer as {file} knows it: an entry between {first:,} and {last:,} was changed, inserted or "
            "removed.",
            file=witness.file.name,
            first=after,
            last=witness.entry,
        )
        if after == witness.entry:
            said = Text("Entry {first:,} is no longer as {file} knows it.", file=witness.file.name, first=after)
        return LogWitness(witness.file, witness.fit, said, witness.entry, after, exact=after == witness.entry)
