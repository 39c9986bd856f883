"""A plan as a flow of words: those of today on the left, those of tomorrow on the right, strongest on top.

The width of a band is how often its word is said.  On each stands how often CT confirmed the word of today, and under
it in words the share of a word that is divided.  What changes is coloured, what stays is pale.  Draws a FlowPlan,
computes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen

from ui.plots.base import CENTRE_LEFT, CENTRE_RIGHT, Painting
from ui.plots.shapes import ribbon
from ui.theme import certainty_colour, faded
from ui.words import counted, percent, quoted, rate, say, whole

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent
    from PySide6.QtWidgets import QWidget

    from radcal.calibration.records import PhraseRate
    from ui.plots.records import Flow, FlowPlan, FlowWord

_NODE, _GAP, _HEAD, _PAD = 10.0, 6.0, 28.0, 12.0
_LEAST = 2.0
"""Minimum width of a band, so that a single use is visible and can be pointed at."""
_WHOLE = 0.999
"""From this share on all uses of a word go one way."""
_NEAR = 5.0
"""Hit distance of a narrow band in pixels."""


@dataclass(frozen=True, slots=True, eq=False)
class _Band:
    """A drawn flow, ``width`` pixels high."""

    flow: Flow
    path: QPainterPath
    label: QPointF
    width: float


class PlanFlow(Painting):
    """A FlowPlan; its bands are the marks, in the order of their words."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(say("The plan as a flow from the words of today to those of tomorrow"), parent)
        self._plan: FlowPlan | None = None
        self._answers = False
        self._bands: list[_Band] = []
        self._rows: dict[tuple[str, str], QRectF] = {}

    def speak_of_answers(self, answers: bool) -> None:
        """Whether outcomes are answers that were right, not findings that CT confirmed."""
        self._answers = answers

    # --- drawing -----------------------------------------------------------------------------------

    def set_plan(self, plan: FlowPlan | None) -> None:
        """Draw the plan."""
        self._plan = plan
        self._lay_out()
        self.start_over()
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(640, max(260, self.minimumSizeHint().height()))

    def minimumSizeHint(self) -> QSize:
        words = self._plan.words if self._plan else ()
        line = self.metrics().height() + _GAP
        rows = max(sum(w.today > 0 for w in words), sum(w.tomorrow > 0 for w in words), 3)
        return QSize(360, round(_HEAD + rows * line + 2 * _PAD))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._lay_out()
        super().resizeEvent(event)

    def _lay_out(self) -> None:
        """Position nodes and bands."""
        self._bands, self._rows = [], {}
        plan = self._plan
        if plan is None or not plan.words:
            return
        metrics = self.metrics()
        line = metrics.height()
        room = self.height() - _HEAD - _PAD
        sides = {side: [w for w in plan.words if getattr(w, side) > 0] for side in ("today", "tomorrow")}
        if not sides["today"]:
            return
        scale = min(_scale([getattr(w, side) for w in words], line, room) for side, words in sides.items())
        names = [_name(w, getattr(w, side)) for side, words in sides.items() for w in words]
        margin = min(max(map(metrics.horizontalAdvance, names)) + 20, self.width() * 0.34)
        for side, x in (("today", margin), ("tomorrow", self.width() - margin - _NODE)):
            heights = [max(_LEAST, getattr(w, side) * scale) for w in sides[side]]
            slots = [max(line, h) for h in heights]
            spare = max(0.0, room - sum(slots) - _GAP * (len(slots) - 1))
            gap = _GAP + (spare / max(len(slots) - 1, 1) if len(slots) > 1 else 0.0)
            y = _HEAD + (spare / 2 if len(slots) == 1 else 0.0)
            for word, height, slot in zip(sides[side], heights, slots, strict=True):
                self._rows[side, word.name] = QRectF(x, y + (slot - height) / 2, _NODE, height)
                y += slot + gap
        # Bands leave and arrive in the order of the words at the other end, which minimises crossings.
        leaving = {w.name: self._rows["today", w.name].top() for w in sides["today"]}
        arriving = {w.name: self._rows["tomorrow", w.name].top() for w in sides["tomorrow"]}
        place = {w.name: i for i, w in enumerate(plan.words)}
        ends: dict[tuple[str, str], tuple[float, float]] = {}
        for flow in sorted(plan.flows, key=lambda f: (place[f.source], place[f.target])):
            ends[flow.source, flow.target] = leaving[flow.source], 0.0
            leaving[flow.source] += flow.n * flow.share * scale
        for flow in sorted(plan.flows, key=lambda f: (place[f.target], place[f.source])):
            ends[flow.source, flow.target] = ends[flow.source, flow.target][0], arriving[flow.target]
            arriving[flow.target] += flow.n * flow.share * scale
        left, right = margin + _NODE, self.width() - margin - _NODE
        for flow in sorted(plan.flows, key=lambda f: (place[f.source], place[f.target])):
            a, b = ends[flow.source, flow.target]
            width = max(_LEAST, flow.n * flow.share * scale)
            path = ribbon((left, a, a + width), (right, b, b + width))
            # Near the source, where the labels of bands from the same word do not overlap.
            at = 0.22
            curve = (1 - at) ** 3 + 3 * (1 - at) ** 2 * at
            self._bands.append(_Band(flow, path, QPointF(left + 10, a * curve + b * (1 - curve) + width / 2), width))

    def _from_the_bottom(self) -> list[int]:
        """The bands in drawing order: changes above unchanged ones, narrow above wide."""
        flows = [band.flow for band in self._bands]
        return sorted(range(len(flows)), key=lambda i: (flows[i].changes, -flows[i].n * flows[i].share))

    def draw(self, painter: QPainter) -> None:
        c = self.colours
        if self._plan is None or not self._plan.words:
            return
        painter.setPen(QColor(c.muted))
        head = QRectF(6, 2, self.width() - 12, _HEAD - 8)
        painter.drawText(head, CENTRE_LEFT, say("words of today, times said"))
        painter.drawText(head, CENTRE_RIGHT, say("words of tomorrow"))
        for i in self._from_the_bottom():
            band, lit = self._bands[i], i == self.current
            # The outline is stronger for a band selected by key than for one under the pointer.
            edge = QPen(QColor(c.text), 2.5 if self.hasFocus() else 1.5)
            if band.flow.changes:
                painter.setPen(edge if lit else QPen(QColor(c.accent), 1))
                painter.setBrush(faded(c.accent, 0.7 if lit else 0.45))
            else:
                painter.setPen(edge if lit else Qt.PenStyle.NoPen)
                painter.setBrush(faded(c.neutral, 0.32 if lit else 0.14))
            painter.drawPath(band.path)
        for word in self._plan.words:
            for side, n in (("today", word.today), ("tomorrow", word.tomorrow)):
                if (rect := self._rows.get((side, word.name))) is not None:
                    self._draw_word(painter, word, n, rect, at_left=side == "today")
        self._draw_labels(painter)

    def _draw_word(self, painter: QPainter, word: FlowWord, n: float, rect: QRectF, *, at_left: bool) -> None:
        c = self.colours
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(certainty_colour(c, word.mean))
        painter.drawRect(rect)
        metrics = self.metrics()
        line = metrics.height()
        middle = rect.center().y() - line / 2
        room = (
            QRectF(4, middle, rect.left() - 10, line)
            if at_left
            else QRectF(rect.right() + 6, middle, self.width() - rect.right() - 10, line)
        )
        painter.setPen(QColor(c.text))
        text = metrics.elidedText(_name(word, n), Qt.TextElideMode.ElideRight, room.width())
        painter.drawText(room, CENTRE_RIGHT if at_left else CENTRE_LEFT, text)

    def _draw_labels(self, painter: QPainter) -> None:
        """On the bands their rate and share in words, unless labels would overlap; the readout has them all."""
        c, metrics, taken = self.colours, self.metrics(), list[QRectF]()
        for band in sorted(self._bands, key=lambda b: (not b.flow.changes, -b.width)):
            parts = self._label(band.flow)
            text = ("\n" if band.width >= len(parts) * metrics.height() else " \u00b7 ").join(parts)
            size = metrics.size(0, text)
            room = QRectF(band.label.x(), band.label.y() - size.height() / 2, size.width() + 10, size.height())
            narrow = not band.flow.changes and size.height() > band.width
            if not text or narrow or any(room.intersects(other) for other in taken):
                continue
            taken.append(room)
            painter.setFont(self.small(strong=band.flow.changes))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(faded(c.surface, 0.82 if band.flow.changes else 0.0))
            painter.drawRoundedRect(room, 3, 3)
            painter.setPen(QColor(c.text if band.flow.changes else c.muted))
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, text)

    def _label(self, flow: Flow) -> list[str]:
        """The CT rate of a band's word with its n, and its share in words where the word is divided."""
        r = self._rate(flow.source)
        confirmed = [self._short(r)] if r is not None else []
        return [*confirmed, in_ten(flow.share)] if flow.share < _WHOLE else confirmed

    def _short(self, r: PhraseRate) -> str:
        values = {"rate": percent(r.rate), "n": whole(r.n)}
        return say("{rate} of {n} right", **values) if self._answers else say("CT {rate} of {n}", **values)

    def _rate(self, name: str) -> PhraseRate | None:
        return next((w.rate for w in self._plan.words if w.name == name), None) if self._plan else None

    # --- marks -------------------------------------------------------------------------------------

    @property
    def count(self) -> int:
        return len(self._bands)

    def mark_at(self, where: QPointF) -> int:
        """The band under the pointer, or a narrow one near it."""
        order = self._from_the_bottom()[::-1]
        near = QRectF(where.x() - _NEAR, where.y() - _NEAR, 2 * _NEAR, 2 * _NEAR)
        on = next((i for i in order if self._bands[i].path.contains(where)), -1)
        return on if on >= 0 else next((i for i in order if self._bands[i].path.intersects(near)), -1)

    def summary(self) -> str:
        changes = [self.readout(i) for i, band in enumerate(self._bands) if band.flow.changes]
        return " ".join(changes) or say("No word changes.")

    def readout(self, number: int) -> str:
        flow = self._bands[number].flow
        return f"{self._change(flow)}{self._confirmed(flow.source)}"

    def _change(self, flow: Flow) -> str:
        uses = counted(round(flow.n), "{n} use", "{n} uses")
        if not flow.changes and flow.share >= _WHOLE:
            return say("{word} stays as it is ({uses}).", word=quoted(flow.source), uses=uses)
        values = {
            "source": quoted(flow.source),
            "share": in_ten(flow.share),
            "percent": percent(flow.share),
            "uses": uses,
        }
        if not flow.changes:
            return say("{source} stays in {share} ({percent} of {uses}).", **values)
        target = quoted(flow.target)
        return say("Instead of {source}, {target} in {share} ({percent} of {uses}).", target=target, **values)

    def _confirmed(self, name: str) -> str:
        r = self._rate(name)
        if r is None:
            return ""
        values = {"word": quoted(name), "rate": rate(r.rate, r.low, r.high), "n": whole(r.n)}
        if self._answers:
            return " " + say("With {word}, {rate} of {n} answers were right.", **values)
        return " " + say("CT confirmed {word} in {rate} of {n}.", **values)


def in_ten(share: float) -> str:
    """A share in words: '3 of 10', 'all'."""
    tenths = round(10 * share)
    if share >= _WHOLE:
        return say("all")
    if tenths == 0:
        return say("fewer than 1 of 20")
    if tenths == 10:
        return say("nearly all")
    return say("{n} of 10", n=tenths)


def _name(word: FlowWord, n: float) -> str:
    return say("{word}  {n}", word=word.name, n=whole(round(n)))


def _scale(uses: list[float], line: float, room: float) -> float:
    """Pixels per use, by bisection, so that the words, each at least one line high, fill the space."""
    room -= _GAP * (len(uses) - 1)
    low, high = 0.0, max(room, 1.0) / max(max(uses), 1e-9)
    for _ in range(40):
        middle = (low + high) / 2
        if sum(max(line, n * middle) for n in uses) > room:
            high = middle
        else:
            low = middle
    return low
