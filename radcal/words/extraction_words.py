"""The part of a lexicon that affects extraction: its words, not their meanings.

Engines read reports by word lists that ship with RadCal.  A department's lexicon differs from the shipped one in
few words; these differences are handed to the engines.  Meanings play no part in reading, so that a phrase may be
given another distribution without any report being read again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from radcal.words.phrases import Lexicon, load_lexicon, mean_of, normalise
from radcal.words.records import ABSENT, OTHER, PRESENT


@cache
def shipped() -> Lexicon:
    """The built-in lexicon."""
    return load_lexicon()


def is_plain_word(words: str) -> bool:
    """Whether words are grammatically plain "absent" or "present", so that they cannot be a hedge."""
    owner = shipped().find(words)
    return owner is not None and owner.name in (ABSENT, PRESENT)


@dataclass(frozen=True)
class Respelling:
    """How a department's words differ from the shipped ones.

    words: what words stand for where that is not what ships: the phrase's name, OTHER where they were taken out;
           normalised
    names: shipped phrases that the department has under another name, or not at all (OTHER)
    order: the department's phrases, weakest first
    """

    words: Mapping[str, str] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)
    order: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.words or self.names)

    def __hash__(self) -> int:
        return hash(self.text())

    def text(self) -> str:
        """A one-line form, equal for equal differences; for hashes."""
        return json.dumps([sorted(self.words.items()), sorted(self.names.items()), self.order]) if self else ""

    def name(self, phrase: str) -> str:
        """The department's name for a phrase found by an engine."""
        return self.names.get(phrase, phrase)


def respelling(lexicon: Lexicon) -> Respelling:
    """The differences from the built-in words, for an engine that knows these."""
    known = shipped()
    names = {}
    for p in known.phrases:
        found = lexicon.find(p.name)
        if (name := found.name if found else OTHER) != p.name:
            names[p.name] = name
    words: dict[str, str] = {}
    for p in lexicon.phrases:
        for w in map(normalise, (p.name, *p.synonyms)):
            owner = known.find(w)
            if w and (owner is None or owner.name != p.name) and not is_plain_word(w):
                words[w] = p.name
    for p in known.phrases:
        if p.name not in (ABSENT, PRESENT, *names):
            for w in map(normalise, p.synonyms):
                if w and lexicon.find(w) is None:
                    words[w] = OTHER
    return Respelling(words, names, tuple(p.name for p in for_reading(lexicon).phrases) if words or names else ())


def for_reading(lexicon: Lexicon) -> Lexicon:
    """The lexicon as engines need it: words and their order, independent of meanings.

    Phrases that ship keep their shipped meaning here, others get that of the shipped hedge nearest to their own
    mean.  A lexicon with the shipped words comes back as the shipped lexicon.
    """
    known = {p.name: p for p in shipped().phrases}
    hedges = [p for p in shipped().phrases if min(p.alpha, p.beta) > 0]
    phrases = []
    for p in lexicon.phrases:
        like = known.get(p.name) or min(hedges, key=lambda h: abs(mean_of(h) - mean_of(p)))
        phrases.append(replace(like, name=p.name, synonyms=p.synonyms))
    extended = Lexicon(tuple(phrases), lexicon.name)
    return shipped() if extended.version == shipped().version else extended
