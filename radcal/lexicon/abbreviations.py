"""Abbreviations behind which a sentence goes on, so that their full stop is the end of nothing: "No sig. effusion"."""

from __future__ import annotations

import re


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

_NEXT = r"(?=\s+[^\W_])"
_ATTRIBUTE = re.compile(rf"(?<![\w.])({'|'.join(sorted(ATTRIBUTES))})\.{_NEXT}", re.IGNORECASE)
_ADJECTIVES = re.compile(
    rf"(\A\s*|\b(?:{'|'.join(sorted(_BEFORE_ADJECTIVE))})\b\.?\s+)((?:(?:{'|'.join(sorted(SIDES))})\.{_NEXT}\s+)+)",
    re.IGNORECASE,
)
_JOINED = re.compile(r"(?<=[A-Za-z])\.(?=\s+(?:or|nor|and|vs|versus|oder|und)\b)")
"""Before these words, which begin no sentence in small letters."""


def goes_on(word: str, before: str) -> bool:
    """Whether a sentence goes on behind an abbreviation and its full stop, whatever follows.

    Args:
        word, before: the abbreviation without its full stop, and the word before it, '' at the start of a sentence.
    """
    low = word.lower()
    if low in ATTRIBUTES:
        return not (low == "va" and word.isupper())
    before = before.lower().rstrip(".")
    if low == "sign":
        return before.startswith("kein") or before == "ohne"
    return (low in SIDES or low in HEDGES) and (not before or before in _BEFORE_ADJECTIVE)


def without_inner_stops(text: str) -> str:
    """The text with spaces for the full stops of abbreviations behind which a sentence goes on; as long as before."""
    text = _ATTRIBUTE.sub(r"\1 ", text)
    text = _ADJECTIVES.sub(lambda m: m.group(1) + m.group(2).replace(".", " "), text)
    return _JOINED.sub(" ", text)
