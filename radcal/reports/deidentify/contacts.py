"""E-mail addresses, links, telephone numbers."""

from __future__ import annotations

import re
from datetime import timedelta

from radcal.reports.deidentify.rules import Found, Part, Rule, figures, whole
from radcal.system.resources import patterns

_P = patterns("deidentify", "contacts.toml")
_MAIL = _P["mail"]
_SPOKEN = _P["spoken"]
_IS_SPOKEN = _P["is_spoken"]
_LINK = _P["link"]
_LABELLED = _P["labelled"]
_EXTENSION = _P["extension"]
_GROUPED = _P["grouped"]
_TAIL = _P["tail"]
_FIGURES_IN_WORDS = _P["figures_in_words"]
_MEASURE = _P["measure"]
_NANP = _P["nanp"]
_FEWEST = 3
_TIME = _P["time"]
_AT_TIME = _P["at_time"]
_CALLED_AT = _P["called_at"]


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
