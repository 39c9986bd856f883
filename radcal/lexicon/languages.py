"""The language of a report, recognised by the words of ``resources/lexicon/languages.tsv``."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache

from radcal.errors import InputError
from radcal.resources import resource
from radcal.text import EMPTY, Text, listed

ENGLISH = "en"
FOREIGN = ""
"""Code of a text in letters other than Latin ones."""
NAMES = {
    ENGLISH: Text("English"),
    "de": Text("German"),
    "fr": Text("French"),
    "es": Text("Spanish"),
    "it": Text("Italian"),
    "nl": Text("Dutch"),
    "pt": Text("Portuguese"),
    "pl": Text("Polish"),
    "sv": Text("Swedish"),
    "da": Text("Danish"),
    "cs": Text("Czech"),
    FOREIGN: Text("letters other than Latin ones"),
}
"""The languages that are told from each other, by their codes."""
_FILE = "languages.tsv"
_LETTERS = {i: " " for i in range(128) if not chr(i).isalpha()}
_LETTERS |= dict.fromkeys(map(ord, "\u00a0\u2010\u2011\u2013\u2014\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb"), " ")
_FOREIGN = re.compile(r"[\u0370-\u1cff\u2e80-\ud7ff\uf900-\ufaff\ufe70-\ufeff]")


@dataclass(frozen=True, slots=True)
class Recognised:
    """The language of a text.

    code:   in :data:`NAMES`
    margin: how much more speaks for it than for the next language, in 0-1; 0 where nothing tells
    """

    code: str
    margin: float


def recognise(text: str) -> Recognised:
    """The language to which most of a text's known words belong; English if no other has more.

    The text of a report in two languages counts for the one with more words.

    Raises:
        InputError: the file of words is missing or malformed.
    """
    if not text.isascii():
        letters = len(_FOREIGN.findall(text))
        if letters and letters * 2 > sum(map(str.isalpha, text)):
            return Recognised(FOREIGN, 1.0)
        if not unicodedata.is_normalized("NFC", text):
            text = unicodedata.normalize("NFC", text)
    known, counts = _known(), dict.fromkeys(NAMES, 0)
    words = text.lower().translate(_LETTERS).split()
    for codes, n in Counter(map(known.get, words)).items():
        for code in codes or ():
            counts[code] += n
    if counts[ENGLISH] == max(n for code, n in counts.items() if code != ENGLISH):
        for ending, codes in _endings().items():
            for code in codes:
                counts[code] += sum(word.endswith(ending) for word in words)
    code = max(counts, key=lambda c: counts[c])  # of equals the first, which is English
    most, next_most = counts[code], max(n for c, n in counts.items() if c != code)
    return Recognised(code, (most - next_most) / most if most else 0.0)


def language_note(texts: Iterable[str]) -> Text:
    """How many texts are in which language, if any are in another than English; else ''.

    Texts of which nothing tells the language count as English.
    """
    counts = Counter(recognise(text).code for text in texts)
    if not counts.keys() - {ENGLISH}:
        return EMPTY
    each = [Text("{n:,} in {language}", n=n, language=NAMES[code]) for code, n in counts.most_common()]
    return Text(
        "Languages of the reports: {each}. RadCal has the words of {read}; reports in other languages are listed and "
        "not read.",
        each=listed(each),
        read=listed([NAMES[code] for code in with_words()]),
    )


@cache
def with_words() -> tuple[str, ...]:
    """The codes of the languages of which RadCal has the words of findings and certainty, English first."""
    folder = resource("lexicon")
    return (ENGLISH, *sorted(code for code in NAMES if code and (folder / code).is_dir()))


def unreadable(code: str, read: Collection[str]) -> Text:
    """The reason why a report in a language is not read, given the languages that are."""
    return Text(
        "The report is written in {language}; it is not read, as only {read} reports are.",
        language=NAMES[code],
        read=listed([NAMES[c] for c in read]),
    )


@cache
def languages_hash() -> str:
    """Short SHA-256 of the words by which languages are recognised."""
    return hashlib.sha256(repr((sorted(_known().items()), sorted(_endings().items()))).encode()).hexdigest()[:16]


def _known() -> dict[str, tuple[str, ...]]:
    """The codes of the languages that have a word, by the word."""
    return _words()[0]


def _endings() -> dict[str, tuple[str, ...]]:
    """The same for endings of words."""
    return _words()[1]


@cache
def _words() -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    path = resource("lexicon", _FILE)
    known: dict[str, tuple[str, ...]] = {}
    endings: dict[str, tuple[str, ...]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8-sig").splitlines(), 1):
        code, _, words = line.partition("\t")
        if line.startswith("#") or code == "code" or not line.strip():
            continue
        if code not in NAMES or not words.strip():
            raise InputError(
                "{name}, line {line}: this is no language and its words. Mend the line or restore the shipped file.",
                name=_FILE,
                line=number,
            )
        for word in words.split():
            of, word = (endings, word[1:]) if word.startswith("*") else (known, word)
            of[word] = (*of.get(word, ()), code)
    return known, endings
