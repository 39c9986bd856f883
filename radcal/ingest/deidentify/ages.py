"""Ages over 89, in figures and in words."""

from __future__ import annotations

import re

from radcal.ingest.deidentify.spans import Claims

_ONES = "one|two|three|four|five|six|seven|eight|nine"
_WORDS = rf"(?:ninety(?:[ -](?:{_ONES}))?|(?:one|a) hundred(?:[ -](?:and[ -])?(?:{_ONES}|ten|eleven|twelve))?)"
_ZAHL = (
    r"(?:(?:ein|zwei|drei|vier|fünf|fuenf|sechs|sieben|acht|neun)undneunzig|neunzig"
    r"|(?:ein)?hundert(?:und)?(?:eins?|zwei|drei|vier|fünf|sechs|sieben)?)"
)
_OLD = re.compile(
    r"(?<![\w.,/:-])(?:(?P<n>9\d|1[0-2]\d)|(?P<w>" + _WORDS + r")|(?P<z>" + _ZAHL + r"))"
    r"(?=[ -]?(?:(?:years?|yrs?)[ -]old\b|years?[ -]of[ -]age|(?:y/o|yo|y\.o\.|y\. o\.|yr old|yrs old)(?![^\W_])"
    r"|yo(?:[fmFM])?\b"
    r"|j(?:ä|ae)hrig|Jahre?n? alt)"
    r"|(?-i:[ ]?(?:[FMfm]|[yY])(?![\w/'-]))"
    r"|[ -]?(?:years?|yrs?|yr|y\.?o|jahre?)?[ -]?(?:old[ ])?(?:(?:white|black|asian|hispanic|caucasian"
    r"|african[ -]american|elderly|frail)[ ])?"
    r"(?:male|female|man|woman|gentleman|lady|patient|mann|frau)\b)",
    re.IGNORECASE,
)
_AGED = re.compile(
    r"(?<![^\W_])(?:aged?(?:[ ]of|[ ]is)?|alter(?:[ ]von)?|years[ ]of[ ]age)[ ]?[:=]?[ ]{0,2}"
    r"(?:(?P<n>9\d|1[0-2]\d)|(?P<w>"
    + _WORDS
    + r")|(?P<z>"
    + _ZAHL
    + r"))(?![\w%]|[.,]\d|[ ]?(?:mm|cm|days?|weeks?|months?|tage|wochen|monate)\b)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"(?<![^\W_])(?:Mr|Mrs|Ms|Miss|Mx|Herr|Frau|[Pp]atient(?:in)?|PATIENT|MR|MRS|MS)\.? [^,\d\n]{2,50}, (?P<n>9\d"
    r"|1[0-2]\d)(?=,? [a-zA-Z]|,?\n)"
)
_NOUN = re.compile(r"(?<![^\W_])(?:nonagenarian|centenarian|supercentenarian)(?![^\W_])", re.IGNORECASE)


def round_ages(claims: Claims) -> None:
    """Claim each age over 89 for "over 89"."""
    text = claims.text
    for pattern in (_OLD, _AGED):
        for m in pattern.finditer(text):
            group = next(name for name in ("n", "w", "z") if m[name])
            behind = text[m.end(group) : m.end(group) + 6].lower()
            german = group == "z" or "j" in behind[:2] or m.group().lower().startswith("alter")
            claims.add(m.start(group), m.end(group), "age", "über 89" if german else "over 89")
    for m in _BETWEEN.finditer(text):
        claims.add(m.start("n"), m.end("n"), "age", "over 89")
    for m in _NOUN.finditer(text):
        claims.add(m.start(), m.end(), "age", "over 89-year-old")
    claims.settle()
