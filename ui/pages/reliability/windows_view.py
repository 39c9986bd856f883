"""How another pairing window would change the results: asked for by a click."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import Slot
from PySide6.QtWidgets import QWidget

from radcal.workflow import WINDOWS as TRIED
from ui.pages.reliability.sentences import p_text
from ui.sentences import verdict_text
from ui.widgets.buttons import push_button
from ui.widgets.labels import label, wrapped
from ui.widgets.layouts import hbox, vbox
from ui.widgets.lists import UNKNOWN, Interval, ListColumn, ListTableModel, estimated, measured
from ui.widgets.tables import DataTable
from ui.words import decimal, decimal_interval, listed, quoted, say, typographic, whole

if TYPE_CHECKING:
    from radcal.records import Reliability, Selection
    from radcal.records.sensitivity import VerdictChange, WindowResult, WindowSensitivity
    from ui.shell import Shell
    from ui.tasks import Failure

WINDOWS = "pairing windows"
_NAMED = 4
"""So many words of another verdict are named; the others are counted."""


class _Row(NamedTuple):
    window: WindowResult
    present: bool
    group: Reliability | None
    changes: tuple[VerdictChange, ...]


class WindowsView(QWidget):
    """A button, and the table of windows for the selection that was asked for."""

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self._shell = shell
        self._selection: Selection | None = None
        self._shown_for: tuple[object, Selection | None] = (None, None)
        self.about = wrapped(
            say(
                "How would another longest time from X-ray to CT change this? The reports are paired anew in memory, "
                "with what was read of them; the results stay as they are."
            )
        )
        hours = listed([whole(hours) for hours in TRIED])
        self.pair = push_button(say("Pair &anew within {hours} hours", hours=hours), self._asked)
        self.model = ListTableModel(_columns(), self)
        widths = (112, 72, 72, 72, 152, 84, 88, 160, 300)
        self.table = DataTable("windows", say("Pairing windows"), self.model, shell, widths=widths, searchable=False)
        self.says = wrapped()
        self.waits = label(role="muted")
        line = hbox(self.pair, self.waits, None)
        vbox(self.about, line, self.says, (self.table, 1), (None, 0), parent=self, margins=(0, 8, 0, 0), spacing=8)
        self._clear()

    def show_selection(self, selection: Selection) -> None:
        """Offer to pair anew for a selection, unless that is on show."""
        if self._shown_for != (self._shell.opened, selection):
            self._selection = selection
            self._shown_for = self._shell.opened, selection
            self._shell.tasks.forget(WINDOWS)
            self._clear()

    def _clear(self) -> None:
        self.waits.clear()
        self.says.clear()
        self.table.hide()
        self.says.hide()

    @Slot()
    def _asked(self) -> None:
        selection = self._selection
        if selection is None:
            return
        self.waits.setText(say("Pairing and measuring\u2026"))
        self._shell.run(
            WINDOWS,
            lambda department, progress: department.windows.compare(TRIED, selection, progress),
            self._loaded,
            failed=self._failed,
        )

    def _failed(self, failure: Failure) -> None:
        self._clear()
        self.says.setText(typographic(failure.text) or failure.technical.splitlines()[0])
        self.says.show()

    def _loaded(self, found: WindowSensitivity) -> None:
        self._clear()
        rows = [
            _Row(
                window,
                window.hours == found.present,
                window.groups[0] if window.groups else None,
                tuple(c for c in found.changes if c.hours == window.hours),
            )
            for window in found.windows
        ]
        self.model.set_rows(rows)
        self.says.setText(sentence(rows))
        self.says.show()
        self.table.show()


def sentence(rows: Sequence[_Row]) -> str:
    """Whether the verdict hangs on the window, and what was not read."""
    now = next(row for row in rows if row.present)
    others = [row for row in rows if not row.present and row.group is not None]
    different = [_hours(row.window.hours) for row in others if _verdict(row.group) != _verdict(now.group)]
    if different:
        text = say(
            "The verdict on all words together is another within {hours}. Look at the number of findings first: with "
            "few, hardly anything is shown.",
            hours=listed(different),
        )
    else:
        text = say("The verdict on all words together does not hang on the window.")
    unread = max((row.window.n_unread for row in rows), default=0)
    if unread:
        text += " " + say(
            "Up to {n} pairs have a report that was never read. To count them, set the longer time in Settings and "
            "read on.",
            n=whole(unread),
        )
    return text


def _columns() -> tuple[ListColumn, ...]:
    return (
        ListColumn(say("window"), _window, sort=lambda r: r.window.hours, export=lambda r: r.window.hours),
        ListColumn(say("pairs"), lambda r: whole(r.window.n_pairs), True, lambda r: r.window.n_pairs),
        ListColumn(
            say("not read"),
            lambda r: whole(r.window.n_unread),
            True,
            lambda r: r.window.n_unread,
            meaning=say("Pairs of the department with a report that was never read; they are left out"),
        ),
        ListColumn(say("findings"), lambda r: whole(_n(r)), True, _n, meaning=say("Of the selection")),
        estimated(say("word error, 95 %"), _error, decimal_interval, missing=say("not enough data")),
        measured(say("luck alone"), lambda r: "" if (luck := _luck(r)) is None else decimal(luck), _luck),
        measured(
            say("p-value"),
            lambda r: "" if (p := _p(r)) is None else p_text(p),
            _p,
            say("Of this test alone, whatever the number of tests"),
        ),
        ListColumn(say("all words together"), lambda r: _verdict(r.group)),
        ListColumn(say("single words judged otherwise"), _changes, tip=_every_change),
    )


def _hours(hours: float) -> str:
    return say("{n} h", n=whole(hours))


def _window(r: _Row) -> str:
    return say("{hours} (now)", hours=_hours(r.window.hours)) if r.present else _hours(r.window.hours)


def _n(r: _Row) -> float:
    return 0.0 if r.group is None else r.group.n


def _error(r: _Row) -> Interval:
    g = r.group
    return UNKNOWN if g is None else (g.word_error, g.word_error_low, g.word_error_high)


def _luck(r: _Row) -> float | None:
    return None if r.group is None or r.group.word_error_low is None else r.group.luck_word_mean


def _p(r: _Row) -> float | None:
    return None if r.group is None else r.group.p_value_word


def _verdict(r: Reliability | None) -> str:
    if r is None or r.differs is None:
        return say("not enough data")
    return say("differs") if r.differs else say("not shown to differ")


def _changes(r: _Row) -> str:
    if r.present:
        return ""
    if not r.changes:
        return say("none")
    return listed([_change(c) for c in r.changes], _NAMED)


def _every_change(r: _Row) -> str:
    return listed([_change(c) for c in r.changes]) if r.changes else ""


def _change(c: VerdictChange) -> str:
    return say(
        "{phrase} {verdict}", phrase=quoted(c.phrase), verdict=verdict_text(c.after) if c.after else say("not said")
    )
