"""What if: the use of words changed by hand, and what would follow."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QUndoCommand
from PySide6.QtWidgets import (
    QComboBox,
    QHBoxLayout,
    QPushButton,
    QSlider,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from ui.pages.advice_parts.before_after import BeforeAfter
from ui.pages.page import label, wrapped
from ui.pictures import PictureCard
from ui.plots.plan_flow import PlanFlow
from ui.words import decimal_interval, listed, percent, quoted, translate, whole

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from PySide6.QtGui import QResizeEvent, QUndoStack

    from radcal.records import Reliability, WhatIf
    from ui.shell import Shell
    from ui.theme import Colours
    from ui.work.advice import Supposed

_WITH_SLIDER = 640
"""Width from which a change has a slider beside its number."""
_LISTED = 4
"""Pairs of words named in a warning; more are counted."""


@dataclass(frozen=True, slots=True)
class Change:
    """Say ``target`` instead of ``source`` in so many of 10 cases."""

    source: str
    target: str
    tenths: int


Changes = tuple[Change, ...]


class _Edit(QUndoCommand):
    """From one list of changes to another; moves of the same slider in a row are one step."""

    def __init__(self, text: str, before: Changes, after: Changes, show: Callable[[Changes], None], row: int) -> None:
        super().__init__(text)
        self._before, self._after, self._show, self._row = before, after, show, row

    def redo(self) -> None:
        self._show(self._after)

    def undo(self) -> None:
        self._show(self._before)

    def id(self) -> int:
        """Commands of one number may be merged."""
        return -1 if self._row < 0 else 1000 + self._row

    def mergeWith(self, other: QUndoCommand) -> bool:
        if not isinstance(other, _Edit) or len(other._after) != len(self._after):
            return False
        self._after = other._after
        return True


class _Row(QWidget):
    """One change.  ``changed``: by the user only;  ``removed``"""

    changed = Signal(object)
    removed = Signal()

    def __init__(self, number: int, said: Sequence[tuple[str, float]], words: Sequence[str]) -> None:
        super().__init__()
        self.target, self.source = QComboBox(), QComboBox()
        for word in words:
            self.target.addItem(word, word)
        for word, n in said:
            self.source.addItem(translate("advice", "{word}  ({n})").format(word=word, n=whole(n)), word)
        self.tenths, self.bar = QSpinBox(), QSlider(Qt.Orientation.Horizontal)
        self.tenths.setSuffix(translate("advice", " of 10"))
        for part in (self.tenths, self.bar):
            part.setRange(0, 10)
        named: tuple[tuple[QWidget, str], ...] = (
            (self.source, translate("advice", "Change {n}: the word that was said")),
            (self.target, translate("advice", "Change {n}: the word to say instead")),
            (self.tenths, translate("advice", "Change {n}: in how many of 10 cases")),
            (self.bar, translate("advice", "Change {n}: in how many of 10 cases, as a slider")),
        )
        for widget, name in named:
            widget.setAccessibleName(name.format(n=number))
        for box in (self.source, self.target):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(7)
        remove = QToolButton()
        remove.setText("\u00d7")
        remove.setToolTip(translate("advice", "Remove this change"))
        remove.setAccessibleName(translate("advice", "Remove change {n}").format(n=number))
        remove.clicked.connect(self.removed)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(label(translate("advice", "Instead of")))
        layout.addWidget(self.source, 5)
        layout.addWidget(label(translate("advice", "say")))
        layout.addWidget(self.target, 5)
        layout.addWidget(label(translate("advice", "in")))
        layout.addWidget(self.tenths)
        layout.addWidget(self.bar, 2)
        layout.addWidget(remove)
        self.bar.valueChanged.connect(self.tenths.setValue)
        self.tenths.valueChanged.connect(self._moved)
        self.source.currentIndexChanged.connect(self._tell)
        self.target.currentIndexChanged.connect(self._tell)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Where there is little room the number is enough."""
        super().resizeEvent(event)
        self.bar.setVisible(self.width() >= _WITH_SLIDER)

    def show_change(self, change: Change) -> None:
        """Show it, without telling."""
        blockers = [QSignalBlocker(part) for part in (self.source, self.target, self.tenths, self.bar)]
        self.source.setCurrentIndex(self.source.findData(change.source))
        self.target.setCurrentIndex(self.target.findData(change.target))
        self.tenths.setValue(change.tenths)
        self.bar.setValue(change.tenths)
        del blockers

    @Slot(int)
    def _moved(self, value: int) -> None:
        with QSignalBlocker(self.bar):
            self.bar.setValue(value)
        self._tell()

    @Slot()
    def _tell(self, *_: object) -> None:
        self.changed.emit(Change(self.source.currentData(), self.target.currentData(), self.tenths.value()))


class WhatIfPanel(QWidget):
    """Changes by hand and what follows from them.

    asked: phrase, then the words to say instead with their shares, when the changes have changed
    """

    asked = Signal(object)

    def __init__(self, shell: Shell, undo: QUndoStack, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._undo = undo
        self._said: tuple[tuple[str, float], ...] = ()
        self._words: tuple[str, ...] = ()
        self._advised: Changes = ()
        self._fewest = 1
        self._impossible = self._touched = False
        self.changes: Changes = ()
        self.rows: list[_Row] = []
        self._list = QVBoxLayout()
        self._list.setSpacing(4)
        self.add = QPushButton(translate("advice", "A&dd a change"))
        self.add.clicked.connect(self._add)
        self.start = QPushButton(translate("advice", "Start from the ad&vice"))
        self.start.clicked.connect(self._start)
        self.reset = QPushButton(translate("advice", "Reset the chan&ges"))
        self.reset.clicked.connect(self._reset)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        for button in (self.add, self.start, self.reset):
            buttons.addWidget(button)
        buttons.addStretch(1)
        self.hint = wrapped(role="muted")
        self.result = wrapped()
        self.warnings = wrapped()
        self.flow = PlanFlow()
        self.card = PictureCard(self.flow, shell, translate("advice", "The words as you changed them"))
        self.both = BeforeAfter(
            shell, (translate("advice", "As the words were said"), translate("advice", "As you changed them"))
        )
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 8, 0, 0)
        layout.setSpacing(8)
        layout.addWidget(self.hint)
        layout.addLayout(self._list)
        layout.addLayout(buttons)
        layout.addWidget(self.result)
        layout.addWidget(self.warnings)
        layout.addWidget(self.card)
        layout.addWidget(self.both)
        layout.addStretch(1)
        self._show_state()

    def set_colours(self, colours: Colours) -> None:
        """Draw in the colours of the scheme."""
        self.flow.set_colours(colours)
        self.both.set_colours(colours)

    def set_words(
        self, said: Sequence[tuple[str, float]], words: Sequence[str], advised: Changes, fewest: int, *, anew: bool
    ) -> None:
        """The words that were said with their n, those that may be said, and the advice to start from.

        anew: it is another group, and the changes made to the last one are no more of interest
        """
        different = tuple(said) != self._said or tuple(words) != self._words
        self._said, self._words, self._advised, self._fewest = tuple(said), tuple(words), advised, fewest
        known = {w for w, _ in said}
        if anew and self._touched:
            # Steps back would lead to words of another group.
            self._undo.clear()
            self._touched = False
        kept = () if anew else tuple(c for c in self.changes if c.source in known and c.target in words)
        if different or kept != self.changes:
            self._make_rows(0)
            self._set(kept)
        self._show_state()

    # --- what the user does ------------------------------------------------------------------------

    @Slot()
    def _add(self) -> None:
        """One more change: the word said most often of those not changed yet, said as its next weaker neighbour."""
        changed = {c.source for c in self.changes}
        free = [word for word in self._said if word[0] not in changed] or list(self._said)
        if not free:
            return
        source = max(free, key=lambda w: w[1])[0]
        at = self._words.index(source) if source in self._words else 0
        target = self._words[at + 1] if at + 1 < len(self._words) else self._words[at - 1]
        self._push(translate("advice", "add a change"), (*self.changes, Change(source, target, 5)))
        self.rows[-1].tenths.setFocus()

    @Slot()
    def _start(self) -> None:
        self._push(translate("advice", "start from the advice"), self._advised)

    @Slot()
    def _reset(self) -> None:
        self._push(translate("advice", "reset the changes"), ())

    def _edited(self, row: int, change: Change) -> None:
        before = self.changes[row]
        changes = (*self.changes[:row], change, *self.changes[row + 1 :])
        slid = replace(before, tenths=change.tenths) == change
        self._push(translate("advice", "change the use of a word"), changes, row if slid else -1)

    def _remove(self, row: int) -> None:
        self._push(translate("advice", "remove a change"), (*self.changes[:row], *self.changes[row + 1 :]))
        (self.rows[min(row, len(self.rows) - 1)].tenths if self.rows else self.add).setFocus()

    def _push(self, text: str, changes: Changes, row: int = -1) -> None:
        if changes != self.changes:
            self._touched = True
            self._undo.push(_Edit(text, self.changes, changes, self._set, row))

    def _set(self, changes: Changes) -> None:
        self.changes = changes
        if len(self.rows) != len(changes):
            self._make_rows(len(changes))
        for row, change in zip(self.rows, changes, strict=True):
            row.show_change(change)
        self._show_state()
        shares = self.shares()
        if shares is not None:
            self.asked.emit(shares)

    def _make_rows(self, n: int) -> None:
        while len(self.rows) > n:
            row = self.rows.pop()
            self._list.removeWidget(row)
            row.hide()
            row.deleteLater()
        while len(self.rows) < n:
            row = _Row(len(self.rows) + 1, self._said, self._words)
            row.changed.connect(partial(self._edited, len(self.rows)))
            row.removed.connect(partial(self._remove, len(self.rows)))
            self.rows.append(row)
            self._list.addWidget(row)

    def shares(self) -> dict[str, dict[str, float]] | None:
        """The changes as shares; None where those of a word come to more than all of its cases."""
        shares: dict[str, dict[str, float]] = {}
        for c in self.changes:
            if c.tenths and c.target != c.source:
                of = shares.setdefault(c.source, {})
                of[c.target] = of.get(c.target, 0.0) + c.tenths / 10
        return None if any(sum(of.values()) > 1 + 1e-9 for of in shares.values()) else shares

    # --- what follows ------------------------------------------------------------------------------

    def _show_state(self) -> None:
        shares = self.shares()
        self.reset.setEnabled(bool(self.changes))
        self.start.setEnabled(bool(self._advised) and self.changes != self._advised)
        self.add.setEnabled(bool(self._said) and len(self._words) > 1)
        self.hint.setText(
            translate("advice", "Say which word you would use instead, and in how many of 10 cases; see what follows.")
        )
        for part in (self.result, self.warnings, self.card, self.both):
            part.setVisible(bool(shares))
        if shares is not None and self._impossible:
            self.warnings.clear()
        self._impossible = shares is None
        if self._impossible:
            self.warnings.show()
            self.warnings.setText(
                translate("advice", "The changes of a word come to more than 10 of 10 cases. Lower one.")
            )

    def show_supposed(self, found: Supposed) -> None:
        """Show what follows from the changes."""
        if not self.shares():
            return
        result = found.view.result
        self.result.setText(outcome(result, found.view.before))
        warned = warnings(result)
        self.warnings.setText("\n".join(warned))
        self.warnings.setVisible(bool(warned))
        self.flow.set_plan(found.plan)
        self.both.show_both(found.view.before, found.view.after, self._fewest, "")
        for part in (self.result, self.card, self.both):
            part.show()


def outcome(r: WhatIf, before: Reliability) -> str:
    """What follows, with intervals; that of the error before is the one that stands on all pages."""
    low, high = (r.before_low, r.before_high) if before.ece_low is None else (before.ece_low, before.ece_high)
    text = translate("advice", "ECE {before} before, {after} after, on these {n} findings.").format(
        before=decimal_interval(r.before, _known(low), _known(high)),
        after=decimal_interval(r.after, _known(r.after_low), _known(r.after_high)),
        n=whole(r.n),
    )
    if not math.isnan(r.change_low):
        if r.change_high < 0:
            told = translate("advice", "Words and findings come closer: {change}.")
        elif r.change_low > 0:
            told = translate("advice", "Words and findings move apart: {change}.")
        else:
            told = translate("advice", "That may be chance: {change}.")
        text += " " + told.format(change=_change(r.change, r.change_low, r.change_high))
    if r.kept is not None:
        text += " " + translate("advice", "{share} of what the words tell about the outcome is kept.").format(
            share=percent(r.kept)
        )
    return text


def _known(value: float | None) -> float | None:
    return None if value is None or math.isnan(value) else value


def _change(change: float, low: float, high: float) -> str:
    from ui.plots.cost_heatmap import signed

    return translate("advice", "{change} ({low} to {high})").format(
        change=signed(change), low=signed(low), high=signed(high)
    )


def warnings(r: WhatIf) -> list[str]:
    """What is odd about the changes."""
    told = []
    if r.disordered:
        pairs = [
            translate("advice", "{weaker} above {stronger}").format(weaker=quoted(a), stronger=quoted(b))
            for a, b in r.disordered[:_LISTED]
        ]
        if len(r.disordered) > _LISTED:
            pairs.append(translate("advice", "{n} more").format(n=len(r.disordered) - _LISTED))
        told.append(translate("advice", "\u26a0 The order of words would turn: {pairs}.").format(pairs=listed(pairs)))
    told += [
        translate("advice", "\u26a0 A plain statement would become its opposite: {source} said as {target}.").format(
            source=quoted(a), target=quoted(b)
        )
        for a, b in r.opposites
    ]
    if r.not_allowed:
        told.append(
            translate("advice", "\u26a0 Not among the department's allowed words: {words}.").format(
                words=listed([quoted(w) for w in r.not_allowed])
            )
        )
    return told
