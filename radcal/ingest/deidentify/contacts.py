"""E-mail addresses, links, telephone numbers."""

from __future__ import annotations

import re

from radcal.ingest.deidentify.spans import Claims

_MAIL = re.compile(r"(?<![\w.+@-])[\w.+-]{1,64}(?: ?\(at\) ?| ?\[at\] ?|@)[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")
_APART = re.compile(
    r"(?<![\w.+@-])[a-z][\w+-]{0,30}(?:\.[\w+-]{1,30})+ @ ?[a-z][\w-]{2,40}(?:\.[\w-]{1,40})*(?!\w)", re.IGNORECASE
)
"""With a space before the sign, and with a point in the name."""
_HANDLE = re.compile(r"(?<![\w.@])@[a-z][\w.]{2,30}\w")
_AT = r"(?: ?[(\[{] ?(?:at|ät|AT) ?[)\]}] ?| (?:at|AT|ät) )"
_DOT = r"(?: ?[(\[{] ?(?:dot|punkt|DOT|PUNKT) ?[)\]}] ?| (?:dot|DOT|punkt|PUNKT) )"
_JOINT = rf"(?:{_DOT}|\.|_|-| (?:underscore|unterstrich|dash|hyphen|minus|bindestrich) )"
_SPOKEN = re.compile(
    rf"(?<![\w.+@-])(?P<n>(?:(?-i:[A-Z]) )?[\w+-]{{1,40}}(?:{_JOINT}[\w+-]{{1,40}}){{0,4}}{_AT}[\w-]{{1,40}}(?:"
    rf"(?:{_JOINT}|"
    rf" )[\w-]{{1,40}}){{0,3}}?"
    rf"{_DOT}[a-z]{{2,10}}(?:{_DOT}[a-z]{{2,10}}){{0,2}})(?!\w)"
    rf"|(?<![\w.+@-])(?P<o>[\w+-]{{1,40}}(?:{_JOINT}[\w+-]{{1,40}}){{0,4}} ?[(\[{{] ?(?:at|ät) ?[)\]}}]"
    rf" ?[\w-]{{1,40}}(?:\.[\w-]{{1,40}})"
    r"{1,4})(?!\w)",
    re.IGNORECASE,
)
"""An address as it is dictated: "name at host dot tld", "name (at) host (punkt) de"."""
_MAIL_NAME = re.compile(
    r"(?:e-?mail|mail|address|adresse|to|an|write|contact|unter)(?: \w{4,10})?[: ]{1,2}(?P<n>(?!an |to |von "
    r"|at )[a-zß-ÿ]{2,20} )$",
    re.IGNORECASE,
)
"""A first word of a dictated address, before the last one."""
_LINK = re.compile(
    r"(?<![\w@])(?:https?://[^\s<>\"')\]]{3,300}|www\.[^\s<>\"')\]]{3,300}"
    r"|(?:[a-z0-9-]{2,40}\.){1,4}(?:com|org|net|edu|gov|nhs\.uk|co\.uk|ac\.uk|de|at|ch|eu|io|health|info|fr|ca"
    r"|au|ie|nz|eu|example|test|invalid|local|intranet|clinic|hospital|care|doctor|app|dev|biz)(?:/[^\s<>\"')\]]{0,200})?(?![\w]))",
    re.IGNORECASE,
)
_LABEL = (
    r"(?<![^\W_])(?:tele(?:ph|f)on(?:e|isch)?(?:[ -]?(?:number|no\.?|nr\.?|nummer))?|tel|ph|phone|fax|telefax"
    r"|mobile?|mob|cell(?:ular|phone)?|handy"
    r"|pager|pgr|beeper|bleep|bleeper|ext|extn|extension|dect|pieper|intern|mobil|voalte|vocera|spectralink|ascom"
    r"|hotline|ruf|unter(?= -?\d)|durchwahl|dw|piepser"
    r"|funk|rückfragen|klappe|kl\.|sucher|nebenstelle|nst|apparat|hausruf|rufnr|telefonnr|dienst(?:telefon|handy)|bip"
    r"|telecopy|landline|contact|callback|call[ -]?back|whatsapp|reach(?:ed|able)?|call(?:ed|ing)?|dial|page[d]?"
    r"|phoned|text(?:ed)?|callback number)"
)
_LABELLED = re.compile(
    _LABEL
    + r"(?![^\W\d_])[.:#]?(?:[ ]?(?:number|no\.?|nr\.?|nummer|is|at|on|unter|via|to|#|:|id)[.:#]?){0,3}[ ]{0,2}[(]?"
    r"(?P<n>[-+*]?[(]?\d(?:(?:[ ()/–-]{0,3}|\)?\.)\d){2,22})(?=[xX]\d|(?!\w))",
    re.IGNORECASE,
)
_EXTENSION = re.compile(
    r"(?<![\w])(?:x|ext\.?|extn\.?|extension|dw|durchwahl|app\.?)[ .:#-]{0,3}(?P<n>\d-?\d{2,5})(?![\w.,]?\w)",
    re.IGNORECASE,
)
_GROUPED = re.compile(
    r"(?<![\w.,:/#=-])(?:\+|00)?[(]?\d(?:(?:[ ()/–-]{0,3}|\)?\.)\d){6,22}(?=[xX]\d|(?!\w|[.,:]\d|-[A-Z]))"
)
_TAIL = re.compile(r"[ ,]{0,2}(?:x|#|ext\.?|extn\.?|extension|dw|durchwahl)[ .:#-]{0,3}\d{1,6}(?!\w)", re.IGNORECASE)
_IS_SPOKEN = re.compile(r"\b(?:dot|punkt)\b|[(\[{] ?(?:at|ät) ?[)\]}]", re.IGNORECASE)
_DIGIT = (
    "(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|double|null|eins|zwo|zwei|drei|vier|fünf|sechs"
    "|sieben|acht|neun)"
)
_FIGURES_IN_WORDS = re.compile(rf"(?<![^\W_]){_DIGIT}(?:[ ,-]{{1,2}}{_DIGIT}){{5,20}}(?![^\W_])", re.IGNORECASE)
_MEASURE = re.compile(
    r"[ ]?(?:mm|cm|ml|mg|mcg|mgy|gy|hu|kv|kvp|ma|mas|%|x\s?\d|×|hz|hours?|hrs?|minutes?|seconds?|msec|ms|units?|iu"
    r"|cc|kg|lbs?|msv|frames?|images?)(?![^\W_])",
    re.IGNORECASE,
)
_NANP = re.compile(r"(?:\+?1[-. ]?)?[(]?[2-9]\d{2}[)]?[-. /]{0,3}\d{3}[-. –]{1,3}\d{4}")
_LOCAL = re.compile(r"(?<![\w.,:/#=-])(?:\d{3}-\d{4}|\d-\d{4,5})(?![\w-]|[.,:]\d)")
_FEWEST = 3
_TIME = re.compile(r"(?:[01]?\d|2[0-3])[.][0-5]\d")
_AT_TIME = re.compile(r"(?:at|um) $", re.IGNORECASE)


def find_contacts(claims: Claims) -> None:
    """Claim e-mail addresses and links, before anything reads their parts."""
    text = claims.text
    if "@" in text or "(at)" in text or "[at]" in text:
        for m in _MAIL.finditer(text):
            claims.add(m.start(), m.end(), "e-mail")
        for pattern in (_APART, _HANDLE):
            for m in pattern.finditer(text):
                claims.add(m.start(), m.end(), "e-mail")
    if _IS_SPOKEN.search(text):
        for m in _SPOKEN.finditer(text):
            first = _MAIL_NAME.search(text, max(0, m.start() - 40), m.start())
            claims.add(first.start("n") if first else m.start(), m.end(), "e-mail")
    for m in _LINK.finditer(text):
        end = m.end() - len(m.group()) + len(m.group().rstrip(".,;:!?"))
        claims.add(m.start(), end, "url")
    claims.settle()


def find_phones(claims: Claims) -> None:
    """Claim telephone, fax and pager numbers; dates must be claimed before."""
    text = claims.text
    for m in _LABELLED.finditer(text):
        number = m["n"]
        if _TIME.fullmatch(number) and _AT_TIME.search(m.group()[: m.start("n") - m.start()]):
            continue
        if sum(map(str.isdigit, number)) >= _FEWEST and not _MEASURE.match(text, m.end("n")):
            if (
                number.isdigit()
                and len(number) == 4
                and re.search(r"\b(?:at|on|to)\s*$", text[m.start() : m.start("n")], re.IGNORECASE)
            ):
                word = m.group()[:4].lower()
                if word in ("call", "phon", "reac", "cont", "text", "tele") and _clock(number):
                    continue
            start = m.start("n") - (text[m.start("n") - 1] == "(" and ")" in number)
            claims.add(start, _end(text, m.end("n")), "phone")
    for m in _FIGURES_IN_WORDS.finditer(text):
        claims.add(m.start(), m.end(), "phone")
    for m in _EXTENSION.finditer(text):
        glued = m.start("n") - m.start() == 1  # "x3321" is one word
        claims.add(m.start() if glued else m.start("n"), m.end("n"), "phone")
    claims.settle()
    text = claims.text
    for m in _GROUPED.finditer(text):
        written = m.group().rstrip("(")
        digits = sum(map(str.isdigit, written))
        if _is_phone(written, digits) and not _MEASURE.match(text, m.end()):
            claims.add(m.start(), _end(text, m.start() + len(written)), "phone")
    for m in _LOCAL.finditer(text):
        if not _MEASURE.match(text, m.end()):
            claims.add(m.start(), _end(text, m.end()), "phone")
    claims.settle()


def _clock(number: str) -> bool:
    return int(number[:2]) < 24 and int(number[2:]) < 60


def _end(text: str, at: int) -> int:
    tail = _TAIL.match(text, at)
    return tail.end() if tail else at


def _is_phone(written: str, digits: int) -> bool:
    """Whether groups of figures are a telephone number: by its prefix, by the form of North America or by length."""
    if not 7 <= digits <= 16:
        return False
    if written.startswith(("+", "00", "(0", "0")) or _NANP.fullmatch(written):
        return True
    separated = any(c in written for c in " ()/–-")
    return separated and digits >= 8 and written.count(".") != 1
