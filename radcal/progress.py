"""How long work reports its progress and learns that it should stop."""

from __future__ import annotations

from typing import Protocol, runtime_checkable


@runtime_checkable
class Progress(Protocol):
    """Receives the progress of one piece of work.

    The worker calls :meth:`start` once the amount is known, :meth:`advance` after each part and
    :meth:`raise_if_cancelled` between parts, at least every half second.
    """

    def start(self, total: int | None, what: str) -> None:
        """Begin ``what`` (a verb phrase such as "Extracting findings") of ``total`` parts, None if unknown."""
        ...

    def advance(self, n: int = 1, note: str = "") -> None:
        """``n`` further parts are done; ``note`` is shown beside the bar."""
        ...

    def raise_if_cancelled(self) -> None:
        """Raise :class:`radcal.errors.Cancelled` if the user asked to stop."""
        ...


class Silent:
    """A Progress that shows nothing and is never cancelled."""

    def start(self, total: int | None, what: str) -> None:
        """Do nothing."""

    def advance(self, n: int = 1, note: str = "") -> None:
        """Do nothing."""

    def raise_if_cancelled(self) -> None:
        """Do nothing."""


class Unseen(Silent):
    """Hides the progress of a part of some work, and stops when the whole is stopped."""

    def __init__(self, whole: Progress) -> None:
        self._whole = whole

    def raise_if_cancelled(self) -> None:
        """Raise Cancelled if the whole work is to stop."""
        self._whole.raise_if_cancelled()


SILENT = Silent()
