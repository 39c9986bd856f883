"""The names key from the command line: where it is, who is who, a copy of it, another place for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from radcal import policy
from radcal.progress import SILENT, Progress
from radcal.workflow.commands.summaries import counted, entered
from radcal.workflow.department import Department


def names_key(
    department: Department,
    *,
    who: bool = False,
    copy: Path | None = None,
    move: Path | None = None,
    replace: Path | None = None,
    progress: Progress = SILENT,
) -> dict[str, Any]:
    """Say where the names of a workspace are, and copy or move its names key.

    Args:
        who: list pseudonyms with their names.
        copy, move: a new file.
        replace: a new file, into which names that are in the workspace are moved.

    Returns:
        The summary: ``kept`` ("apart" or "in the workspace"), the file, the number of radiologists it names (None where
        it is not at hand), ``names`` (pseudonym to name) with ``who``, and ``text``.

    Raises:
        SetByPolicy: with ``who``, IT allows no lists with names.
        InputError: there is no names key to copy, move or list, or the new file exists or cannot be written.
    """
    if who:
        policy.in_use().refuse_names()
    if replace is not None:
        department.replace_names(replace, progress)
    names = department.names
    if copy is not None:
        names.copy(copy)
    if move is not None:
        names.move(move)
    find = names.listed if who else names.required if copy or move else names.known
    known = find()
    why = str(names.why_unknown())
    if not names.kept_apart:
        text = f"The names of radiologists are in {department.path}."
    elif why:
        text = f"{department.path} has pseudonyms only. {why}"
    else:
        people = counted(len(known), "radiologist", "radiologists")
        text = f"{department.path} has pseudonyms only; the names of {people} are in {names.file}."
    if copy is not None:
        text += f" A copy is in {copy}."
    if replace is not None:
        text += " Backups made before, and texts of reports in which names stand, still have names."
    lines = [f"{pseudonym}: {name}" for pseudonym, name in sorted(known.items())] if who else []
    return entered(
        {
            "kept": "apart" if names.kept_apart else "in the workspace",
            "file": str(names.file) if names.kept_apart else None,
            "radiologists": None if why or not names.kept_apart else len(known),
            **({"names": known} if who else {}),
            "text": "\n".join([text, *lines]),
        },
        department,
    )
