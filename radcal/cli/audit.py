"""``radcal audit``: the audit log of a workspace, listed, verified, exported."""

from __future__ import annotations

import argparse
from typing import Any

from radcal.cli.options import read_text
from radcal.cli.passphrases import passphrase
from radcal.cli.summaries import Summary, counted, entered
from radcal.opening import open_for_exports, open_workspace
from radcal.system.errors import InputError
from radcal.system.progress import Progress
from radcal.workspace.audit_log import entry_as_plain, head_as_plain, sentences, verified_as_plain
from radcal.workspace.log_records import Fit


def audit(args: argparse.Namespace, bar: Progress) -> Summary:
    """List, verify or export the audit log of a workspace.

    Returns:
        The summary: of a list, ``entries``; of a verification, ``failures`` (the faults, and files of --against that
        cannot be read, in sentences), and what was compared and how it fits, as of
        :func:`radcal.workspace.audit_log.verified_as_plain`; of an export, the file and the number of entries.

    Raises:
        WorkspaceError: it cannot be opened.
        InputError: the file cannot be written.
    """
    if args.out is None and args.do == "export":
        raise InputError("Name a file for the audit log: --out FILE.csv or FILE.xlsx.")
    if args.against and args.do != "verify":
        raise InputError("Only `radcal audit verify` takes files to compare the log with.")
    given, first = passphrase(args, new=False), "" if args.since is None else args.since.isoformat()
    if args.do == "verify":
        return _verified(args, given, bar)
    if args.out is not None:
        return _exported(args, given, first)
    with open_workspace(args.workspace, given, read_only=True) as results:
        entries = [entry_as_plain(entry) for entry in results.audit_log.entries() if entry.at >= first]
    text = "\n".join(_entry(row) for row in entries) or "The audit log has no entry of these days."
    return {"entries": entries, "text": text}


def _verified(args: argparse.Namespace, given: str, progress: Progress) -> Summary:
    """The log within itself, and against the backups at hand and the files named."""
    file = args.own_passphrase_file
    own = [read_text(file, "passphrase file").rstrip("\r\n")] if file else []
    with open_workspace(args.workspace, given, read_only=True) as results:
        found = results.audit_log.verify(args.against, [given, *filter(None, own)], progress)
    speak = [
        str(witness.said)
        for witness in found.witnesses
        if witness.speaks_against or (witness.fit is Fit.UNREADABLE and witness.file in args.against)
    ]
    failures = [*map(str, found.faults), *speak]
    head = {"audit": head_as_plain(found.head)}
    return {"failures": failures, **verified_as_plain(found), **head, "text": "\n".join(sentences(found))}


def _exported(args: argparse.Namespace, given: str, first: str) -> Summary:
    """The log with its chain from a time on, as a table."""
    out = args.out
    with open_for_exports(args.workspace, given) as results:
        n = sum(entry.at >= first for entry in results.audit_log.entries())
        results.exports.write(out, results.audit_log.table(out.suffix, first))
        text = f"{counted(n, 'entry of the audit log is', 'entries of the audit log are')} in {out}."
        return entered({"file": str(out), "entries": n, "text": text}, results)


def _entry(row: dict[str, Any]) -> str:
    counts = ", ".join(f"{name.replace('_', ' ')} {n:,}" for name, n in row["counts"].items() if isinstance(n, int))
    at, what = f"{row['at'][:19].replace('T', ' ')} UTC", f"{row['what']}{': ' + counts if counts else ''}"
    return f"{row['entry']:>6}  {at}  {row['user']:<12}  {row['radcal']:<8}  {what}"
