"""The statements of a report under review, as a list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Qt

from radcal.review.records import Verdict
from ui.kit.column import Column, Index, RecordModel
from ui.kit.delegate import CERTAINTY
from ui.sentences import topic_name
from ui.words import quoted, say

if TYPE_CHECKING:
    from radcal.review.session import Item

SIGN, PATHOLOGY, PHRASE = range(3)
"""The columns, left to right."""
_SIGNS = {
    None: "\u00b7",
    Verdict.ACCEPTED: "\u2713",
    Verdict.CORRECTED: "\u270e",
    Verdict.ADDED: "+",
    Verdict.UNSURE: "?",
    Verdict.REMOVED: "\u2715",
}
_COMPARED, _MISSED = "#", "\u2205"


class ReviewItemModel(RecordModel):
    """Statements, one per row.  The header is hidden, but screen readers read it before each cell."""

    def __init__(self) -> None:
        super().__init__(
            (
                Column(say("judgement"), sign, roles={Qt.ItemDataRole.AccessibleTextRole: verdict}),
                Column(say("pathology"), lambda item: topic_name(item.finding.pathology)),
                Column(say("phrase"), lambda item: item.finding.phrase),
            ),
            describe=description,
        )
        self._means: Mapping[str, float] = {}

    def set_items(self, items: Sequence[Item], means: Mapping[str, float]) -> None:
        """Show these statements; ``means``: the certainty of each phrase, 0-1."""
        self._means = means
        self.set_rows(items)

    def item(self, key: str) -> Item | None:
        """The statement with that key, None if absent."""
        return next((item for item in self.rows if item.key == key), None)

    def row_of(self, key: str) -> int:
        """The row of the statement with that key, -1 if absent."""
        return next((i for i, item in enumerate(self.rows) if item.key == key), -1)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == CERTAINTY and index.column() == PHRASE:
            return self._means.get(self.row(index.row()).finding.phrase, 0.5)
        return super().data(index, role)


def sign(item: Item) -> str:
    """The symbol of the reader's verdict, or of a statement that only the engine or only the reader makes."""
    if item.compared:
        return _COMPARED
    return _MISSED if item.missed else _SIGNS[item.verdict]


def verdict(item: Item) -> str:
    """The reader's verdict on a statement, in words."""
    if item.compared:
        return say("Found only by the software.")
    if item.missed and item.engine is None:
        return say("The software found nothing of this.")
    return {
        None: say("Not judged yet."),
        Verdict.ACCEPTED: say("Accepted."),
        Verdict.CORRECTED: say("Corrected."),
        Verdict.ADDED: say("Added by you."),
        Verdict.UNSURE: say("Unsure: left out of every figure."),
        Verdict.REMOVED: say("Removed: the report does not say so."),
    }[item.verdict]


def engine_reading(item: Item) -> str:
    """The engine's statement if the reader changed it, else ''."""
    e, f = item.engine, item.finding
    if e is None or (e.pathology, e.phrase) == (f.pathology, f.phrase):
        return ""
    return say("The software read {pathology}: {phrase}.", pathology=topic_name(e.pathology), phrase=quoted(e.phrase))


def description(item: Item) -> str:
    """The verdict and, if changed, the engine's statement, a line each."""
    return "\n".join(filter(None, (verdict(item), engine_reading(item))))
