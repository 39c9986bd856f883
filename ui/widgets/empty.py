"""The empty state: what is missing, and a button to go on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from ui.kit.action import push_button
from ui.kit.layout import hbox, vbox
from ui.kit.text import wrapped
from ui.sentences import topic_name
from ui.theme import px
from ui.widgets.dates import describe
from ui.words import quoted, say, whole

if TYPE_CHECKING:
    from collections.abc import Callable

    from radcal.system.selection import Group, Selection
    from ui.records import Opened

NOTHING_SAID = "NothingSaid"
"""The kind of failure for dates without findings."""
_WIDTH, _LEAST = 520, 360


class EmptyState(QWidget):
    """A centred text with a button below.  ``pressed``: the button was clicked."""

    pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.text = wrapped(role="muted")
        self.text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.text.setMaximumWidth(px(_WIDTH))
        self.text.setMinimumWidth(px(_LEAST))
        self.button = push_button("", self.pressed, primary=True)
        # Between stretches, not aligned: an aligned text gets the height for the full width.
        text = hbox(None, (self.text, 1000), None, spacing=-1)
        button = (self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        layout = vbox(None, text, button, None, parent=self, margins=None, spacing=16)
        layout.setStretch(0, 2)
        layout.setStretch(3, 3)

    def show_text(self, text: str, button: str) -> None:
        """Show what is missing; a ``button`` of '' is none."""
        self.text.setText(text)
        self.button.setText(button)
        self.button.setVisible(bool(button))


def all_dates() -> str:
    """The button that selects all dates."""
    return say("Show all &dates")


def no_findings_of_group(opened: Opened, chosen: Selection) -> str:
    """Nobody selected has findings on what is selected in the date range; how many on all dates."""
    from radcal.calibration.records import pool_of  # imports NumPy, which the first paint must not wait for

    match pool_of(chosen.author, chosen.topic):
        case "author":
            return no_findings_of_author(opened, chosen)
        case "topic":
            return no_findings_of_topic(opened, chosen)
    text = say(
        "{author} has no findings on {topic} on the chosen dates: {dates}.",
        author=opened.called(chosen.author),
        topic=topic_name(chosen.topic),
        dates=_dates(chosen),
    )
    return _with_all(text, _total(opened, lambda group: group == chosen.group))


def no_findings_of_topic(opened: Opened, chosen: Selection) -> str:
    """Nobody has findings on the pathology in the date range; how many on all dates."""
    topic, dates = topic_name(chosen.topic), _dates(chosen)
    text = say("Nobody has findings on {topic} on the chosen dates: {dates}.", topic=topic, dates=dates)
    return _with_all(text, _total(opened, lambda group: group.topic == chosen.topic))


def no_findings_of_author(opened: Opened, chosen: Selection) -> str:
    """The radiologist has no findings in the date range; how many on all dates."""
    author = opened.called(chosen.author)
    text = say("{author} has no findings on the chosen dates: {dates}.", author=author, dates=_dates(chosen))
    return _with_all(text, _total(opened, lambda group: group.author == chosen.author))


def no_findings_of_phrase(opened: Opened, chosen: Selection, phrase: str) -> str:
    """The phrase was not used in the date range; how often on all dates."""
    text = say(
        "There are no findings worded {phrase} on the chosen dates: {dates}.",
        phrase=quoted(phrase),
        dates=_dates(chosen),
    )
    view = opened.view(chosen.group)
    return _with_all(text, sum(rate.n for rate in view.reliability.phrases if rate.phrase == phrase) if view else 0.0)


def _total(opened: Opened, counts: Callable[[Group], bool]) -> float:
    return sum(view.reliability.n for group, view in opened.groups.items() if counts(group))


def _dates(chosen: Selection) -> str:
    return describe((chosen.days.first, chosen.days.last))


def _with_all(text: str, n: float) -> str:
    return text + "\n" + say("On all dates together: {n}.", n=whole(n))
