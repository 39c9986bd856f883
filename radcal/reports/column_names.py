"""What the name of a column means: the table of names that systems give their columns, and names that say the same.

A name is split into words, abbreviations are written out, and what means the same in English, German, French, Spanish,
Swedish, Dutch and Italian becomes one part: "BEGIN_EXAM_DTTM" and "Untersuchungsbeginn" both consist of *begin* and
*exam*, and so does "exam begin", a name of the table.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from itertools import islice, pairwise, product
from types import MappingProxyType

from radcal.system.resources import table_rows, word_lists

NONE, LATE = "none", "late time"
"""What the table has besides fields: columns that no field is for, and times for want of a better one."""
_HOME = ("en", "HL7")
"""What implies nothing about the order of day and month."""
_WHOSE, _GRAMMAR = "(whose)", "(grammar)"
_SAME = {"id": "number", "radiologist": "who"}
_IMPLIED = word_lists("columns", "implied.toml")
"""Parts that add nothing beside others."""

_SEGMENT = re.compile(r"\b(pid|pv1|obr|obx|orc|msh|txa)[\s._-]*(\d{1,2})(?:[\s._-]\d{1,2})?\b", re.IGNORECASE)
"""A field of HL7, such as OBR-3 or PID.3.1."""
_CAMEL = re.compile(r"(?<=[a-zß-ÿ0-9])(?=[A-ZÀ-Þ])|(?<=[A-ZÀ-Þ])(?=[A-ZÀ-Þ][a-zß-ÿ])")
_PARTS = re.compile(r"[a-z]+\d*|\d+")
_NUMBER = re.compile(r"\d{3}")
_SHORTEST = 2
"""Letters of the shortest word in a compound."""
_REMEMBERED = 4096
"""Names whose meanings are remembered: cells of data are looked at too, in search of the header."""
LONGEST_NAME, _MOST_WORDS, _MOST_WAYS = 60, 8, 32

Parts = frozenset[str]


def simplified(name: str) -> str:
    """A column name without case, accents, spaces and punctuation: 'N° d'examen' -> 'ndexamen'."""
    plain = unicodedata.normalize("NFKD", name.casefold())
    return re.sub(r"[^a-z0-9]", "", plain)


@lru_cache(_REMEMBERED)
def fields_of(name: str, *, loosely: bool = True) -> Mapping[str, int]:
    """The fields that a name stands for, with the place of that name in the table.

    A name that is in the table stands for what the table says, any other for what those say that mean the same.

    loosely: names that are not in the table count, too
    """
    known, _, by_meaning = _known()
    key = simplified(name)
    if key in known or not loosely or len(name.split()) > _MOST_WORDS:
        return known.get(key, _NO_FIELD)
    found: dict[str, int] = {}
    for parts in parts_of(name):
        for field, place in by_meaning.get(parts, _NO_FIELD).items():
            found[field] = min(place, found.get(field, place))
    return found


def is_known(name: str) -> bool:
    """Whether a name is in the table."""
    return simplified(name) in _known()[0]


_NO_FIELD: Mapping[str, int] = MappingProxyType({})


@cache
def _known() -> tuple[Mapping[str, Mapping[str, int]], frozenset[str], Mapping[Parts, Mapping[str, int]]]:
    """The fields and places of each simplified name, the names that are not English, and the fields by meaning."""
    names: dict[str, dict[str, int]] = {}
    by_meaning: dict[Parts, dict[str, int]] = {}
    english: set[str] = set()
    words, _ = _words_known()
    for field, language, of in _table():
        for name in of:
            key, place = simplified(name), len(names)
            # Of abbreviations the table means the first meaning; whose export it is, is a part of the name here.
            if (ways := parts_of(name)) and not any(_WHOSE in words[word] for word in _words(name) if word in words):
                place = by_meaning.setdefault(ways[0], {}).setdefault(field, place)
            names.setdefault(key, {}).setdefault(field, place)
            english |= {key} if language in _HOME else set()
    return names, frozenset(names.keys() - english), by_meaning


@cache
def _table() -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Field, language and names of each row."""
    return tuple(
        (field, language, tuple(names.split("; "))) for field, language, names in table_rows("columns", "names.tsv")
    )


def all_names(field: str) -> tuple[str, ...]:
    """The names of a field in all languages, most specific first, those in English before others."""
    return tuple(name for of, _, names in _table() if of == field for name in names)


@cache
def known_names() -> Parts:
    """All names of fields in lower case."""
    return frozenset(name.casefold() for of, _, names in _table() if of not in (NONE, LATE) for name in names)


def quotable(names: Iterable[str]) -> Parts:
    """Column names that messages may repeat, in lower case: all known ones, and those of ``names`` that hold no data.

    A name holds no data if it means a field or consists of words of column names, and has no number above two digits.
    """
    words, _ = _words_known()
    said = (name for name in names if not _NUMBER.search(name))
    told = (name for name in said if fields_of(name) or ((its := _words(name)) and words.keys() >= {*its}))
    return known_names() | {name.casefold() for name in told}


@cache
def _words_known() -> tuple[Mapping[str, tuple[str, ...]], frozenset[str]]:
    """What each word may mean, and the words that are not English."""
    found: dict[str, tuple[str, ...]] = {}
    english: set[str] = set()
    others: set[str] = set()
    for meaning, in_english, in_others in table_rows("columns", "words.tsv"):
        for word in (*in_english.split(), *in_others.split()):
            found[word] = (*found.get(word, ()), meaning)
        english |= {*in_english.split()}
        others |= {*in_others.split()}
    return found, frozenset(others - english)


@lru_cache(_REMEMBERED)
def _words(name: str) -> tuple[str, ...]:
    """The words of a name in lower case and without accents; compounds are split where all of their parts are known."""
    name = _SEGMENT.sub(lambda m: f" {m[1]}{int(m[2])} ", name.replace("#", " number ").replace("°", "o "))
    plain = unicodedata.normalize("NFKD", _CAMEL.sub(" ", name)).casefold()
    plain = "".join(c for c in plain if not unicodedata.combining(c))
    words: list[str] = []
    for word in _PARTS.findall(plain):
        if word.isdecimal():
            continue
        if not _SEGMENT.fullmatch(word):
            word = word.rstrip("0123456789")
        words += _split(word) or (word,)
    return tuple(words)


@lru_cache(_REMEMBERED)
def _split(word: str) -> tuple[str, ...]:
    """The fewest known words that make up a word, with an s or n between them; () if there are none."""
    known, _ = _words_known()
    if word in known:
        return (word,)
    best: dict[int, tuple[str, ...]] = {0: ()}
    for end in range(_SHORTEST, len(word) + 1):
        for start in range(max(0, end - 20), end - _SHORTEST + 1):
            piece = word[start:end]
            if start not in best or piece not in known or known[piece] == (_GRAMMAR,):
                continue
            # Two letters are an abbreviation at the end of a name, such as "nr", and chance within it.
            if len(piece) == _SHORTEST and end < len(word):
                continue
            found = (*best[start], piece)
            if end not in best or len(found) < len(best[end]):
                best[end] = found
        if end in best and end < len(word) - _SHORTEST and word[end] in "sn" and len(best[end][-1]) > _SHORTEST + 1:
            best.setdefault(end + 1, best[end])
    return best.get(len(word), ())


@lru_cache(_REMEMBERED)
def parts_of(name: str) -> tuple[Parts, ...]:
    """What a name says, as sets of parts: one for each way to understand its abbreviations, none if it says nothing."""
    if len(name) > LONGEST_NAME:
        return ()
    known, _ = _words_known()
    choices = [known.get(word, (word,)) for word in _words(name) if len(word) > 1]
    ways = (_plain(way) for way in islice(product(*choices), _MOST_WAYS))
    return tuple(dict.fromkeys(way for way in ways if way))


def _plain(way: tuple[str, ...]) -> Parts:
    """The parts that tell a name from others."""
    parts = [_SAME.get(part, part) for part in way]
    for i, (a, b) in enumerate(pairwise(list(parts))):
        if {a, b} == {"date", "time"}:
            parts[i] = "time"
    if "time" in parts:
        parts = [part for part in parts if part != "date"]
    left = frozenset(parts) - {_WHOSE, _GRAMMAR}
    return left - {part for part, beside in _IMPLIED.items() if part in left and left.intersection(beside)}


def is_foreign(name: str) -> bool:
    """Whether a name, or a word of it, is of a language in which the day comes before the month."""
    return simplified(name) in _known()[1] or any(word in _words_known()[1] for word in _words(name))
