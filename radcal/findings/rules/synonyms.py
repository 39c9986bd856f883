"""The terms of each pathology, spelled out from the term files for people who search for a pathology."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import product
from math import prod

from radcal.findings.rules.patterns import Group, Word, parse
from radcal.findings.rules.vocabulary import Vocabulary, read_vocabulary
from radcal.system.resources import resource
from radcal.words.records import PRESENT
from radcal.words.studies import Laid, layers
from radcal.words.word_files import NOTHING

_MOST = 200
"""Most spellings of one row with its optional words; a row with more is spelled out without them."""
_BLANK = "xxxx"
"""The placeholder that de-identification puts into reports."""
_SHORT = 2
"""Words of an organ from which it is not combined with its states."""


def pathology_words(own: Laid | None = None) -> dict[str, tuple[str, ...]]:
    """All terms of each pathology in the term files, in alphabetical order.

    Includes organs whose state expresses a pathology, alone and with that state ("heart size", "enlarged heart":
    cardiomegaly); excludes terms that hold only under a heading.  A term of two pathologies is listed with both.

    Args:
        own: a department's folder of term and cue files, laid over the shipped ones.

    Raises:
        InputError: a file is missing or malformed; names file, line and reason.
    """
    if own is None:
        return dict(_shipped_words())
    return _words_of(read_vocabulary(*layers(own, resource("lexicon"))))


@cache
def _shipped_words() -> dict[str, tuple[str, ...]]:
    """Spelled out once in a process: that takes longer than to read the files."""
    return _words_of(read_vocabulary(resource("lexicon")))


def _words_of(vocabulary: Vocabulary) -> dict[str, tuple[str, ...]]:
    words: defaultdict[str, set[str]] = defaultdict(set)
    states: defaultdict[str, set[str]] = defaultdict(set)
    organs: defaultdict[str, set[str]] = defaultdict(set)
    for entry in vocabulary.entries:
        if entry.row is None or entry.cue is not None:
            continue
        written = spellings(entry.row["words"])
        if entry.term is not None:
            for name in entry.term.pathologies:
                words[name].update(written)
        elif entry.subject is not None:
            organs[entry.subject].update(written)
        for name, value in (entry.state or {}).items():
            if value == PRESENT:
                states[name].update(written)
    for name, named in organs.items():
        words[name] |= named
        short = [organ for organ in named if organ.count(" ") < _SHORT]
        words[name].update(f"{state} {organ}" for state in states[name] if " " not in state for organ in short)
    words.pop(NOTHING, None)
    return {name: tuple(sorted(w for w in found if _is_plain(w))) for name, found in words.items()}


def _is_plain(words: str) -> bool:
    return _BLANK not in words and words.replace(" ", "").isalnum()


@lru_cache(maxsize=1024)
def spellings(notation: str, most: int = _MOST) -> frozenset[str]:
    """All spellings of a notation of the term files.

    If there are more than ``most``, optional words are omitted; optional endings never are.
    """
    parts = parse(notation)
    return frozenset(" ".join(text.split()) for text in _written(parts, full=_count(parts) <= most))


def _count(parts: list[Word | Group]) -> int:
    """The number of spellings, optional words included."""
    return prod(
        len(part.forms) if isinstance(part, Word) else sum(map(_count, part.branches)) + part.optional for part in parts
    )


def _written(parts: list[Word | Group], *, full: bool) -> Iterator[str]:
    choices = []
    for part in parts:
        if isinstance(part, Word):
            choices.append(list(part.forms))
        else:
            branches = part.branches if full or not part.optional else []
            written = [text for branch in branches for text in _written(branch, full=full)]
            choices.append(written + [""] * part.optional)
    return map(" ".join, product(*choices))
