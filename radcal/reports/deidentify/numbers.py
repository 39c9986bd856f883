"""Numbers of patients, examinations, insurances and devices: by a label, or by their length."""

from __future__ import annotations

import re
from datetime import timedelta

from radcal.reports.deidentify.rules import Action, Found, Part, Rule, figures
from radcal.reports.deidentify.words import Is, what
from radcal.system.resources import patterns

_P = patterns("deidentify", "numbers.toml")
UNIT = _P["unit"]
_IN_NUMBERS = 5
"""Figures of such a number, in all."""
_NO_LABEL = (
    Is.CLINICAL | Is.FUNCTION | Is.TITLE | Is.STRONG | Is.CREDENTIAL | Is.ROLE | Is.SIGN | Is.ACT | Is.WORD | Is.MONTH
)


def _is_clinical(value: str) -> bool:
    return _P["clinical"].fullmatch(value) is not None


def _value(fewest: int, trimmed: str, *exempt: str) -> Action:
    """Take the value of a label, which has at least so many figures and no unit behind it.

    trimmed: what may end the match and is none of the value;  exempt: what is no such number
    """

    def action(m: re.Match[str], _: timedelta) -> Found | None:
        start, value = m.start("v"), m["v"].rstrip(trimmed)
        end = start + len(value)
        if figures(value) < fewest or UNIT.match(m.string, end) or any(_P[name].fullmatch(value) for name in exempt):
            return None
        return Found(start, end)

    return action


def _in_groups(m: re.Match[str], _: timedelta) -> Found | None:
    value, label = m["v"], what((m["c"] or "").lower())
    other = UNIT.match(m.string, m.end()) or _P["day"].fullmatch(value) or _P["years"].search(value)
    if other or figures(value) < _IN_NUMBERS:
        return None
    if m["c"] and (_is_clinical(value) or (label & _NO_LABEL and not label & Is.ADMIN)):
        return None
    return Found(*m.span("v"))


def _bare_groups(m: re.Match[str], _: timedelta) -> Found | None:
    return None if UNIT.match(m.string, m.end()) or _P["years"].search(m[0]) else Found(*m.span())


def _long(m: re.Match[str], _: timedelta) -> Found | None:
    written, digits = m[0], figures(m[0])
    if digits < (4 if written[0].isalpha() and "-" in written else 5):
        return None
    if digits == 5 and written[0].isdigit() and not any(map(str.isalpha, written)):
        return None
    return None if UNIT.match(m.string, m.end()) or _is_clinical(written) else Found(*m.span())


NUMBERS = (
    Part(
        (
            Rule("number behind its label", "number", _P["labelled"], _value(3, "./-\\_", "clinical")),
            Rule("number behind a word of numbers", "number", _P["generic"], _value(4, "./-", "clinical")),
            Rule("number in parts behind its label", "number", _P["spaced"], _value(4, "./-", "clinical", "day")),
            Rule("number with slashes", "number", _P["slashed"], _value(4, "./-", "clinical", "day")),
            Rule("number behind an abbreviation", "number", _P["abbreviated"], _value(4, "./-", "day")),
            Rule("number in groups", "number", _P["in_groups"], _in_groups),
        )
    ),
)
LONG_NUMBERS = (
    Part(
        (
            Rule("three groups of figures", "number", _P["bare_groups"], _bare_groups),
            Rule("figures too long for a measure", "number", _P["shapes"], _long),
        )
    ),
)
