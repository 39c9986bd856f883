"""A line that says what was really written for the phrase at hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from shiboken6 import Shiboken

from ui.kit.text import WrappedText, show_text
from ui.sentences import apart, as_written

if TYPE_CHECKING:
    from radcal.reliability.records import Wording


class WordingsLine(WrappedText):
    """For a phrase, its wordings; for none, the phrases whose wordings were not confirmed alike.  Hidden if empty."""

    def __init__(self) -> None:
        super().__init__()
        self._wordings: Sequence[Wording] = ()
        self._phrase = ""
        self.hide()

    def show_wordings(self, wordings: Sequence[Wording]) -> None:
        """The wordings of a group; () while they are not known."""
        if Shiboken.isValid(self):  # they may come after the page is gone
            self._wordings = wordings
            self._show()

    def show_phrase(self, phrase: str) -> None:
        """The phrase at hand, '' for none."""
        self._phrase = phrase
        self._show()

    def text_of(self, phrase: str) -> str:
        """What was written for a phrase and how often CT confirmed it; '' if there is nothing to tell."""
        return as_written(self._wordings, self._wordings[0].topic, phrase) if self._wordings else ""

    def _show(self) -> None:
        topic = self._wordings[0].topic if self._wordings else ""
        show_text(self, self.text_of(self._phrase) if self._phrase else apart(self._wordings, topic))
