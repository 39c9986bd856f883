"""The open department as plain values for display, made in the worker."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from radcal.system.kinds import FileKind

if TYPE_CHECKING:
    from radcal.advice.judged_records import Judged, JudgedGroup
    from radcal.advice.records import Advice
    from radcal.calibration.records import Reliability, Spread
    from radcal.department import Department
    from radcal.findings.records import ExtractionSummary
    from radcal.findings.run_records import RunChoice
    from radcal.reports.records import AttritionStep, RejectedRow
    from radcal.system.selection import Group
    from radcal.words.records import Phrase
    from radcal.workspace.records import Restored, Updated
    from radcal.workspace.schedule import Copied


@dataclass(frozen=True, slots=True)
class Imported:
    """A finished import with its extraction."""

    rows_read: int
    rejected: tuple[RejectedRow, ...]
    extraction: ExtractionSummary


@dataclass(frozen=True, slots=True)
class Halted:
    """Where work on an open department stood when it was stopped or failed.

    files, imported: of the files that were to be imported, how many there are, and how many are imported
    unfinished: not all that is imported is paired, read and analysed
    """

    files: int
    imported: int
    unfinished: bool


@dataclass(frozen=True, slots=True, eq=False)
class GroupView:
    """Results of one author on one topic, and what is said of the words."""

    reliability: Reliability
    advice: Advice | None
    judged: JudgedGroup


@dataclass(frozen=True, slots=True, eq=False)
class Opened:
    """An open department with its analysis; if there are no results, ``groups`` is empty and ``reason`` says why."""

    department: Department
    title: str
    path: Path
    groups: dict[Group, GroupView]
    phrases: tuple[Phrase, ...]
    min_phrase_n: int
    min_group_n: int
    models: frozenset[str] = frozenset()
    """Language models among the authors of the groups, taken in from files of answers."""
    said: tuple[Phrase, ...] = ()
    """What models said or may be told besides the phrases."""
    pooled: dict[Group, GroupView] = field(default_factory=dict)
    """All pathologies of a radiologist, and all radiologists on a pathology, where these are several."""
    pseudonyms: Mapping[str, str] = field(default_factory=dict)
    """Of all radiologists, for where several are named together."""
    names: Mapping[str, str] = field(default_factory=dict)
    """What radiologists are called where one is shown alone: their names as far as these are known."""
    names_key: Path | None = None
    """Where the names are, or are looked for, if they are kept apart; None if they are in the workspace."""
    names_made: bool = False
    """Whether that file was just made."""
    names_missing: str = ""
    """Why the names that are kept apart are not known, with the remedy; '' if they are."""
    engine: str = ""
    engine_accuracy: str = ""
    reading_errors: str = ""
    """Whether errors of reading are carried on, in sentences."""
    exams: Mapping[str, tuple[datetime | None, datetime | None]] = field(default_factory=dict)
    """Author -> times of the first and last X-ray in the results."""
    n_pairs: int = 0
    spread: Spread | None = None
    """How far the words of the department's readers stray, from which verdicts follow; None without results."""
    not_mentioned: Mapping[Group, int] = field(default_factory=dict)
    """Number of CT findings not mentioned in the author's X-ray reports."""
    verified: Mapping[Group, str] = field(default_factory=dict)
    """On how many of all statements a CT decided, in a sentence, where that is known."""
    unread: Mapping[Group, str] = field(default_factory=dict)
    """How many findings were left unread and what they would change, in sentences, where there are any."""
    left_out: Mapping[Group, int] = field(default_factory=dict)
    """Number of contested findings that the results leave out."""
    rejected: tuple[RejectedRow, ...] = ()
    """Rows rejected in all imports."""
    attrition: tuple[AttritionStep, ...] = ()
    reason: str = ""
    sample: bool = False
    read_only: bool = False
    """Opened without write access: nothing can be imported."""
    up_to_date: bool = True
    """False if some imported reports are not analysed and a read-only opening cannot do so."""
    imported: Imported | None = None
    n_imports: int = 0
    """Number of imports into the workspace, paired or not."""
    halted: Halted | None = None
    """Where the last work stood if it was stopped or failed; the rest is shown as it is stored."""
    study: str = ""
    """The text of its study file; '' for chest X-ray and CT."""
    served: str = ""
    """The server to which the engine in the settings sends reports; '' if they stay on this computer."""
    personal: str = ""
    """In a personal file, the radiologist whose results these are."""
    kind: FileKind = FileKind.DEPARTMENT
    """For whose eyes the file is."""
    runs: tuple[RunChoice, ...] = ()
    """Extraction runs available for results, latest first."""
    copied: Copied | None = None
    """State of the backups; None if this window does not back up the file."""
    restored: Restored | None = None
    """The outcome of restoring a backup, if just done."""
    updated: Updated | None = None
    """How the file was brought up to date, if just done."""
    telling: tuple[Group, ...] = ()
    """The groups with results, the one with the most to say first."""
    comparable: tuple[str, ...] = ()
    """The pathologies on which radiologists can be compared, those first on which they can best."""
    fresh: bool = True
    """True after opening or importing, False after a new analysis."""

    def view(self, group: Group) -> GroupView | None:
        """The results of a group, pooled or not; None if there are none."""
        return self.groups.get(group) or self.pooled.get(group)

    @property
    def place(self) -> Path:
        """Where the file is, for display: of a personal file the folder, because its name has a pseudonym."""
        return self.path.parent if self.kind is FileKind.PERSONAL else self.path

    def called(self, author: str, *, named: bool = True) -> str:
        """A radiologist or a model as called where one is shown alone; not ``named``, where several are.

        Without a pseudonym, which whoever has no results lacks in a workspace with names, the latter is ''.
        """
        if named:
            return self.names.get(author, author)
        return self.pseudonyms.get(author, author if self.names_key else "")

    def judged(self, author: str) -> Judged:
        """What is said of the words of a radiologist over all pathologies, as on the pages of that radiologist."""
        from radcal.advice.judged_records import Judged  # imports NumPy, which the first paint must not wait for

        own, pooled = ([v.judged for g, v in of.items() if g.author == author] for of in (self.groups, self.pooled))
        groups = tuple(sorted(own, key=lambda group: (-group.n, group.topic)))
        return Judged(groups, pooled[0] if pooled else None, self.meanings, self.min_phrase_n)

    @property
    def meanings(self) -> dict[str, Phrase]:
        """The phrases by their names, those of models included."""
        return {p.name: p for p in (*self.said, *self.phrases)}

    @property
    def of_radiologists(self) -> dict[Group, GroupView]:
        """The groups of radiologists, without those of language models."""
        return {group: view for group, view in self.groups.items() if group.author not in self.models}

    @property
    def shown_run(self) -> int | None:
        """ID of the extraction run behind the results; None if unknown."""
        return next((run.run_id for run in self.runs if run.shown), None)
