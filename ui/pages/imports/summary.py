"""The expected outcome of importing the listed files, in one line of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer, Slot
from PySide6.QtWidgets import QFrame, QPushButton, QSizePolicy, QWidget

from ui.kit.layout import hbox, vbox
from ui.kit.text import WrappedText, label
from ui.sentences import reports_text
from ui.words import say, typographic, whole

if TYPE_CHECKING:
    from radcal.reports.dry_run import ImportPreview
    from ui.pages.imports.draft import Draft

_PATIENCE_MS = 400
"""Time after which a count says that it is under way, and can be stopped."""


class CountStrip(QFrame):
    """Rows, rejected rows and pairs, updated with the list; the page connects the buttons ``stop`` and ``again``."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("card")
        self.counting = self._stopped = False
        self.figures = {
            "rows": _Figure(say("would be read")),
            "rejected": _Figure(say("of them left out")),
            "pairs": _Figure(say("pairs in the workspace then")),
        }
        self.note = WrappedText()
        self.stop = QPushButton(say("S&top counting"))
        self.again = QPushButton(say("&Count again"))
        figures = ((figure, 0, Qt.AlignmentFlag.AlignVCenter) for figure in self.figures.values())
        line = hbox(*figures, (self.note, 1), self.stop, self.again, spacing=24)
        vbox(line, parent=self, margins=(12, 8, 12, 8))
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE_MS)
        self._patience.timeout.connect(self._say_counting)
        self.stop.hide()
        self.again.hide()

    @Slot()
    def begin(self) -> None:
        """A count has started."""
        self.counting, self._stopped = True, False
        self.again.hide()
        self._patience.start()

    def end(self, *, stopped: bool = False) -> None:
        """The count has finished or was stopped."""
        self.counting, self._stopped = False, stopped
        self._patience.stop()
        self.stop.hide()
        self.again.setVisible(stopped)

    @Slot()
    def _say_counting(self) -> None:
        self.stop.show()
        self.note.setText(say("Counting what would be read\u2026"))

    def show_count(self, draft: Draft) -> None:
        """Show the draft's count, or why there is none yet."""
        count = draft.count
        for name, figure in self.figures.items():
            figure.set_number(None if count is None else getattr(count, name))
        if count is None and self.counting:
            return
        waiting = len(draft.files) - len(draft.to_count())
        if self._stopped and not waiting:
            self.note.setText(
                say(
                    "Counting was stopped. The files can be imported without it; RadCal asks first if that would"
                    " replace an earlier reading."
                )
            )
        elif waiting and any(draft.looks.values()):
            self.note.setText(
                say(
                    "One of the files cannot be counted yet. Select it to read why.",
                    many="{n:,} of the files cannot be counted yet. Select them to read why.",
                    n=waiting,
                )
            )
        else:
            self.note.setText(_notes(count, draft) if count is not None else "")


class _Figure(QWidget):
    """A number with its label below."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.number = label("\u2013", role="title")
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self._text = text
        vbox(self.number, label(text, role="muted"), parent=self, spacing=0)
        self.set_number(None)

    def set_number(self, n: int | None) -> None:
        """Show a number, or a dash if unknown."""
        self.number.setText("\u2013" if n is None else whole(n))
        self.setAccessibleName(f"{self.number.text()} {self._text}")


def _notes(count: ImportPreview, draft: Draft) -> str:
    parts = []
    if undecided := sum(f.stale for f in count.files if draft.undecided(f.path)):
        parts.append(
            say("Counted twice or left behind: {reports}. Decide that first.", reports=reports_text(undecided))
        )
    if count.pairs_before:
        parts.append(say("Now it holds {n} pairs.", n=whole(count.pairs_before)))
    if count.files and all(f.again for f in count.files):
        parts.append(say("These files were imported before; there is nothing to add."))
    elif count.no_pairs:
        parts.append(typographic(count.no_pairs))
    if there := sum(f.there for f in count.files):
        parts.append(say("Here already: {reports}.", reports=reports_text(there)))
    parts += [say("{n}: {reason}", n=whole(n), reason=typographic(reason)) for reason, n in count.reasons[:2]]
    if more := sum(n for _, n in count.reasons[2:]):
        parts.append(say("{n}: other reasons", n=whole(more)))
    return "\n".join(parts)
