"""Personal files from the command line, one with a given passphrase or all with random ones, and dictation macros."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from radcal.progress import SILENT, Progress
from radcal.records import ALL_DAYS, Days, Macros
from radcal.workflow.commands.summaries import counted
from radcal.workflow.department import Department, Results
from radcal.workflow.handing_out.passphrases import PassphraseFile, refuse_beside


def hand_out_one(department: Department, author: str, out: Path, passphrase: str) -> dict[str, Any]:
    """Write the personal file of one radiologist.

    Returns:
        The summary: the file, and ``text`` for the user.

    Raises:
        InputError: unknown author, a file that exists or cannot be written, or a weak passphrase.
        DataError: there is no analysis yet, or feedback is withheld because reports are read too badly.
    """
    department.packets.write(author, out, passphrase)
    made = made_by(department)
    name = department.names.name_of(author)
    text = f"The personal file is {out}. Give its passphrase to {name} apart from the file."
    return {**made, "files": [str(out)], "text": f"{text}\n{_read_by(made)}"}


def made_by(department: Department) -> dict[str, Any]:
    """The engine whose findings the results hold."""
    analysis = department.analysis()
    made = analysis.provenance if analysis is not None else None
    return {} if made is None else {"engine": made.engine, "engine_version": made.engine_version}


def _read_by(made: dict[str, Any]) -> str:
    return f"Findings read by {made['engine']} {made['engine_version'].partition('+')[0]}."


def hand_out_all(
    department: Department, folder: Path, passphrases: Path, progress: Progress = SILENT
) -> dict[str, Any]:
    """Write the personal files of all radiologists, each with a random passphrase.

    Args:
        folder: created if missing; existing files remain.
        passphrases: a new file for the passphrases, readable only by its owner: CSV of radiologist, file, passphrase.
            It must not be in ``folder``, since files and passphrases are handed out separately.  Each passphrase is
            on the disk before its file is complete, so that a killed program loses none.

    Returns:
        The summary, without passphrases: files, ``failures`` (radiologist and reason, including those not reached
        because of a stop), and ``text``.

    Raises:
        InputError: the file of passphrases exists, is in ``folder``, or cannot be written.
        DataError: there is no analysis yet, or feedback is withheld because reports are read too badly.
    """
    department.authors()  # refuses before creating a file
    department.pages.require_accuracy()
    refuse_beside(passphrases, folder, folder=True)
    with PassphraseFile(passphrases) as keeper:
        department.exports.enter("file of passphrases", passphrases)
        written = department.handing_out.write_all(folder, pages=False, packets=True, keeper=keeper, progress=progress)
    good = sum(bool(w.passphrase) for w in written)
    failures = [{"radiologist": w.author, "reason": w.failure} for w in written if w.failure]
    lines = [f"{good} of {counted(len(written), 'personal file is', 'personal files are')} in {folder}."]
    if good:
        lines.append(f"Their passphrases are in {passphrases}: give each to its radiologist apart from the file.")
    lines += [f"{f['radiologist']}: {f['reason']}" for f in failures]
    made = made_by(department)
    lines.append(_read_by(made))
    files = [str(path) for w in written for path in w.files]
    return {**made, "files": files, "failures": failures, "text": "\n".join(lines)}


def macros_file(
    results: Results,
    author: str,
    out: Path,
    *,
    days: Days = ALL_DAYS,
    windows: bool = False,
    progress: Progress = SILENT,
) -> dict[str, Any]:
    """Write the dictation macros of a radiologist, or with '' those of the department's vocabulary.

    Returns:
        The summary: ``file``, ``language``, ``macros`` (name, text, and the words ``instead_of`` which it is advised),
        ``kept`` (pathology and words that stay as they are), ``unfit`` (pathology and phrase without a macro because
        its letters do not suit one, or another has its name), and ``text``.

    Raises:
        InputError, DataError: as for :meth:`DictationMacros.write`.
    """
    if author:
        made = results.macros.write(author, out, days=days, windows=windows, progress=progress)
    else:
        made = results.macros.write_department(out, windows=windows)
    return {
        "file": str(out),
        "language": made.language,
        "macros": [{"name": m.name, "text": m.text, "instead_of": list(m.instead_of)} for m in made.macros],
        "kept": {topic: list(words) for topic, words in made.kept},
        "unfit": [list(pair) for pair in made.unfit],
        "text": "\n".join(_told_of_macros(made, out)),
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
