"""Statements not verified by CT: their share, and the bounds that follow."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QSlider, QWidget

from ui.language import spoken
from ui.sentences import meaning_of
from ui.widgets.buttons import push_button
from ui.widgets.labels import caption, label, wrapped
from ui.widgets.layouts import hbox, vbox
from ui.widgets.lists import ListColumn, ListTableModel
from ui.widgets.tables import DataTable
from ui.words import percent, percent_range, rate, say, typographic, whole

if TYPE_CHECKING:
    from radcal.records import Selection, Verification, VerifiedRate
    from ui.shell import Shell
    from ui.tasks import Failure

LOOK, READ = "verification", "read unpaired"


class VerificationView(QWidget):
    """A table of bounds, and a slider for the assumed positive rate of unverified statements."""

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self._shell = shell
        self._selection: Selection | None = None
        self._asked: tuple[object, Selection | None] = (None, None)
        self.about = wrapped()
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(0, 100)
        self.slider.setPageStep(10)
        self.slider.setMaximumWidth(360)
        self.slider.valueChanged.connect(self._moved)
        share = say("Of the findings &without CT, this share was there:")
        self.share = label()
        line = hbox(caption(share, self.slider), (self.slider, 1), self.share, None)
        self.read = push_button(say("Rea&d the reports without CT"), self._read_unpaired)
        self.model = ListTableModel(
            (
                ListColumn(say("phrase"), lambda r: r.phrase),
                ListColumn(say("said"), lambda r: whole(r.said), True, lambda r: float(r.said)),
                ListColumn(say("with CT"), _judged, True, lambda r: float(r.judged / r.said)),
                ListColumn(say("confirmed of those"), _confirmed, True),
                ListColumn(say("of all, at this share"), self._assumed, True),
                ListColumn(say("of all, none to all"), _bounds, True),
                ListColumn(say("readers take it as"), self._meaning),
                ListColumn(say("what follows"), self._verdict, tip=self._verdict_in_full),
            ),
            self,
        )
        self.table = DataTable(
            "verification",
            say("What no CT decided on"),
            self.model,
            shell,
            widths=(128, 56, 160, 200, 132, 168, 120),
            searchable=False,
        )
        self.table.activated.connect(self._list_findings)
        hint = label(say("Press Enter on a phrase to read the findings that a CT decided on."), role="muted")
        vbox(
            self.about,
            (self.read, 0, Qt.AlignmentFlag.AlignLeft),
            line,
            (self.table, 1),
            hint,
            parent=self,
            margins=(0, 8, 0, 0),
        )
        self._moved(0)

    def show_selection(self, selection: Selection) -> None:
        """Load the selection's bounds unless already shown."""
        if self._asked == (self._shell.opened, selection):
            return
        self._asked = self._shell.opened, selection
        self._selection = selection
        self.model.set_rows(())
        self.read.hide()
        self.about.setText(say("Counting what had a CT\u2026"))
        self._shell.run(
            LOOK,
            lambda department, progress: department.verification.of(selection, progress),
            self._show,
            failed=self._failed,
        )

    def _failed(self, failure: Failure) -> None:
        self.about.setText(typographic(failure.text) or failure.technical.splitlines()[0])

    def _show(self, v: Verification) -> None:
        said = sum(r.said for r in v.rates)
        judged = sum(r.judged for r in v.rates)
        text = say(
            "{with_ct} of {reports} X-ray reports had a CT soon after. Of {said} statements, a CT decided on "
            "{judged}. Patients who get a CT are often the doubtful cases, so the others may differ: the last columns "
            "show what they leave open.",
            with_ct=whole(v.n_with_ct),
            reports=whole(v.n_reports),
            said=whole(said),
            judged=whole(judged),
        )
        opened = self._shell.opened
        may_read = opened is not None and not opened.read_only and not opened.personal
        if v.n_unread:
            text += " " + say(
                "{n} reports without CT have not been read yet; what they say is not counted.", n=whole(v.n_unread)
            )
        self.about.setText(text)
        self.read.setVisible(bool(v.n_unread) and may_read)
        self.model.set_rows(v.rates)

    @Slot(object)
    def _list_findings(self, row: int) -> None:
        if self.model.row(row).judged:
            self._shell.go("evidence", phrase=self.model.row(row).phrase)

    @Slot()
    def _read_unpaired(self) -> None:
        self.read.setEnabled(False)
        self._shell.run(
            READ,
            lambda department, progress: department.verification.read_unpaired(progress),
            self._have_read,
            title=say("Reading the reports without CT"),
            stopped=partial(self.read.setEnabled, True),
            failed=self._reading_failed,
            keeps=True,
            shares=True,
            long=True,
        )

    def _reading_failed(self, failure: Failure) -> None:
        self.read.setEnabled(True)
        self._failed(failure)

    def _have_read(self, _n: int) -> None:
        self.read.setEnabled(True)
        self._asked = (None, None)
        if self._selection is not None:
            self.show_selection(self._selection)

    @Slot(int)
    def _moved(self, value: int) -> None:
        self.share.setText(percent(value / 100))
        self.model.set_rows(self.model.rows)

    def _verdict(self, r: VerifiedRate) -> str:
        if 0 < r.judged < self._least:
            return say("{n} with CT; needs {min}", n=whole(r.judged), min=self._least)
        if r.spans:
            return say("no verdict: bounds too wide")
        return {
            "stronger": say("stronger in any case"),
            "weaker": say("weaker in any case"),
            "within": say("agrees in any case"),
            "open": say("depends on the others"),
            "": say("no CT decided on any"),
        }[r.verdict]

    def _verdict_in_full(self, r: VerifiedRate) -> str:
        if 0 < r.judged < self._least:
            return say("{n} with CT; a verdict needs {min}", n=whole(r.judged), min=self._least)
        if r.spans:
            return say("no verdict: the bounds reach over the whole range")
        return {
            "stronger": say("stronger than CT supported, whatever the others were"),
            "weaker": say("weaker than CT supported, whatever the others were"),
            "within": say("agrees, whatever the others were"),
            "open": say("open: it depends on the others"),
            "": say("no CT decided on any"),
        }[r.verdict]

    @property
    def _least(self) -> int:
        """Uses with a CT that a verdict needs."""
        return self._shell.opened.min_phrase_n if self._shell.opened is not None else 1

    def _meaning(self, r: VerifiedRate) -> str:
        phrases = self._shell.opened.phrases if self._shell.opened is not None else ()
        own = next((meaning_of(p) for p in phrases if p.name == r.phrase), "")
        return own or percent_range(r.meaning_low, r.meaning_high)

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


def _bounds(r: VerifiedRate) -> str:
    return f"{percent_range(r.lowest, r.highest)} ({percent_range(r.low, r.high)})"
