"""What came into a department, what waits in it, who has enough findings for a sentence, and what to do next."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING

from radcal.system.progress import SILENT, Progress

if TYPE_CHECKING:
    from radcal.department import Department
    from radcal.feed.status import FeedStatus

TO_REVIEW = 30
"""Reports that one person reads before results can include what engines misread."""


class Step(StrEnum):
    """The next step of a department's work, in its order."""

    IMPORT = "import"
    PAIR = "pair"
    READ = "read"
    REVIEW = "review"
    RESULTS = "results"
    FEEDBACK = "feedback"
    MORE = "import more"


@dataclass(frozen=True, slots=True)
class Overview:
    """The state of a department; ``n`` stands for how many reports, unless something else is said.

    latest: when files were last imported, UTC; None never
    n_came: new or changed in that import;  n_since: in all imports since a moment, None without one
    n_paired: of pairs;  n_to_read, n_failed: of these, not read yet, and not readable
    n_unknown: words of certainty that are in no list;  n_unread: findings left to a person
    n_reviewed: that the most diligent reader finished;  n_to_review: that are to be, 30 or a smaller set that was drawn
    n_contested: findings marked as misread
    n_handed_out: personal files since the latest import;  n_out: those of all that have not come back
    looked_at: whether anybody's results were looked at since the latest import
    feed: what comes in by itself; None where nothing does
    """

    latest: datetime | None = None
    n_came: int = 0
    n_since: int | None = None
    n_paired: int = 0
    n_to_read: int = 0
    n_failed: int = 0
    n_unknown: int = 0
    n_unread: int = 0
    n_reviewed: int = 0
    n_to_review: int = TO_REVIEW
    n_contested: int = 0
    n_handed_out: int = 0
    n_out: int = 0
    looked_at: bool = False
    feed: FeedStatus | None = None

    @property
    def n_left(self) -> int:
        """Reports still to be reviewed."""
        return max(self.n_to_review - self.n_reviewed, 0)


def next_step(seen: Overview, *, telling: bool, made_up: bool = False) -> Step:
    """What to do next.

    Args:
        telling: something can be said of somebody's words.
        made_up: the reports are invented, so that there is nobody to review them and to hand out to.
    """
    if seen.latest is None:
        return Step.IMPORT
    if not seen.n_paired:
        return Step.PAIR
    if seen.n_to_read:
        return Step.READ
    if telling and made_up:
        return Step.RESULTS
    if seen.n_left:
        return Step.REVIEW
    if not telling or seen.n_handed_out:
        return Step.MORE
    return Step.FEEDBACK if seen.looked_at else Step.RESULTS


def overview(department: Department, since: datetime | None = None, progress: Progress = SILENT) -> Overview:
    """Look a department through; ``since``: when its user was last here, None if never."""
    from radcal.feed.status import feed_status

    progress.raise_if_cancelled()
    history = department.importing.history()
    feed = feed_status(department)
    if not history:
        return Overview(feed=feed)
    latest = history[0].at
    status = department.runs.status()
    progress.raise_if_cancelled()
    gold, drawn = department.gold, department.gold.current()
    done = [sum(a.done for a in gold.answers(reader).values()) for reader in gold.readers()] if drawn else []
    files = department.personal_files.handed_out()
    find = department.lexicon.find
    return Overview(
        latest=latest,
        n_came=history[0].new + history[0].changed,
        n_since=None if since is None else sum(past.new + past.changed for past in history if past.at > since),
        n_paired=status.n_reports,
        n_to_read=status.n_pending,
        n_failed=status.n_failed,
        n_unknown=sum(find(unknown.words) is None for unknown in department.words.uses().unknown),
        n_unread=status.n_unread,
        n_reviewed=max(done, default=0),
        n_to_review=min(TO_REVIEW, len(drawn.report_ids)) if drawn else TO_REVIEW,
        n_contested=len(department.contests.all()),
        n_handed_out=sum(datetime.fromisoformat(file.made) > latest for file in files),
        n_out=sum(not file.returned for file in files),
        looked_at=any(
            entry.what.startswith("viewed results ") and datetime.fromisoformat(entry.at) > latest
            for entry in department.audit_log.entries()
        ),
        feed=feed,
    )
