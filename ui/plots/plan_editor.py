"""Word use as an editable flow: drag bands to other words, and their edges to change shares.

Emits the user's edits as Shift records and draws the resulting plan; computes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QMouseEvent, QPainter, QPen, QPixmap
from PySide6.QtWidgets import QApplication, QScrollArea, QSizePolicy

from ui.plots.callout import draw_callout
from ui.plots.plan_flow import GAP, HEAD, NODE, PlanFlow
from ui.plots.shapes import ribbon
from ui.theme import certainty_colour, faded
from ui.words import quoted, say, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import SignalInstance
    from PySide6.QtGui import QFocusEvent
    from PySide6.QtWidgets import QWidget

    from ui.plots.plan_flow import Band
    from ui.plots.records import Flow, FlowPlan, FlowWord

_TENTHS, _HALF = 10, 5
_GRIP = (18.0, 8.0)
"""Width and height of an edge's grip, in pixels."""
_REACH = (26.0, 12.0)
"""Width and height of the area in which the pointer grabs an edge."""
_FOR_BANDS = 150
"""Height in addition to that of the words, shared by the bands."""
_LEAST_STEP = 6.0
"""Minimum pointer movement per tenth in pixels: for a rare word a tenth is hardly a pixel high."""


@dataclass(frozen=True, slots=True)
class Shift:
    """Of the cases worded ``source`` today, move ``tenths`` from the word ``taken`` to the word ``given``."""

    source: str
    taken: str
    given: str
    tenths: int


@dataclass(frozen=True, slots=True)
class _Edge:
    """The edge between two bands of a word, ``above`` and ``below``; ``step``: pixels per tenth."""

    source: str
    above: str
    below: str
    y: float
    step: float


@dataclass(slots=True)
class _Drag:
    """A drag since ``start`` of an edge, or of a band of ``tenths``."""

    start: QPointF
    source: str
    taken: str
    tenths: int
    edge: _Edge | None = None
    moved: bool = False
    at: QPointF | None = None
    shift: Shift | None = None


class PlanEditor(PlanFlow):
    """Bands are moved to another word by pointer or key; an edge between two bands of a word divides its cases.

    trying: during a drag, the Shift relative to the plan at its start, None for that plan
    shifted: a completed Shift;  stepped: the same by key, one tenth at a time
    """

    trying = Signal(object)
    shifted = Signal(object)
    stepped = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._drag: _Drag | None = None
        self._over: _Edge | None = None
        self._edges: list[_Edge] = []
        self._waiting: FlowPlan | None = None
        self._still: QPixmap | None = None
        self._follow: tuple[str, str] | None = None
        self._follows = ""
        self._by_key = False
        # A fixed height, so that nothing moves under the pointer.
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(say("The use of words, to be changed by hand"))

    # --- drawing -----------------------------------------------------------------------------------

    def set_plan(self, plan: FlowPlan | None) -> None:
        """Draw the plan, keeping the current band; deferred while a band is being dragged."""
        if self._drag is not None and self._drag.edge is None and self._drag.moved:
            self._waiting = plan
            return
        chosen = self._follow or self._chosen()
        self._follow = self._waiting = None
        super().set_plan(plan)
        self._choose(chosen)

    def sizeHint(self) -> QSize:
        least = self.minimumSizeHint()
        return QSize(640, least.height() + _FOR_BANDS)

    def redraw(self) -> None:
        self._still = None
        super().redraw()

    def set_follows(self, text: str) -> None:
        """Set a short text on the effect of the tried plan, shown beside the band; '' for none."""
        if text != self._follows:
            self._follows = text
            self.update()

    def holds(self) -> bool:
        return self._drag is not None

    def let_go(self) -> None:
        if self._drag is not None:
            tried, self._drag = self._drag.shift is not None, None
            self.setCursor(Qt.CursorShape.ArrowCursor)
            if tried:
                self.trying.emit(None)
            self._catch_up()

    def _catch_up(self) -> None:
        if self._waiting is not None:
            self.set_plan(self._waiting)
        self.update()

    def _tomorrow(self, words: Sequence[FlowWord]) -> list[FlowWord]:
        """All words: each can be a target."""
        return list(words)

    def _fitting(self, sides: dict[str, list[FlowWord]], line: float, room: float) -> float:
        """Independent of tomorrow's use, so that nothing shrinks or grows under the pointer."""
        rows, said = len(sides["tomorrow"]), sum(w.today for w in sides["today"])
        free = room - GAP * (rows - 1) - line * (rows - 1)
        today = super()._fitting({"today": sides["today"]}, line, room)
        return min(today, max(free, line) / max(said, 1e-9))

    def _lay_out(self) -> None:
        super()._lay_out()
        self._edges = []
        place = {w.name: i for i, w in enumerate(self._plan.words if self._plan else ())}
        by_source: dict[str, list[Band]] = {}
        for band in self._bands:
            by_source.setdefault(band.flow.source, []).append(band)
        for source, bands in by_source.items():
            if not any(b.flow.changes for b in bands):
                continue
            parts = [(place[b.flow.target], b.flow.target, b.top) for b in bands]
            if all(b.flow.changes for b in bands):
                # No case keeps its word: add the edge from which some can be dragged back.
                row, own = self._rows["today", source], place[source]
                after = [top for p, _, top in parts if p > own]
                parts.append((own, source, min(after, default=row.bottom())))
            parts.sort()
            step = max(bands[0].flow.n * self._scale / _TENTHS, _LEAST_STEP)
            self._edges += [_Edge(source, above, below, y, step) for (_, above, _), (_, below, y) in pairwise(parts)]

    def draw(self, painter: QPainter) -> None:
        drag = self._drag
        if drag is None or drag.edge is not None or not drag.moved:
            self._still = None
            super().draw(painter)
            self._draw_edges(painter)
            if drag is not None and drag.moved:
                self._draw_effect(painter, drag)
            elif drag is None and self._by_key and self._follows and self.current >= 0:
                band = self._bands[self.current]
                self._draw_box(painter, [self._follows], QPointF(self._ends[0], band.top + band.width / 2))
            return
        # Only the dragged band moves: the rest is cached.
        if self._still is None or self._still.size() != self.size() * self.devicePixelRatioF():
            self._still = QPixmap(self.size() * self.devicePixelRatioF())
            self._still.setDevicePixelRatio(self.devicePixelRatioF())
            self._still.fill(Qt.GlobalColor.transparent)
            rest = QPainter(self._still)
            rest.setRenderHint(QPainter.RenderHint.Antialiasing)
            rest.setFont(self.small())
            super().draw(rest)
            self._draw_edges(rest)
            rest.end()
        painter.drawPixmap(0, 0, self._still)
        self._draw_carried(painter, drag)
        self._draw_effect(painter, drag)

    def _draw_edges(self, painter: QPainter) -> None:
        c = self.colours
        for edge in self._edges:
            held = self._drag.edge if self._drag else self._over
            lit = held is not None and (edge.source, edge.above, edge.below) == (held.source, held.above, held.below)
            grip = QRectF(0, 0, *_GRIP)
            grip.moveCenter(self._grip(edge))
            painter.setPen(QPen(QColor(c.accent if lit else c.text), 2 if lit else 1.2))
            painter.setBrush(QColor(c.surface))
            painter.drawRoundedRect(grip, 3, 3)
            painter.drawLine(QPointF(grip.left() + 5, grip.center().y()), QPointF(grip.right() - 5, grip.center().y()))

    def _draw_carried(self, painter: QPainter, drag: _Drag) -> None:
        """The dragged band, attached to the pointer, and its target word."""
        c, at = self.colours, drag.at or drag.start
        band = next(b for b in self._bands if (b.flow.source, b.flow.target) == (drag.source, drag.taken))
        given = drag.shift.given if drag.shift is not None else drag.taken
        width = max(3.0, band.width * drag.tenths / max(round(_TENTHS * band.flow.share), 1))
        means = {w.name: w.mean for w in self._plan.words} if self._plan is not None else {}
        colour = certainty_colour(c, means.get(given, 0.5))
        painter.setPen(QPen(QColor(c.accent), 2))
        painter.setBrush(faded(colour, 0.8))
        left, right = self._ends
        hangs = right, at.y() - width / 2, at.y() + width / 2
        painter.drawPath(ribbon((left, band.top, band.top + width), hangs))
        row = self._row_of(given)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(
            QRectF(row.left() - 4, row.top() - 1, self.width() - row.left(), row.height() + 2), 4, 4
        )

    def _draw_effect(self, painter: QPainter, drag: _Drag) -> None:
        """The effect of a drop, beside the pointer."""
        lines = [self._effect(drag), *([self._follows] if self._follows else [])]
        self._draw_box(painter, lines, drag.at or drag.start)

    def _draw_box(self, painter: QPainter, lines: Sequence[str], at: QPointF) -> None:
        seen = QRectF(self.visibleRegion().boundingRect())
        draw_callout(painter, lines, at, seen, self.colours, self.font())

    def _effect(self, drag: _Drag) -> str:
        shift = drag.shift
        if shift is None:
            return say("as it was")
        if drag.edge is not None:
            flows = {f.target: f for f in (self._plan.flows if self._plan else ()) if f.source == drag.source}
            shares = [
                say(
                    "{word} in {n} of 10",
                    word=quoted(word),
                    n=whole(round(_TENTHS * flows[word].share) if word in flows else 0),
                )
                for word in (drag.edge.above, drag.edge.below)
            ]
            return "   ".join(shares)
        if shift.given == shift.source:
            return say("{word} stays in {n} more of 10", word=quoted(shift.source), n=whole(shift.tenths))
        return say(
            "{word} in {n} of 10, instead of {source}",
            word=quoted(shift.given),
            n=whole(shift.tenths),
            source=quoted(shift.source),
        )

    def _grip(self, edge: _Edge) -> QPointF:
        return QPointF(self._ends[0] - NODE / 2, edge.y)

    def _row_of(self, word: str) -> QRectF:
        """The rectangle of a word at the right, at least one line of text high."""
        row = QRectF(self._rows["tomorrow", word])
        line = self.metrics().height()
        if row.height() < line:
            row.setTop(row.center().y() - line / 2)
            row.setHeight(line)
        return row

    # --- the pointer -------------------------------------------------------------------------------

    def _edge_at(self, place: QPointF) -> _Edge | None:
        """The nearest edge within reach of the pointer."""
        near = [
            (abs(self._grip(e).y() - place.y()), i)
            for i, e in enumerate(self._edges)
            if abs(self._grip(e).x() - place.x()) <= _REACH[0] / 2 and abs(e.y - place.y()) <= _REACH[1] / 2
        ]
        return self._edges[min(near)[1]] if near else None

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is not Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._by_key = False
        place, edge = event.position(), self._edge_at(event.position())
        if edge is not None:
            self._drag = _Drag(place, edge.source, edge.above, 0, edge)
        elif (at := self.mark_at(place)) >= 0:
            self.go_to(at)
            flow = self._bands[at].flow
            self._drag = _Drag(place, flow.source, flow.target, _carried(flow))
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        event.accept()

    def _moved(self, where: QPointF) -> None:
        drag = self._drag
        if drag is None:
            self._over = self._edge_at(where)
            self.update()
            super()._moved(where)
            return
        distance = (where - drag.start).manhattanLength()
        if not drag.moved and distance < (1 if drag.edge else QApplication.startDragDistance()):
            return
        drag.moved, drag.at = True, where
        shift = self._edged(drag, drag.edge) if drag.edge is not None else self._carry(drag)
        if shift != drag.shift:
            drag.shift = shift
            self.trying.emit(shift)
        self._scroll_to(where)
        self.update()

    def mark_at(self, where: QPointF) -> int:
        return -1 if self._edge_at(where) is not None else super().mark_at(where)

    def readout_at(self, where: QPointF) -> str:
        edge = self._edge_at(where)
        if edge is None:
            return ""
        return say(
            "Drag to share the cases of {source} between {above} and {below}.",
            source=quoted(edge.source),
            above=quoted(edge.above),
            below=quoted(edge.below),
        )

    def set_cursor(self, where: QPointF, number: int) -> None:
        shape = Qt.CursorShape.OpenHandCursor if number >= 0 else Qt.CursorShape.ArrowCursor
        self.setCursor(Qt.CursorShape.SizeVerCursor if self._over is not None else shape)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        drag, self._drag = self._drag, None
        if drag is None:
            super().mouseReleaseEvent(event)
            return
        self.setCursor(Qt.CursorShape.ArrowCursor)
        self._waiting = None
        if drag.shift is not None:
            self._tell(self.shifted, drag.shift, drag.shift.given if drag.edge is None else "")
        elif drag.moved:
            self.trying.emit(None)
        self._catch_up()
        event.accept()

    def _edged(self, drag: _Drag, edge: _Edge) -> Shift | None:
        """Downwards moves cases from the band below to the one above, upwards the reverse."""
        place = drag.at or drag.start
        tenths = round((place.y() - drag.start.y()) / edge.step)
        if not tenths:
            return None
        taken, given = (edge.below, edge.above) if tenths > 0 else (edge.above, edge.below)
        return Shift(edge.source, taken, given, abs(tenths))

    def _carry(self, drag: _Drag) -> Shift | None:
        """The shift to the word at the pointer's height."""
        if self._plan is None or drag.at is None:
            return None
        y = drag.at.y()
        rows = {w.name: self._row_of(w.name) for w in self._plan.words}
        nearest = min(rows, key=lambda name: abs(rows[name].center().y() - y))
        given = next((name for name, row in rows.items() if row.top() <= y <= row.bottom()), nearest)
        return None if given == drag.taken else Shift(drag.source, drag.taken, given, drag.tenths)

    def _scroll_to(self, place: QPointF) -> None:
        """Scroll the enclosing area so that the drag position is visible."""
        parent = self.parentWidget()
        while parent is not None and not isinstance(parent, QScrollArea):
            parent = parent.parentWidget()
        inside = parent.widget() if parent is not None else None
        if parent is not None and inside is not None:
            at = self.mapTo(inside, place.toPoint())
            parent.ensureVisible(at.x(), at.y(), 0, round(HEAD))

    def leaveEvent(self, event: QEvent) -> None:
        self._over = None
        super().leaveEvent(event)

    # --- the keys ----------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and Down select a band, Left and Right change its share; Shift+Up and Shift+Down change its word."""
        key, chosen = event.key(), self.current
        self._by_key = True
        shift = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
        up_or_down = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if self.holds() or chosen < 0 or (key in up_or_down and not shift):
            super().keyPressEvent(event)
            return
        flow = self._bands[chosen].flow
        if key in up_or_down:
            self._carry_by_key(flow, up_or_down[Qt.Key(key)])
        elif key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self._share_by_key(flow, more=key == Qt.Key.Key_Right)
        elif key in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace) and flow.changes:
            self._tell(self.shifted, Shift(flow.source, flow.target, flow.source, _TENTHS), flow.source)
        else:
            super().keyPressEvent(event)

    def _carry_by_key(self, flow: Flow, step: int) -> None:
        """Move the band to the next stronger or weaker word that is no target of the source yet."""
        if self._plan is None:
            return
        words = [w.name for w in self._plan.words]
        taken = {f.target for f in self._plan.flows if f.source == flow.source}
        rest = words[words.index(flow.target) + 1 :] if step > 0 else words[: words.index(flow.target)][::-1]
        given = next((w for w in rest if w not in taken and w != flow.source), None)
        if given is not None:
            self._tell(self.shifted, Shift(flow.source, flow.target, given, _carried(flow)), given)

    def _share_by_key(self, flow: Flow, *, more: bool) -> None:
        """Move a tenth between a changed band and the unchanged rest of its word."""
        if self._plan is None:
            return
        other = flow.source
        if not flow.changes:
            changed = [f for f in self._plan.flows if f.source == flow.source and f.changes]
            if not changed:
                return
            other = max(changed, key=lambda f: f.share).target
        taken, given = (other, flow.target) if more else (flow.target, other)
        # A band with its last tenth disappears: the one that receives it becomes current.
        used_up = not more and round(_TENTHS * flow.share) <= 1
        self._tell(self.stepped, Shift(flow.source, taken, given, 1), other if used_up else flow.target)

    def _tell(self, how: SignalInstance, shift: Shift, follow: str) -> None:
        """Emit the shift; in the resulting plan, the band to the word ``follow`` becomes current."""
        self._follow = (shift.source, follow) if follow else None
        how.emit(shift)
        self._follow = None

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.let_go()
        self._by_key = False
        super().focusOutEvent(event)

    def _chosen(self) -> tuple[str, str] | None:
        if 0 <= self.current < len(self._bands):
            flow = self._bands[self.current].flow
            return flow.source, flow.target
        return None

    def _choose(self, flow: tuple[str, str] | None) -> None:
        """Make a flow current if it still exists, else the unchanged band of its word."""
        for wanted in (flow, (flow[0], flow[0])) if flow is not None else ():
            for i, band in enumerate(self._bands):
                if (band.flow.source, band.flow.target) == wanted:
                    self.go_to(i)
                    return


def _carried(flow: Flow) -> int:
    """The tenths moved with a band: all of a changed one, at most half of an unchanged one."""
    tenths = round(_TENTHS * flow.share)
    return tenths if flow.changes else min(_HALF, tenths)
