"""``radcal demo``: the whole chain on a made-up department."""

from __future__ import annotations

import argparse
import secrets
from collections.abc import Iterator, Sequence
from pathlib import Path

from radcal.cli.run import write_results
from radcal.cli.settings import settings_of
from radcal.cli.summaries import Summary
from radcal.feedback.batch import ON_CARDS, TO_DICTATE
from radcal.feedback.records import Sheet
from radcal.opening import open_department
from radcal.reports.importing import as_files
from radcal.sample.department import generate
from radcal.system.errors import InputError, reason_of
from radcal.system.files import writing
from radcal.system.progress import Progress


def demo(args: argparse.Namespace, bar: Progress) -> Summary:
    """Run all steps on a made-up department of 12 radiologists, with pictures of the first pages, cards and macros.

    Writes reports/ (the exports of a radiology system, and the hidden truth), the encrypted workspace
    department.radcal with its passphrase beside it (it has no patient data), and feedback/.  A second call with the
    same folder starts over.  The same pairs and settings give the same results and pseudonyms and, on the same day,
    identical pages; the workspace is encrypted anew.

    Raises:
        InputError: the folder cannot be written.
        DataError: too few pairs.
    """
    out, settings = args.out, settings_of(args)
    workspace, key, feedback = out / "department.radcal", out / "department.passphrase.txt", out / "feedback"
    try:
        out.mkdir(parents=True, exist_ok=True)
        workspace.unlink(missing_ok=True)
    except OSError as error:
        raise InputError(
            "{folder} cannot be written: {strerror}. Choose another folder.", folder=out, strerror=reason_of(error)
        ) from error
    passphrase = secrets.token_urlsafe(12)
    with writing(key) as file:
        file.write(passphrase + "\n")
    sample = generate(out / "reports", args.pairs, settings.seed, bar)
    with open_department(
        workspace, passphrase, create=True, settings=settings, pseudonym_seed=settings.seed
    ) as department:
        summary = write_results(
            department,
            feedback,
            as_files(xray=[sample.xray], ct=[sample.ct]),
            sheet=Sheet(language=args.language),
            pictures=True,
            hand_outs=True,
            progress=bar,
        )
    pictures = [Path(name) for name in summary["files"] if name.endswith(".png")]
    page = pictures[0].with_name(pictures[0].name.replace("-page-1.png", ".pdf"))
    summary["text"] = "\n".join(
        [
            summary["text"],
            f"  PDF        {page} (one of {summary['authors']})",
            f"  pictures   {pictures[0]}{f' to {pictures[-1].name}' if len(pictures) > 1 else ''}",
            *_hand_outs(summary["files"]),
            f"  department {feedback / 'department.pdf'}",
            f"  workspace  {workspace}, passphrase in {key.name}",
            f"  reports    {sample.xray}, {sample.ct}; hidden truth in {sample.truth}",
        ]
    )
    # Unusable rows are part of the made-up department, unreadable reports are not.
    failures = summary["failures"]
    summary["rejected_on_purpose"] = [f for f in failures if "file" in f]
    summary["failures"] = [f for f in failures if "file" not in f]
    return summary


def _hand_outs(files: Sequence[str]) -> Iterator[str]:
    """One of the pocket cards and one of the files of macros, by name."""
    for what, kind in (("card", ON_CARDS), ("macros", TO_DICTATE)):
        found = [name for name in files if Path(name).name.startswith(f"{kind}-")]
        if found:
            yield f"  {what:<10} {found[0]} (one of {len(found)})"
