"""What the text of an X-ray report says about when it was written: addenda and corrections within it, and their times.

An addendum or a correction begins at its heading, in a line of its own or, where the line breaks of a text were lost,
behind the words before it.  Its time is the one in its heading, else the last beside a signature or "Date:" in it.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import dataclass

from radcal.reports.named_ct import names_ct
from radcal.reports.sections import document, openings
from radcal.reports.times import DATE, DAY, nanoseconds, readings, shown_by
from radcal.system.resources import patterns

__all__ = ["DAY", "TextPart", "is_revised", "packed", "shown_by", "text_parts", "unpacked"]

_P = patterns("reading", "later_texts.toml", date=DATE.pattern)
_FEWEST_SENTENCES = 3
"""Of what counts as a report without any heading below an addendum."""
_HEAD = 160
"""Characters of an addendum in which the date of its heading may stand."""


@dataclass(frozen=True, slots=True)
class TextPart:
    """The span of an addendum in a report, or of the report without its addenda.

    time: own date of the addendum, nanoseconds since 1970, the end of the day where it has no time of day; None if it
        has none;  names_ct: see :func:`radcal.reports.named_ct.names_ct`
    """

    start: int
    end: int
    addendum: bool
    time: int | None = None
    names_ct: int = 0


def is_revised(text: str) -> bool:
    """Whether a text says at its beginning that all of it is a corrected version."""
    return _P["revised"].match(text) is not None and _P["original"].search(text) is None


def text_parts(text: str, exam_time: dt.datetime | None = None) -> tuple[TextPart, ...]:
    """The report and its addenda within one text, in order; () if it has no addendum.

    An addendum begins at its heading and ends at the next, or, where it stands before the report, where that begins.
    Of a date that fits both orders of day and month, the one nearest after ``exam_time`` is meant.
    """
    if not _P["quick"].search(text):
        return ()
    if is_revised(text):
        time = _own_time(text, exam_time)
        return () if time is None else (TextPart(0, len(text), False, time, names_ct(text, exam_time)),)
    starts = _starts(text)
    if not starts:
        return ()
    heading, before = starts[0], text[: starts[0]]
    report = _report_below(text, starts) if _holds_no_report(before) else None
    if report is not None:
        starts[0] = 0
    edges = [(0, False)] if starts[0] and before.strip() else []
    edges += [(start, True) for start in starts]
    if report is not None:
        edges = sorted({*edges, (report, False)})
    ends = [start for start, _ in edges[1:]] + [len(text)]
    return tuple(
        TextPart(
            start,
            end,
            later,
            _own_time(text[start or heading : end], exam_time) if later else None,
            names_ct(text[start:end], exam_time),
        )
        for (start, later), end in zip(edges, ends, strict=True)
        if text[start:end].strip()
    )


def _starts(text: str) -> list[int]:
    """The beginnings of the addenda; "Addended by ..." at the end of one is its signature."""
    found = list(_P["heading"].finditer(text))
    ends = [*(of.start() for of in found[1:]), len(text)]
    starts: list[int] = []
    for of, end in zip(found, ends, strict=False):
        signs = (of["by"] or of["by2"]) and not text[of.start() : end].strip().partition("\n")[2].strip()
        if not (signs and starts):
            starts.append(of.start())
    return starts


def _holds_no_report(before: str) -> bool:
    """Whether there is nothing, or no more than the name of the examination, before the first addendum."""
    lines = [line for line in before.splitlines() if line.strip(" \t-=_*")]
    return len(lines) <= _MOST_LINES and all(
        (own := openings(line)) and not own[0][0] and not own[0][1].startswith(_TELLING) for line in lines
    )


_MOST_LINES = 20
_TELLING = ("findings", "impression", "befund", "beurteilung", "report")


def _report_below(text: str, starts: Sequence[int]) -> int | None:
    """Where the report begins that stands below its first addenda, None if there is none."""
    if original := _P["original"].search(text, starts[0] + 1):
        return original.start()
    bounds = [*starts[1:], len(text)]
    begins = [_headed(text, start, end) for start, end in zip(starts, bounds, strict=True)]
    if any(begins):
        # The addenda may have headings of their own, but the report has more.
        return max(begins, key=len)[0]
    for start, end in zip(starts, bounds, strict=True):
        for rule in _P["rule"].finditer(text, start, end):
            if _P["said"].search(text, max(start, rule.start() - _HEAD), rule.start()):
                return rule.start()
        for blank in _P["blank"].finditer(text, start, end):
            if _P["said"].search(text, max(start, blank.start() - _HEAD), blank.start()):
                below = text[blank.end() : end]
                if len(document("", below).sentences) >= _FEWEST_SENTENCES and not names_ct(below):
                    return blank.end()
                break
    return None


def _headed(text: str, start: int, end: int) -> list[int]:
    """Where the report's sections begin below what an addendum says; headings that come again below are its own."""
    names: set[str] = set()
    last: list[tuple[int, str]] = []
    for at, name in reversed(openings(text[start:end])):
        if name and name in names:
            break
        names.add(name)
        last.append((start + at, name))
    last.reverse()
    apart = [k for k, (at, _) in enumerate(last) if _is_apart(text, at)]
    if apart and last[0][1] in _ASIDES:
        last = last[apart[0] :]
    return [at for at, _ in last] if last and _P["said"].search(text, start, last[0][0]) else []


_ASIDES = ("comparison", "comparisons", "technique", "vergleich", "technik")


def _is_apart(text: str, at: int) -> bool:
    """Whether a blank line or a rule stands above ``at``."""
    return not text[max(0, at - _HEAD) : at].rstrip(" \t").removesuffix("\n").rpartition("\n")[2].strip(" \t-=_*")


def packed(parts: tuple[TextPart, ...]) -> str:
    """The parts as short JSON, '' for none."""
    rows = [[p.start, p.end, int(p.addendum), p.time, p.names_ct] for p in parts]
    return json.dumps(rows, separators=(",", ":")) if rows else ""


def unpacked(parts: str) -> tuple[TextPart, ...]:
    """The inverse of :func:`packed`."""
    rows = json.loads(parts) if parts else ()
    return tuple(TextPart(start, end, bool(later), time, named) for start, end, later, time, named in rows)


def _own_time(addendum: str, exam_time: dt.datetime | None) -> int | None:
    head = addendum[:_HEAD].lstrip().partition("\n")[0]
    for found in DATE.finditer(head):
        if not _P["of_images"].search(head[: found.start()]) and (time := _read(found.group(), exam_time)) is not None:
            return time
    stamps = [_read(found["date"], exam_time) for found in _P["stamp"].finditer(addendum)]
    return max((time for time in stamps if time is not None), default=None)


def _read(date: str, exam_time: dt.datetime | None) -> int | None:
    """The first moment that a date may mean and that is not before the examination."""
    begin = None if exam_time is None else nanoseconds(exam_time)
    return min((time for time in readings(date) if begin is None or time >= begin), default=None)
