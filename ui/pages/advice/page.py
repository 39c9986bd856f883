"""Which words would have worked better: plan, before and after, costs, price of information, what-if."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import QBoxLayout, QComboBox, QFrame, QScrollArea, QWidget

from ui.pages.advice import work
from ui.pages.advice.before_after import BeforeAfter, same_findings
from ui.pages.advice.changes import ALL, Change
from ui.pages.advice.controls import Controls
from ui.pages.advice.models import AdvisedWordsModel
from ui.pages.advice.price import PricePanel
from ui.pages.advice.sentences import Sentences
from ui.pages.advice.what_if import WhatIfPanel
from ui.pages.stage import StagePage
from ui.plots.cost_heatmap import CostHeatmap
from ui.plots.plan_flow import PlanFlow
from ui.theme import Colours
from ui.widgets.empty import NOTHING_SAID, no_findings_of_group
from ui.widgets.labels import caption, label
from ui.widgets.layouts import hbox, vbox
from ui.widgets.pictures import PictureCard
from ui.widgets.readout import Readout, column
from ui.widgets.tables import DataTable
from ui.widgets.undoing import Edit, Step
from ui.widgets.views import Views
from ui.widgets.wordings import WordingsLine
from ui.words import counted, say, typographic, whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QHideEvent, QResizeEvent, QShowEvent

    from radcal.progress import Progress
    from radcal.records import Frontier, Selection
    from radcal.workflow import Department
    from radcal.workflow.advice.alternatives import WhatIfView
    from ui.pages.advice.work import Explored
    from ui.records import Opened
    from ui.shell import Shell
    from ui.tasks import Failure

LOOK, CHECK, FRONTIER, SUPPOSE, KEEP = (f"advice {name}" for name in ("look", "check", "frontier", "suppose", "keep"))
WORDINGS = "advice wordings"
_BESIDE = 860
"""Page width from which the settings are beside the plots."""
_SIDE = 264
REST_MS = 400
"""The advice is checked after a slider has rested this long."""
PLAN, BOTH, WORDS, COSTS, PRICE, WHAT_IF = range(6)


class AdvicePage(StagePage):
    """Advice for the selection; sliders show a sketch at once, which is then checked in the background."""

    uses_selection = True

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(shell, parent)
        self._department: Department | None = None
        self._selection: Selection | None = None
        self.found: Explored | None = None
        """The advice shown, None if there is none."""
        self._stale: set[int] = set()
        self._due = self._anew = True
        self._frontier_of: object = None
        self._trying: dict[str, Any] = {}
        self.sentences = Sentences()
        self.controls = Controls()
        self.controls.changed.connect(self._tried)
        self.controls.keep_wanted.connect(self._keep_wanted)
        self.tabs = Views(say("Views of the advice"))
        for tab, name in (
            (self._build_plan(), say("Plan")),
            (self._build_both(), say("Before and after")),
            (self._build_words(), say("Words")),
            (self._build_costs(), say("Costs")),
            (self._build_price(), say("Price of information")),
            (self._build_what_if(), say("What if")),
        ):
            self.tabs.add(tab, name)
        self.tabs.changed.connect(self._tab_changed)
        self._both = hbox((self.tabs, 1), (self.controls, 0, Qt.AlignmentFlag.AlignTop), spacing=12)
        inner = QWidget()
        vbox(self.sentences, (self._both, 1), parent=inner, spacing=12)
        scroll = QScrollArea()
        scroll.setFrameShape(QFrame.Shape.NoFrame)
        scroll.setWidgetResizable(True)
        scroll.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        scroll.setWidget(inner)
        self.body.addWidget(scroll, 1)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(REST_MS)
        self._rest.timeout.connect(self._check)

    # --- building ----------------------------------------------------------------------------------

    def _build_plan(self) -> QWidget:
        self.flow = PlanFlow()
        self.flow_card = PictureCard(self.flow, self.shell, say("From the words of today to those of tomorrow"))
        self.which = QComboBox()
        self.which.addItem(say("What is advised"))
        self.which.addItem(say("The whole plan that was found"))
        self.which.setToolTip(
            say("Words that match are not advised to be changed, even where the plan with the least error would.")
        )
        self.which.setAccessibleName(say("Which plan to show"))
        self.which.currentIndexChanged.connect(self._show_plan)
        self.flow_readout = Readout(say("Point at a band, or press Up and Down on it, to read its numbers."))
        self.flow.hovered.connect(self.flow_readout.read)
        return column(hbox(caption(say("Sho&w"), self.which), self.which, None), self.flow_card, self.flow_readout)

    def _build_both(self) -> QWidget:
        self.both = BeforeAfter(self.shell, (say("As the words were said"), say("As advised")))
        return self.both

    def _build_words(self) -> QWidget:
        self.model = AdvisedWordsModel(self)
        self.table = DataTable(
            "advice_words",
            say("Words and advice"),
            self.model,
            self.shell,
            widths=(120, 48, 128, 84, 140, 64),
        )
        self.table.setMinimumHeight(260)
        self.table.activated.connect(self._word_opened)
        self.table.current_changed.connect(self._word_chosen)
        self.written = WordingsLine()
        hint = label(say("Press Enter on a word to read the findings behind it."), role="muted")
        return column(self.table, self.written, hint)

    def _build_costs(self) -> QWidget:
        self.costs = CostHeatmap()
        card = PictureCard(self.costs, self.shell, say("What one substitution does to ECE, per use"))
        readout = Readout(say("Point at a cell, or use the arrow keys on it, to read it in words."))
        self.costs.hovered.connect(readout.read)
        return column(card, readout)

    def _build_price(self) -> QWidget:
        self.price = PricePanel(self.shell)
        self.price.chosen.connect(self._price_chosen)
        return self.price

    def _build_what_if(self) -> QWidget:
        self.what_if = WhatIfPanel(self.shell, self.undo_stack)
        self.what_if.asked.connect(self._suppose)
        return self.what_if

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
        self.state_changed.emit(whole(n) if opened and opened.groups else "", "")
        department = opened.department if opened else None
        if department is not self._department:
            # Tried settings and edits belong to the previous workspace.
            self._department, self._anew = department, True
            self.controls.forget()
            self._trying = {}
            self.undo_stack.clear()
        self._frontier_of = None
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
        QTimer.singleShot(0, self, self.ask if self._due else self._ask_frontier)

    def hideEvent(self, event: QHideEvent) -> None:
        self._stop()
        super().hideEvent(event)

    def _stop(self) -> None:
        """Cancel the background check."""
        self._rest.stop()
        for operation in (CHECK, FRONTIER):
            if self.shell.tasks.is_running(operation):
                self.shell.tasks.cancel(operation)
                self._due = self._due or operation == CHECK

    @Slot()
    def ask(self) -> None:
        """Request a sketch of the advice for the selection, unless the page is hidden."""
        opened, selection = self.shell.opened, self._selection
        self._due = True
        if opened is None or not opened.groups or selection is None or selection.group not in opened.groups:
            self._show_nothing(opened)
            return
        if not self.isVisible():
            return
        self._due = False
        self._stop()
        self.shell.run(LOOK, self._exploring(selection, check=False), self._sketched, failed=self._failed)
        self.written.show_wordings(())
        self.shell.run(WORDINGS, lambda d, _: d.groups.wordings(selection), self.written.show_wordings)

    def _exploring(self, selection: Selection, *, check: bool) -> Callable[[Department, Progress], Explored]:
        return partial(work.explore, selection, self.controls.overrides(), check)

    def _show_nothing(self, opened: Opened | None) -> None:
        self.found = None
        if opened is None:
            self.show_closed(say("Advice"), say("Open a workspace to see which words would have served better."))
        elif not opened.groups:
            why = typographic(opened.reason) or say("No X-ray finding has met a CT report yet.")
            self.show_empty(say("There is nothing to give advice on. {why}", why=why), say("&Import reports"), "import")
        else:
            self.show_empty(say("Choose a radiologist and a pathology above."))

    def _sketched(self, found: Explored) -> None:
        self._show(found)
        self._rest.start()

    @Slot()
    def _check(self) -> None:
        """Check the advice on held-out halves and resamples, in the background."""
        selection, found = self._selection, self.found
        if selection is None or found is None or not self.isVisible():
            return
        self.shell.run(CHECK, self._exploring(selection, check=True), self._show, failed=self._failed, shares=True)
        self._ask_frontier()

    def _show(self, found: Explored) -> None:
        self.found = found
        view, opened = found.view, self.shell.opened
        if opened is None:
            return
        self.show_content()
        self._name(view.selection)
        self.meta.setText(counted(view.before.n, "{n} finding", "{n} findings"))
        self.sentence.setText(say("Which words would have said what CT found, and what that would change."))
        self.controls.show_department(found.department, read_only=opened.read_only)
        self._trying = self.controls.overrides()
        self.sentences.show_found(found)
        self._stale = {PLAN, BOTH, WORDS, COSTS, WHAT_IF}
        self._show_tab()

    @Slot(object)
    def _tab_changed(self, _tab: int) -> None:
        self._show_tab()
        self._ask_frontier()

    def _show_tab(self) -> None:
        """Draw the current view; the others are drawn when opened."""
        found, tab = self.found, self.tabs.current
        if found is None or tab not in self._stale:
            return
        self._stale.discard(tab)
        view = found.view
        if tab == PLAN:
            self._show_plan()
        elif tab == BOTH:
            figures = same_findings(view.before, view.after)
            self.both.show_both(view.before, view.after, found.department.min_phrase_n, figures)
        elif tab == WORDS:
            self.model.set_words(found.words, checked=view.checked)
        elif tab == COSTS:
            self.costs.set_table(found.costs)
        elif tab == WHAT_IF:
            self._show_what_if(found)

    @Slot()
    def _show_plan(self, *_: object) -> None:
        found = self.found
        if found is None:
            return
        whole_plan = self.which.currentIndex() == 1 and found.fitted is not None
        self.flow.set_plan(found.fitted if whole_plan else found.advised)
        self.which.setEnabled(found.fitted is not None)

    def _show_what_if(self, found: Explored) -> None:
        anew, self._anew = self._anew, False
        tenths = [(f, round(ALL * f.share)) for f in found.advised.flows if f.changes]
        advised = tuple(Change(f.source, f.target, n) for f, n in tenths if n)
        self.what_if.set_words(found.costs, advised, found.view.before, found.department.min_phrase_n, anew=anew)
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
        self._name(selection)
        self.meta.clear()
        self.sentence.clear()
        if failure.kind == NOTHING_SAID and selection.days.are_limited:
            self.show_no_findings(no_findings_of_group(opened, selection))
        else:
            self.show_empty(text)

    def _name(self, selection: Selection) -> None:
        self.title.setText(f"{selection.author} \u2013 {selection.topic}")

    @Slot(object)
    def set_colours(self, colours: Colours) -> None:
        for part in (self.flow, self.costs, self.both, self.what_if, self.price):
            part.set_colours(colours)

    def arrive(self, **where: Any) -> None:
        """``tab`` is the index of the view to show."""
        if "tab" in where:
            self.tabs.turn_to(where["tab"])

    def leave(self) -> None:
        """Cancel the background check."""
        self._stop()

    # --- the price of information ------------------------------------------------------------------

    @Slot()
    def _ask_frontier(self) -> None:
        """Request the frontier if its view is open and it is out of date."""
        selection, found = self._selection, self.found
        if self.tabs.current != PRICE or selection is None or found is None or not self.isVisible():
            return
        overrides = self.controls.overrides()
        wanted = (selection, tuple(sorted(overrides.items())), found.department)
        if wanted == self._frontier_of and not self.shell.tasks.is_running(FRONTIER):
            return
        if self._frontier_of is None:
            self.price.show_waiting()
        self._frontier_of = wanted
        self.shell.run(
            FRONTIER,
            lambda department, progress: department.alternatives.frontier(selection, overrides, progress),
            self._show_frontier,
            stopped=self._frontier_stopped,
            shares=True,
        )

    def _frontier_stopped(self) -> None:
        self._frontier_of = None

    def _show_frontier(self, record: Frontier | None) -> None:
        self.price.show_record(record, self.found.view.advice.reason if self.found else "")

    @Slot(object)
    def _price_chosen(self, value: float) -> None:
        overrides = self.controls.overrides()
        paper = self.controls.solver.currentData() == "paper"
        overrides["tau2" if paper else "information_price"] = value
        self._tried(overrides)

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
        self.written.show_phrase(self.model.row(row).rate.phrase if row >= 0 else "")

    @Slot(object)
    def _word_opened(self, row: int) -> None:
        self.shell.go("evidence", phrase=self.model.row(row).rate.phrase)

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
