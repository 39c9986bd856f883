"""The terms of each pathology, spelled out from the term files for people who search for a pathology."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from itertools import product
from math import prod
from pathlib import Path

from radcal.extract.rules.patterns import Group, Word, parse
from radcal.extract.rules.vocabulary import NOTHING, SUBJECT_COLUMNS, SUBJECTS, TERM_COLUMNS, TERMS, rows_of
from radcal.records import PRESENT
from radcal.resources import resource

_MOST = 200
"""Most spellings of one row with its optional words; a row with more is spelled out without them."""
_BLANK = "xxxx"
"""The placeholder that de-identification puts into reports."""
_SHORT = 2
"""Words of an organ from which it is not combined with its states."""


def pathology_words(folder: Path | None = None) -> dict[str, tuple[str, ...]]:
    """All terms of each pathology in the term files of a folder, in alphabetical order.

    Includes organs whose state expresses a pathology, alone and with that state ("heart size", "enlarged heart":
    cardiomegaly); excludes terms that hold only under a heading.  A term of two pathologies is listed with both.

    Args:
        folder: None for the files shipped with RadCal.

    Raises:
        InputError: a file is missing or malformed; names file, line and reason.
    """
    folder = folder if folder is not None else resource("lexicon")
    unused = hashlib.sha256()
    words: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows_of(folder / TERMS, TERM_COLUMNS, unused):
        if not row["under"]:
            for name in row["pathology"].split("+"):
                words[name.strip()].update(spellings(row["words"]))
    states: defaultdict[str, set[str]] = defaultdict(set)
    organs: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows_of(folder / SUBJECTS, SUBJECT_COLUMNS, unused):
        if row["kind"] == "subject":
            organs[row["states"]].update(spellings(row["words"]))
            continue
        for state in row["states"].split():
            name, _, value = state.partition("=")
            if value == PRESENT:
                states[name.replace("_", " ")].update(spellings(row["words"]))
    for name, named in organs.items():
        words[name] |= named
        short = [organ for organ in named if organ.count(" ") < _SHORT]
        words[name].update(f"{state} {organ}" for state in states[name] if " " not in state for organ in short)
    words.pop(NOTHING, None)
    return {name: tuple(sorted(w for w in found if _is_plain(w))) for name, found in words.items()}


def _is_plain(words: str) -> bool:
    return _BLANK not in words and words.replace(" ", "").isalnum()


def spellings(notation: str, most: int = _MOST) -> frozenset[str]:
    """All spellings of a notation of the term files.

    If there are more than ``most``, optional words are omitted; optional endings never are.
    """
    parts = parse(notation)
    return frozenset(" ".join(text.split()) for text in _written(parts, full=_count(parts) <= most))


def _count(parts: list[Word | Group]) -> int:
    """The number of spellings, optional words included."""
    return prod(
        len(part.forms) if isinstance(part, Word) else sum(map(_count, part.branches)) + part.optional for part in parts
    )


def _written(parts: list[Word | Group], *, full: bool) -> Iterator[str]:
    choices = []
    for part in parts:
        if isinstance(part, Word):
            choices.append(list(part.forms))
        else:
            branches = part.branches if full or not part.optional else []
            written = [text for branch in branches for text in _written(branch, full=full)]
            choices.append(written + [""] * part.optional)
    return map(" ".join, product(*choices))
