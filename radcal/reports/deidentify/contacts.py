"""E-mail addresses, links, telephone numbers."""

from __future__ import annotations

import re
from datetime import timedelta

from radcal.reports.deidentify.rules import Found, Part, Rule, figures, whole
from radcal.system.resources import patterns

_P = patterns("deidentify", "contacts.toml")
_FEWEST = 3


def _link(m: re.Match[str], _: timedelta) -> Found:
    return Found(m.start(), m.start() + len(m[0].rstrip(".,;:!?")))


def _with_tail(text: str, at: int) -> int:
    """Where a number ends, with its extension."""
    tail = _P["tail"].match(text, at)
    return tail.end() if tail else at


def _labelled(m: re.Match[str], _: timedelta) -> Found | None:
    text, number, label = m.string, m["n"], m[0][: m.start("n") - m.start()]
    if figures(number) < _FEWEST or _P["measure"].match(text, m.end("n")):
        return None
    if _P["time"].fullmatch(number) and (_P["at_time"] if "." in number else _P["called_at"]).search(label):
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
    if not 7 <= digits <= 16 or _P["measure"].match(m.string, m.end()):
        return None
    grouped = digits > 7 and any(c in written for c in " ()/–-") and written.count(".") != 1
    if not (grouped or written.startswith(("+", "0", "(0")) or _P["nanp"].fullmatch(written)):
        return None
    return Found(m.start(), _with_tail(m.string, m.start() + len(written)))


CONTACTS = (
    Part(
        (Rule("e-mail address", "e-mail", _P["mail"], whole),),
        reads=lambda text: "@" in text or "(at)" in text or "[at]" in text,
    ),
    Part((Rule("e-mail address as it is dictated", "e-mail", _P["spoken"], whole),), reads=_P["is_spoken"].search),
    Part((Rule("link", "url", _P["link"], _link),)),
)
PHONES = (
    Part(
        (
            Rule("telephone number behind its label", "phone", _P["labelled"], _labelled),
            Rule("figures in words", "phone", _P["figures_in_words"], whole),
            Rule("extension", "phone", _P["extension"], _extension),
        )
    ),
    Part((Rule("figures in groups", "phone", _P["grouped"], _grouped),)),
)
