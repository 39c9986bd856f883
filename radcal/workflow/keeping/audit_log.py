"""The audit log of an open workspace: its entries, and its verification against everything at hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Any

from radcal import exports
from radcal.errors import InputError
from radcal.progress import SILENT, Progress
from radcal.records.log import COPIED, LOOKED, Fit, LogEntry, LogHead, LogVerified, LogWitness
from radcal.text import Text, joined
from radcal.workflow.context import Context
from radcal.workflow.keeping.receipts import NAMES, read_receipt
from radcal.workflow.keeping.schedule import Copies, backups_of

if TYPE_CHECKING:
    from radcal.workspace import Known

COLUMNS = ("entry", "at", "user", "radcal", "what", "counts", "hash")
KINDS = {
    "looked": LOOKED,
    "out": ("exported ", "handed out ", "sending ", "sent ", *COPIED),
    "kept": ("backup", "workspace ", "restored ", "took the place ", "passphrase "),
}
"""Kinds of entries by what they begin with; all others are changes."""
_MANY = 20
"""Files that are told one by one."""


class _Sure(Enum):
    """Whether a file at hand is of this workspace."""

    YES = 1
    NO = 2
    OF_NAMESAKE = 3
    """It has another series: of another workspace of this name, or of this one before its file was made anew."""


class AuditLog:
    """The audit log of a workspace, or that in an audit file."""

    def __init__(self, context: Context) -> None:
        self._context, self._workspace = context, context.workspace

    def entries(self) -> Iterator[LogEntry]:
        """All entries, the oldest first."""
        return self._workspace.entries()

    @property
    def head(self) -> LogHead:
        """The end of the log."""
        return self._workspace.log_head()

    def table(self, suffix: str = ".csv", since: str = "") -> exports.Export:
        """The entries with their hashes as CSV or Excel: all, or those of a day (ISO 8601, UTC) and later."""
        rows = (
            (e.entry, e.at, e.user, e.radcal, e.what, e.counts, e.hash.hex()) for e in self.entries() if e.at >= since
        )
        return exports.table(_headed(rows), suffix, "audit log")

    def verify(
        self, against: Sequence[Path] = (), passphrases: Sequence[str] = (), progress: Progress = SILENT
    ) -> LogVerified:
        """Verify the log within itself and against backups and receipts at hand.

        At hand are the workspace's backups, files that restoring put aside, receipts in the folder of backups, and
        those that were left elsewhere and still are where they were left.  Backups of a namesake lie there too; they
        count where a passphrase opens them, as they may be of this workspace before its file was made anew.

        Args:
            against: further files: receipts, backups, audit files, personal files.
            passphrases: to try on files that the workspace's key does not open.

        Raises:
            Cancelled: by ``progress``.
        """
        from dataclasses import replace

        from radcal.workspace import verify

        known, unreadable = [], []
        at_hand, strange = self._at_hand(), []
        for path in dict.fromkeys([*at_hand, *against]):
            progress.raise_if_cancelled()
            sure = at_hand.get(path, _Sure.NO)
            try:
                found = self._known(path, passphrases)
            except InputError as error:
                if sure is _Sure.OF_NAMESAKE and path not in against:
                    strange.append(path)
                    continue
                said = Text("{file} could not be asked: {why}", file=path.name, why=error.text)
                unreadable.append(LogWitness(path, Fit.UNREADABLE, said))
            else:
                known.append(replace(found, expected=sure is _Sure.YES or path in against))
        outcome = verify(self._workspace, known, progress)
        remarks = (*outcome.remarks, _strange(strange)) if strange else outcome.remarks
        return replace(outcome, witnesses=(*outcome.witnesses, *unreadable), remarks=remarks)

    def _at_hand(self) -> dict[Path, _Sure]:
        """Backups and receipts at hand, and whether they are of this workspace.

        A backup of it has its series; a receipt was noted when it was left, or lies where no namesake has its backups.
        """
        if self._context.kind:
            return {}
        folder, series = Copies(self._context).folder, self._workspace.series
        sure = {series: _Sure.YES, "": _Sure.NO}
        backups = {
            b.path: sure.get(b.series, _Sure.OF_NAMESAKE) for b in backups_of(self._context.path, [folder.parent])
        }
        shared = _Sure.OF_NAMESAKE in backups.values()
        beside = dict.fromkeys(sorted(folder.glob(NAMES)), _Sure.NO if shared else _Sure.YES)
        left = {path: _Sure.YES for path in map(Path, self._workspace.receipts) if path.is_file()}
        return backups | beside | left

    def _known(self, path: Path, passphrases: Sequence[str]) -> Known:
        from radcal.workspace import existing_file, known_by

        path = existing_file(path, Text("Check the name."))
        with path.open("rb") as file:
            is_receipt = file.read(1) == b"{"  # a workspace begins with random bytes
        if is_receipt:
            try:
                return read_receipt(path)
            except InputError:
                if path.suffix == ".json":
                    raise
        return known_by(path, [self._workspace.key, *passphrases], self._workspace.log_name)


def _headed(rows: Iterator[Sequence[Any]]) -> Iterator[Sequence[Any]]:
    yield COLUMNS
    yield from rows


def kind_of(what: str) -> str:
    """The kind of an entry: of KINDS, or "changed"."""
    return next((kind for kind, begins in KINDS.items() if what.startswith(begins)), "changed")


def entry_as_plain(entry: LogEntry) -> dict[str, Any]:
    """An entry as plain values, its counts as an object."""
    try:
        counts = json.loads(entry.counts)
    except ValueError:  # of another tool's making
        counts = {}
    said = {name: getattr(entry, name) for name in COLUMNS}
    return said | {"counts": counts if isinstance(counts, dict) else {}, "hash": entry.hash.hex()}


def sentences(found: LogVerified) -> tuple[Text, ...]:
    """The outcome of a verification, the most important first."""
    return tuple(
        filter(None, (_outcome(found), *found.faults, *_against(found), _beyond(found), *found.remarks, *_open(found)))
    )


def _outcome(found: LogVerified) -> Text:
    if found.faults and not found.entries:  # RadCal enters the creation of a workspace
        return Text("The log was removed, and not by RadCal.")
    if found.faults:
        return Text("The log was changed, and not by RadCal.")
    against = [witness.fit for witness in found.witnesses if witness.speaks_against]
    if against and all(fit is Fit.UNATTESTED for fit in against):
        return Text("The log says that a backup was restored, but nothing outside the workspace bears this out.")
    if against and all(fit is Fit.RENAMED for fit in against):
        return Text("The log is not the one that is known of it elsewhere, unless that is of another workspace.")
    if not found.holds:
        return Text("The log was rewritten: its entries fit each other, but not what is known of it elsewhere.")
    fitting = sum(witness.fit is Fit.FITS for witness in found.witnesses)
    said = [Text("The log holds: each of its {n:,} entries fits the one before.", n=found.entries)]
    if fitting:
        said.append(
            Text("One file outside of it fits it, too.", many="{n} files outside of it fit it, too.", n=fitting)
        )
    unread = sum(witness.fit is Fit.UNREADABLE for witness in found.witnesses)
    if unread:
        said.append(Text("One file could not be compared.", many="{n} files could not be compared.", n=unread))
    return joined(said)


def _against(found: LogVerified) -> Iterator[Text]:
    against = [witness.said for witness in found.witnesses if witness.speaks_against]
    yield from against[:_MANY]
    if len(against) > _MANY:
        yield Text("And {n:,} more like these.", n=len(against) - _MANY)


def _strange(files: Sequence[Path]) -> Text:
    return Text(
        "One backup in the folder of backups has the name of this workspace, but is of another series: of a namesake, "
        "or of this workspace before its file was made anew. Only its passphrase can tell whether the log fits it.",
        many="{n:,} backups in the folder of backups have the name of this workspace, but are of another series: of a "
        "namesake, or of this workspace before its file was made anew. Only their passphrase can tell whether the log "
        "fits them.",
        n=len(files),
    )


def _open(found: LogVerified) -> Iterator[Text]:
    """What was of no use."""
    for witness in found.witnesses:
        if witness.fit in (Fit.REPLACED, Fit.UNCONFIRMED, Fit.OF_ANOTHER, Fit.UNREADABLE):
            yield witness.said


def _beyond(found: LogVerified) -> Text:
    """What no verification can tell."""
    if not found.holds:
        return Text("")
    if not found.vouched:
        return Text(
            "Nothing outside the workspace was at hand to vouch for it: whoever has the passphrase could have "
            "rewritten all of it unnoticed. Backups and receipts vouch for it from when they are made."
        )
    if found.vouched >= found.head.entry:
        return Text(
            "The newest backup or receipt knows its last entry. Whether later ones were removed cannot be told."
        )
    return Text(
        "Nothing outside the workspace knows the entries after number {n:,}: whoever has the passphrase could have "
        "rewritten or removed the newest ones unnoticed.",
        n=found.vouched,
    )


def verified_as_plain(found: LogVerified) -> dict[str, Any]:
    """A verification as plain values."""
    return {
        "holds": found.holds,
        "entries": found.entries,
        "vouched_for": found.vouched,
        "faults": [str(fault) for fault in found.faults],
        "first_fault": found.first,
        "remarks": [str(remark) for remark in found.remarks],
        "compared": [
            {
                "file": str(witness.file),
                "outcome": witness.fit.value,
                "entry": witness.entry,
                "first": witness.first,
                "exact": witness.exact if witness.first is not None else None,
                "text": str(witness.said),
            }
            for witness in found.witnesses
        ],
    }
