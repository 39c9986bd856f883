"""The content of the department's page: all readers under pseudonyms, unranked, and nobody's exact figures.

What is said of a reader is as coarse as :mod:`radcal.system.coarse` has it, and what is said of several is worked out
from that: two of these pages, or one and a reader's own, subtracted from each other tell no more than each alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from radcal.calibration.groups import hedged_uses
from radcal.calibration.records import SURE, Reliability
from radcal.feedback.explaining import explained, made_with
from radcal.feedback.records import FeedbackInput
from radcal.system import coarse
from radcal.system.errors import DataError
from radcal.system.files import Json
from radcal.system.intervals import of_cells
from radcal.system.language.catalogue import Language, language
from radcal.system.settings import Settings

_MOST_WORDS = 4
"""Hedged words of a pathology that are named one by one."""
_MOST_TOPICS = 8


class _Reader(NamedTuple):
    """One reader on one pathology, or on all of them together."""

    name: str
    r: Reliability
    measured: bool
    beyond: bool = False
    """Whether hedged words differ, together or for a pathology of which the reader said enough."""


def department_content(inputs: Sequence[FeedbackInput], settings: Settings, w: Language | None = None) -> Json:
    """The content of the department's page, in the words of a language (English).

    Readers stand in the order of their pseudonyms, over all pathologies together; then the pathologies of most findings
    with the words of all readers together.  A pathology of which fewer than ``coarse.FEWEST`` readers said so much is
    left out, and so is a reader who said less of it.

    Raises:
        DataError: no author, a missing pseudonym, one that is the author's name, or one given twice.
    """
    w = w or language()
    check_pseudonyms(inputs)
    ordered = sorted(inputs, key=lambda i: i.pseudonym.casefold())
    firsts = [p.first_exam for i in ordered if (p := i.provenance).first_exam]
    lasts = [p.last_exam for i in ordered if (p := i.provenance).last_exam]
    days = ordered[0].days
    when = w.days_chosen(days) or w.date_range(min(firsts, default=None), max(lasts, default=None))
    topics, hidden = _topics(ordered)
    readers = _in_all(ordered, settings) if topics else []
    measured = [reader for reader in readers if reader.measured]
    total = coarse.together(coarse.cells((r.n, 0.0) for of in topics.values() for r in of))
    first = ordered[0].provenance
    meta = [
        w.counted(len(ordered), "{n} reader", "{n} readers"),
        w.say("{range} findings", range=w.banded(total[0])) if total else "",
        w.say("days chosen: {days}", days=when) if days.are_limited else when,
    ]
    return {
        "title": w.say("Certainty words in the department, checked against CT"),
        "meta": " · ".join(filter(None, meta)),
        "footer": " · ".join(filter(None, (w.say("Department"), when))),
        "summary": _summary(measured, w) if readers else _nobody(w),
        "axis": _axis([reader.r for reader in measured]),
        "readers": [_row(reader, settings, w) for reader in readers],
        "pathologies": _pathologies(topics, w),
        "left_out": w.say(
            "Left out, because fewer than {k} readers made {k} statements or more on each: {topics}.",
            k=str(coarse.FEWEST),
            topics=w.listed(sorted(map(w.pathology, hidden), key=str.casefold), _MOST_TOPICS),
        )
        if hidden
        else "",
        "reading": [
            w.typographic(told["text"])
            for told in explained(
                "department",
                w,
                {"measured": bool(measured)},
                confidence=w.percent(settings.confidence),
                hours=w.hours(settings.window_hours),
                k=str(coarse.FEWEST),
            )
        ],
        "made": made_with(first, w),
    }


def _nobody(w: Language) -> str:
    return w.say(
        "Nothing is shown: it takes {k} readers with {k} statements on a pathology, so that nobody can be recognised.",
        k=str(coarse.FEWEST),
    )


def _in_all(ordered: Sequence[FeedbackInput], settings: Settings) -> list[_Reader]:
    """The readers over all pathologies together; nobody where they are too few."""
    found = []
    for i in ordered:
        used = [r for r in i.reliabilities if r.n > 0]
        whole = i.pooled if i.pooled is not None and len(used) > 1 else next(iter(used), None)
        if whole is not None and whole.n >= coarse.FEWEST:
            beyond = any(r.differs for r in (whole, *(r for r in used if _is_measured(r, settings))))
            found.append(_Reader(i.pseudonym, whole, _is_measured(whole, settings), beyond))
    return found if len(found) >= coarse.FEWEST else []


def _pathologies(topics: Mapping[str, Sequence[Reliability]], w: Language) -> list[Json]:
    """The pathologies of most findings, with how many readers spoke of them and what all of them said most."""
    sizes = {topic: coarse.together(coarse.cells((r.n, 0.0) for r in of)) or (0.0, 0.0) for topic, of in topics.items()}
    most = sorted(topics, key=lambda topic: (-sizes[topic][0], topic))
    told = [(topic, _words(topics[topic], w)) for topic in most]
    return [
        {"topic": w.pathology(topic), "readers": w.count(len(topics[topic])), "words": words}
        for topic, words in told
        if words
    ][:_MOST_TOPICS]


def _topics(ordered: Sequence[FeedbackInput]) -> tuple[dict[str, list[Reliability]], list[str]]:
    """What was said of each pathology by those who said enough, and the pathologies of which too few did."""
    found: dict[str, list[Reliability]] = {}
    for r in (r for i in ordered for r in i.reliabilities if r.n > 0):
        found.setdefault(r.topic, []).extend([r] if r.n >= coarse.FEWEST else [])
    shown = {topic: groups for topic, groups in found.items() if len(groups) >= coarse.FEWEST}
    return shown, sorted(found.keys() - shown.keys())


def _is_measured(r: Reliability, settings: Settings) -> bool:
    """Whether there are enough statements for a measure, going by their bands alone.

    Else a threshold within a band would narrow it: whoever has no measure is below the threshold.
    """
    hedged = coarse.band(hedged_uses(r.phrases))
    enough = coarse.band(r.n).low >= settings.min_group_n and hedged.low >= settings.min_phrase_n
    return r.word_error is not None and enough


def check_pseudonyms(inputs: Sequence[FeedbackInput]) -> None:
    """Refuse readers who cannot be told apart by pseudonyms alone.

    Raises:
        DataError: no author, a missing pseudonym, one that is the author's name, or one given twice.
    """
    if not inputs:
        raise DataError("The department's page needs at least one reader.")
    names = [i.pseudonym for i in inputs]
    for i in inputs:
        if not i.pseudonym or i.pseudonym == (i.author if i.name is None else i.name):
            raise DataError("A reader has no pseudonym. The department's page is made with a pseudonym for each.")
    if len(set(names)) < len(names):
        raise DataError("Two readers have the same pseudonym. The department's page needs one for each.")


def _summary(measured: Sequence[_Reader], w: Language) -> str:
    if not measured:
        return w.say("Not enough data yet to measure the words of any reader.")
    beyond = sum(reader.beyond for reader in measured)
    if not beyond:
        return w.say("No reader\u2019s hedged words clearly differ from what CT found.")
    return w.say(
        "For {n} of {readers}, hedged words overstated or understated what CT found, for one pathology or all together "
        "({sure} sure).",
        n=w.count(beyond),
        readers=w.counted(len(measured), "{n} reader", "{n} readers"),
        sure=w.sure(SURE),
    )


def _axis(groups: Sequence[Reliability]) -> float:
    """The common end of the axis, a multiple of 0.1, at least 0.2."""
    ends = [v for r in groups for v in (_error(r), *_spread(r), _luck(r)) if v is not None]
    return max(2, math.ceil(10 * max(ends, default=0.0) - 1e-9)) / 10


def _error(r: Reliability) -> float:
    return coarse.rounded(r.word_error or 0.0)


def _spread(r: Reliability) -> tuple[float, float] | tuple[None, None]:
    low, high = r.word_error_low, r.word_error_high
    return (None, None) if low is None or high is None else coarse.outward(low, high)


def _luck(r: Reliability) -> float | None:
    return None if r.luck_word_p95 is None else coarse.rounded(r.luck_word_p95)


def _words(groups: Sequence[Reliability], w: Language) -> str:
    """The hedged words that a pathology is measured over, the strongest first, of all readers together.

    One more reader than usual: each of them sees all others, less the own figures.
    """
    cells: dict[str, list[coarse.Cell]] = {}
    mean: dict[str, float] = {}
    for p in (p for r in groups for p in r.phrases if 0 < p.mean < 1):
        mean[p.phrase] = p.mean
        cells.setdefault(p.phrase, []).extend(coarse.cells([(p.n, p.positives)]))
    known = shown_words(cells)
    most = sorted(known, key=lambda phrase: (-known[phrase][0], phrase))[:_MOST_WORDS]
    return "; ".join(
        w.say(
            "{word} {range} times, {rate}",
            word=w.quoted(phrase),
            range=w.banded(known[phrase][0]),
            rate=w.rate(coarse.rounded(known[phrase][1] / known[phrase][0]), *of_cells(cells[phrase])),
        )
        for phrase in sorted(most, key=lambda phrase: (-mean[phrase], phrase))
    )


def shown_words(cells: Mapping[str, Sequence[coarse.Cell]]) -> dict[str, tuple[float, float]]:
    """Uses and confirmed ones, of their cells, of each word that enough readers said for all of them together."""
    return {
        phrase: sums
        for phrase, parts in cells.items()
        if len(parts) > coarse.FEWEST and (sums := coarse.together(parts)) is not None
    }


def _row(reader: _Reader, settings: Settings, w: Language) -> Json:
    r, n = reader.r, w.banded(reader.r.n)
    if not reader.measured:
        return {"name": reader.name, "n": n, "reason": _unmeasured(r, settings, w)}
    value, (low, high), luck = _error(r), _spread(r), _luck(r)
    return {
        "name": reader.name,
        "n": n,
        "reason": "",
        "value": w.number(100 * value),
        "spread": "" if low is None or high is None else w.spread(low, high),
        "luck": "" if luck is None else w.say("up to {distance}", distance=w.number(100 * luck)),
        "plot": {
            "value": value,
            "low": value if low is None else low,
            "high": value if high is None else high,
            "luck": luck,
            "beyond": reader.beyond,
        },
    }


def _unmeasured(r: Reliability, settings: Settings, w: Language) -> str:
    """Why there is no measure of a reader's words, going by the bands."""
    if coarse.band(r.n).low < settings.min_group_n:
        return w.say("a measure needs {n} statements", n=str(settings.min_group_n))
    return w.say("too few hedged statements; a measure needs {n}", n=str(settings.min_phrase_n))
