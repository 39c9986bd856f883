"""Two readers compared: their agreement, and adjudication of their differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QPushButton, QWidget

from radcal.review.records import Decision, new_name
from ui.kit.action import push_button
from ui.kit.layout import FlowLayout, ScrollArea, hbox, panel, scrolled, vbox
from ui.kit.table import DataTable
from ui.kit.text import caption, label, wrapped
from ui.pages.review.models import agreed_model, dispute_model, kappa_text, says
from ui.sentences import reports_text
from ui.words import say, whole

if TYPE_CHECKING:
    from ui.pages.review.work import Comparing
    from ui.shell import Shell


class AgreementView(ScrollArea):
    """Shows a Comparing.

    pair_wanted: the two readers to compare;  decided: the user's Decision
    report_wanted: the id of a report to open
    """

    pair_wanted = Signal(str, str)
    decided = Signal(object)
    report_wanted = Signal(str)

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self._comparing: Comparing | None = None
        self._read_only = False
        self.first, self.second = QComboBox(minimumContentsLength=10), QComboBox(minimumContentsLength=10)
        for box in (self.first, self.second):
            box.activated.connect(self._choose)
        self._who = panel(
            hbox(
                caption(say("First reade&r"), self.first),
                self.first,
                caption(say("&Second reader"), self.second),
                self.second,
                None,
            )
        )
        self.headline = wrapped()
        self.coefficients, self.pathologies, self.differences = agreed_model(360), agreed_model(220), dispute_model()
        self.agreed = DataTable("review-agreement", say("Agreement"), self.coefficients, shell, searchable=False)
        self.agreed.setFixedHeight(164)
        differ, by = say("Where the readers differ"), say("Agreement by pathology")
        self.table = DataTable("review-disputes", differ, self.differences, shell)
        self.table.setMinimumHeight(220)
        self.table.current_changed.connect(self._show_dispute)
        self.table.activated.connect(self._open)
        self.table.view.installEventFilter(self)
        self.by_pathology = DataTable("review-agreement-pathologies", by, self.pathologies, shell)
        self.by_pathology.setMinimumHeight(240)
        for table in (self.agreed, self.by_pathology):
            table.view.horizontalHeader().setStretchLastSection(False)
        self.sentences = wrapped()
        self._what = panel(
            vbox(
                self.agreed,
                label(differ, role="strong"),
                (self.table, 1),
                self.sentences,
                self._build_buttons(),
                label(by, role="strong"),
                (self.by_pathology, 1),
            )
        )
        content = vbox(self._who, self.headline, (self._what, 1), (None, 0), margins=(0, 0, 8, 0))
        scrolled(panel(content), self, sideways=True)

    def _build_buttons(self) -> QWidget:
        strip = QWidget()
        flow = FlowLayout(strip)
        self.choices: dict[str, QPushButton] = {}
        for key, text in (
            ("1", say("First reader  1")),
            ("2", say("Second reader  2")),
            ("n", say("Not mentioned  N")),
            ("u", say("Leave it out  U")),
        ):
            self.choices[key] = push_button(text, partial(self._decide, key))
            flow.addWidget(self.choices[key])
        return strip

    # --- showing -----------------------------------------------------------------------------------

    def show_readers(self, readers: Sequence[str], *, read_only: bool) -> bool:
        """Offer the readers who have finished reports; returns whether there are two to compare."""
        self._read_only = read_only
        for other, (box, name) in enumerate(zip((self.first, self.second), self.pair(), strict=True)):
            box.clear()
            box.addItems(list(readers))
            box.setCurrentIndex(readers.index(name) if name in readers else min(other, len(readers) - 1))
        self._part(self.second)
        enough = len(readers) > 1
        self._who.setVisible(enough)
        self._what.setVisible(enough)
        if not enough:
            self.show_comparing(None)
        return enough

    def pair(self) -> tuple[str, str]:
        """The two selected readers."""
        return self.first.currentText(), self.second.currentText()

    def _part(self, moves: QComboBox) -> None:
        """Never compare a reader with themselves: ``moves`` goes on to another."""
        if moves.count() > 1 and self.first.currentIndex() == self.second.currentIndex():
            moves.setCurrentIndex((moves.currentIndex() + 1) % moves.count())

    @Slot()
    def _choose(self) -> None:
        self._part(self.first if self.sender() is self.second else self.second)
        self.pair_wanted.emit(*self.pair())

    def show_comparing(self, comparing: Comparing | None) -> None:
        """Show two readers, at the first undecided difference."""
        current = self.table.current_row()
        self._comparing = comparing
        self.coefficients.set_rows(comparing.agreement.coefficients if comparing else ())
        self.pathologies.set_rows(comparing.agreement.pathologies if comparing else ())
        self.differences.set_rows(comparing.disputes if comparing else ())
        self.headline.setText(self._headline())
        if self.differences.rows:
            self.table.select_row(current if current >= 0 else self._waiting(0))
        self._show_dispute(self.table.current_row())

    def _headline(self) -> str:
        if self._comparing is None:
            return say("Two readers who have finished the same reports are needed. Ask a colleague to read as well.")
        a, disputes = self._comparing.agreement, self.differences.rows
        if not a.reports:
            return say("{first} and {second} have finished no report in common yet.", first=a.first, second=a.second)
        return say(
            "{first} and {second} on {reports}: kappa {kappa}. Differences: {n}, to be decided: {waiting}.",
            first=a.first,
            second=a.second,
            reports=reports_text(a.reports),
            kappa=kappa_text(a.coefficients[0]),
            n=whole(len(disputes)),
            waiting=whole(sum(d.decision is None for d in disputes)),
        )

    @Slot(object)
    def _show_dispute(self, current: int) -> None:
        one_key = say("One key decides, and goes on to the next difference")
        for choice in self.choices.values():
            choice.setEnabled(current >= 0 and not self._read_only)
            choice.setToolTip(say("The workspace is open to read only.") if self._read_only else one_key)
        self.sentences.setVisible(current >= 0)
        if current < 0 or self._comparing is None:
            return
        a, d = self._comparing.agreement, self.differences.row(current)
        lines = [
            say(
                "{reader}: {said}. {sentences}",
                reader=reader,
                said=says(said, unsure),
                sentences=" ".join(dict.fromkeys(f.sentence for f in said)),
            )
            for reader, said, unsure in ((a.first, d.first, d.unsure[0]), (a.second, d.second, d.unsure[1]))
        ]
        self.sentences.setText("\n".join(lines))

    @Slot(object)
    def _open(self, place: int) -> None:
        self.report_wanted.emit(self.differences.row(place).report_id)

    def _waiting(self, start: int) -> int:
        """The next undecided difference from ``start``, wrapping around; ``start`` if all are decided."""
        disputes = self.differences.rows
        order = (*range(start, len(disputes)), *range(start))
        return next((i for i in order if disputes[i].decision is None), start)

    # --- deciding ----------------------------------------------------------------------------------

    def _decide(self, key: str) -> None:
        """Decide the current difference: as the first reader (1) or the second (2), not mentioned (n), left out (u)."""
        current = self.table.current_row()
        if self._read_only or current < 0:
            return
        d = self.differences.row(current)
        statements, left_out = {
            "1": (d.first, d.unsure[0]),
            "2": (d.second, d.unsure[1]),
            "n": ((), False),
            "u": ((), True),
        }[key]
        self.decided.emit(Decision(new_name(), d.report_id, d.pathology, () if left_out else statements, left_out))

    def take(self, decision: Decision, *, undone: bool) -> None:
        """Show a decision made or undone, and go to the next undecided difference."""
        disputes = list(self.differences.rows)
        for i, d in enumerate(disputes):
            if (d.report_id, d.pathology) == (decision.report_id, decision.pathology):
                disputes[i] = replace(d, decision=None if undone else decision)
                self.differences.set_rows(disputes)
                self.table.select_row(i if undone else self._waiting(i))
                self.headline.setText(self._headline())
                return

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            key = event.text().lower()
            if key in self.choices and event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if key in self.choices and event.type() == QEvent.Type.KeyPress:
                self._decide(key)
                return True
        return super().eventFilter(watched, event)
