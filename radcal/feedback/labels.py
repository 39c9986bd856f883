"""Label placement inside a reliability diagram without overlaps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from radcal.language import Language
from radcal.records import Curve, Json

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Widths and heights of labels are reckoned for a diagram of this side, with the template's label size.
_SIDE_MM = 50.0
_LINE_MM = 3.5
_LETTER_MM = 1.55

_STEPS: tuple[float, ...] = tuple(round(0.02 * k, 2) for k in range(1, 50))
# From the lower right corner leftwards and upwards, and from the upper left corner the other way.
_LOWER_RIGHT = sorted(((x, y) for y in _STEPS for x in _STEPS), key=lambda at: at[1] - 0.6 * at[0])
_UPPER_LEFT = sorted(((x, y) for y in _STEPS for x in _STEPS), key=lambda at: at[0] - 0.6 * at[1])


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle in the diagram's own coordinates, 0-1, y upwards."""

    left: float
    bottom: float
    right: float
    top: float

    def meets(self, other: Rect) -> bool:
        """Whether the two overlap."""
        return (
            self.left < other.right and other.left < self.right and self.bottom < other.top and other.bottom < self.top
        )


def box_of(lines: Sequence[str], x: float, y: float) -> Rect:
    """The rectangle of lines of text from their lower left corner."""
    width = max(map(len, lines)) * _LETTER_MM / _SIDE_MM
    return Rect(x, y, x + width, y + len(lines) * _LINE_MM / _SIDE_MM)


def obstacles(c: Curve, drawn: NDArray[np.bool_], points: Sequence[Json]) -> list[Rect]:
    """The curve with its interval, the plain statements' whiskers, and the dashed line."""
    bottom, top = np.fmin(c.rate_low, c.rate) - 0.015, np.fmax(c.rate_high, c.rate) + 0.015
    width = c.high - c.low
    marks = [
        Rect(float(c.low[m] - width[m]), float(bottom[m]), float(c.high[m] + width[m]), float(top[m]))
        for m in np.flatnonzero(drawn)
    ]
    marks += [Rect(p["x"] - 0.04, p["low"] - 0.02, p["x"] + 0.04, p["high"] + 0.02) for p in points]
    marks += [Rect(t - 0.015, t - 0.015, t + 0.015, t + 0.015) for t in map(float, np.linspace(0, 1, 81))]
    return marks


def _hatched(c: Curve, inner: NDArray[np.bool_]) -> list[Rect]:
    return [
        Rect(float(c.low[m]), float(c.luck_low[m]), float(c.high[m]), float(c.luck_high[m]))
        for m in np.flatnonzero(inner & np.isfinite(c.luck_low))
    ]


def placed_labels(
    c: Curve, drawn: NDArray[np.bool_], inner: NDArray[np.bool_], points: Sequence[Json], w: Language
) -> list[Json]:
    """The labels that fit, as lines with their upper left corners; the rest go to the legend.

    The two regions' labels each stay on their own side of the dashed line and off the hatching, as near to
    their corner as they can; the curve's own label may stand on the hatching beside it.
    """
    marks = obstacles(c, drawn, points)
    hatched = _hatched(c, inner)
    labels: list[Json] = []

    def place(text: str, kind: str, places: Iterable[tuple[float, float]], others: Sequence[Rect] = ()) -> None:
        lines = text.split("\n")
        for x, y in places:
            box = box_of(lines, x, y)
            inside = box.left >= 0.01 and box.right <= 0.99 and box.bottom >= 0.01 and box.top <= 0.99
            own_side = {"below": box.top <= box.left, "above": box.bottom >= box.right}.get(kind, True)
            if inside and own_side and not any(map(box.meets, marks)) and not any(map(box.meets, others)):
                labels.append({"lines": lines, "kind": kind, "x": round(x, 4), "y": round(box.top, 4)})
                marks.append(box)
                return

    place(w.say("words stronger\nthan CT supported"), "below", _LOWER_RIGHT, hatched)
    place(w.say("words weaker\nthan CT supported"), "above", _UPPER_LEFT, hatched)
    along = np.flatnonzero(drawn)
    top, bottom = np.fmax(c.rate_high, c.rate), np.fmin(c.rate_low, c.rate)
    place(
        w.say("your words"),
        "curve",
        (
            (float(c.low[m]), float(y))
            for gap in (0.01, 0.03, 0.06)
            for m in along[:: max(1, len(along) // 24)]
            for y in (top[m] + 0.015 + gap, bottom[m] - 0.09 - gap)
        ),
    )
    return labels
