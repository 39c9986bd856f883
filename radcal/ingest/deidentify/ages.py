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
    r"(?<![\w.,/:-])(?:(?P<n>9\d|1[0-2]\d|89\+)|(?P<w>" + _WORDS + r")|(?P<z>" + _ZAHL + r"))"
    r"(?=[ -]?(?:(?:years?|yrs?)[ -]old\b|years?[ -]of[ -]age|(?:y/o|yo|y\.o\.|y\. o\.|yr old|yrs old)(?![^\W_])"
    r"|yo(?:[fmFM])?\b"
    r"|j(?:ä|ae)hrig|Jahre?n? alt|a\))"
    r"|(?-i:[ ]?(?:[FMfm]|[yY])(?![\w/'-]))|[ ]?J(?:\.|(?![\w.]))"
    r"|[ -]?(?:years?|yrs?|yr|y\.?o|jahre?)?[ -]?(?:old[ ])?(?:(?:white|black|asian|hispanic|caucasian"
    r"|african[ -]american|elderly|frail)[ ])?"
    r"(?:male|female|man|woman|gentleman|lady|patient|mann|frau)\b)",
    re.IGNORECASE,
)
_AGED = re.compile(
    r"(?<![^\W_])(?:aged?(?:[ ]of|[ ]is)?|alter(?:[ ]von)?|years[ ]of[ ]age|age ?/ ?sex|(?:he|she|patient) is"
    r"|died at)[ ]?[-:=]?[ ]{0,2}"
    r"(?:(?P<n>9\d|1[0-2]\d)|(?P<w>"
    + _WORDS
    + r")|(?P<z>"
    + _ZAHL
    + r"))(?![\w%]|[.,]\d|[ ]?(?:mm|cm|days?|weeks?|months?|tage|wochen|monate)\b)",
    re.IGNORECASE,
)
_BETWEEN = re.compile(
    r"(?<![^\W_])(?:Mr|Mrs|Ms|Miss|Mx|Herr|Frau|[Pp]atient(?:in)?|PATIENT|P[Tt]|MR|MRS"
    r"|MS)\.? [^,\d\n]{2,50}, (?P<n>9\d"
    r"|1[0-2]\d)(?=,? [a-zA-Z]|[,.]?\n|\. )"
)
_YEARS = re.compile(
    r"(?<![\w.,/:-])(?<!over[ ])(?<!above[ ])(?<!than[ ])(?<!über[ ])(?<![<>][ ])(?P<n>9\d|1[0-2]\d)"
    r"(?=[ ](?:years?|yrs?|jahre)\b(?!ago|[ ]ago|[ ](?:history|experience|later)))",
    re.IGNORECASE,
)
_WITH_SEX = re.compile(r"(?<![\w.,/-])(?P<n>9\d|1[0-2]\d)(?=[ ]?/[ ]?[FMWfmw](?![\w/-]))")
_SEX_BEFORE = re.compile(r"(?<![\w/-])[FMWfmw][ ]?/[ ]?(?P<n>9\d|1[0-2]\d)(?![\w/%-]|[.,:]\d)")
_NOUN = re.compile(r"(?<![^\W_])(?:nonagenarian|centenarian|supercentenarian)(?![^\W_])", re.IGNORECASE)
_ARTICLE = re.compile(r"(?<![^\W_])a[ ]$", re.IGNORECASE)


def round_ages(claims: Claims) -> None:
    """Claim each age over 89 for "over 89", with the article before it: "a 94-year-old" is "an over-89-year-old"."""
    text = claims.text
    for pattern in (_OLD, _AGED, _BETWEEN, _YEARS, _WITH_SEX, _SEX_BEFORE):
        for m in pattern.finditer(text):
            group = next(name for name in ("n", "w", "z") if name in pattern.groupindex and m[name])
            behind = text[m.end(group) : m.end(group) + 6].lower()
            german = group == "z" or "j" in behind[:2] or m.group().lower().startswith("alter")
            if german:
                claims.add(m.start(group), m.end(group), "age", "über 89")
            else:
                _claim(claims, m.start(group), m.end(group))
    for m in _NOUN.finditer(text):
        _claim(claims, m.start(), m.end(), "over-89-year-old")
    claims.settle()


def _claim(claims: Claims, start: int, end: int, written: str = "") -> None:
    """Claim an English age with the article before it."""
    text = claims.text
    if not written:
        written = "over-89" if text[end : end + 1] == "-" else "over 89"
    if text[end : end + 1].isalpha():
        written += " "  # "94F" is "over 89 F"
    article = _ARTICLE.search(text, max(0, start - 3), start)
    if article is None:
        claims.add(start, end, "age", written)
        return
    an = "AN" if article[0][0] == "A" and text[end:].lstrip(" -")[:2].isupper() else f"{article[0][0]}n"
    claims.add(article.start(), end, "age", f"{an} {written}")
