"""How another pairing window would change the results: asked for by a click."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from radcal.advice.sensitivity import WINDOWS as TRIED
from ui.kit.action import push_button
from ui.kit.column import Column, count, estimated
from ui.kit.layout import hbox
from ui.kit.part import Ask, Part
from ui.kit.table import DataTable
from ui.kit.text import wrapped
from ui.sentences import verdict_text
from ui.words import decimal_interval, listed, quoted, say, whole

if TYPE_CHECKING:
    from radcal.department import Department
    from radcal.reliability.records import Reliability
    from radcal.reliability.sensitivity_records import VerdictChange, WindowResult
    from radcal.system.progress import Progress
    from radcal.system.selection import Selection
    from ui.shell import Shell


class _Row(NamedTuple):
    window: WindowResult
    present: bool
    group: Reliability | None
    changes: tuple[VerdictChange, ...]


class WindowsView(Part["Selection", list[_Row]]):
    """A button, and the table of windows for the selection that was asked for."""

    operation = "pairing windows"
    on_request = True

    def __init__(self, shell: Shell) -> None:
        super().__init__(shell, say("Pairing and measuring\u2026"))
        about = wrapped(
            say(
                "Would a different longest time from X-ray to CT change the result? This is only a trial; saved "
                "results stay."
            )
        )
        hours = listed([whole(hours) for hours in TRIED])
        self.pair = push_button(say("Pair &anew within {hours} hours", hours=hours), self.ask_now)
        self.table = DataTable("windows", say("Pairing windows"), _columns(), shell, searchable=False)
        self.lay_out((self.table, 1), above=(about, hbox(self.pair, None)))

    def ask(self, selection: Selection) -> Ask[list[_Row]]:
        return partial(_compared, selection)

    def show_record(self, rows: list[_Row]) -> None:
        self.table.model.set_rows(rows)

    def summary(self, rows: list[_Row]) -> str:
        """Whether verdicts hang on the window, and what was not read."""
        different = [_hours(row.window.hours) for row in rows if row.changes]
        if different:
            text = say(
                "Single words are judged otherwise within {hours}. Look at the number of findings first: with few, "
                "hardly anything is shown.",
                hours=listed(different),
            )
        else:
            text = say("No verdict hangs on the window.")
        unread = max((row.window.n_unread for row in rows), default=0)
        if unread:
            text += " " + say(
                "Up to {n} pairs have a report that was never read. To count them, set the longer time in Settings and "
                "read on.",
                n=whole(unread),
            )
        return text


def _compared(selection: Selection, department: Department, progress: Progress) -> list[_Row]:
    found = department.windows.compare(TRIED, selection, progress)
    return [
        _Row(
            window,
            window.hours == found.present,
            next(iter(window.groups), None),
            tuple(c for c in found.changes if c.hours == window.hours),
        )
        for window in found.windows
    ]


def _columns() -> tuple[Column, ...]:
    return (
        Column(say("window"), _window, value=lambda r: r.window.hours, width=112),
        count(say("pairs"), lambda r: r.window.n_pairs, width=72),
        count(
            say("not read"),
            lambda r: r.window.n_unread,
            say("Pairs of the department with a report that was never read; they are left out"),
            width=72,
        ),
        count(say("findings"), lambda r: 0.0 if r.group is None else r.group.n, say("Of the selection"), width=72),
        estimated(
            say("word error, 95 %"),
            lambda r: r.group and (r.group.word_error, r.group.word_error_low, r.group.word_error_high),
            decimal_interval,
            alone=True,
            missing=say("not enough data"),
            width=152,
        ),
        Column(say("single words judged otherwise"), lambda r: _changes(r, 4), tip=_changes, width=300),
    )


def _hours(hours: float) -> str:
    return say("{n} h", n=whole(hours))


def _window(r: _Row) -> str:
    return say("{hours} (now)", hours=_hours(r.window.hours)) if r.present else _hours(r.window.hours)


def _changes(r: _Row, most: int = 0) -> str:
    """The words of another verdict; beyond ``most``, if given, they are counted."""
    if r.changes:
        return listed([_change(c) for c in r.changes], most)
    return "" if r.present else say("none")


def _change(c: VerdictChange) -> str:
    return say(
        "{phrase} {verdict}", phrase=quoted(c.phrase), verdict=verdict_text(c.after) if c.after else say("not said")
    )
