"""Personal files handed out from the command line: one with a passphrase that is given, all with drawn ones."""

from __future__ import annotations

import csv
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from radcal.errors import InputError
from radcal.progress import SILENT, Progress

if TYPE_CHECKING:
    from radcal.workflow.department import Department


def hand_out_one(department: Department, author: str, out: Path, passphrase: str) -> dict[str, Any]:
    """Write the personal file of one radiologist.

    Returns:
        The summary: the file, and ``text`` for the user.

    Raises:
        InputError: no such author, the file exists or cannot be written, or an unfit passphrase.
        DataError: there is no analysis yet.
    """
    path = department.write_packet(author, out, passphrase)
    text = f"The personal file is {path}. Give its passphrase to {author} apart from the file."
    return {"files": [str(path)], "text": text}


def hand_out_all(
    department: Department, folder: Path, passphrases: Path, progress: Progress = SILENT
) -> dict[str, Any]:
    """Write the personal files of all radiologists, each with a passphrase drawn for it.

    Args:
        folder: made where it is missing; existing files stay.
        passphrases: a new file for the passphrases, readable by its owner alone: CSV of radiologist, file, passphrase.
            It may not lie in ``folder``, since files and passphrases go separate ways.

    Returns:
        The summary: files, ``failures`` (radiologist and reason, those not reached because of a stop included), and
        ``text``.  No passphrase is in it.

    Raises:
        InputError: the file of passphrases exists, lies in ``folder`` or cannot be written.
        DataError: there is no analysis yet.
    """
    department.authors()  # refuses before there is a file
    if folder.resolve() in (passphrases.resolve().parent, *passphrases.resolve().parents):
        raise InputError(
            f"{passphrases} lies in {folder}, beside the files that the passphrases open. Name a file elsewhere."
        )
    try:
        # Made first, so that no file is written whose passphrase would then be lost.
        handle = os.open(passphrases, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    except FileExistsError:
        raise InputError(
            f"{passphrases} exists already, and may hold the only passphrases of files handed out before. "
            "Name another file."
        ) from None
    except OSError as error:
        raise InputError(f"{passphrases} cannot be written: {error.strerror}. Choose another place.") from error
    with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(("radiologist", "file", "passphrase"))
        written = department.pages.write_all(folder, pages=False, packets=True, progress=progress)
        table.writerows((w.author, w.files[0].name, w.passphrase) for w in written if w.passphrase)
    good = sum(bool(w.passphrase) for w in written)
    if not good:
        passphrases.unlink()
    failures = [{"radiologist": w.author, "reason": w.failure} for w in written if w.failure]
    lines = [f"{good} of {len(written)} personal files are in {folder}."]
    if good:
        lines.append(f"Their passphrases are in {passphrases}: give each to its radiologist apart from the file.")
    lines += [f"{f['radiologist']}: {f['reason']}" for f in failures]
    return {"files": [str(path) for w in written for path in w.files], "failures": failures, "text": "\n".join(lines)}
