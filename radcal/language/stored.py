"""Sentences of results that were stored as finished English, before texts were kept with their values.

Read once, when such a result is opened; a sentence that is none of these stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from radcal.text import Text, joined, made_of

_TEMPLATES = {
    "sentence": (
        ("{n:,} use; advice needs {min}.", "{n:,} uses; advice needs {min}."),
        ("{n:,} finding; advice needs {min}.", "{n:,} findings; advice needs {min}."),
        ("{n:g} finding; a curve needs {min}.", "{n:g} findings; a curve needs {min}."),
        "The Llama process stopped twice while it read this report alone; the last time {reason}.",
        "{file} has no rows that can be used.",
        "{file} writes some dates with the day first and some with the month first.",
        "{file}: nothing tells whether dates such as 03/04/2024 have the day or the month first. They were read "
        "{order}. If this is wrong, import again and state the order.",
        "{file}: {no_clock:,} of {n:,} examination times have no time of day and count as midnight. Which of two "
        "examinations of one day was first is unknown for them.",
        "{file}: {utc:,} of {n:,} examination times are marked as UTC, the others not. All were read as times of the "
        "same clock.",
        "{file}: the report status of {n:,} of {n2:,} rows is not known and was left out of account.",
        "Left out because they do not show the chest: {named}.",
        "Left out because they do not show the chest: {rest:,}, under names that are too rare to be told.",
        "has a CT within {hours} h",
        "the next CT was later than {hours} h after the X-ray",
        "has an X-ray within {hours} h before",
        "the last X-ray was more than {hours} h before the CT",
        "an earlier version: {figures}",
        "F1 {f1:.2f} ({low:.2f}\u2013{high:.2f}) on {reports} unseen reports",
        "F1 {f1:.2f} ({f1_low:.2f}\u2013{f1_high:.2f}) on {reports:,} own reports",
    ),
    "figures": ("F1 {f1:.2f} ({low:.2f}\u2013{high:.2f}) on {reports} unseen reports",),
    "order": ("day first", "month first"),
}
_NAMES = frozenset(("reason", "file", "named"))
_HOLE = re.compile(r"\{([a-z_0-9]+)((?:!c)?(?::[^}]*)?)\}")
_HYPHEN = re.compile(r"(F1 \d\.\d\d \(\d\.\d\d)-")
"""In an interval, as the first versions wrote it."""
_END = re.compile(r"(?<=\.) (?=[A-Z0-9'])")


def text_of(stored: str | Mapping[str, Any]) -> Text:
    """A text as it is stored: with its values, or by a version before as a sentence."""
    return recognised(stored) if isinstance(stored, str) else made_of(stored)


def recognised(sentence: str) -> Text:
    """A stored sentence, or several, as the text that it was made of."""
    sentence = _HYPHEN.sub("\\1\u2013", sentence)
    for pieces in (_END.split(sentence), [sentence]):
        found = [_filled(piece, "sentence") for piece in pieces]
        if None not in found and (made := joined([text for text in found if text is not None])) == sentence:
            return made
    return Text(sentence)


def _filled(text: str, kind: str) -> Text | None:
    for one, many, pattern in _patterns(kind):
        if (match := pattern.fullmatch(text)) is None:
            continue
        values = {name: _value(name, value) for name, value in match.groupdict().items()}
        if None not in values.values():
            return Text(one, many=many, **values) if values else Text(one)
    return None


def _value(name: str, value: str) -> object:
    if name in _NAMES:
        return value
    if name in _TEMPLATES:
        return _filled(value, name)
    plain = value.replace(",", "")
    return float(plain) if "." in plain else int(plain)


@cache
def _patterns(kind: str) -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    return tuple(_made(kind))


def _made(kind: str) -> Iterator[tuple[str, str, re.Pattern[str]]]:
    for template in _TEMPLATES[kind]:
        one, many = (template, "") if isinstance(template, str) else template
        for written in filter(None, (one, many)):
            parts = _HOLE.split(written)
            pattern = "".join(
                re.escape(part) if k % 3 == 0 else f"(?P<{part}>{_holds(part)})" if k % 3 == 1 else ""
                for k, part in enumerate(parts)
            )
            yield one, many, re.compile(f"(?i:{pattern[0]}){pattern[1:]}" if pattern[0].isalpha() else pattern)


def _holds(name: str) -> str:
    return ".+?" if name in _NAMES or name in _TEMPLATES else r"-?\d[\d,]*(?:\.\d+)?"
