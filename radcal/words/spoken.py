"""Punctuation that was dictated as words and typed as such: "lungs clear period new paragraph impression colon"."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

from radcal.system.resources import resource
from radcal.words.languages import ENGLISH, with_words
from radcal.words.replacements import Replacement, Replacements, lowered, read_replacements

_FILE = "spoken.tsv"
_BREAKS = {"line": "\n", "paragraph": "\n\n"}
"""Marks that the file names, as a cell cannot hold them."""


@cache
def _spoken() -> tuple[Replacements, str]:
    """The words of all languages, which hold in every report: its language is recognised by whole sentences.

    Raises:
        InputError: a file is missing or malformed; names file, line and reason.
    """
    folders = ([] if code == ENGLISH else [code] for code in with_words())
    paths = [resource("lexicon", *folder, _FILE) for folder in folders]
    return read_replacements(*(path for path in paths if path.is_file()))


def spoken_hash() -> str:
    """Short SHA-256 of the words."""
    return _spoken()[1]


def marks(text: str) -> tuple[Replacement, ...]:
    """The words of a text that name marks, and the marks, in order."""
    found, _ = _spoken()
    low = lowered(text)
    if found.starts.isdisjoint(low.split()):
        return ()
    return tuple(replace(one, meaning=_BREAKS.get(one.meaning, one.meaning)) for one in found.find(low))


def with_marks(text: str) -> str:
    """The text with marks for the words that name them, as long as before: each at the end of its words.

    A question mark, which begins a sentence as well as it ends one, stands in place of all letters.
    """
    parts, begin = [], 0
    for spoken in marks(text):
        fill = "?" if spoken.meaning == "?" else " "
        parts += [text[begin : spoken.start], spoken.meaning.rjust(spoken.end - spoken.start, fill)]
        begin = spoken.end
    return "".join([*parts, text[begin:]])
