"""E-mail addresses, links, telephone numbers."""

from __future__ import annotations

import re
from datetime import timedelta

from radcal.reports.deidentify.rules import Found, Part, Rule, figures, whole

_MAIL = re.compile(r"(?<![\w.+@-])[\w.+-]{1,64}(?: ?\(at\) ?| ?\[at\] ?|@)[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")
_AT = r"(?: ?[(\[{] ?(?:at|ät|AT) ?[)\]}] ?| (?:at|AT|ät) )"
_DOT = r"(?: ?[(\[{] ?(?:dot|punkt|DOT|PUNKT) ?[)\]}] ?| (?:dot|DOT|punkt|PUNKT) )"
_JOINT = rf"(?:{_DOT}|\.|_|-| (?:underscore|unterstrich|dash|hyphen|minus|bindestrich) )"
_SPOKEN = re.compile(
    rf"(?<![\w.+@-])(?:(?-i:[A-Z]) )?[\w+-]{{1,40}}(?:{_JOINT}[\w+-]{{1,40}}){{0,4}}{_AT}[\w-]{{1,40}}"
    rf"(?:(?:{_JOINT}| )[\w-]{{1,40}}){{0,3}}?{_DOT}[a-z]{{2,10}}(?:{_DOT}[a-z]{{2,10}}){{0,2}}(?!\w)"
    rf"|(?<![\w.+@-])[\w+-]{{1,40}}(?:{_JOINT}[\w+-]{{1,40}}){{0,4}} ?[(\[{{] ?(?:at|ät) ?[)\]}}]"
    r" ?[\w-]{1,40}(?:\.[\w-]{1,40}){1,4}(?!\w)",
    re.IGNORECASE,
)
_IS_SPOKEN = re.compile(r"\b(?:dot|punkt)\b|[(\[{] ?(?:at|ät) ?[)\]}]", re.IGNORECASE)
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
"""The form of North America."""
_FEWEST = 3
_TIME = re.compile(r"(?:[01]?\d|2[0-3])\.[0-5]\d|(?:[01]\d|2[0-3])[0-5]\d")
_AT_TIME = re.compile(r"(?:at|um) $", re.IGNORECASE)
_CALLED_AT = re.compile(r"^(?:call|phon|reac|cont|text|tele).*\b(?:at|on|to)\s*$", re.IGNORECASE)


def _link(m: re.Match[str], _: timedelta) -> Found:
    return Found(m.start(), m.start() + len(m[0].rstrip(".,;:!?")))


def _with_tail(text: str, at: int) -> int:
    """Where a number ends, with its extension."""
    tail = _TAIL.match(text, at)
    return tail.end() if tail else at


def _labelled(m: re.Match[str], _: timedelta) -> Found | None:
    text, number, label = m.string, m["n"], m[0][: m.start("n") - m.start()]
    if figures(number) < _FEWEST or _MEASURE.match(text, m.end("n")):
        return None
    if _TIME.fullmatch(number) and (_AT_TIME if "." in number else _CALLED_AT).search(label):
        return None
    start = m.start("n") - (label.endswith("(") and ")" in number)
    return Found(start, _with_tail(text, m.end("n")))


def _extension(m: re.Match[str], _: timedelta) -> Found:
    glued = m.start("n") - m.start() == 1  # "x3321" is one word
    return Found(m.start() if glued else m.start("n"), m.end("n"))


def _grouped(m: re.Match[str], _: timedelta) -> Found | None:
    """A telephone number by its prefix, by the form of North America or by its length and groups."""
    written = m[0].rstrip("(")
    digits = figures(written)
    if not 7 <= digits <= 16 or _MEASURE.match(m.string, m.end()):
        return None
    grouped = digits > 7 and any(c in written for c in " ()/–-") and written.count(".") != 1
    if not (grouped or written.startswith(("+", "0", "(0")) or _NANP.fullmatch(written)):
        return None
    return Found(m.start(), _with_tail(m.string, m.start() + len(written)))


# fmt: off
CONTACTS = (
    Part((
        Rule("e-mail address", "e-mail", _MAIL, whole,
             "Write to a.b@example.org. -> Write to [e-mail].",
             unlike="Seen @ 3 pm at b.example"),
    ), reads=lambda text: "@" in text or "(at)" in text or "[at]" in text),
    Part((
        Rule("e-mail address as it is dictated", "e-mail", _SPOKEN, whole,
             "lee dot may at ward dot example -> [e-mail]",
             unlike="Dot at the base."),
    ), reads=_IS_SPOKEN.search),
    Part((
        Rule("link", "url", _LINK, _link,
             "See www.example.org/x. -> See [url].",
             unlike="See fig.1, e.g. below."),
    )),
)
PHONES = (
    Part((
        Rule("telephone number behind its label", "phone", _LABELLED, _labelled,
             "Pager 4521, tel. (030) 123-45 ext. 7 -> Pager [phone], tel. [phone]",
             unlike="Called at 1432, trauma call at 22.10, text 200 mg."),
        Rule("figures in words", "phone", _FIGURES_IN_WORDS, whole,
             "on five five five oh one two -> on [phone]",
             unlike="One two three nodules."),
        Rule("extension", "phone", _EXTENSION, _extension,
             "x3321, DW 4-412 -> [phone], DW [phone]",
             unlike="Image x3"),
    )),
    Part((
        Rule("figures in groups", "phone", _GROUPED, _grouped,
             "Back to +49 (0)30 123456, 555-123-4567 x12. -> Back to [phone], [phone].",
             unlike="Images 120 100, 1000 2000 mm."),
    )),
)
# fmt: on
