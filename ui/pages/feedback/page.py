"""The radiologists' pages: preview, contents, saving, printing, and files for all."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QHideEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QSplitter, QWidget

from radcal.feedback.records import PageChoice
from radcal.system.selection import ALL_DAYS, Selection
from ui.kit.action import later, menu_button, push_button
from ui.kit.files import ask_save
from ui.kit.layout import Tabs, vbox
from ui.pages.feedback import work
from ui.pages.feedback.batch import BatchPanel
from ui.pages.feedback.choice import ChoiceChange, ChoicePanel
from ui.pages.feedback.hand_outs import HandOuts
from ui.pages.feedback.pages_tab import DraftsTab, PagesTab
from ui.pages.feedback.preview import ReadingPanel
from ui.pages.feedback.saving import local_sheet, page_name
from ui.pages.stage import StagePage
from ui.sentences import author_name
from ui.shell import open_file
from ui.widgets.dates import describe
from ui.widgets.empty import no_findings_of_author
from ui.widgets.messages import Message
from ui.words import counted, months, say, typographic, whole

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent

    from radcal.feedback.records import Sheet
    from radcal.system.selection import Days
    from ui.kit.part import Ask
    from ui.pages.feedback.printing import Printing
    from ui.records import Opened
    from ui.shell import Shell
    from ui.tasks import Failure

PREVIEW, KEEP, SAVE = "feedback preview", "keep what goes in", "save feedback"
ONE, ALL, TOGETHER, DRAFTS = range(4)
_WITH_MONTHS = 800
"""Minimum page width for the months beside the name and the buttons."""
_CLICK_MS, _TYPE_MS, _KEEP_MS = 60, 350, 1200


class FeedbackPage(StagePage):
    """Tabs of one radiologist's pages, everyone's files, the department's page, and the pages on drafts."""

    uses_selection = True
    selects: tuple[str, ...] = ("author", "dates", "run")

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._author = ""
        self._days = ALL_DAYS
        self.preview: work.Preview | None = None
        """The displayed pages; None while they are being made."""
        self._choice: PageChoice | None = None
        self._kept: PageChoice | None = None
        self._department: object = None
        self._sheet = local_sheet()
        self._printing: Printing | None = None
        self._stale = True
        self._soon = later(self, self._make_preview)
        self._keeping = later(self, self._keep)
        self._build_head()
        self.tabs = Tabs(say("Views"))
        self.tabs.addTab(self._build_one(), say("One radiologist"))
        self.batch = BatchPanel(shell, self.sheet)
        self.batch.chosen.connect(self._choose)
        self.tabs.addTab(self.batch, say("All radiologists"))
        self.together = PagesTab(shell, "department preview", work.DEPARTMENT, self.sheet)
        self.tabs.addTab(self.together, say("Department"))
        self.drafts = DraftsTab(shell, self.sheet, self.tabs)
        self.tabs.addTab(self.drafts, say("Drafts"))
        for tab in (self.together, self.drafts):
            tab.changed.connect(self._show_head)
        self.tabs.currentChanged.connect(self._turn)
        self.body.addWidget(self.tabs, 1)

    # --- building ----------------------------------------------------------------------------------

    def _build_head(self) -> None:
        self.save = push_button(
            say("&Save as PDF\u2026"), self.ask_save, tip=say("Save these pages, to send or to keep"), primary=True
        )
        self.print = push_button(say("Pr&int\u2026"), self.ask_print)
        # A child of the button: the shortcut works while it is visible and enabled.
        QShortcut(QKeySequence(QKeySequence.StandardKey.Print), self.print).activated.connect(self.print.click)
        self.try_button = push_button(
            say("&Try a sentence"),
            partial(self.shell.go, "try"),
            tip=say("Paste a draft and see this advice beside its words"),
        )
        self.hand_outs = HandOuts(self.shell, self, self.sheet, lambda: self._choice)
        self.more = menu_button(say("&More"), say("More actions"))
        self.card = self.more.menu().addAction(say("Pocket &card\u2026"), self._ask_card)
        self.macros = self.more.menu().addAction(say("&Dictation macros\u2026"), self._ask_macros)
        self.packet = self.more.menu().addAction(say("Write a personal &file\u2026"), self._ask_packet)
        self.reset = self.more.menu().addAction(say("Put &everything in again"), self._put_back)
        for place, button in enumerate((self.save, self.print, self.try_button, self.more), 2):
            self.head.addWidget(button, 0, place)

    def _build_one(self) -> QWidget:
        self.choices = ChoicePanel()
        self.choices.changed.connect(self._changed)
        self.choices.sheet_changed.connect(self._sheet_changed)
        self.choices.set_sheet(self._sheet)
        self.reading = ReadingPanel(self.shell)
        self.reading.all_dates_wanted.connect(self.choose_all_dates)
        self.view = self.reading.view
        self.splitter = QSplitter(Qt.Orientation.Horizontal)
        self.splitter.addWidget(self.choices)
        self.splitter.addWidget(self.reading)
        self.splitter.setStretchFactor(0, 0)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setChildrenCollapsible(False)
        self.choices.setMinimumWidth(self.choices.minimum_width())
        self.splitter.setSizes([280, 900])
        page = QWidget()
        vbox(self.splitter, parent=page, margins=(0, 8, 0, 0))
        for keys, step in (("Ctrl+PgDown", 1), ("Ctrl+PgUp", -1)):
            shortcut = QShortcut(keys, page)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(partial(self.reading.turn, step))
        return page

    # --- what is shown -----------------------------------------------------------------------------

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        """List the radiologists and rebuild the current one's pages."""
        department = opened.department if opened else None
        if department is not self._department:
            self._keeping.stop()
            self.batch.forget()
            self.drafts.show_people(())
            self._author = ""
        self._department = department
        self.batch.show_department(opened)
        has_results = bool(opened and opened.of_radiologists)
        self.together.show_department(has_results=has_results)
        self.drafts.show_department(has_results=has_results and not (opened and opened.personal))
        personal = bool(opened and opened.personal)
        for tab in (ALL, TOGETHER):
            self.tabs.setTabVisible(tab, not personal)
        self.tabs.tabBar().setVisible(not personal)
        self.packet.setEnabled(bool(opened and not opened.read_only))  # else their passphrases cannot be kept
        self.choices.set_personal(personal)
        n = self.batch.model.rowCount()
        meaning = counted(n, "feedback for {n} radiologist", "feedback for {n} radiologists")
        self.state_changed.emit(*(whole(n), "", meaning) if n and not personal else ("", "", ""))
        self._show_author(force=True)
        if self.isVisible():
            self.drafts.ask()

    @Slot(object)
    def show_selection(self, selection: Selection | None) -> None:
        """Show the pages of another radiologist or date range; the pathology is irrelevant here."""
        self._show_author()
        self._show_head()
        self.batch.show_days(selection.days if selection else ALL_DAYS)
        for tab in (self.together, self.drafts):
            tab.show_days()

    def arrive(self, **where: Any) -> None:
        """Open the preview; with ``tab``, 'all' radiologists' files, the 'department' page or 'drafts'."""
        wanted = {"all": ALL, "department": TOGETHER, "drafts": DRAFTS}.get(str(where.get("tab")), ONE)
        self.tabs.setCurrentIndex(wanted if self.tabs.isTabVisible(wanted) else ONE)
        if self.tabs.currentIndex() == 0 and not self.is_empty:
            self.view.setFocus()  # the buttons are disabled until the pages are made
        if self._stale:
            self._soon.start(0)
        self.drafts.ask()

    def leave(self) -> None:
        """Store the last change at once."""
        self._keep()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """When space is tight, the name takes precedence over the months."""
        super().resizeEvent(event)
        self.meta.setVisible(self.width() >= _WITH_MONTHS)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._keep()

    def sheet(self) -> Sheet:
        """Paper size and language of the pages: the country's and the window's unless chosen."""
        return self._sheet

    def _show_author(self, *, force: bool = False) -> None:
        opened, selection = self.shell.opened, self.shell.selection
        of_model = opened is not None and selection is not None and selection.author in opened.models
        if opened is None or not opened.of_radiologists or of_model:
            self._author, self.preview, self._choice = "", None, None
            self._show_nothing(opened, of_model=of_model)
            return
        authors = [row.author for row in self.batch.model.rows]
        wanted = opened.personal or (selection.author if selection else "")
        author = wanted if wanted in authors else authors[0]
        days = selection.days if selection else ALL_DAYS
        if author == self._author and days == self._days and not force:
            return
        if author != self._author:
            self._keep()
            self.undo_stack.clear()
            self._choice = self._kept = None
            self.choices.setEnabled(False)  # until the stored choice is loaded
        if (author, days) != (self._author, self._days):
            self.preview = None  # pages of other dates must not be saved or printed
            self.reading.show_preview(None)
        self._author, self._days = author, days
        self.show_content()
        self._show_topics()
        self.choices.set_hint(
            say("This file is open to read only: what you choose here lasts until it is closed.")
            if opened.read_only
            else say("Kept for this radiologist, for these pages and for the files of all.")
        )
        self._show_head()
        self._stale = True
        if self.isVisible():
            self._soon.start(0)

    def _show_topics(self) -> None:
        """The pathologies, most statements first; counts arrive later."""
        groups, limited = self.shell.opened.groups if self.shell.opened else {}, self._days.are_limited
        said = {g.topic: v.reliability.n for g, v in groups.items() if g.author == self._author}
        if limited and self.preview is not None:
            said = {topic: self.preview.said.get(topic, 0.0) for topic in said}
        topics = sorted(said.items(), key=lambda at: (-at[1], at[0]))
        self.choices.set_topics(topics, counted=not limited or self.preview is not None)
        self.choices.set_choice(self._choice or PageChoice())

    def _show_nothing(self, opened: Opened | None, *, of_model: bool = False) -> None:
        if of_model:
            self.show_empty(
                say("Pages are written for people. What a language model should say instead stands under Advice."),
                say("Go to &Advice"),
                "advice",
            )
        elif opened is None:
            self.show_closed(say("Feedback"), say("Open a workspace. Pages are made from the results of a department."))
        else:
            why = typographic(opened.reason)
            text = say("There are no pages yet, because there are no results. {why}", why=why)
            self.show_empty(text.strip(), say("Go to Import"), "import")
        for button in (self.save, self.print, self.try_button, self.more):
            button.hide()
        self.title.setText(say("Feedback"))
        self.sentence.setText("")
        self.meta.setText("")

    @Slot(int)
    def _turn(self, tab: int) -> None:
        """With everyone's files, the selection is made in the table only."""
        self.selects = ("dates", "run") if tab else FeedbackPage.selects
        self.selects_changed.emit()
        self._show_head()

    @Slot()
    def _show_head(self) -> None:
        opened = self.shell.opened
        if opened is None or not self._author:
            return
        one, ready = self.tabs.currentIndex() == ONE, self._ready_tab()
        together = self.tabs.currentIndex() == TOGETHER
        self.try_button.setVisible(one)
        self.more.setVisible(one or together)
        self.packet.setVisible(not together and not opened.personal)
        self.reset.setVisible(not together)
        for button in (self.save, self.print):
            button.setVisible(one or ready is not None)
        titles = (
            opened.called(self._author),
            say("Feedback for all radiologists"),
            say("The department\u2019s page"),
            say("Drafts and the signed wording"),
        )
        self.title.setText(titles[self.tabs.currentIndex()])
        limited = self._days.are_limited
        every = months(*opened.exams.get(self._author, (None, None)))
        self.meta.setText(describe((self._days.first, self._days.last)) if limited else every if one else "")
        if ready is self.drafts:
            text = say(
                "What became of a person\u2019s own drafts that somebody else signed, for that person. Who signed is"
                " not named."
            )
        elif ready is not None:
            text = say("All radiologists under their pseudonyms, in no order of merit, and the words it is about.")
        elif not one:
            text = say(
                "Each radiologist\u2019s pages, with what was chosen for each, and personal files. Enter on a row"
                " shows the pages."
            )
        elif opened.personal:
            text = say("Your pages. What you tick goes in.")
        else:
            text = say("The pages as the radiologist will read them. What you tick goes in.")
        if one and limited:
            text += " " + say("They are worked out from the examinations of the chosen dates alone.")
        self.sentence.setText(text)
        there = ready.made is not None if ready is not None else self._is_ready()
        for control in (self.save, self.print, self.card, self.macros):
            control.setEnabled(there)

    def _ready_tab(self) -> PagesTab | None:
        """The tab on show, if nothing is chosen for its pages."""
        tab = self.tabs.currentWidget()
        return tab if isinstance(tab, PagesTab) else None

    def _is_ready(self) -> bool:
        return self.preview is not None and any(self.preview.said.values())

    # --- preview -----------------------------------------------------------------------------------

    @Slot()
    def _make_preview(self) -> None:
        if not self._author:
            return
        self._stale = False
        self.reading.note.setText(say("Making the pages\u2026") if self.preview is None else "")
        self.shell.run(
            PREVIEW,
            partial(work.preview, author=self._author, choice=self._choice, days=self._days, sheet=self._sheet),
            self._show_preview,
            failed=self._preview_failed,
        )

    def _show_preview(self, preview: work.Preview) -> None:
        if (preview.author, preview.days) != (self._author, self._days):
            return
        first = self._choice is None
        self.preview = preview
        if first:
            self._choice = self._kept = preview.choice
            self.choices.setEnabled(True)
        if first or self._days.are_limited:
            self._show_topics()
        self.choices.set_comparable(
            preview.others,
            say("Fewer than three other readers used any of these words, so that one could be told."),
        )
        self.reading.note.setText("")
        opened, selection = self.shell.opened, self.shell.selection
        if any(preview.said.values()) or opened is None or selection is None:
            self.reading.show_preview(preview)
        else:
            self.reading.show_no_findings(no_findings_of_author(opened, replace(selection, author=self._author)))
        self._show_head()

    def _preview_failed(self, failure: Failure) -> None:
        self._stale = True
        self.reading.note.setText("")
        self.shell.messages.show_failure(Message.WORK_FAILED, failure, self._make_preview)

    # --- choice ------------------------------------------------------------------------------------

    @Slot(object, object)
    def _changed(self, choice: PageChoice, typed: bool) -> None:
        if self._choice is None or choice == self._choice:
            return
        self.undo_stack.push(ChoiceChange(self._choice, choice, self._use, typed=typed))
        self._take(choice, _TYPE_MS if typed else _CLICK_MS)

    def _use(self, choice: PageChoice) -> None:
        """Undo or redo."""
        self.choices.set_choice(choice)
        self._take(choice, _CLICK_MS)

    def _take(self, choice: PageChoice, wait: int) -> None:
        self._choice = choice
        self._soon.start(wait)
        self._keeping.start(_KEEP_MS)

    @Slot()
    def _put_back(self) -> None:
        self.choices.set_choice(PageChoice())
        self._changed(self.choices.choice(), False)

    @Slot()
    def _keep(self) -> None:
        """Store the choice if it changed and the workspace is writable."""
        self._keeping.stop()
        opened, choice = self.shell.opened, self._choice
        if opened is None or opened.department is not self._department or opened.read_only:
            return
        if choice is None or choice == self._kept or not self._author:
            return
        self._kept, author = choice, self._author
        self.shell.run(
            f"{KEEP} {author}",
            lambda department, _: department.pages.keep_choice(author, choice),
            lambda _: None,
            keeps=True,
        )

    @Slot(object)
    def _sheet_changed(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._soon.start(0)
        for tab in (self.together, self.drafts):
            tab.forget()

    @Slot(object)
    def _choose(self, author: str) -> None:
        """Go from the table to one radiologist's pages; the selector bar follows."""
        opened, selection = self.shell.opened, self.shell.selection
        if opened is None:
            return
        self.tabs.setCurrentIndex(0)
        topics = [g.topic for g in opened.groups if g.author == author]
        if topics:
            topic = selection.topic if selection and selection.topic in topics else topics[0]
            self.shell.choose(Selection(author, topic, selection.days if selection else ALL_DAYS))
        self.view.setFocus()

    # --- out of the window -------------------------------------------------------------------------

    @Slot()
    def ask_save(self) -> None:
        """Ask where to save the pages on show."""
        if (tab := self._ready_tab()) is not None and tab.made is not None:
            name = page_name(tab.title(), tab.made.days)
            ask_save(self.window(), say("Save the page as PDF"), name, [say("PDF (*.pdf)")], self.save_ready)
        if self.preview is None or self.tabs.currentIndex() != ONE:
            return
        title = say("Save the pages as PDF")
        suggested = page_name(self._author, self._days)
        ask_save(self.window(), title, suggested, [say("PDF (*.pdf)")], self.save_as)

    @Slot(str)
    def save_as(self, name: str) -> None:
        """Save the pages with the current choice under a name."""
        self._keep()
        who = author_name(self._author, self.shell.opened)
        pages = partial(work.write_pages, author=self._author, choice=self._choice or PageChoice(), days=self._days)
        self._write(who, partial(pages, sheet=self._sheet, out=Path(name)))

    @Slot(str)
    def save_ready(self, name: str) -> None:
        """Save the pages for which nothing is chosen under a name."""
        if (tab := self._ready_tab()) is not None:
            self._write(tab.whose(), tab.writing(Path(name)))

    def _write(self, who: str, pages: Ask[Path]) -> None:
        self.shell.run(
            SAVE,
            pages,
            partial(self._saved, who),
            title=say("Writing the pages of {author}", author=who),
            failed=partial(self._save_failed, who),
            keeps=True,
        )

    def _saved(self, author: str, path: Path) -> None:
        self.shell.messages.show_message(Message.SAVED, partial(open_file, path), author=author)

    def _save_failed(self, author: str, failure: Failure) -> None:
        self.shell.messages.show_failure(Message.SAVE_FAILED, failure, self.ask_save, author=author)

    @Slot()
    def ask_print(self) -> None:
        """Ask for a printer and print the pages on show."""
        tab = self._ready_tab()
        shown = self.preview if tab is None else tab.made
        if shown is None:
            return
        if self._printing is None:
            from ui.pages.feedback.printing import Printing

            self._printing = Printing(self.shell, self)
        name = author_name(self._author, self.shell.opened) if tab is None else tab.title()
        author = self._author if tab is None else tab.about().get("person", "")
        self._printing.ask(name, shown.pdf, shown.pages, author)

    @Slot()
    def _ask_card(self) -> None:
        self.hand_outs.ask_card(*self._of_whom())

    @Slot()
    def _ask_macros(self) -> None:
        self.hand_outs.ask_macros(*self._of_whom())

    def _of_whom(self) -> tuple[str, Days]:
        """The radiologist on show, '' for the department, and the days."""
        self._keep()  # a card leaves out what the pages do
        if self.tabs.currentIndex() == TOGETHER:
            return "", self.together.days
        return self._author, self._days

    @Slot()
    def _ask_packet(self) -> None:
        self._keep()
        self.tabs.setCurrentIndex(1)
        self.batch.ask_packet(self._author)
