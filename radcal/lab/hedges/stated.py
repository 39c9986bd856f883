"""A probability that a sentence states itself: "a 60 percent chance", "two to one", "nine times out of ten"."""

from __future__ import annotations

import re
from typing import NamedTuple

from radcal.system.number_words import english
from radcal.system.resources import patterns

_NUMBERS = {english(n): n for n in range(100)} | {"hundred": 100, "thousand": 1000, "million": 1_000_000, "a": 1}
_PARTS = {"half": 0.5, "third": 1 / 3, "quarter": 0.25, "fifth": 0.2, "tenth": 0.1}
_ALL = 100
_BEFORE = 80
"""Characters before a number in which its denial is looked for."""
_BEYOND = 0.25
"""How far towards the bound "more than 80 %" and "less than 20 %" lie."""

_P = patterns("hedges", "stated.toml")
_FORMS = tuple(form for name, form in _P.items() if name.startswith("form_"))
_COUNTED = "low", "high", "some", "all", "often", "ever", "decimal", "for", "against"
_MARKS = str.maketrans(
    dict.fromkeys("\u2019\u2018\u02bc", "'") | dict.fromkeys("\u00a0\u202f", " ") | dict.fromkeys("\u2011\u2013", "-")
)

_AROUND = " \t\n\"'\u201c\u201d\u2018\u2019"


class Stated(NamedTuple):
    """A stated probability (0-1) and where it stands."""

    value: float
    start: int
    end: int

    def moved(self, by: int) -> Stated:
        """The same in a text that has so many characters before."""
        return Stated(self.value, self.start + by, self.end + by)


def stated(text: str) -> Stated | None:
    """The probability that a sentence states of what it says, the first of several; None if it states none.

    Numbers count where they are said of certainty ("60 percent chance", "95 % sure"), before the statement ("two to one
    it was Rome") or beside a bare name ("90 percent Rome."); elsewhere they are content ("90 percent of the water").  A
    denied number ("not 100 % sure") states none.  Said of a denial ("80 % sure it is not Rome") or of an error ("a 30 %
    chance that I'm wrong"), it is counted for what is named.
    """
    plain = text.translate(_MARKS).strip(_AROUND)
    if not _P["number"].search(plain):
        return None
    found = [f for form in _FORMS for match in form.finditer(plain) if (f := _read(match, plain)) is not None]
    first = min(found, key=lambda one: (one.start, -one.end), default=None)
    lead = len(text) - len(text.lstrip(_AROUND))
    return first and first.moved(lead)


def _read(match: re.Match[str], text: str) -> Stated | None:
    value = _value({name: words for name, words in match.groupdict().items() if words})
    lead = len(match[0]) - len(match[0].lstrip(" .?!:;,(-"))
    start, end = match.start() + lead, match.end()
    # "no more than 20 %" is a bound, "not 100 % sure" a denial.
    is_bound = _P["bounded"].match(match[0], lead) is not None
    if value is None or (not is_bound and _P["denied"].search(text, max(start - _BEFORE, 0), start)):
        return None
    rest = _P["next"].split(text[end:], maxsplit=1)[0]
    if _P["denies"].search(rest) or _P["of_error"].match(rest):
        value = 1 - value
    return Stated(value, start, end)


def _value(groups: dict[str, str]) -> float | None:
    """The probability that the words of a match stand for; None if they stand for none."""
    n = {name: _number(groups[name]) for name in _COUNTED if name in groups}
    if "even" in groups:
        value = 0.5
    elif "low" in groups:
        value = (n["low"] + n.get("high", n["low"])) / 2 / _ALL
    elif "some" in groups or "often" in groups:
        part, whole = (n["some"], n["all"]) if "some" in groups else (n["often"], n["ever"])
        value = part / whole if whole else 2
    elif "part" in groups:
        value = _PARTS[groups["part"].lower()] * {"two": 2, "three": 3}.get(groups.get("times", "").lower(), 1)
    elif "decimal" in groups:
        value = n["decimal"]
    else:
        total = n["for"] + n["against"]
        whole = n["against"] if "per" in groups and total != _ALL else total  # 8/10, but 60/40
        value = n["for"] / whole if whole else 2
    if not 0 <= value <= 1:
        return None
    if "more" in groups:
        value += _BEYOND * (1 - value)
    if "less" in groups:
        value -= _BEYOND * value
    return 1 - value if "un" in groups or "con" in groups else value


def _number(words: str) -> float:
    """A number in figures or words."""
    words = words.lower().replace(",", ".")
    if words[0].isdigit() or words[0] == ".":
        return float(words)
    parts = words.split()
    words = " ".join(parts[1:] if len(parts) > 1 and parts[0] in ("a", "one") else parts).replace(" ", "-")
    return float(_NUMBERS[words])
