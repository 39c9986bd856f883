"""The line above a report: its position, the progress and pace, and navigation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QProgressBar, QPushButton, QWidget

from radcal.reports.records import Modality
from ui.kit.action import tool_button
from ui.kit.layout import hbox
from ui.kit.text import ElidedLabel, label
from ui.words import duration, say, whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from radcal.review.session import ReviewSession


class ReportHead(QWidget):
    """Shows the position of the report in the session; ``turn`` goes to the next (1) or the previous report (-1)."""

    def __init__(self, turn: Callable[[int], None]) -> None:
        super().__init__()
        self.place = ElidedLabel()
        self.place.setProperty("role", "strong")
        self.previous = tool_button("\u2039", lambda: turn(-1), tip=say("Previous report (\u2190)"))
        self.next = tool_button("\u203a", lambda: turn(1), tip=say("Next report (\u2192)"))
        self.count = label(role="muted")
        self.bar = QProgressBar(textVisible=False)
        self.bar.setMinimumWidth(80)
        self.bar.setMaximumWidth(200)
        self.bar.setAccessibleName(say("Done"))
        self.accuracy = QPushButton(say("See &how well it reads"))
        self.accuracy.hide()
        hbox(self.previous, self.next, (self.place, 3), self.count, (self.bar, 1), self.accuracy, parent=self)

    def show_place(self, session: ReviewSession) -> None:
        """Show the current report's position, how many reports are done, and how long the others will take."""
        report = session.report
        kind = say("X-ray") if report.modality is Modality.XRAY else say("CT")
        where = say("Report {n} of {total}", n=whole(session.current + 1), total=whole(len(session.reports)))
        name = "" if session.apart else report.report_id.split(":", 1)[-1]
        self.place.setText(" \u00b7 ".join(filter(None, (where, kind, name))))
        done, total, left = session.finished, session.readable, session.seconds_left
        values = {"n": whole(done), "total": whole(total)}
        if left is None:
            self.count.setText(say("{n} of {total}", **values))
        else:
            self.count.setText(say("{n} of {total}; {time} left at your pace", time=duration(left), **values))
        self.bar.setRange(0, max(total, 1))
        self.bar.setValue(done)
        self.bar.setVisible(done < total)
        self.accuracy.setVisible(0 < total <= done and not session.apart)
        self.previous.setEnabled(session.current > 0)
        self.next.setEnabled(session.current + 1 < len(session.reports))
