"""The words by which the ends of sentences are found, of all languages that are read: ``sentence_ends.tsv``."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from dataclasses import dataclass, fields
from functools import cache

from radcal.system.resources import resource
from radcal.system.text import Text
from radcal.words.languages import ENGLISH, with_words
from radcal.words.word_files import rows_of

_FILE = "sentence_ends.tsv"
_Words = frozenset[str]


@dataclass(frozen=True, slots=True)
class SentenceWords:
    """The words of each role, which the head of the file explains; in the file, roles have spaces.

    digest: short SHA-256 of the files
    """

    abbreviation: _Words
    spaced: _Words
    spaced_end: _Words
    soft: _Words
    attribute: _Words
    adjective: _Words
    hedge: _Words
    lead: _Words
    side: _Words
    both_sides: _Words
    behind_side: _Words
    predicate: _Words
    joining: _Words
    adverb: _Words
    starter: _Words
    starter_or_inside: _Words
    before_number: _Words
    before_letter: _Words
    counted: _Words
    before_ordinal: _Words
    behind_ordinal: _Words
    open_ended: _Words
    name: _Words
    place: _Words
    digest: str = ""

    def begins(self, word: str) -> bool:
        """Whether a word may begin a sentence; signs behind it make no difference."""
        low = word.lower().rstrip(",.:;")
        return low in self.starter or low in self.starter_or_inside

    def surely_begins(self, word: str) -> bool:
        """Whether a word begins a sentence and does not stand within one."""
        return word.lower().rstrip(",.:;") in self.starter


@cache
def sentence_words() -> SentenceWords:
    """The words of all languages, which hold in every report: its language is recognised by whole sentences.

    Raises:
        InputError: a file is missing or malformed; names file, line and reason.
    """
    digest = hashlib.sha256()
    found: dict[str, set[str]] = {f.name: set() for f in fields(SentenceWords) if f.name != "digest"}
    for code in with_words():
        path = resource("lexicon", *([] if code == ENGLISH else [code]), _FILE)
        if code != ENGLISH and not path.is_file():
            continue
        for row in rows_of(path, ("role", "words"), digest):
            role = row["role"].replace(" ", "_").replace("-", "_")
            if role not in found:
                raise row.broken(Text("there is no role {role!r}", role=row["role"]))
            found[role].update(row["words"].split())
    found["abbreviation"] |= found["spaced"]
    return SentenceWords(**{role: frozenset(words) for role, words in found.items()}, digest=digest.hexdigest()[:16])


_CUT_SHORT = re.compile(r"[^\W\d_]{3,}[bdfghkpqtvwz][lr]")
"""Ends as no word does: "umschr"."""
_INNER = re.compile(r"\.(?=\s+\w)")
_LONGEST = 80
"""Most characters that are searched for two words."""


def goes_on(word: str, before: str) -> bool:
    """Whether a sentence goes on behind an abbreviation and its full stop, whatever follows.

    Args:
        word, before: the abbreviation without its full stop, and the word before it, '' at the start of a sentence.
    """
    low, words = unicodedata.normalize("NFC", word.lower()), sentence_words()
    if low in words.attribute:
        return not (low == "va" and word.isupper() and before)  # "Transferred from VA."
    before = before.lower().rstrip(".")
    if low == "sign":
        return before.startswith("kein") or before == "ohne"
    if _CUT_SHORT.fullmatch(low):
        return True
    leads = not before or any(before in role for role in (words.lead, words.hedge, words.attribute))
    return leads and (low in words.adjective or low in words.hedge)


def may_go_on(tail: str) -> bool:
    """Whether a word with these last four letters may be such an abbreviation: a quick test."""
    return tail in _tails() or (tail[-1] in "lr" and tail[-2] in "bdfghkpqtvwz")


@cache
def _tails() -> frozenset[str]:
    """The last four letters of the longer ones."""
    words = sentence_words()
    every = {"sign"}.union(words.attribute, words.adjective, words.hedge)
    return frozenset(word[-4:] for word in every if len(word) >= 4)


def without_inner_stops(text: str) -> str:
    """The text with spaces for the full stops of abbreviations behind which a sentence goes on; as long as before."""
    parts, begin = [], 0
    words = sentence_words()
    for found in _INNER.finditer(text):
        stop = found.start()
        before, word = ["", "", *text[max(0, stop - _LONGEST) : stop].split()][-2:]
        following = text[stop + 1 : stop + _LONGEST].split(maxsplit=1)
        word = word.lstrip("([\"'*")
        if following and (
            (following[0].lower() in words.joining and not following[0].istitle())
            or (following[0][0].isalnum() and word.lower() not in words.hedge and goes_on(word, before))
        ):
            parts.append(text[begin:stop])
            begin = stop + 1
    return " ".join([*parts, text[begin:]])
