"""What a feed did last, stored in its workspace: what came today, and which files could not be read and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import astuple, dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from radcal.feed.inbox import ERROR, is_waiting
from radcal.feed.spool import spool_folder, waiting

if TYPE_CHECKING:
    from radcal.reports.importing import PastImport
    from radcal.workspace.context import Context

_FEED, _STATUS = "feed", "status"
_NONE: Mapping[str, Any] = {"folder": "", "days": {}, "latest": "", "counted": [], "failed": []}
_MOST, _MOST_DAYS = 200, 7
"""Of what could not be read, of imports that are known to be counted, and of days, that are kept."""


@dataclass(frozen=True, slots=True)
class Failed:
    """A file or message that could not be read: its name in the folder ``error``, and why."""

    file: str
    reason: str


@dataclass(frozen=True, slots=True)
class FeedStatus:
    """The state of a feed.

    n_today: reports, new or changed, that came today by the clock of this computer
    latest: when reports last came, UTC; None never
    n_waiting: files and messages that are not imported yet
    failed: what lies in the folder ``error``, the latest first
    error: that folder; None where no folder is watched
    """

    n_today: int
    latest: datetime | None
    n_waiting: int
    failed: tuple[Failed, ...]
    error: Path | None = None


def keep(
    context: Context, folder: Path | None, came: Iterable[PastImport] = (), failed: Sequence[Failed] = ()
) -> list[PastImport]:
    """Store what a feed did; returns the imports that it had not counted yet, as it may have before it was stopped."""
    stored: Mapping[str, Any] = context.workspace.load_result(_FEED, _STATUS) or _NONE
    new = [past for past in came if past.readings[0] not in stored["counted"]]
    days = Counter(stored["days"])
    for past in new:
        days[past.at.astimezone().date().isoformat()] += past.new + past.changed
    again = {each.file for each in failed}
    status = {
        "folder": stored["folder"] if folder is None else str(folder),
        "days": dict(sorted(days.items())[-_MOST_DAYS:]),
        "latest": max([stored["latest"], *(past.at.isoformat() for past in new)]),
        "counted": [*stored["counted"], *(past.readings[0] for past in new)][-_MOST:],
        "failed": [*map(astuple, failed), *(f for f in stored["failed"] if f[0] not in again)][:_MOST],
    }
    context.workspace.save_result(_FEED, _STATUS, status, {})
    return new


def feed_status(context: Context) -> FeedStatus | None:
    """The state of the feed of a workspace; None where there never was one."""
    stored: Mapping[str, Any] = context.workspace.load_result(_FEED, _STATUS) or _NONE
    messages = len(waiting(context.path))
    if stored is _NONE and not messages:
        return None
    folder = Path(stored["folder"]) if stored["folder"] else None
    failed = [Failed(*each) for each in stored["failed"]]
    files = 0
    with suppress(OSError):  # of a folder that is on another computer, or away, the last that was known is told
        files = 0 if folder is None else sum(map(is_waiting, folder.iterdir()))
        places = [spool_folder(context.path) / ERROR, *([folder / ERROR] if folder else [])]
        failed = [f for f in failed if any((place / f.file).exists() for place in places)]
    return FeedStatus(
        n_today=stored["days"].get(datetime.now().astimezone().date().isoformat(), 0),
        latest=datetime.fromisoformat(stored["latest"]) if stored["latest"] else None,
        n_waiting=files + messages,
        failed=tuple(failed),
        error=None if folder is None else folder / ERROR,
    )
