"""Flow diagram from rows to pairs: retained reports run left to right, exclusions branch off with their reason.

X-ray reports are above, CT reports below; the height of a flow is proportional to its number of reports.  Draws
records.AttritionStep, computes nothing; adjacent steps are merged where space is short.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen

from ui.plots.base import Painting
from ui.plots.shapes import ribbon
from ui.sentences import modality_text, pairs_text, rows_text
from ui.theme import mixed
from ui.words import say, typographic, whole

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QWidget

    from radcal.reports.records import AttritionStep

_BOTH, _XRAY, _CT = "both", "xray", "ct"
_SLOT = 96.0
"""Minimum width of a step's label."""
_SLOTS = 8
"""Maximum number of steps drawn between rows and pairs."""
_LINES = 4
_BAR, _GAP, _EDGE, _BEND = 6.0, 44.0, 12.0, 26.0
_END = 84.0
"""Width reserved at the right for the number of pairs."""
_THIN = 2.0
_FLOWS = 90.0
"""Minimum height of all flows together."""
_RECTANGLE = 5
"""Number of elements of a rectangular path."""


@dataclass(frozen=True, slots=True)
class Drop:
    """Reports excluded at one step, or at several merged ones.

    parts: (step, reason, n), most frequent first;  kept: number remaining
    """

    parts: tuple[tuple[str, str, int], ...]
    kept: int

    @property
    def n(self) -> int:
        """Number excluded."""
        return sum(n for _, _, n in self.parts)


@dataclass(frozen=True, slots=True)
class Lane:
    """The flow of one modality: initial count, exclusions, final count."""

    modality: str
    begin: int
    drops: tuple[Drop, ...]

    @property
    def end(self) -> int:
        """The final count."""
        return self.drops[-1].kept if self.drops else self.begin


@dataclass(frozen=True, slots=True)
class Label:
    """A positioned text; ``strong`` is its bold first line, '' for none."""

    rect: QRectF
    strong: str
    lines: tuple[str, ...]
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignHCenter


@dataclass(frozen=True, slots=True)
class FlowMark:
    """A readable part of the picture; ``kept``: retained reports, else excluded ones."""

    path: QPainterPath
    kept: bool
    tip: str


def lanes(steps: Sequence[AttritionStep]) -> tuple[Lane, Lane, Lane]:
    """The steps as lanes of both modalities, X-ray and CT; steps without exclusions are omitted."""
    return _lane(_BOTH, steps), _lane(_XRAY, steps), _lane(_CT, steps)


def _lane(modality: str, steps: Sequence[AttritionStep]) -> Lane:
    own = [s for s in steps if s.modality == modality]
    if not own:
        return Lane(modality, 0, ())
    kept = begin = own[0].kept
    by_step: dict[str, list[tuple[str, str, int]]] = {}
    for s in own[1:]:
        if s.dropped:
            by_step.setdefault(s.step, []).append((s.step, s.reason, s.dropped))
    drops = []
    for parts in by_step.values():
        kept -= sum(n for _, _, n in parts)
        drops.append(Drop(_ordered(parts), kept))
    return Lane(modality, begin, tuple(drops))


def merged(lane: Lane, most: int) -> Lane:
    """The lane with at most ``most`` exclusions: the smallest are merged with a neighbour."""
    drops = list(lane.drops)
    while len(drops) > max(1, most):
        i = min(range(len(drops) - 1), key=lambda i: drops[i].n + drops[i + 1].n)
        drops[i : i + 2] = [Drop(_ordered([*drops[i].parts, *drops[i + 1].parts]), drops[i + 1].kept)]
    return Lane(lane.modality, lane.begin, tuple(drops))


def _ordered(parts: Sequence[tuple[str, str, int]]) -> tuple[tuple[str, str, int], ...]:
    return tuple(sorted(parts, key=lambda part: -part[2]))


class AttritionFlow(Painting):
    """Retained and excluded reports at each step, one mark each."""

    usual_size = (920, 360)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(say("From reports to pairs"), parent)
        self._steps: tuple[AttritionStep, ...] = ()
        self.marks: list[FlowMark] = []
        self.labels: list[Label] = []
        self._bars: list[QRectF] = []
        self._scale = 0.0
        self.setMinimumSize(480, round(2 * (self._zone + _BEND) + _GAP + _FLOWS))

    def set_steps(self, steps: Sequence[AttritionStep]) -> None:
        """Draw these steps, in table order."""
        self._steps = tuple(steps)
        self._lay_out()

    def summary(self) -> str:
        both, xray, ct = lanes(self._steps)
        if not (both.begin or xray.begin or ct.begin):
            return ""
        pairs = pairs_text(min(xray.end, ct.end))
        whole_way = say(
            "Of {rows}, {xray} X-ray and {ct} CT reports came to {pairs}.",
            rows=rows_text(both.begin),
            xray=whole(xray.begin),
            ct=whole(ct.begin),
            pairs=pairs,
        )
        return "\n".join([whole_way, *(_drop_tip(lane, drop) for lane in (both, xray, ct) for drop in lane.drops)])

    @property
    def _zone(self) -> float:
        """Height of the label zones at the top and bottom."""
        return self.metrics().height() * (1 + _LINES) + 6

    def _high(self, n: int) -> float:
        """Height of a flow of ``n`` reports."""
        return max(n * self._scale, _THIN) if n else 0.0

    # --- layout ------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self) -> None:
        self.marks, self.labels, self._bars = [], [], []
        both, xray, ct = lanes(self._steps)
        total = both.begin or xray.begin + ct.begin
        if total:
            self._place(both, xray, ct, total)
        self.start_over()
        self.update()

    def _place(self, both: Lane, xray: Lane, ct: Lane, total: int) -> None:
        line, high = self.metrics().height(), self._high
        left, right = _EDGE, self.width() - _END
        n_lane = max(len(xray.drops), len(ct.drops))
        most = int(min(_SLOTS, max(3.0, (right - left) / _SLOT - 1)))
        both = merged(both, max(1, most - n_lane, most // 4))
        xray, ct = (merged(lane, most - len(both.drops)) for lane in (xray, ct))
        n_lane = max(len(xray.drops), len(ct.drops), 1)
        slot = (right - left) / (len(both.drops) + 1 + n_lane)
        split = left + slot * (len(both.drops) + 1)

        top, bottom = self._zone + _BEND, self.height() - self._zone - _BEND
        widest = max(total, xray.begin + ct.begin)
        self._scale = max(bottom - top - _GAP, 20.0) / widest
        # The gap between the modalities leaves both enough height; the bar of all rows is centred on it.
        spare = (widest - xray.begin - ct.begin) * self._scale / 2
        middle = top + spare + high(xray.begin) + _GAP / 2
        begun = high(both.begin or total)
        y_top = min(max(middle - begun * xray.begin / max(xray.begin + ct.begin, 1), top), bottom - begun)
        y_low = y_top + begun
        self._bar(left, y_top, y_low)
        # Below all flows, one of which may bend down next to the bar.
        y_text = max(y_low, middle + _GAP / 2 + high(ct.begin)) + 3
        self._label(
            QRectF(left, y_text, slot * 1.5, line * 2), whole(total), say("row read", many="rows read", n=total)
        )
        x = left + _BAR
        for i, drop in enumerate(both.drops):
            at = left + _BAR + slot * (i + 0.15)
            self._band(x, y_top, y_low, at, _kept_tip(both, both.drops[i - 1].kept if i else both.begin))
            self._bend(at, y_top, high(drop.n), left + slot * (i + 0.55), slot, both, drop, up=True)
            x, y_top = at, y_low - high(drop.kept)

        # Each modality separately.
        above, below = middle - _GAP / 2, middle + _GAP / 2
        share = (y_low - y_top) * (xray.begin / max(xray.begin + ct.begin, 1))
        for lane, up, y0, y1 in ((xray, True, y_top, y_top + share), (ct, False, y_top + share, y_low)):
            if lane.begin:
                edge = above if up else below
                near, far = (edge, edge - high(lane.begin)) if up else (edge, edge + high(lane.begin))
                path = ribbon((x, y0, y1), (split, min(near, far), max(near, far)))
                self.marks.append(FlowMark(path, True, _kept_tip(lane, lane.begin)))
                self._run(lane, up, split, right, edge)
        self._bar(right, above - high(xray.end), below + high(ct.end))
        n = min(xray.end, ct.end)
        room = QRectF(right + _BAR + 6, (above + below) / 2 - line, _END - _BAR - 8, line * 2)
        self._label(room, whole(n), say("pair", many="pairs", n=n))

    def _run(self, lane: Lane, up: bool, split: float, right: float, edge: float) -> None:
        """One modality from the split to the pairs; its edge facing the other modality stays straight."""
        line, high = self.metrics().height(), self._high
        sign = -1.0 if up else 1.0
        slot = (right - split) / max(len(lane.drops), 1)
        far = edge + sign * high(lane.begin)
        self._bar(split, min(edge, far), max(edge, far))
        caption = f"{modality_text(lane.modality)} {whole(lane.begin)}"
        numbers = edge + 2 if up else edge - line - 2
        self._label(QRectF(split, numbers, slot * 2, line), "", caption)
        free = split + self.metrics().horizontalAdvance(caption) + 12
        x = split + _BAR
        kept = lane.begin
        for i, drop in enumerate(lane.drops):
            at = split + _BAR + slot * (i + 0.15)
            self._band(x, min(edge, far), max(edge, far), at, _kept_tip(lane, kept))
            height = high(drop.n)
            outer = far if up else far - height
            self._bend(at, outer, height, split + slot * (i + 0.55), slot, lane, drop, up=up)
            far = edge + sign * high(drop.kept)  # exclusions may be drawn thicker than to scale, retained reports not
            x, kept = at, drop.kept
            text = whole(kept)
            width = self.metrics().horizontalAdvance(text)
            if i + 1 < len(lane.drops) and at + 4 > free and at + 4 + width < split + _BAR + slot * (i + 1.15):
                self._label(QRectF(at + 4, numbers, width + 2, line), "", text)
        self._band(x, min(edge, far), max(edge, far), right, _kept_tip(lane, kept))

    def _bar(self, x: float, top: float, bottom: float) -> None:
        self._bars.append(QRectF(x, top, _BAR, max(bottom - top, _THIN)))

    def _band(self, x0: float, top: float, bottom: float, x1: float, tip: str) -> None:
        if bottom > top and x1 > x0:
            path = QPainterPath()
            path.addRect(QRectF(x0 - 0.5, top, x1 - x0 + 0.5, bottom - top))  # no seam between two
            self.marks.append(FlowMark(path, True, tip))

    def _bend(
        self, at: float, top: float, height: float, centre: float, slot: float, lane: Lane, drop: Drop, *, up: bool
    ) -> None:
        """Excluded reports: a flow that bends off to its label above or below."""
        zone, metrics = self._zone, self.metrics()
        wide = max(min(height, slot * 0.45), _THIN)
        x0 = max(centre, at + 8) - wide / 2 + 6
        y = zone if up else self.height() - zone
        near, far = (top, top + height) if up else (top + height, top)
        path = QPainterPath(QPointF(at, near))
        path.cubicTo(QPointF(x0 - 2, near), QPointF(x0, near), QPointF(x0, y))
        path.lineTo(QPointF(x0 + wide, y))
        path.cubicTo(QPointF(x0 + wide, far), QPointF(x0 + wide, far), QPointF(at, far))
        path.closeSubpath()
        self.marks.append(FlowMark(path, False, _drop_tip(lane, drop)))
        reason = typographic(drop.parts[0][1] or drop.parts[0][0]).rstrip(".")
        more = len(drop.parts) - 1
        width = slot - 10
        lines = wrapped_lines(reason, metrics, width, _LINES - (1 if more else 0))
        if more:
            lines.append(metrics.elidedText(say("+ {n:,} more", n=more), Qt.TextElideMode.ElideRight, width))
        height_of_text = metrics.height() * (1 + len(lines))
        y_text = zone - 4 - height_of_text if up else y + 4
        middle = min(max(x0 + wide / 2, width / 2 + 2), self.width() - width / 2 - 2)
        self.labels.append(
            Label(QRectF(middle - width / 2, y_text, width, height_of_text), f"\u2212{whole(drop.n)}", tuple(lines))
        )

    def _label(self, rect: QRectF, strong: str, text: str) -> None:
        self.labels.append(Label(rect, strong, (text,), Qt.AlignmentFlag.AlignLeft))

    # --- drawing -----------------------------------------------------------------------------------

    def draw(self, painter: QPainter) -> None:
        c = self.colours
        for i, mark in enumerate(self.marks):
            over = i == self.current
            # Straight bands are aligned to pixels, so that adjacent parts show no seam.
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, mark.path.elementCount() != _RECTANGLE)
            painter.setPen(QPen(QColor(c.text), 1.2) if over else Qt.PenStyle.NoPen)
            accent, neutral = (0.6, 0.5) if over else (0.42, 0.3)
            painter.setBrush(mixed(c.surface, c.accent, accent) if mark.kept else mixed(c.surface, c.neutral, neutral))
            painter.drawPath(mark.path)
            if not mark.kept:
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(c.neutral), 1))
                painter.drawPath(mark.path)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(c.accent))
        for bar in self._bars:
            painter.drawRect(bar)
        line = self.metrics().height()
        for label in self.labels:
            y = label.rect.top()
            if label.strong:
                painter.setFont(self.small(strong=True))
                painter.setPen(QColor(c.text))
                painter.drawText(QRectF(label.rect.left(), y, label.rect.width(), line), label.align, label.strong)
                y += line
            painter.setFont(self.small())
            painter.setPen(QColor(c.muted))
            for text in label.lines:
                painter.drawText(QRectF(label.rect.left(), y, label.rect.width(), line), label.align, text)
                y += line

    # --- marks -------------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        return len(self.marks)

    def readout(self, number: int) -> str:
        return self.marks[number].tip

    def mark_at(self, where: QPointF) -> int:
        """The part at a pixel position; thin ones are also found nearby, and by their labels."""
        for i, mark in reversed([*enumerate(self.marks)]):
            if mark.path.contains(where):
                return i
        near = QRectF(where.x() - 4, where.y() - 4, 8, 8)
        dropped = [i for i, mark in enumerate(self.marks) if not mark.kept]
        of_drops = [label.rect for label in self.labels if label.strong.startswith("\u2212")]
        found = [i for i in dropped if self.marks[i].path.intersects(near)]
        found += [i for i, rect in zip(dropped, of_drops, strict=True) if rect.contains(where)]
        return found[0] if found else -1


def wrapped_lines(text: str, metrics: QFontMetricsF, width: float, most: int) -> list[str]:
    """The text in at most ``most`` lines of ``width`` pixels, elided if too long."""
    lines: list[str] = []
    words = text.split()
    while words and len(lines) < most:
        line = words.pop(0)
        while words and metrics.horizontalAdvance(f"{line} {words[0]}") <= width:
            line = f"{line} {words.pop(0)}"
        if words and len(lines) == most - 1:
            line = " ".join([line, *words])
        lines.append(metrics.elidedText(line, Qt.TextElideMode.ElideRight, width))
    return lines


def _kept_tip(lane: Lane, kept: int) -> str:
    if lane.modality == _BOTH:
        return say("{rows} go on", rows=rows_text(kept))
    modality = modality_text(lane.modality)
    return say("{n} of {begin} {modality} reports go on", n=whole(kept), begin=whole(lane.begin), modality=modality)


def _drop_tip(lane: Lane, drop: Drop) -> str:
    reports = rows_text(drop.n) if lane.modality == _BOTH else whole(drop.n)
    head = say("{n} drop out, {kept} go on", n=reports, kept=whole(drop.kept))
    lines = [say("{n}: {reason}", n=whole(n), reason=typographic(reason or step)) for step, reason, n in drop.parts]
    return "\n".join((head, *lines))
