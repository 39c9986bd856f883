"""The steps that keep a workspace safe: check, backup, restore, audit."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, TypeAlias

from radcal.cli.bar import Bar
from radcal.cli.options import add_file, add_mapping, add_workspace
from radcal.cli.passphrases import passphrase
from radcal.cli.steps import preset_of
from radcal.cli.values import column_mapping, day, read_text
from radcal.errors import InputError
from radcal.workflow.commands.deidentifying import deidentify_file, deidentify_workspace
from radcal.workflow.commands.keeping import (
    audit_log,
    back_up_workspace,
    check_workspace,
    export_log,
    restore_workspace,
    verify_log,
)

Add: TypeAlias = Callable[..., argparse.ArgumentParser]


def check(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Check every byte of a workspace."""
    return check_workspace(args.workspace, passphrase(args, new=False), progress=bar)


def backup(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Copy a workspace and verify the copy."""
    return back_up_workspace(args.workspace, passphrase(args, new=False), args.out, progress=bar)


def restore(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Restore a workspace from a backup."""
    return restore_workspace(args.backup, args.workspace, passphrase(args, new=False), progress=bar)


def audit(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """List, verify or export the audit log of a workspace."""
    if args.out is None and args.do == "export":
        raise InputError("Name a file for the audit log: --out FILE.csv or FILE.xlsx.")
    if args.against and args.do != "verify":
        raise InputError("Only `radcal audit verify` takes files to compare the log with.")
    given = passphrase(args, new=False)
    if args.do == "verify":
        own = (
            read_text(args.own_passphrase_file, "passphrase file").rstrip("\r\n") if args.own_passphrase_file else None
        )
        return verify_log(args.workspace, given, args.against, own, progress=bar)
    if args.out is not None:
        return export_log(args.workspace, given, args.out, args.since)
    return audit_log(args.workspace, given, args.since)


def deidentify(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """De-identify the reports that a workspace stores as they were read, or the texts of a file into another."""
    if args.workspace is None:
        if args.reports is None or args.out is None:
            raise InputError(
                "Name reports and a file for their texts (radcal deidentify REPORTS --out FILE.csv), or a workspace "
                "whose stored reports are to be de-identified (radcal deidentify --workspace W)."
            )
        mapping, preset = column_mapping(args.map), preset_of(args)
        return deidentify_file(args.reports, args.out, mapping=mapping, preset=preset, progress=bar)
    if args.reports is not None or args.out is not None or args.map or args.preset:
        raise InputError(
            "With --workspace, the stored reports themselves are de-identified: REPORTS, --out, --map and --preset are "
            "for `radcal deidentify REPORTS --out FILE.csv` alone."
        )
    return deidentify_workspace(args.workspace, passphrase(args, new=False), progress=bar)


def add_keeping(add: Add) -> None:
    """The five steps; ``add`` makes one from its function and its help."""
    shared = "the encrypted workspace file; others may have it open meanwhile"
    step = add(
        check,
        "whether all of a workspace can be read",
        "Says what is damaged, what can still be read, and which backups are sound. Exit status: 0 nothing is damaged, "
        "1 something is, 2 the file cannot be opened.",
    )
    add_workspace(step, shared)
    step = add(
        backup,
        "an encrypted copy of a workspace",
        "Opened and read to its last page before it counts; under the same passphrase.",
    )
    add_file(
        step,
        "--out",
        "FILE.radcal",
        "the copy, which may not exist; else it is added to the workspace's folder of backups, in which the last "
        "of each of 7 days, 4 weeks and 6 months is kept",
    )
    add_workspace(step, shared)
    step = add(
        restore,
        "a workspace as a backup has it",
        "The backup is read to its last page first. The present file is kept beside the workspace under another name; "
        "that, and what it held beyond the backup, is told.",
    )
    add_file(step, "backup", "BACKUP.radcal", "the backup; it stays as it is")
    add_workspace(step, "the workspace file whose place it takes; nobody may have it open")
    step = add(
        deidentify,
        "names, dates, numbers and addresses out of reports",
        "With REPORTS and --out: writes their texts as an import would store them, for a data protection officer"
        " to look "
        "at; report_id stays as in the file, and dates are shifted by other days in every call. Exit status: 0"
        " all texts were written, 1 "
        "some reports were left out, 2 nothing was written. With --workspace: takes them "
        "out of reports that were stored with them. A backup is made first. Findings, answers of gold sets and"
        " contested findings stay; nothing is read anew. Of "
        "the patients' names is known only what the texts tell: import the files again to have their columns read, "
        "too. Earlier backups hold the texts as they were, the one made now included: delete them when you have "
        "looked at the result. Where no backup can be made, nothing is changed.",
    )
    about = "what an import reads: a table (CSV, TSV, Excel), a folder of text files, HL7, FHIR or DICOM; needs --out"
    add_file(step, "reports", "REPORTS", about, nargs="?")
    add_file(step, "--out", "FILE", "the texts of REPORTS as .csv or .xlsx, with the columns report_id and text")
    add_mapping(step, "patient_name=Name")
    add_workspace(step, "the encrypted workspace file; nobody may have it open", required=False)
    step = add(
        audit,
        "who did what when in a workspace, and whether that is still what was entered",
        "In counts, without report text or patients. `verify` follows the chain of the entries and compares it with "
        "the backups at hand and the files given; exit status 1 if the log was changed. It cannot tell whether the "
        "newest entries, which nothing outside knows yet, were rewritten or removed. `export` writes all entries with "
        "their hashes.",
    )
    step.add_argument("do", nargs="?", choices=("list", "verify", "export"), default="list", help="default: list")
    step.add_argument(
        "--since", type=day, metavar="DATE", help="list, and tables: from this day (UTC) on, such as 2026-01-01"
    )
    add_file(
        step,
        "--against",
        "FILE",
        "verify: further backups",
        nargs="+",
        default=[],
    )
    add_file(
        step,
        "--out",
        "FILE",
        "export: a table (.csv, .xlsx)",
    )
    own = "file that holds the passphrase of the backups given with --against where it is another"
    add_file(step, "--own-passphrase-file", "FILE", own)
    add_workspace(step, "the encrypted workspace file; others may have it open meanwhile")
