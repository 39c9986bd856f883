"""Names of ways of asking, and the tables of answers and figures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, Signal

from ui.kit.column import Column, Index, RecordModel, count, estimated, measured
from ui.words import decimal, decimal_interval, percent, rate, say, typographic

if TYPE_CHECKING:
    from collections.abc import Callable

    from radcal.lab.asking.asker import Answered, Way, WayFigures
    from radcal.lab.perception import Estimate

RIGHT = 3
"""The column of the table of answers in which a person decides."""


def way_name(way: Way) -> str:
    """A way of asking, in a word or two."""
    return {
        "phrase": say("phrase"),
        "probability": say("probability"),
        "beta": say("Beta distribution"),
        "lc": say("hedged sentence (LC)"),
        "lc+": say("instructed hedging (LC+)"),
        "semantic": say("random answers"),
        "p(true)": say("verdict on its answer"),
        "perplexity": say("probability of its words"),
    }[way]


def figures_model() -> RecordModel:
    """Rows are WayFigures."""
    return RecordModel(
        (
            Column(say("asked for"), lambda f: way_name(f.way), width=140),
            count(say("answers"), lambda f: f.n, width=60),
            count(say("none given"), lambda f: f.abstained, width=78),
            _estimate(say("share correct"), lambda f: f.accuracy, rate, width=116),
            _estimate(say("ECE"), lambda f: f.ece, decimal_interval, width=128),
            measured(say("ECE by luck"), lambda f: f.luck, decimal, missing="\u2013", width=84),
            _estimate(say("AUROC"), lambda f: f.auroc, decimal_interval, width=128),
            count(say("unclear"), lambda f: f.unstated, width=56),
        )
    )


def _estimate(
    header: str,
    of: Callable[[WayFigures], Estimate],
    words: Callable[[Any, Any, Any], str],
    *,
    width: int,
) -> Column:
    """A figure with its interval, or that there is not enough data for it."""

    return estimated(
        header,
        lambda row: (of(row).value, of(row).low, of(row).high),
        words,
        missing=say("not enough data"),
        tip=lambda row: typographic(of(row).reason),
        width=width,
    )


class AnswersModel(RecordModel):
    """Rows are Answered.

    decided: (row, whether the answer is correct), as ticked by the user; shown once new rows are set
    """

    decided = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(
            (
                Column(say("question"), lambda a: a.question.text, width=210),
                Column(say("answer"), lambda a: a.answer, tip=_answer_tip, width=150),
                Column(
                    say("how sure"),
                    _confidence,
                    sort=lambda a: -1.0 if a.stated is None else a.stated,
                    export=lambda a: "" if a.confidence is None else a.confidence,
                    width=104,
                ),
                Column(
                    say("is correct"),
                    lambda a: "\u2013" if a.abstained else "",  # ticked or not
                    value=lambda a: say("yes") if a.correct else say("no"),
                    roles={Qt.ItemDataRole.CheckStateRole: _ticked},
                    width=88,
                ),
                Column(say("decided"), lambda a: _decided(a.decided), width=100),
                Column(say("asked for"), lambda a: way_name(a.way), width=120),
                Column(say("accepted"), lambda a: " | ".join(a.question.accepted), width=110),
            ),
            parent,
        )
        self._editable = True

    def set_editable(self, editable: bool) -> None:
        """Whether a person may decide."""
        self._editable = editable

    def set_rows(self, rows: Any) -> None:
        """Show these answers; of the same number they are updated, keeping the selection."""
        self.update_rows(rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        if index.isValid() and index.column() == RIGHT and self._editable and not self._rows[index.row()].abstained:
            flags |= Qt.ItemFlag.ItemIsUserCheckable
        return flags

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.CheckStateRole or not index.isValid() or index.column() != RIGHT:
            return False
        self.decided.emit((index.row(), Qt.CheckState(value) == Qt.CheckState.Checked))
        return True


def _ticked(a: Answered) -> Qt.CheckState | None:
    if a.abstained:
        return None
    return Qt.CheckState.Checked if a.correct else Qt.CheckState.Unchecked


def _answer_tip(a: Answered) -> str:
    return "\n".join(a.samples) if a.samples else a.said


def _confidence(a: Answered) -> str:
    if a.abstained:
        return say("gave none")
    if a.confidence is None:
        return say("unclear")
    return a.confidence if isinstance(a.confidence, str) else percent(a.confidence)


def _decided(how: str) -> str:
    return {
        "exact": say("by words"),
        "normalised": say("by words"),
        "judge": say("by the judge"),
        "by hand": say("by hand"),
        "abstained": "",
    }.get(how, how)
