"""Reads findings from the workspace in the worker, as plain records."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from radcal.calibration.records import Wording
from radcal.system import policy
from radcal.system.errors import Cancelled, DataError, InputError
from radcal.system.processes import start_program
from radcal.system.selection import Selection
from radcal.system.text import EMPTY, Text
from radcal.words.confirmations import silence_reasons, silent_ct
from radcal.words.phrases import normalise

if TYPE_CHECKING:
    from radcal.department import Department
    from radcal.feedback.hand_outs import Returned
    from radcal.feedback.meeting import Proposed
    from radcal.feedback.records import NewCases
    from radcal.system.progress import Progress

_CHECK_EVERY = 2000
NOT_COMPARABLE = "Not comparable: "
"""Begins the note of a contest of a finding that X-ray and CT cannot be compared on, whatever the language is."""


class Answer(NamedTuple):
    """What is said of a finding: contested, or agreed with, and why."""

    note: str
    agreed: bool = False


@dataclass(frozen=True, slots=True)
class FindingRow:
    """A finding with its CT verdict.

    outcome: 0-1, the probability that CT confirms it;  cue_start, cue_end: span of the certainty words in
        xray_sentence, -1 for none
    ct_sentence: '' if the CT report does not mention it;  silence: then, that this counts as absent, and why
    contest: the note with which it was contested, None if it was not;  entered: included in the current statistics
    agreed: why somebody agreed with it, '' without a reason, None if nobody said so
    contested_by, contested_at: the radiologist whose personal file this came from, and when it was said there, as
        UTC in ISO 8601; '' if it was said here
    great: one of the new cases, and a great call
    """

    author: str
    topic: str
    phrase: str
    verbatim: str
    xray_id: str
    ct_id: str
    time: datetime | None
    xray_sentence: str
    cue_start: int
    cue_end: int
    ct_sentence: str
    ct_pathology: str
    outcome: float
    contest: str | None = None
    entered: bool = True
    contested_by: str = ""
    contested_at: str = ""
    agreed: str | None = None
    great: bool = False
    silence: Text = EMPTY

    @property
    def answer(self) -> Answer | None:
        """What was said of it; None for nothing."""
        if self.contest is not None:
            return Answer(self.contest)
        return None if self.agreed is None else Answer(self.agreed, agreed=True)

    @property
    def written(self) -> str:
        """The certainty words in small letters, '' for a plain statement."""
        return normalise(self.verbatim)

    @property
    def confirmed(self) -> bool:
        """Whether CT confirmed it, certainly or more likely than not."""
        return not math.isnan(self.outcome) and self.outcome >= 0.5


@dataclass(frozen=True, slots=True, eq=False)
class Findings:
    """Findings, latest first: of a group, or all contested ones (``selection`` None).

    leaves_out: contested findings are left out at the next analysis
    at: the certainty whose findings were requested, None if those of a phrase were
    shares: for ``at``, each phrase with its share (0-1) of the findings at this certainty
    wordings: what was really written for the phrases
    new: of the cases that are new since the last feedback, which these are
    """

    selection: Selection | None
    phrases: tuple[str, ...]
    rows: tuple[FindingRow, ...]
    leaves_out: bool = False
    at: float | None = None
    shares: tuple[tuple[str, float], ...] = ()
    wordings: tuple[Wording, ...] = ()
    new: NewCases | None = None


def findings(department: Department, selection: Selection, phrase: str, progress: Progress) -> Findings:
    """The findings of a group worded with a phrase."""
    rows = _rows(department, selection, (phrase,), progress)
    wordings = department.groups.wordings(selection)
    return Findings(selection, (phrase,), rows, _leaves_out(department), wordings=wordings)


def findings_at(department: Department, selection: Selection, certainty: float, progress: Progress) -> Findings:
    """Findings of a group in the diagram's bin that contains ``certainty``."""
    words = department.groups.words_at(selection, certainty)
    phrases = tuple(w.phrase for w in words)
    rows = _rows(department, selection, phrases, progress) if phrases else ()
    shares = tuple((w.phrase, w.share) for w in words)
    return Findings(selection, phrases, rows, _leaves_out(department), certainty, shares)


def contested(department: Department, progress: Progress) -> Findings:
    """All contested findings that still exist."""
    contests = department.contests.all()
    rows: list[FindingRow] = []
    for author, topic in dict.fromkeys((c.author, c.topic) for c in contests):
        wanted = {c.xray_id for c in contests if (c.author, c.topic) == (author, topic)}
        phrases = tuple({c.phrase for c in contests if (c.author, c.topic) == (author, topic)})
        with suppress(DataError):  # of a group that has no findings any more
            found = _rows(department, Selection(author, topic), phrases, progress)
            rows += [r for r in found if r.xray_id in wanted]
    rows.sort(key=lambda r: (r.time is not None, r.time), reverse=True)
    return Findings(None, (), tuple(rows), _leaves_out(department))


def new_cases(author: str, department: Department, progress: Progress) -> Findings:
    """The new cases of a radiologist that are worth a look, in their order."""
    new = department.new_cases.of(author)
    rows: list[FindingRow] = []
    for case in new.cases:
        topic, phrase = case.example.topic, case.example.phrase
        with suppress(DataError):  # of a group that has no findings any more
            found = _rows(department, Selection(author, topic), (phrase,), progress)
            rows += [replace(r, great=case.kind == "great call") for r in found if r.xray_id == case.xray_id]
    return Findings(None, (), tuple(rows), _leaves_out(department), new=new)


def _leaves_out(department: Department) -> bool:
    return department.settings.contested == "left out"


def _rows(
    department: Department, selection: Selection, phrases: Sequence[str], progress: Progress
) -> tuple[FindingRow, ...]:
    table = department.groups.evidence(selection, phrases, progress)
    contests = department.contests
    agreed = {(c.xray_id, c.topic): c for c in contests.agreed()}
    brought = {(c.xray_id, c.topic): (c.by, c.said) for c in (*agreed.values(), *contests.all()) if c.by}
    reasons = silence_reasons(department.settings)
    made: list[FindingRow] = []
    for i, row in enumerate(table.itertuples(index=False)):
        if i % _CHECK_EVERY == 0:
            progress.raise_if_cancelled()
        found = _row(row, reasons)
        by, at = brought.get((found.xray_id, found.topic), ("", ""))
        if (said := agreed.get((found.xray_id, found.topic))) is not None:
            found = replace(found, agreed=said.note)
        made.append(replace(found, contested_by=by, contested_at=at) if by else found)
    return tuple(made)


def _row(r: Any, reasons: Mapping[str, str]) -> FindingRow:
    silent = bool(r.ct_id) and not r.ct_sentence  # an answer of a model has no CT report
    return FindingRow(
        author=str(r.author),
        topic=str(r.topic),
        phrase=str(r.phrase),
        verbatim=str(r.verbatim),
        xray_id=str(r.xray_id),
        ct_id=str(r.ct_id),
        time=r.xray_time.to_pydatetime() if r.xray_time == r.xray_time and r.xray_time is not None else None,
        xray_sentence=str(r.xray_sentence),
        cue_start=int(r.xray_cue_start),
        cue_end=int(r.xray_cue_end),
        ct_sentence=str(r.ct_sentence),
        ct_pathology=str(r.ct_pathology),
        outcome=float(r.outcome),
        contest=None if r.contest is None else str(r.contest),
        entered=bool(r.entered),
        silence=silent_ct(str(r.topic), reasons.get(str(r.topic), "")) if silent else EMPTY,
    )


@dataclass(frozen=True, slots=True)
class Kept:
    """Where the contests of a personal file are kept.

    file: beside the personal file, None while nothing was contested;  name: usual for the file to be sent
    said: contests, those withdrawn included;  unkept: why the last is not on the disk, '' if it is
    why_not: why nothing can be contested, '' if it can
    """

    file: Path | None
    name: str
    said: int
    unkept: str
    why_not: str


def kept(department: Department, _progress: Progress | None = None) -> Kept | None:
    """Where contests are kept; None in a department's workspace, which keeps them itself."""
    from radcal.calibration.own_contests import OwnContests

    contests = department.contests
    if not isinstance(contests, OwnContests):
        return None
    said = contests.n_said
    file = contests.file if said else None
    return Kept(file, contests.name(), said, str(contests.unkept), str(contests.why_not))


def save_contests(out: Path, department: Department, _progress: Progress) -> Path:
    """Write the contests of a personal file to another file."""
    from radcal.calibration.own_contests import OwnContests

    contests = department.contests
    assert isinstance(contests, OwnContests)  # noqa: S101 - the button is offered with a personal file alone
    return contests.hand_over(out)


def take_contests(files: Sequence[Path], department: Department, progress: Progress) -> tuple[Returned | Unread, ...]:
    """Take in files of contests; those that cannot be read are listed, and those that were not come to."""
    made: list[Returned | Unread] = []
    progress.start(len(files), Text("Taking in contests"))
    for i, file in enumerate(files):
        try:
            progress.raise_if_cancelled()
            made.append(department.personal_files.take_back(file))
        except Cancelled:
            return (*made, *(Unread(left.name, Text("Stopped before this file.")) for left in files[i:]))
        except InputError as error:
            made.append(Unread(file.name, error.text))
        progress.advance()
    return tuple(made)


@dataclass(frozen=True, slots=True)
class Unread:
    """A file that could not be taken in, and why."""

    file: str
    reason: Text


def mark(department: Department, row: FindingRow, answer: Answer | None, _progress: Progress) -> None:
    """Keep what is said of a finding; None takes it back."""
    contests = department.contests
    if answer is None:
        contests.withdraw(row.xray_id, row.topic)
        return
    # Taking a contest back can be undone: it is then again what the radiologist said.
    by, said = (row.contested_by, row.contested_at) if answer == row.answer else ("", "")
    finding = row.xray_id, row.topic, row.author, row.phrase
    contests.add(*finding, answer.note, by=by, said=said, agreed=answer.agreed)


def propose(row: FindingRow, department: Department, _progress: Progress) -> Proposed:
    """The finding as a teaching case."""
    return department.meeting.propose(Selection(row.author, row.topic), row.phrase, row.xray_id)


def open_study(accession: str, study_uid: str, department: Department, _progress: Progress) -> str:
    """Start the viewer that IT has set with the study of these numbers; or the link to be opened, '' for none.

    Raises:
        InputError: the program does not start.
        DataError: it is no number that can be handed on.
    """
    opens = policy.in_use().viewer.opens(accession, study_uid)
    if not isinstance(opens, str):
        start_program(opens)
    department.note("study opened in PACS")
    return opens if isinstance(opens, str) else ""
