"""The expected outcome of importing the listed files, in one line of numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer, Slot
from PySide6.QtWidgets import QFrame, QPushButton

from ui.kit.layout import hbox, vbox
from ui.kit.text import WrappedText, label
from ui.sentences import pairs_text, reports_text, rows_text
from ui.words import say, typographic, whole

if TYPE_CHECKING:
    from radcal.reports.dry_run import ImportPreview
    from ui.pages.reports.importing.draft import Draft

_PATIENCE_MS = 400
"""Time after which a count says that it is under way, and can be stopped."""


class CountStrip(QFrame):
    """Rows, rejected rows and pairs, updated with the list; the page connects the buttons ``stop`` and ``again``."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("card")
        self.counting = self._stopped = False
        self.outcome, self.note = label(role="strong"), WrappedText()
        self.stop = QPushButton(say("S&top counting"))
        self.again = QPushButton(say("&Count again"))
        said = vbox(self.outcome, self.note, spacing=2)
        hbox((said, 1), self.stop, self.again, parent=self, margins=(12, 8, 12, 8), spacing=12)
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
        self.outcome.setText("" if count is None else _outcome(count))
        if count is None and self.counting:
            return
        waiting = len(draft.files) - len(draft.to_count())
        if self._stopped and not waiting:
            self.note.setText(say("Not counted. RadCal still asks before an import replaces an earlier reading."))
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


def _outcome(count: ImportPreview) -> str:
    return say(
        "{rows} would be read, {n} left out; the workspace then holds {pairs}.",
        rows=rows_text(count.rows),
        n=whole(count.rejected),
        pairs=pairs_text(count.pairs),
    )


def _notes(count: ImportPreview, draft: Draft) -> str:
    parts = []
    if undecided := sum(f.stale for f in count.files if draft.undecided(f.path)):
        parts.append(
            say("Counted twice or left behind: {reports}. Decide that first.", reports=reports_text(undecided))
        )
    if count.files and all(f.again for f in count.files):
        parts.append(say("These files were imported before; there is nothing to add."))
    elif count.no_pairs:
        parts.append(typographic(count.no_pairs))
    parts += [say("{n}: {reason}", n=whole(n), reason=typographic(reason)) for reason, n in count.reasons[:2]]
    return "\n".join(parts)
