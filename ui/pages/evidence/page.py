"""Findings behind a phrase or part of the curve: X-ray sentence with highlighted words, CT sentence beside it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QComboBox, QHeaderView, QInputDialog, QWidget

from radcal.records import pool_of
from ui.pages.evidence import work
from ui.pages.evidence.models import EvidenceTableModel, FindingColumn
from ui.pages.stage import StagePage
from ui.sentences import group_name, phrase_sentence
from ui.widgets.buttons import push_button
from ui.widgets.delegates import MarkedTextDelegate
from ui.widgets.empty import no_findings_of_group, no_findings_of_phrase
from ui.widgets.labels import caption, show_text, wrapped
from ui.widgets.layouts import hbox
from ui.widgets.tables import DataTable
from ui.widgets.undoing import Edit
from ui.words import counted, listed, percent, quoted, say, whole

if TYPE_CHECKING:
    from radcal.records import Selection
    from ui.pages.evidence.work import FindingRow, Findings
    from ui.records import Opened
    from ui.shell import Shell
    from ui.theme import Colours

FIND, CONTEST = "evidence", "contest"
_SETTLE_MS = 80
_FITTED = 400
"""Up to this number, rows are as high as their sentences; measuring more would block the window."""
_THREE_LINES = 64
_KEPT: dict[str, Callable[[FindingRow], bool]] = {
    "all": lambda _row: True,
    "confirmed": lambda row: row.confirmed,
    "not confirmed": lambda row: not row.confirmed,
    "silent": lambda row: not row.ct_sentence,
    "contested": lambda row: row.contest is not None,
}
"""The filters."""


class EvidencePage(StagePage):
    """Lists findings of the selected group, or all contested ones; each can be contested with a note."""

    uses_selection = True

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._found: Findings | None = None
        self._wanted: dict[str, Any] = {}
        self._rows: tuple[FindingRow, ...] = ()
        self._shown: tuple[int, ...] = ()
        self.contest = push_button(say("&Contest\u2026"), self.ask_contest)
        self.back_button = push_button(
            say("&Back to the diagram"), partial(self.shell.go, "reliability"), tip=say("Esc")
        )
        self.head.addWidget(self.contest, 0, 2)
        self.head.addWidget(self.back_button, 0, 3)

        self.filter = QComboBox()
        self.filter.setAccessibleName(say("Which findings"))
        self.filter.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.filter.currentIndexChanged.connect(self._fill)
        contested = partial(self.shell.go, "evidence", contested=True)
        self.all_contested = push_button(say("&All contested findings"), contested)
        show = caption(say("Sho&w"), self.filter)
        self.body.addLayout(hbox(show, self.filter, None, self.all_contested))

        self.model = EvidenceTableModel(self)
        self.list = DataTable(
            "evidence", say("Findings"), self.model, shell, widths=(88, 116, 380, 380, 124, 104, 132, 132)
        )
        self.table = self.list.view
        self.table.setWordWrap(True)
        self.table.setShowGrid(True)
        self.table.verticalHeader().setDefaultSectionSize(_THREE_LINES)
        for column in (FindingColumn.AUTHOR, FindingColumn.TOPIC):
            self.table.setColumnHidden(column, True)
        header = self.table.horizontalHeader()
        header.setStretchLastSection(False)
        for column in (FindingColumn.XRAY, FindingColumn.CT):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        self._delegate = MarkedTextDelegate(self.table)
        self.table.setItemDelegate(self._delegate)
        self.list.current_changed.connect(self._current_changed)
        self.body.addWidget(self.list, 1)
        self.note = wrapped(role="muted")
        self.body.addWidget(self.note)
        key = QShortcut(QKeySequence("C"), self.table)
        key.setContext(Qt.ShortcutContext.WidgetShortcut)
        key.activated.connect(self.ask_contest)
        # Row heights follow the width once it has settled, not on every step of a resize.
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(_SETTLE_MS)
        self._settle.timeout.connect(self._fit)
        self._forget()

    # --- what is listed ----------------------------------------------------------------------------

    def arrive(
        self, *, phrase: str = "", at: float | None = None, show: str = "all", contested: bool = False, **_where: object
    ) -> None:
        """List findings of the selected group.

        phrase: those worded with it;  at: those whose words make up the curve at this certainty of 0-1
        show: 'all', 'confirmed', 'not confirmed', 'silent' or 'contested';  contested: all contested findings
        """
        self.table.setFocus()
        selection = self.shell.selection
        if contested:
            self._look_up(work.contested, show)
        elif selection is not None and phrase:
            self._look_up(lambda d, p: work.findings(d, selection, phrase, p), show)
        elif selection is not None and at is not None:
            self._look_up(lambda d, p: work.findings_at(d, selection, at, p), show)

    def _look_up(self, find: Callable[..., Findings], show: str) -> None:
        self._forget()
        self.sentence.setText(say("Looking up the findings\u2026"))
        self.shell.run(FIND, find, partial(self.show_findings, show=show))

    def _forget(self) -> None:
        self._found, self._rows, self._shown = None, (), ()
        self.model.set_rows(())
        self.title.clear()
        self.meta.clear()
        self.note.hide()
        self.show_content()
        self._tell_contest()

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        """Clear the list: it belongs to another department or to old results."""
        shown = self._found
        self._forget()
        self.undo_stack.clear()
        if not self.isVisible():
            return
        if opened is None or not opened.groups:
            self.shell.go("reliability")
        elif shown is not None and len(shown.phrases) == 1:
            self.arrive(phrase=shown.phrases[0])
        elif shown is not None and shown.selection is None:
            self.arrive(contested=True)
        else:
            self.shell.go("reliability")

    @Slot(object)
    def show_selection(self, selection: Selection | None) -> None:
        """Clear the list: the group or dates changed."""
        if self._wanted:
            wanted, self._wanted = self._wanted, {}
            self.arrive(**wanted)
            return
        listed_of = self._found.selection if self._found is not None else None
        if self.isVisible() and (self._found is None or listed_of is not None) and selection != listed_of:
            self.shell.tasks.forget(FIND)
            self.shell.go("reliability")

    def show_findings(self, found: Findings, show: str = "all") -> None:
        """List these findings."""
        self._found, self._rows = found, found.rows
        if self._none_on_these_dates(found):
            return
        self.title.setText(self._name(found))
        self.sentence.setText(self._sentence(found))
        self.meta.setText(counted(len(found.rows), "{n} finding", "{n} findings"))
        by = pool_of(found.selection.author, found.selection.topic) if found.selection is not None else None
        self.table.setColumnHidden(FindingColumn.AUTHOR, found.selection is not None and by != "topic")
        self.table.setColumnHidden(FindingColumn.TOPIC, found.selection is not None and by != "author")
        # The title names a single phrase; the sentences need the space.
        self.table.setColumnHidden(FindingColumn.PHRASE, found.selection is not None and len(found.phrases) == 1)
        self._offer_filters(show)
        self._fill()
        self.table.setFocus()
        if self._shown:
            self.list.select_row(0)

    def _none_on_these_dates(self, found: Findings) -> bool:
        """Whether the date range excludes all findings; if so, the page says so."""
        opened, chosen = self.shell.opened, found.selection
        if found.rows or opened is None or chosen is None or not chosen.days.are_limited:
            return False
        self.title.setText(self._name(found))
        self.sentence.clear()
        self.show_no_findings(
            no_findings_of_phrase(opened, chosen, found.phrases[0])
            if len(found.phrases) == 1
            else no_findings_of_group(opened, chosen)
        )
        self.empty_button.setFocus()
        return True

    @Slot()
    def choose_all_dates(self) -> None:
        """List the same findings for all dates."""
        found, self._found = self._found, None
        if found is not None and found.at is not None:
            self._wanted = {"at": found.at}
        elif found is not None and found.phrases:
            self._wanted = {"phrase": found.phrases[0]}
        super().choose_all_dates()

    def _name(self, found: Findings) -> str:
        if found.selection is None:
            return say("Contested findings")
        group = found.selection
        if found.at is not None:
            return say(
                "{group}, at {certainty}",
                group=group_name(group),
                certainty=percent(found.at),
            )
        return say("{group}: {phrase}", group=group_name(group), phrase=quoted(found.phrases[0]))

    def _sentence(self, found: Findings) -> str:
        """The phrase's summary, or which words make up this part of the curve."""
        if found.selection is None:
            if not found.rows:
                return say("No finding has been contested.")
            if found.leaves_out:
                return say("They are left out of the statistics, as the settings say.")
            return say("They count as before; the settings can leave them out.")
        if found.at is not None:
            words = [f"{quoted(phrase)} ({percent(share)})" for phrase, share in found.shares]
            return say("Words that readers take as this certainty, with their share: {words}.", words=listed(words))
        opened, selection = self.shell.opened, found.selection
        view = opened.view(selection.group) if opened is not None else None
        if opened is None or view is None:
            return ""
        if selection.days.are_limited:
            n, y = len(found.rows), sum(row.confirmed for row in found.rows)
            return say("CT confirmed {y} of {n} in these days.", y=whole(y), n=whole(n))
        name = found.phrases[0]
        rates = (r for r in view.reliability.phrases if r.phrase == name and r.n > 0)
        phrase = next((p for p in opened.phrases if p.name == name), None)
        return next((phrase_sentence(r, phrase, opened.min_phrase_n) for r in rates), "")

    def _offer_filters(self, show: str) -> None:
        n = {key: whole(sum(map(keeps, self._rows))) for key, keeps in _KEPT.items()}
        with QSignalBlocker(self.filter):
            self.filter.clear()
            self.filter.addItem(say("All ({n})", n=n["all"]), "all")
            self.filter.addItem(say("Confirmed ({n})", n=n["confirmed"]), "confirmed")
            self.filter.addItem(say("Not confirmed ({n})", n=n["not confirmed"]), "not confirmed")
            self.filter.addItem(say("CT does not mention it ({n})", n=n["silent"]), "silent")
            self.filter.addItem(say("Contested ({n})", n=n["contested"]), "contested")
            self.filter.setCurrentIndex(max(0, self.filter.findData(show)))

    @Slot()
    def _fill(self, *_: object) -> None:
        keeps = _KEPT[self.filter.currentData() or "all"]
        self._shown = tuple(i for i, row in enumerate(self._rows) if keeps(row))
        self.model.set_rows([self._rows[i] for i in self._shown])
        self._fit()
        self.table.scrollToTop()
        self._tell_contest()

    @Slot()
    def _fit(self) -> None:
        if self.model.rowCount() <= _FITTED:
            self.table.resizeRowsToContents()

    # --- contesting --------------------------------------------------------------------------------

    def _why_not(self) -> str:
        opened = self.shell.opened
        if opened is not None and opened.personal:
            return say("Tell your department\u2019s QA staff: a personal file cannot be changed.")
        if opened is not None and opened.read_only:
            return say("The workspace is open to read only.")
        return ""

    @Slot(object)
    def _current_changed(self, _row: int) -> None:
        self._tell_contest()

    def _tell_contest(self) -> None:
        row, why_not = self.list.current_row(), self._why_not()
        chosen = 0 <= row < len(self._shown)
        self.contest.setEnabled(chosen and not why_not)
        taken_back = chosen and self._rows[self._shown[row]].contest is not None
        self.contest.setText(say("Take the &contest back") if taken_back else say("&Contest\u2026"))
        self.contest.setToolTip(why_not or say("Mark this finding as wrongly read from the report, with a note (C)"))

    @Slot()
    def ask_contest(self) -> None:
        """Ask for a note and contest the current finding, or withdraw the contest."""
        place = self.list.current_row()
        if not self.contest.isEnabled() or not 0 <= place < len(self._shown):
            return
        row = self._rows[self._shown[place]]
        if row.contest is not None:
            self.set_contest(row, None)
            return
        dialog = QInputDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(say("Contest a finding"))
        dialog.setLabelText(say("What was read wrongly? The note stays in the workspace."))
        dialog.setOkButtonText(say("Contest"))
        dialog.setCancelButtonText(say("Cancel"))
        dialog.textValueSelected.connect(partial(self.set_contest, row))
        dialog.open()

    def set_contest(self, row: FindingRow, note: str | None) -> None:
        """Contest a finding with a note, None to withdraw; can be undone."""
        self.undo_stack.push(Edit(say("contest"), row.contest, note, partial(self._keep, row)))

    def _keep(self, row: FindingRow, note: str | None) -> None:
        self.shell.run(
            f"{CONTEST} {row.xray_id} {row.topic}",
            lambda department, progress: work.mark(department, row, note, progress),
            lambda _: self._marked(row, note),
            keeps=True,
        )

    def _marked(self, row: FindingRow, note: str | None) -> None:
        place = next((i for i, r in enumerate(self._rows) if (r.xray_id, r.topic) == (row.xray_id, row.topic)), None)
        if place is None:
            return
        changed = replace(self._rows[place], contest=note)
        self._rows = (*self._rows[:place], changed, *self._rows[place + 1 :])
        if place in self._shown:
            self.model.replace_row(self._shown.index(place), changed)
        self._offer_filters(str(self.filter.currentData()))
        self._tell_contest()
        leaves_out = self._found is not None and self._found.leaves_out
        show_text(
            self.note,
            say("Contested findings leave the statistics with the next analysis, as the settings say.")
            if leaves_out
            else say("Contested findings are marked and still count; the settings can leave them out."),
        )

    # --- looks -------------------------------------------------------------------------------------

    @Slot(object)
    def set_colours(self, colours: Colours) -> None:
        self._delegate.set_colours(colours)
        self.table.viewport().update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._settle.start()

    def sizeHint(self) -> QSize:
        return QSize(800, 480)
