"""Shapes shared by plots: parts of a reliability curve, lines and areas over its bins, bands of flows."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QPointF
from PySide6.QtGui import QPainterPath, QPolygonF

from radcal.calibration.groups import hedged_bins, hedged_uses

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from radcal.calibration.records import Curve, PhraseRate


def drawn_bins(curve: Curve, rates: Sequence[PhraseRate], fewest: float) -> NDArray[np.bool_]:
    """(B,) mask of the bins where hedged words lie; empty with fewer than ``fewest`` hedged statements.

    A curve through a handful of broad words is meaningless.
    """
    return hedged_bins(curve, rates) & (hedged_uses(rates) >= fewest)


def only(where: NDArray[np.bool_], values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The values where the mask is true, NaN elsewhere."""
    return np.where(where, values, np.nan)


def runs(values: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Runs of finite values, as (first, one past the last)."""
    finite = np.concatenate(([False], np.isfinite(values), [False]))
    edges = np.flatnonzero(finite[1:] != finite[:-1])
    return [(int(a), int(b)) for a, b in edges.reshape(-1, 2)]


def line(curve: Curve, values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A line through the bin centres, extended to the outer bin edges, broken at missing values."""
    middle = (curve.low + curve.high) / 2
    x: list[float] = []
    y: list[float] = []
    for a, b in runs(values):
        x += [float(curve.low[a]), *map(float, middle[a:b]), float(curve.high[b - 1]), math.nan]
        y += [float(values[a]), *map(float, values[a:b]), float(values[b - 1]), math.nan]
    return np.array(x[:-1]), np.array(y[:-1])


def area(curve: Curve, low: NDArray[np.float64], high: NDArray[np.float64]) -> QPainterPath:
    """The area between two lines over the bins."""
    path = QPainterPath()
    for a, b in runs(low + high):
        part = slice(a, b)
        edges = curve.low[part], curve.high[part], low[part], high[part]
        left, right, bottom, top = (np.asarray(v, dtype=float) for v in edges)
        middle = (left + right) / 2
        x = np.concatenate((left[:1], middle, right[-1:]))
        under = np.concatenate((bottom[:1], bottom, bottom[-1:]))
        over = np.concatenate((top[:1], top, top[-1:]))
        path.addPolygon(polygon(np.concatenate((x, x[::-1])), np.concatenate((over, under[::-1]))))
        path.closeSubpath()
    return path


def polygon(x: NDArray[np.float64], y: NDArray[np.float64]) -> QPolygonF:
    """The points as a polygon."""
    return QPolygonF([QPointF(a, b) for a, b in zip(x.tolist(), y.tolist(), strict=True)])


def ribbon(start: tuple[float, float, float], end: tuple[float, float, float]) -> QPainterPath:
    """The S-shaped band of a flow, from (x, top, bottom) to (x, top, bottom)."""
    (x0, top0, bottom0), (x1, top1, bottom1) = start, end
    half = (x0 + x1) / 2
    path = QPainterPath(QPointF(x0, top0))
    path.cubicTo(half, top0, half, top1, x1, top1)
    path.lineTo(x1, bottom1)
    path.cubicTo(half, bottom1, half, bottom0, x0, bottom0)
    path.closeSubpath()
    return path
