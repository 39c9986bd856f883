"""Statements not verified by CT: their share, and the bounds that follow."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal, Slot
from PySide6.QtWidgets import QSlider

from radcal.words.phrases import speaks_against
from ui.kit.action import push_button
from ui.kit.column import Column, count
from ui.kit.layout import hbox
from ui.kit.part import Ask, Part
from ui.kit.table import DataTable
from ui.kit.text import caption, label
from ui.language import spoken
from ui.sentences import meaning_of, verdict_text
from ui.words import percent, percent_range, rate, say, whole

if TYPE_CHECKING:
    from radcal.reliability.records import Verification, VerifiedRate
    from radcal.system.selection import Selection
    from ui.shell import Shell
    from ui.tasks import Failure


class VerificationView(Part["Selection", "Verification"]):
    """A table of bounds, and a slider for the assumed positive rate of unverified statements."""

    operation = "verification"
    have_read = Signal()
    """Reports without a CT were read: the results want to be made anew."""

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell, say("Counting what had a CT\u2026"))
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, 100)
        self.slider.setPageStep(10)
        self.slider.setMaximumWidth(360)
        self.slider.valueChanged.connect(self._moved)
        self.share = label(percent(0))
        text = caption(say("Of the findings &without CT, this share was there:"), self.slider)
        line = hbox(text, (self.slider, 1), self.share, None)
        self.read = push_button(say("Rea&d the reports without CT"), self._read_unpaired)
        columns = (
            Column(say("phrase"), lambda r: r.phrase, width=128),
            count(say("said"), lambda r: float(r.said), width=56),
            Column(say("with CT"), _judged, True, lambda r: float(r.judged / r.said), width=160),
            Column(say("confirmed of those"), _confirmed, True, width=200),
            Column(say("of all, weighted"), _weighted, True, width=132),
            Column(say("of all, at this share"), self._assumed, True, width=132),
            Column(say("of all, none to all"), _bounds, True, width=168),
            Column(say("readers take it as"), self._meaning, width=120),
            Column(say("what follows"), self._verdict),
        )
        self.table = DataTable("verification", say("What no CT decided on"), columns, shell, searchable=False)
        self.table.activated.connect(self._list_findings)
        hint = label(say("Press Enter on a phrase to read the findings that a CT decided on."), role="muted")
        self.lay_out((self.read, 0, Qt.AlignmentFlag.AlignLeft), line, (self.table, 1), hint)

    def ask(self, selection: Selection) -> Ask[Verification]:
        return lambda department, progress: department.verification.of(selection, progress)

    def show_record(self, v: Verification) -> None:
        opened = self.shell.opened
        may_read = bool(opened and not opened.read_only and not opened.personal)
        self.read.setVisible(may_read and v.n_unread > 0)
        self.table.model.set_rows(v.rates)

    def summary(self, v: Verification) -> str:
        text = say(
            "{with_ct} of {reports} X-ray reports had a CT soon after. Of {said} statements, a CT decided on "
            "{judged}. Patients who get a CT are often the doubtful cases, so the others may differ: the last columns "
            "show what they leave open.",
            with_ct=whole(v.n_with_ct),
            reports=whole(v.n_reports),
            said=whole(sum(r.said for r in v.rates)),
            judged=whole(sum(r.judged for r in v.rates)),
        )
        if v.rate is not None:
            about = say(
                "Weighted by word, site and kind of X-ray, {rate} of all are confirmed, if those without a CT are like "
                "those with one.",
                rate=rate(*v.rate),
            )
            text = f"{text} {about}"
        if not v.n_unread:
            return text
        unread = whole(v.n_unread)
        return f"{text} {say('{n} reports without CT have not been read yet; what they say is not counted.', n=unread)}"

    @Slot(object)
    def _list_findings(self, row: int) -> None:
        if self.table.model.row(row).judged:
            self.shell.go("evidence", phrase=self.table.model.row(row).phrase)

    @Slot()
    def _read_unpaired(self) -> None:
        self.read.setEnabled(False)
        self.shell.run(
            "read unpaired",
            lambda department, progress: department.verification.read_unpaired(progress),
            self._read,
            title=say("Reading the reports without CT"),
            stopped=partial(self.read.setEnabled, True),
            failed=self._reading_failed,
            keeps=True,
            shares=True,
            long=True,
        )

    def _reading_failed(self, failure: Failure) -> None:
        self.read.setEnabled(True)
        self.fail(failure)

    def _read(self, _n: int) -> None:
        self.read.setEnabled(True)
        self.have_read.emit()

    @Slot(int)
    def _moved(self, value: int) -> None:
        self.share.setText(percent(value / 100))
        self.table.model.set_rows(self.table.model.rows)

    def _verdict(self, r: VerifiedRate) -> str:
        """What is said of the word, unless it depends on what no CT decided on."""
        if not r.judged:
            return say("no CT decided on any")
        if r.closed:
            return say("depends on the others")
        phrase = self.shell.opened.meanings.get(r.phrase) if self.shell.opened is not None else None
        return verdict_text(r.verdict, against=phrase is not None and speaks_against(phrase))

    def _meaning(self, r: VerifiedRate) -> str:
        phrase = self.shell.opened.meanings.get(r.phrase) if self.shell.opened is not None else None
        return (meaning_of(phrase) if phrase else "") or percent_range(r.meaning_low, r.meaning_high)

    def _assumed(self, r: VerifiedRate) -> str:
        return percent((r.positives + r.unverified * self.slider.value() / 100) / r.said)


def _judged(r: VerifiedRate) -> str:
    share = rate(r.judged / r.said, r.share_low, r.share_high)
    return say("{n}, {share}", n=whole(r.judged), share=share)


def _confirmed(r: VerifiedRate) -> str:
    if not r.judged:
        return ""
    share = rate(r.positives / r.judged, r.rate_low, r.rate_high)
    return say("{y} of {n}, {share}", y=spoken().part(r.positives, r.judged), n=whole(r.judged), share=share)


def _weighted(r: VerifiedRate) -> str:
    return rate(*r.weighted) if r.weighted is not None else ""


def _bounds(r: VerifiedRate) -> str:
    return f"{percent_range(r.lowest, r.highest)} ({percent_range(r.low, r.high)})"
