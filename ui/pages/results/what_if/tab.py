"""What if: the words as advised, or changed by hand; other settings of the advice; words or numbers."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from ui.kit.action import push_button
from ui.kit.layout import hbox, panel, scrolled, vbox
from ui.kit.opening import Opening
from ui.kit.text import show_text, wrapped
from ui.kit.undoing import Edit, Step
from ui.pages.results.what_if import work
from ui.pages.results.what_if.changes import ALL, Change
from ui.pages.results.what_if.changing import ChangingPanel
from ui.pages.results.what_if.controls import Controls
from ui.pages.results.what_if.what_follows import numbers
from ui.words import say, typographic

if TYPE_CHECKING:
    from PySide6.QtGui import QUndoStack

    from radcal.advice.alternatives import WhatIfView
    from radcal.department import Department
    from radcal.system.selection import Selection
    from ui.pages.results.what_if.work import Explored
    from ui.shell import Shell
    from ui.tasks import Failure

LOOK, SUPPOSE, KEEP, NUMBERS = (f"what if {name}" for name in ("look", "suppose", "keep", "numbers"))


class WhatIfTab(QWidget):
    """What would follow for a selection; it follows each choice at once."""

    def __init__(self, shell: Shell, undo_stack: QUndoStack) -> None:
        super().__init__()
        self._shell, self._undo = shell, undo_stack
        self._selection: Selection | None = None
        self._department: Department | None = None
        self.found: Explored | None = None
        """The advice shown, None if there is none."""
        self._anew = True
        self._trying: dict[str, Any] = {}
        self.changing = ChangingPanel(shell, undo_stack)
        self.changing.asked.connect(self._suppose)
        self.problem, self.tried = wrapped(role="error"), wrapped()
        self.controls = Controls()
        self.controls.changed.connect(self._tried)
        self.controls.keep_wanted.connect(self._keep_wanted)
        self.numbers = wrapped()
        ask = push_button(say("&Compare words with numbers"), self._ask_numbers)
        inner = QWidget()
        vbox(
            self.problem,
            self.tried,
            self.changing,
            Opening(say("Try other se&ttings of the advice"), self.controls, name="advice settings"),
            Opening(say("Would n&umbers be closer than words?"), panel(vbox(hbox(ask, None), self.numbers))),
            None,
            parent=inner,
            margins=(0, 8, 8, 8),
        )
        self.problem.hide()
        self.tried.hide()
        vbox(scrolled(inner), parent=self)

    # --- what is shown -----------------------------------------------------------------------------

    def show_for(self, selection: Selection) -> None:
        """Ask for the advice on a selection, as results and settings are now."""
        opened = self._shell.opened
        if opened is None:
            return
        if opened.department is not self._department:
            # Tried settings and edits belong to the previous workspace.
            self._department, self._anew, self._trying = opened.department, True, {}
            self.controls.forget()
        before = self._selection
        self._anew = self._anew or before is None or selection.group != before.group
        self._selection = selection
        self.numbers.clear()
        self.ask()

    @Slot()
    def ask(self) -> None:
        """Ask for the advice under the settings tried."""
        if self._selection is not None:
            exploring = partial(work.explore, self._selection, self.controls.overrides())
            self._shell.run(LOOK, exploring, self._show, failed=self._failed)

    def _show(self, found: Explored) -> None:
        from radcal.advice.said import of_group  # imports NumPy, which the first paint must not wait for

        self.found = found
        opened = self._shell.opened
        if opened is None:
            return
        self.controls.show_department(found.department, read_only=opened.read_only)
        self._trying = self.controls.overrides()
        said = of_group(found.view.judged, own=bool(opened.personal)) if self._trying else None
        parts = () if said is None else (said.sentence, said.closer, said.rest)
        told = " ".join(typographic(part) for part in parts if part)
        show_text(self.tried, say("With these settings: {said}", said=told) if told else "")
        show_text(self.problem, "")
        anew, self._anew = self._anew, False
        rows = [
            Change(source, target, tenths)
            for source, targets in found.advised.items()
            for target, share in targets.items()
            if target != source and (tenths := round(ALL * share))
        ]
        self.changing.set_words(found.vocabulary, tuple(rows), found.view.judged, anew=anew)

    def _failed(self, failure: Failure) -> None:
        show_text(self.problem, typographic(failure.text) or say("The advice could not be worked out."))
        self._shell.messages.tell_bug(failure)

    # --- what the user does ------------------------------------------------------------------------

    @Slot(object)
    def _suppose(self, shares: dict[str, dict[str, float]] | None) -> None:
        selection = self._selection
        if shares is None or selection is None:
            return
        self._shell.run(
            SUPPOSE,
            lambda department, progress: department.alternatives.what_if(selection, shares, progress),
            self._supposed,
        )

    def _supposed(self, found: WhatIfView) -> None:
        if found.selection == self._selection:
            self.changing.show_supposed(found)

    @Slot()
    def _ask_numbers(self) -> None:
        selection, overrides, found = self._selection, self.controls.overrides(), self.found
        if selection is None or found is None:
            return
        self.numbers.setText(say("Working it out\u2026"))
        self._shell.run(
            NUMBERS,
            lambda department, progress: department.alternatives.baselines(selection, overrides, progress),
            lambda made: self.numbers.setText(numbers(made, found.department.min_group_n)),
        )

    @Slot(object)
    def _tried(self, overrides: dict[str, Any]) -> None:
        if overrides != self._trying:
            names = {*self._trying, *overrides}
            changed = [name for name in names if self._trying.get(name) != overrides.get(name)]
            key = f"try {changed[0]}" if len(changed) == 1 else ""  # moves of one setting are one step
            self._undo.push(Step(say("try other settings"), self._trying, overrides, self._try, key))

    def _try(self, overrides: dict[str, Any]) -> None:
        self._trying = overrides
        if self.controls.overrides() != overrides:
            self.controls.set_overrides(overrides)
        self.ask()

    @Slot(object)
    def _keep_wanted(self, overrides: dict[str, Any]) -> None:
        if self.found is not None and overrides:
            before = {name: getattr(self.found.department, name) for name in overrides}
            self._undo.push(Edit(say("use these settings for all"), before, overrides, self._keep))

    def _keep(self, values: dict[str, Any]) -> None:
        self._shell.run(
            KEEP,
            lambda department, _: department.save_settings(department.settings.changed(**values)),
            lambda _: self._shell.reload(say("Working out all advice again")),
            title=say("Saving the settings"),
            keeps=True,
        )
