"""The words by which the ends of sentences are found, of all languages that are read: ``sentence_ends.tsv``."""

from __future__ import annotations

import hashlib
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
