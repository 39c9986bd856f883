"""The current selection: an author on a topic, within a date range of the X-rays."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Days:
    """A date range of X-rays: from ``first`` to ``last``, inclusive; None for no limit."""

    first: date | None = None
    last: date | None = None

    @property
    def are_limited(self) -> bool:
        """Whether there is any limit."""
        return self.first is not None or self.last is not None


ALL_DAYS = Days()


@dataclass(frozen=True, slots=True)
class Group:
    """An author on a topic."""

    author: str
    topic: str


@dataclass(frozen=True, slots=True)
class Selection:
    """An author's statements on a topic in the X-ray reports of a date range."""

    author: str
    topic: str
    days: Days = ALL_DAYS

    @property
    def group(self) -> Group:
        """The author and the topic alone."""
        return Group(self.author, self.topic)
