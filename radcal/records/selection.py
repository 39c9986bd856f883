"""What is looked at: an author on a topic, in the X-rays of some days."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Days:
    """Whose X-rays count: those from ``first`` to ``last``, both included; None for no limit."""

    first: date | None = None
    last: date | None = None

    @property
    def are_limited(self) -> bool:
        """Whether only some days count."""
        return self.first is not None or self.last is not None


ALL_DAYS = Days()


@dataclass(frozen=True, slots=True)
class Group:
    """An author on a topic."""

    author: str
    topic: str


@dataclass(frozen=True, slots=True)
class Selection:
    """What an author said on a topic in the X-ray reports of some days."""

    author: str
    topic: str
    days: Days = ALL_DAYS

    @property
    def group(self) -> Group:
        """The author and the topic alone."""
        return Group(self.author, self.topic)
