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
        found = department.importing.deidentifying.stored(department.backups, progress)
        text: str = notes_of(found)
        if not found.reports:
            text = f"All reports in {path} are de-identified already."
        elif not text:
            reports = counted(found.reports, "report", "reports")
            text = f"{reports} of {path} were looked at; nothing had to be removed."
    return {
        "reports": found.reports,
        "changed": found.changed,
        "removed": dict(found.kinds),
        "suspects": found.suspects,
        "text": text,
    }
