"""``radcal report`` and ``radcal personal``: what is handed out to radiologists, one by one or all."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from radcal.cli.options import (
    days_of,
    sheet_of,
)
from radcal.cli.passphrases import department_for_exports, own_passphrase, passphrase
from radcal.cli.summaries import Summary, counted, entered, fields_of
from radcal.department import Department, Results
from radcal.feedback.file_passphrases import PassphraseFile, refuse_beside
from radcal.feedback.records import Macros
from radcal.opening import department_of, open_for_exports
from radcal.reports.authors import author_called
from radcal.system.errors import InputError
from radcal.system.files import record_to_plain
from radcal.system.progress import SILENT, Progress
from radcal.system.text import Text

_MACROS = (".txt", ".tsv", ".csv")


def report(args: argparse.Namespace, bar: Progress) -> Summary:
    """Write one radiologist's pages, or the department's: the feedback, that on drafts, a pocket card or macros."""
    macros = args.out.suffix.lower() in _MACROS
    if args.drafts and not args.author:
        raise InputError("Drafts are a person's own: --drafts goes with --author NAME.")
    if args.windows and not macros:
        raise InputError("Line ends are those of macros: --windows goes with --out FILE.txt, .tsv or .csv.")
    if macros and (args.drafts or args.card):
        raise InputError("Feedback on drafts and pocket cards are pages: let the name of the file end with .pdf.")
    with open_for_exports(args.workspace, passphrase(args, new=False), names_key=args.names_key) as results:
        if args.author:
            known = department_of(results).pages.drafting() if args.drafts else results.authors()
            author = _author(results, args.author, known)
        else:
            department_of(results)  # a personal file holds nothing of others
            author = ""
        if macros:
            return entered(_macros(args, results, author, bar), results)
        path = _write_report(args, results, author, bar)
        what = "pocket card" if args.card else "feedback"
        told = _told(results, author, args) if author and not (args.card or args.drafts) else {}
        return entered({"pdf": str(path), **told, "text": f"The {what} is in {path}."}, results)


def _told(results: Results, author: str, args: argparse.Namespace) -> Summary:
    """What the pages tell first.

    Returns:
        ``new_cases`` (``since``, ``n`` new findings, and of each of the ``cases`` report_id, topic, phrase, kind,
        chance and outcome), and ``goal`` (goal, head, became, uses, change), None without one.
    """
    new, goal = results.new_cases.of(author, days_of(args)), results.goals.said(author)
    cover = results.masking.now()
    cases = [
        fields_of(case, "kind", "chance", topic="example.topic", phrase="example.phrase", outcome="example.outcome")
        | {"report_id": case.xray_id if cover is None else cover.number(case.xray_id)}
        for case in new.cases
    ]
    return {
        "new_cases": record_to_plain(new) | {"cases": cases},
        "goal": None if goal is None else record_to_plain(goal) | fields_of(goal, "head", "became", "uses"),
    }


def _write_report(args: argparse.Namespace, results: Results, author: str, bar: Progress) -> Path:
    """Write the PDF that was asked for; ``author`` is '' for the department's."""
    how: dict[str, Any] = {"days": days_of(args), "sheet": sheet_of(args), "progress": bar}
    if args.drafts:
        return department_of(results).pages.write_drafts(author, args.out, **how)
    return results.pages.write(author, args.out, card=args.card, **how)


def _macros(args: argparse.Namespace, results: Results, author: str, progress: Progress) -> Summary:
    """Write the dictation macros of a radiologist, or with '' those of the department's vocabulary.

    Returns:
        The summary: ``file``, ``language``, ``macros`` (name, text, and the words ``instead_of`` which it is advised),
        ``kept`` (pathology and words that stay as they are), ``unfit`` (pathology and phrase without a macro because
        its letters do not suit one, or another has its name), and ``text``.
    """
    made = results.macros.write(author, args.out, days=days_of(args), windows=args.windows, progress=progress)
    return {
        "file": str(args.out),
        "language": made.language,
        "macros": [{"name": m.name, "text": m.text, "instead_of": list(m.instead_of)} for m in made.macros],
        "kept": {topic: list(words) for topic, words in made.kept},
        "unfit": [list(pair) for pair in made.unfit],
        "text": "\n".join(_told_of_macros(made, args.out)),
    }


def _quoted(words: Iterable[str]) -> str:
    return ", ".join(f"'{word}'" for word in words)


def _told_of_macros(made: Macros, out: Path) -> list[str]:
    lines = [f"{counted(len(made.macros), 'macro is', 'macros are')} in {out}."]
    lines += [f"'{m.phrase}' for {m.topic}, in place of {_quoted(m.instead_of)}." for m in made.macros if m.instead_of]
    replaced = {(m.topic, source) for m in made.macros for source in m.instead_of}
    if any((m.topic, m.phrase) in replaced for m in made.macros):
        lines.append("A word on both sides moves along the scale: take its macros over together, or not at all.")
    lines += [f"Kept for {topic}: {', '.join(words)}." for topic, words in made.kept]
    lines += [
        f"No macro of '{phrase}' for {topic}: its letters do not suit a dictation system, or another has its name."
        for topic, phrase in made.unfit
    ]
    return lines


def personal(args: argparse.Namespace, bar: Progress) -> Summary:
    """Write the personal files of one radiologist or of all.

    Returns:
        The summary: the files, of all ``failures``, and ``text``.

    Raises:
        InputError: unknown author, a file that exists or cannot be written, or a weak passphrase.
        DataError: there is no analysis yet, or feedback is withheld because reports are read too badly.
    """
    if not args.author and args.passphrases is None:
        raise InputError("Name a file for the passphrases that are drawn: --passphrases FILE.csv.")
    if args.author and args.passphrases is not None:
        raise InputError("One radiologist's passphrase is given, not drawn: leave out --passphrases or --author.")
    with department_for_exports(args) as department:
        if not args.author:
            return entered(hand_out_all(department, args.out, args.passphrases, progress=bar), department)
        author = _author(department, args.author, department.authors())
        if author not in department.authors():
            department.author_results.analysis(author)  # lists the known names before asking for a passphrase
        own = own_passphrase(args, Text("personal file"), args.author)
        department.personal_files.write(author, args.out, own)
        made = _made_by(department)
        name = department.names.name_of(author)
        text = f"The personal file is {args.out}. Give its passphrase to {name} apart from the file."
        return entered({**made, "files": [str(args.out)], "text": f"{text}\n{_read_by(made)}"}, department)


def _author(results: Results, text: str, authors: Collection[str]) -> str:
    """The author that a text means, by name or by pseudonym."""
    return author_called(text, results.names.called(authors))


def hand_out_all(department: Department, folder: Path, passphrases: Path, progress: Progress = SILENT) -> Summary:
    """Write the personal files of all radiologists, each with a random passphrase.

    Args:
        folder: created if missing; existing files remain.
        passphrases: a new file for the passphrases, readable only by its owner: CSV of radiologist, file, passphrase.
            It must not be in ``folder``, since files and passphrases are handed out separately.  Each passphrase is
            on the disk before its file is complete, so that a killed program loses none.

    Returns:
        The summary, without passphrases: files, ``failures`` (radiologist and reason, including those not
        reached because of a stop), and ``text``.

    Raises:
        InputError: the file of passphrases exists, is in ``folder``, or cannot be written.
        DataError: there is no analysis yet, or feedback is withheld because reports are read too badly.
    """
    department.authors()  # refuses before creating a file
    department.pages.require_accuracy()
    refuse_beside(passphrases, folder, folder=True)
    with PassphraseFile(passphrases) as keeper:
        department.exports.enter("file of passphrases", passphrases)
        written = department.handing_out.write_all(
            folder, pages=False, personal_files=True, keeper=keeper, progress=progress
        )
    good = sum(bool(w.passphrase) for w in written)
    failures = [{"radiologist": w.author, "reason": w.failure} for w in written if w.failure]
    lines = [f"{good} of {counted(len(written), 'personal file is', 'personal files are')} in {folder}."]
    if good:
        lines.append(f"Their passphrases are in {passphrases}: give each to its radiologist apart from the file.")
    lines += [f"{f['radiologist']}: {f['reason']}" for f in failures]
    made = _made_by(department)
    lines.append(_read_by(made))
    files = [str(path) for w in written for path in w.files]
    return {**made, "files": files, "failures": failures, "text": "\n".join(lines)}


def _made_by(department: Department) -> Summary:
    """The engine whose findings the results hold."""
    analysis = department.analysis()
    made = analysis.provenance if analysis is not None else None
    return {} if made is None else fields_of(made, "engine", "engine_version")


def _read_by(made: dict[str, Any]) -> str:
    return f"Findings read by {made['engine']} {made['engine_version'].partition('+')[0]}."
