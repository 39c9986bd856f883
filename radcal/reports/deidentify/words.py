"""What a word is: a name, a word of English or German, one of reports, a name that means a sign; what a text is in."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final

from radcal.system.resources import patterns, resource, table_rows


def word_set(text: str) -> frozenset[str]:
    """The words of a text as a set."""
    return frozenset(text.split())


class Is:
    """What a word may be, as bits of a number; several at once.

    The head of words.tsv explains them.  Their names are features of the tagger: who renames one trains it anew.
    """

    TITLE: Final = 1 << 0
    CREDENTIAL: Final = 1 << 1
    ROLE: Final = 1 << 2
    LABEL: Final = 1 << 3
    ACT: Final = 1 << 4
    PAST: Final = 1 << 5
    PARTICLE: Final = 1 << 6
    FUNCTION: Final = 1 << 7
    CLINICAL: Final = 1 << 8
    EPONYM: Final = 1 << 9
    PRODUCT: Final = 1 << 10
    SIGN: Final = 1 << 11
    PLACE: Final = 1 << 12
    GIVEN: Final = 1 << 13
    SURNAME: Final = 1 << 14
    EITHER: Final = 1 << 15
    WORD: Final = 1 << 16
    """Of English, by the frequency lists, or of the lexicon of findings."""
    RARE: Final = 1 << 17
    """Of English, and rare: many of these are names of people and places from elsewhere."""
    STRONG: Final = 1 << 18
    DEGREE: Final = 1 << 19
    BY: Final = 1 << 20
    TO: Final = 1 << 21
    MADE: Final = 1 << 22
    TELL: Final = 1 << 23
    DIRECT: Final = 1 << 24
    HEAR: Final = 1 << 25
    PASSIVE: Final = 1 << 26
    SUBJECT: Final = 1 << 27
    SERVICE: Final = 1 << 28
    NOVALUE: Final = 1 << 29
    GRADE: Final = 1 << 30
    INNER: Final = 1 << 31
    ABBREVIATED: Final = 1 << 32
    MONTH: Final = 1 << 33
    NUMBER: Final = 1 << 34
    BEGINS: Final = 1 << 35
    HEAD: Final = 1 << 36
    GENERAL: Final = 1 << 37
    LANDSCAPE: Final = 1 << 38
    ADMIN: Final = 1 << 39


NAME: Final = Is.GIVEN | Is.SURNAME
KNOWN: Final = Is.FUNCTION | Is.CLINICAL | Is.WORD | Is.RARE | Is.ROLE | Is.ACT | Is.PRODUCT | Is.PLACE | Is.SIGN
_LISTED = KNOWN | NAME | Is.PARTICLE | Is.TITLE | Is.CREDENTIAL | Is.LABEL | Is.EPONYM | Is.PAST
_COMMON = {"english_wikipedia": 5_000, "us_tv_and_film": 3_000}
"""How many words of each frequency list are words beyond doubt."""
_NOUN = 5
"""Letters of a German noun that makes any longer word that ends with it one."""
_P = patterns("deidentify", "word_forms.toml")
_STEMS = (
    *((ending, "") for ending in ("s", "es", "ed", "ing", "ly", "er")),
    *(("ed", "e"), ("ing", "e"), ("ies", "y"), ("ier", "y")),
)
"""Endings of English words, and what stands there in the stem."""
_ENDINGS = ("s", "ed", "ing", "ly", "er", "es", "est", "y", "ness")


Kinds = dict[str, int]


def _add(kinds: Kinds, words: Iterable[str], kind: int) -> None:
    for word in words:
        kinds[word] = kinds.get(word, 0) | kind


@cache
def table() -> Mapping[str, int]:
    """Return what each known word is, in lower case."""
    kinds: Kinds = {}
    _add_frequent(kinds)
    _add_listed(kinds)
    for language in ("", "de"):
        for file in ("cues.tsv", "pathologies_terms.tsv", "pathologies_subjects.tsv"):
            _add(kinds, _lexicon_words(language, file, 2), Is.WORD)
    for word, kind in kinds.items():
        if not kind & _LISTED:
            kinds[word] = kind = kind | Is.WORD
        if kind & (Is.WORD | Is.CLINICAL | Is.FUNCTION) and kind & NAME:
            kinds[word] = kind | Is.EITHER
    return kinds


def _add_frequent(kinds: Kinds) -> None:
    """Add the words and names of the frequency lists."""
    from zxcvbn.frequency_lists import FREQUENCY_LISTS

    english = {*FREQUENCY_LISTS["english_wikipedia"], *FREQUENCY_LISTS["us_tv_and_film"]}

    def has_form(word: str, endings: Iterable[str]) -> bool:
        return any(word + ending in english for ending in endings)

    for name, common in _COMMON.items():
        for rank, word in enumerate(FREQUENCY_LISTS[name]):
            plain = rank < common or _P["english"].search(word) or has_form(word, _ENDINGS)
            kinds[word] = Is.WORD if plain else Is.RARE
    # A word that people take for a password stands in that list alone: "access"
    passwords = FREQUENCY_LISTS["passwords"]
    _add(kinds, [word for word in passwords if len(word) > 3 and has_form(word, ("ed", "ing", "ly"))], Is.WORD)
    for name, kind in (("surnames", Is.SURNAME), ("male_names", Is.GIVEN), ("female_names", Is.GIVEN)):
        _add(kinds, FREQUENCY_LISTS[name], kind)
        _add(kinds, [word for word in FREQUENCY_LISTS[name] if has_form(word, _ENDINGS[1:])], Is.EITHER)


def _add_listed(kinds: Kinds) -> None:
    """Add the words of words.tsv."""
    for kind, words in word_rows():
        if kind in ("given", "surname"):
            for word in words:
                kinds[word] = kinds.get(word, 0) & ~Is.RARE
                if not kinds[word] & (Is.FUNCTION | Is.CLINICAL) and len(word) > 3:
                    kinds[word] &= ~Is.WORD
        if kind == "noun":
            _add(kinds, [word for word in words if not kinds.get(word, 0) & NAME], Is.WORD)
        else:
            _add(kinds, words, getattr(Is, kind.rstrip("*").upper()))


def _lexicon_words(language: str, file: str, shortest: int) -> Iterator[str]:
    """Yield the words of a file of the lexicon of findings that are not too short; language: "" for English."""
    path = resource("lexicon", *filter(None, (language, file)))
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            yield from re.findall(rf"[^\W\d_]{{{shortest},}}", line.lower())


@cache
def _nouns() -> tuple[frozenset[str], tuple[str, ...]]:
    """German nouns, and those of them that end longer ones: no short ones, with which names end, too."""
    words = [word for kind, words in word_rows() if kind == "noun" for word in words]
    return frozenset(words), tuple(word for word in words if len(word) >= _NOUN)


def is_noun(word: str) -> bool:
    """Whether a word is a German noun in any case, or a longer one that ends with it."""
    nouns, endings = _nouns()
    for bare in (
        word,
        word[:-1] if word[-1:] in "nesr" else "",
        word[:-2] if word.endswith(("en", "es", "er")) else "",
    ):
        if bare in nouns or (len(bare) > _NOUN + 3 and bare.endswith(endings)):
            return True
    return False


@cache
def only_german(word: str) -> bool:
    """Whether a word is known by its ending alone, which is that of a German adjective or participle."""
    return word not in table() and not _P["medical"].fullmatch(word) and _P["german_form"].fullmatch(word) is not None


def word_rows() -> list[tuple[str, list[str]]]:
    """The rows of words.tsv: a kind and its words."""
    return [(kind, words.split()) for kind, words in table_rows("deidentify", "words.tsv")]


def what(word: str) -> int:
    """What a word in lower case may be: by the lists, then by its parts and its ending."""
    if len(word) >= 60:
        return Is.WORD
    known = 0 if word.startswith("o'") else table().get(word, 0)
    return known or _cached(word)


@cache
def _cached(word: str) -> int:
    kinds = table()
    found = kinds.get(word)
    if found is not None and not word.startswith("o'"):
        return found
    for ending in ("'s", "’s", "´s", "`s"):
        if word.endswith(ending):
            return kinds.get(word[:-2], 0) or _by_ending(word[:-2])
    if word.startswith("o'") and len(word) > 4:
        return Is.SURNAME
    if "-" in word:
        parts = [kinds.get(part, 0) or _by_ending(part) for part in word.split("-") if part]
        if parts and parts[-1] & Is.ROLE and not parts[-1] & NAME and len(word) > _NOUN + 3:
            return Is.WORD | Is.ROLE
        if any(p & (Is.WORD | Is.CLINICAL | Is.FUNCTION) and not p & (NAME | Is.PARTICLE) for p in parts):
            plain = all(
                not p or p & (NAME | Is.LANDSCAPE) or not p & (Is.CLINICAL | Is.FUNCTION | Is.SIGN) for p in parts
            )
            return Is.RARE if plain and any(not p for p in parts) else Is.WORD
        if parts and all(p & Is.EPONYM for p in parts):
            return Is.EPONYM | Is.SURNAME
        if any(p & NAME for p in parts):
            return Is.SURNAME
        if any(p & Is.RARE for p in parts):
            return Is.RARE
        return 0
    return _by_ending(word)


@cache
def _findings(language: str) -> tuple[str, ...]:
    """The longer words of the lexicon of findings in a language, "" for English."""
    files = ("pathologies_terms.tsv", "pathologies_subjects.tsv")
    return tuple(sorted({word for file in files for word in _lexicon_words(language, file, 6)}))


@cache
def is_finding(word: str) -> bool:
    """Whether a word in lower case speaks of a finding and is nobody's name: "cardiomegaly", "Unterlappenpneumonie"."""
    if table().get(word, 0) & NAME:
        return False
    german = _findings("de")
    return word in _findings("") or word in german or (len(word) > 8 and word.endswith(german))


def _by_ending(word: str) -> int:
    if len(word) > 8 and word.endswith(_findings("de")):
        return Is.WORD
    if word.endswith(("nummer", "number")) or (word.endswith("name") and len(word) > 6):
        return Is.WORD | Is.LABEL
    if _P["roles"].fullmatch(word):
        return Is.WORD | Is.ROLE
    if _P["medical"].fullmatch(word) or _P["german_form"].fullmatch(word):
        return Is.WORD
    if is_noun(word):
        return Is.WORD if word in _nouns()[0] else Is.RARE
    kinds = table()
    prefix = _P["prefix"].match(word)
    if prefix and kinds.get(word[prefix.end() :].lstrip("-"), 0) & (Is.WORD | Is.CLINICAL | Is.RARE):
        return Is.WORD
    for ending, instead in _STEMS:
        if word.endswith(ending) and len(word) > len(ending) + 3:
            stem = kinds.get(word[: -len(ending)] + instead, 0)
            if stem & (Is.WORD | Is.CLINICAL) and not stem & NAME:
                return Is.WORD
    return 0


# The language of a text

_SURE = 2
_TELLING = 2
"""How many English words each German one outweighs in telegraphic texts: names in English texts may have umlauts."""


def is_german(text: str) -> bool:
    """Return whether a text is German, whose nouns have capitals."""
    words = [m.group().lower() for m in _P["german_text"].finditer(text, 0, 4_000)]
    english = len(_P["english_text"].findall(text, 0, 4_000))
    if len(set(words)) > _SURE and len(words) > english:
        return True
    forms = {m.group().lower() for m in _P["german_forms"].finditer(text, 0, 4_000)} - {"li", "re"}
    n = len(words) + len(forms)
    if not english:
        return n > 1 or bool(words) or any(form.isascii() for form in forms)
    return n > _SURE and n > _TELLING * english
