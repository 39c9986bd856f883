"""Background work for the Review page, and the queue of answers to be stored."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from radcal.words.records import UNREAD
from radcal.workspace.records import PAIRED

if TYPE_CHECKING:
    from datetime import datetime

    from radcal.department import Department, ReviewFile
    from radcal.findings.records import Finding
    from radcal.review.records import (
        Agreement,
        Decision,
        Dispute,
        EngineAccuracy,
        EngineRun,
        GoldSet,
    )
    from radcal.system.progress import Progress


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """The progress of the current gold set.

    finished: number of reports that each reader has finished
    measured: the engine's accuracy, None while no report is finished
    missing: what is missing before a set can be drawn, as in GoldSets.missing
    n_unread: findings left unread in the results on show, that nobody has decided on
    """

    gold: GoldSet | None
    readers: tuple[str, ...]
    finished: Mapping[str, int]
    measured: EngineAccuracy | None
    missing: str = ""
    n_unread: int = 0


@dataclass(frozen=True, slots=True, eq=False)
class Comparing:
    """Two readers compared."""

    agreement: Agreement
    disputes: tuple[Dispute, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Well:
    """How well an engine reads, and readers agree.

    engines: those that can be measured;  measured: one of them, None while no report is finished
    readers: who have finished reports;  comparing: two of them, None if there is one at most
    """

    engines: tuple[EngineRun, ...]
    measured: EngineAccuracy | None
    readers: tuple[str, ...]
    comparing: Comparing | None


def standing(department: Department, _progress: Progress) -> Standing:
    """The progress of the current gold set."""
    gold = department.gold
    current = gold.current()
    if current is None and (missing := gold.missing()):
        return Standing(None, gold.readers(), {}, None, missing)
    n_unread = 0 if gold.apart else _n_unread(department)
    if current is None:
        return Standing(None, gold.readers(), {}, None, n_unread=n_unread)
    measured = None if gold.apart else gold.measured(detail=False)
    return Standing(current, gold.readers(), gold.finished(), measured, n_unread=n_unread)


def _n_unread(department: Department) -> int:
    counts = department.workspace.count_findings(department.runs.on_show(), PAIRED)
    return sum(n for phrase, _, n in counts if phrase == UNREAD)


def own_reader(department: Department, _progress: Progress) -> tuple[str, bool]:
    """The reader of a review file, and whether it is read blind."""
    file = cast("ReviewFile", department)
    return file.gold.reader, file.gold.blind


def well(run_id: int | None, pair: tuple[str, str], department: Department, _progress: Progress) -> Well:
    """An engine's accuracy against the readers, and two readers on the reports that both have finished.

    Args:
        run_id: of the engine; None for the one that was reviewed.
        pair: the readers to compare; the first two who have finished any, if one of them has not.
    """
    gold, readers = department.gold, tuple(department.gold.finished())
    comparing = None
    if len(readers) > 1:
        first, second = pair if set(pair) <= set(readers) and pair[0] != pair[1] else readers[:2]
        comparing = Comparing(gold.agreement(first, second), gold.disputes(first, second))
    return Well(gold.engines(), gold.measured(run_id) if gold.current() else None, readers, comparing)


@dataclass(frozen=True, slots=True)
class Doubt:
    """A finding that was left unread, or that somebody decided on since.

    effect: how far it would move a figure, were it present or absent, in 0-1; None where it is decided
    text: of its report;  by, at: who decided, and when, as far as that is stored;  struck, strong: how it is marked
    """

    finding: Finding
    effect: float | None
    text: str
    by: str = ""
    at: datetime | None = None
    struck: bool = False
    strong: bool = True

    @property
    def report_id(self) -> str:
        """The report that it stands in."""
        return self.finding.report_id


def left_unread(department: Department, progress: Progress) -> tuple[Doubt, ...]:
    """What was left unread in the results on show, each text once, that first which would change most; decided last."""
    runs, workspace = department.runs, department.workspace
    run = runs.on_show()
    decided = runs.decided(run)
    concerned = workspace.reports_saying(run, UNREAD).union(finding.report_id for finding, *_ in decided)
    ids = workspace.distinct_texts(report_id for report_id in runs.paired_ids() if report_id in concerned)
    texts = dict(workspace.reports(("report_id", "text"), ids).itertuples(index=False, name=None))
    waiting = [
        Doubt(item.finding, effect, texts[item.finding.report_id])
        for item, effect in runs.to_review(run, None, ids, progress)
        if item.finding is not None and item.finding.unread
    ]
    done = [Doubt(f, None, texts[f.report_id], by, at) for f, by, at in decided if f.report_id in texts]
    return (*waiting, *done)


Write = Callable[["Department"], None]


class Outbox:
    """Answers to be stored in the workspace, in order; removed only once stored.

    Filled in the GUI thread, emptied in the worker.
    """

    def __init__(self) -> None:
        self._waiting: deque[Write] = deque()

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, write: Write) -> None:
        """Add an answer."""
        self._waiting.append(write)

    def flush(self, department: Department, _progress: Progress | None = None) -> int:
        """Store everything pending; returns the number of answers stored.

        Raises:
            RadcalError: the workspace cannot store an answer; it and later ones stay pending.
        """
        n = 0
        while self._waiting:
            self._waiting[0](department)
            self._waiting.popleft()
            n += 1
        return n


def keep_decision(reader: str, decision: Decision, department: Department) -> None:
    """Store a decision."""
    department.gold.begin(reader)
    department.gold.decide(reader, decision)
