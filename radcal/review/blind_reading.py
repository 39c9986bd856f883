"""The gold set of a review file: what its one reader sees of it, and the reader's answers."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from radcal.review.annotating import Annotating
from radcal.workspace.context import BLIND, CURRENT, REVIEW_WORDS, REVIEWER, Context


class ReviewFileGold(Annotating):
    """A gold set for one reader, with the words to read it by; nothing else is in the file."""

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.reader = context.workspace.get_meta(REVIEWER) or ""
        self.blind = context.workspace.get_meta(BLIND) != "no"
        """Whether the file has no findings of an engine."""

    @cached_property
    def _words(self) -> dict[str, Any]:
        return self._workspace.load_result(REVIEW_WORDS, CURRENT) or {"pathologies": [], "synonyms": {}}

    def pathologies(self) -> tuple[str, ...]:
        """The department's pathologies, by name."""
        return tuple(self._words["pathologies"])

    def synonyms(self) -> dict[str, tuple[str, ...]]:
        """The department's synonyms of each pathology."""
        return {name: tuple(words) for name, words in self._words["synonyms"].items()}

    def begin(self, reader: str) -> str:
        """The reader of the file, who alone can read with it."""
        return self.reader

    def known_as(self, reader: str) -> str:
        """The reader of the file."""
        return self.reader
