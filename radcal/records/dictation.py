"""Macros for dictation systems."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

MacroForm = Literal["list", "tab", "csv"]
"""Lines of a file of macros: the text alone; name, tab and text; or name, comma and text."""


@dataclass(frozen=True, slots=True)
class Macro:
    """A phrase with a pathology, ready to be put into a report.

    name: by which it is called, such as "pneumonia likely";  text: what it puts in, such as "likely pneumonia"
    instead_of: phrases in whose place it is advised; empty for a vocabulary.  One of them may itself be the phrase of
        another macro, when words are advised to move along the scale: they are taken over together
    """

    topic: str
    phrase: str
    name: str
    text: str
    instead_of: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Macros:
    """Macros of a radiologist or of a department, by name.

    language: code of the language that they are in
    kept: pathologies with the words that stay as they are, and have no macro
    unfit: pathologies and phrases without a macro because a dictation system could not take their names or texts
    """

    language: str
    macros: tuple[Macro, ...]
    kept: tuple[tuple[str, tuple[str, ...]], ...] = ()
    unfit: tuple[tuple[str, str], ...] = ()
