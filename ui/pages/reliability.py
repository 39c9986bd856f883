"""How one radiologist's words on one pathology met CT: diagram, table of phrases, figures and advice."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QFrame,
    QHeaderView,
    QMenu,
    QPushButton,
    QScrollArea,
    QStackedLayout,
    QTableView,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ui import figures
from ui.delegates import PhraseDelegate, RateDelegate
from ui.models.phrases import Column, PhraseTableModel
from ui.pages.page import label, wrapped
from ui.pages.stage import StagePage
from ui.pictures import save_picture
from ui.theme import LIGHT, SMALL, Colours, faded, sized
from ui.words import counted, months, translate, typographic, whole

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent, QResizeEvent, QShowEvent

    from ui.plots.reliability_plot import ReliabilityPlot
    from ui.records import Group, GroupView, Opened, Selection
    from ui.shell import Shell

_ROW = 28
_ROWS_AT_LEAST, _ROWS_AT_MOST = 4, 10
_SIDE_BY_SIDE = 1000
"""Width of the page from which diagram and table fit beside each other."""
_STACKED = 440
"""Height of the diagram where the table stands below it."""


class ReliabilityPage(StagePage):
    """Shows the chosen group.  ``save_wanted``: the author's page as PDF."""

    save_wanted = Signal()
    uses_selection = True

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._colours: Colours = LIGHT
        self._view: GroupView | None = None
        self._min_phrase_n = 1
        self.plot: ReliabilityPlot | None = None
        # Drawn from the event loop, never inside Qt's own show: an error there could not be told.
        self._draw = QTimer(self)
        self._draw.setSingleShot(True)
        self._draw.timeout.connect(self._show_picture)
        self._build_head()
        inner = self._both = _Content()
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight, inner)
        self._columns.setContentsMargins(0, 0, 0, 0)
        self._columns.setSpacing(16)
        self._card = self._build_picture()
        self._columns.addWidget(self._card, 9)
        self._columns.addLayout(self._build_right(), 11)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        outer = QVBoxLayout()
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(inner)
        holder = QWidget()
        holder.setLayout(outer)
        scroll.setWidget(holder)
        self.body.addWidget(scroll, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where the window is too narrow for both, the table stands below the diagram."""
        super().resizeEvent(event)
        narrow = self.width() < _SIDE_BY_SIDE
        direction = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if direction != self._columns.direction():
            self._columns.setDirection(direction)
            self._both.updateGeometry()
            self._card.setMinimumHeight(_STACKED if narrow else 0)
            self.texts.setMinimumHeight(_STACKED // 2 if narrow else 0)

    # --- building ----------------------------------------------------------------------------------

    def _build_head(self) -> None:
        self.save = QPushButton(translate("reliability", "&Save as PDF\u2026"))
        self.save.setProperty("primary", True)
        self.save.setToolTip(translate("reliability", "The radiologist's personal page, to print or to send (Ctrl+S)"))
        self.save.clicked.connect(self.save_wanted)
        self.more = QToolButton()
        self.more.setText(translate("reliability", "&More"))
        self.more.setAccessibleName(translate("reliability", "More actions"))
        self.more.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self.more)
        menu.addAction(translate("reliability", "&Copy the diagram"), self._copy)
        menu.addAction(translate("reliability", "Save the &diagram as PNG or SVG\u2026"), self.ask_save)
        self.more.setMenu(menu)
        self.head.addWidget(self.save, 0, 2)
        self.head.addWidget(self.more, 0, 3)

    def _build_picture(self) -> QWidget:
        card = QFrame()
        card.setObjectName("card")
        self._picture = QStackedLayout()
        layout = QVBoxLayout(card)
        layout.setContentsMargins(8, 8, 8, 8)
        layout.setSpacing(4)
        layout.addLayout(self._picture, 1)
        self.empty = wrapped(role="muted")
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._picture.addWidget(self.empty)
        self.key = _Key()
        self.readout = label(role="muted")
        self.readout.setWordWrap(True)
        self.readout.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.readout.setFixedHeight(36)
        layout.addWidget(self.key)
        layout.addWidget(self.readout)
        card.setMinimumWidth(440)
        return card

    def _build_right(self) -> QVBoxLayout:
        self.model = PhraseTableModel(self)
        self.table = QTableView()
        self.table.setModel(self.model)
        self.table.setAccessibleName(translate("reliability", "Phrases"))
        self.table.setAccessibleDescription(
            translate("reliability", "Press Enter on a phrase to read the findings behind it.")
        )
        self.table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setShowGrid(False)
        self.table.setTabKeyNavigation(False)
        self.table.verticalHeader().hide()
        self.table.verticalHeader().setDefaultSectionSize(_ROW)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setCursor(Qt.CursorShape.PointingHandCursor)
        header = self.table.horizontalHeader()
        header.setHighlightSections(False)
        header.setSectionsClickable(False)
        for column, width in ((Column.PHRASE, 140), (Column.SAID, 52), (Column.CONFIRMED, 76), (Column.MEANING, 116)):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Fixed)
            header.resizeSection(column, width)
        header.setSectionResizeMode(Column.RATE, QHeaderView.ResizeMode.Stretch)
        self._delegates = (PhraseDelegate(self.table), RateDelegate(self.table))
        self.table.setItemDelegateForColumn(Column.PHRASE, self._delegates[0])
        self.table.setItemDelegateForColumn(Column.RATE, self._delegates[1])
        self.table.clicked.connect(self._row_opened)
        self.table.activated.connect(self._row_opened)
        self.table.selectionModel().currentRowChanged.connect(self._row_chosen)

        self.hint = label(translate("reliability", "Click a phrase to read the findings behind it."), role="muted")
        self._texts = QVBoxLayout()
        self._texts.setContentsMargins(12, 8, 12, 12)
        self._texts.setSpacing(8)
        inner = QWidget()
        inner.setLayout(self._texts)
        self.texts = QScrollArea()
        self.texts.setObjectName("framed")
        self.texts.setWidgetResizable(True)
        self.texts.setWidget(inner)
        inner.setAutoFillBackground(False)
        self.texts.setAccessibleName(translate("reliability", "Advice and figures"))
        self.texts.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.texts.viewport().setAutoFillBackground(False)
        right = QVBoxLayout()
        right.setSpacing(4)
        right.addWidget(self.table)
        right.addWidget(self.hint)
        right.addSpacing(4)
        right.addWidget(self.texts, 1)
        return right

    # --- showing -----------------------------------------------------------------------------------

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        """Show the chosen group of another department, or what is missing."""
        if opened is None:
            self.show_empty(
                translate("reliability", "Open a workspace, or the sample, to see how words met CT."),
                translate("reliability", "&Begin"),
                "start",
            )
        elif not opened.groups:
            self.show_empty(
                typographic(opened.reason) or translate("reliability", "There are no results yet."),
                translate("reliability", "&Import reports"),
                "import",
            )
        else:
            self.show_content()
            self.show_selection(self.shell.selection)

    @Slot(object)
    def show_selection(self, selection: Selection | None) -> None:
        """Show the chosen group."""
        opened = self.shell.opened
        if opened is not None and selection is not None and selection.group in opened.groups:
            self.show_group(opened, selection.group)

    def arrive(self, **_where: object) -> None:
        """Put the keyboard where the phrases are."""
        self.focus_table()

    def show_group(self, opened: Opened, group: Group) -> None:
        """Show the group of an open department."""
        view = self._view = opened.groups[group]
        self._min_phrase_n = opened.min_phrase_n
        r = view.reliability
        self.title.setText(f"{r.author} \u2013 {r.topic}")
        engine = translate("reliability", "{engine} engine").format(engine=opened.engine)
        if opened.engine_accuracy:
            engine += f", {opened.engine_accuracy}"
        found = counted(r.n, translate("reliability", "finding"), translate("reliability", "findings"))
        facts = (found, months(*opened.exams.get(r.author, (None, None))), engine)
        self.meta.setText(" \u00b7 ".join(f for f in facts if f))
        self.sentence.setText(figures.headline(view, opened.min_group_n))
        self.model.set_rates(r.phrases, {p.name: p for p in opened.phrases}, opened.min_phrase_n)
        self._fit_table()
        self._set_texts(opened, group)
        self._draw.start(0)

    @Slot()
    def _show_picture(self) -> None:
        view = self._view
        if view is None:
            return
        if view.reliability.curve is None:
            self.empty.setText(
                translate("reliability", "No curve yet. {why}\nThe counts of each phrase stand in the table.").format(
                    why=self.sentence.text()
                )
            )
            self._picture.setCurrentWidget(self.empty)
        elif self.isVisible():
            # Made when it is first seen: the plotting library is not needed for the first paint.
            if self.plot is None:
                self.plot = self._make_plot()
            self.plot.set_record(view.reliability, self._min_phrase_n)
            self._picture.setCurrentWidget(self.plot)
        self.key.setVisible(view.reliability.curve is not None)
        self.readout.setText(self._resting_text())

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._draw.start(0)

    @Slot(object)
    def set_colours(self, colours: Colours) -> None:
        """Draw in the colours of the scheme."""
        self._colours = colours
        self.key.set_colours(colours)
        for delegate in self._delegates:
            delegate.set_colours(colours)
        self.table.viewport().update()
        if self.plot is not None:
            self.plot.set_colours(colours)

    @Slot()
    def ask_save(self) -> None:
        """Ask where to, and save the diagram as seen."""
        if self.plot is not None:
            self.shell.save_file(
                translate("reliability", "Save the diagram"),
                f"{self.title.text().replace('/', '_')}.svg",
                ("SVG (*.svg)", "PNG (*.png)"),
                partial(save_picture, self.plot, self.title.text()),
            )

    def _make_plot(self) -> ReliabilityPlot:
        from ui.plots.reliability_plot import ReliabilityPlot

        plot = ReliabilityPlot()
        plot.set_colours(self._colours)
        plot.hovered.connect(self._hovered)
        plot.picked.connect(self._list_findings)
        self._picture.addWidget(plot)
        return plot

    def _fit_table(self) -> None:
        rows = min(max(self.model.rowCount(), _ROWS_AT_LEAST), _ROWS_AT_MOST)
        self.table.setFixedHeight(rows * _ROW + self.table.horizontalHeader().sizeHint().height() + 6)

    def _set_texts(self, opened: Opened, group: Group) -> None:
        view = opened.groups[group]
        while (item := self._texts.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()
        r, advice = view.reliability, view.advice
        self._texts.addWidget(label(translate("reliability", "Advice"), role="strong"))
        for text in figures.advice_sentences(advice):
            self._texts.addWidget(wrapped(text))
        for text in (figures.tried(advice), figures.matching(advice), figures.withheld(advice)):
            if text:
                self._texts.addWidget(wrapped(text, role="muted"))
        if calibration := figures.calibration(r):
            self._texts.addSpacing(4)
            self._texts.addWidget(label(translate("reliability", "How well the words held"), role="strong"))
            self._texts.addWidget(wrapped(calibration))
            for text in (figures.further(r), figures.not_mentioned(opened, group)):
                if text:
                    self._texts.addWidget(wrapped(text, role="muted"))
            why = QPushButton(translate("reliability", "&Why is luck in it?"))
            why.clicked.connect(self._explain)
            self._texts.addWidget(why, 0, Qt.AlignmentFlag.AlignLeft)
        self._texts.addStretch(1)
        self.texts.verticalScrollBar().setValue(0)

    # --- what the user does ------------------------------------------------------------------------

    def focus_table(self) -> None:
        """Put the keyboard where the phrases are."""
        self.table.setFocus()

    @Slot(object)
    def _hovered(self, text: str) -> None:
        self.readout.setText(text or self._resting_text())

    def _resting_text(self) -> str:
        if self._view is None or self._view.reliability.curve is None:
            return ""
        hedges = figures.hedged_uses(self._view.reliability.phrases)
        if hedges < self._min_phrase_n:
            return translate(
                "reliability", "No curve: it is drawn through hedges, and needs {min} of them; here are {n}."
            ).format(min=self._min_phrase_n, n=whole(hedges))
        return translate("reliability", "Point at the diagram to read its numbers.")

    @Slot(QModelIndex)
    def _row_opened(self, index: QModelIndex) -> None:
        self._list_findings(self.model.rate_at(index.row()).phrase)

    @Slot(object)
    def _list_findings(self, phrase: str) -> None:
        self.shell.go("evidence", phrase=phrase)

    @Slot()
    def _explain(self) -> None:
        self.shell.explain("luck")

    @Slot(QModelIndex, QModelIndex)
    def _row_chosen(self, index: QModelIndex, _before: QModelIndex) -> None:
        if self.plot is not None:
            self.plot.select(self.model.rate_at(index.row()).phrase if index.isValid() else "")

    @Slot()
    def _copy(self) -> None:
        if self.plot is not None:
            self.plot.copy()


class _Content(QWidget):
    """Diagram and table.  Beside each other they are as high as there is room; stacked, as high as their texts ask."""

    def hasHeightForWidth(self) -> bool:
        layout = self.layout()
        beside = isinstance(layout, QBoxLayout) and layout.direction() == QBoxLayout.Direction.LeftToRight
        return not beside and super().hasHeightForWidth()


class _Key(QWidget):
    """What the marks of the diagram are, drawn as they are in it."""

    def __init__(self) -> None:
        super().__init__()
        self._colours: Colours = LIGHT
        self.setFixedHeight(20)
        self._entries = (
            translate("reliability", "confirmed, 95 %"),
            translate("reliability", "as readers take it"),
            translate("reliability", "luck alone"),
            translate("reliability", "a phrase"),
        )
        self.setAccessibleName(", ".join(self._entries))

    def set_colours(self, colours: Colours) -> None:
        self._colours = colours
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        c = self._colours
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(sized(self.font(), SMALL))
        middle, x = self.height() // 2, 0
        for i, text in enumerate(self._entries):
            painter.setPen(Qt.PenStyle.NoPen)
            match i:
                case 0:
                    painter.fillRect(x, middle - 5, 20, 10, faded(c.curve, 0.22))
                    painter.setPen(QPen(QColor(c.curve), 2.5))
                    painter.drawLine(x, middle, x + 20, middle)
                case 1:
                    painter.setPen(QPen(QColor(c.neutral), 1.2, Qt.PenStyle.DashLine))
                    painter.drawLine(x, middle, x + 20, middle)
                case 2:
                    painter.fillRect(x, middle - 5, 20, 10, QColor(c.luck))
                case _:
                    painter.setBrush(QColor(c.certainty[2]))
                    painter.setPen(QPen(QColor(c.text), 1))
                    painter.drawEllipse(x + 6, middle - 5, 10, 10)
            painter.setPen(QColor(c.muted))
            painter.drawText(x + 26, 0, self.width(), self.height(), Qt.AlignmentFlag.AlignVCenter, text)
            x += 26 + painter.fontMetrics().horizontalAdvance(text) + 14
        painter.end()
