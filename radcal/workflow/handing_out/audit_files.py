"""Audit files: the audit log alone, for whoever watches over it and must see nothing else."""

from __future__ import annotations

from pathlib import Path

from radcal.kinds import FileKind
from radcal.settings import Settings
from radcal.workflow.context import Context
from radcal.workflow.handing_out.parts import write_part
from radcal.workflow.keeping.receipts import Handed, leave_receipt


class AuditFiles:
    """Writes audit files."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def write(self, out: Path, passphrase: str) -> Path:
        """Write the log as it is now, with its chain and its faults if it has any.

        Raises:
            InputError: the file exists already or cannot be written, or the passphrase is weak.
        """
        from radcal.workspace import LogCopy

        workspace = self._context.workspace
        log = LogCopy(workspace.log_name, workspace.entries_made(), list(workspace.entries()))
        write_part(self._context, FileKind.AUDIT, out, passphrase, lambda _file: None, settings=Settings(), log=log)
        leave_receipt(self._context, out.parent, [Handed(FileKind.AUDIT)])
        return out
