"""How one radiologist's words on one pathology met CT: diagram, table of phrases, figures and advice."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStackedLayout,
    QTabWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ui import figures
from ui.dates import describe
from ui.delegates import PhraseDelegate, RateDelegate
from ui.models.phrases import Column, PhraseTableModel
from ui.pages.page import clear, label, wrapped
from ui.pages.reliability_parts.beside import Beside
from ui.pages.reliability_parts.explanation import explain
from ui.pages.reliability_parts.key import DiagramKey
from ui.pages.reliability_parts.multiples import MultiplesView
from ui.pages.reliability_parts.phrase_columns import set_widths
from ui.pages.reliability_parts.verification import VerificationView
from ui.pages.stage import StagePage
from ui.pictures import image_of, save_picture
from ui.records import GroupView, Selection
from ui.tables import DataTable
from ui.theme import LIGHT, Colours
from ui.words import counted, months, quoted, translate, typographic, whole
from ui.work import reliability as work

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QShowEvent

    from ui.plots.reliability_plot import ReliabilityPlot
    from ui.records import Group, Opened
    from ui.shell import Shell

MEASURE, READ_AHEAD = "reliability", "read ahead"
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
        self._explains = False
        self.plot: ReliabilityPlot | None = None
        # Drawn from the event loop, never inside Qt's own show: an error there could not be told.
        self._draw = QTimer(self)
        self._draw.setSingleShot(True)
        self._draw.timeout.connect(self._show_picture)
        self._build_head()
        inner = self._both = Beside()
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight, inner)
        self._columns.setContentsMargins(0, 0, 0, 0)
        self._columns.setSpacing(16)
        self._card = self._build_picture()
        self._columns.addWidget(self._card, 2)
        self._columns.addLayout(self._build_right(), 3)
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
        self.by_topic = MultiplesView(shell, of_author=True)
        self.by_author = MultiplesView(shell, of_author=False)
        self.without_ct = VerificationView(shell)
        for view in (self.by_topic, self.by_author):
            view.opened_group.connect(self._open_group)
        self.tabs = QTabWidget()
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setAccessibleName(translate("reliability", "Views of reliability"))
        tabs: tuple[tuple[QWidget, str], ...] = (
            (scroll, translate("reliability", "One diagram")),
            (self.by_topic, translate("reliability", "All pathologies")),
            (self.by_author, translate("reliability", "All radiologists")),
            (self.without_ct, translate("reliability", "Without CT")),
        )
        for tab, name in tabs:
            self.tabs.addTab(tab, name)
        self.tabs.currentChanged.connect(self._show_tab)
        self.body.addWidget(self.tabs, 1)

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
        menu.addAction(translate("reliability", "All con&tested findings"), self._list_contested)
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
        self.key = DiagramKey()
        self.readout = label(role="muted")
        self.readout.setWordWrap(True)
        self.readout.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.readout.setFixedHeight(36)
        layout.addWidget(self.key)
        layout.addWidget(self.readout)
        card.setMinimumWidth(460)
        return card

    def _build_right(self) -> QVBoxLayout:
        self.model = PhraseTableModel(self)
        self.phrases = DataTable(
            "phrases", translate("reliability", "Phrases"), self.model, self.shell, searchable=False
        )
        self.table = self.phrases.view
        self.table.setAccessibleDescription(
            translate("reliability", "Press Enter on a phrase to read the findings behind it.")
        )
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.table.setCursor(Qt.CursorShape.PointingHandCursor)
        set_widths(self.table)
        self._delegates = (PhraseDelegate(self.table), RateDelegate(self.table))
        self.table.setItemDelegateForColumn(Column.PHRASE, self._delegates[0])
        self.table.setItemDelegateForColumn(Column.RATE, self._delegates[1])
        self.table.clicked.connect(self._row_clicked)
        self.phrases.activated.connect(self._row_opened)
        self.phrases.current_changed.connect(self._row_chosen)

        self.hint = wrapped(translate("reliability", "Click a phrase to read the findings behind it."), role="muted")
        self.not_confirmed = QPushButton()
        self.not_confirmed.clicked.connect(self._list_not_confirmed)
        below = QHBoxLayout()
        below.setSpacing(8)
        below.addWidget(self.hint, 1)
        below.addWidget(self.not_confirmed)
        self._texts = QVBoxLayout()
        self._texts.setSpacing(8)
        inner = QWidget()
        column = QVBoxLayout(inner)
        column.setContentsMargins(12, 8, 12, 12)
        column.addLayout(self._texts)
        column.addStretch(1)
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
        right.addWidget(self.phrases)
        right.addLayout(below)
        right.addSpacing(4)
        right.addWidget(self.texts, 1)
        return right

    # --- showing -----------------------------------------------------------------------------------

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        """Show the chosen group of another department, or what is missing."""
        for button in (self.save, self.more):
            button.setVisible(bool(opened and opened.groups))
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
            for tab in (2, 3):
                self.tabs.setTabVisible(tab, not opened.personal)
            self.show_selection(self.shell.selection)
            # The first choice of dates need not wait for it, and other work may come between.
            self.shell.run(READ_AHEAD, work.read_ahead, lambda _: None, failed=lambda _: None, shares=True)

    @Slot(object)
    def show_selection(self, selection: Selection | None) -> None:
        """Show the chosen group; within dates, once it has been measured."""
        opened = self.shell.opened
        self.shell.tasks.forget(MEASURE)
        if opened is None or selection is None or selection.group not in opened.groups:
            return
        if selection.is_limited:
            self.shell.run(MEASURE, lambda d, p: work.measure(d, selection, p), partial(self._show_measured, opened))
        else:
            self.show_group(opened, selection.group)
        self._show_tab()

    def _show_measured(self, opened: Opened, measured: work.Measured) -> None:
        """What was measured within dates; advice is made from all of them, or on its own page."""
        if opened is self.shell.opened and measured.selection == self.shell.selection:
            chosen = measured.selection
            view = GroupView(measured.reliability, None)
            self._show_view(opened, chosen.group, view, describe((chosen.first, chosen.last)))

    @Slot()
    def _show_tab(self, *_: object) -> None:
        """Only the view on show looks up what it shows."""
        opened, selection = self.shell.opened, self.shell.selection
        if opened is None or selection is None or selection.group not in opened.groups:
            return
        view = self.tabs.currentWidget()
        if isinstance(view, MultiplesView):
            view.show_selection(opened, selection)
        elif isinstance(view, VerificationView):
            view.show_selection(selection)

    @Slot(object)
    def _open_group(self, group: Group) -> None:
        """Open a small diagram: the selector bar follows."""
        chosen = self.shell.selection
        first, last = (chosen.first, chosen.last) if chosen is not None else (None, None)
        self.tabs.setCurrentIndex(0)
        self.shell.choose(Selection(group.author, group.topic, first, last))
        self.focus_table()

    def arrive(self, *, tab: int = -1, **_where: object) -> None:
        """Put the keyboard where the phrases are; ``tab``: 0 one diagram, 1 and 2 small ones, 3 without CT."""
        if tab >= 0:
            self.tabs.setCurrentIndex(tab)
        if self.tabs.currentIndex() == 0:
            self.focus_table()

    def show_group(self, opened: Opened, group: Group) -> None:
        """Show the group of an open department."""
        when = months(*opened.exams.get(group.author, (None, None)))
        self._show_view(opened, group, opened.groups[group], when)

    def _show_view(self, opened: Opened, group: Group, view: GroupView, when: str) -> None:
        self._view = view
        self._min_phrase_n = opened.min_phrase_n
        r = view.reliability
        self.title.setText(f"{r.author} \u2013 {r.topic}")
        engine = translate("reliability", "{engine} engine").format(engine=typographic(opened.engine))
        if opened.engine_accuracy:
            engine += f", {typographic(opened.engine_accuracy)}"
        found = counted(r.n, translate("reliability", "finding"), translate("reliability", "findings"))
        facts = (found, when, engine)
        self.meta.setText(" \u00b7 ".join(f for f in facts if f))
        self.sentence.setText(figures.headline(view, opened.min_group_n))
        self.model.set_rates(r.phrases, {p.name: p for p in opened.phrases}, opened.min_phrase_n)
        self._fit_table()
        self._row_chosen(-1)
        self._set_texts(opened, group, view)
        if self.plot is not None and self.isVisible():
            self._show_picture()  # painted with all the rest, and not after it
        else:
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
        for view in (self.by_topic, self.by_author):
            view.set_colours(colours)
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
        plot.located.connect(self._list_part)
        self._picture.addWidget(plot)
        return plot

    def _fit_table(self) -> None:
        rows = min(max(self.model.rowCount(), _ROWS_AT_LEAST), _ROWS_AT_MOST)
        self.table.setFixedHeight(rows * _ROW + self.table.horizontalHeader().sizeHint().height() + 6)
        self.phrases.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    def _set_texts(self, opened: Opened, group: Group, view: GroupView) -> None:
        clear(self._texts)
        r, advice = view.reliability, view.advice
        self._texts.addWidget(label(translate("reliability", "Advice"), role="strong"))
        selection = self.shell.selection
        if advice is None and selection is not None and selection.is_limited:
            text = translate("reliability", "Advice from these days alone stands on the page Advice.")
            self._texts.addWidget(wrapped(text))
        else:
            for text in figures.advice_sentences(advice):
                self._texts.addWidget(wrapped(text))
        for text in (figures.tried(advice), figures.matching(advice), figures.withheld(advice)):
            if text:
                self._texts.addWidget(wrapped(text, role="muted"))
        settled = figures.without_few_hedges(r, self._min_phrase_n)
        if calibration := figures.calibration(settled):
            held = label(translate("reliability", "How well the words held"), role="strong")
            held.setContentsMargins(0, 4, 0, 0)
            self._texts.addWidget(held)
            self._texts.addWidget(wrapped(calibration))
            for text in (figures.further(r), figures.not_mentioned(opened, group)):
                if text:
                    self._texts.addWidget(wrapped(text, role="muted"))
        meanings = {p.name: p for p in opened.phrases}
        self.why = QPushButton(translate("reliability", "&Why is this so?"))
        self.why.setCheckable(True)
        self.why.toggled.connect(self._explain)
        self._texts.addWidget(self.why, 0, Qt.AlignmentFlag.AlignLeft)
        self._reasons: list[QWidget] = []
        for heading, text in explain(settled, meanings, opened.min_group_n, opened.min_phrase_n):
            self._reasons += [label(heading, role="strong"), wrapped(text)]
        self.more_help = QPushButton(translate("reliability", "Read &more in the help"))
        self.more_help.clicked.connect(self._help)
        for reason in self._reasons:
            self._texts.addWidget(reason)
        self._texts.addWidget(self.more_help, 0, Qt.AlignmentFlag.AlignLeft)
        self._reasons.append(self.more_help)
        self.why.setChecked(self._explains)
        self._explain(self._explains)
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
                "reliability", "No curve: it is drawn through hedges, needs {min} of them and has {n}."
            ).format(min=self._min_phrase_n, n=whole(hedges))
        return translate("reliability", "Point at the diagram to read its numbers.")

    @Slot(QModelIndex)
    def _row_clicked(self, _index: QModelIndex) -> None:
        self._row_opened(self.phrases.current_row())

    @Slot(object)
    def _row_opened(self, row: int) -> None:
        if row >= 0:
            self._list_findings(self.model.row(row).phrase)

    @Slot(object)
    def _list_findings(self, phrase: str) -> None:
        self.shell.go("evidence", phrase=phrase)

    @Slot(object)
    def _list_part(self, certainty: float) -> None:
        """The findings whose words make up this part of the curve."""
        self.shell.go("evidence", at=certainty)

    @Slot()
    def _list_contested(self) -> None:
        self.shell.go("evidence", contested=True)

    @Slot()
    def _list_not_confirmed(self) -> None:
        row = self.phrases.current_row()
        if row >= 0:
            self.shell.go("evidence", phrase=self.model.row(row).phrase, show="not confirmed")

    @Slot(object)
    def _explain(self, wanted: bool) -> None:
        """Show or hide why the figures are as they are."""
        self._explains = bool(wanted)
        for reason in self._reasons:
            reason.setVisible(self._explains)

    @Slot()
    def _help(self) -> None:
        self.shell.explain("luck")

    @Slot(object)
    def _row_chosen(self, row: int) -> None:
        r = self.model.row(row) if 0 <= row < self.model.rowCount() else None
        if self.plot is not None:
            self.plot.select(r.phrase if r is not None else "")
        left = r.n - r.positives if r is not None else 0.0
        self.not_confirmed.setVisible(left >= 1)
        if r is not None:
            self.not_confirmed.setText(
                translate("reliability", "Show the {n} not confi&rmed of {phrase}").format(
                    n=whole(round(left)), phrase=quoted(r.phrase)
                )
            )

    @Slot()
    def _copy(self) -> None:
        if self.plot is not None:
            QGuiApplication.clipboard().setImage(image_of(self.plot))
