"""Data of the printed diagrams: series in 0-1 and label positions, no drawing."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from radcal.feedback.judging import Judged, Standing
from radcal.feedback.labels import placed_labels
from radcal.language import Language
from radcal.records import Curve, Json, Phrase, PhraseRate, Recommendation, Reliability

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

DRAWN_FROM = 0.01
"""The curve is drawn where the density is at least this share of its highest value between the end bins."""


def reliability(r: Reliability, w: Language) -> Json:
    """The reliability diagram of a group that has a curve.

    Runs of points, since a bin where nothing was said breaks the line; the bins of plain "absent" and
    "present" are single points beside the curve.
    """
    assert r.curve is not None, "asked for only where there is a curve"  # noqa: S101 - a contract inside the package
    c = r.curve
    plain = {0.0, 1.0} & {p.mean for p in r.phrases if p.n > 0}
    inner = np.ones(len(c.rate), dtype=bool)
    inner[0], inner[-1] = 0.0 not in plain, 1.0 not in plain
    density = np.where(inner, np.nan_to_num(c.density), 0.0)
    drawn = inner & np.isfinite(c.rate) & (density > DRAWN_FROM * density.max(initial=0.0))
    x = (c.low + c.high) / 2
    points = [_point(c, at) for at, value in ((0, 0.0), (-1, 1.0)) if value in plain and np.isfinite(c.rate[at])]
    top = density.max(initial=0.0)
    return {
        "curve": _runs(drawn, x, c.rate),
        "interval": _runs(drawn & np.isfinite(c.rate_low), x, c.rate_low, c.rate_high),
        "luck": _runs(inner & (density > 0) & np.isfinite(c.luck_low), x, c.luck_low, c.luck_high),
        "density": _runs(inner & (density > 0), x, density / top if top > 0 else density),
        "points": points,
        "labels": placed_labels(c, drawn, inner, points, w),
        "alt": _described(r, drawn, w),
    }


def _point(c: Curve, at: int) -> Json:
    """A plain statement's rate with its interval; without resamples that is the rate itself."""
    rate = _rounded(c.rate[at])
    low, high = (_rounded(v) if math.isfinite(v) else rate for v in (c.rate_low[at], c.rate_high[at]))
    return {"x": 0.0 if at == 0 else 1.0, "rate": rate, "low": low, "high": high}


def _rounded(value: float) -> float:
    return round(float(value), 4) if math.isfinite(value) else 0.0


def _runs(mask: NDArray[np.bool_], x: Array, *series: Array) -> list[list[list[float]]]:
    """Stretches of neighbouring bins as lists of [x, y, ...]; a lone bin is drawn over its whole width."""
    points = np.nan_to_num(np.column_stack((x, *series))).round(4)
    half = round(float(x[1] - x[0]) / 2, 4)
    bins = np.flatnonzero(mask)
    runs = []
    for run in np.split(bins, np.flatnonzero(np.diff(bins) > 1) + 1):
        if len(run) == 1:
            at, *values = points[run[0]].tolist()
            runs.append([[at - half, *values], [at + half, *values]])
        elif len(run):
            runs.append(points[run].tolist())
    return runs


def _described(r: Reliability, drawn: NDArray[np.bool_], w: Language) -> str:
    """The diagram's alternative text."""
    c = r.curve
    assert c is not None, "asked for only where there is a curve"  # noqa: S101 - a contract inside the package
    said = []
    for x in (0.1, 0.25, 0.5, 0.75, 0.9):
        m = int(np.clip(np.searchsorted(c.high, x), 0, len(c.rate) - 1))
        if drawn[m]:
            spans = np.isfinite(c.rate_low[m])
            share = w.rate(c.rate[m], c.rate_low[m], c.rate_high[m]) if spans else w.percent(c.rate[m])
            said.append(w.say("at {certainty}, CT confirmed {share}", certainty=w.percent(x), share=share))
    sentences = [w.say("Reliability diagram for {topic}.", topic=r.topic)]
    if said:
        sentences.append(
            w.say("Of statements that readers take as certain to a degree: {shares}.", shares="; ".join(said))
        )
    return " ".join(sentences)


def interval(p: PhraseRate, phrase: Phrase | None) -> Json:
    """A rate with its interval against the range that readers take the phrase to mean; null where unknown."""
    return {
        "rate": _rounded(p.rate),
        "low": _rounded(p.low),
        "high": _rounded(p.high),
        "meaning": [_rounded(p.meant_low), _rounded(p.meant_high)] if phrase else None,
    }


def recommendation(r: Recommendation, phrases: Mapping[str, Phrase], w: Language) -> Json:
    """The small diagram of a recommendation: what readers take, what CT confirmed, what would have been closer."""
    rows: list[Json] = []
    source, target = phrases.get(r.source), phrases.get(r.target)
    if source:
        rows.append(_range_row(r.source, source, "source", w))
    p = r.source_rate
    rows.append(
        {
            "kind": "rate",
            "label": w.say("CT confirmed"),
            "value": w.rate(p.rate, p.low, p.high),
            "rate": _rounded(p.rate),
            "low": _rounded(p.low),
            "high": _rounded(p.high),
        }
    )
    if target:
        rows.append(_range_row(r.target, target, "target", w))
    shares = w.listed([f"{row['label']} {row['value']}" for row in rows])
    return {"rows": rows, "alt": w.say("Shares from 0 to 100 percent: {shares}.", shares=shares)}


def _range_row(word: str, phrase: Phrase, kind: str, w: Language) -> Json:
    label = w.say("{word} means", word=w.quoted(word))
    return {
        "kind": kind,
        "label": label,
        "value": w.percent_range(phrase.low, phrase.high),
        "low": phrase.low,
        "high": phrase.high,
    }


def shape(judged: Judged) -> str:
    """The marker of the rate: a triangle if it differs, hollow if nothing was shown."""
    return {Standing.BELOW: "down", Standing.ABOVE: "up", Standing.AGREES: "dot"}.get(judged.standing, "hollow")
