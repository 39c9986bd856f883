"""De-identification of what a workspace stores, from the command line."""

from __future__ import annotations

from pathlib import Path

from radcal.progress import SILENT, Progress
from radcal.workflow.commands.summaries import Summary, counted
from radcal.workflow.imports.deidentifying import notes_of
from radcal.workflow.opening import open_department


def deidentify_workspace(path: Path, passphrase: str, progress: Progress = SILENT) -> Summary:
    """Take identifiers out of the reports that are stored as they were read, after a backup.

    Returns:
        The summary: reports looked at, reports changed, ``removed`` (replacements by kind), ``suspects`` (words left
        that may be identifiers), and ``text``.

    Raises:
        InputError: the workspace cannot be opened for writing, or no backup can be made; nothing was changed.
        Cancelled: by ``progress``; what was done stays done, and the same command goes on.
    """
    with open_department(path, passphrase) as department:
        its = department.importing.deidentifying
        if not its.as_read():
            found = its.nothing()
            text = f"All reports in {path} are de-identified already."
        else:
            department.backups.back_up(progress)
            found = its.stored(progress)
            reports = counted(found.reports, "report", "reports")
            text = notes_of(found) or f"{reports} of {path} were looked at; nothing had to be removed."
    return {
        "reports": found.reports,
        "changed": found.changed,
        "removed": dict(found.kinds),
        "suspects": found.suspects,
        "text": text,
    }
