"""``radcal review-file`` and ``radcal contests``: files for readers and of radiologists that come back."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from radcal.cli.options import PASSPHRASE, WORKSPACE, Step, add_file
from radcal.cli.passphrases import passphrase
from radcal.cli.summaries import Summary, counted, entered, left_out
from radcal.department import Department
from radcal.feedback.file_passphrases import PassphraseFile, refuse_beside
from radcal.feedback.hand_outs import HandOut, Returned
from radcal.opening import open_department
from radcal.system.errors import InputError
from radcal.system.progress import Progress
from radcal.system.text import Text


def review_file_options(step: Step) -> None:
    """Options of `radcal review-file`."""
    step.explain(
        "`make` writes the texts of a gold set into an encrypted file under numbers, without accession numbers, "
        "patients, times, authors, results or other readers' answers. The reader opens it in RadCal and sends it back. "
        "`merge` enters the answers under that reader; the same file twice changes nothing. Exit status: 1 if anything "
        "was left out."
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
    step.take(WORKSPACE, PASSPHRASE)


def review_file(args: argparse.Namespace, bar: Progress) -> Summary:
    """Make, list or merge review files."""
    if args.do == "make" and (args.reader is None or args.out is None or args.files):
        raise InputError("Name the reader and the file: radcal review-file make --reader NAME --out FILE.radcal.")
    if args.do == "merge" and not args.files:
        raise InputError("Name the review files that came back: radcal review-file merge FILE.radcal ...")
    with open_department(args.workspace, passphrase(args, new=False)) as department:
        if args.do == "list":
            return _listed(department)
        if args.do == "merge":
            return _merged(department, args.files, bar)
        return _made(department, args, bar)


def _made(department: Department, args: argparse.Namespace, progress: Progress) -> Summary:
    """Write a review file of a gold set for one reader, under a drawn passphrase that the workspace keeps.

    Returns:
        The summary, without the passphrase: file, reader, gold_set, reports, blind, and ``text``.

    Raises:
        InputError, DataError: as :meth:`ReviewFiles.make`; or the file of the passphrase exists, or lies beside the
            review file.
    """
    make = partial(
        department.review_files.make,
        args.reader,
        args.out,
        gold_set=args.set,
        blind=not args.in_sight,
        progress=progress,
    )
    if args.passphrases is None:
        made = make()
        kept = "The workspace keeps its passphrase; the Review page shows it under More, Review files"
    else:
        refuse_beside(args.passphrases, args.out)
        with PassphraseFile(args.passphrases) as keeper:
            department.exports.enter("file of passphrases", args.passphrases)
            made = make(keeper=keeper)
        kept = f"Its passphrase is in {args.passphrases}, and the workspace keeps it"
    how = "with the engine's findings" if args.in_sight else "without findings of an engine"
    reports = counted(len(made.reports), "report", "reports")
    text = (
        f"The review file for {made.person} is {args.out}: {reports} of gold set {made.gold_set}, {how}. {kept}: give "
        "it to the reader apart from the file."
    )
    return entered(_plain(made) | {"text": text}, department)


def _plain(made: HandOut) -> Summary:
    return {
        "file": str(made.file),
        "reader": made.person,
        "gold_set": made.gold_set,
        "reports": len(made.reports),
        "blind": made.blind,
        "made": made.made,
        "merged": made.returned or None,
    }


def _listed(department: Department) -> Summary:
    """The review files that were handed out, the latest first.

    Returns:
        The summary, without passphrases: files as in :func:`_made`, made and merged in UTC, and ``text``.
    """
    handed = department.review_files.handed_out()
    lines = [
        f"{h.made[:16].replace('T', ' ')} UTC  {h.person:<12}  {h.file}  "
        f"{counted(len(h.reports), 'report', 'reports')} of gold set {h.gold_set}, "
        f"{'blind' if h.blind else 'in sight'}, "
        f"{'merged ' + h.returned[:16].replace('T', ' ') + ' UTC' if h.returned else 'not merged yet'}"
        for h in handed
    ]
    return {"files": [_plain(h) for h in handed], "text": "\n".join(lines) or "No review file was handed out."}


def _merged(department: Department, files: Sequence[Path], progress: Progress) -> Summary:
    """Merge review files that came back; one that cannot be merged does not affect the others.

    Returns:
        The summary: merged (file, reader, gold_set, finished, reports, new, turned, both), ``failures`` (file and
        reason; or file, report by its number in the file, answers and reason), and ``text``.
    """
    merged: list[dict[str, Any]] = []
    failures: list[dict[str, Any]] = []
    lines: list[str] = []
    progress.start(len(files), Text("Merging review files"))
    for path in files:
        progress.raise_if_cancelled()
        try:
            brought = department.review_files.take_back(path)
        except InputError as error:
            failures.append({"file": path.name, "row": None, "reason": str(error)})
            continue
        finally:
            progress.advance()
        merged.append(
            {
                "file": brought.file,
                "reader": brought.hand_out.person,
                "gold_set": brought.hand_out.gold_set,
                "finished": brought.finished,
                "reports": len(brought.hand_out.reports),
                "new": brought.new,
                "turned": brought.turned,
                "both": list(brought.both),
            }
        )
        lines.append(_merged_line(brought))
        failures += [
            {
                "file": brought.file,
                "row": None,
                "report": one.report,
                "answers": one.n,
                "reason": f"report {one.report or '?'}, {counted(one.n, 'answer', 'answers')}: {one.reason}",
            }
            for one in brought.refused
        ]
    return {"merged": merged, "failures": failures, "text": "\n".join(lines) + left_out(failures)}


def _merged_line(brought: Returned) -> str:
    handed = brought.hand_out
    reports = counted(len(handed.reports), "report is", "reports are")
    if not brought.changed:
        line = f"{brought.file} has nothing new of {handed.person}."
    else:
        line = (
            f"{brought.file}: {brought.finished:,} of {reports} done by {handed.person}; "
            f"{counted(brought.new, 'answer is', 'answers are')} new, {brought.turned:,} undone or valid again."
        )
    if brought.both:
        line += (
            f" {counted(len(brought.both), 'report was', 'reports were')} answered in the workspace, too: both answers "
            "are kept in order of time, and where they speak of the same, the later holds."
        )
    return line if brought.is_current else f"{line} They belong to gold set {handed.gold_set}, not the latest."


def contests_options(step: Step) -> None:
    """Options of `radcal contests`."""
    step.explain(
        "Each is checked against the last analysis: it must have that finding of that radiologist. The same file twice "
        "changes nothing. Exit status: 1 if anything was left out."
    )
    step.add_argument("do", choices=("take",), help="take them in")
    add_file(step, "files", "FILE.radcal-contests", "files of contests that came back", nargs="+")
    step.take(WORKSPACE, PASSPHRASE)


def contests(args: argparse.Namespace, bar: Progress) -> Summary:
    """Take in contests that radiologists made in their personal files.

    Returns:
        The summary: taken (file, radiologist, added, withdrawn, known), ``failures`` (file and reason; or file,
        report_id, topic and reason), and ``text``.

    Raises:
        DataError: there is no analysis yet.
    """
    with open_department(args.workspace, passphrase(args, new=False)) as department:
        return _taken(department, args.files, bar)


def _taken(department: Department, files: Sequence[Path], progress: Progress) -> Summary:
    taken: list[dict[str, Any]] = []
    failures: list[dict[str, Any]] = []
    lines: list[str] = []
    progress.start(len(files), Text("Taking in contests"))
    for path in files:
        progress.raise_if_cancelled()
        try:
            brought = department.personal_files.take_back(path)
        except InputError as error:
            failures.append({"file": path.name, "row": None, "reason": str(error)})
            continue
        finally:
            progress.advance()
        taken.append(
            {
                "file": brought.file,
                "radiologist": brought.hand_out.person,
                "added": brought.new,
                "withdrawn": brought.turned,
                "known": brought.known,
            }
        )
        lines.append(
            f"{brought.file}, by {brought.hand_out.person}: {counted(brought.new, 'contest is', 'contests are')} new, "
            f"{brought.turned:,} withdrawn, {brought.known:,} known before."
        )
        failures += [
            {
                "file": brought.file,
                "row": None,
                "report_id": one.report,
                "topic": one.topic,
                "reason": f"{one.topic} in {one.report}: {one.reason}",
            }
            for one in brought.refused
        ]
    return {"taken": taken, "failures": failures, "text": "\n".join(lines) + left_out(failures)}
