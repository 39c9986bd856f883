"""The advice in sentences: the summary first and large, then each recommendation, then what remains open."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFrame, QLabel

from ui.kit.layout import vbox
from ui.kit.text import show_text, wrapped
from ui.sentences import advised, on_unseen_findings, withheld, words_without_advice
from ui.theme import TITLE, sized
from ui.words import say, typographic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from radcal.advice.judged_records import JudgedGroup
    from ui.pages.advice.work import Explored


class Sentences(QFrame):
    """Built once and updated with results; labels are reused so that moving sliders does not cause flicker."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("card")
        self.plain = wrapped()
        self.plain.setFont(sized(self.font(), TITLE))
        self._lines: list[QLabel] = []
        self._sources: tuple[str, ...] = ()
        self._lines_layout = vbox(spacing=4)
        self.trial = wrapped(role="muted")
        self.rest = wrapped(role="muted")
        vbox(self.plain, self._lines_layout, self.trial, self.rest, parent=self, margins=(16, 12, 16, 12))

    def show_found(self, found: Explored) -> None:
        """Show the advice."""
        from radcal.advice.judging import group_sentence  # imports NumPy, which the first paint must not wait for

        advice, judged = found.view.advice, found.view.judged
        words = advised(judged)
        self._sources = tuple(j.name for j in words)
        self._show(
            typographic(group_sentence(judged)),
            [typographic(j.advice.text) for j in words if j.advice is not None],
            on_unseen_findings(advice),
            _withheld(judged),
        )

    def show_problem(self, text: str) -> None:
        """Show why there is no advice."""
        self._sources = ()
        self._show(text)

    @property
    def text(self) -> str:
        """The recommendations shown, one per line."""
        return "\n".join(line.text() for line in self._lines if line.text())

    def line_on(self, phrase: str) -> QLabel | None:
        """The recommendation on a phrase that was said; None without one."""
        return self._lines[self._sources.index(phrase)] if phrase in self._sources else None

    def _show(self, plain: str, lines: Sequence[str] = (), tried: str = "", rest: str = "") -> None:
        self.plain.setText(plain)
        while len(self._lines) < len(lines):
            self._lines.append(wrapped())
            self._lines_layout.addWidget(self._lines[-1])
        for i, part in enumerate(self._lines):
            show_text(part, lines[i] if i < len(lines) else "")
        show_text(self.trial, tried)
        show_text(self.rest, rest)


def _withheld(judged: JudgedGroup) -> str:
    """How many words have no advice; the word table gives the reasons."""
    n = len(withheld(judged))
    if n > 1:
        return say("No advice on {n} words; the reason of each stands in Words.", n=n)
    return words_without_advice(judged)
