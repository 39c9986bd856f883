"""``radcal audit``: the audit log of a workspace, listed, verified, exported."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import date
from pathlib import Path
from typing import Any

from radcal import exports
from radcal.cli.options import PASSPHRASE, WORKSPACE, Step, add_file, day, read_text
from radcal.cli.passphrases import own_passphrase, passphrase
from radcal.cli.summaries import counted, entered
from radcal.errors import InputError
from radcal.exports import WORKSPACE_SUFFIX
from radcal.progress import SILENT, Progress
from radcal.records.log import Fit
from radcal.text import Text
from radcal.workflow.keeping.audit_log import entry_as_plain, sentences, verified_as_plain
from radcal.workflow.keeping.receipts import head_as_plain
from radcal.workflow.opening import department_of, open_for_exports, open_workspace


def audit_options(step: Step) -> None:
    """Options of `radcal audit`."""
    step.explain(
        "In counts, without report text or patients. `verify` follows the chain of the entries and compares it with "
        "the backups at hand and the files given; exit status 1 if the log was changed. It cannot tell whether the "
        "newest entries, which nothing outside knows yet, were rewritten or removed. `export` writes all entries with "
        "their hashes. W may be an audit file, too; others may have it open meanwhile."
    )
    step.add_argument("do", nargs="?", choices=("list", "verify", "export"), default="list", help="default: list")
    step.add_argument(
        "--since", type=day, metavar="DATE", help="list, and tables: from this day (UTC) on, such as 2026-01-01"
    )
    add_file(
        step,
        "--against",
        "FILE",
        "verify: further backups, receipts, audit files and personal files",
        nargs="+",
        default=[],
    )
    add_file(
        step,
        "--out",
        "FILE",
        "export: a table (.csv, .xlsx), or an audit file (.radcal) with a passphrase of its own, which RadCal opens "
        "and which holds the log alone",
    )
    own = "file that holds the passphrase of the audit file, or of the files given with --against where it is another"
    add_file(step, "--own-passphrase-file", "FILE", own)
    step.take(WORKSPACE, PASSPHRASE)


def audit(args: argparse.Namespace, bar: Progress) -> dict[str, Any]:
    """List, verify or export the audit log of a workspace."""
    if args.out is None and args.do == "export":
        raise InputError("Name a file for the audit log: --out FILE.csv, FILE.xlsx or FILE.radcal.")
    if args.against and args.do != "verify":
        raise InputError("Only `radcal audit verify` takes files to compare the log with.")
    given = passphrase(args, new=False)
    if args.do == "verify":
        own = (
            read_text(args.own_passphrase_file, "passphrase file").rstrip("\r\n") if args.own_passphrase_file else None
        )
        return verify_log(args.workspace, given, args.against, own, progress=bar)
    if args.out is not None:
        own = own_passphrase(args, Text("audit file")) if args.out.suffix == WORKSPACE_SUFFIX else None
        return export_log(args.workspace, given, args.out, own, args.since)
    return audit_log(args.workspace, given, args.since)


def audit_log(path: Path, passphrase: str, since: date | None = None) -> dict[str, Any]:
    """List the audit log of a workspace or an audit file, the oldest entry first.

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
    """Verify the audit log of a workspace or an audit file, within itself and against what is outside.

    Args:
        path: the workspace, which may be open elsewhere.
        against: receipts, backups, audit files and personal files, besides the backups at hand.
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


def export_log(
    path: Path, passphrase: str, out: Path, own: str | None = None, since: date | None = None
) -> dict[str, Any]:
    """Write the audit log with its chain: as a table, or as an audit file that RadCal opens.

    Args:
        path: a workspace, or an audit file.
        out: a CSV or Excel file, or a new audit file ("...radcal").
        own: the passphrase of the audit file.
        since: of a table, only entries of this day (UTC) and later.

    Returns:
        The summary: the file, the number of entries, and ``text``.

    Raises:
        WorkspaceError: it cannot be opened.
        InputError: the file cannot be written, or the passphrase is weak.
    """
    with open_for_exports(path, passphrase) as results:
        first = "" if since is None else since.isoformat()
        n = sum(entry.at >= first for entry in results.audit_log.entries())
        if out.suffix == exports.WORKSPACE_SUFFIX:
            department_of(results).audit_files.write(out, own or "")
            text = f"The audit file is {out}. It opens in RadCal, and shows the audit log and nothing else."
        else:
            results.exports.write(out, results.audit_log.table(out.suffix, first))
            text = f"{counted(n, 'entry of the audit log is', 'entries of the audit log are')} in {out}."
        return entered({"file": str(out), "entries": n, "text": text}, results)


def _entry(row: dict[str, Any]) -> str:
    counts = ", ".join(f"{name.replace('_', ' ')} {n:,}" for name, n in row["counts"].items() if isinstance(n, int))
    at, what = f"{row['at'][:19].replace('T', ' ')} UTC", f"{row['what']}{': ' + counts if counts else ''}"
    return f"{row['entry']:>6}  {at}  {row['user']:<12}  {row['radcal']:<8}  {what}"
