"""All pathologies of a radiologist, or all radiologists on a pathology, in sentences; which of them differ."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from radcal.records import Group, pool_of
from ui.widgets.buttons import push_button
from ui.widgets.labels import label, wrapped
from ui.widgets.layouts import vbox
from ui.words import listed, p_value, percent, percent_range, quoted, say, whole

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radcal.records import Part, PhraseRate, Pool, Reliability

_MOST_WORDS, _MOST_LINKS = 3, 4


class Together(QWidget):
    """What holds for a pooled group.  ``opened_group``: a part that differs is to be shown alone."""

    opened_group = Signal(object)

    def __init__(self, r: Reliability, *, personal: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        by = pool_of(r.author, r.topic)
        lines = vbox(label(heading(r), role="strong"), parent=self, spacing=4)
        for text in sentences(r, personal=personal):
            lines.addWidget(wrapped(text))
        for part in [part for part in r.parts if part.differs][:_MOST_LINKS]:
            group = Group(r.author, part.name) if by == "author" else Group(part.name, r.topic)
            show = push_button(say("Show {name}", name=part.name.replace("&", "&&")), partial(self.opened_group.emit, group))
            lines.addWidget(show, 0, Qt.AlignmentFlag.AlignLeft)


def heading(r: Reliability) -> str:
    """'All pathologies' or 'All radiologists'."""
    return say("All pathologies") if pool_of(r.author, r.topic) == "author" else say("All radiologists")


def sentences(r: Reliability, *, personal: bool) -> tuple[str, ...]:
    """How often the words were confirmed in all, those of most uses; and whether the parts are alike."""
    by = pool_of(r.author, r.topic)
    if by is None:
        return ()
    hedged = sorted((p for p in r.phrases if 0 < p.mean < 1 and p.n > 0), key=lambda p: (-p.n, p.phrase))
    said = tuple(_confirmed(p, by, personal=personal) for p in hedged[:_MOST_WORDS])
    return (*said, *filter(None, [homogeneity(r)]))


def _confirmed(p: PhraseRate, by: Pool, *, personal: bool) -> str:
    values = {
        "word": quoted(p.phrase),
        "y": whole(p.positives),
        "n": whole(p.n),
        "rate": percent(p.rate),
        "range": percent_range(p.low, p.high),
    }
    if by == "topic":
        return say("Over all radiologists, {word} was confirmed in {y} of {n} ({rate}, {range}).", **values)
    if personal:
        return say("Over all pathologies your {word} was confirmed in {y} of {n} ({rate}, {range}).", **values)
    return say("Over all pathologies {word} was confirmed in {y} of {n} ({rate}, {range}).", **values)


def homogeneity(r: Reliability) -> str:
    """Which parts differ from the rest, word by word; '' where it was not tested."""
    by, p = pool_of(r.author, r.topic), r.p_value_parts
    if p is None:
        return ""
    differ = [part for part in r.parts if part.differs]
    if not differ:
        if by == "topic":
            return say("The radiologists were not shown to differ from each other ({p}).", p=p_value(p))
        return say("The pathologies were not shown to differ from each other ({p}).", p=p_value(p))
    if len(r.parts) == 2:
        one, other = (part.name for part in r.parts)
        return say("{one} and {other} differ from each other ({p}).", one=one, other=other, p=p_value(p))
    names = _named(differ)
    if by == "topic":
        return say(
            "Word by word, {names} differs from the other radiologists.",
            many="Word by word, {names} differ from the other radiologists.",
            names=names,
            n=len(differ),
        )
    return say(
        "Word by word, {names} differs from the other pathologies.",
        many="Word by word, {names} differ from the other pathologies.",
        names=names,
        n=len(differ),
    )


def _named(parts: Sequence[Part]) -> str:
    """The parts with their p-values, the least first."""
    least = sorted(parts, key=lambda part: part.p_value)
    return listed([say("{name} ({p})", name=part.name, p=p_value(part.p_value)) for part in least], _MOST_LINKS)
