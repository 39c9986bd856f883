"""Copies of a workspace: the time of the last one, changes since then, and the choice of backups."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from radcal.workspace import contents
from radcal.workspace.backups import series_of
from radcal.workspace.log_records import COPIED, LOOKED
from radcal.workspace.records import Checked
from radcal.workspace.tables import Store

BACKED_UP, SETTINGS_SAVED, UP_TO_DATE = "backup made", "settings saved", "workspace brought up to date"
RESTORED = "restored from a backup"
TOOK_PLACE = "took the place of a log that ended in "
"""The beginning of the entry before RESTORED; the head's hash in hexadecimal digits follows."""
_DECIDED = (SETTINGS_SAVED, "finding contested")
"""Entries of the audit log that record decisions."""
_CHANGES = " AND ".join(f"what NOT GLOB '{begins}*'" for begins in (BACKED_UP, *LOOKED, *COPIED))
"""Condition for entries of the audit log after which a backup is no longer up to date: not those on looking at it."""
_CHOICE, _STATE, _CHECKED = "_backups", "_backed_up", "_checked"


@dataclass(frozen=True, slots=True)
class BackupChoice:
    """Whether backups are made automatically, and their folder; '' for the workspace's own."""

    on: bool = True
    folder: str = ""


class CopyStore(Store):
    """Notes about copies and checks; none of them counts as a change of the workspace."""

    @property
    def series(self) -> str:
        """The identifier of this workspace's backups among those of namesakes."""
        return series_of(self._db.key.salt)

    @property
    def backup_choice(self) -> BackupChoice:
        """The choice as last stored."""
        return BackupChoice(**json.loads(self.get_meta(_CHOICE) or "{}"))

    def choose_backups(self, choice: BackupChoice) -> None:
        """Store the choice."""
        with self._db.transaction():
            self.set_meta(_CHOICE, json.dumps(asdict(choice)))
            self.log("backups chosen", on=int(choice.on))

    @property
    def is_backed_up(self) -> bool:
        """Whether nothing has changed since the last automatic backup."""
        return self.get_meta(_STATE) == self.state()

    def note_backup(self, state: str) -> None:
        """Record an automatic backup of the workspace in this state."""
        self.set_meta(_STATE, state)

    def state(self) -> str:
        """A value that changes with every import, reading, decision or result; independent of any clock."""
        queries: list[tuple[str, Sequence[Any]]] = [
            (
                "SELECT key, value FROM meta WHERE key NOT IN (?, ?, ?, ?) ORDER BY key",
                (_CHOICE, _STATE, _CHECKED, contents.KEY),
            ),
            (f"SELECT entry FROM audit WHERE {_CHANGES} ORDER BY entry DESC LIMIT 1", ()),  # noqa: S608 - ours
            ("SELECT count(*), max(saved) FROM results", ()),
            ("SELECT count(*), max(saved), total(rows) FROM frames", ()),
            ("SELECT max(seq), total(undone * seq) FROM gold_actions", ()),
            ("SELECT count(*) FROM extractions", ()),
        ]
        seen = [self._db.execute(query, values) for query, values in queries]
        return hashlib.sha256(json.dumps(seen).encode()).hexdigest()

    @property
    def checked(self) -> Checked | None:
        """The result of the last page check."""
        kept = json.loads(self.get_meta(_CHECKED) or "{}")
        return Checked(datetime.fromisoformat(kept["at"]), kept["pages"], kept["damaged"]) if kept else None

    def note_check(self, checked: Checked) -> None:
        """Record a page check."""
        self.set_meta(_CHECKED, json.dumps(asdict(checked) | {"at": checked.at.isoformat()}))

    def last_backup(self) -> datetime | None:
        """The time of the last copy, None if there is none."""
        rows = self._db.execute("SELECT at FROM audit WHERE what = ? ORDER BY entry DESC LIMIT 1", (BACKED_UP,))
        return datetime.fromisoformat(str(rows[0][0])) if rows else None

    def decisions_since(self, at: datetime | None, results: Sequence[str] = ()) -> int:
        """The number of human decisions stored after a time (to the second), or ever: what cannot be recomputed.

        These are actions of gold set readers that were not undone, contested findings, changed settings, and
        ``results`` of these kinds.
        """
        since = "" if at is None else at.isoformat(timespec="seconds")
        queries = [
            ("SELECT count(*) FROM gold_actions WHERE at > ? AND NOT undone", (since,)),
            *(("SELECT count(*) FROM audit WHERE at > ? AND what = ?", (since, what)) for what in _DECIDED),
            *(("SELECT count(*) FROM results WHERE saved > ? AND kind = ?", (since, kind)) for kind in results),
        ]
        return sum(int(self._db.execute(query, values)[0][0]) for query, values in queries)
