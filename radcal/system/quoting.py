"""Quoting of input files in messages, notes and logs: only words that cannot come from a report.

Anything in a file may be a patient's name or a report sentence: columns may be shifted, headers missing, quotation
marks unclosed.  Headers are quoted only as far as they consist of known column words, cells only if many rows share the
term; everything else is identified by position or count.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache

from radcal.system.resources import words_of
from radcal.system.text import Text

FEWEST = 3
"""Number of patients (or uses) from which on a term counts as the department's, not one report's."""
_MOST_COLUMNS = 40
_LONGEST_NAME, _MOST_WORDS = 40, 6
_LONGEST_PERSON = 60
_PARTS = re.compile(r"[^\W\d_]+|\d+")
_CAMEL = re.compile(r"(?<=[a-zà-ÿ])(?=[A-ZÀ-Þ])")
_NO_TERM = re.compile(r"[.!?:;\n\r\t^@\"'|<>]|\d{6,}")
_ID = re.compile(r"[\w.:/#-]{1,40}")


@cache
def _plain(name: str) -> str:
    folded = unicodedata.normalize("NFKD", name.casefold())
    return "".join(c for c in folded if not unicodedata.combining(c))


@cache
def _words() -> frozenset[str]:
    """Words in column names of radiology exports and question sets; none is a personal name."""
    return frozenset(map(_plain, words_of("column_words.txt")))


def is_column_name(text: str, known: Collection[str] = ()) -> bool:
    """True if a cell consists of column words only.

    known: further column names, in any case
    """
    if len(text) > _LONGEST_NAME:
        return False
    plain = _plain(text)
    if plain.strip() in known or plain.strip() in map(_plain, known):
        return True
    parts = _PARTS.findall(_plain(_CAMEL.sub(" ", text)))
    return (
        len(parts) <= _MOST_WORDS
        and any(map(str.isalpha, parts))
        and all(len(part) <= 2 if part.isdecimal() else part in _words() for part in parts)
    )


NO_COLUMN_NAMES = Text("Its first row holds no column names.")
"""Replacement for an empty :func:`column_list`."""


def column_list(header: Sequence[str], known: Collection[str] = ()) -> str:
    """The columns of a header, as in 'author, (column 2), phrase'; '' if no name may be quoted."""
    names = [text.strip() for text in header]
    shown = [name if is_column_name(name, known) else f"(column {i})" for i, name in enumerate(names, 1)]
    if shown == [f"(column {i})" for i in range(1, len(names) + 1)]:
        return ""
    return ", ".join(shown[:_MOST_COLUMNS]) + (", ..." if len(shown) > _MOST_COLUMNS else "")


def is_term(text: str) -> bool:
    """True if a cell looks like a term: short, few words, no long number, no sentence punctuation."""
    return 0 < len(text) <= _LONGEST_NAME and len(text.split()) <= _MOST_WORDS and _NO_TERM.search(text) is None


def shared_terms(said: Iterable[tuple[str, str]]) -> dict[str, int]:
    """Terms that occur with at least FEWEST different patients, with their counts, the most frequent first.

    Args:
        said: cell and patient of each row.
    """
    patients: defaultdict[str, set[str]] = defaultdict(set)
    counts = Counter[str]()
    for cell, patient in said:
        patients[cell].add(patient)
        counts[cell] += 1
    shown = {cell: n for cell, n in counts.items() if len(patients[cell]) >= FEWEST and is_term(cell)}
    return dict(sorted(shown.items(), key=lambda item: (-item[1], item[0])))


def is_wording(text: str) -> bool:
    """True if words look like a phrase: a term without digits and possible names.

    A capitalised word may be a name, except the first of several words.
    """
    words = text.split()
    capitals = [word[:1].isupper() for word in words[len(words) > 1 :]]
    return is_term(text) and not any(c.isdigit() for c in text) and not any(capitals)


def wordings(unknown: Mapping[str, int]) -> dict[str, int]:
    """The unknown words that may be quoted, with their counts, in the same order."""
    return {words: n for words, n in unknown.items() if n >= FEWEST and is_wording(words)}


def is_person(text: str) -> bool:
    """True if an author's name looks like a name: short, without digits or sentence punctuation."""
    return len(text) <= _LONGEST_PERSON and re.search(r"[\d!?:;\n\r\t]", text) is None


def is_id(text: str) -> bool:
    """True if a cell looks like a report number: no spaces, and a digit or hardly any letters."""
    return _ID.fullmatch(text) is not None and (len(text) <= 3 or any(c.isdigit() for c in text))


def quotable_id(text: str) -> str:
    """A report number if it looks like one, otherwise a placeholder."""
    return text if is_id(text) else "(no number)"
