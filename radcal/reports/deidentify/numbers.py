"""Numbers of patients, examinations, insurances and devices: by a label, or by their length."""

from __future__ import annotations

import re
from datetime import timedelta

from radcal.reports.deidentify.rules import Action, Found, Part, Rule, figures
from radcal.reports.deidentify.words import Is, what
from radcal.system.resources import patterns

_P = patterns("deidentify", "numbers.toml")
_LABELLED = _P["labelled"]
_SHAPES = _P["shapes"]
UNIT = _P["unit"]
_GENERIC = _P["generic"]
_SPACED = _P["spaced"]
_SLASHED = _P["slashed"]
_ABBREVIATED = _P["abbreviated"]
_IN_GROUPS = _P["in_groups"]
_IN_NUMBERS = 5
"""Figures of such a number, in all."""
_NO_LABEL = (
    Is.CLINICAL | Is.FUNCTION | Is.TITLE | Is.STRONG | Is.CREDENTIAL | Is.ROLE | Is.SIGN | Is.ACT | Is.WORD | Is.MONTH
)
_BARE_GROUPS = _P["bare_groups"]
_DAY = _P["day"]
_YEARS = _P["years"]
_CLINICAL = _P["clinical"]


def _is_clinical(value: str) -> bool:
    return _CLINICAL.fullmatch(value) is not None


def _value(fewest: int, trimmed: str, exempt: tuple[re.Pattern[str], ...]) -> Action:
    """Take the value of a label, which has at least so many figures and no unit behind it.

    trimmed: what may end the match and is none of the value;  exempt: what is no such number
    """

    def action(m: re.Match[str], _: timedelta) -> Found | None:
        start, value = m.start("v"), m["v"].rstrip(trimmed)
        end = start + len(value)
        if figures(value) < fewest or UNIT.match(m.string, end) or any(one.fullmatch(value) for one in exempt):
            return None
        return Found(start, end)

    return action


def _in_groups(m: re.Match[str], _: timedelta) -> Found | None:
    value, label = m["v"], what((m["c"] or "").lower())
    if figures(value) < _IN_NUMBERS or UNIT.match(m.string, m.end()) or _DAY.fullmatch(value) or _YEARS.search(value):
        return None
    if m["c"] and (_is_clinical(value) or (label & _NO_LABEL and not label & Is.ADMIN)):
        return None
    return Found(*m.span("v"))


def _bare_groups(m: re.Match[str], _: timedelta) -> Found | None:
    return None if UNIT.match(m.string, m.end()) or _YEARS.search(m[0]) else Found(*m.span())


def _long(m: re.Match[str], _: timedelta) -> Found | None:
    written, digits = m[0], figures(m[0])
    if digits < (4 if written[0].isalpha() and "-" in written else 5):
        return None
    if digits == 5 and written[0].isdigit() and not any(map(str.isalpha, written)):
        return None
    return None if UNIT.match(m.string, m.end()) or _is_clinical(written) else Found(*m.span())


# fmt: off
NUMBERS = (
    Part((
        Rule("number behind its label", "number", _LABELLED, _value(3, "./-\\_", (_CLINICAL,)),
             "MRN: 1234567, Acc# A-2024-0012 -> MRN: [number], Acc# [number]",
             unlike="Case 12 mm, lot of 20 cm, ID 1/2."),
        Rule("number behind a word of numbers", "number", _GENERIC, _value(4, "./-", (_CLINICAL,)),
             "Token No. 4417/B. -> Token No. [number].",
             unlike="Series no. 1234. Image number 4410."),
        Rule("number in parts behind its label", "number", _SPACED, _value(4, "./-", (_CLINICAL, _DAY)),
             "Az. KG 14/91 Ab 552. -> Az. [number].",
             unlike="File of 3/4/2021."),
        Rule("number with slashes", "number", _SLASHED, _value(4, "./-", (_CLINICAL, _DAY)),
             "Film SE/CT/0091827/2. -> Film [number].",
             unlike="T4-5, L1/2."),
        Rule("number behind an abbreviation", "number", _ABBREVIATED, _value(4, "./-", (_DAY,)),
             "OPD 4411/23 -> OPD [number]",
             unlike="No. 3/4/2021, no 20 mm"),
        Rule("number in groups", "number", _IN_GROUPS, _in_groups,
             "Ins. ID QRS 118-20-3345, DVA NX 118 203. -> Ins. ID [number], DVA [number].",
             unlike="WBC 12000. BP 120/80."),
    )),
)
LONG_NUMBERS = (
    Part((
        Rule("three groups of figures", "number", _BARE_GROUPS, _bare_groups,
             "The patient (50 117 3) fell. -> The patient ([number]) fell.",
             unlike="Of 40 x 30 x 20 mm, 12 120 100 mm."),
        Rule("figures too long for a measure", "number", _SHAPES, _long,
             "Arrived as TRAUMA-3381, 0055817-QX. -> Arrived as [number], [number].",
             unlike="COVID-19, L1-2, 12000 counts."),
    )),
)
# fmt: on
