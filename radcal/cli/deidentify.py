"""``radcal deidentify``: identifiers out of what a workspace stores, or out of texts into a file."""

from __future__ import annotations

import argparse
from pathlib import Path

from radcal.cli.options import column_mapping, preset_of, writer
from radcal.cli.passphrases import passphrase
from radcal.cli.summaries import Summary, counted, fields_of, written
from radcal.opening import open_department
from radcal.reports.deidentify.stored import notes_of
from radcal.system import exports
from radcal.system.errors import InputError
from radcal.system.progress import Progress


def deidentify(args: argparse.Namespace, bar: Progress) -> Summary:
    """De-identify the reports that a workspace stores as they were read, or the texts of a file into another."""
    if args.workspace is None:
        if args.reports is None or args.out is None:
            raise InputError(
                "Name reports and a file for their texts (radcal deidentify REPORTS --out FILE.csv), or a workspace "
                "whose stored reports are to be de-identified (radcal deidentify --workspace W)."
            )
        return _of_file(args, bar)
    if args.reports is not None or args.out is not None or args.map or args.preset:
        raise InputError(
            "With --workspace, the stored reports themselves are de-identified: REPORTS, --out, --map and --preset are "
            "for `radcal deidentify REPORTS --out FILE.csv` alone."
        )
    return _of_workspace(args.workspace, passphrase(args, new=False), bar)


def _of_file(args: argparse.Namespace, progress: Progress) -> Summary:
    """Write the texts of some reports as an import would store them; each version of a report has its row.

    Names in columns are known as at import. Dates are shifted by other days in every call, as no workspace has a secret
    here; the same days for all texts of a patient.
    """
    from radcal.reports.documents import read_documents_csv

    mapping, preset = column_mapping(args.map), preset_of(args)
    documents, rejected, notes = read_documents_csv(
        args.reports, mapping=mapping, preset=preset, deidentify=True, versions=True, progress=progress
    )
    texts = [document for document in documents if document.text.strip()]
    rows = [("report_id", "text"), *((document.report_id, document.text) for document in texts)]
    table = exports.table(rows, args.out.suffix, "de-identified texts")
    writer(args).write(args.out, table)
    failures = rejected.assign(position=rejected["row"]).to_dict("records")
    n = counted(len(texts), "de-identified text is", "de-identified texts are")
    made = written(args.out, [f"{n} in {args.out}."], {"reports": len(texts), "notes": [*map(str, notes)]}, failures)
    return made | {"text": "\n".join([made["text"], *made["notes"]])}


def _of_workspace(path: Path, passphrase: str, progress: Progress) -> Summary:
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
    return fields_of(found, "reports", "changed", "suspects") | {"removed": dict(found.kinds), "text": text}
