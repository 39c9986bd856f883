"""``radcal check``, ``backup`` and ``restore``: a workspace kept safe."""

from __future__ import annotations

import argparse
import shlex
import subprocess
import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from radcal.cli.passphrases import passphrase
from radcal.cli.summaries import Summary, counted
from radcal.opening import open_workspace
from radcal.system.errors import InputError, RadcalError
from radcal.system.progress import Progress
from radcal.workspace.audit_log import head_as_plain, sentences
from radcal.workspace.backups import backups_of, series_on_disk
from radcal.workspace.context import Context
from radcal.workspace.errors import NoAccess, WorkspaceInUse
from radcal.workspace.log_check import known_by
from radcal.workspace.log_records import LogVerified
from radcal.workspace.records import Backup, Contents, Restored
from radcal.workspace.restoring import look_into
from radcal.workspace.restoring import restore as restored_from
from radcal.workspace.schedule import Copies
from radcal.workspace.store import Workspace


def check(args: argparse.Namespace, bar: Progress) -> Summary:
    """Check every byte of a workspace and its audit log, and if it is damaged, every byte of its backups.

    Returns:
        The summary: ``failures`` (the faults, in sentences), backups (file, made, bytes, and the result if checked),
        and ``text``.

    Raises:
        NoSuchWorkspace, NotAWorkspace, WrongPassphrase, NoAccess: it cannot be checked.
    """
    path, given = args.workspace, passphrase(args, new=False)
    wrong = Workspace.check(path, given, bar)
    # The salt, from which the series derives, is intact, or the passphrase would not fit.
    found = [b for b in backups_of(path, _chosen_folder(path, given)) if b.series in ("", series_on_disk(path))]
    backups = []
    for backup in found:
        bar.raise_if_cancelled()
        backups.append(_as_plain(backup) | (_looked_into(backup, given, bar) if wrong else {}))
    last = next((backup.path for backup in found if backup.series), None)
    text = _checked_text(path, wrong, backups, last)
    if wrong:
        return {"failures": list(wrong), "backups": backups, "text": text}
    log = _log_of(path, given, bar)
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


def backup(args: argparse.Namespace, bar: Progress) -> Summary:
    """Make a verified backup, even while the workspace is open elsewhere.

    Returns:
        The summary: the file, its size in bytes, the backups deleted past their retention, ``audit`` (the head of the
        audit log in it), and ``text``.

    Raises:
        WorkspaceError: no backup was made; the class tells why.
        Cancelled: by the user; no backup was made.
    """
    path, given = args.workspace, passphrase(args, new=False)
    deleted: list[Path] = []
    try:
        workspace = Workspace.open(path, given)
    except (WorkspaceInUse, NoAccess):  # without an entry in its audit log
        workspace = Workspace.open(path, given, read_only=True)
    with workspace:
        if args.out is None:
            made, deleted = workspace.back_up_into(Copies(Context(workspace)).folder, datetime.now(UTC), bar)
        else:
            workspace.backup(args.out, bar)
            made = args.out.resolve()
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


def restore(args: argparse.Namespace, bar: Progress) -> Summary:
    """Restore a workspace from a backup.

    Returns:
        The summary: present contents, previous contents (null if unreadable), the new place of the previous file
        (null if there was none), and ``text``.

    Raises:
        As :func:`radcal.workspace.restoring.restore`.
    """
    restored = restored_from(args.backup, args.workspace, passphrase(args, new=False), bar)
    return {
        "workspace": str(args.workspace),
        "holds": _held(restored.held),
        "held": None if restored.before is None else _held(restored.before),
        "kept_aside": None if restored.aside is None else str(restored.aside),
        "text": f"{args.workspace} was restored from {args.backup}. {_restored_text(restored)}".strip(),
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
