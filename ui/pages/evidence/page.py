"""Findings behind a phrase or part of the curve: X-ray sentence with highlighted words, CT sentence beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Slot
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QHeaderView, QInputDialog, QStackedWidget, QWidget

from radcal.reliability.records import pool_of
from ui.kit.action import enable, later, push_button
from ui.kit.delegate import MarkedTextDelegate
from ui.kit.files import ask_open_many, ask_save
from ui.kit.form import choice, offer
from ui.kit.layout import FlowLayout, hbox, panel, vbox
from ui.kit.table import DataTable
from ui.kit.text import caption, show_text, wrapped
from ui.kit.undoing import Edit
from ui.pages.evidence import work
from ui.pages.evidence.case_view import CaseView
from ui.pages.evidence.models import EvidenceTableModel, FindingColumn
from ui.pages.evidence.sentences import not_taken_text, taken_text
from ui.pages.stage import StagePage
from ui.sentences import as_written, group_name, phrase_sentence
from ui.widgets.empty import no_findings_of_group, no_findings_of_phrase
from ui.widgets.messages import Message
from ui.widgets.why import WhyDialog
from ui.words import counted, listed, percent, quoted, say, typographic, whole

if TYPE_CHECKING:
    from radcal.feedback.hand_outs import Returned
    from radcal.findings.records import Finding
    from radcal.reliability.cases import Case
    from radcal.system.selection import Selection
    from ui.pages.evidence.work import FindingRow, Findings
    from ui.records import Opened
    from ui.shell import Shell

FIND, CONTEST, CASE = "evidence", "contest", "case"
DECIDE, KEPT, SAVE, TAKE = "decide", "contests kept", "contests save", "contests take"
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
    """Lists findings of the selected group, or all contested ones, and opens the reports of each.

    Each can be contested with a note, in the list and at its reports.
    """

    uses_selection = True

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._found: Findings | None = None
        self._kept: work.Kept | None = None
        self._wanted: dict[str, Any] = {}
        self._rows: tuple[FindingRow, ...] = ()
        self._shown: tuple[int, ...] = ()
        self.contest = push_button(say("&Contest\u2026"), self.ask_contest)
        self.back_button = push_button(tip=say("Esc"))
        self.back_button.clicked.connect(self._back)
        self.head.addWidget(self.contest, 0, 2)
        self.head.addWidget(self.back_button, 0, 3)

        self.filter = choice(say("Which findings"))
        self.filter.currentIndexChanged.connect(self._fill)
        self.written = choice(say("Which words"))
        self.written.currentIndexChanged.connect(self._fill)
        contested = partial(self.shell.go, "evidence", contested=True)
        self.all_contested = push_button(say("&All contested findings"), contested)
        show = caption(say("Sho&w"), self.filter)
        self.open_case = push_button(
            say("&Open both reports"), self.show_case, tip=say("The whole X-ray and CT reports side by side (Enter)")
        )
        self.take = push_button(
            say("&Take in contests\u2026"),
            self.ask_take,
            tip=say("Files of contests that radiologists made in their personal files and sent back"),
        )
        self.save = push_button(
            say("&Save the contests\u2026"),
            self.ask_save,
            tip=say("A file with what was contested here, to be sent to your department\u2019s QA staff"),
        )
        self.save.hide()
        bar = FlowLayout(spacing=8)
        for part in (panel(hbox(show, self.filter, self.written)), self.open_case, self.all_contested, self.take):
            bar.addWidget(part)
        bar.addWidget(self.save)

        self.model = EvidenceTableModel(self)
        self.list = DataTable("evidence", say("Findings"), self.model, shell)
        self.table = self.list.view
        self.table.setWordWrap(True)
        self.table.setShowGrid(True)
        self.table.verticalHeader().setDefaultSectionSize(_THREE_LINES)
        header = self.table.horizontalHeader()
        header.setStretchLastSection(False)
        for column in (FindingColumn.XRAY, FindingColumn.CT):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        self._delegate = MarkedTextDelegate(self.table)
        self.table.setItemDelegate(self._delegate)
        self.list.current_changed.connect(self._current_changed)
        self.list.activated.connect(self.show_case)
        self.case = CaseView()
        self.case.turned.connect(self._turn)
        self.case.left.connect(self.show_list)
        self.case.contest_wanted.connect(self.ask_contest)
        for report in (self.case.xray, self.case.ct):
            report.why_wanted.connect(self.explain)
        self.views = QStackedWidget()
        self.views.addWidget(panel(vbox(bar, (self.list, 1))))
        self.views.addWidget(self.case)
        self.note = wrapped(role="muted")
        self.body.addWidget(self.views, 1)
        self.body.addWidget(self.note)
        key = QShortcut(QKeySequence("C"), self.table)
        key.setContext(Qt.ShortcutContext.WidgetShortcut)
        key.activated.connect(self.ask_contest)
        # Row heights follow the width once it has settled, not on every step of a resize.
        self._settle = later(self, self._fit, _SETTLE_MS)
        header.sectionResized.connect(self._settle_soon)
        self._forget()

    # --- what is listed ----------------------------------------------------------------------------

    def arrive(
        self,
        *,
        phrase: str = "",
        at: float | None = None,
        show: str = "all",
        words: str = "",
        contested: bool = False,
        take: tuple[Path, ...] = (),
        **_where: object,
    ) -> None:
        """List findings of the selected group; where nothing else is asked for or listed, of its most telling word.

        phrase: those worded with it;  at: those whose words make up the curve at this certainty of 0-1
        words: only those written like this
        show: 'all', 'confirmed', 'not confirmed', 'silent' or 'contested';  contested: all contested findings
        take: files of contests to take in first
        """
        self.table.setFocus()
        if take and self.take.isEnabled():
            self.take_files([str(path) for path in take])
            return
        selection, opened = self.shell.selection, self.shell.opened
        if opened is not None and selection is not None and selection.author in opened.models and not contested:
            self._forget()
            self.show_empty(
                say("Of a language model\u2019s answers RadCal keeps how sure it was and if they were right, no text."),
                say("&Back to the diagram"),
                "reliability",
            )
        elif contested:
            self._look_up(work.contested, show)
        elif selection is not None and phrase:
            self._look_up(lambda d, p: work.findings(d, selection, phrase, p), show, words)
        elif selection is not None and at is not None:
            self._look_up(lambda d, p: work.findings_at(d, selection, at, p), show)
        elif selection is not None and self._found is None and (word := _most_telling(opened, selection)):
            self._look_up(lambda d, p: work.findings(d, selection, word, p), show)

    def _look_up(self, find: Callable[..., Findings], show: str, words: str = "") -> None:
        self._forget()
        self.sentence.setText(say("Looking up the findings\u2026"))
        self.shell.run(FIND, find, partial(self.show_findings, show=show, words=words))

    def _forget(self) -> None:
        self._found, self._rows, self._shown = None, (), ()
        self.model.set_rows(())
        self.show_list()
        self.title.clear()
        self.meta.clear()
        self.note.hide()
        self.show_content()
        self._tell_contest()

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        """Clear the list: it belongs to another department or to old results."""
        shown = self._found
        self.model.names = opened.names if opened is not None else {}
        self.model.named = opened is not None and not opened.personal and not opened.names_missing
        self._forget()
        self.undo_stack.clear()
        self._kept = None
        self.save.hide()
        self.take.setVisible(opened is not None and not opened.personal)
        enable(
            self.take,
            say("The workspace is open to read only.") if opened is not None and opened.read_only else "",
            say("Files of contests that radiologists made in their personal files and sent back"),
        )
        if opened is not None and opened.personal:
            self._look_where_kept()
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

    def show_findings(self, found: Findings, show: str = "all", words: str = "") -> None:
        """List these findings."""
        self._found, self._rows = found, found.rows
        if self._none_on_these_dates(found):
            return
        self.title.setText(self._name(found))
        self.sentence.setText(" ".join(filter(None, (self._sentence(found), _not_counted(found)))))
        self.meta.setText(counted(len(found.rows), "{n} finding", "{n} findings"))
        by = pool_of(found.selection.author, found.selection.topic) if found.selection is not None else None
        self.table.setColumnHidden(FindingColumn.AUTHOR, found.selection is not None and by != "topic")
        self.table.setColumnHidden(FindingColumn.TOPIC, found.selection is not None and by != "author")
        # The title names a single phrase; the sentences need the space.
        self.table.setColumnHidden(FindingColumn.PHRASE, found.selection is not None and len(found.phrases) == 1)
        self._offer_filters(show)
        self._offer_words(words)
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
                group=group_name(group, self.shell.opened),
                certainty=percent(found.at),
            )
        return say("{group}: {phrase}", group=group_name(group, self.shell.opened), phrase=quoted(found.phrases[0]))

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
            return say(
                "Words that readers take as this certainty, with their share: {words}. All findings with these words"
                " are listed, although the words stand for other certainties, too.",
                words=listed(words),
            )
        opened, selection = self.shell.opened, found.selection
        view = opened.view(selection.group) if opened is not None else None
        if opened is None or view is None:
            return ""
        name = found.phrases[0]
        whole_time = view.judged.word(name)
        made = found.judged if selection.days.are_limited else whole_time
        said = [] if made is None else [phrase_sentence(made, opened.min_phrase_n)]
        if said and selection.days.are_limited:
            said.append(
                say(
                    "That is in the chosen days; on all dates together: {n}.",
                    n=whole(whole_time.rate.n if whole_time else 0),
                )
            )
        return " ".join(filter(None, (*said, as_written(found.wordings, selection.topic, name))))

    def _offer_filters(self, show: str) -> None:
        n = {key: whole(sum(map(keeps, self._rows))) for key, keeps in _KEPT.items()}
        kinds = (
            (say("All ({n})", n=n["all"]), "all"),
            (say("Confirmed ({n})", n=n["confirmed"]), "confirmed"),
            (say("Not confirmed ({n})", n=n["not confirmed"]), "not confirmed"),
            (say("CT does not mention it ({n})", n=n["silent"]), "silent"),
            (say("Contested ({n})", n=n["contested"]), "contested"),
        )
        offer(self.filter, kinds, show)

    def _offer_words(self, words: str) -> None:
        """Offer the wordings of the findings listed, if there are several."""
        n = Counter(row.written for row in self._rows)
        with QSignalBlocker(self.written):
            self.written.clear()
            self.written.addItem(say("However written"), None)
            for text, times in n.most_common():
                name = quoted(text) if text else say("Stated plainly")
                self.written.addItem(say("{words} ({n})", words=name, n=whole(times)), text)
            self.written.setCurrentIndex(max(0, self.written.findData(words)) if words else 0)
        self.written.setVisible(len(n) > 1)

    @Slot()
    def _fill(self, *_: object) -> None:
        keeps, words = _KEPT[self.filter.currentData() or "all"], self.written.currentData()
        self._shown = tuple(i for i, row in enumerate(self._rows) if keeps(row) and words in (None, row.written))
        self.model.set_rows([self._rows[i] for i in self._shown])
        self._fit()
        self.table.scrollToTop()
        self._tell_contest()

    @Slot()
    def _fit(self) -> None:
        if self.model.rowCount() <= _FITTED:
            self.table.resizeRowsToContents()

    def landmark(self, name: str, phrase: str = "") -> QWidget | None:
        """Besides: 'findings', the list."""
        if name == "findings":
            return self.list if self._found is not None else None
        return super().landmark(name, phrase)

    # --- one case ----------------------------------------------------------------------------------

    @property
    def shows_case(self) -> bool:
        """Whether the reports of a finding are shown, not the list."""
        return self.views.currentWidget() is self.case

    @Slot()
    def show_list(self) -> None:
        """Go back from a case to the list."""
        self.shell.tasks.forget(CASE)
        leaves = self.shows_case
        self.views.setCurrentIndex(0)
        self.back_button.setText(say("&Back to the diagram"))
        if leaves:
            self.table.setFocus()

    @Slot()
    def show_case(self, *_: object) -> None:
        """Show both reports of the current finding."""
        if (row := self._current()) is None:
            return
        self.views.setCurrentWidget(self.case)
        self.back_button.setText(say("&Back to the list"))
        self._look_at(row)
        self.case.setFocus()

    @Slot(object)
    def explain(self, finding: Finding) -> None:
        """Show why a finding is read as it is."""
        WhyDialog(self, self.shell, finding, self._decide).open()

    def _decide(self, finding: Finding, phrase: str) -> None:
        """Store what is decided on a finding that was left unread, and make the results anew; '' takes it back."""
        self.shell.run(
            DECIDE, lambda department, _: department.runs.decide([finding], phrase), lambda _: self.shell.reload(),
            keeps=True,
        )  # fmt: skip

    def _look_at(self, row: FindingRow) -> None:
        self.case.show_finding(row, self.table.currentIndex().row(), self.list.proxy.rowCount())
        self.shell.run(CASE, lambda d, _: d.cases.case(row.xray_id, row.ct_id), partial(self._show_reports, row))

    def _show_reports(self, row: FindingRow, case: Case) -> None:
        if self.shell.opened is not None and self.shows_case:
            self.case.show_case(row, case, self.shell.opened)
            for report in (self.case.xray, self.case.ct):
                report.why.setVisible(not self.shell.opened.personal)

    @Slot(int)
    def _turn(self, by: int) -> None:
        """Go to the next case of the list (1) or the one before (-1), in the list's order."""
        index = self.list.proxy.index(self.table.currentIndex().row() + by, 0)
        if index.isValid():
            self.list.select_row(self.list.proxy.mapToSource(index).row())

    @Slot()
    def _back(self) -> None:
        if self.shows_case:
            self.show_list()
        else:
            self.shell.go("reliability")

    def _current(self) -> FindingRow | None:
        row = self.list.current_row()
        return self._rows[self._shown[row]] if 0 <= row < len(self._shown) else None

    # --- contesting --------------------------------------------------------------------------------

    def _why_not(self) -> str:
        opened = self.shell.opened
        if opened is not None and opened.personal:
            return typographic(self._kept.why_not) if self._kept is not None else say("The file is still being read.")
        if opened is not None and opened.read_only:
            return say("The workspace is open to read only.")
        return ""

    def _show_kept(self, kept: work.Kept | None) -> None:
        """Say where the contests of a personal file are kept, and what to do with them."""
        self._kept = kept
        self.save.setVisible(kept is not None and not kept.why_not)
        self.save.setEnabled(kept is not None and kept.said > 0)
        self._tell_contest()
        if kept is None:
            return
        if kept.unkept:
            text = say(
                "What you contested last is not on the disk yet: {why} Save the contests elsewhere before you close"
                " RadCal.",
                why=typographic(kept.unkept),
            )
        elif kept.file is not None:
            text = say(
                "Your contests are kept in {file}, beside this personal file, which itself stays as it is. When you"
                " are done, send that file to your department\u2019s QA staff; only they can read it.",
                file=kept.file.name,
            )
        else:
            text = ""
        show_text(self.note, text)

    @Slot()
    def ask_save(self) -> None:
        """Ask where to save the contests of a personal file."""
        if self._kept is not None and self._kept.said:
            kinds = (say("Contests (*.radcal-contests)"),)
            ask_save(self, say("Save the contests"), self._kept.name, kinds, self.save_contests)

    @Slot(str)
    def save_contests(self, name: str) -> None:
        """Write the contests of a personal file to another file."""
        self.shell.run(SAVE, partial(work.save_contests, Path(name)), self._saved, keeps=True)

    def _saved(self, path: Path) -> None:
        what = say(
            "Your contests are in {file}. Send it to your department\u2019s QA staff; only they can read it.",
            file=path.name,
        )
        self.shell.messages.show_message(Message.TAKEN_IN, what=what)
        self._look_where_kept()

    def _look_where_kept(self) -> None:
        self.shell.run(KEPT, work.kept, self._show_kept)

    # --- contests that come back -------------------------------------------------------------------

    @Slot()
    def ask_take(self) -> None:
        """Ask for files of contests."""
        kinds = (say("Contests (*.radcal-contests)"), say("All files (*)"))
        ask_open_many(self, say("Take in contests"), kinds, self.take_files)

    @Slot(list)
    def take_files(self, names: list[str]) -> None:
        """Take in files of contests."""
        self.shell.run(
            TAKE, partial(work.take_contests, tuple(map(Path, names))), self._taken,
            title=say("Taking in contests"), keeps=True,
        )  # fmt: skip

    def _taken(self, files: tuple[Returned | work.Unread, ...]) -> None:
        messages = self.shell.messages
        messages.clear(Message.TAKEN_IN, Message.NOT_TAKEN_IN)
        if taken := taken_text(files):
            messages.show_message(Message.TAKEN_IN, what=taken)
        if left_out := not_taken_text(files):
            messages.show_message(Message.NOT_TAKEN_IN, what=left_out)
        self.arrive(contested=True)

    @Slot(object)
    def _current_changed(self, _row: int) -> None:
        self._tell_contest()
        if self.shows_case and (row := self._current()) is not None:
            self._look_at(row)

    def _tell_contest(self) -> None:
        row, why_not = self._current(), self._why_not()
        self.open_case.setEnabled(row is not None)
        self.contest.setEnabled(row is not None and not why_not)
        taken_back = row is not None and row.contest is not None
        self.contest.setText(say("Take the &contest back") if taken_back else say("&Contest\u2026"))
        self.contest.setToolTip(why_not or say("Mark this finding as wrongly read from the report, with a note (C)"))

    @Slot()
    def ask_contest(self) -> None:
        """Ask for a note and contest the current finding, or withdraw the contest."""
        row = self._current()
        if row is None or not self.contest.isEnabled():
            return
        if row.contest is not None:
            self.set_contest(row, None)
            return
        dialog = QInputDialog(self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(say("Contest a finding"))
        dialog.setLabelText(
            say("What was read wrongly? The note goes to your department with the contest.")
            if self._kept is not None
            else say("What was read wrongly? The note stays in the workspace.")
        )
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
        kept = note == row.contest
        by, at = (row.contested_by, row.contested_at) if kept else ("", "")
        changed = replace(self._rows[place], contest=note, contested_by=by, contested_at=at)
        self._rows = (*self._rows[:place], changed, *self._rows[place + 1 :])
        if place in self._shown:
            self.model.replace_row(self._shown.index(place), changed)
        self._offer_filters(str(self.filter.currentData()))
        self._tell_contest()
        if self.shows_case and self._current() == changed:
            self.case.show_finding(changed, self.table.currentIndex().row(), self.list.proxy.rowCount())
        if self._kept is not None:
            self._look_where_kept()
            return
        leaves_out = self._found is not None and self._found.leaves_out
        show_text(
            self.note,
            say("Contested findings leave the statistics with the next analysis, as the settings say.")
            if leaves_out
            else say("Contested findings are marked and still count; the settings can leave them out."),
        )

    # --- looks -------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._settle.start()

    @Slot(int, int, int)
    def _settle_soon(self, *_: int) -> None:
        self._settle.start()

    def sizeHint(self) -> QSize:
        return QSize(800, 480)


def _not_counted(found: Findings) -> str:
    """Why the list has more findings than the figures count; '' if it has not."""
    n = sum(not row.entered for row in found.rows)
    if not n or found.selection is None:
        return ""
    return say(
        "One of the findings listed does not count: it was contested.",
        many="{n:,} of the findings listed do not count: they were contested.",
        n=n,
    )


def _most_telling(opened: Opened | None, selection: Selection) -> str:
    """The word that another is advised for first, else the one said most often; '' without results."""
    view = opened.view(selection.group) if opened is not None else None
    if view is None:
        return ""
    if view.advice is not None and view.advice.recommendations:
        return view.advice.recommendations[0].source
    return max(view.reliability.phrases, key=lambda p: p.n).phrase if view.reliability.phrases else ""
