"""What stands on the department's pages for quality assurance: all readers under pseudonyms, no ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence

from radcal.errors import DataError
from radcal.feedback.explaining import limits, provenance_rows
from radcal.feedback.judging import hedged_uses
from radcal.feedback.wording import count, counted, date_range, days_chosen, error, error_spread, percent, typographic
from radcal.records import FeedbackInput, Json, Reliability
from radcal.settings import Settings


def department_content(inputs: Sequence[FeedbackInput], settings: Settings) -> Json:
    """The content of the department's pages; rows stand in the order of the pseudonyms.

    Raises:
        DataError: no author, a missing pseudonym, one that is the author's name, or one given twice.
    """
    _check_pseudonyms(inputs)
    ordered = sorted(inputs, key=lambda i: i.pseudonym.casefold())
    firsts = [p.first_exam for i in ordered if (p := i.provenance).first_exam]
    lasts = [p.last_exam for i in ordered if (p := i.provenance).last_exam]
    days = ordered[0].days
    when = days_chosen(days) or date_range(min(firsts, default=None), max(lasts, default=None))
    groups = [(i.pseudonym, r) for i in ordered for r in i.reliabilities if r.n > 0]
    measured = [r for _, r in groups if r.ece_star is not None and hedged_uses(r) >= settings.min_phrase_n]
    total: dict[str, float] = {}
    for _, r in groups:
        total[r.topic] = total.get(r.topic, 0.0) + r.n
    topics = sorted(total, key=lambda topic: (-total[topic], topic))
    first = ordered[0].provenance
    meta = [
        counted(len(ordered), "reader"),
        counted(sum(total.values()), "statement"),
        f"days chosen: {when}" if days.are_limited else when,
    ]
    return {
        "title": "Certainty words in the department, checked against CT",
        "meta": " · ".join(filter(None, meta)),
        "footer": " · ".join(filter(None, ("Department", when))),
        "summary": _summary(measured),
        "axis": _axis(measured),
        "confidence": percent(settings.confidence),
        "pathologies": [
            {
                "topic": topic,
                "n": counted(total[topic], "statement"),
                "rows": [_row(name, r, settings) for name, r in groups if r.topic == topic],
            }
            for topic in topics
        ],
        "reading": _reading(settings),
        "limits": limits(first, settings),
        "provenance": [row for row in provenance_rows(first, settings, days) if row[0] not in ("Examinations", _PAIRS)],
    }


_PAIRS = "X-ray and CT pairs"


def _check_pseudonyms(inputs: Sequence[FeedbackInput]) -> None:
    if not inputs:
        raise DataError("The department's page needs at least one reader.")
    names = [i.pseudonym for i in inputs]
    for i in inputs:
        if not i.pseudonym or i.pseudonym == i.author:
            raise DataError("A reader has no pseudonym. The department's page is made with a pseudonym for each.")
    if len(set(names)) < len(names):
        raise DataError("Two readers have the same pseudonym. The department's page needs one for each.")


def _exceeds(r: Reliability) -> bool:
    """More than luck explains: by the q-value over all groups where there is one, else by the luck band."""
    if r.q_value_star is not None:
        return r.q_value_star < 0.05
    return r.ece_star is not None and r.luck_star_p95 is not None and r.ece_star > r.luck_star_p95


def _summary(judged: Sequence[Reliability]) -> str:
    if not judged:
        return "Not enough data yet for a measure of any reader's words."
    beyond = sum(map(_exceeds, judged))
    pairs = counted(len(judged), "combination")
    what = f"In {count(beyond) if beyond else 'none'} of {pairs} of reader and pathology with enough data"
    return f"{what}, hedged words lay farther from what CT showed than luck explains."


def _axis(groups: Sequence[Reliability]) -> float:
    """The common end of the axis, a multiple of 0.1, at least 0.2."""
    ends = [v for r in groups for v in (r.ece_star, r.ece_star_high, r.luck_star_p95) if v is not None]
    return max(2, math.ceil(10 * max(ends, default=0.0) - 1e-9)) / 10


def _row(name: str, r: Reliability, settings: Settings) -> Json:
    if 0 < (hedged := hedged_uses(r)) < settings.min_phrase_n and not r.reason:
        reason = f"{counted(hedged, 'hedged statement')}; a measure of them needs {settings.min_phrase_n}"
        return {"name": name, "n": count(r.n), "reason": reason}
    if r.ece_star is None:
        reason = typographic(r.reason) or (
            "no hedged words" if r.curve is not None else f"a curve needs {settings.min_group_n} statements"
        )
        return {"name": name, "n": count(r.n), "reason": reason}
    return {
        "name": name,
        "n": count(r.n),
        "reason": "",
        "value": error(r.ece_star),
        "spread": error_spread(r.ece_star_low, r.ece_star_high),
        "luck": "" if r.luck_star_p95 is None else f"up to {error(r.luck_star_p95)}",
        "plot": {
            "value": round(r.ece_star, 4),
            "low": round(r.ece_star if r.ece_star_low is None else r.ece_star_low, 4),
            "high": round(r.ece_star if r.ece_star_high is None else r.ece_star_high, 4),
            "luck": None if r.luck_star_p95 is None else round(r.luck_star_p95, 4),
            "beyond": _exceeds(r),
        },
    }


def _reading(settings: Settings) -> str:
    return typographic(
        "Each row is one reader under a pseudonym, in alphabetical order; the order and the names say nothing else. "
        "The dot is the average distance of the reader's hedged words from a perfect match with CT "
        f"(0: words mean what readers take them to mean), the line its {percent(settings.confidence)} interval. "
        "The hatched bar is what luck alone gives a perfectly calibrated reader who uses the same words, up to its "
        "95th percentile. A diamond marks a distance beyond luck, allowing for the number of comparisons. "
        "Readers see different patients: the rows are no ranking."
    )
