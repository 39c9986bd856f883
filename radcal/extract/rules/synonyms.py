"""The words that stand for each pathology in the term files, written out: for people who look for a pathology."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from math import prod
from pathlib import Path

from radcal.extract.rules.patterns import tidy
from radcal.extract.rules.vocabulary import NOTHING, SUBJECT_COLUMNS, SUBJECTS, TERM_COLUMNS, TERMS, rows_of
from radcal.records import PRESENT
from radcal.resources import resource

_MOST = 200
"""Spellings of one row in which words that may be missing are written, too; of a row with more they are left out."""
_BLANK = "xxxx"
"""What stands for a name that was taken out of a report."""
_SHORT = 2
"""Most words of an organ before which its state is written."""


def pathology_words(folder: Path | None = None) -> dict[str, tuple[str, ...]]:
    """Pathologies to everything that the term files of a folder take for them, in alphabetical order.

    Organs whose state expresses a pathology are among it, alone and with that state ("heart size", "enlarged heart":
    cardiomegaly).  Words that mean a pathology only under a heading are not, and of words that state two pathologies
    both have them.

    Args:
        folder: None for the files that ship with RadCal.

    Raises:
        InputError: a file is missing or broken; names file, line and reason.
    """
    folder = folder if folder is not None else resource("lexicon")
    unused = hashlib.sha256()
    words: defaultdict[str, set[str]] = defaultdict(set)
    for row in rows_of(folder / TERMS, TERM_COLUMNS, unused, missing=1):
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
    """What one notation of the term files stands for, written out.

    Where that would be more than ``most``, words that may be missing are left out; endings are always written.
    """
    branches = _Reader(f"({tidy(notation)})").branches(")")
    full = _count(branches) <= most
    return frozenset(" ".join(text.split()) for text in _written(branches, full=full))


@dataclass(frozen=True, slots=True)
class _Group:
    """One of several branches; ``optional``: it may be missing;  ``glued``: it ends a word."""

    branches: list[list[str | _Group]]
    optional: bool
    glued: bool


class _Reader:
    """Reads the notation, which has been compiled before and so is not broken."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 1

    def branches(self, closing: str) -> list[list[str | _Group]]:
        found: list[list[str | _Group]] = [[]]
        while (c := self.text[self.at]) != closing:
            before = self.text[self.at - 1]
            self.at += 1
            if c == "|":
                found.append([])
            elif c in "([":
                found[-1].append(_Group(self.branches(")" if c == "(" else "]"), c == "[", before.isalnum()))
            else:
                found[-1].append(c)
        self.at += 1
        return found


def _count(branches: list[list[str | _Group]]) -> int:
    """How many ways there are to write one of the branches, with words that may be missing."""
    return sum(
        prod(_count(part.branches) + part.optional for part in branch if isinstance(part, _Group))
        for branch in branches
    )


def _written(branches: list[list[str | _Group]], *, full: bool) -> Iterator[str]:
    for branch in branches:
        choices = []
        for part in branch:
            if isinstance(part, str):
                choices.append([part])
            elif part.optional and not (part.glued or full):
                choices.append([""])
            else:
                choices.append([*_written(part.branches, full=full), *([""] if part.optional else [])])
        for parts in product(*choices):
            yield "".join(parts)
