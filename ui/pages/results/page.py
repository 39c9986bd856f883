"""Results: one sentence on a radiologist's words, its cases, the diagram; what holds, and what would follow."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Signal, Slot
from PySide6.QtWidgets import QStackedWidget, QWidget
from shiboken6 import Shiboken

from radcal.advice.judged_records import JudgedGroup
from radcal.system.kinds import FileKind
from radcal.system.selection import ALL_DAYS, Group, Selection
from ui.kit import keyboard
from ui.kit.action import menu_button, push_button
from ui.kit.layout import Tabs, vbox
from ui.kit.text import show_text, wrapped
from ui.language import spoken
from ui.pages.results.cases.panel import CasesPanel, new_heading
from ui.pages.results.holds import HoldsView
from ui.pages.results.one import OneView
from ui.pages.results.pathologies import PathologiesView
from ui.pages.results.said_card import SaidCard
from ui.pages.results.sentences import not_enough, read_right, title
from ui.pages.results.what_if.tab import WhatIfTab
from ui.pages.stage import StagePage
from ui.records import GroupView
from ui.sentences import group_name
from ui.widgets import goal
from ui.widgets.dates import describe
from ui.widgets.empty import all_dates, no_findings_of_group
from ui.words import counted, months, say, typographic, whole

if TYPE_CHECKING:
    from PySide6.QtGui import QShowEvent

    from radcal.advice.judged_records import Said
    from radcal.calibration.sensitivity_records import GroupOutlook
    from radcal.department import Department
    from radcal.feedback.records import GoalSaid, NewCases
    from radcal.system.progress import Progress
    from ui.records import Opened
    from ui.shell import Shell

MEASURE, READ_AHEAD, NEW = "results", "read ahead", "new cases"
VOCABULARY, AHEAD = "use of the vocabulary", "results ahead"
THIS, ALL, HOLDS, WHAT_IF = range(4)
_TABS = {"this": THIS, "all": ALL, "holds": HOLDS, "what if": WHAT_IF}


class ResultsPage(StagePage):
    """Shows the selected group.  ``save_wanted``: the author's page as PDF."""

    save_wanted = Signal()
    uses_selection = True

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self.view: GroupView | None = None
        """What is shown of the selected group, None until it is worked out."""
        self._department: Department | None = None
        self._listed: Selection | None = None
        self._about: Said | None = None
        """What is said above the tabs."""
        self._word = ""
        self._more_due = False
        self._one_sentence: Group | None = None
        """In a radiologist's file, the group of the one sentence that the page opens on; None once all is shown."""
        self.said = SaidCard(self.sentence)
        self.said.why.toggled.connect(self._show_why)
        self.said.cases_wanted.connect(self._list_said)
        self.cases = CasesPanel(shell, self.undo_stack)
        self.cases.case_shown.connect(self._show_case)
        self.one = OneView(shell, self.cases)
        self.card, self.table, self.model = self.one.card, self.one.table, self.one.model
        self.one.word_chosen.connect(self._choose)
        self.one.part_chosen.connect(self._list_part)
        self.one.group_wanted.connect(self._open_group)
        self.one.why_left.connect(partial(self.said.why.setChecked, False))
        self.one.nothing.pressed.connect(self.choose_all_dates)
        self._build_head()
        self.pathologies = PathologiesView(shell)
        self.pathologies.opened_group.connect(self._open_group)
        self.holds = HoldsView(shell)
        self.holds.have_read.connect(shell.reload)
        self.what_if = WhatIfTab(shell, self.undo_stack)
        self.tabs = Tabs(say("Views of the results"))
        whole_page = QWidget()
        self.views = QStackedWidget()
        self.body.addWidget(self.views, 1)
        self.views.addWidget(whole_page)
        self.views.addWidget(self.cases.case)
        self.of_goal = wrapped()
        self.of_goal.hide()
        vbox(self.of_goal, self.said, (self.tabs, 1), parent=whole_page)
        for tab, name in (
            (self.one, say("This pathology")),
            (self.pathologies, say("All pathologies")),
            (self.holds, say("Does this hold?")),
            (self.what_if, say("What if")),
        ):
            self.tabs.addTab(tab, name)
        self.tabs.currentChanged.connect(self._show_tab)

    def _build_head(self) -> None:
        self.all = push_button(say("Show &all your words"), self._show_all, primary=True)
        self.new = push_button("", self._list_new)
        for button in (self.new, self.all):
            button.hide()
        self.more = menu_button(
            say("&More"),
            say("More actions"),
            (
                (say("&Save as PDF\u2026"), self.save_wanted.emit),
                (say("&Copy the diagram"), self.card.copy),
                (say("Save the &diagram as PNG or SVG\u2026"), self.ask_save),
                (say("Save the &words as CSV or Excel\u2026"), self.one.words.ask_export),
                (say("&New cases worth a look"), self._list_new),
                (say("Choose a &goal\u2026"), self._ask_goal),
                (say("All con&tested cases"), partial(self.shell.go, "results", contested=True)),
                (say("Take &in contests\u2026"), self.cases.ask_take),
            ),
        )
        self.save, *_, self.choose_goal, _, self.take = self.more.menu().actions()
        self.save.setToolTip(say("The radiologist\u2019s personal page, to print or to send (Ctrl+S)"))
        for place, part in enumerate((self.new, self.all, self.more), 2):
            self.head.addWidget(part, 0, place)

    # --- showing -----------------------------------------------------------------------------------

    def prepare(self) -> None:
        self.card.prepare()

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        """Show the selected group of another department, or what is missing."""
        if opened is None or opened.department is not self._department:
            self._department = opened.department if opened else None
            self._one_sentence = None
            self._word = ""
            self.undo_stack.clear()
            self.holds.forget()
            if opened is not None and opened.kind is FileKind.PERSONAL:
                self._begin_with_one(opened)
        self._listed = None
        self.cases.show_department(opened)
        self.more.setVisible(bool(opened and opened.groups))
        self.save.setVisible(bool(opened and opened.of_radiologists))
        self.take.setVisible(bool(opened and not opened.personal))
        self.choose_goal.setVisible(bool(opened and opened.personal))
        self.new.hide()
        self._show_goal((None, ""))
        self.all.setVisible(self._one_sentence is not None)
        if opened is None:
            self.show_closed(say("Results"), say("Open a workspace, or the sample, to see how words compare with CT."))
        elif not opened.groups:
            self.title.setText(say("Results"))
            self.meta.clear()
            why = typographic(opened.reason) or say("There are no results yet.")
            self.show_empty(why, say("&Import reports"), "reports")
        else:
            self.show_content()
            self.show_selection(self.shell.selection)
            if opened.personal:
                self.shell.run(NEW, lambda d, _: d.new_cases.of(opened.personal), self._show_new)
                self._look_at_goal()
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
        view = opened.view(selection.group) if opened is not None and selection is not None else None
        if opened is None or selection is None or view is None:
            return
        if self._one_sentence is not None and selection.group != self._one_sentence:
            self._show_all()
        self._more_due = True
        if selection.days.are_limited:
            self.view = None
            self.shell.run(MEASURE, partial(_measured, selection), partial(self._show_measured, opened, selection))
        else:
            exams = opened.exams.get(selection.author, (None, None))
            self._show_view(opened, selection, view, months(*exams))
        self._show_tab()

    def showEvent(self, event: QShowEvent) -> None:
        """What was not worked out while nobody looked is worked out now."""
        super().showEvent(event)
        QTimer.singleShot(0, self, self._show_tab)

    def _ask_more(self, opened: Opened, selection: Selection) -> None:
        """What is worked out beside the results, and not waited for."""
        self.one.outlook.show_ahead(None)
        self.one.show_vocabulary("")
        if selection.author in opened.models:  # whose answers have no pace
            return
        language = spoken()
        self.shell.run(
            VOCABULARY,
            lambda d, _: d.vocabulary.about(selection.author, selection.days, language),
            self.one.show_vocabulary,
        )
        self.shell.run(
            AHEAD,
            lambda department, progress: department.outlook.of(selection, progress=progress),
            partial(self._show_ahead, selection),
            failed=lambda _: None,
            at_leisure=True,
        )

    def _show_ahead(self, selection: Selection, found: GroupOutlook) -> None:
        if Shiboken.isValid(self) and selection == self.shell.selection:  # it may come after the page is gone
            self.one.outlook.show_ahead(found)

    def _show_measured(self, opened: Opened, chosen: Selection, view: GroupView) -> None:
        """Show results for a date range, with the advice made from it."""
        if opened is not self.shell.opened or chosen != self.shell.selection:
            return
        self._show_view(opened, chosen, view, describe((chosen.days.first, chosen.days.last)))

    def _show_view(self, opened: Opened, chosen: Selection, view: GroupView, when: str) -> None:
        from radcal.advice.said import of_group  # imports NumPy, which the first paint must not wait for

        self.view = view
        r, is_model = view.reliability, chosen.author in opened.models
        leaves = keyboard.is_in(self.one.nothing)
        self.title.setText(say("Your one sentence") if self._one_sentence else title(chosen, opened))
        self.meta.setText(_facts(opened, chosen, view, when))
        self.save.setVisible(not is_model)
        self.tabs.setTabVisible(HOLDS, not is_model and not opened.personal)
        if r.n == 0:
            text = no_findings_of_group(opened, chosen)
            self.said.hide()
            self.cases.forget()
            self.card.show_record(r, opened.min_phrase_n, text, view.judged)
            self.one.show_nothing(text, all_dates())
            self._listed = None
            self._show_tab()
            return
        self.said.show()
        said = _one_of(opened) if self._one_sentence else of_group(view.judged, own=bool(opened.personal))
        self._about = said
        if is_model:
            told = view.advice.summary if view.advice is not None else ""
            self.said.show_text(typographic(told) or not_enough(r, opened.min_group_n))
        else:
            self.said.show_said(said)
        word = self._word_of(chosen, view, said)
        self.one.show_view(opened, chosen.group, view, said, not_enough(r, opened.min_group_n), word)
        if leaves:
            self.focus_table()
        if is_model:
            self.cases.say_instead(
                say("Of a language model\u2019s answers RadCal keeps how sure it was and if they were right, no text.")
            )
        elif chosen != self._listed:
            self._listed, self._word = chosen, ""
            self._list(word)
        self.one.mark(self._word)
        self._show_parts()
        self._show_tab()

    def _word_of(self, chosen: Selection, view: GroupView, said: Said) -> str:
        """The word to list the cases of: the one on show where the group stays, else that of the sentence."""
        if self._listed is not None and self._listed.group == chosen.group and view.judged.word(self._word):
            return self._word
        return said.word.name if said.word is not None else _most_said(view)

    @Slot()
    def _show_tab(self, *_: object) -> None:
        """Update the current view only, once it is seen."""
        opened, selection, view = self.shell.opened, self.shell.selection, self.view
        if opened is None or selection is None or opened.view(selection.group) is None or not self.isVisible():
            return
        if self.tabs.currentIndex() == ALL:
            self.pathologies.show_for(selection)
        if view is None:
            return
        if self._more_due:
            self._more_due = False
            self._ask_more(opened, selection)
        match self.tabs.currentIndex():
            case 2:
                self.holds.show_for(selection, view.judged.words)
            case 3 if view.reliability.n:
                self.what_if.show_for(selection)

    @Slot(object)
    def _open_group(self, group: Group) -> None:
        """Show another group: the selector bar follows."""
        chosen = self.shell.selection
        self.tabs.setCurrentIndex(THIS)
        self.shell.choose(Selection(group.author, group.topic, chosen.days if chosen else ALL_DAYS))
        self.focus_table()

    # --- the radiologist's file --------------------------------------------------------------------

    def _begin_with_one(self, opened: Opened) -> None:
        """Begin with the one sentence: choose what it is about."""
        word = _one_of(opened).word
        most = next((g for g in opened.telling if g.author == opened.personal), None)
        group = most if word is None else Group(opened.personal, word.topic)
        if group is not None and opened.view(group) is not None:
            self._one_sentence = group
            if self.shell.selection is None or self.shell.selection.group != group:
                self.shell.choose(Selection(group.author, group.topic))

    @Slot()
    def _show_all(self) -> None:
        """Show the whole page of a radiologist's file."""
        self._one_sentence = None
        self.all.hide()
        opened, selection = self.shell.opened, self.shell.selection
        if opened is not None and selection is not None:
            self.show_selection(selection)

    def _show_new(self, new: NewCases) -> None:
        """Offer the new cases of a radiologist's file."""
        self.new.setText(new_heading(new))
        self.new.setVisible(bool(new.cases))

    def _look_at_goal(self) -> None:
        if self.shell.opened is not None:
            self.shell.run(goal.LOOK, partial(goal.look, self.shell.opened.personal), self._show_goal)

    def _show_goal(self, found: tuple[GoalSaid | None, str]) -> None:
        """Say first what became of the goal of a radiologist's file, or which one was chosen in it."""
        said, own = found
        chosen = say("Your goal: {goal}", goal=own) if own else ""
        show_text(self.of_goal, chosen or ("" if said is None else goal.told(said)))

    @Slot()
    def _ask_goal(self) -> None:
        """Ask for the goal of a radiologist's file."""
        if (opened := self.shell.opened) is not None:
            dialog = goal.GoalDialog(self.shell, opened, opened.personal, self)
            dialog.kept.connect(self._goal_kept)
            dialog.open()

    @Slot()
    def _goal_kept(self) -> None:
        self._look_at_goal()
        self.cases.look_where_kept()

    @Slot()
    def _list_new(self) -> None:
        """List the new cases of the radiologist on show."""
        if self.shell.selection is not None:
            self.tabs.setCurrentIndex(THIS)
            self.said.why.setChecked(False)
            self._word = ""
            self.one.mark("")
            self.cases.list_new(self.shell.selection.author)

    def _show_parts(self) -> None:
        """Of a radiologist's file nothing but the sentence and its cases, until more is wanted."""
        whole_page = self._one_sentence is None
        for part in (self.tabs.tabBar(), self.one.right, self.one.below):
            part.setVisible(whole_page)
        self.all.setVisible(not whole_page)

    # --- cases -------------------------------------------------------------------------------------

    @Slot(object)
    def _choose(self, phrase: str, show: str = "all") -> None:
        """List the cases of a word that the user chose, in place of what stands there."""
        self.said.why.setChecked(False)
        self._list(phrase, show)

    def _list(self, phrase: str, show: str = "all") -> None:
        """List the cases of a word of the selected group."""
        selection, opened = self.shell.selection, self.shell.opened
        if selection is None or not phrase or opened is None or selection.author in opened.models:
            return
        found = self.cases.found
        listed = found is not None and found.selection == selection and found.phrases == (phrase,)
        if listed and (phrase, show) == (self._word, "all"):
            return
        self._word = phrase
        self.one.mark(phrase)
        self.cases.list_word(selection, phrase, show)

    @Slot(object)
    def _list_part(self, certainty: float) -> None:
        if self.shell.selection is not None:
            self.said.why.setChecked(False)
            self._word = ""
            self.one.mark("")
            self.cases.list_part(self.shell.selection, certainty)

    @Slot(object)
    def _list_said(self, show: str) -> None:
        """List the cases that the sentence is about."""
        if self._about is not None and self._about.word is not None:
            self.tabs.setCurrentIndex(THIS)
            self._choose(self._about.word.name, show)
            self.cases.table.setFocus()

    @Slot(bool)
    def _show_why(self, wanted: bool) -> None:
        """Show how it is worked out in place of the cases, or the cases again."""
        if wanted:
            self.tabs.setCurrentIndex(THIS)
        self.one.left.setCurrentIndex(int(wanted))

    @Slot(bool)
    def _show_case(self, reading: bool) -> None:
        """The reports of a case take the whole page."""
        self.views.setCurrentIndex(int(reading))

    # --- the window --------------------------------------------------------------------------------

    def arrive(
        self,
        *,
        tab: str = "",
        phrase: str = "",
        at: float | None = None,
        show: str = "all",
        contested: bool = False,
        take: tuple[Path, ...] = (),
        **_where: object,
    ) -> None:
        """Show a tab, or cases.

        tab: 'this', 'all', 'holds' or 'what if'
        phrase: the cases worded with it;  at: those whose words make up the curve at this certainty of 0-1
        show: of these 'all', 'confirmed', 'not confirmed', 'silent' or 'contested'
        contested: all contested cases;  take: files of contests to take in first
        """
        if tab in _TABS:
            self.tabs.setCurrentIndex(_TABS[tab])
        if phrase or at is not None or contested or take:
            self.tabs.setCurrentIndex(THIS)
            self.said.why.setChecked(False)
        if take and self.shell.opened is not None and not self.shell.opened.read_only:
            self.cases.take_files([str(path) for path in take])
        elif contested:
            self._word = ""
            self.one.mark("")
            self.cases.list_contested()
        elif phrase:
            self._list(phrase, show)
            self.cases.table.setFocus()
        elif at is not None:
            self._list_part(at)
        elif self.tabs.currentIndex() == THIS and not tab:
            self.focus_table()

    def landmark(self, name: str, phrase: str = "") -> QWidget | None:
        """Besides: 'diagram'; 'advice', what is said of a word; 'case', the list of cases."""
        match name:
            case "sentence":
                return self.said
            case "diagram":
                return self.card
            case "advice":
                return self.one.line_on(phrase) or self.said
            case "case":
                return self.cases.list if self.cases.found is not None else None
        return super().landmark(name, phrase)

    @Slot()
    def ask_save(self) -> None:
        """Ask for a file and save the diagram as shown."""
        if (selection := self.shell.selection) is not None:
            self.card.ask_save(group_name(selection, None))  # a file's name has the pseudonym

    def focus_table(self) -> None:
        """Focus the table of words, or the cases where there is no more."""
        (self.table if self._one_sentence is None else self.cases.table).setFocus(Qt.FocusReason.OtherFocusReason)


def _facts(opened: Opened, chosen: Selection, view: GroupView, when: str) -> str:
    """How many findings of when, and how well they were read."""
    is_model = chosen.author in opened.models
    n = view.reliability.n
    found = counted(n, "{n} answer", "{n} answers") if is_model else counted(n, "{n} finding", "{n} findings")
    left_out = opened.left_out.get(chosen.group)
    if left_out and not chosen.days.are_limited:
        found += say(", {n} more contested and left out", n=whole(left_out))
    read = say("language model") if is_model else read_right(opened.engine_accuracy)
    return ", ".join(filter(None, (found, when, read)))


def _one_of(opened: Opened) -> Said:
    """The one sentence of a radiologist's file."""
    from radcal.advice.said import of_author  # imports NumPy, which the first paint must not wait for

    return of_author(opened.judged(opened.personal), own=True)


def _most_said(view: GroupView) -> str:
    return max(view.reliability.phrases, key=lambda p: p.n).phrase if view.reliability.phrases else ""


def _measured(selection: Selection, department: Department, progress: Progress) -> GroupView:
    """The results of a group in a date range."""
    r = department.groups.reliability(selection, progress)
    if r.n == 0:
        return GroupView(r, None, JudgedGroup(r.author, r.topic, r.n, ()))
    found = department.alternatives.advice(selection, progress=progress)
    return GroupView(found.before, found.advice, found.judged)
