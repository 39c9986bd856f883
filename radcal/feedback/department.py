"""The content of the department's QA pages: all readers under pseudonyms, unranked, and nobody's exact figures.

What is said of a reader is as coarse as :mod:`radcal.system.coarse` has it, and what is said of several is worked out
from that: two of these pages, or one and a reader's own, subtracted from each other tell no more than each alone.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from radcal.feedback.explaining import explained, limits, provenance_rows, read_by
from radcal.feedback.records import FeedbackInput
from radcal.reliability.groups import hedged_uses
from radcal.reliability.records import SURE, Reliability
from radcal.system import coarse
from radcal.system.errors import DataError
from radcal.system.files import Json
from radcal.system.intervals import of_cells
from radcal.system.language.catalogue import Language, language
from radcal.system.language.manners import NBSP
from radcal.system.settings import Settings

_FEWEST_FOR_INTERVAL = 60
"""Hedged statements from which a word error has its interval; radcal.reliability decides so."""
_MOST_WORDS = 8
"""Hedged words of a pathology that are named one by one."""


class _Reader(NamedTuple):
    """One reader on one pathology."""

    name: str
    r: Reliability
    measured: bool


def department_content(inputs: Sequence[FeedbackInput], settings: Settings, w: Language | None = None) -> Json:
    """The content of the department's pages, in the words of a language (English).

    Rows stand in the order of the pseudonyms, pathologies in that of their names; those for which nobody's words can be
    measured stand together.  A pathology of which fewer than ``coarse.FEWEST`` readers said so much is left out, and so
    is a reader who said less of it.

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
    topics, hidden = _topics(ordered, settings)
    shown = [reader for readers in topics.values() for reader in readers]
    measured = [reader.r for reader in shown if reader.measured]
    named = sorted(topics, key=lambda topic: (w.pathology(topic).casefold(), topic))
    first = ordered[0].provenance
    total = coarse.together(coarse.cells((reader.r.n, 0.0) for reader in shown))
    meta = [
        w.counted(len(ordered), "{n} reader", "{n} readers"),
        w.say("{range} statements", range=w.banded(total[0])) if total else "",
        w.say("days chosen: {days}", days=when) if days.are_limited else when,
    ]
    nobody = w.say(
        "Nothing is shown: it takes {k} readers with {k} statements on a pathology, so that nobody can be recognised.",
        k=str(coarse.FEWEST),
    )
    left_out = w.say(
        "Left out, because fewer than {k} readers made {k} statements or more on each: {topics}.",
        k=str(coarse.FEWEST),
        topics=w.listed(sorted(map(w.pathology, hidden), key=str.casefold)),
    )
    *measures, coarsely = explained(
        "department",
        w,
        {"measured": bool(measured)},
        confidence=w.percent(settings.confidence),
        n=str(_FEWEST_FOR_INTERVAL),
        k=str(coarse.FEWEST),
    )
    return {
        "title": w.say("Certainty words in the department, checked against CT"),
        "meta": " · ".join(filter(None, meta)),
        "footer": " · ".join(filter(None, (w.say("Department"), when, read_by(first, w)))),
        "summary": _summary(measured, settings, w) if shown else nobody,
        "axis": _axis(measured),
        "pathologies": [
            {
                "topic": w.pathology(topic),
                "head": w.pathology(topic),
                "words": _words([reader.r for reader in topics[topic]], w),
                "rows": [_row(reader, settings, w) for reader in topics[topic]],
            }
            for topic in named
            if any(reader.measured for reader in topics[topic])
        ],
        "few": [
            {
                "topic": w.pathology(topic),
                "readers": ", ".join(f"{name}{NBSP}{w.banded(r.n)}" for name, r, _ in topics[topic]),
            }
            for topic in named
            if not any(reader.measured for reader in topics[topic])
        ],
        "few_note": w.say(
            "A measure needs {n} statements of a reader on a pathology, {hedged} of them hedged.",
            n=str(settings.min_group_n),
            hedged=str(settings.min_phrase_n),
        ),
        "reading": "".join(w.typographic(told["text"]) for told in measures),
        "coarse": [w.typographic(coarsely["text"]), *([left_out] if hidden else [])],
        "limits": limits(first, settings, w),
        "provenance": provenance_rows(first, settings, w, days, of_pairs=False),
    }


def _topics(ordered: Sequence[FeedbackInput], settings: Settings) -> tuple[dict[str, list[_Reader]], list[str]]:
    """The readers who said enough of each pathology, and the pathologies of which too few did."""
    found: dict[str, list[_Reader]] = {}
    for i in ordered:
        for r in i.reliabilities:
            if r.n > 0:
                readers = found.setdefault(r.topic, [])
                if r.n >= coarse.FEWEST:
                    readers.append(_Reader(i.pseudonym, r, _is_measured(r, settings)))
    shown = {topic: readers for topic, readers in found.items() if len(readers) >= coarse.FEWEST}
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


def _summary(judged: Sequence[Reliability], settings: Settings, w: Language) -> str:
    if not judged:
        return w.say("Not enough data yet to measure the words of any reader.")
    beyond = sum(bool(r.differs) for r in judged)
    enough = w.say(
        "at least {n} statements (at least {hedged} hedged)",
        n=str(settings.min_group_n),
        hedged=str(settings.min_phrase_n),
    )
    if len(judged) == 1:
        return _of_one(enough, w, beyond=bool(beyond))
    pairs = w.say("{n} combinations", n=w.count(len(judged)))
    if not beyond:
        return w.say(
            "In none of {pairs} of reader and pathology with {enough}, a hedged word clearly differs from what CT "
            "showed.",
            pairs=pairs,
            enough=enough,
        )
    return w.say(
        "In {n} of {pairs} of reader and pathology with {enough}, hedged words were stronger or weaker than CT "
        "supported ({sure} sure or more of each).",
        n=w.count(beyond),
        pairs=pairs,
        enough=enough,
        sure=w.sure(SURE),
    )


def _of_one(enough: str, w: Language, *, beyond: bool) -> str:
    if beyond:
        return w.say(
            "In the only combination of reader and pathology with {enough}, hedged words were stronger or weaker than "
            "CT supported ({sure} sure).",
            enough=enough,
            sure=w.sure(SURE),
        )
    return w.say(
        "In the only combination of reader and pathology with {enough}, no hedged word clearly differs from what CT "
        "showed.",
        enough=enough,
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
    told = [
        w.say(
            "{word} {range} times, {rate}",
            word=w.quoted(phrase),
            range=w.banded(known[phrase][0]),
            rate=w.rate(coarse.rounded(known[phrase][1] / known[phrase][0]), *of_cells(cells[phrase])),
        )
        for phrase in sorted(most, key=lambda phrase: (-mean[phrase], phrase))
    ]
    return (
        w.say(
            "The hedged words said most, and how often CT confirmed them for all readers together: {words}.",
            words="; ".join(told),
        )
        if told
        else ""
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
        "value": w.error(value),
        "spread": w.error_spread(low, high),
        "luck": "" if luck is None else w.say("up to {distance}", distance=w.error(luck)),
        "plot": {
            "value": value,
            "low": value if low is None else low,
            "high": value if high is None else high,
            "luck": luck,
            "beyond": bool(r.differs),
        },
    }


def _unmeasured(r: Reliability, settings: Settings, w: Language) -> str:
    """Why there is no measure of a reader's words for a pathology, going by the bands."""
    if coarse.band(r.n).low < settings.min_group_n:
        return w.say("a measure needs {n} statements", n=str(settings.min_group_n))
    return w.say("too few hedged statements; a measure needs {n}", n=str(settings.min_phrase_n))
