"""``radcal names``: where the names of radiologists are, who is who, a copy of the key, another place for it."""

from __future__ import annotations

import argparse

from radcal.cli.passphrases import department_for_exports
from radcal.cli.summaries import Summary, counted, entered
from radcal.system import policy
from radcal.system.progress import Progress


def names(args: argparse.Namespace, bar: Progress) -> Summary:
    """Say where the names of a workspace are, and copy or move its names key, or make one.

    Returns:
        The summary: ``kept`` ("apart" or "in the workspace"), the file, the number of radiologists it names (None where
        it is not at hand), ``names`` (pseudonym to name) with --who, and ``text``.

    Raises:
        SetByPolicy: with --who, IT allows no lists with names.
        InputError: there is no names key to copy, move or list, or the new file exists or cannot be written.
    """
    with department_for_exports(args) as department:
        if args.who:
            policy.in_use().refuse_names()
        if args.replace is not None:
            department.replace_names(args.replace, bar)
        names = department.names
        if args.copy is not None:
            names.copy(args.copy)
        if args.move is not None:
            names.move(args.move)
        find = names.listed if args.who else names.required if args.copy or args.move else names.known
        known = find()
        why = str(names.why_unknown())
        if not names.kept_apart:
            text = f"The names of radiologists are in {department.path}."
        elif why:
            text = f"{department.path} has pseudonyms only. {why}"
        else:
            people = counted(len(known), "radiologist", "radiologists")
            text = f"{department.path} has pseudonyms only; the names of {people} are in {names.file}."
        if args.copy is not None:
            text += f" A copy is in {args.copy}."
        if args.replace is not None:
            text += " Backups made before, and texts of reports in which names stand, still have names."
        lines = [f"{pseudonym}: {name}" for pseudonym, name in sorted(known.items())] if args.who else []
        summary = {
            "kept": "apart" if names.kept_apart else "in the workspace",
            "file": str(names.file) if names.kept_apart else None,
            "radiologists": None if why or not names.kept_apart else len(known),
            **({"names": known} if args.who else {}),
            "text": "\n".join([text, *lines]),
        }
        return entered(summary, department)
