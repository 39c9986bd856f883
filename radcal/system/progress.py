"""Progress reports and cancellation of long-running work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Protocol, TypeVar, runtime_checkable

from radcal.system.text import EMPTY, Text

Item = TypeVar("Item")


class Progress(Protocol):
    """Receives the progress of one piece of work.

    Work calls :meth:`start` once its amount is known, :meth:`advance` after each part, and :meth:`raise_if_cancelled`
    between parts, at least every half second.  What it says is a :class:`radcal.system.text.Text`, for whichever
    language it is shown in.  Whatever takes a Progress raises Cancelled when it does; docstrings tell only what else is
    to be known of that.
    """

    def start(self, total: int | None, what: Text) -> None:
        """Start ``what`` (a phrase such as "Extracting findings") with ``total`` parts, None if unknown."""

    def advance(self, n: int = 1, note: Text = EMPTY) -> None:
        """Count ``n`` finished parts; ``note`` is shown beside the progress bar."""

    def raise_if_cancelled(self) -> None:
        """Raise :class:`radcal.system.errors.Cancelled` if the user has cancelled the work."""


class Silent:
    """A Progress that shows nothing and is never cancelled."""

    def start(self, total: int | None, what: Text) -> None: ...
    def advance(self, n: int = 1, note: Text = EMPTY) -> None: ...
    def raise_if_cancelled(self) -> None: ...


class Unseen(Silent):
    """Hides the progress of a subtask, which is cancelled with the whole."""

    def __init__(self, whole: Progress) -> None:
        self._whole = whole

    def raise_if_cancelled(self) -> None:
        """Raise Cancelled if the whole has been cancelled."""
        self._whole.raise_if_cancelled()


@runtime_checkable
class Sharing(Progress, Protocol):
    """A Progress of work that otherwise has its workspace to itself."""

    def beside(self) -> AbstractContextManager[None]:
        """While the block runs, other work may use the workspace."""


def in_steps(items: Iterable[Item], progress: Progress, n: int = 5000) -> Iterator[Item]:
    """The items one after the other; whoever reads them is stopped between ``n`` of them if the user cancels."""
    for i, item in enumerate(items):
        if i % n == 0:
            progress.raise_if_cancelled()
        yield item


def beside(progress: Progress) -> AbstractContextManager[None]:
    """A block in which other work may use the workspace: a long part that saves what it does piece by piece."""
    return progress.beside() if isinstance(progress, Sharing) else nullcontext()


SILENT = Silent()
