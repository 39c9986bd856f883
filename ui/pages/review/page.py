"""Review: people read some reports and decide what was left unread; how well the engine reads is measured on that."""

from __future__ import annotations

from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QApplication, QStackedWidget, QTabBar, QWidget

from radcal.review.records import ENOUGH, Action, Decision, Draw
from radcal.review.session import ReviewSession
from radcal.system import exports
from radcal.system.kinds import FileKind
from ui.kit import keyboard
from ui.kit.action import enable, later, menu_button, push_button
from ui.kit.files import ask_open
from ui.kit.undoing import Edit
from ui.pages.review import work
from ui.pages.review.files_dialog import FilesDialog
from ui.pages.review.keys import show_keys
from ui.pages.review.read_view import ReadView
from ui.pages.review.sentences import (
    about,
    about_file,
    attention,
    invitation,
    merged_text,
    not_merged_text,
    rail_text,
    read_only_text,
)
from ui.pages.review.setup import DrawPanel, EarlyKeys, ReaderPanel
from ui.pages.review.unread_view import UnreadView
from ui.pages.review.well_view import WellView
from ui.pages.stage import StagePage
from ui.sentences import reports_text
from ui.widgets.messages import Message
from ui.widgets.why import WhyDialog
from ui.words import say, whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QAction

    from radcal.feedback.hand_outs import Returned
    from radcal.findings.records import Finding
    from radcal.review.records import ImportedGold, Reading
    from ui.pages.review.work import Standing
    from ui.records import Opened
    from ui.shell import Shell
    from ui.tasks import Failure

_STANDING, _DRAW, _BEGIN, _KEEP = "review standing", "review draw", "review begin", "review keep"
_EXPORT, _IMPORT, _OWN = "review export", "review import", "review own"
_MERGE = "review merge"
_READ, _UNREAD, _WELL = range(3)
_TABS = {"read": _READ, "unread": _UNREAD, "accuracy": _WELL}
_SETTLE_MS = 300
"""Delay of the figures after the last answer."""


class ReviewPage(StagePage):
    """Draws gold sets, has people annotate them, and shows the results."""

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self.outbox = work.Outbox()
        self.session: ReviewSession | None = None
        self.standing: Standing | None = None
        self._department: object = None
        self._news = self._renew = False
        """True if the accuracy may have changed since other pages last quoted it, or decisions the results."""
        self.files: FilesDialog | None = None
        self._led = False
        """Whether the page was opened for a certain tab."""
        self._decided: set[str] = set()
        """Names of the decisions stored in this session."""
        self.title.setText(say("Review"))
        self._build_head()
        self.tabs = QTabBar(drawBase=False, expanding=False)
        self.tabs.setAccessibleName(say("Review"))
        for text in (say("Read"), say("Unread"), say("How well it reads")):
            self.tabs.addTab(text)
        self.tabs.currentChanged.connect(self._show_tab)
        self.draw_panel, self.reader_panel = DrawPanel(), ReaderPanel()
        self.draw_panel.draw_wanted.connect(self._draw)
        self.reader_panel.chosen.connect(self._begin)
        self.views = QStackedWidget()
        self.body.addWidget(self.tabs)
        self.body.addWidget(self.views, 1)
        self.early_keys = EarlyKeys()
        for panel in (self.draw_panel, self.reader_panel, self.early_keys):
            self.views.addWidget(panel)
        self._figures = later(self, self._look, _SETTLE_MS)

    # --- views, each made when first wanted: all of them take long -----------------------------------

    @cached_property
    def read(self) -> ReadView:
        """Where reports are read."""
        view = ReadView()
        view.did.connect(self._answered)
        view.keys_wanted.connect(self.show_keys)
        view.accuracy_wanted.connect(partial(self.tabs.setCurrentIndex, _WELL))
        view.findings.why_wanted.connect(self.explain)
        self.views.addWidget(view)
        return view

    @cached_property
    def well(self) -> WellView:
        """How well the engine reads, and readers agree."""
        view = WellView(self.shell, self._done)
        view.readers.decided.connect(self._decision_made)
        view.report_wanted.connect(self.open_report)
        self.views.addWidget(view)
        return view

    def _done(self) -> list[str]:
        """The reports that the current reader has finished."""
        session = self.session
        return [] if session is None else [r.report_id for r in session.reports if session.answers(r.report_id).done]

    @cached_property
    def unread(self) -> UnreadView:
        """What was left unread."""
        view = UnreadView(self.shell)
        view.why_wanted.connect(self.explain)
        view.decided.connect(self._unread_decided)
        self.views.addWidget(view)
        return view

    def _is_made(self, view: str) -> bool:
        return view in vars(self)

    def _build_head(self) -> None:
        self.more = menu_button(say("&More \u25be"), say("More"))
        menu = self.menu = self.more.menu()
        self._another = menu.addAction(say("&Another reader\u2026"), self.ask_reader)
        self._new_set = menu.addAction(say("&Draw other reports\u2026"), self.ask_draw)
        menu.addSeparator()
        self._bring = menu.addAction(say("&Import a gold set\u2026"), self.ask_import)
        self._export = menu.addAction(say("&Export the gold set\u2026"), self.ask_export)
        menu.addSeparator()
        self._files = menu.addAction(say("Re&view files\u2026"), self.show_files)
        self._merge = menu.addAction(say("&Merge a review file\u2026"), self.ask_merge)
        menu.addSeparator()
        menu.addAction(say("All keys"), self.show_keys)
        self.start = push_button(
            say("&Review {n} reports", n=ENOUGH), partial(self._draw, ENOUGH, Draw.RANDOM), primary=True
        )
        self.start.hide()
        self.head.addWidget(self.start, 0, 2)
        self.head.addWidget(self.more, 0, 3)

    # --- what there is -----------------------------------------------------------------------------

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        department = opened.department if opened is not None else None
        if department is not self._department:
            self._department = department
            self.session = self.standing = None
            self.undo_stack.clear()
            self.outbox = work.Outbox()
        if opened is None:
            self.show_closed(say("Review"), say("Open a workspace to know how well RadCal reads its reports."))
        else:
            self._look()

    @property
    def read_only(self) -> bool:
        """True if nothing can be changed."""
        return self.shell.opened is not None and self.shell.opened.read_only

    @property
    def apart(self) -> bool:
        """True with a review file: there is one reader, and nothing but reading."""
        return self.shell.opened is not None and self.shell.opened.kind is FileKind.REVIEW

    @Slot()
    def _look(self) -> None:
        """Load the progress of the gold set, and the figures if they are shown."""
        self.shell.run(_STANDING, work.standing, self._stands)
        if self.tabs.currentIndex() == _WELL and self.standing is not None:
            self.well.look()

    def _stands(self, standing: Standing) -> None:
        before, self.standing = self.standing, standing
        if standing.missing:
            self.show_empty(
                say("Nothing has been read here yet. Import reports and have them read first."),
                say("Go to &Reports"),
                "reports",
            )
            self.state_changed.emit("", "", "")
            return
        self.show_content()
        changed = before is None or before.gold != standing.gold
        if changed:
            self.session = None
            self.undo_stack.clear()
            if before is not None:
                self.tabs.setCurrentIndex(_READ)
            elif standing.gold is None and standing.n_unread and not self._led:
                self.tabs.setCurrentIndex(_UNREAD)  # there is something to read
        self._show_state()
        if self.tabs.currentIndex() == _UNREAD:
            self._show_tab()
        elif standing.gold is None:
            self.ask_draw()
        elif changed:
            self.ask_reader()
            if self.apart:
                self.shell.run(_OWN, work.own_reader, lambda own: self._begin(*own))

    def _show_state(self) -> None:
        """Update the rail, the sentence under the title, and the menu."""
        standing = self.standing
        gold = standing.gold if standing is not None else None
        self._another.setEnabled(gold is not None)
        self._export.setEnabled(bool(standing and standing.finished))
        for action in (self._new_set, self._bring, self._merge):
            action.setEnabled(not self.read_only)
        self._files.setEnabled(gold is not None)
        for action in (self._another, self._new_set, self._bring, self._export, self._files, self._merge):
            action.setVisible(not self.apart)
        self.tabs.setVisible(not self.apart)
        if standing is None:
            return
        finished = self._finished()
        state = rail_text(standing, finished)
        self.state_changed.emit(state, attention(standing.measured), state)
        self._offer_start()
        if gold is None:
            self.meta.setText("")
            self.sentence.setText(invitation())
            return
        opened = self.shell.opened
        if self.apart and opened is not None:
            self.sentence.setText(about_file(gold, finished, opened.path.name))
        else:
            self.sentence.setText(about(gold))
        session = self.session
        if session is None:
            self.meta.setText("")
        else:
            how = say("blind") if session.blind else say("answers in sight")
            self.meta.setText(f"{session.reader}, {how}")

    def _offer_start(self) -> None:
        """Offer to draw reports where that is the next step, unless the panel on show does."""
        none = self.standing is not None and self.standing.gold is None
        self.start.setVisible(none and self.tabs.currentIndex() != _READ)
        enable(self.start, read_only_text() if self.read_only else "")

    def _finished(self) -> int:
        """Number of reports finished by the current reader, or by the one who has finished most."""
        if self.session is not None:
            return self.session.finished
        return max(self.standing.finished.values(), default=0) if self.standing is not None else 0

    # --- drawing, and who reads ----------------------------------------------------------------------

    @Slot()
    def ask_draw(self) -> None:
        """Show the options for drawing."""
        self.draw_panel.set_possible(read_only_text() if self.read_only else "")
        self.tabs.setCurrentIndex(_READ)
        self.views.setCurrentWidget(self.draw_panel)
        if self.isVisible() and keyboard.is_in(self.more):
            # The page was opened before its content was known, so the focus went to the head.
            self.draw_panel.size_field.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(int, object)
    def _draw(self, size: int, order: Draw, *_clicked: bool) -> None:
        gold = self.standing.gold if self.standing is not None else None
        seed = gold.number if gold is not None else 0  # other reports than those before
        self.draw_panel.draw.setEnabled(False)
        self.shell.run(
            _DRAW,
            lambda department, progress: department.gold.draw(size, order=order, seed=seed, progress=progress),
            lambda _gold: self._look(), title=_title(self._new_set), keeps=True, long=order is Draw.WORST_FIRST,
            failed=partial(self._not_done, self.ask_draw), stopped=self.ask_draw,
        )  # fmt: skip

    @Slot()
    def ask_reader(self) -> None:
        """Ask who is reading."""
        standing = self.standing
        if standing is None or standing.gold is None:
            return
        total = whole(len(standing.gold.report_ids))
        done = [
            f"{reader}: {say('{n} of {total}', n=whole(n), total=total)}" for reader, n in standing.finished.items()
        ]
        self.views.setCurrentWidget(self.reader_panel)
        self.reader_panel.show_readers("\n".join(done), standing.readers)

    @Slot(str, bool)
    def _begin(self, reader: str, blind: bool) -> None:
        writes = not self.read_only
        self.early_keys.take()
        self.views.setCurrentWidget(self.early_keys)
        self.early_keys.setFocus(Qt.FocusReason.OtherFocusReason)
        self.shell.run(
            _BEGIN, lambda department, progress: department.gold.reading(reader, progress, registers=writes),
            partial(self._begun, blind),
            title=say("Fetching the reports"), failed=partial(self._not_done, self.ask_reader), stopped=self._show_tab,
        )  # fmt: skip

    def _not_done(self, again: Callable[[], None], failure: Failure) -> None:
        again()
        self.shell.messages.show_failure(Message.WORK_FAILED, failure, again)

    def _begun(self, blind: bool, reading: Reading | None) -> None:
        if reading is None:
            self._show_tab()
            return
        self.undo_stack.clear()
        self.session = ReviewSession(reading, blind=blind)
        if not self.read_only:
            for action in self.session.kept():
                self._push(partial(self._set_answer, action))
        self.read.show_session(self.session, read_only=self.read_only)
        self.tabs.setCurrentIndex(_READ)
        self._show_tab()
        self._show_state()
        self.read.text.setFocus(Qt.FocusReason.OtherFocusReason)
        for key in self.early_keys.take():
            QApplication.sendEvent(QApplication.focusWidget() or self.read.text, key)

    @Slot()
    def _show_tab(self) -> None:
        index = self.tabs.currentIndex()
        self._offer_start()
        if index == _WELL:
            self.views.setCurrentWidget(self.well)
            self.well.look()
        elif index == _UNREAD:
            self.views.setCurrentWidget(self.unread)
            self.unread.show_for(True)
        elif self.session is None and self.standing is not None and self.standing.gold is None:
            self.ask_draw()
        elif self.session is None:
            self.ask_reader()
        else:
            self.views.setCurrentWidget(self.read)

    @Slot(str)
    def open_report(self, report_id: str) -> None:
        """Open a report of the gold set with the reader's answers."""
        self.tabs.setCurrentIndex(_READ)
        if self.session is not None and report_id in self.session.place:
            self.read.show_report(self.session.place[report_id])
            self.read.text.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(object)
    def explain(self, finding: Finding) -> None:
        """Show why a finding is read as it is."""
        WhyDialog(self, self.shell, finding, self._unread_decided).open()

    @Slot(object, str)
    def _unread_decided(self, finding: Finding, phrase: str) -> None:
        self.undo_stack.push(Edit("", finding.decided, phrase, partial(self._decide, finding)))

    def _decide(self, finding: Finding, phrase: str) -> None:
        """Store and show what is decided on a finding that was left unread; '' for nothing."""
        self._renew = True
        self._keep(lambda department: department.runs.decide([finding], phrase))
        self.tabs.setCurrentIndex(_UNREAD)
        self.unread.show_decided(finding, phrase)

    # --- answers -----------------------------------------------------------------------------------

    def _push(self, show: Callable[[bool], None]) -> None:
        """Do a step that can be undone; ``show`` gets True to do or redo it, False to undo it."""
        self.undo_stack.push(Edit("", False, True, show))

    @Slot(object)
    def _answered(self, action: Action) -> None:
        if self.session is not None:
            self._push(partial(self._set_answer, action))

    def _set_answer(self, action: Action, holds: bool) -> None:
        """Do, redo or undo an answer and store that; no effect if it was done before the page was opened."""
        session = self.session
        if session is None or session.holds(action) == holds:
            return
        if holds and session.apply(action):
            self._keep(lambda department: department.gold.mark(session.reader, action))
        else:
            if not holds:
                session.take_back(action)
            self._set_undone(action.name, undone=not holds)
            self.tabs.setCurrentIndex(_READ)
            self.views.setCurrentWidget(self.read)
            key = action.marks[0].key if action.marks and action.done is None else ""
            self.read.show_report(session.place[action.report_id], key)
        if action.done is not None or session.answers(action.report_id).done:
            self._show_state()
            self._figures_change()

    def _set_undone(self, name: str, *, undone: bool) -> None:
        """Store that an answer or a decision was undone or redone."""
        self._keep(lambda department: (department.gold.undo if undone else department.gold.redo)(name))

    def _figures_change(self) -> None:
        self._news = True
        self._figures.start()

    def _keep(self, write: work.Write) -> None:
        """Store it in the worker, between the parts of any running task; at the latest before closing."""
        opened = self.shell.opened
        if opened is None:
            return
        self.outbox.put(write)
        self.shell.run(_KEEP, self.outbox.flush, lambda _n: None)
        self.shell.tasks.tidy(partial(self.outbox.flush, opened.department))

    # --- readers compared ----------------------------------------------------------------------------

    @Slot(object)
    def _decision_made(self, decision: Decision) -> None:
        self._push(partial(self._set_decision, decision))

    def _set_decision(self, decision: Decision, holds: bool) -> None:
        """Do, redo or undo a decision and store that."""
        if decision.name in self._decided:
            self._set_undone(decision.name, undone=not holds)
        else:
            self._decided.add(decision.name)
            reader = self.session.reader if self.session is not None else say("people")
            self._keep(partial(work.keep_decision, reader, decision))
        self.tabs.setCurrentIndex(_WELL)
        self.well.readers.take(decision, undone=not holds)
        self._figures_change()

    # --- files and help ----------------------------------------------------------------------------

    @Slot()
    def ask_export(self) -> None:
        """Export the results to a file."""
        self.shell.run(_EXPORT, lambda department, _: department.gold.export_text(), self._exported)

    def _exported(self, text: str) -> None:
        kinds = ("TSV (*.tsv)",)
        export = exports.text(text, "gold set", rows=text.count("\n") - 1)
        self.shell.save_file(_title(self._export), "gold.tsv", kinds, lambda _suffix: export)

    @Slot()
    def ask_import(self) -> None:
        """Ask for a file of annotated statements."""
        ask_open(self, _title(self._bring), ("TSV (*.tsv *.txt)",), self.import_file)

    @Slot(str)
    def import_file(self, name: str) -> None:
        """Create a gold set from a file."""
        reader = self.session.reader if self.session is not None else say("people")
        self.shell.run(
            _IMPORT, lambda department, progress: department.gold.import_file(Path(name), reader, progress),
            self._imported,
            title=_title(self._bring), keeps=True, failed=partial(self._not_done, self.ask_draw),
        )  # fmt: skip

    def _imported(self, imported: ImportedGold) -> None:
        self._news = True
        if imported.missing:
            what = say("Left out, because they are not in this workspace: {n}.", n=reports_text(len(imported.missing)))
            self.shell.messages.show_message(Message.NOTHING_TO_SHOW, what=what)
        self._look()

    # --- review files ------------------------------------------------------------------------------

    @Slot()
    def show_files(self) -> None:
        """Show the review files that were handed out, and make another."""
        if self.standing is not None and self.standing.gold is not None:
            self.files = FilesDialog(self.shell, self.standing, self)
            self.files.made.connect(self._look)
            self.files.open()

    @Slot()
    def ask_merge(self) -> None:
        """Ask for a review file that came back."""
        ask_open(self, _title(self._merge), ("RadCal (*.radcal)",), self.merge_file)

    @Slot(str)
    def merge_file(self, name: str) -> None:
        """Merge a review file."""
        self.shell.run(
            _MERGE, lambda department, progress: department.review_files.take_back(Path(name), progress), self._merged,
            title=_title(self._merge), keeps=True,
        )  # fmt: skip

    def _merged(self, merged: Returned) -> None:
        self._news = self._news or merged.changed
        messages = self.shell.messages
        messages.clear(Message.NOT_TAKEN_IN)
        messages.show_message(Message.TAKEN_IN, what=merged_text(merged))
        if merged.refused:
            messages.show_message(Message.NOT_TAKEN_IN, what=not_merged_text(merged))
        session = self.session
        if session is not None and merged.changed and merged.is_current and session.reader == merged.hand_out.person:
            self._begin(session.reader, session.blind)
        self._look()

    @Slot()
    def show_keys(self) -> None:
        """Show the list of keys."""
        show_keys(self)

    # --- page --------------------------------------------------------------------------------------

    def arrive(self, *, tab: str = "", **_where: Any) -> None:
        """``tab``: 'read', 'unread' (the findings that were left unread), or 'accuracy'."""
        self.undo_stack.setActive(True)
        self._led = tab in _TABS
        if self._led:
            self.tabs.setCurrentIndex(_TABS[tab])
        if self._is_made("read") and self.views.currentWidget() is self.read:
            self.read.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def leave(self) -> None:
        """Notify the pages that quote the accuracy if it changed, and make results anew after decisions."""
        measured = self.standing.measured if self.standing is not None else None
        news = self._news and measured is not None and measured.reports >= ENOUGH
        if (news or self._renew) and not self.read_only:
            self.shell.reload()
        self._news = self._renew = False


def _title(action: QAction) -> str:
    """The text of an entry of the menu, as a title."""
    return action.text().replace("&", "").rstrip("\u2026")
