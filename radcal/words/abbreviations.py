"""Abbreviations behind which a sentence goes on, so that their full stop is the end of nothing: "No sig. effusion"."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from radcal.words.sentence_words import sentence_words

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
    leads = not before or any(before in of for of in (words.lead, words.hedge, words.attribute))
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
