"""Change the wording by hand, and see the effect."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QWidget

from ui.kit.action import push_button
from ui.kit.layout import hbox, vbox
from ui.kit.picture import PictureCard, Readout
from ui.kit.text import show_text, wrapped
from ui.kit.undoing import Step
from ui.pages.results.what_if.change_row import ChangeRow
from ui.pages.results.what_if.changes import Change, Changes, shares_of
from ui.pages.results.what_if.what_follows import outcome, warnings
from ui.pages.results.what_if.work import by_hand
from ui.plots.plan_flow import PlanFlow
from ui.words import say

if TYPE_CHECKING:
    from PySide6.QtGui import QUndoStack

    from radcal.advice.alternatives import WhatIfView
    from radcal.advice.judged_records import JudgedGroup
    from ui.plots.records import FlowWord
    from ui.shell import Shell


class ChangingPanel(QWidget):
    """Manual changes and their effect; it begins with those that are advised.

    asked: the shares of the replacement words, by phrase, after each change
    """

    asked = Signal(object)

    def __init__(self, shell: Shell, undo: QUndoStack) -> None:
        super().__init__()
        self._undo = undo
        self._words: tuple[FlowWord, ...] = ()
        self._judged: JudgedGroup | None = None
        self._advised: Changes = ()
        self._touched = False
        self.changes: Changes = ()
        self.rows: list[ChangeRow] = []
        self._list = vbox(spacing=4)
        self.add = push_button(say("A&dd a change"), self._add)
        self.start = push_button(say("Start from the ad&vice"), self._start)
        self.reset = push_button(say("Reset the chan&ges"), self._reset)
        self.result = wrapped()
        self.result.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        # Always two lines high: what stands below must not move while a number is changed.
        self.result.setMinimumHeight(2 * self.fontMetrics().lineSpacing())
        self.warnings = wrapped()
        self.flow = PlanFlow()
        self.card = PictureCard(self.flow, shell, say("From the words of today to those of tomorrow"))
        readout = Readout(say("Point at a band, or press Up and Down on it, to read its numbers."))
        self.flow.hovered.connect(readout.read)
        buttons = hbox(self.add, self.start, self.reset, None)
        vbox(self._list, buttons, self.result, self.warnings, self.card, readout, parent=self)
        self._show_state()

    def set_words(self, words: tuple[FlowWord, ...], advised: Changes, judged: JudgedGroup, *, anew: bool) -> None:
        """Set the words with uses and meanings, the advice, and what is said of the words as they were said.

        anew: for another group; the changes made for the last one are dropped
        """
        different = [(w.name, w.today) for w in words] != [(w.name, w.today) for w in self._words]
        self._words, self._advised, self._judged = words, advised, judged
        if anew and self._touched:
            # Undoing would restore words of another group.
            self._undo.clear()
            self._touched = False
        said, names = {word for word, _ in self._said()}, self._names()
        kept = tuple(c for c in self.changes if c.source in said and c.target in names)
        if different:
            self._make_rows(0)
        self.changes = kept if self._touched else advised
        self._show_changes()

    def _said(self) -> list[tuple[str, float]]:
        """The words used, with n."""
        return [(w.name, w.today) for w in self._words if w.today > 0]

    def _names(self) -> tuple[str, ...]:
        """The words available."""
        return tuple(w.name for w in self._words)

    # --- what the user does ------------------------------------------------------------------------

    @Slot()
    def _add(self) -> None:
        """Add a change: the most used unchanged word, replaced by the next weaker one."""
        changed, words = {c.source for c in self.changes}, self._names()
        free = [word for word in self._said() if word[0] not in changed] or self._said()
        if not free:
            return
        source = max(free, key=lambda w: w[1])[0]
        at = words.index(source)
        target = words[at + 1] if at + 1 < len(words) else words[at - 1]
        self._push((*self.changes, Change(source, target, 5)))
        self.rows[-1].tenths.setFocus()

    @Slot()
    def _start(self) -> None:
        self._push(self._advised)

    @Slot()
    def _reset(self) -> None:
        self._push(())

    def _edited(self, row: int, change: Change) -> None:
        before = self.changes[row]
        changes = (*self.changes[:row], change, *self.changes[row + 1 :])
        moved = (before.source, before.target) == (change.source, change.target)
        # The moves of one number are one step back.
        self._push(changes, f"change {row}" if moved else "")

    def _remove(self, row: int) -> None:
        self._push((*self.changes[:row], *self.changes[row + 1 :]))
        (self.rows[min(row, len(self.rows) - 1)].tenths if self.rows else self.add).setFocus()

    def _push(self, changes: Changes, key: str = "") -> None:
        if changes != self.changes:
            self._touched = True
            self._undo.push(Step(say("change the use of a word"), self.changes, changes, self._set, key))

    def _set(self, changes: Changes) -> None:
        self.changes = changes
        self._show_changes()

    def shares(self) -> dict[str, dict[str, float]] | None:
        """The changes, as shares; None if a word's shares exceed its cases."""
        return shares_of(self.changes)

    # --- what follows ------------------------------------------------------------------------------

    def _show_changes(self) -> None:
        if len(self.rows) != len(self.changes):
            self._make_rows(len(self.changes))
        for row, change in zip(self.rows, self.changes, strict=True):
            row.show_change(change)
        self._show_state()
        shares = self.shares()
        if shares is not None:  # if it is impossible, the last possible plan stays
            self.flow.set_plan(by_hand(self._words, shares))
            self.asked.emit(shares)

    def _make_rows(self, n: int) -> None:
        while len(self.rows) > n:
            row = self.rows.pop()
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        while len(self.rows) < n:
            row = ChangeRow(len(self.rows) + 1, self._said(), self._names())
            row.changed.connect(partial(self._edited, len(self.rows)))
            row.removed.connect(partial(self._remove, len(self.rows)))
            self.rows.append(row)
            self._list.addWidget(row)

    def _show_state(self) -> None:
        self.reset.setEnabled(bool(self.changes))
        self.start.setEnabled(bool(self._advised) and self.changes != self._advised)
        self.add.setEnabled(bool(self._said()) and len(self._words) > 1)
        self.card.setVisible(bool(self._said()))
        if self.shares() is None:
            self.result.clear()
            show_text(self.warnings, say("The changes of a word come to more than 10 of 10 cases. Lower one."))
        elif not self.result.text():  # they did a moment ago
            show_text(self.warnings, "")

    def show_supposed(self, found: WhatIfView) -> None:
        """Show the effect of the changes."""
        if (shares := self.shares()) is None:
            return
        self.result.setText(outcome(found.result, changed=bool(shares), advised=self.changes == self._advised))
        show_text(self.warnings, "\n".join(warnings(found.result, self._judged, shares)))
