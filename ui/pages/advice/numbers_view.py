"""Words or numbers: what the words of the plan cost against numbers in their place, on unseen findings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from radcal.advice.records import NUMBERS
from ui.kit.column import Column, estimated
from ui.kit.layout import vbox
from ui.kit.table import DataTable
from ui.kit.text import show_text, wrapped
from ui.language import spoken
from ui.plots.figures import signed
from ui.sentences import method_name
from ui.words import decimal, say, typographic, whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from radcal.advice.records import Baseline, Baselines, Method
    from radcal.system.estimates import Estimate
    from ui.shell import Shell

_DIGITS = 3
"""Of differences, which are small."""


class NumbersView(QWidget):
    """The sentence and the table; filled when it is first looked at."""

    def __init__(self, shell: Shell) -> None:
        super().__init__()
        self.plain, self.about = wrapped(), wrapped(role="muted")
        self.table = DataTable("advice_numbers", say("Words or numbers"), _columns(), shell, searchable=False)
        self.table.setMinimumHeight(260)
        vbox(self.plain, (self.table, 1), self.about, parent=self, margins=(0, 8, 0, 0), spacing=8)

    def show_waiting(self) -> None:
        """Nothing is known yet."""
        self.plain.setText(say("Working it out\u2026"))

    def show_found(self, found: Baselines | None, fewest: int) -> None:
        """Show the methods, or that there are too few findings."""
        self.table.setVisible(found is not None)
        if found is None:
            self.plain.setText(say("Not enough data: words and numbers are compared from {n} findings on.", n=fewest))
            show_text(self.about, "")
            return
        self.plain.setText(in_short(found))
        self.table.model.set_rows(list(found.methods))
        about = say(
            "Everything was made from one half of the findings and tried on the other, ten times both ways, about {n} "
            "findings in each. Numbers are made from the mean of the word that was said: histogram binning, Platt "
            "scaling and isotonic regression.",
            n=whole(round(found.n)),
        )
        show_text(self.about, " ".join(filter(None, (about, typographic(found.reason)))))


def _columns() -> tuple[Column, ...]:
    """Of :class:`Baseline`: what could stand in a report, each with its errors."""

    def measure(header: str, of: Callable[[Baseline], Estimate | None], meaning: str, *, width: int = 0) -> Column:
        return estimated(
            header,
            of,
            _level,
            missing=say("not enough data"),
            number=False,  # the last column takes the rest of the width
            meaning=meaning,
            width=width,
        )

    return (
        Column(say("in the report"), lambda m: in_report(m.method), width=216),
        measure(
            say("Brier score, 95 %"),
            lambda m: m.brier,
            say("Mean squared distance of what was said from what CT found; the width of words counts"),
            width=136,
        ),
        measure(
            say("words as means, 95 %"),
            lambda m: m.brier_of_means,
            say("The Brier score if every reader took a word for its mean"),
            width=148,
        ),
        measure(
            say("word error, 95 %"),
            lambda m: m.word_error,
            say("How far what was said lies from the confirmed rate, over what was hedged"),
            width=136,
        ),
        measure(say("ECE, 95 %"), lambda m: m.ece, say("Expected calibration error")),
    )


def in_report(method: Method) -> str:
    """What stands in the report."""
    if method in NUMBERS:
        return say("numbers, {method}", method=method_name(method))
    return say("words, {method}", method=method_name(method))


def in_short(found: Baselines) -> str:
    """What numbers would have gained over the words of the plan, and how much of it is the width of words."""
    best = found.best_numbers
    if best is None or best.beyond_plan is None or best.beyond_means is None:
        return say("Words and numbers cannot be compared on these findings.")
    gained = best.beyond_plan
    values = {"change": signed(gained.value, _DIGITS), "range": _range(gained), "method": method_name(best.method)}
    if gained.low > 0:
        text = say(
            "Numbers instead of words would have gained another {value} ({range}) of the Brier score ({method}, the "
            "best of three).",
            value=_number(gained.value),
            **values,
        )
    elif gained.high < 0:
        text = say(
            "Numbers instead of words would have lost: {change} ({range}) of the Brier score, even with {method}, the "
            "best of three.",
            **values,
        )
    else:
        text = say(
            "Numbers instead of words are not shown to gain anything: {change} ({range}) of the Brier score with "
            "{method}, the best of three.",
            **values,
        )
    means = best.beyond_means
    return f"{text} " + say(
        "If every reader took a word for its mean, it would be {change} ({range}); the rest is that words mean "
        "different things to different readers.",
        change=signed(means.value, _DIGITS),
        range=_range(means),
    )


def _level(value: float, low: float, high: float) -> str:
    return f"{_number(value)} ({decimal(low)}\u2013{decimal(high)})"


def _range(estimate: Estimate) -> str:
    return say("{low} to {high}", low=signed(estimate.low, _DIGITS), high=signed(estimate.high, _DIGITS))


def _number(value: float) -> str:
    return spoken().number(value, _DIGITS)
