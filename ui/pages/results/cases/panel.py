"""The cases of a word or of part of the curve: X-ray sentence with highlighted words, CT sentence beside it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QKeySequence, QResizeEvent, QShortcut
from PySide6.QtWidgets import QInputDialog, QWidget

from radcal.calibration.records import pool_of
from ui.kit.action import enable, later, push_button
from ui.kit.delegate import MarkedTextDelegate
from ui.kit.files import ask_open_many, ask_save
from ui.kit.form import choice, offer
from ui.kit.layout import vbox
from ui.kit.table import DataTable
from ui.kit.text import label, show_text, wrapped
from ui.kit.undoing import Edit
from ui.language import spoken
from ui.pages.results.cases import work
from ui.pages.results.cases.case_view import CaseView
from ui.pages.results.cases.models import CaseTableModel, FindingColumn, contested_by
from ui.pages.results.cases.taken import not_taken_text, taken_text
from ui.pages.results.cases.versions import of_nobody
from ui.sentences import as_written, read_only_reason, topic_name
from ui.shell import open_link
from ui.widgets.empty import no_findings_of_phrase
from ui.widgets.messages import Message
from ui.widgets.teaching_case import TeachingCaseDialog
from ui.widgets.why import WhyDialog
from ui.words import counted, day, listed, percent, quoted, say, typographic, whole

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent, QUndoStack

    from radcal.calibration.cases import Case
    from radcal.feedback.hand_outs import Returned
    from radcal.feedback.meeting import Proposed
    from radcal.feedback.records import NewCases, TeachingCase
    from radcal.findings.records import Finding
    from radcal.system.selection import Selection
    from ui.pages.results.cases.work import FindingRow, Findings
    from ui.records import Opened
    from ui.shell import Shell

FIND, CONTEST, CASE = "cases", "contest", "case"
STUDY, MEETING = "study", "teaching case"
DECIDE, KEPT, SAVE, TAKE = "decide", "contests kept", "contests save", "contests take"
_SETTLE_MS = 80
_AFTER_PAINT_MS = 60
"""By then a diagram chosen in the same moment is drawn, which the look-up must not slow down."""
_THREE_LINES = 64
_SEARCH = 72
_KEPT: dict[str, Callable[[FindingRow], bool]] = {
    "all": lambda _row: True,
    "confirmed": lambda row: row.confirmed,
    "not confirmed": lambda row: not row.confirmed,
    "silent": lambda row: not row.ct_sentence,
    "contested": lambda row: row.contest is not None,
}
"""The filters, besides those of single wordings."""
_WRITTEN = "written "


class CasesPanel(QWidget):
    """Lists the cases of the selected group's word, or all contested ones; ``case`` shows the reports of one.

    case_shown: whether the reports of a case take the place of the list;  taken: contests were taken in
    """

    case_shown = Signal(bool)

    def __init__(self, shell: Shell, undo_stack: QUndoStack) -> None:
        super().__init__()
        self.shell, self._undo = shell, undo_stack
        self.found: Findings | None = None
        """What is listed."""
        self._kept: work.Kept | None = None
        self._rows: tuple[FindingRow, ...] = ()
        self._shown: tuple[int, ...] = ()
        self._ask: Callable[[], None] = lambda: None
        self._due = False
        self.heading, self.about = label(role="strong"), wrapped(role="muted")
        self.heading.setWordWrap(True)
        self.filter = choice(say("Which cases"))
        self.filter.setSizeAdjustPolicy(self.filter.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.filter.setMinimumContentsLength(9)
        self.filter.currentIndexChanged.connect(self._fill)
        self.open_case = push_button(say("&Open both reports"), self.show_case)
        self.save = push_button(say("&Save your answers\u2026"), self.ask_save)
        self.save.hide()
        self.model = CaseTableModel(self)
        self.list = DataTable("cases", say("Cases"), self.model, shell)
        self.list.count.hide()  # stands in the filter
        self.list.search.setMinimumWidth(_SEARCH)
        self.table = self.list.view
        self.table.setWordWrap(True)
        self.table.setShowGrid(True)
        self.table.verticalHeader().setDefaultSectionSize(_THREE_LINES)
        header = self.table.horizontalHeader()
        header.setStretchLastSection(False)
        said = (FindingColumn.XRAY, FindingColumn.CT)
        for column in FindingColumn:
            mode = header.ResizeMode.Stretch if column in said else header.ResizeMode.ResizeToContents
            header.setSectionResizeMode(column, mode)
        self.table.setItemDelegate(MarkedTextDelegate(self.table))
        self.list.current_changed.connect(self._current_changed)
        self.list.activated.connect(self.show_case)
        self.case = CaseView()
        self.case.turned.connect(self._turn)
        self.case.left.connect(self.show_list)
        self.case.agreed.connect(self.agree)
        self.case.agreed_why.connect(partial(self.ask_contest, kind="agree"))
        self.case.disagreed.connect(self.ask_contest)
        self.case.not_comparable.connect(partial(self.ask_contest, kind="apart"))
        for report in (self.case.xray, self.case.ct):
            report.why_wanted.connect(self.explain)
            report.study_wanted.connect(self.open_study)
        self.case.meeting_wanted.connect(self.ask_meeting)
        self.note = wrapped(role="muted")
        for part in (self.filter, self.open_case):
            self.list.add_to_bar(part)
        vbox(self.heading, self.about, (self.list, 1), self.note, self.save, parent=self, spacing=4)
        key = QShortcut(QKeySequence("C"), self.table)
        key.setContext(Qt.ShortcutContext.WidgetShortcut)
        key.activated.connect(self.ask_contest)
        # Row heights follow the width once it has settled, not on every step of a resize.
        self._settle = later(self, self._fit, _SETTLE_MS)
        header.sectionResized.connect(self._settle_soon)
        rows = self.list.proxy
        for signal in (rows.modelReset, rows.layoutChanged, rows.rowsInserted, rows.rowsRemoved, rows.dataChanged):
            signal.connect(self._settle_soon)
        self.table.verticalScrollBar().valueChanged.connect(self._fit)
        self._soon = later(self, self._ask_now, _AFTER_PAINT_MS)
        self.forget()

    # --- what is listed ----------------------------------------------------------------------------

    def list_word(self, selection: Selection, phrase: str, show: str = "all") -> None:
        """List the cases of a group worded with a phrase, those of a filter alone; after the next paint."""
        self._look_up(lambda d, p: work.findings(d, selection, phrase, p), show)

    def list_part(self, selection: Selection, certainty: float) -> None:
        """List the cases whose words make up the curve at a certainty of 0-1."""
        self._look_up(lambda d, p: work.findings_at(d, selection, certainty, p), "all")

    def list_contested(self) -> None:
        """List all contested cases."""
        self._look_up(work.contested, "all")

    def list_new(self, author: str) -> None:
        """List the cases of a radiologist that are new since the last feedback and worth a look."""
        self._look_up(partial(work.new_cases, author), "all")

    def say_instead(self, text: str) -> None:
        """Say why there are no cases to list."""
        self.forget()
        self.heading.setText(text)

    def _look_up(self, find: Callable[..., Findings], show: str) -> None:
        self.shell.tasks.forget(FIND)
        self.show_list()
        self._ask = lambda: self.shell.run(FIND, find, partial(self.show_findings, show=show))
        self._due = True
        self._soon.start()

    @Slot()
    def _ask_now(self) -> None:
        """Ask for the cases, unless nobody sees them yet."""
        if self._due and (self.isVisible() or self._reading):
            self._due = False
            self._ask()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._soon.start()

    def forget(self) -> None:
        """Empty the list: it belongs to another department or to old results."""
        self._due = False
        self.shell.tasks.forget(FIND)
        self.found, self._rows, self._shown = None, (), ()
        self.model.set_rows(())
        self.show_list()
        for part in (self.heading, self.about):
            part.clear()
        self.note.hide()
        self._tell_contest()
        self._show_parts()

    def show_department(self, opened: Opened | None) -> None:
        """Another department, or new results."""
        self.model.named = opened is not None and not opened.personal and not opened.names_missing
        self._kept = None
        self.save.hide()
        self.case.meeting.setVisible(opened is None or not opened.personal)
        self.forget()
        if opened is not None and opened.personal:
            self.look_where_kept()

    def show_findings(self, found: Findings, show: str = "all") -> None:
        """List these findings."""
        self.found, self._rows = found, found.rows
        self.heading.setText(self._name(found))
        show_text(self.about, " ".join(filter(None, (self._about(found), _not_counted(found)))))
        by = pool_of(found.selection.author, found.selection.topic) if found.selection is not None else None
        hidden = {
            FindingColumn.AUTHOR: (found.selection is not None and by != "topic") or found.new is not None,
            FindingColumn.TOPIC: found.selection is not None and by != "author",
            # The heading names a single word; the sentences need the space.
            FindingColumn.PHRASE: found.selection is not None and len(found.phrases) == 1,
            FindingColumn.CONTEST: not any(row.answer is not None or not row.entered for row in found.rows),
        }
        if (opened := self.shell.opened) is not None:
            self._alone = hidden[FindingColumn.AUTHOR] or bool(opened.personal)
            self.model.called = partial(opened.called, named=self._alone)
        for column, is_hidden in hidden.items():
            self.table.setColumnHidden(column, is_hidden)
        self._offer_filters(show)
        self._fill()
        self._show_parts()
        if self._shown:
            self.list.select_row(0)

    def _show_parts(self) -> None:
        self.list.setVisible(bool(self._rows))

    def _name(self, found: Findings) -> str:
        """The word with what CT said of it, or how certain the cases are."""
        if found.new is not None:
            return new_heading(found.new)
        if found.selection is None:
            return say("Contested cases") if found.rows else say("No case has been contested.")
        if found.at is not None:
            return say("Cases at {certainty}", certainty=percent(found.at))
        opened = self.shell.opened
        if not found.rows and opened is not None and found.selection.days.are_limited:
            return no_findings_of_phrase(opened, found.selection, found.phrases[0])
        counted_ones = [row.outcome for row in found.rows if row.entered]
        return say(
            "{word} for {topic}: CT confirmed {count}",
            word=quoted(found.phrases[0]),
            topic=topic_name(found.selection.topic),
            count=spoken().out_of(sum(counted_ones), len(counted_ones)),
        )

    def _about(self, found: Findings) -> str:
        if found.new is not None:
            return _why_these(found.new)
        if found.selection is None:
            return _what_becomes(found) if found.rows else ""
        if found.at is not None:
            words = [f"{quoted(phrase)} ({percent(share)})" for phrase, share in found.shares]
            return say("The words that readers take as this, with all their cases: {words}.", words=listed(words))
        return as_written(found.wordings, found.selection.topic, found.phrases[0])

    def _offer_filters(self, show: str) -> None:
        """Offer what CT said, what was contested, and the wordings, if there are several."""
        n = {key: whole(sum(map(keeps, self._rows))) for key, keeps in _KEPT.items()}
        kinds = [
            (say("All ({n})", n=n["all"]), "all"),
            (say("Confirmed ({n})", n=n["confirmed"]), "confirmed"),
            (say("Not confirmed ({n})", n=n["not confirmed"]), "not confirmed"),
            (say("CT does not mention it ({n})", n=n["silent"]), "silent"),
            (say("Contested ({n})", n=n["contested"]), "contested"),
        ]
        words = Counter(row.written for row in self._rows)
        for text, times in words.most_common() if len(words) > 1 else ():
            name = quoted(text) if text else say("Stated plainly")
            kinds.append((f"{name} ({whole(times)})", f"{_WRITTEN}{text}"))
        offer(self.filter, kinds, show)

    @Slot()
    def _fill(self, *_: object) -> None:
        chosen = str(self.filter.currentData() or "all")
        keeps = _KEPT.get(chosen) or (lambda row: row.written == chosen.removeprefix(_WRITTEN))
        self._shown = tuple(i for i, row in enumerate(self._rows) if keeps(row))
        self.model.set_rows([self._rows[i] for i in self._shown])
        self._fit()
        self.table.scrollToTop()
        self._tell_contest()

    @Slot()
    def _fit(self, *_: object) -> None:
        """Make the rows in sight as high as their sentences: to measure all would block the window."""
        row, bottom = max(self.table.rowAt(0), 0), self.table.viewport().height()
        while row < self.list.proxy.rowCount() and self.table.rowViewportPosition(row) < bottom:
            self.table.resizeRowToContents(row)
            row += 1

    # --- one case ----------------------------------------------------------------------------------

    @property
    def shows_case(self) -> bool:
        """Whether the reports of a finding are shown, not the list."""
        return self._reading

    _reading = False
    _alone = True

    def _read(self, reading: bool) -> None:
        if reading != self._reading:
            self._reading = reading
            self.case_shown.emit(reading)

    @Slot()
    def show_list(self) -> None:
        """Go back from a case to the list."""
        if self._reading:
            self.shell.tasks.forget(CASE)
            self._read(False)
            self.table.setFocus()

    @Slot()
    def show_case(self, *_: object) -> None:
        """Show both reports of the current finding."""
        if (row := self._current()) is None:
            return
        self._read(True)
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

    def _show_finding(self, row: FindingRow) -> None:
        place, n = self.table.currentIndex().row(), self.list.proxy.rowCount()
        self.case.show_finding(row, place, n, self._why_not(), contested_by(row, self.model.called))

    def _look_at(self, row: FindingRow) -> None:
        self._show_finding(row)
        self.shell.run(CASE, lambda d, _: d.cases.case(row.xray_id, row.ct_id), partial(self._show_reports, row))

    def _show_reports(self, row: FindingRow, case: Case) -> None:
        if self.shell.opened is not None and self._reading:
            self.case.show_case(row, case if self._alone else of_nobody(case), self.shell.opened)

    @Slot(int)
    def _turn(self, by: int) -> None:
        """Go to the next case of the list (1) or the one before (-1), in the list's order."""
        index = self.list.proxy.index(self.table.currentIndex().row() + by, 0)
        if index.isValid():
            self.list.select_row(self.list.proxy.mapToSource(index).row())

    def _current(self) -> FindingRow | None:
        row = self.list.current_row()
        return self._rows[self._shown[row]] if 0 <= row < len(self._shown) else None

    @Slot(object)
    def _current_changed(self, _row: int) -> None:
        self._tell_contest()
        if self._reading and (row := self._current()) is not None:
            self._look_at(row)

    # --- agreeing and contesting -------------------------------------------------------------------

    def _why_not(self) -> str:
        opened = self.shell.opened
        if opened is not None and opened.personal:
            return typographic(self._kept.why_not) if self._kept is not None else say("The file is still being read.")
        return read_only_reason() if opened is not None and opened.read_only else ""

    def _tell_contest(self) -> None:
        row = self._current()
        enable(
            self.open_case,
            "" if row is not None else say("Choose a case in the list."),
            say("The whole X-ray and CT reports side by side (Enter)"),
        )
        if self._reading and row is not None:
            self._show_finding(row)

    @Slot()
    def agree(self) -> None:
        """Agree with the case, which takes a contest back; the next case follows."""
        if (row := self._current()) is not None and not self._why_not():
            if row.agreed is None or row.contest is not None:
                self.set_answer(row, work.Answer("", agreed=True))
            self._turn(1)

    @Slot()
    def ask_contest(self, *_: object, kind: Literal["contest", "apart", "agree"] = "contest") -> None:
        """Ask for the reason and contest the current finding, as one that cannot be compared, or agree with it."""
        row = self._current()
        if row is None or self._why_not():
            return
        dialog = QInputDialog(self.case if self._reading else self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        title, asked, button = {
            "contest": (say("Disagree"), say("What was read wrongly?"), say("Contest")),
            "apart": (say("Not comparable"), say("Why can X-ray and CT not be compared?"), say("Contest")),
            "agree": (say("Agree"), say("What is worth saying of it?"), say("Agree")),
        }[kind]
        dialog.setWindowTitle(title)
        to = say("Your reason goes to your department.") if self._kept else say("Your reason stays in the workspace.")
        prefix = work.NOT_COMPARABLE if kind == "apart" else ""
        dialog.setLabelText(f"{asked} {to}")
        dialog.setOkButtonText(button)
        dialog.setCancelButtonText(say("Cancel"))
        dialog.textValueSelected.connect(
            lambda note: self.set_answer(row, work.Answer(f"{prefix}{note}", agreed=kind == "agree"))
        )
        dialog.open()

    def set_answer(self, row: FindingRow, answer: work.Answer | None) -> None:
        """Say something of a finding, None to take it back; can be undone."""
        self._undo.push(Edit(say("answer"), row.answer, answer, partial(self._keep, row)))

    def _keep(self, row: FindingRow, answer: work.Answer | None) -> None:
        self.shell.run(
            f"{CONTEST} {row.xray_id} {row.topic}",
            lambda department, progress: work.mark(department, row, answer, progress),
            lambda _: self._marked(row, answer),
            keeps=True,
        )

    def _marked(self, row: FindingRow, answer: work.Answer | None) -> None:
        place = next((i for i, r in enumerate(self._rows) if (r.xray_id, r.topic) == (row.xray_id, row.topic)), None)
        if place is None:
            return
        by, at = (row.contested_by, row.contested_at) if answer == row.answer else ("", "")
        note = None if answer is None else answer.note
        agreed = answer is not None and answer.agreed
        changed = replace(
            self._rows[place],
            contest=None if agreed else note,
            agreed=note if agreed else None,
            contested_by=by,
            contested_at=at,
        )
        self._rows = (*self._rows[:place], changed, *self._rows[place + 1 :])
        self.table.setColumnHidden(FindingColumn.CONTEST, False)
        if place in self._shown:
            self.model.replace_row(self._shown.index(place), changed)
        self._offer_filters(str(self.filter.currentData()))
        self._tell_contest()
        if self._kept is not None:
            self.look_where_kept()
            return
        if self.found is not None:
            show_text(self.note, _what_becomes(self.found))

    # --- the meeting, and the PACS -----------------------------------------------------------------

    @Slot()
    def ask_meeting(self) -> None:
        """Show the current case as a teaching case, to be read and added."""
        if (row := self._current()) is not None and not self.case.meeting.isHidden():  # its key works all the same
            self.shell.run(MEETING, partial(work.propose, row), self._show_proposed)

    def _show_proposed(self, proposed: Proposed) -> None:
        before, place = (proposed.case, proposed.place), sys.maxsize if proposed.place is None else proposed.place

        def keep(case: TeachingCase) -> None:
            self._undo.push(Edit(say("teaching case"), before, (case, place), self._keep_case))

        TeachingCaseDialog(proposed.case, proposed.suspects, keep, self.case).open()

    def _keep_case(self, placed: tuple[TeachingCase, int | None]) -> None:
        self.shell.run(
            f"{MEETING} {placed[0].finding}",
            lambda department, _: department.meeting.put(*placed),
            lambda cases: self._told_meeting(len(cases), added=placed[1] is not None),
            keeps=True,
        )

    def _told_meeting(self, n: int, *, added: bool) -> None:
        messages, leads = self.shell.messages, partial(self.shell.go, "feedback", tab="meeting")
        messages.clear(Message.IN_MEETING)
        if added:
            messages.show_message(Message.IN_MEETING, leads, cases=counted(n, "{n} case", "{n} cases"))

    @Slot(str, str)
    def open_study(self, accession: str, study_uid: str) -> None:
        """Open the study of these numbers in the viewer that IT has set."""
        self.shell.run(STUDY, partial(work.open_study, accession, study_uid), self._open_link)

    def _open_link(self, link: str) -> None:
        if link and not open_link(link):
            what = say(
                "Nothing on this computer opens links that begin with {scheme}: ask your IT department, who set it.",
                scheme=link.partition(":")[0],
            )
            self.shell.messages.show_message(Message.NOTHING_TO_SHOW, what=what)

    # --- answers of a personal file, and those that come back --------------------------------------

    def look_where_kept(self) -> None:
        """Look where the answers of a personal file are kept: there may be more."""

        self.shell.run(KEPT, work.kept, self._show_kept)

    def _show_kept(self, kept: work.Kept | None) -> None:
        """Say where the contests of a personal file are kept, and what to do with them."""
        self._kept = kept
        self.save.setVisible(kept is not None and not kept.why_not and kept.said > 0)
        self._tell_contest()
        if kept is None:
            return
        text = ""
        if kept.unkept:
            text = say(
                "What you contested last is not on the disk yet: {why} Save your answers elsewhere before you close"
                " RadCal.",
                why=typographic(kept.unkept),
            )
        elif kept.file is not None:
            text = say(
                "Your answers are kept in {file}, beside this file. When you are done, send them to your"
                " department\u2019s QA staff; only they can read them.",
                file=kept.file.name,
            )
        show_text(self.note, text)

    @Slot()
    def ask_save(self) -> None:
        """Ask where to save the contests of a personal file."""
        if self._kept is not None and self._kept.said:
            ask_save(self, say("Save your answers"), self._kept.name, (_kind(),), self.save_contests)

    @Slot(str)
    def save_contests(self, name: str) -> None:
        """Write the contests of a personal file to another file."""
        self.shell.run(SAVE, partial(work.save_contests, Path(name)), self._saved, keeps=True)

    def _saved(self, path: Path) -> None:
        what = say(
            "Your answers are in {file}. Send it to your department\u2019s QA staff; only they can read it.",
            file=path.name,
        )
        self.shell.messages.show_message(Message.TAKEN_IN, what=what)
        self.look_where_kept()

    @Slot()
    def ask_take(self) -> None:
        """Ask for files of contests."""
        opened = self.shell.opened
        if opened is not None and opened.read_only:
            self.shell.messages.show_message(Message.NOT_TAKEN_IN, what=read_only_reason())
            return
        ask_open_many(self, say("Take in answers"), (_kind(), say("All files (*)")), self.take_files)

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
        opened = self.shell.opened
        if opened is not None and (taken := taken_text(files, partial(opened.called, named=False))):
            messages.show_message(Message.TAKEN_IN, what=taken)
        if left_out := not_taken_text(files):
            messages.show_message(Message.NOT_TAKEN_IN, what=left_out)
        self.list_contested()

    # --- looks -------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._settle.start()

    @Slot()
    def _settle_soon(self, *_: object) -> None:
        self._settle.start()


def new_heading(new: NewCases) -> str:
    """What the list of new cases is called."""
    n = len(new.cases)
    if new.since is None:
        return counted(n, "{n} case worth a look", "{n} cases worth a look")
    return say("What CT showed since {day}: {n} cases", day=day(new.since), n=whole(n))


def _why_these(new: NewCases) -> str:
    """Why these cases and no others."""
    if not new.cases:
        return say("There is nothing new that is worth a look.")
    why = say("Of {n} new findings those that teach most: what CT showed was not to be expected.", n=whole(new.n))
    great = sum(case.kind == "great call" for case in new.cases)
    return f"{why} {counted(great, '{n} was a great call.', '{n} were great calls.')}" if great else why


def _kind() -> str:
    return say("Contests (*.radcal-contests)")


def _what_becomes(found: Findings) -> str:
    if found.leaves_out:
        return say("Contested cases leave the statistics with the next analysis, as the settings say.")
    return say("Contested cases are marked and still count; the settings can leave them out.")


def _not_counted(found: Findings) -> str:
    """Why the list has more findings than the figures count; '' if it has not."""
    n = sum(not row.entered for row in found.rows)
    if not n or found.selection is None:
        return ""
    return counted(
        n,
        "{n} of the cases listed does not count: it was contested.",
        "{n} of the cases listed do not count: they were contested.",
    )
