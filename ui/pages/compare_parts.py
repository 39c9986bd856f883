"""Parts of the page that compares radiologists: its table, its sentences, the key to its pictures, its edits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from enum import IntEnum, StrEnum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QLocale,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QRect,
    QSize,
    Qt,
)
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen, QUndoCommand
from PySide6.QtWidgets import QSizePolicy, QWidget

from ui.plots.reading import coverage, place_in_words, signed
from ui.tables import EXPORT, SORT
from ui.theme import LIGHT, SMALL, Colours, faded, sized
from ui.words import decimal, decimal_interval, percent, quoted, rate, translate, whole

if TYPE_CHECKING:
    from radcal.workflow.compared import Compared, Member, Trend

Index = QModelIndex | QPersistentModelIndex
ROOT = QModelIndex()


# --- the table -------------------------------------------------------------------------------------


class Column(IntEnum):
    """The columns, left to right."""

    NAME = 0
    N = 1
    BESIDE = 2
    """How many were confirmed, or what luck alone gives."""
    VALUE = 3
    POOLED = 4
    PLACE = 5


class ComparedTableModel(QAbstractTableModel):
    """One row a radiologist, in the order of the pictures."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._members: tuple[Member, ...] = ()
        self._names: tuple[str, ...] = ()
        self._score = True
        self._coverage = coverage(0.95)

    def set_rows(
        self, members: Sequence[Member], names: Sequence[str], *, score: bool, confidence: float = 0.95
    ) -> None:
        """Show these radiologists under these names; ``score``: values are ECE*, not rates."""
        self.beginResetModel()
        self._coverage = coverage(confidence)
        self._members, self._names, self._score = tuple(members), tuple(names), score
        self.endResetModel()

    def rowCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(self._members)

    def columnCount(self, parent: Index = ROOT) -> int:
        return 0 if parent.isValid() else len(Column)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(Column):
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._header(Column(section))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if section in _NUMBERS else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole and section not in (Column.NAME, Column.N):
            return translate("compare", "Radiologists are ordered by name or by n, never by their values.")
        return None

    def _header(self, column: Column) -> str:
        match column:
            case Column.NAME:
                return translate("compare", "radiologist")
            case Column.N:
                return translate("compare", "n")
            case Column.BESIDE:
                return translate("compare", "luck alone") if self._score else translate("compare", "confirmed")
            case Column.VALUE:
                text = (
                    translate("compare", "ECE*, {coverage}")
                    if self._score
                    else translate("compare", "rate, {coverage}")
                )
                return text.format(coverage=self._coverage)
            case Column.POOLED:
                return translate("compare", "together with all, {coverage}").format(coverage=self._coverage)
            case Column.PLACE:
                return translate("compare", "in the funnel")

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        m, column = self._members[index.row()], Column(index.column())
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(m, column, index.row())
        if role == SORT:
            # A table in the order of values would be a league table: all columns but n sort by name.
            return m.n if column is Column.N else self._names[index.row()].casefold()
        if role == EXPORT:
            number = _number(m, column)
            return self._text(m, column, index.row()) if number is None else number
        if role == Qt.ItemDataRole.TextAlignmentRole:
            side = Qt.AlignmentFlag.AlignRight if column in _NUMBERS else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role == Qt.ItemDataRole.ToolTipRole and m.reason:
            return lacking(m)
        return None

    def _text(self, m: Member, column: Column, row: int) -> str:
        match column:
            case Column.NAME:
                return self._names[row]
            case Column.N:
                return whole(m.n)
            case Column.BESIDE if m.positives is None:
                return "" if m.luck is None else decimal(m.luck)
            case Column.BESIDE:
                return whole(m.positives or 0.0)
            case Column.VALUE:
                missing = translate("compare", "not enough data")
                return missing if m.value is None else self._interval(m.value, m.low, m.high)
            case Column.POOLED:
                return "" if m.pooled is None else self._interval(m.pooled, m.pooled_low, m.pooled_high)
            case Column.PLACE:
                return place_in_words(m) if m.place else ""

    def _interval(self, value: float, low: float | None, high: float | None) -> str:
        if self._score or low is None or high is None:
            return decimal_interval(value, low, high)
        return rate(value, low, high)


_NUMBERS = (Column.N, Column.BESIDE, Column.VALUE, Column.POOLED)


def _number(m: Member, column: Column) -> float | None:
    match column:
        case Column.N:
            return m.n
        case Column.BESIDE:
            return m.luck if m.positives is None else m.positives
        case Column.VALUE:
            return m.value
        case Column.POOLED:
            return m.pooled
    return None


# --- the sentences ---------------------------------------------------------------------------------


def lacking(m: Member) -> str:
    """Why a radiologist has no value."""
    match m.reason:
        case "statements":
            return translate("compare", "Too few findings on this pathology.")
        case "hedges":
            return translate("compare", "Too few of the findings are hedged.")
        case "interval":
            return translate("compare", "No resamples are drawn, so there is no interval. See Settings.")
    return ""


def headline(compared: Compared, fewest: int, fewest_in_all: int) -> str:
    """What the comparison says, in one sentence or two."""
    told = sum(m.value is not None for m in compared.members)
    if compared.funnel is None:
        return _too_few(compared, told, fewest, fewest_in_all)
    funnel = compared.funnel
    if funnel.outside == 0:
        return translate("compare", "{n} radiologists: no difference here is more than chance gives.").format(
            n=whole(funnel.of)
        )
    # One decimal below 1: '0.6', not '1', where hardly anyone is expected.
    expected = QLocale().toString(funnel.expected, "f", 1 if funnel.expected < 1 else 0)
    one = translate(
        "compare",
        "One of {n} radiologists lies outside the 95 % limits of chance; chance alone would put about {expected}"
        " there.",
    )
    several = translate(
        "compare",
        "{outside} of {n} radiologists lie outside the 95 % limits of chance; chance alone would put about {expected}"
        " there.",
    )
    return (one if funnel.outside == 1 else several).format(
        outside=whole(funnel.outside), n=whole(funnel.of), expected=expected
    )


def _too_few(compared: Compared, told: int, fewest: int, fewest_in_all: int) -> str:
    if not compared.members:
        return translate("compare", "Nobody used {phrase} here.").format(phrase=quoted(compared.phrase))
    if not compared.hedges:
        return translate("compare", "One radiologist used {phrase}; a comparison needs two.").format(
            phrase=quoted(compared.phrase)
        )
    if told == 1:
        text = translate(
            "compare",
            "One radiologist has enough findings; a comparison needs two, with {n} findings each, {hedges} of them"
            " hedged.",
        )
    else:
        text = translate(
            "compare",
            "No radiologist has enough findings; a comparison needs two, with {n} findings each, {hedges} of them"
            " hedged.",
        )
    return text.format(n=whole(fewest_in_all), hedges=whole(fewest))


def about_forest(compared: Compared) -> str:
    """What the side by side view says of the mean and the spread."""
    if compared.mean is None or compared.mean_low is None or compared.mean_high is None:
        return ""
    if compared.hedges:
        mean = decimal_interval(compared.mean, compared.mean_low, compared.mean_high)
        low, high = decimal(compared.spread_low or 0.0), decimal(compared.spread_high or 0.0)
    else:
        mean = rate(compared.mean, compared.mean_low, compared.mean_high)
        low, high = percent(compared.spread_low or 0.0), percent(compared.spread_high or 0.0)
    parts = [
        translate("compare", "Mean over radiologists {mean}.").format(mean=mean),
        translate(
            "compare", "From what is known, {coverage} of radiologists like these truly lie between {low} and {high}."
        ).format(coverage=coverage(compared.confidence), low=low, high=high),
    ]
    if compared.alike:
        parts.append(translate("compare", "Chance is the likeliest explanation of all differences."))
    parts.append(
        translate(
            "compare",
            "Values of few findings are drawn towards the mean when they are seen together with all others: they say"
            " little by themselves.",
        )
    )
    return " ".join(parts)


def about_funnel(compared: Compared) -> str:
    """What the funnel says, over-dispersion included."""
    funnel = compared.funnel
    if funnel is None:
        return ""
    parts = [translate("compare", "Differences within the limits are what chance gives; they are no differences.")]
    if funnel.phi is not None and funnel.p_value is not None:
        p = max(1, round(1000 * funnel.p_value))
        if funnel.p_value < 0.05:
            text = translate(
                "compare",
                "Radiologists lie further apart than chance alone puts them (over-dispersion {phi}, where chance gives"
                " about 1, and as much in {p} of 1,000 departments). Patients and tasks differ too: expect some"
                " outside.",
            )
        else:
            text = translate(
                "compare",
                "Taken together, radiologists lie no further apart than chance puts them (over-dispersion {phi}, where"
                " chance gives about 1, and as much in {p} of 1,000 departments).",
            )
        parts.append(text.format(phi=f"{funnel.phi:.1f}", p=whole(p)))
    if compared.hedges:
        parts.append(
            translate(
                "compare",
                "Zero is what the same words come to on average when they are confirmed as often as in the whole"
                " department; the limits are simulated from such readers.",
            )
        )
    return " ".join(parts)


def about_trend(trend: Trend, fewest: int, fewest_in_all: int) -> str:
    """What changed with feedback, or why that cannot be said."""
    parts = []
    if trend.undated:
        parts.append(
            translate("compare", "{n} findings have no time of examination and are left out.").format(
                n=whole(trend.undated)
            )
        )
    needed = (
        translate("compare", "{n} findings, {hedges} of them hedged").format(
            n=whole(fewest_in_all), hedges=whole(fewest)
        )
        if trend.phrase == ""
        else translate("compare", "{n} findings in this phrase").format(n=whole(fewest))
    )
    match trend.reason:
        case "times":
            return translate("compare", "No finding has a time of examination.")
        case "date":
            text = translate("compare", "Say when feedback was given to see what was different before and after.")
            return " ".join([*parts, text])
        case "before" | "after" if trend.before is not None and trend.after is not None:
            text = translate(
                "compare",
                "Not enough data to compare before and after: {before} and {after} findings; each side needs {needed}.",
            )
            parts.append(text.format(before=whole(trend.before.n), after=whole(trend.after.n), needed=needed))
            return " ".join(parts)
    if trend.change is not None and trend.before is not None and trend.after is not None:
        parts.append(_change(trend))
    return " ".join(parts)


def _change(trend: Trend) -> str:
    before, after, change = trend.before, trend.after, trend.change
    if before is None or after is None or change is None:
        return ""
    d, low, high = change
    if trend.phrase:
        text = translate(
            "compare",
            "Before {before} of {n_before}, after {after} of {n_after}: a change of {change} points ({low} to {high}).",
        ).format(
            before=percent(before.value or 0.0),
            n_before=whole(before.n),
            after=percent(after.value or 0.0),
            n_after=whole(after.n),
            change=signed(100 * d, 0),
            low=signed(100 * low, 0),
            high=signed(100 * high, 0),
        )
    else:
        text = translate(
            "compare",
            "ECE* before {before} (n = {n_before}), after {after} (n = {n_after}). With what luck gives taken off both,"
            " the change is {change} ({low} to {high}).",
        ).format(
            before=decimal_interval(before.value or 0.0, before.low, before.high),
            n_before=whole(before.n),
            after=decimal_interval(after.value or 0.0, after.low, after.high),
            n_after=whole(after.n),
            change=signed(d, 2),
            low=signed(low, 2),
            high=signed(high, 2),
        )
    if low <= 0 <= high:
        rest = translate("compare", "The interval holds zero: chance may be all there is to it.")
    else:
        rest = translate(
            "compare",
            "Other things change with time too, and whoever stood out by chance comes back to the mean without"
            " feedback.",
        )
    return f"{text} {rest}"


# --- the key ---------------------------------------------------------------------------------------


class Mark(StrEnum):
    """What is drawn."""

    OWN = "own"
    POOLED = "pooled"
    MEAN = "mean"
    MEANING = "meaning"
    LUCK = "luck"
    LUCK_LEVEL = "luck, lying"
    INNER = "inner"
    OUTER = "outer"
    SIDE = "side"


class Key(QWidget):
    """What the marks of a picture are, drawn as they are in it; in as many lines as it takes."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._colours: Colours = LIGHT
        self._entries: tuple[tuple[Mark, str], ...] = ()
        self.setFont(sized(self.font(), SMALL))
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def set_entries(self, *entries: tuple[Mark, str]) -> None:
        """Explain these marks."""
        self._entries = entries
        self.setAccessibleName(", ".join(text for _, text in entries))
        self.updateGeometry()
        self.update()

    def set_colours(self, colours: Colours) -> None:
        """Draw in the colours of the scheme."""
        self._colours = colours
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(320, self.heightForWidth(max(self.width(), 320)))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self._line())

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        places = self._places(width)
        return places[-1].bottom() + 1 if places else 0

    def _line(self) -> int:
        return self.fontMetrics().height() + 4

    def _places(self, width: int) -> list[QRect]:
        x = y = 0
        places = []
        for _, text in self._entries:
            wide = 26 + self.fontMetrics().horizontalAdvance(text) + 16
            if x and x + wide > width:
                x, y = 0, y + self._line()
            places.append(QRect(x, y, wide, self._line()))
            x += wide
        return places

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for place, (mark, text) in zip(self._places(self.width()), self._entries, strict=True):
            self._draw(painter, mark, place.left(), place.center().y())
            painter.setPen(QColor(self._colours.muted))
            painter.drawText(place.adjusted(26, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, text)
        painter.end()

    def _draw(self, painter: QPainter, mark: Mark, x: int, y: int) -> None:
        c = self._colours
        match mark:
            case Mark.OWN:
                painter.setPen(QPen(QColor(c.text), 1.6))
                painter.drawLine(x, y, x + 20, y)
                painter.setBrush(QColor(c.text))
                painter.drawEllipse(x + 6, y - 4, 8, 8)
            case Mark.POOLED:
                painter.setPen(QPen(QColor(c.accent), 1.6))
                painter.drawLine(x, y, x + 20, y)
                painter.setBrush(QColor(c.surface))
                painter.drawPolygon([QPoint(x + 10, y - 6), QPoint(x + 16, y), QPoint(x + 10, y + 6), QPoint(x + 4, y)])
            case Mark.MEAN:
                painter.fillRect(x, y - 6, 20, 12, faded(c.accent, 0.12))
                painter.setPen(QPen(QColor(c.accent), 1.4, Qt.PenStyle.DashLine))
                painter.drawLine(x + 10, y - 6, x + 10, y + 6)
            case Mark.MEANING:
                painter.fillRect(x, y - 6, 20, 12, QColor(c.luck))
            case Mark.LUCK:
                painter.setPen(QPen(QColor(c.neutral), 2))
                painter.drawLine(x + 10, y - 6, x + 10, y + 6)
            case Mark.LUCK_LEVEL:
                painter.setPen(QPen(QColor(c.neutral), 2.5))
                painter.drawLine(x + 4, y, x + 16, y)
            case Mark.INNER | Mark.OUTER:
                style = Qt.PenStyle.DashLine if mark is Mark.INNER else Qt.PenStyle.SolidLine
                painter.setPen(QPen(QColor(c.neutral), 1.2, style))
                painter.drawLine(x, y, x + 20, y)
            case Mark.SIDE:
                painter.fillRect(x, y - 6, 20, 12, faded(c.accent, 0.13))
                painter.setPen(QPen(QColor(c.accent), 2))
                painter.drawLine(x, y, x + 20, y)


# --- the edits -------------------------------------------------------------------------------------


class ChangeDates(QUndoCommand):
    """Another date on which feedback was given; ``apply`` keeps and shows them."""

    def __init__(
        self,
        text: str,
        before: Mapping[str, date | None],
        after: Mapping[str, date | None],
        apply: Callable[[dict[str, date | None]], None],
    ) -> None:
        super().__init__(text)
        self._before, self._after, self._apply = dict(before), dict(after), apply

    def redo(self) -> None:
        self._apply(dict(self._after))

    def undo(self) -> None:
        self._apply(dict(self._before))
