"""What the pictures of the printed page show: series in 0-1 and where their labels stand, no drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from radcal.feedback.judging import Judged, Verdict
from radcal.feedback.wording import listed, meaning, percent, quoted, rate
from radcal.records import Curve, Json, Phrase, PhraseRate, Recommendation, Reliability

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    Array = NDArray[np.float64]

DRAWN_FROM = 0.01
"""The curve is drawn where the density is at least this share of its highest value between the end bins."""

# Widths and heights of labels are reckoned for a diagram of this side, with the template's label size.
_SIDE_MM = 50.0
_LINE_MM = 3.5
_LETTER_MM = 1.55


@dataclass(frozen=True, slots=True)
class _Rect:
    """A rectangle in the diagram's own coordinates, 0-1, y upwards."""

    left: float
    bottom: float
    right: float
    top: float

    def meets(self, other: _Rect) -> bool:
        return (
            self.left < other.right and other.left < self.right and self.bottom < other.top and other.bottom < self.top
        )


def reliability(r: Reliability) -> Json:
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
        "labels": _labels(c, drawn, inner, points),
        "alt": _described(r, drawn),
    }


def _point(c: Curve, at: int) -> Json:
    return {
        "x": 0.0 if at == 0 else 1.0,
        "rate": _rounded(c.rate[at]),
        "low": _rounded(c.rate_low[at]),
        "high": _rounded(c.rate_high[at]),
    }


def _rounded(value: float) -> float:
    return round(float(np.nan_to_num(value)), 4)


def _runs(mask: NDArray[np.bool_], x: Array, *series: Array) -> list[list[list[float]]]:
    """Stretches of neighbouring bins as lists of [x, y, ...]; a lone bin is drawn over its half width."""
    runs: list[list[list[float]]] = []
    half = (x[1] - x[0]) / 2
    last = -2
    for m in map(int, np.flatnonzero(mask)):
        point = [_rounded(s[m]) for s in (x, *series)]
        if m != last + 1:
            runs.append([])
        runs[-1].append(point)
        last = m
    return [
        run if len(run) > 1 else [[round(run[0][0] - half, 4), *run[0][1:]], [round(run[0][0] + half, 4), *run[0][1:]]]
        for run in runs
    ]


def _labels(c: Curve, drawn: NDArray[np.bool_], inner: NDArray[np.bool_], points: Sequence[Json]) -> list[Json]:
    """Labels inside the diagram, each where it meets nothing; one without such a place is left to the key."""
    width = c.high - c.low
    hard: list[_Rect] = []
    soft: list[_Rect] = []
    for m in np.flatnonzero(inner):
        left, right = c.low[m] - width[m], c.high[m] + width[m]
        if drawn[m]:
            bottom, top = np.nanmin([c.rate_low[m], c.rate[m]]), np.nanmax([c.rate_high[m], c.rate[m]])
            hard.append(_Rect(left, bottom - 0.015, right, top + 0.015))
        if np.isfinite(c.luck_low[m]):
            soft.append(_Rect(left, c.luck_low[m], right, c.luck_high[m]))
    hard += [_Rect(p["x"] - 0.04, p["low"] - 0.02, p["x"] + 0.04, p["high"] + 0.02) for p in points]
    line = [_Rect(t - 0.015, t - 0.015, t + 0.015, t + 0.015) for t in np.linspace(0, 1, 81)]

    placed: list[Json] = []

    def place(
        lines: Sequence[str], places: Sequence[tuple[float, float]], obstacles: Sequence[_Rect], kind: str
    ) -> None:
        w = max(map(len, lines)) * _LETTER_MM / _SIDE_MM
        h = len(lines) * _LINE_MM / _SIDE_MM
        for px, py in places:
            box = _Rect(px, py, px + w, py + h)
            if box.left < 0.01 or box.right > 0.99 or box.bottom < 0.01 or box.top > 0.99:
                continue
            if (kind == "below" and box.top > box.left) or (kind == "above" and box.bottom < box.right):
                continue
            if not any(box.meets(o) for o in obstacles):
                placed.append({"lines": lines, "kind": kind, "x": round(px, 4), "y": round(py + h, 4)})
                hard.append(box)
                return

    # Each region's label stays on its own side of the dashed line, as near to its corner as it can.
    steps = [float(s) for s in np.linspace(0.02, 0.98, 49)]
    corner = [(a, b) for b in steps for a in steps]
    lower_right = sorted(corner, key=lambda at: at[1] - 0.6 * at[0])
    upper_left = sorted(corner, key=lambda at: at[0] - 0.6 * at[1])
    place(["words stronger", "than CT supported"], lower_right, [*hard, *soft, *line], "below")
    place(["words weaker", "than CT supported"], upper_left, [*hard, *soft, *line], "above")
    along = np.flatnonzero(drawn)
    by_curve = [
        (float(c.low[m]), float(y))
        for gap in (0.01, 0.03, 0.06)
        for m in along[:: max(1, len(along) // 24)]
        for y in (
            np.nanmax([c.rate_high[m], c.rate[m]]) + 0.015 + gap,
            np.nanmin([c.rate_low[m], c.rate[m]]) - 0.09 - gap,
        )
    ]
    place(["your words"], by_curve, [*hard, *line], "curve")
    return placed


def _described(r: Reliability, drawn: NDArray[np.bool_]) -> str:
    """The diagram in words, for those who cannot see it."""
    c = r.curve
    assert c is not None, "asked for only where there is a curve"  # noqa: S101 - a contract inside the package
    said = []
    for x in (0.1, 0.25, 0.5, 0.75, 0.9):
        m = int(np.clip(np.searchsorted(c.high, x), 0, len(c.rate) - 1))
        if drawn[m]:
            said.append(
                f"at {percent(x)}, CT confirmed {rate(*map(float, (c.rate[m], c.rate_low[m], c.rate_high[m])))}"
            )
    curve = f" Of statements that readers take as certain to a degree: {'; '.join(said)}." if said else ""
    return f"Reliability diagram for {r.topic}.{curve}"


def interval(p: PhraseRate, phrase: Phrase | None) -> Json:
    """A rate with its interval against the range that readers take the phrase to mean; null where unknown."""
    return {
        "rate": _rounded(p.rate),
        "low": _rounded(p.low),
        "high": _rounded(p.high),
        "meaning": [phrase.low, phrase.high] if phrase else None,
    }


def recommendation(r: Recommendation, phrases: Mapping[str, Phrase]) -> Json:
    """The small diagram of a recommendation: what readers take, what CT confirmed, what would have matched."""
    rows: list[Json] = []
    source, target = phrases.get(r.source), phrases.get(r.target)
    if source:
        rows.append(_range_row(f"{quoted(r.source)} means", source, "source"))
    p = r.source_rate
    rows.append(
        {
            "kind": "rate",
            "label": "CT confirmed",
            "value": rate(p.rate, p.low, p.high),
            "rate": _rounded(p.rate),
            "low": _rounded(p.low),
            "high": _rounded(p.high),
        }
    )
    if target:
        rows.append(_range_row(f"{quoted(r.target)} means", target, "target"))
    alt = listed([f"{row['label']} {row['value']}" for row in rows])
    return {"rows": rows, "alt": f"Shares from 0 to 100 percent: {alt}."}


def _range_row(label: str, phrase: Phrase, kind: str) -> Json:
    return {"kind": kind, "label": label, "value": meaning(phrase), "low": phrase.low, "high": phrase.high}


def shape(judged: Judged) -> str:
    """How the rate's dot is drawn: hollow where too few uses allow no judgement, a triangle where it deviates."""
    return {Verdict.BELOW: "down", Verdict.ABOVE: "up", Verdict.MATCH: "dot"}.get(judged.verdict, "hollow")
