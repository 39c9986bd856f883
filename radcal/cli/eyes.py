"""The steps for files that come back: review files of readers, contests of radiologists."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any, TypeAlias

from radcal import workflow
from radcal.cli.bar import Bar
from radcal.cli.options import add_file, add_workspace
from radcal.cli.passphrases import passphrase
from radcal.errors import InputError
from radcal.workflow.commands.eyes import list_review_files, make_review_file, merge_review_files, take_contests

Add: TypeAlias = Callable[..., argparse.ArgumentParser]


def review_file(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Make, list or merge review files."""
    if args.do == "make" and (args.reader is None or args.out is None or args.files):
        raise InputError("Name the reader and the file: radcal review-file make --reader NAME --out FILE.radcal.")
    if args.do == "merge" and not args.files:
        raise InputError("Name the review files that came back: radcal review-file merge FILE.radcal ...")
    with workflow.open_department(args.workspace, passphrase(args, new=False)) as department:
        if args.do == "list":
            return list_review_files(department)
        if args.do == "merge":
            return merge_review_files(department, args.files, progress=bar)
        return make_review_file(
            department,
            args.reader,
            args.out,
            args.passphrases,
            gold_set=args.set,
            blind=not args.in_sight,
            progress=bar,
        )


def contests(args: argparse.Namespace, bar: Bar) -> dict[str, Any]:
    """Take in contests."""
    with workflow.open_department(args.workspace, passphrase(args, new=False)) as department:
        return take_contests(department, args.files, progress=bar)


def add_eyes(add: Add) -> None:
    """The two steps; ``add`` makes one from its function and its help."""
    step = add(
        review_file,
        "a gold set for a reader without the workspace, and the answers that come back",
        "`make` writes the texts of a gold set into an encrypted file under numbers, without accession numbers, "
        "patients, times, authors, results or other readers' answers. The reader opens it in RadCal and sends it back. "
        "`merge` enters the answers under that reader; the same file twice changes nothing. Exit status: 1 if anything "
        "was left out.",
    )
    step.add_argument("do", choices=("make", "merge", "list"), help="what to do")
    add_file(step, "files", "FILE.radcal", "merge: review files that came back", nargs="*")
    step.add_argument("--reader", metavar="NAME", help="make: who reads, by name or initials")
    add_file(step, "--out", "FILE.radcal", "make: the file, which may not exist")
    step.add_argument("--set", type=int, metavar="N", help="make: the number of the gold set; else the latest")
    step.add_argument(
        "--in-sight",
        action="store_true",
        help="make: with the engine's findings, so that nothing is read blind; else the file has none",
    )
    drawn = "make: a new file for the drawn passphrase, in another folder; the workspace keeps it in any case"
    add_file(step, "--passphrases", "FILE.csv", drawn)
    add_workspace(step, "the encrypted workspace file")
    step = add(
        contests,
        "findings that radiologists contest in their personal files",
        "Each is checked against the last analysis: it must have that finding of that radiologist. The same file twice "
        "changes nothing. Exit status: 1 if anything was left out.",
    )
    step.add_argument("do", choices=("take",), help="take them in")
    add_file(step, "files", "FILE.radcal-contests", "files of contests that came back", nargs="+")
    add_workspace(step, "the encrypted workspace file")
