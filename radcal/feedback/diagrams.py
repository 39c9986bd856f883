"""Data of the printed diagrams: series in 0-1 and label positions, no drawing."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from radcal.advice.judged_records import JudgedWord, Standing
from radcal.advice.records import Recommendation
from radcal.feedback.labels import placed_labels
from radcal.reliability.groups import hedged_bins
from radcal.reliability.records import PhraseRate, Reliability
from radcal.system.files import Json
from radcal.system.language.catalogue import Language
from radcal.words.records import Phrase

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

_SMALLEST_MM, _GROWTH_MM = 0.75, 0.75
"""Radius of a word's dot, and what the word that is said most has more."""


def reliability(r: Reliability, w: Language) -> Json:
    """The reliability diagram of a group that has a curve.

    The words with their intervals, weakest first; the curve where hedged words lie, in runs of points, with one band:
    what luck alone gives, or its interval where that was not worked out.
    """
    assert r.curve is not None, "asked for only where there is a curve"  # noqa: S101 - a contract inside the package
    c = r.curve
    drawn = hedged_bins(c, r.phrases)
    x = (c.low + c.high) / 2
    by_luck = bool(np.isfinite(c.luck_low[drawn]).any())
    low, high = (c.luck_low, c.luck_high) if by_luck else (c.rate_low, c.rate_high)
    said = sorted((p for p in r.phrases if p.n > 0), key=lambda p: p.mean)
    density = np.nan_to_num(c.density)
    density[[0, -1]] *= [all(p.mean > 0 for p in said), all(p.mean < 1 for p in said)]
    top = density.max(initial=0.0)
    words = [_word(p, max(q.n for q in said)) for p in said]
    return {
        "words": words,
        "curve": _runs(drawn, x, c.rate),
        "band": _runs(drawn & np.isfinite(low), x, low, high),
        "by_luck": by_luck,
        "density": _runs(density > 0, x, density / top if top > 0 else density),
        "labels": placed_labels(c, drawn, low, high, words, w),
        "alt": _described(r, said, w),
    }


def _word(p: PhraseRate, most: float) -> Json:
    """The dot of a word with its interval; ``r`` is its radius in mm."""
    return {
        "phrase": p.phrase,
        "x": _rounded(p.mean),
        "rate": _rounded(p.rate),
        "low": _rounded(p.low),
        "high": _rounded(p.high),
        "r": round(_SMALLEST_MM + _GROWTH_MM * math.sqrt(p.n / most), 2),
    }


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


def _described(r: Reliability, said: Sequence[PhraseRate], w: Language) -> str:
    """The diagram's alternative text."""
    words = [
        w.say(
            "{word}, which means {meaning}, CT confirmed in {share} of {n}",
            word=w.quoted(p.phrase),
            meaning=w.percent(p.mean),
            share=w.rate(p.rate, p.low, p.high),
            n=w.count(p.n),
        )
        for p in said
    ]
    return f"{w.say('Reliability diagram for {topic}.', topic=r.topic)} {'; '.join(words)}."


def interval(p: PhraseRate, phrase: Phrase | None) -> Json:
    """A rate with its interval against the range that readers take the phrase to mean; null where unknown."""
    return {
        "rate": _rounded(p.rate),
        "low": _rounded(p.low),
        "high": _rounded(p.high),
        "meaning": [phrase.low, phrase.high] if phrase else None,
    }


def recommendation(
    r: Recommendation, phrases: Mapping[str, Phrase], w: Language, decimals: tuple[int, int] = (0, 0)
) -> Json:
    """The small diagram of a recommendation: what readers take, what CT confirmed, what would have been closer.

    decimals: of either end of the interval
    """
    rows: list[Json] = []
    source, target = phrases.get(r.source), phrases.get(r.target)
    if source:
        rows.append(_range_row(r.source, source, "source", w))
    p = r.source_rate
    rows.append(
        {
            "kind": "rate",
            "label": w.say("CT confirmed"),
            "value": w.rate(p.rate, p.low, p.high, decimals),
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
    label, low, high = w.say("{word} means", word=w.quoted(word)), phrase.low, phrase.high
    return {
        "kind": kind,
        "label": label,
        "value": w.percent_range(low, high),
        "low": _rounded(low),
        "high": _rounded(high),
    }


def shape(judged: JudgedWord) -> str:
    """The marker of the rate: a triangle if it differs, hollow if nothing was shown."""
    return {Standing.BELOW: "down", Standing.ABOVE: "up", Standing.AGREES: "dot"}.get(judged.standing, "hollow")
