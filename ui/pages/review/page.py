"""Review: people annotate some reports; engines are measured against them, and readers compared."""

from __future__ import annotations

from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import QApplication, QStackedWidget, QTabBar, QWidget

from radcal.review.records import ENOUGH, Action, Decision, Draw
from radcal.system import exports
from radcal.system.kinds import FileKind
from ui.kit import keyboard
from ui.kit.action import menu_button
from ui.kit.files import ask_open
from ui.kit.undoing import Edit
from ui.pages.review import work
from ui.pages.review.accuracy_view import AccuracyView
from ui.pages.review.agreement_view import AgreementView
from ui.pages.review.files_dialog import FilesDialog
from ui.pages.review.keys import KeysDialog
from ui.pages.review.read_view import ReadView
from ui.pages.review.sentences import (
    about,
    about_file,
    attention,
    called,
    merged_text,
    not_merged_text,
    rail_meaning,
    rail_text,
)
from ui.pages.review.session import ReviewSession
from ui.pages.review.setup import DrawPanel, EarlyKeys, ReaderPanel
from ui.pages.review.unread_view import UnreadView
from ui.pages.stage import StagePage
from ui.widgets.messages import Message
from ui.widgets.why import WhyDialog
from ui.words import say, whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from radcal.feedback.hand_outs import HandOut, Returned
    from radcal.findings.records import Finding
    from radcal.review.records import ImportedGold
    from ui.pages.review.work import Measuring, Reading, Standing
    from ui.records import Opened
    from ui.shell import Shell
    from ui.tasks import Failure

_STANDING, _DRAW, _BEGIN, _KEEP = "review standing", "review draw", "review begin", "review keep"
_MEASURE, _COMPARE, _EXPORT, _IMPORT = "review measure", "review compare", "review export", "review import"
_OWN, _FILES, _MAKE, _MERGE = "review own", "review files", "review make", "review merge"
_READ, _ACCURACY, _AGREEMENT, _UNREAD = range(4)
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
        self._decided: set[str] = set()
        """Names of the decisions stored in this session."""
        self.title.setText(say("Review"))
        self._build_head()
        self.tabs = QTabBar(drawBase=False, expanding=False)
        self.tabs.setAccessibleName(say("Views"))
        for text in (say("Read"), say("Accuracy"), say("Agreement"), say("Left unread")):
            self.tabs.addTab(text)
        self.tabs.currentChanged.connect(self._show_tab)
        self.draw_panel, self.reader_panel = DrawPanel(), ReaderPanel()
        self.draw_panel.draw_wanted.connect(self._draw)
        self.draw_panel.import_wanted.connect(self.ask_import)
        self.draw_panel.left.connect(self._show_tab)
        self.reader_panel.chosen.connect(self._begin)
        self.views = QStackedWidget()
        self.body.addWidget(self.tabs)
        self.body.addWidget(self.views, 1)
        self.early_keys = EarlyKeys()
        for panel in (self.draw_panel, self.reader_panel, self.early_keys):
            self.views.addWidget(panel)
        self._figures = QTimer(self, singleShot=True, interval=_SETTLE_MS)
        self._figures.timeout.connect(self._look)

    # --- views, each made when first wanted: all of them take long -----------------------------------

    @cached_property
    def read(self) -> ReadView:
        """Where reports are read."""
        view = ReadView()
        view.did.connect(self._answered)
        view.keys_wanted.connect(self.show_keys)
        view.accuracy_wanted.connect(self._see_accuracy)
        view.findings.why_wanted.connect(self.explain)
        self.views.addWidget(view)
        return view

    @cached_property
    def accuracy(self) -> AccuracyView:
        """The engines measured."""
        view = AccuracyView(self.shell)
        view.engine_wanted.connect(self._measure)
        view.report_wanted.connect(self.open_report)
        self.views.addWidget(view)
        return view

    @cached_property
    def agreement(self) -> AgreementView:
        """The readers compared."""
        view = AgreementView(self.shell)
        view.pair_wanted.connect(self._compare)
        view.decided.connect(self._decision_made)
        view.report_wanted.connect(self.open_report)
        self.views.addWidget(view)
        return view

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
        self.more = menu_button(say("&More \u25be"), say("More actions"))
        menu = self.menu = self.more.menu()
        self._another = menu.addAction(say("&Another reader\u2026"), self.ask_reader)
        self._new_set = menu.addAction(say("&Draw another gold set\u2026"), self.ask_draw)
        menu.addSeparator()
        self._bring = menu.addAction(say("&Import a gold set\u2026"), self.ask_import)
        self._export = menu.addAction(say("&Export the gold set\u2026"), self.ask_export)
        menu.addSeparator()
        self._files = menu.addAction(say("Re&view files\u2026"), self.show_files)
        self._merge = menu.addAction(say("&Merge a review file\u2026"), self.ask_merge)
        menu.addSeparator()
        menu.addAction(say("&Keys for reviewing"), self.show_keys)
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
            self.show_closed(say("Review"), say("Open a workspace to find out how well its reports are read."))
        else:
            self._look()

    def _show_missing(self, what: str) -> None:
        """Say what must be done first, with a button that leads there."""
        if what == "pairs":
            self.show_empty(
                say("There are no reports to read yet. Import some, and let an engine read them first."),
                say("Import &reports"),
                "import",
            )
        else:
            self.show_empty(
                say("No engine has read these reports yet. Let one read them, so that it can be checked."),
                say("Let an &engine read them"),
                "extraction",
            )
        self.state_changed.emit("", "", "")

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
        """Load the progress of the gold set, and the accuracy if it is shown."""
        self.shell.run(_STANDING, work.standing, self._stands)
        if self.tabs.currentIndex() == _ACCURACY and self.standing is not None:
            self._measure(self.accuracy.run_id)

    def _stands(self, standing: Standing) -> None:
        before, self.standing = self.standing, standing
        if standing.missing:
            self._show_missing(standing.missing)
            return
        self.show_content()
        changed = before is None or before.gold != standing.gold
        if changed:
            self.session = None
            if self._is_made("accuracy"):
                self.accuracy.show_engines(())
            self.undo_stack.clear()
            if before is not None:
                self.tabs.setCurrentIndex(_READ)
        self._show_state()
        if self.tabs.currentIndex() == _UNREAD:
            self._show_tab()
        elif standing.gold is None:
            self.ask_draw()
        elif changed:
            self.ask_reader()
            if self.apart:
                self.shell.run(_OWN, work.own_reader, lambda own: self._begin(*own))
        elif self.tabs.currentIndex() == _AGREEMENT:
            self._show_agreement()

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
        for tab in (_ACCURACY, _AGREEMENT):
            self.tabs.setTabVisible(tab, gold is not None)
        if standing is None or gold is None:
            self.meta.setText("")
            self.sentence.setText(say("How well does the engine read your reports? Read some to find out."))
            self.state_changed.emit("", "", "")
            return
        finished, measured = self._finished(), standing.measured
        state, meaning = rail_text(gold, finished, measured), rail_meaning(gold, finished, measured)
        self.state_changed.emit(state, attention(measured), meaning)
        opened = self.shell.opened
        if self.apart and opened is not None:
            self.sentence.setText(about_file(gold, self._finished(), opened.path.name))
        else:
            self.sentence.setText(about(gold))
        session = self.session
        if session is None:
            self.meta.setText("")
        elif session.blind:
            self.meta.setText(say("reading blind: {reader}", reader=session.reader))
        else:
            self.meta.setText(say("reading with the engine\u2019s answers in sight: {reader}", reader=session.reader))

    def _finished(self) -> int:
        """Number of reports finished by the current reader, or by the one who has finished most."""
        if self.session is not None:
            return self.session.finished
        return max(self.standing.finished.values(), default=0) if self.standing is not None else 0

    # --- drawing, and who reads ----------------------------------------------------------------------

    @Slot()
    def ask_draw(self) -> None:
        """Show the options for drawing."""
        why = say("The workspace is open to read only.") if self.read_only else ""
        gold = self.standing.gold if self.standing is not None else None
        self.draw_panel.set_possible(why, may_leave=gold is not None)
        self.views.setCurrentWidget(self.draw_panel)
        if self.isVisible() and keyboard.is_in(self.more):
            # The page was opened before its content was known, so the focus went to the head.
            self.draw_panel.size_field.setFocus(Qt.FocusReason.OtherFocusReason)

    @Slot(int, object, int)
    def _draw(self, size: int, order: Draw, seed: int) -> None:
        self.draw_panel.draw.setEnabled(False)
        self.shell.run(
            _DRAW,
            lambda department, progress: department.gold.draw(size, order=order, seed=seed, progress=progress),
            lambda _gold: self._look(), title=say("Drawing reports"), keeps=True, long=order is Draw.WORST_FIRST,
            failed=self._not_drawn, stopped=self.ask_draw,
        )  # fmt: skip

    def _not_drawn(self, failure: Any) -> None:
        self.ask_draw()
        self.shell.messages.show_failure(Message.WORK_FAILED, failure, self.ask_draw)

    @Slot()
    def ask_reader(self) -> None:
        """Ask who is reading."""
        standing = self.standing
        if standing is None or standing.gold is None:
            return
        total = whole(len(standing.gold.report_ids))
        done = [
            say("{reader} has done {n} of {total}.", reader=reader, n=whole(n), total=total)
            for reader, n in standing.finished.items()
        ]
        self.views.setCurrentWidget(self.reader_panel)
        self.reader_panel.show_readers("\n".join(done), standing.readers)

    @Slot(str, bool)
    def _begin(self, reader: str, blind: bool) -> None:
        self.early_keys.take()
        self.views.setCurrentWidget(self.early_keys)
        self.early_keys.setFocus(Qt.FocusReason.OtherFocusReason)
        self.shell.run(
            _BEGIN, partial(work.begin, reader, not self.read_only), partial(self._begun, blind),
            title=say("Fetching the reports"), failed=self._not_begun, stopped=self._show_tab,
        )  # fmt: skip

    def _not_begun(self, failure: Failure) -> None:
        self._show_tab()
        self.shell.messages.show_failure(Message.WORK_FAILED, failure, self.ask_reader)

    def _begun(self, blind: bool, reading: Reading | None) -> None:
        if reading is None:
            self._show_tab()
            return
        self.undo_stack.clear()
        self.session = ReviewSession(reading, blind=blind)
        if not self.read_only:
            for action in self.session.kept():
                self._push(called(action), partial(self._set_answer, action))
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
        if index == _AGREEMENT:
            self.views.setCurrentWidget(self.agreement)
            self._show_agreement()
        elif index == _ACCURACY:
            self.views.setCurrentWidget(self.accuracy)
            self._measure(self.accuracy.run_id)
        elif index == _UNREAD:
            self.views.setCurrentWidget(self.unread)
            self.unread.show_for(True)
        elif self.session is None and self.standing is not None and self.standing.gold is None:
            self.ask_draw()
        elif self.session is None:
            self.ask_reader()
        else:
            self.views.setCurrentWidget(self.read)

    @Slot(object)
    def _measure(self, run_id: int | None) -> None:
        self.shell.run(_MEASURE, partial(work.measure, run_id), self._measured)

    def _measured(self, measuring: Measuring) -> None:
        self.accuracy.show_engines(measuring.engines)
        session = self.session
        own = [r.report_id for r in session.reports if session.answers(r.report_id).done] if session is not None else ()
        self.accuracy.show_measured(measuring.measured, own)

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
        self.undo_stack.push(Edit(say("decide"), finding.decided, phrase, partial(self._decide, finding)))

    def _decide(self, finding: Finding, phrase: str) -> None:
        """Store and show what is decided on a finding that was left unread; '' for nothing."""
        self._renew = True
        self._keep(lambda department: department.runs.decide([finding], phrase))
        self.tabs.setCurrentIndex(_UNREAD)
        self.unread.show_decided(finding, phrase)

    # --- answers -----------------------------------------------------------------------------------

    def _push(self, text: str, show: Callable[[bool], None]) -> None:
        """Do a step that can be undone; ``show`` gets True to do or redo it, False to undo it."""
        self.undo_stack.push(Edit(text, False, True, show))

    @Slot(object, str)
    def _answered(self, action: Action, text: str) -> None:
        if self.session is not None:
            self._push(text, partial(self._set_answer, action))

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

    def _show_agreement(self) -> None:
        readers = tuple(self.standing.finished) if self.standing is not None else ()
        if self.agreement.show_readers(readers, read_only=self.read_only):
            self._compare(*self.agreement.pair())

    @Slot(str, str)
    def _compare(self, first: str, second: str) -> None:
        self.shell.run(_COMPARE, partial(work.compare, first, second), self.agreement.show_comparing)

    @Slot(object)
    def _decision_made(self, decision: Decision) -> None:
        self._push(say("decide"), partial(self._set_decision, decision))

    def _set_decision(self, decision: Decision, holds: bool) -> None:
        """Do, redo or undo a decision and store that."""
        if decision.name in self._decided:
            self._set_undone(decision.name, undone=not holds)
        else:
            self._decided.add(decision.name)
            reader = self.session.reader if self.session is not None else say("adjudicator")
            self._keep(partial(work.keep_decision, reader, decision))
        self.tabs.setCurrentIndex(_AGREEMENT)
        self.agreement.take(decision, undone=not holds)
        self._figures_change()

    # --- files and help ----------------------------------------------------------------------------

    @Slot()
    def ask_export(self) -> None:
        """Export the results to a file."""
        self.shell.run(_EXPORT, lambda department, _: department.gold.export_text(), self._exported)

    def _exported(self, text: str) -> None:
        kinds = (say("Tab-separated values (*.tsv)"),)
        export = exports.text(text, "gold set", rows=text.count("\n") - 1)
        self.shell.save_file(say("Export the gold set"), "gold.tsv", kinds, lambda _suffix: export)

    @Slot()
    def ask_import(self) -> None:
        """Ask for a file of annotated statements."""
        kinds = (say("Tab-separated values (*.tsv *.txt)"), say("All files (*)"))
        ask_open(self, say("Import a gold set"), kinds, self.import_file)

    @Slot(str)
    def import_file(self, name: str) -> None:
        """Create a gold set from a file."""
        reader = self.session.reader if self.session is not None else say("file")
        self.shell.run(
            _IMPORT, lambda department, progress: department.gold.import_file(Path(name), reader, progress),
            self._imported,
            title=say("Importing the gold set"), keeps=True, failed=self._not_drawn,
        )  # fmt: skip

    def _imported(self, imported: ImportedGold) -> None:
        self._news = True
        if imported.missing:
            what = say(
                "{n} reports were imported; {missing} more that the file speaks of are not in this workspace and were"
                " left out.",
                n=whole(imported.reports),
                missing=whole(len(imported.missing)),
            )
            self.shell.messages.show_message(Message.NOTHING_TO_SHOW, what=what)
        self._look()

    # --- review files ------------------------------------------------------------------------------

    @Slot()
    def show_files(self) -> None:
        """Show the review files that were handed out, and make another."""
        standing = self.standing
        if standing is None or standing.gold is None or self.files is not None:
            return
        dialog = self.files = FilesDialog(
            self.shell, standing.readers, standing.gold, read_only=self.read_only, parent=self
        )
        dialog.make_wanted.connect(self.make_file)
        dialog.merge_wanted.connect(self.ask_merge)
        dialog.finished.connect(self._files_left)
        self._list_files()
        dialog.open()

    @Slot()
    def _files_left(self) -> None:
        self.files = None

    def _list_files(self) -> None:
        self.shell.run(_FILES, lambda department, _: department.review_files.handed_out(), self._files_listed)

    def _files_listed(self, handed: tuple[HandOut, ...]) -> None:
        if self.files is not None:
            self.files.show_files(handed)

    @Slot(str, bool, object)
    def make_file(self, reader: str, blind: bool, out: Path) -> None:
        """Write a review file for a reader."""
        self.shell.run(
            _MAKE, partial(work.make_file, reader, out, blind), self._file_made,
            title=say("Writing the review file"), keeps=True, failed=self._file_failed,
        )  # fmt: skip

    def _file_made(self, made: HandOut) -> None:
        if self.files is not None:
            self.files.show_made(made)
        self._list_files()
        self._look()

    def _file_failed(self, failure: Failure) -> None:
        if self.files is not None and failure.text:
            self.files.show_failed(failure.text)
        else:
            self.shell.messages.show_failure(Message.WORK_FAILED, failure, self.show_files)

    @Slot()
    def ask_merge(self) -> None:
        """Ask for a review file that came back."""
        if self.files is not None:
            self.files.accept()
        ask_open(self, say("Merge a review file"), (say("Review files (*.radcal)"),), self.merge_file)

    @Slot(str)
    def merge_file(self, name: str) -> None:
        """Merge a review file."""
        self.shell.run(
            _MERGE, partial(work.merge_file, Path(name)), self._merged,
            title=say("Merging the review file"), keeps=True,
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
    def _see_accuracy(self) -> None:
        self.tabs.setCurrentIndex(_ACCURACY)

    @Slot()
    def show_keys(self) -> None:
        """Show the list of keys."""
        KeysDialog(self).open()

    # --- page --------------------------------------------------------------------------------------

    def arrive(self, *, tab: str = "", **_where: Any) -> None:
        """``tab``: 'unread', the findings that were left unread."""
        self.undo_stack.setActive(True)
        if tab == "unread":
            self.tabs.setCurrentIndex(_UNREAD)
        if self._is_made("read") and self.views.currentWidget() is self.read:
            self.read.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def leave(self) -> None:
        """Notify the pages that quote the accuracy if it changed, and make results anew after decisions."""
        measured = self.standing.measured if self.standing is not None else None
        news = self._news and measured is not None and measured.reports >= ENOUGH
        if (news or self._renew) and not self.read_only:
            self.shell.reload()
        self._news = self._renew = False
