"""The content of the department's QA pages: all readers under pseudonyms, unranked."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from radcal.errors import DataError
from radcal.feedback.explaining import limits, provenance_rows, read_by
from radcal.intervals import jeffreys
from radcal.language import NBSP, Language, language
from radcal.lexicon.phrases import hedged_uses
from radcal.records import FeedbackInput, Json, Reliability
from radcal.settings import Settings

_FEWEST_FOR_INTERVAL = 60
"""Hedged statements from which a word error has its interval; radcal.calibrate decides so."""
_MOST_WORDS = 8
"""Hedged words of a pathology that are named one by one."""


def department_content(inputs: Sequence[FeedbackInput], settings: Settings, w: Language | None = None) -> Json:
    """The content of the department's pages, in the words of a language (English).

    Rows stand in the order of the pseudonyms; pathologies for which nobody's words can be measured stand together.

    Raises:
        DataError: no author, a missing pseudonym, one that is the author's name, or one given twice.
    """
    w = w or language()
    _check_pseudonyms(inputs)
    ordered = sorted(inputs, key=lambda i: i.pseudonym.casefold())
    firsts = [p.first_exam for i in ordered if (p := i.provenance).first_exam]
    lasts = [p.last_exam for i in ordered if (p := i.provenance).last_exam]
    days = ordered[0].days
    when = w.days_chosen(days) or w.date_range(min(firsts, default=None), max(lasts, default=None))
    groups = [(i.pseudonym, r) for i in ordered for r in i.reliabilities if r.n > 0]
    measured = [r for _, r in groups if r.word_error is not None and hedged_uses(r.phrases) >= settings.min_phrase_n]
    total: dict[str, float] = {}
    for _, r in groups:
        total[r.topic] = total.get(r.topic, 0.0) + r.n
    topics = sorted(total, key=lambda topic: (-total[topic], topic))
    measured_topics = {r.topic for r in measured}
    first = ordered[0].provenance
    meta = [
        w.counted(len(ordered), "{n} reader", "{n} readers"),
        w.counted(sum(total.values()), "{n} statement", "{n} statements"),
        w.say("days chosen: {days}", days=when) if days.are_limited else when,
    ]
    return {
        "title": w.say("Certainty words in the department, checked against CT"),
        "meta": " · ".join(filter(None, meta)),
        "footer": " · ".join(filter(None, (w.say("Department"), when, read_by(first, w)))),
        "summary": _summary(measured, settings, w),
        "axis": _axis(measured),
        "pathologies": [
            {
                "topic": w.pathology(topic),
                "head": f"{w.pathology(topic)}, {w.counted(total[topic], '{n} statement', '{n} statements')}",
                "words": _words([r for _, r in groups if r.topic == topic], w),
                "rows": [_row(name, r, settings, w) for name, r in groups if r.topic == topic],
            }
            for topic in topics
            if topic in measured_topics
        ],
        "few": [_few(topic, total[topic], groups, w) for topic in topics if topic not in measured_topics],
        "few_note": w.say(
            "A measure needs {n} statements of a reader on a pathology, {hedged} of them hedged.",
            n=str(settings.min_group_n),
            hedged=str(settings.min_phrase_n),
        ),
        "reading": _reading(settings, w) if measured_topics else "",
        "limits": limits(first, settings, w),
        "provenance": provenance_rows(first, settings, w, days, of_pairs=False),
    }


def _check_pseudonyms(inputs: Sequence[FeedbackInput]) -> None:
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
            "In none of {pairs} of reader and pathology with {enough}, hedged words are shown to mean something other "
            "than what CT confirmed, allowing for the number of comparisons.",
            pairs=pairs,
            enough=enough,
        )
    return w.say(
        "In {n} of {pairs} of reader and pathology with {enough}, hedged words lay farther from what CT confirmed than "
        "luck alone gives, allowing for the number of comparisons.",
        n=w.count(beyond),
        pairs=pairs,
        enough=enough,
    )


def _of_one(enough: str, w: Language, *, beyond: bool) -> str:
    if beyond:
        return w.say(
            "In the only combination of reader and pathology with {enough}, hedged words lay farther from what CT "
            "confirmed than luck alone gives.",
            enough=enough,
        )
    return w.say(
        "In the only combination of reader and pathology with {enough}, hedged words are not shown to mean something "
        "other than what CT confirmed.",
        enough=enough,
    )


def _axis(groups: Sequence[Reliability]) -> float:
    """The common end of the axis, a multiple of 0.1, at least 0.2."""
    ends = [v for r in groups for v in (r.word_error, r.word_error_high, r.luck_word_p95) if v is not None]
    return max(2, math.ceil(10 * max(ends, default=0.0) - 1e-9)) / 10


def _words(groups: Sequence[Reliability], w: Language) -> str:
    """The hedged words that a pathology is measured over, the most used first, of all readers together."""
    n: dict[str, float] = {}
    confirmed: dict[str, float] = {}
    for p in (p for r in groups for p in r.phrases if 0 < p.mean < 1 and p.n > 0):
        n[p.phrase] = n.get(p.phrase, 0.0) + p.n
        confirmed[p.phrase] = confirmed.get(p.phrase, 0.0) + p.positives
    ordered = sorted(n, key=lambda phrase: (-n[phrase], phrase))
    told = [
        w.say(
            "{word} {count}, {rate}",
            word=w.quoted(phrase),
            count=w.out_of(confirmed[phrase], n[phrase]),
            rate=w.rate(confirmed[phrase] / n[phrase], *_interval(confirmed[phrase], n[phrase])),
        )
        for phrase in ordered[:_MOST_WORDS]
    ]
    words = w.say(
        "Hedged words measured, and confirmed by CT for all readers together: {words}.", words="; ".join(told)
    )
    if len(ordered) <= _MOST_WORDS:
        return words
    more, rest = len(ordered) - _MOST_WORDS, sum(n[phrase] for phrase in ordered[_MOST_WORDS:])
    others = w.say(
        "And one more word (n = {uses}).", many="And {n} more words (n = {uses} together).", n=more, uses=w.count(rest)
    )
    return f"{words} {others}"


def _interval(positives: float, n: float) -> tuple[float, float]:
    low, high = jeffreys(np.array([positives]), np.array([n]), 0.95)
    return float(low[0]), float(high[0])


def _few(topic: str, total: float, groups: Sequence[tuple[str, Reliability]], w: Language) -> Json:
    """A pathology without measurable words: number of statements per reader, and of hedged ones."""
    said = [
        f"{name}{NBSP}{w.count(r.n)}{NBSP}({w.count(hedged_uses(r.phrases))})" for name, r in groups if r.topic == topic
    ]
    return {"topic": w.pathology(topic), "n": w.count(total), "readers": ", ".join(said)}


def _row(name: str, r: Reliability, settings: Settings, w: Language) -> Json:
    if r.word_error is None or hedged_uses(r.phrases) < settings.min_phrase_n:
        return {"name": name, "n": w.count(r.n), "reason": _unmeasured(r, settings, w)}
    return {
        "name": name,
        "n": w.count(r.n),
        "reason": "",
        "value": w.error(r.word_error),
        "spread": w.error_spread(r.word_error_low, r.word_error_high),
        "luck": "" if r.luck_word_p95 is None else w.say("up to {distance}", distance=w.error(r.luck_word_p95)),
        "plot": {
            "value": round(r.word_error, 4),
            "low": round(r.word_error if r.word_error_low is None else r.word_error_low, 4),
            "high": round(r.word_error if r.word_error_high is None else r.word_error_high, 4),
            "luck": None if r.luck_word_p95 is None else round(r.luck_word_p95, 4),
            "beyond": bool(r.differs),
        },
    }


def _unmeasured(r: Reliability, settings: Settings, w: Language) -> str:
    """Why there is no measure of a reader's words for a pathology."""
    if r.curve is None:
        return w.say("a measure needs {n} statements", n=str(settings.min_group_n))
    hedged = hedged_uses(r.phrases)
    if not hedged:
        return w.say("no hedged words")
    few = w.counted(hedged, "{n} hedged statement", "{n} hedged statements")
    return w.say("{statements}; a measure of them needs {n}", statements=few, n=str(settings.min_phrase_n))


def _reading(settings: Settings, w: Language) -> str:
    return w.typographic(
        w.say(
            "Each row is one reader under a pseudonym, in alphabetical order; the order and the names say nothing "
            "else. The dot is the word error: how far, on average, the share of the reader's hedged words that CT "
            "confirmed lies from what the words mean, the line its {confidence} interval, which needs {n} hedged "
            "statements. The hatched bar is what luck alone gives a perfectly calibrated reader who uses the same "
            "words, up to its 95th percentile. A diamond marks a distance beyond luck, allowing for the number of "
            "comparisons. Readers see different patients: the rows are no ranking.",
            confidence=w.percent(settings.confidence),
            n=str(_FEWEST_FOR_INTERVAL),
        )
    )
