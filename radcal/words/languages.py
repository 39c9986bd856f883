"""The language of a report, recognised by the words of ``resources/lexicon/languages.tsv``."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache

from radcal.system.resources import resource
from radcal.system.text import EMPTY, Text, listed
from radcal.words.word_files import CUE_COLUMNS, CUES, SUBJECT_COLUMNS, SUBJECTS, TERM_COLUMNS, TERMS, rows_of

ENGLISH = "en"
FOREIGN = ""
"""Code of a text in letters other than Latin ones."""
UNKNOWN = "und"
"""Code of a text in none of the languages that are told from each other."""
_COLUMNS = ("code", "name", "words")
_FILE = "languages.tsv"
_ENOUGH = 10
"""Different words from which a text is long enough to be in no known language."""
_SHARE = 0.2
"""Least share of a text's words that its language has.

Of 1,540 English reports none has less than 0.55; of reports in 11 languages without a row none has more than 0.19.
"""
_LETTERS = {i: " " for i in range(128) if not chr(i).isalpha()}
_LETTERS |= dict.fromkeys(map(ord, "\u00a0\u2010\u2011\u2013\u2014\u2018\u2019\u201c\u201d\u201e\u00ab\u00bb"), " ")
_FOREIGN = re.compile(r"[\u0370-\u1cff\u2e80-\ud7ff\uf900-\ufaff\ufe70-\ufeff]")
_FOREIGN_WORD = re.compile(_FOREIGN.pattern + "{2}")


@cache
def names() -> dict[str, Text]:
    """The languages that are told from each other, by their codes, English first.

    Raises:
        InputError: the file of words is missing or malformed.
    """
    told = {row["code"]: Text(row["name"]) for row in rows_of(resource("lexicon", _FILE), _COLUMNS)}
    return told | {FOREIGN: Text("letters other than Latin ones"), UNKNOWN: Text("another language")}


@dataclass(frozen=True, slots=True)
class Recognised:
    """The language of a text.

    code:   in :func:`names`
    margin: how much more speaks for it than for the next language, in 0-1; 0 where nothing tells
    """

    code: str
    margin: float


def recognise(text: str) -> Recognised:
    """The language to which most of a text's known words belong; English if no other has more.

    A text that is long enough to tell and has hardly any words of that language is in an unknown one.  The text of a
    report in two languages counts for the one with more words.

    Raises:
        InputError: the file of words is missing or malformed.
    """
    if not text.isascii():
        letters = len(_FOREIGN.findall(text))
        if letters and letters * 2 > sum(map(str.isalpha, text)):
            return Recognised(FOREIGN, 1.0)
    words = _words_of(text)
    counts = _counts(words)
    if counts[ENGLISH] == max(n for code, n in counts.items() if code != ENGLISH):
        for ending, codes in _endings().items():
            for code in codes:
                counts[code] += sum(word.endswith(ending) for word in words)
        if not any(counts.values()):
            counts |= {code: len(_vocabulary(code).intersection(words)) for code in with_words()}
    code = max(counts, key=lambda c: counts[c])  # of equals the first, which is English
    most, next_most = counts[code], max(n for c, n in counts.items() if c != code)
    if most < _SHARE * len(words) and _is_unknown(words, code):
        return Recognised(UNKNOWN, 0.0)
    return Recognised(code, (most - next_most) / most if most else 0.0)


def sentence_language(sentence: str, code: str) -> str:
    """The language of a sentence in a report of a language: another one if it has words of it and none of the report's.

    Args:
        code: of the report's language.
    """
    words = _words_of(sentence)
    counts = _counts(words)
    if counts[code]:
        return code
    other = max(counts, key=lambda c: counts[c])
    if not counts[other]:
        if sentence.isascii() or not _FOREIGN_WORD.search(sentence):
            return code
        other = FOREIGN
    return code if _vocabulary(code).intersection(words) else other


def _words_of(text: str) -> list[str]:
    if not text.isascii() and not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    return text.lower().translate(_LETTERS).split()


def _counts(words: list[str]) -> dict[str, int]:
    """How many of the words every language has."""
    known, counts = _known(), dict.fromkeys(names(), 0)
    for codes, n in Counter(map(known.get, words)).items():
        for code in codes or ():
            counts[code] += n
    return counts


def _is_unknown(words: list[str], code: str) -> bool:
    """Whether a text has too few words of a language, those by which its findings are read included."""
    words = [word for word in words if len(word) > 1 and word.strip("x")]  # no blanks of de-identification
    if len(set(words)) < _ENOUGH:
        return False
    known, own = _known(), _vocabulary(code)
    return sum(word in own or code in known.get(word, ()) for word in words) < _SHARE * len(words)


@cache
def _vocabulary(code: str) -> frozenset[str]:
    """The words of a language's files of findings and certainty that no other language has."""
    others = {word for word, codes in _known().items() if code not in codes}
    return _in_files(code).difference(others, *(_in_files(other) for other in with_words() if other != code))


@cache
def _in_files(code: str) -> frozenset[str]:
    if code not in with_words():
        return frozenset()
    folder = resource("lexicon") if code == ENGLISH else resource("lexicon") / code
    files = (TERMS, TERM_COLUMNS), (SUBJECTS, SUBJECT_COLUMNS), (CUES, CUE_COLUMNS)
    rows = (row["words"] for name, columns in files for row in rows_of(folder / name, columns))
    return frozenset(word for row in rows for word in _words_of(row) if len(word) > 1)


def language_note(texts: Iterable[str]) -> Text:
    """How many texts are in which language, if any are in another than English; else ''.

    Texts of which nothing tells the language count as English.
    """
    counts = Counter(recognise(text).code for text in texts)
    if not counts.keys() - {ENGLISH}:
        return EMPTY
    each = [Text("{n:,} in {language}", n=n, language=names()[code]) for code, n in counts.most_common()]
    return Text(
        "Languages of the reports: {each}. RadCal has the words of {read}; reports in other languages are listed and "
        "not read.",
        each=listed(each),
        read=listed([names()[code] for code in with_words()]),
    )


@cache
def with_words() -> tuple[str, ...]:
    """The codes of the languages of which RadCal has the words of findings and certainty, English first."""
    folder = resource("lexicon")
    return (ENGLISH, *sorted(code for code in names() if code and (folder / code).is_dir()))


def unreadable(code: str, read: Collection[str]) -> Text:
    """The reason why a report in a language is not read, given the languages that are."""
    return Text(
        "The report is written in {language}; it is not read, as only {read} reports are.",
        language=names()[code],
        read=listed([names()[c] for c in read]),
    )


@cache
def languages_hash() -> str:
    """Short SHA-256 of the words by which languages are recognised."""
    return hashlib.sha256(repr((sorted(_known().items()), sorted(_endings().items()))).encode()).hexdigest()[:16]


def words_of_languages() -> frozenset[str]:
    """The words by which languages are recognised, of all that are read."""
    return frozenset(word for word, codes in _known().items() if not set(codes).isdisjoint(with_words()))


def _known() -> dict[str, tuple[str, ...]]:
    """The codes of the languages that have a word, by the word."""
    return _words()[0]


def _endings() -> dict[str, tuple[str, ...]]:
    """The same for endings of words."""
    return _words()[1]


@cache
def _words() -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[str, ...]]]:
    known: dict[str, tuple[str, ...]] = {}
    endings: dict[str, tuple[str, ...]] = {}
    for row in rows_of(resource("lexicon", _FILE), _COLUMNS):
        code = row["code"]
        for word in row["words"].split():
            group, word = (endings, word[1:]) if word.startswith("*") else (known, word)
            group[word] = (*group.get(word, ()), code)
    return known, endings
