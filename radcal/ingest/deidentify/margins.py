"""Names in what is no sentence: headings, addresses, sign-offs, copies, items between marks.

There a capital says nothing, and neither a verb nor a cue stands beside a name.  So each word with a capital that no
list knows, or only as a name, is taken if something else says that people are spoken of: another such word, an initial,
or a date, a number or a name that was taken out of the same line.  Words beside these go with them unless reports or
offices have them.
"""

from __future__ import annotations

import re

from radcal.ingest.deidentify.reading import Reading
from radcal.ingest.deidentify.spans import FILLED, NAMED
from radcal.ingest.deidentify.taken import Taken
from radcal.ingest.deidentify.words import NAME, Is, is_medical, is_noun, word_set

_ITEM = re.compile(r"(?:(?![.] (?=[^\W\d_a-z])|[|;\n]|[ ][–—-][ ]|:[ ]).)+")
_BETWEEN = word_set(
    "of the and at in for to by from on re von der die das am im an zu für und u zum zur bei mit de la le du c o w a"
)
_VOCABULARY = (
    Is.CLINICAL | Is.FUNCTION | Is.LABEL | Is.ROLE | Is.ACT | Is.SIGN | Is.EPONYM | Is.PRODUCT | Is.TITLE | Is.STRONG
    | Is.ADMIN | Is.GENERAL | Is.HEAD | Is.SERVICE | Is.CREDENTIAL | Is.GRADE | Is.PAST | Is.NOVALUE | Is.MONTH
    | Is.PLACE
)  # fmt: skip
_LONGEST = 12
_FEWEST = 3
"""Letters of a word that is taken."""


def take_margins(t: Reading, taken: Taken) -> None:
    """Take the names of items that are no sentences."""
    for line in re.finditer(r"[^\n]+", t.text):
        told = FILLED in line.group() or NAMED in line.group()
        for m in _ITEM.finditer(t.text, *line.span()):
            n, end = t.at(m.start()), t.at(m.end())
            if 0 < end - n <= _LONGEST and not _is_sentence(t, n, end):
                _take_item(t, taken, n, end, told)


def _is_sentence(t: Reading, n: int, end: int) -> bool:
    """Whether words in lower case, or in capitals all around verbs, make a sentence of an item."""
    plain = [
        k for k in range(n, end) if t.words[k].islower() and t.lower[k] not in _BETWEEN and not t.kinds[k] & Is.INNER
    ]
    if plain:
        return True
    return t.in_capitals(n) and any(
        t.kinds[k] & (Is.FUNCTION | Is.PAST) and t.lower[k] not in _BETWEEN and not t.kinds[k] & NAME
        for k in range(n, end)
    )


def _take_item(t: Reading, taken: Taken, n: int, end: int, told: bool) -> None:
    names = [k for k in range(n, end) if not taken[k] and _is_name(t, k)]
    if not names or any(t.sign_follows(k) or t.of_method(k) for k in names):
        return
    beside = any(t.initial(k) and (k + 1 in names or k - 1 in names) for k in range(n, end))
    before = any(taken[k] for k in range(n, end))
    pair = any(k + 1 in names for k in names)
    if t.german:
        listed = any(t.kinds[k] & NAME for k in names)
        if not ((pair and (listed or all(t.shouted(k) for k in names))) or (listed and beside)):
            return
    elif not (told or before or beside or pair) or (end - n == 1 and not t.sure(n)):
        return
    if not pair:
        names = [k for k in names if not re.match(r"\.?[ ]?(?:#|[\d\ufffc])|\.[:/]|/", t.gap(k))]
    for k in names:
        first, last = k, k + 1
        while first > n and _goes(t, first - 1) and t.gap(first - 1) in (" ", ", ", "-", ". "):
            first -= 1
        while last < end and _goes(t, last) and t.gap(last - 1) in (" ", ", ", "-", ". ", " & "):
            last += 1
        taken.take(first, last)


def _is_name(t: Reading, k: int) -> bool:
    """Whether no list knows a word with a capital, or only as a name."""
    low, kind = t.lower[k], t.kinds[k]
    if len(low) < _FEWEST or not t.capital(k) or kind & _VOCABULARY & ~Is.SERVICE or t.credential(k) or t.modality(k):
        return False
    if (t.shouted(k) and len(low) < 5 and not t.sure(k)) or is_medical(low) or (is_noun(low) and not kind & NAME):
        return False
    if t.german and not kind & NAME:
        return t.unknown(k)
    odd = any(map(str.isupper, t.words[k][2:])) and not t.shouted(k) and "-" not in low and "'" not in low
    return t.sure(k) or (t.unknown(k) and not odd and len(low) > _FEWEST)


def _goes(t: Reading, k: int) -> bool:
    """Whether a word beside a name goes with it."""
    kind = t.kinds[k]
    if len(t.words[k]) == 1:
        apart = t.before(k) == ", " and not re.match(r"\.|\s*$|[ ]*\n", t.gap(k))
        return t.initial(k) and t.words[k] not in "LRVX" and not apart
    if not t.capital(k) or kind & _VOCABULARY or t.credential(k) or is_medical(t.lower[k]):
        return False
    if t.german:
        return bool(kind & NAME) or (t.unknown(k) and not is_noun(t.lower[k]))
    return not (t.shouted(k) and len(t.words[k]) < 5 and not kind & NAME)
