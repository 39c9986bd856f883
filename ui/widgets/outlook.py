"""What more findings would do for a group, in sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QWidget

from ui.kit.layout import vbox
from ui.kit.text import show_text, wrapped
from ui.words import quoted, say, whole

if TYPE_CHECKING:
    from radcal.calibration.sensitivity_records import GroupOutlook, WordOutlook

_WORDS = 3
"""So many of the next words are named."""
_YEARS = 104
"""Weeks from which on nobody counts them."""


class AheadPanel(QWidget):
    """A line for each word on which there will be advice; hidden where there is none."""

    def __init__(self) -> None:
        super().__init__()
        self.text = wrapped(role="muted")
        vbox(self.text, parent=self)
        self.hide()

    def show_ahead(self, outlook: GroupOutlook | None) -> None:
        """Show what more findings would do for a group; None for nothing."""
        lines = [] if outlook is None else words_ahead(outlook)
        show_text(self.text, "\n".join(lines))
        self.setVisible(bool(lines))


def words_ahead(outlook: GroupOutlook) -> list[str]:
    """When the next words get advice, the soonest first, and the pace."""
    waiting = [w for w in outlook.words if w.weeks is not None and w.weeks <= _YEARS]
    said = [until_advice(w) for w in sorted(waiting, key=lambda w: (w.weeks or 0.0, w.phrase))[:_WORDS]]
    return [*said, _pace(outlook)] if said else []


def _pace(outlook: GroupOutlook) -> str:
    weeks = whole(round(outlook.pace.weeks)) if outlook.pace is not None else ""
    return say(
        "From {n} findings in {weeks} weeks, if words are used and confirmed as before.",
        n=whole(outlook.n),
        weeks=weeks,
    )


def until_advice(word: WordOutlook) -> str:
    """What a word needs until there can be advice on it."""
    need = word.needed
    if need is None or not (need.more or need.least or (need.more == 0 and need.findings)):
        return ""
    n = need.least or need.more or 0
    values: dict[str, Any] = {"n": n, "phrase": quoted(word.phrase), "when": _range(word)}
    if need.findings > n:
        values |= {"n": need.findings, "uses": n}
        if not n:
            return say(
                "{n} more finding of this pathology until there can be advice on {phrase}{when}.",
                many="{n} more findings of this pathology until there can be advice on {phrase}{when}.",
                **values,
            )
        return say(
            "{n} more finding, {uses} of them {phrase}, until there can be advice on it{when}.",
            many="{n} more findings, {uses} of them {phrase}, until there can be advice on it{when}.",
            **values,
        )
    if need.more:
        return say("{n} more {phrase} until advice, if CT goes on confirming it as now{when}.", **values)
    return say("{n} more {phrase} until it can be judged{when}.", **values)


def _when(weeks: float | None) -> str:
    """': about 5 weeks at this pace', '' if unknown."""
    if weeks is None:
        return ""
    if weeks > _YEARS:
        return say(": more than two years at this pace")
    n = max(1, round(weeks))
    return say(": about {n} week at this pace", many=": about {n} weeks at this pace", n=n)


def _range(word: WordOutlook) -> str:
    """As :func:`_when`, with the range of the pace."""
    low, high = word.weeks_low, word.weeks_high
    if word.weeks is None or word.weeks > _YEARS or low is None or high is None:
        return _when(word.weeks)
    return say(
        ": about {weeks} weeks at this pace ({low}\u2013{high})",
        weeks=max(1, round(word.weeks)),
        low=max(1, round(low)),
        high=max(1, round(high)),
    )
