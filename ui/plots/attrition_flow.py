"""From rows to pairs as a flow: what is kept goes on from left to right, what drops out bends off with its reason.

X-ray reports run above, CT reports below; the height of a flow is in proportion to its reports.  Draws
records.AttritionStep, computes nothing; where there is little room, neighbouring steps are drawn as one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QToolTip, QWidget

from ui.sentences import modality_text, pairs_text, rows_text, step_text
from ui.theme import LIGHT, SMALL, Colours, sized
from ui.words import translate, whole

if TYPE_CHECKING:
    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QMouseEvent, QPaintEvent, QResizeEvent

    from radcal.records import AttritionStep

_BOTH, _XRAY, _CT = "both", "xray", "ct"
_SLOT = 96.0
"""Width that the label of a step needs at least."""
_SLOTS = 8
"""Steps drawn between the rows and the pairs, at most."""
_LINES = 4
_BAR, _GAP, _EDGE, _BEND = 6.0, 44.0, 12.0, 26.0
_END = 84.0
"""Room at the right for the number of pairs."""
_THIN = 2.0
_FLOWS = 90.0
"""Height of all flows together, at least."""
_RECTANGLE = 5
"""Elements of a path that is a rectangle."""


@dataclass(frozen=True, slots=True)
class Drop:
    """Reports that drop out at one step, or at neighbouring ones drawn together.

    parts: (step, reason, n), the most frequent first;  kept: what is left afterwards
    """

    parts: tuple[tuple[str, str, int], ...]
    kept: int

    @property
    def n(self) -> int:
        """How many drop out."""
        return sum(n for _, _, n in self.parts)


@dataclass(frozen=True, slots=True)
class Lane:
    """The way of one modality: how many begin, where they drop out, how many arrive."""

    modality: str
    begin: int
    drops: tuple[Drop, ...]

    @property
    def end(self) -> int:
        """How many are left at the end."""
        return self.drops[-1].kept if self.drops else self.begin


@dataclass(frozen=True, slots=True)
class Label:
    """A text at a place: its first line strong, '' for none."""

    rect: QRectF
    strong: str
    lines: tuple[str, ...]
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignHCenter


@dataclass(frozen=True, slots=True)
class Mark:
    """A part of the picture that the pointer can rest on; ``kept`` tells what goes on from what drops out."""

    path: QPainterPath
    kept: bool
    tip: str


def lanes(steps: Sequence[AttritionStep]) -> tuple[Lane, Lane, Lane]:
    """The steps as lanes of both modalities, X-ray and CT; steps at which nothing drops out are left out."""
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
    """The lane with at most ``most`` drops: those of the fewest reports are drawn with a neighbour."""
    drops = list(lane.drops)
    while len(drops) > max(1, most):
        i = min(range(len(drops) - 1), key=lambda i: drops[i].n + drops[i + 1].n)
        drops[i : i + 2] = [Drop(_ordered([*drops[i].parts, *drops[i + 1].parts]), drops[i + 1].kept)]
    return Lane(lane.modality, lane.begin, tuple(drops))


def _ordered(parts: Sequence[tuple[str, str, int]]) -> tuple[tuple[str, str, int], ...]:
    return tuple(sorted(parts, key=lambda part: -part[2]))


class AttritionFlow(QWidget):
    """Made once and fed with steps.  ``hovered`` carries the numbers under the pointer, '' when it has left."""

    hovered = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._steps: tuple[AttritionStep, ...] = ()
        self._colours: Colours = LIGHT
        self._over: Mark | None = None
        self.marks: list[Mark] = []
        self.labels: list[Label] = []
        self._bars: list[QRectF] = []
        self.setMouseTracking(True)
        self.setAccessibleName(translate("flow", "From reports to pairs"))
        line = QFontMetricsF(sized(self.font(), SMALL)).height()
        self.setMinimumSize(480, round(2 * (line * (1 + _LINES) + 6 + _BEND) + _GAP + _FLOWS))

    def sizeHint(self) -> QSize:
        return QSize(920, 360)

    def set_steps(self, steps: Sequence[AttritionStep]) -> None:
        """Draw these steps, in the order of the table."""
        self._steps = tuple(steps)
        both, xray, ct = lanes(self._steps)
        self.setAccessibleDescription(_told(both, xray, ct))
        self._lay_out()

    def set_colours(self, colours: Colours) -> None:
        """Draw in the colours of the scheme."""
        self._colours = colours
        self.update()

    def hide_pointer(self) -> None:
        """Show nothing of what the pointer rests on."""
        self._over = None

    # --- where everything goes ---------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def _lay_out(self) -> None:
        self.marks, self.labels, self._bars, self._over = [], [], [], None
        both, xray, ct = lanes(self._steps)
        total = both.begin or xray.begin + ct.begin
        if total:
            self._place(both, xray, ct, total)
        self.update()

    def _place(self, both: Lane, xray: Lane, ct: Lane, total: int) -> None:
        metrics = QFontMetricsF(sized(self.font(), SMALL))
        line = metrics.height()
        left, right = _EDGE, self.width() - _END
        n_lane = max(len(xray.drops), len(ct.drops))
        most = int(min(_SLOTS, max(3.0, (right - left) / _SLOT - 1)))
        both = merged(both, max(1, most - n_lane, most // 4))
        xray, ct = (merged(lane, most - len(both.drops)) for lane in (xray, ct))
        n_lane = max(len(xray.drops), len(ct.drops), 1)
        slot = (right - left) / (len(both.drops) + 1 + n_lane)
        split = left + slot * (len(both.drops) + 1)

        zone = line * (1 + _LINES) + 6
        top, bottom = zone + _BEND, self.height() - zone - _BEND
        widest = max(total, xray.begin + ct.begin)
        scale = max(bottom - top - _GAP, 20.0) / widest

        def high(n: int) -> float:
            return max(n * scale, _THIN) if n else 0.0

        # The gap between the modalities lies where both have the room they need; all rows stand round it.
        spare = (widest - xray.begin - ct.begin) * scale / 2
        middle = top + spare + high(xray.begin) + _GAP / 2
        begun = high(both.begin or total)
        y_top = min(max(middle - begun * xray.begin / max(xray.begin + ct.begin, 1), top), bottom - begun)
        y_low = y_top + begun
        self._bar(left, y_top, y_low)
        # Below all flows, one of which may bend down beside the bar.
        y_text = max(y_low, middle + _GAP / 2 + high(ct.begin)) + 3
        self._label(
            QRectF(left, y_text, slot * 1.5, line * 2), whole(total), rows_word(total), Qt.AlignmentFlag.AlignLeft
        )
        x = left + _BAR
        for i, drop in enumerate(both.drops):
            at = left + _BAR + slot * (i + 0.15)
            self._band(x, y_top, y_low, at, _kept_tip(both, both.drops[i - 1].kept if i else both.begin))
            self._bend(at, y_top, high(drop.n), left + slot * (i + 0.55), slot, zone, both, drop, up=True)
            x, y_top = at, y_low - high(drop.kept)

        # Each modality by itself.
        above, below = middle - _GAP / 2, middle + _GAP / 2
        share = (y_low - y_top) * (xray.begin / max(xray.begin + ct.begin, 1))
        for lane, up, y0, y1 in ((xray, True, y_top, y_top + share), (ct, False, y_top + share, y_low)):
            if lane.begin:
                edge = above if up else below
                near, far = (edge, edge - high(lane.begin)) if up else (edge, edge + high(lane.begin))
                self.marks.append(
                    Mark(
                        _ribbon(x, y0, y1, split, min(near, far), max(near, far)),
                        True,
                        _kept_tip(lane, lane.begin),
                    )
                )
                self._run(lane, up, split, right, edge, high, zone, line)
        self._end(xray, ct, right, above, below, high, line)

    def _run(
        self,
        lane: Lane,
        up: bool,
        split: float,
        right: float,
        edge: float,
        high: Callable[[int], float],
        zone: float,
        line: float,
    ) -> None:
        """One modality from the split to the pairs; the side towards the other modality stays straight."""
        sign = -1.0 if up else 1.0
        slot = (right - split) / max(len(lane.drops), 1)
        far = edge + sign * high(lane.begin)
        self._bar(split, min(edge, far), max(edge, far))
        caption = f"{modality_text(lane.modality)} {whole(lane.begin)}"
        numbers = edge + 2 if up else edge - line - 2
        self._label(QRectF(split, numbers, slot * 2, line), "", caption, Qt.AlignmentFlag.AlignLeft)
        free = split + QFontMetricsF(sized(self.font(), SMALL)).horizontalAdvance(caption) + 12
        x = split + _BAR
        kept = lane.begin
        for i, drop in enumerate(lane.drops):
            at = split + _BAR + slot * (i + 0.15)
            self._band(x, min(edge, far), max(edge, far), at, _kept_tip(lane, kept))
            height = high(drop.n)
            outer = far if up else far - height
            self._bend(at, outer, height, split + slot * (i + 0.55), slot, zone, lane, drop, up=up)
            far = edge + sign * high(drop.kept)  # what drops out may be drawn thicker than it is, what is left may not
            x, kept = at, drop.kept
            text = whole(kept)
            width = QFontMetricsF(sized(self.font(), SMALL)).horizontalAdvance(text)
            if i + 1 < len(lane.drops) and at + 4 > free and at + 4 + width < split + _BAR + slot * (i + 1.15):
                self._label(QRectF(at + 4, numbers, width + 2, line), "", text, Qt.AlignmentFlag.AlignLeft)
        self._band(x, min(edge, far), max(edge, far), right, _kept_tip(lane, kept))

    def _end(
        self, xray: Lane, ct: Lane, right: float, above: float, below: float, high: Callable[[int], float], line: float
    ) -> None:
        n = min(xray.end, ct.end)
        self._bar(right, above - high(xray.end), below + high(ct.end))
        self._label(
            QRectF(right + _BAR + 6, (above + below) / 2 - line, _END - _BAR - 8, line * 2),
            whole(n),
            translate("flow", "pair") if n == 1 else translate("flow", "pairs"),
            Qt.AlignmentFlag.AlignLeft,
        )

    def _bar(self, x: float, top: float, bottom: float) -> None:
        self._bars.append(QRectF(x, top, _BAR, max(bottom - top, _THIN)))

    def _band(self, x0: float, top: float, bottom: float, x1: float, tip: str) -> None:
        if bottom > top and x1 > x0:
            path = QPainterPath()
            path.addRect(QRectF(x0 - 0.5, top, x1 - x0 + 0.5, bottom - top))  # no seam between two
            self.marks.append(Mark(path, True, tip))

    def _bend(
        self, at: float, top: float, height: float, centre: float, slot: float, zone: float, lane: Lane, drop: Drop,
        *, up: bool,
    ) -> None:  # fmt: skip
        """What drops out: a flow that bends off to its label above or below."""
        wide = max(min(height, slot * 0.45), _THIN)
        x0 = max(centre, at + 8) - wide / 2 + 6
        y = zone if up else self.height() - zone
        near, far = (top, top + height) if up else (top + height, top)
        path = QPainterPath(QPointF(at, near))
        path.cubicTo(QPointF(x0 - 2, near), QPointF(x0, near), QPointF(x0, y))
        path.lineTo(QPointF(x0 + wide, y))
        path.cubicTo(QPointF(x0 + wide, far), QPointF(x0 + wide, far), QPointF(at, far))
        path.closeSubpath()
        self.marks.append(Mark(path, False, _drop_tip(lane, drop)))
        metrics = QFontMetricsF(sized(self.font(), SMALL))
        reason = step_text(drop.parts[0][1] or drop.parts[0][0]).rstrip(".")
        more = len(drop.parts) - 1
        width = slot - 10
        rest = translate("flow", "+ {n} more")
        lines = wrapped_lines(reason, metrics, width, _LINES - (1 if more else 0))
        if more:
            lines.append(metrics.elidedText(rest.format(n=whole(more)), Qt.TextElideMode.ElideRight, width))
        height_of_text = metrics.height() * (1 + len(lines))
        y_text = zone - 4 - height_of_text if up else y + 4
        middle = min(max(x0 + wide / 2, width / 2 + 2), self.width() - width / 2 - 2)
        self.labels.append(
            Label(QRectF(middle - width / 2, y_text, width, height_of_text), f"\u2212{whole(drop.n)}", tuple(lines))
        )

    def _label(self, rect: QRectF, strong: str, text: str, align: Qt.AlignmentFlag) -> None:
        self.labels.append(Label(rect, strong, (text,) if text else (), align))

    # --- drawing -----------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = self._colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for mark in self.marks:
            over = mark is self._over
            # The edges of straight bands lie on pixels, so that parts that touch show no seam.
            painter.setRenderHint(QPainter.RenderHint.Antialiasing, mark.path.elementCount() != _RECTANGLE)
            painter.setPen(QPen(QColor(c.text), 1.2) if over else Qt.PenStyle.NoPen)
            if mark.kept:
                painter.setBrush(_mixed(c.accent, c.surface, 0.6 if over else 0.42))
                painter.drawPath(mark.path)
            else:
                painter.setBrush(_mixed(c.neutral, c.surface, 0.5 if over else 0.3))
                painter.drawPath(mark.path)
                painter.setBrush(Qt.BrushStyle.NoBrush)
                painter.setPen(QPen(QColor(c.neutral), 1))
                painter.drawPath(mark.path)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(c.accent))
        for bar in self._bars:
            painter.drawRect(bar)
        plain, strong = sized(self.font(), SMALL), sized(self.font(), SMALL, strong=True)
        line = QFontMetricsF(plain).height()
        for label in self.labels:
            y = label.rect.top()
            if label.strong:
                painter.setFont(strong)
                painter.setPen(QColor(c.text))
                painter.drawText(QRectF(label.rect.left(), y, label.rect.width(), line), label.align, label.strong)
                y += line
            painter.setFont(plain)
            painter.setPen(QColor(c.muted))
            for text in label.lines:
                painter.drawText(QRectF(label.rect.left(), y, label.rect.width(), line), label.align, text)
                y += line
        painter.end()

    # --- what the pointer tells --------------------------------------------------------------------

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._rest_on(self.mark_at(event.position()), event)
        super().mouseMoveEvent(event)

    def mark_at(self, where: QPointF) -> Mark | None:
        """The part of the picture at a place; thin ones are found from nearby, and so is what a label tells of."""
        for mark in reversed(self.marks):
            if mark.path.contains(where):
                return mark
        near = QRectF(where.x() - 4, where.y() - 4, 8, 8)
        dropped = [mark for mark in self.marks if not mark.kept]
        for mark in dropped:
            if mark.path.intersects(near):
                return mark
        of_drops = [label for label in self.labels if label.strong.startswith("\u2212")]
        for label, mark in zip(of_drops, dropped, strict=True):
            if label.rect.contains(where):
                return mark
        return None

    def _rest_on(self, mark: Mark | None, event: QMouseEvent) -> None:
        if mark is self._over:
            return
        self._over = mark
        self.hovered.emit(mark.tip if mark else "")
        if mark is None:
            QToolTip.hideText()
        else:
            QToolTip.showText(event.globalPosition().toPoint(), mark.tip, self)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        if self._over is not None:
            self._over = None
            self.hovered.emit("")
            self.update()
        super().leaveEvent(event)


def _mixed(colour: str, ground: str, share: float) -> QColor:
    """The colour at a share over the ground, opaque, so that parts that touch show no seam."""
    over, under = QColor(colour), QColor(ground)
    parts = ((over.redF(), under.redF()), (over.greenF(), under.greenF()), (over.blueF(), under.blueF()))
    return QColor.fromRgbF(*(a * share + b * (1 - share) for a, b in parts))


def rows_word(n: int) -> str:
    """What the first bar counts."""
    return translate("flow", "row read") if n == 1 else translate("flow", "rows read")


def wrapped_lines(text: str, metrics: QFontMetricsF, width: float, most: int) -> list[str]:
    """The text in at most ``most`` lines of ``width`` pixels; what does not fit is elided."""
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


def _ribbon(x0: float, top0: float, bottom0: float, x1: float, top1: float, bottom1: float) -> QPainterPath:
    """A flow from one bar to the next."""
    half = (x0 + x1) / 2
    path = QPainterPath(QPointF(x0, top0))
    path.cubicTo(QPointF(half, top0), QPointF(half, top1), QPointF(x1, top1))
    path.lineTo(QPointF(x1, bottom1))
    path.cubicTo(QPointF(half, bottom1), QPointF(half, bottom0), QPointF(x0, bottom0))
    path.closeSubpath()
    return path


def _kept_tip(lane: Lane, kept: int) -> str:
    if lane.modality == _BOTH:
        return translate("flow", "{rows} go on").format(rows=rows_text(kept))
    return translate("flow", "{n} of {begin} {modality} reports go on").format(
        n=whole(kept), begin=whole(lane.begin), modality=modality_text(lane.modality)
    )


def _drop_tip(lane: Lane, drop: Drop) -> str:
    reports = rows_text(drop.n) if lane.modality == _BOTH else whole(drop.n)
    head = translate("flow", "{n} drop out, {kept} go on").format(n=reports, kept=whole(drop.kept))
    lines = [
        translate("flow", "{n}: {reason}").format(n=whole(n), reason=step_text(reason or step))
        for step, reason, n in drop.parts
    ]
    return "\n".join((head, *lines))


def _told(both: Lane, xray: Lane, ct: Lane) -> str:
    if not (both.begin or xray.begin or ct.begin):
        return ""
    told = translate("flow", "Of {rows}, {xray} X-ray and {ct} CT reports came to {pairs}.").format(
        rows=rows_text(both.begin), xray=whole(xray.begin), ct=whole(ct.begin), pairs=pairs_text(min(xray.end, ct.end))
    )
    return "\n".join([told, *(_drop_tip(lane, drop) for lane in (both, xray, ct) for drop in lane.drops)])
