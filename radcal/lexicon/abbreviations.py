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
_NEXT = r"(?=\s+[^\W_])"
_UNFINISHED = "[bdfghkpqtvwz][lr]"
"""As no word ends: the word was cut short, "umschr"."""
_SPELT = ATTRIBUTES | {unicodedata.normalize("NFD", word) for word in ATTRIBUTES}
_ATTRIBUTE = re.compile(
    rf"(?<![\w.])((?:keine?|keinen|ohne)\s+sign|[^\W\d_]{{3,}}{_UNFINISHED}|{'|'.join(sorted(_SPELT))})\.{_NEXT}",
    re.IGNORECASE,
)
_CUT_SHORT = re.compile(rf"[^\W\d_]{{3,}}{_UNFINISHED}")
_ADJECTIVES = re.compile(
    rf"(\A\s*|\b(?:{'|'.join(sorted(_BEFORE_ADJECTIVE))})\b\.?\s+)((?:(?:{'|'.join(sorted(SIDES))})\.{_NEXT}\s+)+)",
    re.IGNORECASE,
)
JOINING = _words("or nor and vs versus oder und")
"""Words that begin no sentence, in capitals as in small letters throughout."""
_JOINED = re.compile(rf"(?<=[A-Za-z])\.(?=\s+(?:{'|'.join(sorted(JOINING | {word.upper() for word in JOINING}))})\b)")


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
    if text.find(".") >= len(text.rstrip()) - 1:
        return text  # only the one at the end
    text = _ATTRIBUTE.sub(r"\1 ", text)
    text = _ADJECTIVES.sub(lambda m: m.group(1) + m.group(2).replace(".", " "), text)
    return _JOINED.sub(" ", text)
