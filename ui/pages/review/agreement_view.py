"""Two readers side by side: their agreement, and adjudication of their differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from radcal.records.gold import Decision, Dispute, new_name
from ui.pages.review.models import agreed_model, dispute_model, kappa_text, says
from ui.widgets.flow import FlowLayout
from ui.widgets.labels import label, wrapped
from ui.widgets.tables import DataTable
from ui.words import counted, say, whole

if TYPE_CHECKING:
    from radcal.records import Finding
    from ui.pages.review.work import Comparing
    from ui.shell import Shell


class AgreementView(QScrollArea):
    """Shows a Comparing.

    pair_wanted: the two readers to compare;  decided: a Decision, to be kept and undone
    report_wanted: the id of a report to turn to
    """

    pair_wanted = Signal(str, str)
    decided = Signal(object)
    report_wanted = Signal(str)

    def __init__(self, shell: Shell, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._comparing: Comparing | None = None
        self._disputes: list[Dispute] = []
        self._read_only = False
        self.first, self.second = QComboBox(), QComboBox()
        names = (say("First reade&r"), say("&Second reader"))
        self._who, self._what = QWidget(), QWidget()
        who = QHBoxLayout(self._who)
        who.setContentsMargins(0, 0, 0, 0)
        who.setSpacing(8)
        for box, name in zip((self.first, self.second), names, strict=True):
            caption = QLabel(name)
            caption.setBuddy(box)
            box.setMinimumContentsLength(10)
            box.activated.connect(self._choose)
            who.addWidget(caption)
            who.addWidget(box)
        who.addStretch(1)
        self.headline = wrapped()
        self.coefficients, self.pathologies, self.differences = (
            agreed_model(self),
            agreed_model(self),
            dispute_model(self),
        )
        name = say("Agreement")
        self.agreed = DataTable(
            "review-agreement", name, self.coefficients, shell, widths=(360, 64, 132, 64), searchable=False
        )
        self.agreed.setFixedHeight(164)
        name = say("Where the readers differ")
        self.table = DataTable("review-disputes", name, self.differences, shell, widths=(140, 160, 190, 190))
        self.table.setMinimumHeight(220)
        self.table.current_changed.connect(self._show_dispute)
        self.table.activated.connect(self._open)
        self.table.view.installEventFilter(self)
        by = say("Agreement by pathology")
        self.by_pathology = DataTable(
            "review-agreement-pathologies", by, self.pathologies, shell, widths=(220, 64, 132, 64)
        )
        self.by_pathology.setMinimumHeight(240)
        for table in (self.agreed, self.by_pathology):
            table.view.horizontalHeader().setStretchLastSection(False)
        self.sentences = wrapped()
        self._build_buttons()
        inner = QWidget()
        layout = QVBoxLayout(inner)
        layout.setContentsMargins(0, 0, 8, 0)
        layout.setSpacing(8)
        layout.addWidget(self._who)
        layout.addWidget(self.headline)
        layout.addWidget(self._what, 1)
        layout.addStretch(0)
        figures = QVBoxLayout(self._what)
        figures.setContentsMargins(0, 0, 0, 0)
        figures.setSpacing(8)
        figures.addWidget(self.agreed)
        figures.addWidget(label(self.table.view.accessibleName(), role="strong"))
        figures.addWidget(self.table, 1)
        figures.addWidget(self.sentences)
        figures.addWidget(self.strip)
        figures.addWidget(label(by, role="strong"))
        figures.addWidget(self.by_pathology, 1)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidget(inner)
        self.viewport().setAutoFillBackground(False)
        inner.setAutoFillBackground(False)

    def _build_buttons(self) -> None:
        self.strip = QWidget()
        flow = FlowLayout(self.strip)
        self.choices: dict[str, QPushButton] = {}
        for key, text in (
            ("1", say("First reader  1")),
            ("2", say("Second reader  2")),
            ("n", say("Not mentioned  N")),
            ("u", say("Leave it out  U")),
        ):
            button = QPushButton(text)
            button.clicked.connect(self._pressers()[key])
            flow.addWidget(button)
            self.choices[key] = button

    def _pressers(self) -> dict[str, Callable[[], None]]:
        return {"1": self.take_first, "2": self.take_second, "n": self.take_none, "u": self.leave_out}

    # --- showing -----------------------------------------------------------------------------------

    def show_readers(self, readers: Sequence[str], *, read_only: bool) -> bool:
        """Offer the readers with finished reports; returns whether there are two to compare."""
        self._read_only = read_only
        chosen = self.first.currentText(), self.second.currentText()
        for box, name, other in ((self.first, chosen[0], 0), (self.second, chosen[1], 1)):
            box.clear()
            box.addItems(list(readers))
            if name in readers:
                box.setCurrentText(name)
            else:
                box.setCurrentIndex(min(other, len(readers) - 1))
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
        self._disputes = list(comparing.disputes) if comparing else []
        self.coefficients.set_rows(comparing.agreement.coefficients if comparing else ())
        self.pathologies.set_rows(comparing.agreement.pathologies if comparing else ())
        self.differences.set_rows(self._disputes)
        self.headline.setText(self._headline())
        if self._disputes:
            self.table.select_row(current if current >= 0 else self._waiting(0))
        self._show_dispute(self.table.current_row())

    def _headline(self) -> str:
        if self._comparing is None:
            return say("Two readers who have finished the same reports are needed. Ask a colleague to read as well.")
        a = self._comparing.agreement
        if not a.reports:
            return say("{first} and {second} have finished no report in common yet.", first=a.first, second=a.second)
        waiting = sum(d.decision is None for d in self._disputes)
        return say(
            "{first} and {second} on {reports}: kappa {kappa}. Differences: {n}, to be decided: {waiting}.",
            first=a.first,
            second=a.second,
            reports=counted(a.reports, "{n} report", "{n} reports"),
            kappa=kappa_text(a.coefficients[0]),
            n=whole(len(self._disputes)),
            waiting=whole(waiting),
        )

    @Slot(object)
    def _show_dispute(self, row: int) -> None:
        dispute = self._disputes[row] if 0 <= row < len(self._disputes) else None
        for button in self.choices.values():
            button.setEnabled(dispute is not None and not self._read_only)
            button.setToolTip(
                say("The workspace is open to read only.")
                if self._read_only
                else say("One key decides, and goes on to the next difference")
            )
        self.sentences.setVisible(dispute is not None)
        if dispute is None or self._comparing is None:
            return
        a = self._comparing.agreement
        lines = []
        for reader, said, unsure in ((a.first, dispute.first, 0), (a.second, dispute.second, 1)):
            words = says(said, dispute.unsure[unsure])
            lines.append(
                say(
                    "{reader}: {said}. {sentences}",
                    reader=reader,
                    said=words,
                    sentences=" ".join(dict.fromkeys(f.sentence for f in said)),
                )
            )
        self.sentences.setText("\n".join(lines))

    @Slot(object)
    def _open(self, row: int) -> None:
        if 0 <= row < len(self._disputes):
            self.report_wanted.emit(self._disputes[row].report_id)

    def _waiting(self, start: int) -> int:
        """The next undecided difference from ``start``; the first if there is none."""
        n = len(self._disputes)
        return next(
            (i % n for i in range(start, start + n) if self._disputes[i % n].decision is None), min(start, n - 1)
        )

    # --- deciding ----------------------------------------------------------------------------------

    @Slot()
    def take_first(self) -> None:
        """The first reader is right."""
        self._decide(lambda d: d.first, 0)

    @Slot()
    def take_second(self) -> None:
        """The second reader is right."""
        self._decide(lambda d: d.second, 1)

    @Slot()
    def take_none(self) -> None:
        """The report does not mention it."""
        self._decide(lambda _d: (), None)

    @Slot()
    def leave_out(self) -> None:
        """It cannot be decided."""
        self._decide(None, None)

    def _decide(self, choose: Callable[[Dispute], tuple[Finding, ...]] | None, reader: int | None) -> None:
        row = self.table.current_row()
        if self._read_only or not 0 <= row < len(self._disputes):
            return
        d = self._disputes[row]
        left_out = choose is None or (reader is not None and d.unsure[reader])
        statements = () if choose is None or left_out else choose(d)
        self.decided.emit(Decision(new_name(), d.report_id, d.pathology, statements, left_out))

    def take(self, decision: Decision, *, undone: bool) -> None:
        """Show a decision made or undone, and go to the next undecided difference."""
        for i, d in enumerate(self._disputes):
            if (d.report_id, d.pathology) == (decision.report_id, decision.pathology):
                self._disputes[i] = replace(d, decision=None if undone else decision)
                self.differences.set_rows(self._disputes)
                self.table.select_row(i if undone else self._waiting(i))
                self.headline.setText(self._headline())
                return

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier:
            act = self._pressers().get(event.text().lower())
            if act is not None and event.type() == QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if act is not None and event.type() == QEvent.Type.KeyPress:
                act()
                return True
        return super().eventFilter(watched, event)
