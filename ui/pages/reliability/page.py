"""How one radiologist's words on one pathology compared with CT: diagram, phrases, figures and advice."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from radcal.advice.judged_records import JudgedGroup
from radcal.system.selection import ALL_DAYS, Group, Selection
from ui.kit import keyboard
from ui.kit.action import menu_button, push_button
from ui.kit.layout import Tabs, hbox, scrolled, vbox
from ui.kit.part import Part
from ui.kit.table import DataTable
from ui.kit.text import wrapped
from ui.pages.reliability import sentences as figures
from ui.pages.reliability.diagram_card import DiagramCard
from ui.pages.reliability.figures_panel import FiguresPanel
from ui.pages.reliability.models import PhraseColumn, PhraseTableModel
from ui.pages.reliability.pathologies import PathologiesView
from ui.pages.reliability.verification import VerificationView
from ui.pages.reliability.windows_view import WindowsView
from ui.pages.stage import StagePage
from ui.records import GroupView
from ui.sentences import engine_name, group_name, verdict_text, with_errors
from ui.widgets.dates import describe
from ui.widgets.empty import EmptyState, all_dates, no_findings_of_group
from ui.widgets.wordings import WordingsLine
from ui.words import counted, months, quoted, say, typographic, whole

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from radcal.department import Department
    from radcal.system.progress import Progress
    from ui.records import Opened
    from ui.shell import Shell

MEASURE, READ_AHEAD, WORDINGS = "reliability", "read ahead", "wordings"
_ROW = 28
_ROWS_AT_LEAST, _ROWS_AT_MOST = 4, 10
_SIDE_BY_SIDE = 1000
"""Minimum page width for diagram and table side by side."""
_STACKED = 440
"""Height of the diagram above the table."""
_AROUND_NAME = 20
"""Padding of a column header in pixels."""
_WIDEST_RATE = "100 % (88\N{EN DASH}100)"


class ReliabilityPage(StagePage):
    """Shows the selected group.  ``save_wanted``: the author's page as PDF."""

    save_wanted = Signal()
    uses_selection = True

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self.card = DiagramCard(shell)
        self.card.picked.connect(self._list_findings)
        self.card.located.connect(self._list_part)
        self._build_head()
        self.tabs = Tabs(say("Views of reliability"))
        # From the outside in: Qt styles widgets anew with every parent that they are moved to.
        self.body.addWidget(self.tabs, 1)
        self.one = QStackedWidget()
        self.tabs.addTab(self.one, say("One diagram"))
        holder, inner = QWidget(), _Beside()
        self._both = inner
        self.one.addWidget(scrolled(holder))
        vbox(inner, parent=holder)
        self._columns = hbox((self.card, 2), (self._build_right(), 3), parent=inner, spacing=16)
        self.nothing = EmptyState()
        self.nothing.pressed.connect(self.choose_all_dates)
        self.one.addWidget(self.nothing)
        self.pathologies = PathologiesView(shell)
        self.pathologies.opened_group.connect(self._open_group)
        self.without_ct = VerificationView(shell)
        self.without_ct.have_read.connect(shell.reload)
        self.windows = WindowsView(shell)
        self.tabs.addTab(self.pathologies, say("All pathologies"))
        self.tabs.addTab(self.without_ct, say("Without CT"))
        self.tabs.addTab(self.windows, say("Pairing window"))
        self.tabs.currentChanged.connect(self._show_tab)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow window the table goes below the diagram."""
        super().resizeEvent(event)
        narrow = self.width() < _SIDE_BY_SIDE
        direction = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if direction != self._columns.direction():
            self._columns.setDirection(direction)
            self._both.updateGeometry()
            self.card.setMinimumHeight(_STACKED if narrow else 0)
            self.texts.setMinimumHeight(_STACKED // 2 if narrow else 0)

    # --- building ----------------------------------------------------------------------------------

    def _build_head(self) -> None:
        self.save = push_button(
            say("&Save as PDF\u2026"),
            self.save_wanted,
            tip=say("The radiologist\u2019s personal page, to print or to send (Ctrl+S)"),
            primary=True,
        )
        self.more = menu_button(
            say("&More"),
            say("More actions"),
            (
                (say("&Copy the diagram"), self.card.copy),
                (say("All con&tested findings"), self._list_contested),
                (say("Save the &diagram as PNG or SVG\u2026"), self.ask_save),
            ),
        )
        self.head.addWidget(self.save, 0, 2)
        self.head.addWidget(self.more, 0, 3)

    def _build_right(self) -> QVBoxLayout:
        self.model = PhraseTableModel(self)
        self.phrases = DataTable("phrases", say("Phrases"), self.model, self.shell, searchable=False)
        self.table = self.phrases.view
        self.table.setAccessibleDescription(say("Press Enter on a phrase to read the findings behind it."))
        self.table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.table.setCursor(Qt.CursorShape.PointingHandCursor)
        self._set_widths()
        self.table.horizontalHeader().geometriesChanged.connect(self._fit_rates)
        self.table.clicked.connect(self._row_clicked)
        self.phrases.activated.connect(self._row_opened)
        self.phrases.current_changed.connect(self._row_chosen)

        self.hint = wrapped(say("Click a phrase to read the findings behind it."), role="muted")
        self.not_confirmed = push_button("", self._list_not_confirmed)
        self.written = WordingsLine()
        self.model.written = self.written.text_of
        self.texts = FiguresPanel(self.shell)
        self.texts.opened_group.connect(self._open_group)
        below = hbox((self.hint, 1), self.not_confirmed)
        return vbox(self.phrases, self.written, below, 4, (self.texts, 1), spacing=4)

    # --- showing -----------------------------------------------------------------------------------

    def prepare(self) -> None:
        self.card.prepare()

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        """Show the selected group of another department, or what is missing."""
        self.more.setVisible(bool(opened and opened.groups))
        self.save.setVisible(bool(opened and opened.of_radiologists))
        if opened is None:
            self.show_closed(
                say("Reliability"), say("Open a workspace, or the sample, to see how words compare with CT.")
            )
        elif not opened.groups:
            why = typographic(opened.reason) or say("There are no results yet.")
            self.show_empty(why, say("&Import reports"), "import")
        else:
            self.show_content()
            for tab in (2, 3):
                self.tabs.setTabVisible(tab, not opened.personal)
            self.show_selection(self.shell.selection)
            # Read ahead for the first date selection; other work may run in between.
            self.shell.run(
                READ_AHEAD,
                lambda department, progress: department.groups.warm_up(progress),
                lambda _: None,
                failed=lambda _: None,
                shares=True,
                at_leisure=True,
            )

    @Slot(object)
    def show_selection(self, selection: Selection | None) -> None:
        """Show the selected group; with a date range, once computed."""
        opened = self.shell.opened
        self.shell.tasks.forget(MEASURE)
        self.written.show_wordings(())
        view = opened.view(selection.group) if opened is not None and selection is not None else None
        if opened is None or selection is None or view is None:
            return
        self.shell.run(WORDINGS, lambda d, _: d.groups.wordings(selection), self.written.show_wordings)
        if selection.days.are_limited:
            self.shell.run(
                MEASURE,
                partial(_measured, selection),
                partial(self._show_measured, opened, selection),
            )
        else:
            exams = opened.exams.get(selection.author, (None, None))
            self._show_view(opened, selection.group, view, months(*exams))
        self._show_tab()

    def _show_measured(self, opened: Opened, chosen: Selection, view: GroupView) -> None:
        """Show results for a date range, with the advice made from it."""
        if opened is self.shell.opened and chosen == self.shell.selection:
            self._show_view(opened, chosen.group, view, describe((chosen.days.first, chosen.days.last)))
            if view.reliability.n == 0:
                self.sentence.clear()
                self.nothing.show_text(no_findings_of_group(opened, chosen), all_dates())
                self.one.setCurrentWidget(self.nothing)

    @Slot()
    def _show_tab(self, *_: object) -> None:
        """Update the current view only."""
        opened, selection = self.shell.opened, self.shell.selection
        if opened is None or selection is None or opened.view(selection.group) is None:
            return
        view = self.tabs.currentWidget()
        if isinstance(view, Part):
            view.show_for(selection)

    @Slot(object)
    def _open_group(self, group: Group) -> None:
        """Show the diagram of another group: the selector bar follows."""
        chosen = self.shell.selection
        self.tabs.setCurrentIndex(0)
        self.shell.choose(Selection(group.author, group.topic, chosen.days if chosen else ALL_DAYS))
        self.focus_table()

    def arrive(self, *, tab: int = -1, **_where: object) -> None:
        """Focus the phrases; ``tab``: 0 one diagram, 1 all pathologies, 2 without CT, 3 windows."""
        if tab >= 0:
            self.tabs.setCurrentIndex(tab)
        if self.tabs.currentIndex() == 0:
            self.focus_table()

    def landmark(self, name: str, phrase: str = "") -> QWidget | None:
        """Besides: 'diagram'."""
        return self.card if name == "diagram" else super().landmark(name, phrase)

    def _show_view(self, opened: Opened, group: Group, view: GroupView, when: str) -> None:
        leaves = keyboard.is_in(self.nothing)
        self.one.setCurrentIndex(0)
        if leaves:
            self.focus_table()
        r, is_model = view.reliability, group.author in opened.models
        if is_model:
            engine, found = say("language model"), counted(r.n, "{n} answer", "{n} answers")
        else:
            engine, found = self._engine(opened), counted(r.n, "{n} finding", "{n} findings")
        self.hint.setVisible(not is_model)
        for tab in (2, 3):
            self.tabs.setTabVisible(tab, not (is_model or opened.personal))
        chosen, left_out = self.shell.selection, opened.left_out.get(group)
        if left_out and not (chosen and chosen.days.are_limited):
            found += say(", {n} more contested and left out", n=whole(left_out))
        facts = (found, when, engine)
        headline = figures.headline(view, opened.min_group_n)
        self.title.setText(group_name(group, opened))
        self.meta.setText(" \u00b7 ".join(f for f in facts if f))
        self.sentence.setText(headline)
        self.save.setVisible(not is_model)
        self.model.set_words(view.judged.words, opened.min_phrase_n)
        read = any(map(with_errors, self.model.rows))
        self.table.setColumnHidden(PhraseColumn.READ, not read)
        self._fit_table()
        self._set_widths()
        self._row_chosen(-1)
        self.texts.show_view(opened, group, view)
        self.card.show_record(r, opened.min_phrase_n, headline, view.judged)

    @staticmethod
    def _engine(opened: Opened) -> str:
        """What read the reports, and how well."""
        engine = engine_name(opened.engine)
        return f"{engine}, {typographic(opened.engine_accuracy)}" if opened.engine_accuracy else engine

    @Slot()
    def ask_save(self) -> None:
        """Ask for a file and save the diagram as shown."""
        if (selection := self.shell.selection) is not None:
            self.card.ask_save(group_name(selection, None))  # a file's name has the pseudonym

    def _set_widths(self) -> None:
        """Size columns to their names without the sort arrow, that of verdicts to those on show."""
        header = self.table.horizontalHeader()
        header.setStretchLastSection(False)
        for column, width in enumerate(c.width for c in self.model.columns):
            texts = [str(self.model.headerData(column, Qt.Orientation.Horizontal))]
            if column == PhraseColumn.VERDICT:
                rows = range(self.model.rowCount())
                texts += [verdict_text("undecided"), *(str(self.model.index(i, column).data()) for i in rows)]
            widest = max(map(header.fontMetrics().horizontalAdvance, texts))
            header.resizeSection(column, max(width, widest + _AROUND_NAME))
        self._fit_rates()

    @Slot()
    def _fit_rates(self) -> None:
        """Give the intervals what the other columns leave, and no less than they need: the table then scrolls."""
        header = self.table.horizontalHeader()
        others = sum(header.sectionSize(k) for k in range(header.count()) if k != PhraseColumn.RATE)
        needed = header.fontMetrics().horizontalAdvance(_WIDEST_RATE) + _AROUND_NAME
        header.resizeSection(PhraseColumn.RATE, max(needed, self.table.viewport().width() - others))

    def _fit_table(self) -> None:
        rows = min(max(self.model.rowCount(), _ROWS_AT_LEAST), _ROWS_AT_MOST)
        self.table.setFixedHeight(rows * _ROW + self.table.horizontalHeader().sizeHint().height() + 6)
        self.phrases.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)

    # --- what the user does ------------------------------------------------------------------------

    def focus_table(self) -> None:
        """Focus the table of phrases."""
        self.table.setFocus()

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
        """List the findings of this part of the curve."""
        self.shell.go("evidence", at=certainty)

    @Slot()
    def _list_contested(self) -> None:
        self.shell.go("evidence", contested=True)

    @Slot()
    def _list_not_confirmed(self) -> None:
        row = self.phrases.current_row()
        if row >= 0:
            self.shell.go("evidence", phrase=self.model.row(row).phrase, show="not confirmed")

    def _is_model(self) -> bool:
        """Whether a language model is shown, of whose answers no text is kept."""
        opened, selection = self.shell.opened, self.shell.selection
        return opened is not None and selection is not None and selection.author in opened.models

    @Slot(object)
    def _row_chosen(self, row: int) -> None:
        r = self.model.row(row) if 0 <= row < self.model.rowCount() else None
        self.card.select(r.phrase if r is not None else "")
        self.written.show_phrase(r.phrase if r is not None else "")
        left = r.n - r.positives if r is not None else 0.0
        self.not_confirmed.setVisible(left >= 1 and not self._is_model())
        if r is not None:
            self.not_confirmed.setText(
                say("Show the {n} not con&firmed of {phrase}", n=whole(round(left)), phrase=quoted(r.phrase))
            )


class _Beside(QWidget):
    """Diagram and table.  Side by side they fill the height; stacked, they take their natural height."""

    def hasHeightForWidth(self) -> bool:
        layout = self.layout()
        beside = isinstance(layout, QBoxLayout) and layout.direction() == QBoxLayout.Direction.LeftToRight
        return not beside and super().hasHeightForWidth()


def _measured(selection: Selection, department: Department, progress: Progress) -> GroupView:
    """The results of a group in a date range."""
    r = department.groups.reliability(selection, progress)
    if r.n == 0:
        return GroupView(r, None, JudgedGroup(r.author, r.topic, r.n, ()))
    found = department.alternatives.advice(selection, progress=progress)
    return GroupView(found.before, found.advice, found.judged)
