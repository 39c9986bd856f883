"""Personal files from the command line: one with a given passphrase, or all with random ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from radcal import inputs
from radcal.errors import InputError
from radcal.progress import SILENT, Progress
from radcal.workflow.commands.summaries import counted
from radcal.workflow.department import Department
from radcal.workflow.handing_out.passphrases import PassphraseFile


def hand_out_one(department: Department, author: str, out: Path, passphrase: str) -> dict[str, Any]:
    """Write the personal file of one radiologist.

    Returns:
        The summary: the file, and ``text`` for the user.

    Raises:
        InputError: unknown author, a file that exists or cannot be written, or a weak passphrase.
        DataError: there is no analysis yet.
    """
    path = department.packets.write(author, out, passphrase)
    text = f"The personal file is {path}. Give its passphrase to {author} apart from the file."
    return {"files": [str(path)], "text": text}


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
        DataError: there is no analysis yet.
    """
    department.authors()  # refuses before creating a file
    if inputs.full_path(folder) in inputs.full_path(passphrases).parents:
        raise InputError(
            "{passphrases} lies in {folder}, beside the files that the passphrases open. Name a file elsewhere.",
            passphrases=passphrases,
            folder=folder,
        )
    with PassphraseFile(passphrases) as keeper:
        department.exports.enter("file of passphrases", passphrases)
        written = department.handing_out.write_all(folder, pages=False, packets=True, keeper=keeper, progress=progress)
    good = sum(bool(w.passphrase) for w in written)
    failures = [{"radiologist": w.author, "reason": w.failure} for w in written if w.failure]
    lines = [f"{good} of {counted(len(written), 'personal file is', 'personal files are')} in {folder}."]
    if good:
        lines.append(f"Their passphrases are in {passphrases}: give each to its radiologist apart from the file.")
    lines += [f"{f['radiologist']}: {f['reason']}" for f in failures]
    return {"files": [str(path) for w in written for path in w.files], "failures": failures, "text": "\n".join(lines)}
