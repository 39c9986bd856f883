"""Background work for the Review page, and the queue of answers to be stored."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, cast

from radcal.system.kinds import FileKind
from radcal.system.text import Text
from radcal.words.records import UNREAD

if TYPE_CHECKING:
    from datetime import datetime

    from radcal.department import Department, ReviewFile
    from radcal.feedback.hand_outs import HandOut, Returned
    from radcal.findings.records import Finding
    from radcal.review.records import (
        Action,
        Agreement,
        Decision,
        Dispute,
        EngineAccuracy,
        EngineRun,
        GoldReport,
        GoldSet,
    )
    from radcal.system.progress import Progress
    from radcal.words.records import Phrase


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """The progress of the current gold set.

    finished: number of reports that each reader has finished
    measured: the engine's accuracy, None while no report is finished
    missing: what is missing before a set can be drawn, as in GoldSets.missing
    """

    gold: GoldSet | None
    readers: tuple[str, ...]
    finished: Mapping[str, int]
    measured: EngineAccuracy | None
    missing: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """A gold set for one reader: its reports and the reader's answers so far.

    actions: each with whether it is undone;  synonyms: other words for each pathology
    apart: whether it is the gold set of a review file, which has nothing to compare with afterwards
    """

    gold: GoldSet
    reader: str
    reports: tuple[GoldReport, ...]
    actions: tuple[tuple[Action, bool], ...]
    pathologies: tuple[str, ...]
    phrases: tuple[Phrase, ...]
    synonyms: Mapping[str, Sequence[str]] = field(default_factory=dict)
    apart: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Measuring:
    """An engine's results on the gold set, and the engines available."""

    engines: tuple[EngineRun, ...]
    measured: EngineAccuracy | None


@dataclass(frozen=True, slots=True, eq=False)
class Comparing:
    """Two readers compared."""

    agreement: Agreement
    disputes: tuple[Dispute, ...]


def standing(department: Department, _progress: Progress) -> Standing:
    """The progress of the current gold set."""
    gold = department.gold
    current = gold.current()
    if current is None:
        return Standing(None, gold.readers(), {}, None, gold.missing())
    finished = {}
    for reader in gold.readers():
        n = sum(answers.done for answers in gold.answers(reader).values())
        if n:
            finished[reader] = n
    measured = None if department.kind is FileKind.REVIEW else gold.measured(detail=False)
    return Standing(current, gold.readers(), finished, measured)


def begin(reader: str, writes: bool, department: Department, progress: Progress) -> Reading | None:
    """The current gold set for a reader, who is registered if the workspace is writable."""
    gold = department.gold
    current = gold.current()
    if current is None:
        return None
    name = gold.begin(reader) if writes else gold.known_as(reader)
    return Reading(
        current,
        name,
        gold.reports(progress),
        gold.actions(name),
        gold.pathologies(),
        gold.phrases(),
        gold.synonyms(),
        apart=department.kind is FileKind.REVIEW,
    )


def own_reader(department: Department, _progress: Progress) -> tuple[str, bool]:
    """The reader of a review file, and whether it is read blind."""
    file = cast("ReviewFile", department)
    return file.gold.reader, file.gold.blind


def make_file(reader: str, out: Path, blind: bool, department: Department, progress: Progress) -> HandOut:
    """Write a review file of the current gold set."""
    progress.start(None, Text("Writing the review file"))
    return department.review_files.make(reader, out, blind=blind, progress=progress)


def merge_file(path: Path, department: Department, progress: Progress) -> Returned:
    """Enter the answers of a review file."""
    progress.start(None, Text("Merging the review file"))
    return department.review_files.take_back(path, progress)


def measure(run_id: int | None, department: Department, _progress: Progress) -> Measuring:
    """An engine's accuracy against the readers, by pathology and phrase; ``run_id`` None: the engine reviewed."""
    return Measuring(department.gold.engines(), department.gold.measured(run_id))


def compare(first: str, second: str, department: Department, _progress: Progress) -> Comparing:
    """Two readers on the reports that both have finished."""
    return Comparing(department.gold.agreement(first, second), department.gold.disputes(first, second))


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
