"""``radcal review-file``: files for readers, and what comes back from them and from radiologists."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from radcal.cli.passphrases import passphrase
from radcal.cli.summaries import Summary, counted, entered, fields_of, left_out
from radcal.department import Department
from radcal.feedback.file_passphrases import PassphraseFile, refuse_beside
from radcal.feedback.hand_outs import HandOut, Returned
from radcal.opening import open_department
from radcal.system.errors import InputError
from radcal.system.exports import CONTESTS_SUFFIX
from radcal.system.progress import Progress
from radcal.system.text import Text


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
        gold_set=args.gold_set,
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
    kept = fields_of(made, "gold_set", "blind", "made", reader="person")
    return kept | {"file": str(made.file), "reports": len(made.reports), "merged": made.returned or None}


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
    """Merge review files and contests that came back; one that cannot be merged does not affect the others.

    Returns:
        The summary: merged (file, reader, gold_set, finished, reports, new, turned, both), taken (of answers: file,
        radiologist, added, withdrawn, known, agreed, goal), ``failures`` (file and reason, and of a part of a file,
        report by its number in it and answers, or report_id and topic), and ``text``.
    """
    merged, taken, failures = list[Summary](), list[Summary](), list[Summary]()
    lines: list[str] = []
    progress.start(len(files), Text("Merging review files"))
    for path in files:
        progress.raise_if_cancelled()
        try:
            if path.suffix.lower() == CONTESTS_SUFFIX:
                _take_in(department.personal_files.take_back(path), taken, lines, failures)
            else:
                _enter(department.review_files.take_back(path), merged, lines, failures)
        except InputError as error:
            failures.append({"file": path.name, "row": None, "reason": str(error)})
        progress.advance()
    return {"merged": merged, "taken": taken, "failures": failures, "text": "\n".join(lines) + left_out(failures)}


def _enter(brought: Returned, merged: list[Summary], lines: list[str], failures: list[Summary]) -> None:
    """Say what a review file brought."""
    handed = {"reader": "hand_out.person", "gold_set": "hand_out.gold_set"}
    figures = fields_of(brought, "file", "finished", "new", "turned", **handed)
    merged.append(figures | {"reports": len(brought.hand_out.reports), "both": list(brought.both)})
    lines.append(_merged_line(brought))
    for one in brought.refused:
        of = f"report {one.report or '?'}, {counted(one.n, 'answer', 'answers')}"
        more = {"report": one.report, "answers": one.n, "reason": f"{of}: {one.reason}"}
        failures.append({"file": brought.file, "row": None, **more})


def _take_in(brought: Returned, taken: list[Summary], lines: list[str], failures: list[Summary]) -> None:
    """Say what a file of contests brought."""
    who = brought.hand_out.person
    taken.append(
        {"radiologist": who} | fields_of(brought, "file", "known", "agreed", "goal", added="new", withdrawn="turned")
    )
    lines.append(
        f"{brought.file}, by {who}: {counted(brought.new, 'contest is', 'contests are')} new, "
        f"{brought.turned:,} withdrawn, {brought.known:,} known before."
        + (f" {counted(brought.agreed, 'finding is', 'findings are')} agreed with." if brought.agreed else "")
        + (" A goal was set." if brought.goal else "")
    )
    for one in brought.refused:
        where = f"{one.topic} in {one.report}" if one.report else f"goal on {one.topic}"
        more = {"report_id": one.report, "topic": one.topic, "reason": f"{where}: {one.reason}"}
        failures.append({"file": brought.file, "row": None, **more})


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
