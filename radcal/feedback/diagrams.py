"""Data of the printed diagrams: series in 0-1 and labels placed without overlaps, no drawing."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from radcal.advice.judged_records import JudgedWord, Standing
from radcal.advice.records import Recommendation
from radcal.calibration.groups import hedged_bins
from radcal.calibration.records import Curve, PhraseRate, Reliability
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
    if judged.matches:
        return "dot"
    return {Standing.BELOW: "down", Standing.ABOVE: "up"}.get(judged.standing, "hollow")


# --- labels inside a reliability diagram, without overlaps

# Widths and heights of labels are reckoned for a diagram of this side, with the template's label size.
_SIDE_MM = 50.0
_LINE_MM = 3.5
_LETTER_MM = 1.55

_STEPS: tuple[float, ...] = tuple(round(0.02 * k, 2) for k in range(1, 50))
# From the lower right corner leftwards and upwards, and from the upper left corner the other way.
_LOWER_RIGHT = np.array(sorted(((x, y) for y in _STEPS for x in _STEPS), key=lambda at: at[1] - 0.6 * at[0]))
_UPPER_LEFT = np.array(sorted(((x, y) for y in _STEPS for x in _STEPS), key=lambda at: at[0] - 0.6 * at[1]))


class Rect(NamedTuple):
    """A rectangle in the diagram's own coordinates, 0-1, y upwards."""

    left: float
    bottom: float
    right: float
    top: float


def box_of(lines: Sequence[str], x: float, y: float) -> Rect:
    """The rectangle of lines of text from their lower left corner."""
    width = max(map(len, lines)) * _LETTER_MM / _SIDE_MM
    return Rect(x, y, x + width, y + len(lines) * _LINE_MM / _SIDE_MM)


_BESIDE = (
    (1, 0), (-1, 0), (1, 1), (-1, 1), (1, -1), (-1, -1), (0, 1), (0, -1),
)  # fmt: skip
_EDGE = 0.01
"""How far all labels stay from the frame."""
_LED_MM = 2.0
"""Distance from its dot from which on a line leads to a label."""


def _whiskers(words: Sequence[Json]) -> list[Rect]:
    return [Rect(p["x"] - 0.008, p["low"], p["x"] + 0.008, p["high"]) for p in words]


def _dots(words: Sequence[Json]) -> list[Rect]:
    made = []
    for p in words:
        r = (p["r"] + 0.4) / _SIDE_MM
        made.append(Rect(p["x"] - r, p["rate"] - r, p["x"] + r, p["rate"] + r))
    return made


def _columns(c: Curve, drawn: NDArray[np.bool_], low: Array, high: Array) -> list[Rect]:
    return [
        Rect(float(c.low[m]), float(low[m]), float(c.high[m]), float(high[m]))
        for m in np.flatnonzero(drawn & np.isfinite(low))
    ]


def _beside(p: Json, wide: float, tall: float) -> list[Rect]:
    """The places around a dot, the nearest first."""
    made = []
    for far in (0.6, 2.6, 4.5, 7.0, 10.0):
        away = (p["r"] + far) / _SIDE_MM
        for across, up in _BESIDE:
            slanted = 0.7 if across and up else 1.0
            x = p["x"] + across * away * slanted - (0 if across > 0 else wide if across < 0 else wide / 2)
            y = p["rate"] + up * away * slanted - (0 if up > 0 else tall if up < 0 else tall / 2)
            made.append(Rect(x, y, x + wide, y + tall))
    return made


def placed_labels(
    c: Curve, drawn: NDArray[np.bool_], low: Array, high: Array, words: Sequence[Json], w: Language
) -> list[Json]:
    """The labels that fit, as lines with their upper left corners, and where one stands far off, a line to its dot.

    The labels of the two regions each stay on their own side of the dashed line, off the band if they can, and as near
    to their corner as they can.  Each word stands beside its dot, the most said first, clear of other dots and labels,
    and of whiskers, curve and dashed line where that is possible; the name of the curve stands beside it.
    """
    band = _columns(c, drawn, low, high)
    line = _columns(c, drawn, c.rate - 0.015, c.rate + 0.015)
    line += [Rect(t - 0.012, t - 0.012, t + 0.012, t + 0.012) for t in map(float, np.linspace(0, 1, 101))]
    whiskers, taken = _whiskers(words), _dots(words)
    off_line = _array([*whiskers, *line])
    off_band = np.concatenate((off_line, _array(band)))
    labels: list[Json] = []

    def put(lines: Sequence[str], kind: str, boxes: Array, *avoided: Array) -> Json | None:
        """Place a text in the best box that is clear of the first of ``avoided`` that any box is clear of."""
        met = _array(taken)
        box = next((b for others in avoided if (b := _first_free(boxes, np.concatenate((met, others))))), None)
        if box is None:
            return None
        taken.append(box)
        width = round(box.right - box.left, 4)
        labels.append(
            {"lines": list(lines), "kind": kind, "x": round(box.left, 4), "y": round(box.top, 4), "width": width}
            | {"to_right": False, "lead": []}
        )
        return labels[-1]

    for text, kind, corner in (
        (w.say("words stronger\nthan CT supported"), "below", _LOWER_RIGHT),
        (w.say("words weaker\nthan CT supported"), "above", _UPPER_LEFT),
    ):
        lines = text.split("\n")
        boxes = np.column_stack((corner, corner + box_of(lines, 0, 0)[2:]))
        own = boxes[:, 3] <= boxes[:, 0] if kind == "below" else boxes[:, 1] >= boxes[:, 2]
        put(lines, kind, boxes[own], off_band, off_line)
    for p in sorted(words, key=lambda p: -p["r"]):
        size = box_of([p["phrase"]], 0, 0)
        places = _array(_beside(p, size.right, size.top))
        made = put([p["phrase"]], "word", places, off_line, _array(whiskers), _array(()))
        if made is not None:
            _lead(made, p, size.top)
    along, name = np.flatnonzero(drawn)[::-1], [w.say("hedged words")]
    size = box_of(name, 0, 0)
    near = [
        Rect(left, bottom, left + size.right, bottom + size.top)
        for gap in (0.01, 0.03, 0.06, 0.1, 0.15)
        for x, y in ((float(c.low[m]), float(c.rate[m])) for m in along[:: max(1, len(along) // 24)])
        for left, bottom in ((x, y - 0.015 - gap - size.top), (x - size.right, y + 0.015 + gap))
    ]
    put(name, "curve", _array(near), off_line)
    return labels


def _lead(label: Json, p: Json, tall: float) -> None:
    """Turn a word's label to its dot, with a line between the two where they are far apart."""
    left, right, top = label["x"], label["x"] + label["width"], label["y"]
    label["to_right"] = right <= p["x"]
    x, y = min(max(p["x"], left), right), min(max(p["rate"], top - tall), top)
    if math.hypot(x - p["x"], y - p["rate"]) * _SIDE_MM > p["r"] + _LED_MM:
        label["lead"] = [p["x"], p["rate"], round(x, 4), round(y, 4)]


def _array(boxes: Sequence[Rect]) -> Array:
    """(n, 4) left, bottom, right, top."""
    return np.array(boxes, dtype=float).reshape(-1, 4)


def _first_free(boxes: Array, others: Array) -> Rect | None:
    """The first of (n, 4) boxes within the frame that meets none of the (m, 4) others."""
    x0, y0, x1, y1 = others.T
    within = boxes[(boxes[:, :2].min(axis=1) >= _EDGE) & (boxes[:, 2:].max(axis=1) <= 1 - _EDGE)]
    left, bottom, right, top = within.T[:, :, None]
    meets = ((left < x1) & (right > x0) & (bottom < y1) & (top > y0)).any(axis=1)
    return None if meets.all() else Rect(*within[meets.argmin()].tolist())
