"""Two readers compared: their agreement, and adjudication of their differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QWidget

from radcal.review.records import Decision, new_name
from ui.kit.action import enable, push_button
from ui.kit.form import choice, offer
from ui.kit.layout import FlowLayout, hbox, panel, vbox
from ui.kit.table import DataTable
from ui.kit.text import caption, show_text, wrapped
from ui.pages.review.models import agreed_model, dispute_model, says
from ui.pages.review.sentences import read_only_text
from ui.sentences import reports_text
from ui.words import percent, say, whole

if TYPE_CHECKING:
    from ui.pages.review.work import Comparing
    from ui.shell import Shell


class ReadersPanel(QWidget):
    """Shows a Comparing.

    pair_wanted: other readers were chosen;  decided: the user's Decision;  report_wanted: the id of a report to open
    """

    pair_wanted = Signal()
    decided = Signal(object)
    report_wanted = Signal(str)

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self._shell = shell
        self._comparing: Comparing | None = None
        self.first, self.second = choice(""), choice("")
        for box in (self.first, self.second):
            box.activated.connect(self._choose)
        self._who = panel(
            hbox(
                caption(say("First reade&r"), self.first), self.first,
                caption(say("&Second reader"), self.second), self.second, None,
            )
        )  # fmt: skip
        self.headline, self.sentences = wrapped(role="strong"), wrapped()
        self.coefficients, self.differences = agreed_model(), dispute_model()
        agreed = DataTable("review-agreement", say("Agreement"), self.coefficients, shell, searchable=False)
        agreed.setMinimumHeight(240)
        agreed.view.horizontalHeader().setStretchLastSection(False)
        self.table = DataTable(
            "review-disputes", say("Where the readers differ"), self.differences, shell, searchable=False
        )
        self.table.setMinimumHeight(220)
        self.table.current_changed.connect(self._show_dispute)
        self.table.activated.connect(self._open)
        self.table.view.installEventFilter(self)
        self._what = panel(vbox((self.table, 1), self.sentences, self._build_buttons(), (agreed, 1)))
        vbox(self._who, self.headline, (self._what, 1), parent=self)

    def _build_buttons(self) -> QWidget:
        strip = QWidget()
        flow = FlowLayout(strip)
        self.choices: dict[str, QPushButton] = {}
        for key, text in (
            ("1", ""),
            ("2", ""),
            ("n", say("Not mentioned  N")),
            ("u", say("Leave it out  U")),
        ):
            self.choices[key] = push_button(text, partial(self._decide, key))
            flow.addWidget(self.choices[key])
        return strip

    # --- showing -----------------------------------------------------------------------------------

    def pair(self) -> tuple[str, str]:
        """The two selected readers."""
        return self.first.currentText(), self.second.currentText()

    @Slot()
    def _choose(self) -> None:
        """Never compare a reader with themselves: the other one moves on."""
        moves = self.first if self.sender() is self.second else self.second
        if self.first.currentIndex() == self.second.currentIndex():
            moves.setCurrentIndex((moves.currentIndex() + 1) % moves.count())
        self.pair_wanted.emit()

    def show_comparing(self, readers: Sequence[str], comparing: Comparing | None) -> None:
        """Show two of the readers who have finished reports, at the first undecided difference; None for too few."""
        current = self.table.current_row()
        self._comparing = comparing
        shown = (comparing.agreement.first, comparing.agreement.second) if comparing else ("", "")
        for box, name in zip((self.first, self.second), shown, strict=True):
            offer(box, ((reader, reader) for reader in readers), name)
        self._who.setVisible(len(readers) > 1)
        self._what.setVisible(comparing is not None)
        self.coefficients.set_rows(
            (*comparing.agreement.coefficients, *comparing.agreement.pathologies) if comparing else ()
        )
        self.differences.set_rows(comparing.disputes if comparing else ())
        self.headline.setText(self._headline())
        for key, reader in zip("12", shown, strict=True):
            self.choices[key].setText(f"{reader}  {key}")
        if self.differences.rows:
            self.table.select_row(current if current >= 0 else self._waiting(0))
        self._show_dispute(self.table.current_row())

    def _headline(self) -> str:
        if self._comparing is None:
            return say("A second reader is needed who has finished the same reports. Ask a colleague to read as well.")
        a, disputes = self._comparing.agreement, self.differences.rows
        if not a.reports:
            return say("{first} and {second} have finished no report in common yet.", first=a.first, second=a.second)
        return say(
            "{first} and {second} agree on {share} in {reports}. They differ on {n}; {waiting} wait for a decision.",
            first=a.first,
            second=a.second,
            share=percent(a.coefficients[0].observed),
            reports=reports_text(a.reports),
            n=whole(len(disputes)),
            waiting=whole(sum(d.decision is None for d in disputes)),
        )

    @property
    def _read_only(self) -> bool:
        return self._shell.opened is not None and self._shell.opened.read_only

    @Slot(object)
    def _show_dispute(self, current: int) -> None:
        for button in self.choices.values():
            enable(button, read_only_text() if self._read_only else "")
            button.setEnabled(current >= 0 and not self._read_only)
        if current < 0 or self._comparing is None:
            show_text(self.sentences, "")
            return
        a, d = self._comparing.agreement, self.differences.row(current)
        both = ((a.first, d.first, d.unsure[0]), (a.second, d.second, d.unsure[1]))
        lines = (
            f"{reader}: {says(said, unsure)}. {' '.join(dict.fromkeys(f.sentence for f in said))}"
            for reader, said, unsure in both
        )
        show_text(self.sentences, "\n".join(lines))

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
