"""Check, backup and restore of a workspace, and its audit log, from the command line."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from radcal.errors import InputError, RadcalError
from radcal.progress import SILENT, Progress
from radcal.records import Backup, Contents, Restored
from radcal.records.log import Fit, LogVerified
from radcal.workflow.commands.summaries import counted, entered
from radcal.workflow.context import Context
from radcal.workflow.department import Department
from radcal.workflow.keeping.audit_log import entry_as_plain, head_as_plain, sentences, verified_as_plain
from radcal.workflow.keeping.schedule import Copies, backups_of, look_into, restore
from radcal.workflow.opening import open_for_exports, open_workspace


def check_workspace(path: Path, passphrase: str, progress: Progress = SILENT) -> dict[str, Any]:
    """Check every byte of a workspace, and if it is damaged, every byte of its backups.

    The audit log is verified, too, as by :func:`verify_log`.

    Returns:
        The summary: ``failures`` (the faults, in sentences), backups (file, made, bytes, and the result if checked),
        and ``text``.

    Raises:
        NoSuchWorkspace, NotAWorkspace, WrongPassphrase, NoAccess: it cannot be checked.
        Cancelled: by ``progress``.
    """
    from radcal.workspace import Workspace, series_on_disk

    wrong = Workspace.check(path, passphrase, progress)
    # The salt, from which the series derives, is intact, or the passphrase would not fit.
    found = [b for b in backups_of(path, _chosen_folder(path, passphrase)) if b.series in ("", series_on_disk(path))]
    backups = []
    for backup in found:
        progress.raise_if_cancelled()
        backups.append(_as_plain(backup) | (_looked_into(backup, passphrase, progress) if wrong else {}))
    last = next((backup.path for backup in found if backup.series), None)
    text = _checked_text(path, wrong, backups, last)
    if wrong:
        return {"failures": list(wrong), "backups": backups, "text": text}
    log = _log_of(path, passphrase, progress)
    changed = [] if log is None or log.holds else [str(sentences(log)[0])]
    told = "" if log is None else f"\n{sentences(log)[0]}"
    if changed:
        told += " `radcal audit verify` says more."
    return {"failures": changed, "backups": backups, "text": text + told}


def _log_of(path: Path, passphrase: str, progress: Progress) -> LogVerified | None:
    """The verified audit log; None where this RadCal cannot read it, as in a file of an older one, or a newer."""
    try:
        with open_workspace(path, passphrase, read_only=True) as results:
            return results.audit_log.verify(progress=progress)
    except InputError:
        return None


def _chosen_folder(path: Path, passphrase: str) -> list[Path]:
    """A workspace's configured backup folder, if it can be read."""
    from radcal.workspace import Workspace

    with suppress(RadcalError, ValueError), Workspace.open(path, passphrase, read_only=True) as workspace:
        chosen = workspace.backup_choice.folder
        return [Path(chosen)] if chosen else []
    return []


def _as_plain(backup: Backup) -> dict[str, Any]:
    return {"file": str(backup.path), "made": backup.made.isoformat(timespec="seconds"), "bytes": backup.size}


def _looked_into(backup: Backup, passphrase: str, progress: Progress) -> dict[str, Any]:
    try:
        held = look_into(backup.path, passphrase, progress)
    except InputError as error:
        return {"sound": False, "reason": str(error)}
    return {"sound": True, "reports": held.reports, "decisions": held.decisions}


def _checked_text(path: Path, wrong: tuple[str, ...], backups: list[dict[str, Any]], last: Path | None) -> str:
    if not wrong:
        state = "There is no backup of it." if last is None else f"The last backup is {last}."
        return f"Every byte of {path} can be read; nothing is damaged. {state}"
    lines = [f"{path} is damaged.", *wrong]
    for backup in backups:
        if backup["sound"]:
            held = f"sound: {counted(backup['reports'], 'report', 'reports')}, {_decisions(backup['decisions'])}"
        else:
            held = backup["reason"]
        lines.append(f"  {backup['made']}  {backup['file']}  {held}")
    sound = next((backup["file"] for backup in backups if backup["sound"]), None)
    if sound is not None:
        words = ["radcal", "restore", sound, "--workspace", str(path)]
        command = subprocess.list2cmdline(words) if sys.platform == "win32" else shlex.join(words)
        lines.append(f"To go back to the last sound one: {command}")
    elif not backups:
        lines.append(f"No backups were found in {path.stem}.backups beside it.")
    return "\n".join(lines)


def _decisions(n: int) -> str:
    return f"{counted(n, 'decision', 'decisions')} by people"


def back_up_workspace(path: Path, passphrase: str, out: Path | None, progress: Progress = SILENT) -> dict[str, Any]:
    """Make a verified backup, even while the workspace is open elsewhere.

    Args:
        passphrase: of the workspace and the backup.
        out: a new file; None to add to the scheduled backups.

    Returns:
        The summary: the file, its size in bytes, the backups deleted past their retention, ``audit`` (the head of the
        audit log in it), and ``text``.

    Raises:
        WorkspaceError: no backup was made; the class tells why.
        Cancelled: by ``progress``; no backup was made.
    """
    from radcal.workspace import NoAccess, Workspace, WorkspaceInUse, known_by

    deleted: list[Path] = []
    try:
        workspace = Workspace.open(path, passphrase)
    except (WorkspaceInUse, NoAccess):  # without an entry in its audit log
        workspace = Workspace.open(path, passphrase, read_only=True)
    with workspace:
        if out is None:
            made, deleted = workspace.back_up_into(Copies(Context(workspace)).folder, datetime.now(UTC), progress)
        else:
            workspace.backup(out, progress)
            made = out.resolve()
        head = known_by(made, [workspace.key]).head
    text = f"The backup is {made}. It was opened and read to its last page."
    if deleted:
        text += f" {counted(len(deleted), 'earlier one was', 'earlier ones were')} deleted."
    return {
        "file": str(made),
        "bytes": made.stat().st_size,
        "deleted": [str(old) for old in deleted],
        "audit": head_as_plain(head),
        "text": text,
    }


def restore_workspace(backup: Path, path: Path, passphrase: str, progress: Progress = SILENT) -> dict[str, Any]:
    """Restore a workspace from a backup.

    Returns:
        The summary: present contents, previous contents (null if unreadable), the new place of the previous file
        (null if there was none), and ``text``.

    Raises:
        As :func:`radcal.workflow.keeping.schedule.restore`.
    """
    restored = restore(backup, path, passphrase, progress)
    return {
        "workspace": str(path),
        "holds": _held(restored.held),
        "held": None if restored.before is None else _held(restored.before),
        "kept_aside": None if restored.aside is None else str(restored.aside),
        "text": f"{path} was restored from {backup}. {_restored_text(restored)}".strip(),
    }


def _held(contents: Contents) -> dict[str, Any]:
    return {"reports": contents.reports, "decisions": contents.decisions, "last_entry": contents.last.isoformat()}


def _restored_text(restored: Restored) -> str:
    """The contents of a restored workspace, the losses, and the place of the previous file, for the user."""
    held, before = restored.held, restored.before
    said = [f"It holds {counted(held.reports, 'report', 'reports')} and {_decisions(held.decisions)}."]
    if before is not None:
        reports, decisions = before.reports - held.reports, before.decisions - held.decisions
        lost = [counted(reports, "report", "reports")] if reports > 0 else []
        lost += [_decisions(decisions)] if decisions > 0 else []
        said.append(
            f"The file before held {' and '.join(lost)} more." if lost else "The file before held no more than that."
        )
    elif restored.aside is not None:
        said.append("What the file before held beyond that cannot be read.")
    if restored.aside is not None:
        said.append(f"The file before is kept as {restored.aside}.")
    return " ".join(said)


def back_up_after_run(department: Department, progress: Progress = SILENT) -> str:
    """Make a backup if one is due; returns a sentence about it, '' if none was."""
    try:
        made = department.backups.back_up_if_due(progress)
    except InputError as error:
        return f"No backup was made. {error}"
    return "" if made is None else f"A backup of the workspace is {made}."


def audit_log(path: Path, passphrase: str, since: date | None = None) -> dict[str, Any]:
    """List the audit log of a workspace, the oldest entry first.

    Args:
        path: the workspace, which may be open elsewhere.
        since: only entries of this day (UTC) and later.

    Returns:
        The summary: entries, and ``text``: a table.

    Raises:
        WorkspaceError: it cannot be opened.
    """
    with open_workspace(path, passphrase, read_only=True) as results:
        first = "" if since is None else since.isoformat()
        entries = [entry_as_plain(entry) for entry in results.audit_log.entries() if entry.at >= first]
    text = "\n".join(_entry(row) for row in entries) or "The audit log has no entry of these days."
    return {"entries": entries, "text": text}


def verify_log(
    path: Path, passphrase: str, against: Sequence[Path] = (), own: str | None = None, progress: Progress = SILENT
) -> dict[str, Any]:
    """Verify the audit log of a workspace, within itself and against its backups.

    Args:
        path: the workspace, which may be open elsewhere.
        against: further backups, besides those at hand.
        own: a passphrase that opens those of ``against`` that the workspace's does not.

    Returns:
        The summary: ``failures`` (the faults, and files of ``against`` that cannot be read, in sentences), what was
        compared and how it fits, as of :func:`radcal.workflow.keeping.audit_log.verified_as_plain`, and ``text``.

    Raises:
        WorkspaceError: it cannot be opened.
        Cancelled: by ``progress``.
    """
    with open_workspace(path, passphrase, read_only=True) as results:
        found = results.audit_log.verify(against, [passphrase, *([own] if own else [])], progress)
    speak = [
        str(witness.said)
        for witness in found.witnesses
        if witness.speaks_against or (witness.fit is Fit.UNREADABLE and witness.file in against)
    ]
    failures = [*map(str, found.faults), *speak]
    head = {"audit": head_as_plain(found.head)}
    return {"failures": failures, **verified_as_plain(found), **head, "text": "\n".join(sentences(found))}


def export_log(path: Path, passphrase: str, out: Path, since: date | None = None) -> dict[str, Any]:
    """Write the audit log with its chain as a table.

    Args:
        out: a CSV or Excel file.
        since: only entries of this day (UTC) and later.

    Returns:
        The summary: the file, the number of entries, and ``text``.

    Raises:
        WorkspaceError: it cannot be opened.
        InputError: the file cannot be written.
    """
    with open_for_exports(path, passphrase) as results:
        first = "" if since is None else since.isoformat()
        n = sum(entry.at >= first for entry in results.audit_log.entries())
        results.exports.write(out, results.audit_log.table(out.suffix, first))
        text = f"{counted(n, 'entry of the audit log is', 'entries of the audit log are')} in {out}."
        return entered({"file": str(out), "entries": n, "text": text}, results)


def _entry(row: dict[str, Any]) -> str:
    counts = ", ".join(f"{name.replace('_', ' ')} {n:,}" for name, n in row["counts"].items() if isinstance(n, int))
    at, what = f"{row['at'][:19].replace('T', ' ')} UTC", f"{row['what']}{': ' + counts if counts else ''}"
    return f"{row['entry']:>6}  {at}  {row['user']:<12}  {row['radcal']:<8}  {what}"
