"""Pages as they are printed: a radiologist's, the department's, or those on a person's drafts; saved and printed."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtGui import QHideEvent, QKeySequence, QShortcut, QShowEvent, QUndoStack
from PySide6.QtWidgets import QSplitter, QStackedWidget, QWidget

from radcal.feedback.records import PageChoice
from radcal.system.selection import ALL_DAYS
from radcal.system.text import begun
from ui.kit import keyboard
from ui.kit.action import later, menu_button, push_button, tool_button
from ui.kit.form import choice, offer
from ui.kit.layout import hbox, vbox
from ui.kit.text import ElidedLabel, caption
from ui.kit.undoing import Step
from ui.pages.feedback import work
from ui.pages.feedback.choice import ChoicePanel
from ui.pages.feedback.saving import Kind, Saving, local_sheet
from ui.pages.feedback.work import Whose
from ui.sentences import author_name
from ui.widgets.empty import EmptyState, all_dates, no_findings_of_author
from ui.widgets.goal import GoalDialog
from ui.widgets.messages import Message
from ui.widgets.pdf_view import PdfView
from ui.words import percent, say

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radcal.feedback.records import Sheet
    from radcal.system.selection import Days
    from ui.pages.feedback.printing import Printing
    from ui.records import Opened
    from ui.shell import Shell
    from ui.tasks import Failure

PREVIEW, IMAGES, KEEP, PEOPLE = "feedback preview", "feedback pictures", "keep what goes in", "who has drafts"
OWN, DEPARTMENT = "own", "department"
"""In the list of pages, beside the people with drafts."""
_CLICK_MS, _TYPE_MS, _KEEP_MS = 60, 350, 1200


class PaperTab(QWidget):
    """The preview, and beside it what goes in; both follow the radiologist and the dates that are selected.

    changed: other pages are on show, or none while they are made
    all_dates_wanted: leave a date range without findings
    """

    changed = Signal()
    all_dates_wanted = Signal()

    def __init__(self, shell: Shell, undo_stack: QUndoStack) -> None:
        super().__init__()
        self._shell, self._undo = shell, undo_stack
        self._author = ""
        self._days = ALL_DAYS
        self.preview: work.Preview | None = None
        """The pages on show; None while they are being made."""
        self._choice: PageChoice | None = None
        self._kept: PageChoice | None = None
        self._opened: Opened | None = None
        self._sheet = local_sheet()
        self._printing: Printing | None = None
        self._stale = self._unasked = True
        self._soon = later(self, self._make)
        self._keeping = later(self, self._keep)
        self.saving = Saving(shell, self, self.sheet, self._choice_for)
        self._build_actions()
        self._build()

    # --- building ----------------------------------------------------------------------------------

    def _build_actions(self) -> None:
        self.save = push_button(say("&Save as PDF\u2026"), self.ask_save, primary=True)
        self.print = push_button(say("Pr&int\u2026"), self.ask_print)
        # A child of the button: the shortcut works while it is visible and enabled.
        QShortcut(QKeySequence(QKeySequence.StandardKey.Print), self.print).activated.connect(self.print.click)
        self.more = menu_button(say("&More"), say("&More").replace("&", ""))
        entries = (
            (say("Pocket &card\u2026"), partial(self._ask, Kind.CARD)),
            (say("&Dictation macros\u2026"), partial(self._ask, Kind.MACROS)),
            (say("&Goal\u2026"), self._ask_goal),
            (say("Put &everything in again"), self._put_back),
        )
        self.card, self.macros, self.goal, self.reset = (self.more.menu().addAction(*entry) for entry in entries)
        self.buttons = (self.save, self.print, self.more)
        """The buttons for the head of the page."""

    def _build(self) -> None:
        self.list = choice("")
        self.list.currentIndexChanged.connect(self._other_pages)
        self._caption = caption(say("Pages &of"), self.list)
        self.change = push_button(say("&Change what goes in"))
        self.change.setCheckable(True)
        self.change.toggled.connect(self._turn_choices)
        self.place = ElidedLabel()
        self.place.setProperty("role", "muted")
        self.place.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.view = PdfView()
        self.view.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.view.images_wanted.connect(self._draw)
        self.view.place_changed.connect(self._show_place)
        larger, smaller, _ = (action.text() for action in self.view.actions())
        self.smaller = tool_button("\u2212", self.view.zoom_out, tip=f"{smaller} (Ctrl+\u2212)")
        self.larger = tool_button("+", self.view.zoom_in, tip=f"{larger} (Ctrl++)")
        self.nothing = EmptyState()
        self.nothing.pressed.connect(self.all_dates_wanted)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.view)
        self._stack.addWidget(self.nothing)
        self.choices = ChoicePanel()
        self.choices.changed.connect(self._changed)
        self.choices.sheet_changed.connect(self._sheet_changed)
        self.choices.set_sheet(self._sheet)
        self.choices.setMinimumWidth(self.choices.minimum_width())
        self.choices.hide()
        splitter = QSplitter(Qt.Orientation.Horizontal)
        splitter.addWidget(self.choices)
        splitter.addWidget(self._stack)
        splitter.setStretchFactor(1, 1)
        splitter.setChildrenCollapsible(False)
        splitter.setSizes([280, 900])
        row = hbox(self._caption, self.list, self.change, (self.place, 1), self.smaller, self.larger)
        vbox(row, (splitter, 1), parent=self, margins=(0, 8, 0, 0))
        for keys, step in (("Ctrl+PgDown", 1), ("Ctrl+PgUp", -1)):
            shortcut = QShortcut(keys, self)
            shortcut.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
            shortcut.activated.connect(partial(self.turn, step))

    @Slot(bool)
    def _turn_choices(self, opened: bool) -> None:
        if not opened and keyboard.is_in(self.choices):
            self.change.setFocus()
        self.choices.setVisible(opened)

    # --- whose pages -------------------------------------------------------------------------------

    @property
    def is_own(self) -> bool:
        """Whether the pages are those of the radiologist who is selected."""
        return self.list.currentData() in (OWN, None)

    def sheet(self) -> Sheet:
        """Length, paper and language of the pages: the country's and the window's unless chosen."""
        return self._sheet

    def show_department(self, opened: Opened | None) -> None:
        """Another department is open, or its results changed."""
        if opened is None or self._opened is None or opened.department is not self._opened.department:
            self._keeping.stop()
            self._author = ""
            self._offer(())
        self._opened = opened
        self._unasked = opened is not None and not opened.personal
        self.choices.set_personal(bool(opened and opened.personal))
        self._offer(self._people())
        if self.isVisible():
            self.ask_people()

    def _people(self) -> tuple[str, ...]:
        found = [self.list.itemData(k) for k in range(self.list.count())]
        return tuple(whose for whose in found if whose not in (OWN, DEPARTMENT))

    def _offer(self, people: Sequence[str]) -> None:
        """List the pages that there are, with those on the drafts of ``people``."""
        called = {person: author_name(person, self._opened) for person in people}
        items = [(say("This radiologist"), OWN), (begun(say("the department")), DEPARTMENT)]
        items += [
            (say("Drafts by {author}", author=called[p]), p) for p in sorted(people, key=lambda p: called[p].casefold())
        ]
        personal = bool(self._opened and self._opened.personal)
        if not offer(self.list, items[: 1 if personal else None]):
            self._other_pages()
        for part in (self._caption, self.list):
            part.setVisible(not personal)

    def show_for(self, author: str, days: Days, *, force: bool = False) -> None:
        """Show the pages of another radiologist or date range; ``force``: their results may be others."""
        if (author, days) == (self._author, self._days) and not force:
            return
        if author != self._author:
            self._keep()
            self._undo.clear()
            self._choice = self._kept = None
            self.choices.setEnabled(False)  # until the stored choice is loaded
        before = self.whose
        self._author, self._days = author, days
        self._show_topics()
        if self.whose != before or force:
            self._begin(keep=self.whose == before)

    @property
    def whose(self) -> Whose:
        """Whose pages are chosen."""
        chosen = self.list.currentData()
        author = {OWN: self._author, None: self._author, DEPARTMENT: ""}.get(chosen, chosen)
        return Whose(author, chosen not in (OWN, None, DEPARTMENT), self._days)

    @Slot()
    def _other_pages(self, *_: object) -> None:
        self.choices.of_person.setVisible(self.is_own)
        self._begin()

    def show_own(self) -> None:
        """Show the pages of the radiologist who is selected."""
        self.list.setCurrentIndex(0)

    def ask_people(self) -> None:
        """Look for people with drafts, once for the same results."""
        if self._unasked:
            self._unasked = False
            self._shell.run(PEOPLE, lambda department, _: department.pages.drafting(), self._offer)

    # --- preview -----------------------------------------------------------------------------------

    def _begin(self, *, keep: bool = False) -> None:
        """Make the pages anew; ``keep``: those on show stay until then, for they are of the same person and dates."""
        if not keep:
            self._show(None)
        self._stale = True
        if self.isVisible():
            self._soon.start(0)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            self._soon.start(0)
        self.ask_people()

    @Slot()
    def _make(self) -> None:
        if not self._author:
            return
        self._stale = False
        if self.preview is None:
            self.place.setText(say("Making the pages\u2026"))
        choice = self._choice if self.is_own else None
        self._shell.run(
            PREVIEW,
            partial(work.preview, whose=self.whose, choice=choice, sheet=self._sheet),
            self._came,
            failed=self._failed,
        )

    def _came(self, preview: work.Preview) -> None:
        if preview.whose != self.whose:
            return
        first = self.is_own and self._choice is None
        if first:
            self._choice = self._kept = preview.choice
            self.choices.setEnabled(True)
        self._show(preview)
        if first or (self.is_own and self._days.are_limited):
            self._show_topics()
        if self.is_own:
            why_not = say("Fewer than three others used any of these words, so that one could be told.")
            self.choices.set_comparable("" if preview.others else why_not)

    def _failed(self, failure: Failure) -> None:
        self._stale = True
        self.place.setText("")
        self._shell.messages.show_failure(Message.WORK_FAILED, failure, self._make)

    def _show(self, preview: work.Preview | None) -> None:
        """Show these pages, or that there are none on these dates; None while they are being made."""
        self.preview = preview
        opened, selection = self._opened, self._shell.selection
        empty = preview is not None and preview.is_empty and opened is not None and selection is not None
        if empty and opened is not None and selection is not None:
            text = no_findings_of_author(opened, replace(selection, author=self._author))
            self.nothing.show_text(text, all_dates())
        self.view.set_pages(() if preview is None or empty else preview.pages)
        leaves = keyboard.is_in(self.nothing)
        self._stack.setCurrentWidget(self.nothing if empty else self.view)
        if leaves and not empty:
            self.view.setFocus()
        self._show_place(self.view.page, self.view.zoom)
        for control in (self.save, self.print, self.card, self.macros):
            control.setEnabled(preview is not None and not empty)
        own = self.is_own
        for action in (self.card, self.macros):
            action.setVisible(not self.whose.drafts)
        for action in (self.goal, self.reset):
            action.setVisible(own)
        self.changed.emit()

    def turn(self, step: int) -> None:
        """Scroll by ``step`` pages."""
        self.view.go_to_page(self.view.page + step)

    @Slot(object, object)
    def _draw(self, numbers: tuple[int, ...], dpi: float) -> None:
        if self.preview is not None:
            pdf = self.preview.pdf
            self._shell.run(
                IMAGES,
                lambda department, progress: department.pages.images(pdf, numbers, dpi, progress),
                self.view.set_images,
            )

    @Slot(object, object)
    def _show_place(self, page: int, zoom: float) -> None:
        n = len(self.preview.pages) if self.preview is not None and self._stack.currentWidget() is self.view else 0
        text = say("Page {page:,} of {pages:,} \u00b7 {zoom}", page=page + 1, pages=n, zoom=percent(zoom)) if n else ""
        self.place.setText(text)

    # --- what goes in ------------------------------------------------------------------------------

    def _show_topics(self) -> None:
        """The pathologies, most findings first; counts of a date range arrive with its pages."""
        groups, limited = self._opened.groups if self._opened else {}, self._days.are_limited
        said = {g.topic: v.reliability.n for g, v in groups.items() if g.author == self._author}
        known = self.preview.said if self.preview is not None and self.is_own else None
        if limited and known is not None:
            said = {topic: known.get(topic, 0.0) for topic in said}
        topics = sorted(said.items(), key=lambda at: (-at[1], at[0]))
        self.choices.set_topics(topics, counted=not limited or known is not None)
        self.choices.set_choice(self._choice or PageChoice())

    def _choice_for(self, whose: Whose) -> PageChoice | None:
        """What goes into these pages, as far as it is known here."""
        return self._choice if self.is_own and whose.author == self._author else None

    @Slot(object, object)
    def _changed(self, choice: PageChoice, typed: bool) -> None:
        if self._choice is None or choice == self._choice:
            return
        # Letters in a row are one change.
        key = "note" if typed else ""
        self._undo.push(Step(say("choice"), self._choice, choice, self._use, key))
        if typed:
            self._soon.start(_TYPE_MS)

    def _use(self, choice: PageChoice) -> None:
        self.choices.set_choice(choice)
        self._choice = choice
        self._soon.start(_CLICK_MS)
        self._keeping.start(_KEEP_MS)

    @Slot()
    def _put_back(self) -> None:
        self.choices.set_choice(PageChoice())
        self._changed(self.choices.choice(), False)

    @Slot(object)
    def _sheet_changed(self, sheet: Sheet) -> None:
        self._sheet = sheet
        self._soon.start(0)

    @Slot()
    def _keep(self) -> None:
        """Store the choice if it changed and the workspace is writable."""
        self._keeping.stop()
        opened, choice, author = self._shell.opened, self._choice, self._author
        if opened is None or self._opened is None or opened.department is not self._opened.department:
            return
        if opened.read_only or choice is None or choice == self._kept or not author:
            return
        self._kept = choice
        self._shell.run(
            f"{KEEP} {author}",
            lambda department, _: department.pages.keep_choice(author, choice),
            lambda _: None,
            keeps=True,
        )

    def hideEvent(self, event: QHideEvent) -> None:
        """Store the last change at once."""
        super().hideEvent(event)
        self._keep()

    # --- out of the window -------------------------------------------------------------------------

    @Slot()
    def ask_save(self) -> None:
        """Ask where to save the pages on show."""
        if self.preview is not None:
            self._ask(Kind.PAGES)

    def _ask(self, kind: Kind) -> None:
        self._keep()  # a card leaves out what the pages do
        self.saving.ask(kind, self.whose)

    @Slot()
    def _ask_goal(self) -> None:
        """Ask for the radiologist's goal; the pages then begin with it."""
        if self._opened is not None:
            dialog = GoalDialog(self._shell, self._opened, self._author, self)
            dialog.kept.connect(partial(self._begin, keep=True))
            dialog.open()

    @Slot()
    def ask_print(self) -> None:
        """Ask for a printer and print the pages on show."""
        if self.preview is None:
            return
        if self._printing is None:
            from ui.pages.feedback.printing import Printing

            self._printing = Printing(self._shell, self)
        whose = self.preview.whose
        name = self.list.currentText() if not self.is_own else author_name(self._author, self._opened)
        days = whose.days if whose.author and not whose.drafts else None
        self._printing.ask(name, self.preview.pdf, self.preview.pages, whose.author, days)
