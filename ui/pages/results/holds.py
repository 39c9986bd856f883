"""Does this hold?  Four questions to the results, each with its answer."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from radcal.advice.sensitivity import WINDOWS as TRIED
from radcal.words.phrases import speaks_against
from ui.kit.action import push_button
from ui.kit.column import Column, count
from ui.kit.layout import hbox, scrolled, vbox
from ui.kit.part import Ask, Part
from ui.kit.table import DataTable
from ui.kit.text import label, wrapped
from ui.pages.results.sentences import changed_verdicts, verdict_change
from ui.sentences import topic_name, verdict_text, with_errors
from ui.words import counted, listed, percent_range, quoted, rate, say, typographic, whole

if TYPE_CHECKING:
    from radcal.advice.judged_records import JudgedWord
    from radcal.calibration.records import Reliability, Verification, VerifiedRate
    from radcal.calibration.sensitivity_records import VerdictChange, WindowResult
    from radcal.department import Department
    from radcal.system.progress import Progress
    from radcal.system.selection import Selection
    from ui.records import Opened
    from ui.shell import Shell
    from ui.tasks import Failure

_RIGHT = 0.95
"""The sensitivity and specificity of CT that are supposed."""
_ROW, _HEAD = 28, 76
_LISTED = 4
Verdicts = Mapping[tuple[str, str, str], str]
"""By author, topic and word."""


class HoldsView(QWidget):
    """The four sections of a selection.  ``have_read``: reports without a CT were read; results want to be renewed."""

    have_read = Signal()

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self.without_ct = WithoutCt(shell)
        self.without_ct.have_read.connect(self.have_read)
        self.windows = OtherWindows(shell)
        self.ct_error = CtError(shell)
        self._shell = shell
        self.reading = wrapped()
        self.review = push_button(say("Review reports"), partial(shell.go, "review"))
        inner = QWidget()
        vbox(
            _question(say("Would findings without a CT change the result?")),
            self.without_ct,
            _question(say("Would a different time limit change the result?")),
            self.windows,
            _question(say("Would it change if CT is wrong now and then?")),
            self.ct_error,
            _question(say("Are reading errors included?")),
            self.reading,
            hbox(self.review, None),
            None,
            parent=inner,
            margins=(0, 8, 8, 8),
            spacing=4,
        )
        vbox(scrolled(inner), parent=self)

    def show_for(self, selection: Selection, words: tuple[JudgedWord, ...]) -> None:
        """Ask about a selection, of whose ``words`` this is said."""
        opened = self._shell.opened
        if opened is None:
            return
        read = [
            say("{word} {rate}", word=quoted(j.name), rate=with_errors(j.rate)) for j in words if with_errors(j.rate)
        ]
        told = say("With reading errors, CT confirmed {rates}.", rates=listed(read)) if read else ""
        self.reading.setText(" ".join(filter(None, (typographic(opened.reading_errors), told))))
        self.review.setVisible(not read)
        self.ct_error.words = words
        for part in (self.without_ct, self.windows, self.ct_error):
            part.show_for(selection)

    def forget(self) -> None:
        """Another department: what was read before says nothing of it."""
        self.without_ct.before = {}


def _question(text: str) -> QWidget:
    made = label(text, role="strong")
    made.setContentsMargins(0, 8, 0, 0)
    return made


def _fit(table: DataTable, rows: int) -> None:
    """As high as its rows: the page scrolls, not the table."""
    table.setFixedHeight(_HEAD + _ROW * max(rows, 1))


class WithoutCt(Part["Selection", "Verification"]):
    """What is left open by findings that no CT decided on."""

    operation = "verification"
    have_read = Signal()

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell, say("Counting what had a CT\u2026"))
        self.before: Verdicts = {}
        """The verdicts before the reports without a CT were read."""
        self.read = push_button(say("Rea&d the reports without CT"), self._read_unpaired)
        self.table = DataTable(
            "verification", say("Findings without a CT"), _verified_columns(self), shell, searchable=False
        )
        self.table.activated.connect(self._list_cases)
        self.lay_out(hbox(self.read, None), self.table)

    def ask(self, selection: Selection) -> Ask[Verification]:
        return lambda department, progress: department.verification.of(selection, progress)

    def show_record(self, v: Verification) -> None:
        opened = self.shell.opened
        may_read = bool(opened and not opened.read_only and not opened.personal)
        self.read.setVisible(may_read and v.n_unread > 0)
        self.table.model.set_rows(v.rates[::-1])  # the strongest first
        _fit(self.table, len(v.rates))

    def summary(self, v: Verification) -> str:
        parts = [
            say(
                "{with_ct} of {reports} X-ray reports had a CT soon after. Of {said} statements, a CT decided on "
                "{judged}.",
                with_ct=whole(v.n_with_ct),
                reports=whole(v.n_reports),
                said=whole(sum(r.said for r in v.rates)),
                judged=whole(sum(r.judged for r in v.rates)),
            )
        ]
        if v.rate is not None:
            parts.append(say("If the others are like those with one, CT would confirm {rate}.", rate=rate(*v.rate)))
        if v.n_unread:
            parts.append(
                counted(
                    v.n_unread,
                    "{n} report without CT has not been read yet, so it is not counted.",
                    "{n} reports without CT have not been read yet, so they are not counted.",
                )
            )
        if self.before and self.shell.opened is not None:
            parts.append(since_read(self.before, verdicts_of(self.shell.opened)))
        return " ".join(parts)

    @Slot(object)
    def _list_cases(self, row: int) -> None:
        if self.table.model.row(row).judged:
            self.shell.go("results", phrase=self.table.model.row(row).phrase)

    @Slot()
    def _read_unpaired(self) -> None:
        self.read.setEnabled(False)
        before = verdicts_of(self.shell.opened) if self.shell.opened is not None else {}
        self.shell.run(
            "read unpaired",
            lambda department, progress: department.verification.read_unpaired(progress),
            partial(self._have_read, before),
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

    def _have_read(self, before: Verdicts, _n: int) -> None:
        self.read.setEnabled(True)
        self.before = before
        self.have_read.emit()

    def verdict(self, r: VerifiedRate) -> str:
        """What is said of the word, unless it depends on what no CT decided on."""
        if r.closed or not r.judged:
            return say("depends on the others")
        phrase = self.shell.opened.meanings.get(r.phrase) if self.shell.opened is not None else None
        return verdict_text(r.verdict, against=phrase is not None and speaks_against(phrase))


def verdicts_of(opened: Opened) -> Verdicts:
    """What is said of every word of every group."""
    return {
        (group.author, group.topic, j.name): j.verdict
        for group, view in (*opened.groups.items(), *opened.pooled.items())
        for j in view.judged.words
    }


def since_read(before: Verdicts, now: Verdicts) -> str:
    """The verdicts that have changed since reports without a CT were read, those of every group."""
    changed = [
        f"{topic_name(topic)}, {verdict_change(word, was, verdict)}"
        for (author, topic, word), verdict in now.items()
        if (was := before.get((author, topic, word), verdict)) != verdict
    ]
    if not changed:
        return say("No verdict changes.")
    return say("The verdict changes on {words}.", words=listed(changed, _LISTED))


def _verified_columns(view: WithoutCt) -> tuple[Column, ...]:
    return (
        Column(say("word"), lambda r: r.phrase, width=120),
        count(say("said"), lambda r: float(r.said), width=56),
        count(say("with CT"), lambda r: float(r.judged), width=72),
        Column(
            say("confirmed of all"),
            lambda r: f"{percent_range(r.lowest, r.highest)} ({percent_range(r.low, r.high)})",
            True,
            meaning=say("If none to all of those without a CT were there, with the interval"),
            width=184,
        ),
        Column(say("what follows"), view.verdict),
    )


# --- other time limits -----------------------------------------------------------------------------


class _Window(NamedTuple):
    window: WindowResult
    present: bool
    group: Reliability | None
    changes: tuple[VerdictChange, ...]


class OtherWindows(Part["Selection", list[_Window]]):
    """A button, and what other time limits from X-ray to CT would make of the selection."""

    operation = "pairing windows"
    on_request = True

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell, say("Pairing and measuring\u2026"))
        about = wrapped(say("This is only a trial; saved results stay."), role="muted")
        hours = listed([whole(hours) for hours in TRIED])
        self.pair = push_button(say("&Try {hours} hours", hours=hours), self.ask_now)
        self.table = DataTable("windows", say("Time limits"), _window_columns(), shell, searchable=False)
        self.lay_out(self.table, above=(hbox(self.pair, (about, 1)),))

    def ask(self, selection: Selection) -> Ask[list[_Window]]:
        return partial(_compared, selection)

    def show_record(self, rows: list[_Window]) -> None:
        self.table.model.set_rows(rows)
        _fit(self.table, len(rows))

    def summary(self, rows: list[_Window]) -> str:
        """Whether verdicts hang on the time limit, and what was not read."""
        different = [_hours(row.window.hours) for row in rows if row.changes]
        text = say("No verdict changes.")
        if different:
            text = say("Verdicts change within {hours}. With few findings that means little.", hours=listed(different))
        if unread := max((row.window.n_unread for row in rows), default=0):
            text += " " + counted(
                unread,
                "Up to {n} pair was never read and is left out.",
                "Up to {n} pairs were never read and are left out.",
            )
        return text


def _compared(selection: Selection, department: Department, progress: Progress) -> list[_Window]:
    found = department.windows.compare(TRIED, selection, progress)
    return [
        _Window(
            window,
            window.hours == found.present,
            next(iter(window.groups), None),
            tuple(c for c in found.changes if c.hours == window.hours),
        )
        for window in found.windows
    ]


def _window_columns() -> tuple[Column, ...]:
    return (
        Column(say("time limit"), _named, value=lambda r: r.window.hours, width=112),
        count(say("pairs"), lambda r: r.window.n_pairs, width=72),
        count(say("findings"), lambda r: 0.0 if r.group is None else r.group.n, width=72),
        Column(say("verdicts that change"), lambda r: _changes(r, _LISTED), tip=_changes, width=300),
    )


def _hours(hours: float) -> str:
    return say("{n} h", n=whole(hours))


def _named(r: _Window) -> str:
    return say("{hours} (now)", hours=_hours(r.window.hours)) if r.present else _hours(r.window.hours)


def _changes(r: _Window, most: int = 0) -> str:
    """The words of another verdict; beyond ``most``, if given, they are counted."""
    return listed([verdict_change(c.phrase, c.before, c.after) for c in r.changes], most)


# --- errors of CT ----------------------------------------------------------------------------------


class CtError(Part["Selection", "Reliability"]):
    """What follows if CT were wrong in 5 of 100 cases."""

    operation = "if CT were wrong"
    on_request = True

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell, say("Working it out\u2026"))
        self.words: tuple[JudgedWord, ...] = ()
        """What is said of the words as they are."""
        self.suppose = push_button(say("&Suppose CT is wrong in 5 of 100"), self.ask_now)
        self.lay_out(above=(hbox(self.suppose, None),))

    def ask(self, selection: Selection) -> Ask[Reliability]:
        return lambda department, progress: department.groups.reliability_if(selection, _RIGHT, _RIGHT, progress)

    def show_record(self, record: Reliability) -> None:
        """All is in the note."""

    def summary(self, record: Reliability) -> str:
        """Every word of another verdict."""
        from radcal.advice.judging import judged_group  # imports NumPy, which the first paint must not wait for

        opened = self.shell.opened
        if opened is None:
            return ""
        supposed = judged_group(record, None, opened.meanings.values(), opened.min_phrase_n)
        return changed_verdicts({j.name: j.verdict for j in self.words}, supposed.words)
