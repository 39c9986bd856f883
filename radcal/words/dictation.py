"""Certainty words beside a pathology as they are dictated, by language."""

from __future__ import annotations

from functools import cache

from radcal.system.language.catalogue import language
from radcal.system.resources import resource
from radcal.system.text import Text
from radcal.words.languages import ENGLISH
from radcal.words.word_files import rows_of

SLOT = "{}"
"""Stands for the pathology."""
_FILE = "dictation.tsv"
_COLUMNS = ("phrase", "words")


@cache
def spoken_languages() -> tuple[str, ...]:
    """The codes of the languages that certainty words can be dictated in, English first."""
    others = sorted(path.parent.name for path in resource("lexicon").glob(f"*/{_FILE}"))
    return (ENGLISH, *others)


@cache
def _words(code: str) -> dict[str, str]:
    """By phrase, how it is dictated.

    Raises:
        InputError: the file is missing or malformed, or a row does not have the pathology once.
    """
    path = resource("lexicon", *([] if code == ENGLISH else [code]), _FILE)
    found = {}
    for row in rows_of(path, _COLUMNS):
        if row["words"].count(SLOT) != 1:
            raise row.broken(Text("the words need {slot} once, for the pathology", slot=SLOT))
        found[row["phrase"]] = row["words"]
    return found


def template(phrase: str, code: str) -> str:
    """How a phrase is dictated, with SLOT for the pathology; one that is in no list stands before it.

    Args:
        code: of :func:`spoken_languages`.
    """
    return _words(code).get(phrase, f"{phrase} {SLOT}")


def pathology(name: str, code: str) -> str:
    """The pathology's name in a language, its own where the language has none for it."""
    return language(code).catalogue.gettext(name) if name else ""


def dictated(phrase: str, name: str, code: str) -> str:
    """A phrase with a pathology: "likely pneumonia"."""
    return template(phrase, code).replace(SLOT, pathology(name, code))
