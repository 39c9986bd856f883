"""The line above a report: its position, the progress, and navigation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QProgressBar, QPushButton, QToolButton, QWidget

from radcal.reports.records import Modality
from ui.kit.layout import hbox
from ui.kit.text import ElidedLabel, label
from ui.words import say, whole

if TYPE_CHECKING:
    from ui.pages.review.session import ReviewSession


class ReportHead(QWidget):
    """Shows the position of the report in the session."""

    def __init__(self) -> None:
        super().__init__()
        self.place = ElidedLabel()
        self.place.setProperty("role", "strong")
        self.previous = _arrow("\u2039", say("Previous report (\u2190)"))
        self.next = _arrow("\u203a", say("Next report (\u2192)"))
        self.count = label(role="muted")
        self.bar = QProgressBar(textVisible=False)
        self.bar.setMinimumWidth(80)
        self.bar.setMaximumWidth(200)
        self.bar.setAccessibleName(say("Reports done"))
        self.accuracy = QPushButton(say("See the &accuracy"))
        self.accuracy.hide()
        hbox(self.previous, self.next, (self.place, 3), self.count, (self.bar, 1), self.accuracy, parent=self)

    def show_place(self, session: ReviewSession) -> None:
        """Show the current report's position, and how many reports are done."""
        report = session.report
        kind = say("X-ray") if report.modality is Modality.XRAY else "CT"
        state = say("done") if session.answers(report.report_id).done else ""
        where = say("Report {n} of {total}", n=whole(session.current + 1), total=whole(len(session.reports)))
        name = "" if session.apart else report.report_id.split(":", 1)[-1]
        parts = (where, kind, name, state)
        self.place.setText(" \u00b7 ".join(p for p in parts if p))
        done, total = session.finished, session.readable
        self.count.setText(say("{n} of {total}", n=whole(done), total=whole(total)))
        self.bar.setRange(0, max(total, 1))
        self.bar.setValue(done)
        self.bar.setVisible(done < total)
        self.accuracy.setVisible(0 < total <= done and not session.apart)
        self.previous.setEnabled(session.current > 0)
        self.next.setEnabled(session.current + 1 < len(session.reports))


def _arrow(text: str, tip: str) -> QToolButton:
    made = QToolButton()
    made.setText(text)
    made.setToolTip(tip)
    made.setAccessibleName(tip)
    return made
