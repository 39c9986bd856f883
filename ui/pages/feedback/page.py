"""The Feedback page: who can be given feedback now, the pages as printed, what is handed out, and trying a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from radcal.system.selection import ALL_DAYS, Selection
from ui.kit.action import later
from ui.kit.layout import Tabs, vbox
from ui.kit.opening import Opening
from ui.pages.feedback import sentences, work
from ui.pages.feedback.hand_out_tab import HandOutTab
from ui.pages.feedback.meeting_tab import MeetingTab
from ui.pages.feedback.paper_tab import PaperTab
from ui.pages.feedback.trying_tab import TryTab
from ui.pages.stage import StagePage
from ui.words import counted, say, typographic

if TYPE_CHECKING:
    from ui.records import Opened
    from ui.shell import Shell

BEFORE = "what was handed out before"
PAGES, HAND_OUT, TRY = range(3)
_AT_LEISURE_MS = 500
"""By then the page has been painted."""


class FeedbackPage(StagePage):
    """Tabs of the pages on paper, what is handed out and comes back with the next meeting's cases, and a draft.

    A personal file has the first and the third.
    """

    uses_selection = True
    selects: tuple[str, ...] = ("author", "dates", "run")

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._department: object = None
        self._before: work.Before | None = None
        self._soon = later(self, self._ask_before, _AT_LEISURE_MS)
        self.paper = PaperTab(shell, self.undo_stack)
        self.hand_out = HandOutTab(shell, self.paper.sheet)
        self.trying = TryTab(shell)
        self.meeting = MeetingTab(shell, self.undo_stack)
        self.next_meeting = Opening(say("Next &meeting"), self.meeting)
        self.next_meeting.opened_changed.connect(
            lambda opened: self.hand_out.setVisible(not opened)
        )  # there is room for one
        given = QWidget()
        vbox((self.hand_out, 1), self.next_meeting, parent=given)
        self.save = self.paper.save
        for place, button in enumerate(self.paper.buttons, 2):
            kept = button.sizePolicy()
            kept.setRetainSizeWhenHidden(True)  # the tabs stay where they are
            button.setSizePolicy(kept)
            self.head.addWidget(button, 0, place)
        self.tabs = Tabs(say("Feedback"))
        self.tabs.addTab(self.paper, say("Pages"))
        self.tabs.addTab(given, say("Hand out"))
        self.tabs.addTab(self.trying, say("Try a sentence"))
        self.paper.changed.connect(self._show_head)
        self.paper.all_dates_wanted.connect(self.choose_all_dates)
        self.hand_out.chosen.connect(self._choose)
        self.hand_out.written.connect(self._ask_before)
        self.tabs.currentChanged.connect(self._show_head)
        self.body.addWidget(self.tabs, 1)

    # --- what is shown -----------------------------------------------------------------------------

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        """List the radiologists and make the pages anew."""
        department = opened.department if opened else None
        if department is not self._department:
            self._department, self._before = department, None
            self.hand_out.forget()
            self.trying.forget()
            self.meeting.forget()
        self.paper.show_department(opened)
        self.hand_out.show_department(opened)
        self.tabs.setTabVisible(HAND_OUT, not (opened and opened.personal))
        self._show_author(force=True)
        self._soon.start()

    @Slot(object)
    def show_selection(self, selection: Selection | None) -> None:
        """Show the pages of another radiologist or date range; the pathology is irrelevant here."""
        self._show_author()
        self.hand_out.show_days(selection.days if selection else ALL_DAYS)

    def arrive(self, tab: str = "pages", **_where: Any) -> None:
        """Open a tab: 'pages', 'hand out', 'try'; or 'meeting', which is on the second."""
        wanted = {"hand out": HAND_OUT, "try": TRY, "meeting": HAND_OUT}.get(tab, PAGES)
        self.tabs.setCurrentIndex(wanted if self.tabs.isTabVisible(wanted) else PAGES)
        self.next_meeting.unfold(tab == "meeting")
        if not self.is_empty:
            # The buttons are disabled until the pages are made.
            given = self.meeting.table.view if self.next_meeting.is_open else self.hand_out.table.view
            (self.paper.view, given, self.trying.draft)[wanted].setFocus()

    def leave(self) -> None:
        """Forget the draft."""
        self.trying.forget()

    def _show_author(self, *, force: bool = False) -> None:
        opened, selection = self.shell.opened, self.shell.selection
        of_model = opened is not None and selection is not None and selection.author in opened.models
        if opened is None or not opened.of_radiologists or of_model:
            self._show_nothing(opened, of_model=of_model)
            return
        authors = sorted({group.author for group in opened.of_radiologists})
        wanted = opened.personal or (selection.author if selection else "")
        author, days = wanted if wanted in authors else authors[0], selection.days if selection else ALL_DAYS
        self.show_content()
        self.paper.show_for(author, days, force=force)
        self.trying.show_for(author, days, opened)
        self._show_head()

    def _show_nothing(self, opened: Opened | None, *, of_model: bool) -> None:
        name = say("Feedback")
        self.state_changed.emit("", "", "")
        for button in self.paper.buttons:
            button.hide()
        if opened is None:
            self.show_closed(name, say("Open a workspace. Feedback is made from the results of a department."))
            return
        self.title.setText(name)
        self.sentence.clear()
        if of_model:
            text = say("Feedback is written for people. Choose a radiologist.")
            self.show_empty(text, say("Go to &Results"), "results")
        else:
            text = say("There is no feedback yet, because there are no results. {why}", why=typographic(opened.reason))
            self.show_empty(text.strip(), say("Go to Reports"), "reports")

    @Slot()
    def _show_head(self, *_: object) -> None:
        opened, tab = self.shell.opened, self.tabs.currentIndex()
        if opened is None or self.is_empty:
            return
        for button in self.paper.buttons:
            button.setVisible(tab == PAGES and (button is not self.paper.more or not self.paper.whose.drafts))
        # A radiologist in the bar would look chosen where all are listed.
        alone = tab == TRY or (tab == PAGES and self.paper.is_own)
        selects = FeedbackPage.selects if alone else FeedbackPage.selects[1:]
        if selects != self.selects:
            self.selects = selects
            self.selects_changed.emit()
        if opened.personal:
            self.title.setText(say("Your page"))
            n = sum(view.reliability.n for view in opened.of_radiologists.values())
            self.sentence.setText(
                counted(
                    n,
                    "What CT found after your words, in {n} finding.",
                    "What CT found after your words, in {n} findings.",
                )
            )
            self.state_changed.emit("", "", "")
            return
        able = sentences.enough(opened)
        given = None if self._before is None else self._before.given
        self.title.setText(say("Feedback"))
        self.sentence.setText(sentences.who(able, given, opened.min_phrase_n))
        waiting = 0 if given is None else sum(author not in given or given[author].at is None for author in able)
        meaning = counted(
            waiting,
            "{n} radiologist has enough for a page, and none was made yet",
            "{n} radiologists have enough for a page, and none was made yet",
        )
        self.state_changed.emit(*(say("{n} ready", n=waiting), "", meaning) if waiting else ("", "", ""))

    # --- what was handed out -----------------------------------------------------------------------

    @Slot()
    def _ask_before(self) -> None:
        opened = self.shell.opened
        if opened is not None and opened.of_radiologists and not opened.personal:
            self.shell.run(BEFORE, work.before, self._show_before)

    def _show_before(self, before: work.Before) -> None:
        self._before = before
        self.hand_out.show_before(before)
        self._show_head()

    @Slot(object)
    def _choose(self, author: str) -> None:
        """Go from the table to one radiologist's pages; the selector bar follows."""
        opened, selection = self.shell.opened, self.shell.selection
        if opened is None:
            return
        self.paper.show_own()
        self.tabs.setCurrentIndex(PAGES)
        topics = [g.topic for g in opened.groups if g.author == author]
        if topics:
            topic = selection.topic if selection and selection.topic in topics else topics[0]
            self.shell.choose(Selection(author, topic, selection.days if selection else ALL_DAYS))
        self.paper.view.setFocus()
