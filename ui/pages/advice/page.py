"""Which words would have been closer: plan, words, costs, what-if."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import QBoxLayout, QFrame, QWidget

from ui.kit.layout import ScrollArea, Views, hbox, panel, vbox
from ui.kit.picture import PictureCard, Readout
from ui.kit.table import DataTable
from ui.kit.text import label, show_text, wrapped
from ui.kit.undoing import Edit, Step
from ui.language import spoken
from ui.pages.advice import work
from ui.pages.advice.changes import ALL, Change
from ui.pages.advice.controls import Controls
from ui.pages.advice.models import cost_columns, word_columns
from ui.pages.advice.numbers_view import NumbersView
from ui.pages.advice.sentences import Sentences
from ui.pages.advice.what_if import WhatIfPanel
from ui.pages.stage import StagePage
from ui.plots.plan_flow import PlanFlow
from ui.sentences import group_name
from ui.widgets.empty import NOTHING_SAID, no_findings_of_group
from ui.widgets.outlook import AheadPanel
from ui.widgets.wordings import WordingsLine
from ui.words import counted, say, typographic, whole

if TYPE_CHECKING:
    from PySide6.QtGui import QResizeEvent, QShowEvent

    from radcal.advice.alternatives import WhatIfView
    from radcal.department import Department
    from radcal.system.selection import Selection
    from ui.pages.advice.work import Explored
    from ui.records import Opened
    from ui.shell import Shell
    from ui.tasks import Failure

LOOK, SUPPOSE, KEEP, WORDINGS, NUMBERS = (
    f"advice {name}" for name in ("look", "suppose", "keep", "wordings", "numbers")
)
VOCABULARY, AHEAD = "advice vocabulary", "advice ahead"
_BESIDE = 860
"""Page width from which the settings are beside the plots."""
_SIDE = 264
_BELOW_TABS, _TABLE = (0, 8, 0, 0), 260
PLAN, WORDS, COSTS, WHAT_IF, OR_NUMBERS = range(5)


class AdvicePage(StagePage):
    """Advice for the selection; it follows the sliders at once."""

    uses_selection = True

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._department: Department | None = None
        self._selection: Selection | None = None
        self.found: Explored | None = None
        """The advice shown, None if there is none."""
        self._stale: set[int] = set()
        self._due = self._anew = True
        self._trying: dict[str, Any] = {}
        self.sentences = Sentences()
        self.controls = Controls()
        self.controls.changed.connect(self._tried)
        self.controls.keep_wanted.connect(self._keep_wanted)
        # From the outside in: Qt styles widgets anew with every parent that they are moved to.
        inner = QWidget()
        scroll = ScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(inner)
        self.body.addWidget(scroll, 1)
        self.tabs = Views(say("Views of the advice"))
        for tab, name in (
            (self._build_plan(), say("Plan")),
            (self._build_words(), say("Words")),
            (self._build_costs(), say("Costs")),
            (self._build_what_if(), say("What if")),
            (self._build_numbers(), say("Words or numbers")),
        ):
            self.tabs.add(tab, name)
        self.tabs.changed.connect(self._show_tab)
        self._both = hbox((self.tabs, 1), (self.controls, 0, Qt.AlignmentFlag.AlignTop), spacing=12)
        self.vocabulary = wrapped(role="muted")
        self.vocabulary.hide()
        self.outlook = AheadPanel(advice=True)
        vbox(self.sentences, self.outlook, self.vocabulary, (self._both, 1), parent=inner, spacing=12)

    # --- building ----------------------------------------------------------------------------------

    def _build_plan(self) -> QWidget:
        self.flow = PlanFlow()
        self.flow_card = PictureCard(self.flow, self.shell, say("From the words of today to those of tomorrow"))
        self.flow_readout = Readout(say("Point at a band, or press Up and Down on it, to read its numbers."))
        self.flow.hovered.connect(self.flow_readout.read)
        return panel(vbox((self.flow_card, 1), self.flow_readout, margins=_BELOW_TABS))

    def _build_words(self) -> QWidget:
        self.table = DataTable("advice_words", say("Words and advice"), word_columns(), self.shell)
        self.table.setMinimumHeight(_TABLE)
        self.table.activated.connect(self._word_opened)
        self.table.current_changed.connect(self._word_chosen)
        self.written = WordingsLine()
        hint = label(say("Press Enter on a word to read the findings behind it."), role="muted")
        return panel(vbox((self.table, 1), self.written, hint, margins=_BELOW_TABS))

    def _build_costs(self) -> QWidget:
        name = say("What one substitution does to ECE, per use")
        self.costs = DataTable("advice_costs", name, cost_columns(), self.shell)
        self.costs.setMinimumHeight(_TABLE)
        return panel(vbox(label(name, role="strong"), (self.costs, 1), margins=_BELOW_TABS))

    def _build_what_if(self) -> QWidget:
        self.what_if = WhatIfPanel(self.shell, self.undo_stack)
        self.what_if.asked.connect(self._suppose)
        return self.what_if

    def _build_numbers(self) -> QWidget:
        self.numbers = NumbersView(self.shell)
        return self.numbers

    def resizeEvent(self, event: QResizeEvent) -> None:
        """On a narrow page the settings go below the pictures."""
        super().resizeEvent(event)
        narrow = self.width() < _BESIDE
        self._both.setDirection(QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight)
        self.controls.setMaximumWidth(16_777_215 if narrow else _SIDE)
        self.controls.setMinimumWidth(0 if narrow else _SIDE)
        self._both.setAlignment(self.controls, Qt.AlignmentFlag(0) if narrow else Qt.AlignmentFlag.AlignTop)

    # --- what is shown -----------------------------------------------------------------------------

    @Slot(object)
    def show_department(self, opened: Opened | None) -> None:
        """Show another department, or the same one with new results."""
        n = sum(len(v.advice.recommendations) for v in opened.groups.values() if v.advice) if opened else 0
        meaning = counted(n, "{n} suggestion", "{n} suggestions")
        self.state_changed.emit(*(whole(n), "", meaning) if n else ("", "", ""))
        department = opened.department if opened else None
        if department is not self._department:
            # Tried settings and edits belong to the previous workspace.
            self._department, self._anew = department, True
            self.controls.forget()
            self._trying = {}
            self.undo_stack.clear()
        self.ask()

    @Slot(object)
    def show_selection(self, selection: Selection | None) -> None:
        """Show another group or date range."""
        if selection != self._selection:
            self._anew = (
                self._anew or selection is None or self._selection is None or (selection.group != self._selection.group)
            )
            self._selection = selection
            self.ask()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._due:
            QTimer.singleShot(0, self, self.ask)

    @Slot()
    def ask(self) -> None:
        """Request the advice for the selection, unless the page is hidden."""
        opened, selection = self.shell.opened, self._selection
        self._due = True
        if opened is None or not opened.groups or selection is None or opened.view(selection.group) is None:
            self._show_nothing(opened)
            return
        if not self.isVisible():
            return
        self._due = False
        self.shell.run(VOCABULARY, partial(work.vocabulary, selection, spoken()), partial(show_text, self.vocabulary))
        exploring = partial(work.explore, selection, self.controls.overrides())
        self.shell.run(LOOK, exploring, self._show, failed=self._failed)
        self.outlook.show_ahead(None)
        if selection.author in opened.models:  # whose answers have no pace
            return
        self.shell.run(
            AHEAD,
            lambda department, progress: department.outlook.of(selection, progress=progress),
            self.outlook.show_ahead,
            failed=lambda _: None,
            at_leisure=True,
        )
        self.written.show_wordings(())
        self.shell.run(WORDINGS, lambda d, _: d.groups.wordings(selection), self.written.show_wordings)

    def _show_nothing(self, opened: Opened | None) -> None:
        self.found = None
        if opened is None:
            self.show_closed(say("Advice"), say("Open a workspace to see which words would have been closer."))
        elif not opened.groups:
            why = typographic(opened.reason) or say("No X-ray finding has met a CT report yet.")
            self.show_empty(say("There is nothing to give advice on. {why}", why=why), say("&Import reports"), "import")
        else:
            self.show_empty(say("Choose a radiologist and a pathology above."))

    def _show(self, found: Explored) -> None:
        self.found = found
        view, opened = found.view, self.shell.opened
        if opened is None:
            return
        self.show_content()
        self.title.setText(group_name(view.selection, self.shell.opened))
        is_model = view.selection.author in opened.models
        self.flow.speak_of_answers(is_model)
        if is_model:
            self.meta.setText(counted(view.before.n, "{n} answer", "{n} answers"))
            self.sentence.setText(
                say("What would have said how often the answers are right, and what that would change.")
            )
        else:
            self.meta.setText(counted(view.before.n, "{n} finding", "{n} findings"))
            about = say("Which words would have said what CT found, and what that would change.")
            verified = "" if view.selection.days.are_limited else opened.verified.get(view.selection.group, "")
            self.sentence.setText(" ".join(filter(None, (about, typographic(verified)))))
        self.controls.show_department(found.department, read_only=opened.read_only)
        self._trying = self.controls.overrides()
        self.sentences.show_found(found)
        self._stale = {PLAN, WORDS, COSTS, WHAT_IF, OR_NUMBERS}
        self._show_tab()

    @Slot(object)
    def _show_tab(self, *_: object) -> None:
        """Draw the current view; the others are drawn when opened."""
        found, tab = self.found, self.tabs.current
        if found is None or tab not in self._stale:
            return
        self._stale.discard(tab)
        if tab == PLAN:
            self.flow.set_plan(found.plan)
        elif tab == WORDS:
            self.table.model.set_rows(found.words)
        elif tab == COSTS:
            self.costs.model.set_rows(found.costs)
        elif tab == WHAT_IF:
            self._show_what_if(found)
        elif tab == OR_NUMBERS:
            self._ask_numbers(found)

    def _ask_numbers(self, found: Explored) -> None:
        selection, overrides = found.view.selection, self.controls.overrides()
        self.numbers.show_waiting()
        self.shell.run(
            NUMBERS,
            lambda department, progress: department.alternatives.baselines(selection, overrides, progress),
            lambda made: self.numbers.show_found(made, found.department.min_group_n),
        )

    def _show_what_if(self, found: Explored) -> None:
        anew, self._anew = self._anew, False
        tenths = [(f, round(ALL * f.share)) for f in found.plan.flows if f.changes]
        advised = tuple(Change(f.source, f.target, n) for f, n in tenths if n)
        self.what_if.set_words(found.vocabulary, advised, found.view.before, found.department.min_phrase_n, anew=anew)
        self.what_if.judged = found.view.judged
        # Even without changes: prepares what the first one needs.
        self._suppose(self.what_if.shares())

    def _failed(self, failure: Failure) -> None:
        text = typographic(failure.text) or say("The advice could not be worked out.")
        selection, opened = self._selection, self.shell.opened
        if failure.kind not in ("DataError", NOTHING_SAID) or selection is None or opened is None:
            self.show_content()
            self.sentences.show_problem(text)
            return
        self.found = None
        self.title.setText(group_name(selection, self.shell.opened))
        self.meta.clear()
        self.sentence.clear()
        if failure.kind == NOTHING_SAID and selection.days.are_limited:
            self.show_no_findings(no_findings_of_group(opened, selection))
        else:
            self.show_empty(text)

    def arrive(self, **where: Any) -> None:
        """``tab`` is the index of the view to show."""
        if "tab" in where:
            self.tabs.turn_to(where["tab"])

    def landmark(self, name: str, phrase: str = "") -> QWidget | None:
        """Besides: 'advice', the sentence on a phrase."""
        return self.sentences.line_on(phrase) if name == "advice" else super().landmark(name, phrase)

    # --- what the user does ------------------------------------------------------------------------

    @Slot(object)
    def _tried(self, overrides: dict[str, Any]) -> None:
        if overrides != self._trying:
            names = {*self._trying, *overrides}
            changed = [name for name in names if self._trying.get(name) != overrides.get(name)]
            key = f"try {changed[0]}" if len(changed) == 1 else ""  # moves of one slider are one step
            self.undo_stack.push(Step(say("try other settings"), self._trying, overrides, self._try, key))

    def _try(self, overrides: dict[str, Any]) -> None:
        self._trying = overrides
        if self.controls.overrides() != overrides:
            self.controls.set_overrides(overrides)
        self.ask()

    @Slot(object)
    def _suppose(self, shares: dict[str, dict[str, float]] | None) -> None:
        selection = self._selection
        if shares is None or selection is None:
            return
        self.shell.run(
            SUPPOSE,
            lambda department, progress: department.alternatives.what_if(selection, shares, progress),
            self._supposed,
        )

    def _supposed(self, found: WhatIfView) -> None:
        if found.selection == self._selection:
            self.what_if.show_supposed(found)

    @Slot(object)
    def _word_chosen(self, row: int) -> None:
        self.written.show_phrase(self.table.model.row(row).rate.phrase if row >= 0 else "")

    @Slot(object)
    def _word_opened(self, row: int) -> None:
        self.shell.go("evidence", phrase=self.table.model.row(row).rate.phrase)

    @Slot(object)
    def _keep_wanted(self, overrides: dict[str, Any]) -> None:
        if self.found is not None and overrides:
            before = {name: getattr(self.found.department, name) for name in overrides}
            self.undo_stack.push(Edit(say("use these settings for all"), before, overrides, self._keep))

    def _keep(self, values: dict[str, Any]) -> None:
        self.shell.run(
            KEEP,
            lambda department, _: department.save_settings(department.settings.changed(**values)),
            lambda _: self.shell.reload(say("Working out all advice again")),
            title=say("Saving the settings"),
            keeps=True,
        )
