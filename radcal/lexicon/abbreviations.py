"""Abbreviations behind which a sentence goes on, so that their full stop is the end of nothing: "No sig. effusion"."""

from __future__ import annotations

import re
import unicodedata


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ATTRIBUTES = _words(
    # English
    "sig signif def defin pulm cardiopulm bronchopulm pl rad radiog radiogr subseg subsegm segm sm lg mult"
    " prev sev obv convinc appar evid sugg compat consist rel path pathol interst alv periph chr chron locul parench"
    " retrocard postop assoc subcut peribronch apprec demonstr identif discr poster anter quest presum acc"
    # German
    " hinw nachw anh anhaltsp pneum umschr hochgr geringgr mittelgr mäßiggr größ groess nennensw signifik eindeut"
    " wesentl fok kl gr diskr ausgepr vorbek entz entzündl spez deutl geringf mögl moegl mgl va verm zentr periphr"
    " rechtss linkss beids linksbas rechtsbas infiltr konfl kompr retrokard kardiopulm sek prim"
)
"""Words that a noun follows, or the rest of a fixed phrase."""
SIDES = _words("rt lt bilat ant post sup inf lat med mod min bibas bas")
"""Adjectives that may also stand behind their noun, at the end of a sentence."""
HEDGES = _words("prob poss susp suspic")
LEADS = _words(
    "no any without small tiny trace mild moderate large new old acute definite significant possible probable likely"
    " questionable suspected kein keine keinen ohne kleiner geringer"
)
"""Words that begin what such an adjective belongs to."""
_BEFORE_ADJECTIVE = LEADS | HEDGES | ATTRIBUTES

TAILS = frozenset(word[-4:] for word in ATTRIBUTES | SIDES | HEDGES | {"sign"} if len(word) >= 4)
"""The last four letters of the longer ones."""
_CUT_SHORT = re.compile(r"[^\W\d_]{3,}[bdfghkpqtvwz][lr]")
"""Ends as no word does: "umschr"."""
JOINING = _words("or nor and vs versus oder und")
"""Words that begin no sentence, in capitals as in small letters throughout."""
_JOINING = JOINING | {word.upper() for word in JOINING}
_INNER = re.compile(r"\.(?=\s+\w)")
_LONGEST = 80
"""Most characters that are searched for two words."""


def goes_on(word: str, before: str) -> bool:
    """Whether a sentence goes on behind an abbreviation and its full stop, whatever follows.

    Args:
        word, before: the abbreviation without its full stop, and the word before it, '' at the start of a sentence.
    """
    low = unicodedata.normalize("NFC", word.lower())
    if low in ATTRIBUTES:
        return not (low == "va" and word.isupper() and before)  # "Transferred from VA."
    before = before.lower().rstrip(".")
    if low == "sign":
        return before.startswith("kein") or before == "ohne"
    if _CUT_SHORT.fullmatch(low):
        return True
    return (low in SIDES or low in HEDGES) and (not before or before in _BEFORE_ADJECTIVE)


def may_go_on(tail: str) -> bool:
    """Whether a word with these last four letters may be such an abbreviation: a quick test."""
    return tail in TAILS or (tail[-1] in "lr" and tail[-2] in "bdfghkpqtvwz")


def without_inner_stops(text: str) -> str:
    """The text with spaces for the full stops of abbreviations behind which a sentence goes on; as long as before."""
    parts, begin = [], 0
    for found in _INNER.finditer(text):
        stop = found.start()
        before, word = ["", "", *text[max(0, stop - _LONGEST) : stop].split()][-2:]
        following = text[stop + 1 : stop + _LONGEST].split(maxsplit=1)
        word = word.lstrip("([\"'*")
        if following and (
            following[0] in _JOINING
            or (following[0][0].isalnum() and word.lower() not in HEDGES and goes_on(word, before))
        ):
            parts.append(text[begin:stop])
            begin = stop + 1
    return " ".join([*parts, text[begin:]])
