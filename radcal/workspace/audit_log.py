"""The audit log of an open workspace: its entries, and its verification against the backups at hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

from radcal.system import exports
from radcal.system.errors import InputError
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text, joined
from radcal.workspace.backups import backups_of
from radcal.workspace.context import Context
from radcal.workspace.log_records import COPIED, LOOKED, Fit, LogEntry, LogHead, LogVerified, LogWitness
from radcal.workspace.schedule import Copies

COLUMNS = ("entry", "at", "user", "radcal", "what", "counts", "hash")
KINDS = {
    "looked": LOOKED,
    "out": ("exported ", "handed out ", "sending ", "sent ", *COPIED),
    "kept": ("backup", "workspace ", "restored ", "took the place ", "passphrase "),
}
"""Kinds of entries by what they begin with; all others are changes."""
_MANY = 20
"""Files that are told one by one."""
_GROUP = 4


class AuditLog:
    """The audit log of a workspace."""

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
        return exports.table(chain([COLUMNS], rows), suffix, "audit log")

    def verify(
        self, against: Sequence[Path] = (), passphrases: Sequence[str] = (), progress: Progress = SILENT
    ) -> LogVerified:
        """Verify the log within itself and against the backups and files put aside that are at hand.

        Backups of a namesake lie there too; they count where a passphrase opens them, as they may be of this workspace
        before its file was made anew.

        Args:
            against: further backups.
            passphrases: to try on files that the workspace's key does not open.
        """
        from radcal.workspace.log_check import known_by, verify
        from radcal.workspace.store import existing_file

        at_hand, series = self._at_hand(), self._workspace.series
        known, unreadable, strange = [], [], []
        for path in dict.fromkeys([*at_hand, *against]):
            progress.raise_if_cancelled()
            try:
                file = existing_file(path, Text("Check the name."))
                found = known_by(file, [self._workspace.key, *passphrases])
            except InputError as error:
                if path not in against and at_hand[path] not in ("", series):
                    strange.append(path)
                    continue
                said = Text("{file} could not be asked: {why}", file=path.name, why=error.text)
                unreadable.append(LogWitness(path, Fit.UNREADABLE, said))
            else:
                known.append(replace(found, expected=path in against or at_hand[path] == series))
        outcome = verify(self._workspace, known, progress)
        remarks = (*outcome.remarks, _strange(strange)) if strange else outcome.remarks
        return replace(outcome, witnesses=(*outcome.witnesses, *unreadable), remarks=remarks)

    def _at_hand(self) -> dict[Path, str]:
        """Backups at hand, and the series of each."""
        if self._context.kind:
            return {}
        return {b.path: b.series for b in backups_of(self._context.path, [Copies(self._context).folder.parent])}


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
        if witness.fit in (Fit.REPLACED, Fit.OF_ANOTHER, Fit.UNREADABLE):
            yield witness.said


def _beyond(found: LogVerified) -> Text:
    """What no verification can tell."""
    if not found.holds:
        return Text("")
    if not found.vouched:
        return Text(
            "Nothing outside the workspace was at hand to vouch for it: whoever has the passphrase could have "
            "rewritten all of it unnoticed. Backups vouch for it from when they are made."
        )
    if found.vouched >= found.head.entry:
        return Text("The newest backup knows its last entry. Whether later ones were removed cannot be told.")
    return Text(
        "Nothing outside the workspace knows the entries after number {n:,}: whoever has the passphrase could have "
        "rewritten or removed the newest ones unnoticed.",
        n=found.vouched,
    )


def head_as_plain(head: LogHead) -> dict[str, Any]:
    """A head in a summary, its hash in groups of four digits, to be read aloud: "1A2B 3C4D ..."."""
    digits = head.hash.hex().upper()
    groups = " ".join(digits[k : k + _GROUP] for k in range(0, len(digits), _GROUP))
    return {"log": head.log, "entry": head.entry, "head": groups}


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
                "text": str(witness.said),
            }
            for witness in found.witnesses
        ],
    }
